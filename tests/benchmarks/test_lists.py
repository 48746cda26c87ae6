"""Six yes/no questions and a list of eight answers, in one part of 400 people."""

import pandas
import pytest

from benchmarks.lists import NAMES, SHARES, main, planned, simulated


def test_the_plan_knows_shares_within_18_4_points_instead_of_722() -> None:
    """A tick-all question was one sheet of 256 rows, so that every share was within ±722 points."""
    survey, width = planned(400)
    assert len(survey.design.questions) == 14
    assert width == pytest.approx(0.184, abs=0.0005)


@pytest.mark.soak
def test_simulated_intervals_have_the_planned_width_and_coverage() -> None:
    """Over 14 x 400 intervals 95% are covered, within ±2 points at 1e-6 even if those of a survey agree."""
    result = simulated(400, 400, seed=11)
    assert result["widest"] == pytest.approx(result["planned"], rel=0.02)
    coverage = pandas.Series(result["coverage"])
    # 400 surveys: a standard error of .011, so .95 - .90 is 4.6 of them.
    assert coverage.between(0.9, 1).all(), coverage
    assert 0.93 <= coverage.mean() <= 0.97


def test_the_table_has_a_line_for_each_question(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--surveys", "2", "--people", "120"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2 + len(NAMES) == 2 + len(SHARES)
