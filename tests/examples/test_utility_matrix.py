"""The example of the utility matrix reproduces the paper's findings, and bounds for questions are true."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from examples.utility_matrix import (
    ADULT,
    FIGURES,
    SIZES,
    ask,
    hierarchies_of,
    made_up,
    main,
    points,
    published,
    read_adult,
)
from tests.fixtures.svg_reading import assert_readable


@pytest.fixture(scope="module")
def measured() -> pd.DataFrame:
    table = made_up(600, np.random.default_rng(2))
    hierarchies = hierarchies_of(table)
    found = pd.DataFrame([point for k in (2, 5, 20) for point in points(table, hierarchies, k, seed=2)])
    return found.set_index(["k", "algorithm"])


def test_loss_grows_from_bottom_up_to_ilp_to_random_classes(measured: pd.DataFrame) -> None:
    """Figure 6, without k = 2, where the ILP algorithm makes classes of three."""
    for k in (5, 20):
        loss = measured.loc[k].information_loss
        assert loss["bottom-up"] < loss["by ILP"] < loss["KACLUK"]


def test_discernibility_is_nearly_equal_across_algorithms(measured: pd.DataFrame) -> None:
    """Section 5.2: classes double until they have k records, so almost all have 8 records for k = 5.

    Each cluster of values may leave a few classes of another size, here a fiftieth of 600 records.
    """
    penalties = measured.loc[5].discernibility
    assert penalties.min() >= 600 * 8
    assert penalties.max() / penalties.min() < 1.02


def test_single_value_classes_are_rare_from_k_20_and_absent_with_l(measured: pd.DataFrame) -> None:
    """Figures 7 and 8."""
    assert (measured.loc[20].one_value < 0.005).all()
    diverse = measured.xs("by ILP, 3-diverse", level="algorithm")
    assert (diverse.one_value == 0).all()
    assert diverse.changed.is_monotonic_decreasing
    assert diverse.changed[2] > 0
    assert (measured.changed.drop(index="by ILP, 3-diverse", level="algorithm") == 0).all()


def test_answers_from_the_published_table_bound_the_truth() -> None:
    table = made_up(400, np.random.default_rng(4))
    hierarchies = hierarchies_of(table)
    assert {len(table)} == {400, len(published(table, hierarchies, k=10))}
    answers = ask(table, hierarchies, "count where age < 40 group by occupation")
    ages, jobs = (table.column(name).texts for name in ("age", "occupation"))
    young = pd.Series([job for age, job in zip(ages, jobs, strict=True) if int(age) < 40]).value_counts()
    assert set(answers[0]) == set(jobs)
    for job, lower, expected, upper in answers.itertuples(index=False):
        assert lower <= young.get(job, 0) <= upper
        assert lower <= expected <= upper


def test_reading_adult_drops_records_with_missing_values(tmp_path: Path) -> None:
    cells = dict.fromkeys(ADULT, "x") | {"age": "39", "education-num": "13", "occupation": "Sales"}
    lines = [", ".join(cells.values()), ", ".join((cells | {"workclass": "?"}).values()), ""]
    path = tmp_path / "adult.data"
    path.write_text("\n".join(lines), encoding="utf-8")
    table = read_adult(path)
    assert len(table) == 1
    assert table.column("age").texts == ["39"]
    assert table.sensitive[0].texts == ["Sales"]


@pytest.mark.slow
@pytest.mark.soak
def test_one_seed_writes_the_same_points_and_readable_figures(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in "ab":
        main(["--rows", "200", "--seed", "3", "--out", str(tmp_path / name)])
    first, again = (pd.read_csv(tmp_path / name / "points.csv").drop(columns="seconds") for name in "ab")
    pd.testing.assert_frame_equal(first, again)
    assert len(first) == 4 * len(SIZES)
    names = [name for name, _, _ in FIGURES.values()]
    assert {path.stem for path in (tmp_path / "a").iterdir()} == {*names, "points"}
    for name in names:
        assert_readable((tmp_path / "a" / f"{name}.svg").read_text("utf-8"))
    said = capsys.readouterr().out
    assert "education-num" in said
    assert "count where age < 40" in said
