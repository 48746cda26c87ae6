from itertools import pairwise, product

import numpy as np
import pytest

from privacy.errors import PrivacyError
from privacy.sdc.classes import Classes
from privacy.sdc.hierarchy import flat_hierarchy
from privacy.sdc.lattice import Lattice
from tests.fixtures.lattices import lattice
from tests.fixtures.tables import random_table, table_of


def plain_suppressed(table, trees, levels, k):
    """Count the records in classes below k from explicit labels."""
    ancestors = {name: {row[0]: row for row in tree.rows()} for name, tree in trees.items()}
    rows = list(
        zip(
            *(
                [ancestors[column.name][text][level] for text in column.texts]
                for column, level in zip(table.quasi_identifiers, levels, strict=True)
            ),
            strict=True,
        )
    )
    return sum(rows.count(row) < k for row in rows)


def test_nodes_suppress_the_records_of_small_classes():
    mine, table, trees = lattice()
    for levels in [(0, 0, 0, 0), (2, 1, 1, 0), (1, 3, 0, 1), mine.heights]:
        assert mine.report(levels).suppressed == plain_suppressed(table, trees, levels, 4)


@pytest.mark.parametrize("most", [0, 6, 30])
@pytest.mark.parametrize("k", [2, 5])
def test_bisection_matches_an_exhaustive_lattice_search(k, most):
    mine, _, _ = lattice(k=k, max_suppressed=most)
    good = {node for node in mine.all_nodes() if mine.good(node)}
    height = min(map(sum, good))
    found = mine.search()
    assert {node.height for node in found} == {height}
    assert [node.levels for node in found] == sorted(node for node in good if sum(node) == height)
    minimal = {node for node in good if not any(below in good for below in mine.predecessors(node))}
    assert {node.levels for node in mine.minimal()} == minimal
    assert {node.levels for node in found} <= minimal


def test_nodes_above_a_good_node_are_good():
    mine, _, _ = lattice(max_suppressed=10)
    for node in mine.all_nodes():
        for below in mine.predecessors(node):
            assert not mine.good(below) or mine.good(node)
            assert mine.report(below).suppressed >= mine.report(node).suppressed


def test_nodes_of_all_heights_cover_the_lattice():
    mine, _, _ = lattice()
    heights = range(sum(mine.heights) + 1)
    assert sorted(node for height in heights for node in mine.nodes_at(height)) == sorted(
        product(*(range(height + 1) for height in mine.heights))
    )


def test_kept_records_are_k_anonymous_under_their_labels():
    mine, table, _ = lattice(k=5, max_suppressed=20)
    node = mine.search()[0]
    rows = mine.kept_rows(node.levels)
    assert len(rows) == len(table) - node.suppressed
    assert Classes.from_numbers(mine.class_numbers(node.levels)[rows]).sizes.min() >= 5
    column = table.column("work")
    assert set(mine.labels(node.levels, column)) <= {"public", "private", "none", *column.values, "*"}


def test_a_path_climbs_one_level_at_a_time_to_the_chosen_node():
    mine, _, _ = lattice()
    node = mine.search()[0].levels
    path = [step.levels for step in mine.path(node)]
    assert path[0] == (0, 0, 0, 0)
    assert path[-1] == node
    assert all(sum(after) - sum(before) == 1 for before, after in pairwise(path))


def test_the_top_node_loses_everything_and_the_bottom_nothing():
    mine, table, _ = lattice(k=1)
    assert mine.report((0, 0, 0, 0)).ilp == 0
    assert mine.report(mine.heights).ilp == pytest.approx(len(table))
    assert set(mine.column_losses(mine.heights).values()) == {1.0}
    assert [mine.label_loss(position, 0) for position in range(4)] == [0.0] * 4
    assert [mine.label_loss(*top) for top in enumerate(mine.heights)] == [1.0] * 4


def test_a_suppressed_record_costs_the_full_loss():
    table = table_of(["sex"], [("F",)] * 5 + [("M",)])
    mine = Lattice(table, {"sex": flat_hierarchy("sex", ["F", "M"])}, k=2, max_suppressed=1)
    assert mine.search()[0].ilp == 1
    assert mine.column_losses((0,)) == {"sex": 1 / 6}


def test_each_record_uses_its_own_weights_for_its_loss():
    """For rows (a, 1), (a, 1), (b, 1), (b, 2), the first two need only the letter, the others the digit."""
    table = table_of(["p", "q"], [("a", "1"), ("a", "1"), ("b", "1"), ("b", "2")])
    trees = {"p": flat_hierarchy("p", ["a", "b"]), "q": flat_hierarchy("q", ["1", "2"])}
    own = np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.0, 1.0]])
    mine = Lattice(table, trees, k=2, own=own)
    # Generalising q loses all that matters for (b, 1) and (b, 2). Generalising p suppresses only (., 2).
    assert mine.report((0, 1)).ilp == 2.0
    assert mine.report((1, 0)).ilp == 2.0 + 1.0
    assert mine.report((1, 1)).ilp == 4.0
    assert Lattice(table, trees, k=2).report((0, 1)).ilp == 2.0
    assert Lattice(table, trees, k=2, own=np.full((4, 2), 0.5)).report((1, 0)).ilp == pytest.approx(
        Lattice(table, trees, k=2).report((1, 0)).ilp
    )


def test_too_many_generalisations_are_rejected_before_the_search():
    with pytest.raises(PrivacyError, match="120 generalisations, more than 100"):
        lattice(max_nodes=100)


@pytest.mark.parametrize(
    ("wish", "message"),
    [
        ({"k": 121}, "k = 121"),
        ({"max_suppressed": 120}, "120 of 120 records may be suppressed"),
        ({"max_suppressed": -1}, "-1 of 120 records"),
    ],
)
def test_unattainable_requirements_are_rejected(wish, message):
    with pytest.raises(PrivacyError, match=message):
        lattice(**wish)


def test_a_column_without_a_hierarchy_is_refused_by_name():
    table, trees = random_table(1, 20)
    with pytest.raises(PrivacyError, match="'age' has no hierarchy"):
        Lattice(table, trees, k=2)


def test_a_table_without_quasi_identifiers_is_refused():
    with pytest.raises(PrivacyError, match="no column is a quasi-identifier"):
        Lattice(table_of(["s"], [("a",)], sensitive=["s"]), {}, k=1)


def test_as_many_generalisations_as_allowed_are_accepted():
    assert lattice(max_nodes=120)[0].size == 120
