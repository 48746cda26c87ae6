"""Golden values on the Adult data (30,162 records); the tests are skipped and reported without the data."""

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from privacy.sdc.bottom_up import bottom_up
from privacy.sdc.classes import Classes, ClassMatrix
from privacy.sdc.generalisation import Space
from privacy.sdc.hierarchy import Hierarchy
from privacy.sdc.ilp import ilp_l_diversity
from privacy.sdc.information_loss import loss
from privacy.sdc.k_member import k_member
from privacy.sdc.lattice import Lattice
from privacy.sdc.leakage import leakage
from privacy.sdc.singling_out import unicity
from privacy.sdc.utility_matrix import axis_weights, utility_matrix
from privacy.sdc.value_clusters import lloyd
from tests.fixtures.tables import table_of
from tests.golden.conftest import FOLDER

QID = ["age", "education-num", "marital-status", "native-country", "race", "salary-class", "sex", "workclass"]
pytestmark = pytest.mark.soak

PLACES = [0, 4, 5, 13, 8, 14, 9, 1, 6]


@pytest.fixture(scope="module")
def table():
    rows = []
    for line in (Path(FOLDER) / "uci" / "adult.data").read_text(encoding="ascii").splitlines():
        cells = [cell.strip() for cell in line.split(",")]
        if len(cells) == 15 and "?" not in cells:
            rows.append([cells[place] for place in PLACES])
    return table_of([*QID, "occupation"], rows, sensitive=["occupation"], numeric=["age", "education-num"])


@pytest.fixture(scope="module")
def trees():
    return {
        name: Hierarchy.from_rows(
            name,
            [
                line.split(";")
                for line in (Path(FOLDER) / "bench_hierarchies" / f"h_{name}.csv")
                .read_text(encoding="utf-8")
                .split("\n")
                if line
            ],
        )
        for name in QID
    }


@pytest.fixture(scope="module")
def space(table, trees):
    return Space.of(table, trees)


@pytest.fixture(scope="module")
def utilities(space, table):
    return utility_matrix(space, table.column("occupation"))


@pytest.fixture(scope="module")
def weights(space, utilities):
    return axis_weights(utilities, space)


def test_the_adult_data_match_their_description(table):
    raw = Classes.of_columns(table.quasi_identifiers)
    assert len(table) == 30162
    assert len(table.column("occupation").values) == 14
    assert raw.count == 12458
    assert (raw.sizes == 1).sum() / 30162 == pytest.approx(0.2931, abs=5e-5)
    assert (raw.sizes[raw.number] < 5).mean() == pytest.approx(0.509, abs=5e-4)


def test_medians_but_not_means_find_clusters_of_three_values(utilities, monkeypatch):
    def feasible(count):
        ends = [lloyd(utilities, start) for start in combinations(range(14), count)]
        return [end for end in ends if end is not None and np.bincount(end[0]).min() >= 3]

    assert len(feasible(4)) == 0
    assert len(feasible(3)) == 89
    monkeypatch.setattr(np, "median", np.mean)
    assert [len(feasible(count)) for count in (4, 3, 2)] == [0, 0, 0]


@pytest.mark.parametrize(
    ("k", "ilp", "penalty", "alone"),
    [
        (2, 297.2, 60324, 22.6),
        (5, 1700.2, 241332, 0.66),
        (10, 3086.1, 482644, 0.16),
        (20, 5107.7, 964820, 0.0),
        (50, 7174.5, 1932020, 0.0),
    ],
)
def test_bottom_up_reproduces_the_golden_values(space, table, weights, k, ilp, penalty, alone):
    classes = bottom_up(space, k, weights)
    found = loss(space, classes, weights=weights)
    assert found.ilp == pytest.approx(ilp, abs=0.05)
    assert found.discernibility == penalty
    distinct = np.bincount(ClassMatrix.of(classes, table.column("occupation")).classes)
    assert 100 * (distinct == 1).mean() == pytest.approx(alone, abs=0.05)


@pytest.mark.parametrize(
    ("k", "ilp", "penalty", "alone", "changed"),
    [
        (2, 1182.5, 120684, 13.7, 19.0),
        (5, 2384.7, 241340, 4.03, 4.25),
        (10, 4185.4, 482796, 0.80, 0.85),
        (20, 6458.5, 965164, 0.11, 0.13),
        (50, 9195.5, 1932844, 0.0, 0.02),
    ],
)
def test_the_ilp_based_algorithm_reproduces_the_golden_values(
    space, table, weights, k, ilp, penalty, alone, changed
):
    occupation = table.column("occupation")
    made = ilp_l_diversity(space, occupation, k=k, l_value=3, rng=np.random.default_rng(0))
    found = loss(space, made.classes, weights=weights)
    assert found.ilp == pytest.approx(ilp, abs=0.05)
    assert found.discernibility == penalty
    distinct = np.bincount(ClassMatrix.of(made.classes, occupation).classes)
    assert 100 * (distinct == 1).mean() == pytest.approx(alone, abs=0.05)
    assert 100 * made.change_ratio == pytest.approx(changed, abs=0.05)


def test_classes_within_clusters_leak_the_golden_number_of_bits(space, table, weights):
    occupation = table.column("occupation")
    made = ilp_l_diversity(space, occupation, k=10, l_value=3, rng=np.random.default_rng(0))
    raw = Classes.of_columns(table.quasi_identifiers)
    bits = [
        leakage(ClassMatrix.of(classes, occupation)).mutual_information
        for classes in (raw, bottom_up(space, 10, weights), made.classes)
    ]
    assert bits == pytest.approx([2.0392, 1.0910, 1.9126], abs=5e-5)
    assert leakage(ClassMatrix.of(raw, occupation)).entropy == pytest.approx(3.3966, abs=5e-5)


@pytest.mark.parametrize(("k", "ncp"), [(2, 0.0077), (5, 0.0235), (10, 0.0399), (20, 0.0600), (50, 0.0957)])
def test_k_member_loses_as_little_information_as_published(space, weights, k, ncp):
    assert loss(space, k_member(space, k, weights), weights=weights).ncp == pytest.approx(ncp, abs=5e-4)


@pytest.mark.parametrize(
    ("k", "most", "height", "at_height", "in_all"),
    [
        (2, 0, 11, 15, 22),
        (2, 302, 6, 4, 202),
        (2, 1508, 4, 10, 169),
        (5, 0, 11, 4, 14),
        (5, 302, 8, 32, 153),
        (5, 1508, 6, 32, 211),
        (10, 0, 11, 2, 10),
        (10, 302, 8, 1, 116),
        (10, 1508, 7, 36, 182),
        (20, 302, 9, 2, 77),
        (50, 302, 10, 2, 46),
    ],
)
def test_the_lattice_reproduces_the_golden_nodes(table, trees, k, most, height, at_height, in_all):
    lattice = Lattice(table, trees, k=k, max_suppressed=most)
    found = lattice.search()
    assert (lattice.size, sum(lattice.heights)) == (2880, 15)
    assert (found[0].height, len(found), len(lattice.minimal())) == (height, at_height, in_all)


def test_unicity_reproduces_the_golden_values(table):
    for points, mean in ((2, 0.0012), (3, 0.0081), (4, 0.0266), (6, 0.1180), (8, 0.2931)):
        assert unicity(table.quasi_identifiers, points, rng=np.random.default_rng(0)).mean == pytest.approx(
            mean, abs=5e-5
        )
