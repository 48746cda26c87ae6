"""The benchmark on tables chooses its questions, finds planted misses, and depends only on its seed."""

from pathlib import Path

import numpy as np
import pandas
import pytest

from benchmarks.public_tables import held, measured, outside, population


def table_at(folder: Path) -> Path:
    """Write a table of 400 people with answers of 0.25% to 90%."""
    shares = {"never": 0, "once": 1, "rare": 8, "few": 20, "some": 60, "third": 120, "half": 200, "most": 360}
    people = pandas.DataFrame({name: np.arange(400) < count for name, count in shares.items()})
    path = folder / "people.csv"
    people.astype(int).to_csv(path, index=False)
    return path


def test_questions_are_the_rarest_and_those_closest_to_three_in_ten(tmp_path: Path) -> None:
    people = population(table_at(tmp_path))
    # Of the six with 1% to 99%, the first four are rare; a rare question shares its coin with a common one.
    assert list(people.columns) == ["rare", "half", "few", "most"]
    assert people["rare"].sum() == 8


def test_figures_have_their_truths_and_depend_on_the_seed(tmp_path: Path) -> None:
    people = population(table_at(tmp_path))
    figures, refused = measured(people, 300, 2, np.random.default_rng(3))
    assert refused == 0
    assert outside(figures) == 0
    lifts = figures[(figures.kind == "Compare: lift") & (figures.survey == 0)]
    # Answers are nested: of 8 people with the rarest all have the others, so its lift is 1 / share.
    assert lifts.true.round(6).tolist() == pytest.approx([2, 20, 1 / 0.9, 2, 1 / 0.9, 1 / 0.9])
    again, _refused = measured(people, 300, 2, np.random.default_rng(3))
    pandas.testing.assert_frame_equal(figures, again)


def test_planted_misses_are_found() -> None:
    figures = pandas.DataFrame(
        {
            "value": [0.2, 0.2, 0.4, -0.1, np.nan], "low": [0.1, 0.25, 0.3, -0.2, 0.0],
            "high": [0.3, 0.35, 0.5, 0.1, 0.2], "true": [0.2, 0.3, 0.6, 0.05, 0.3], "least": 0.0, "most": 1.0,
        }
    )  # fmt: skip
    assert held(figures).tolist() == [True, True, False, True, False]
    # The second point is outside its interval, the fourth is no possible share.
    assert outside(figures) == 2
