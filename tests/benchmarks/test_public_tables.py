"""The benchmark on tables chooses its questions, finds planted misses, and depends only on its seed."""

import numpy as np
import pandas
import pytest

from benchmarks.public_tables import coverage, held, lines_of, measured, outside, questions_of, shares


def binary_table() -> pandas.DataFrame:
    """Return 400 people with answers of 0.25% to 90%."""
    counts = {"never": 0, "once": 1, "rare": 8, "few": 20, "some": 60, "third": 120, "half": 200, "most": 360}
    return pandas.DataFrame({name: np.arange(400) < count for name, count in counts.items()}).astype(int)


def test_questions_are_the_rarest_and_those_closest_to_three_in_ten() -> None:
    # Of the six with 1% to 99%, the first four are rare; a rare question shares its coin with a common one.
    assert questions_of(binary_table()) == ["rare", "half", "few", "most"]


@pytest.mark.soak
def test_figures_have_their_truths_and_depend_on_the_seed() -> None:
    people = binary_table()[["rare", "half", "few", "most"]]
    figures, refused = measured(people, shares(people), 300, 2, np.random.default_rng(3))
    assert refused == 0
    assert outside(figures) == 0
    lifts = figures[(figures.kind == "Compare: lift") & (figures.survey == 0)]
    # Answers are nested: of 8 people with the rarest all have the others, so its lift is 1 / share.
    assert lifts.true.round(6).tolist() == pytest.approx([2, 20, 1 / 0.9, 2, 1 / 0.9, 1 / 0.9])
    again, _refused = measured(people, shares(people), 300, 2, np.random.default_rng(3))
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


def test_the_error_of_a_coverage_is_that_of_independent_surveys() -> None:
    """Two figures of one survey that hold or miss together count once."""
    number = np.repeat(np.arange(25), 2)
    figures = pandas.DataFrame(
        {
            "kind": "share",
            "value": np.where(number < 5, np.nan, 0.2),
            "low": 0.1,
            "high": 0.3,
            "survey": number,
        }
    ).assign(true=np.where(number % 5 == 0, 0.4, 0.2))
    found = coverage(figures, 50, "here")
    every = found["share"]
    # 5 of 25 surveys miss: the error is that of a share of .2; half of 50 surveys have 20 points of 25.
    assert (every.held, every.printed) == pytest.approx((0.8, 0.4))
    assert every.error == pytest.approx((0.8 * 0.2 / 24) ** 0.5)
    assert found["share, point printed"].held == pytest.approx(0.8)
    (line,) = list(lines_of({"share": [every, found["share, point printed"]]}))[2:]
    assert "0.800 ± 0.082 | here, 25 surveys" in line
