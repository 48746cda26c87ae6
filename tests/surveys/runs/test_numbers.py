"""Figures of a number question: bars, their shape, mean and quantiles of the same answers."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from surveys.errors.error import SurveyError
from surveys.models import Run
from surveys.runs.numbers import band_of, bars_of, figures_of, groups_of_people, spans_of, summary_of
from surveys.runs.scale_question import ScaleQuestion, scale_of
from tests.fixtures.runs import SINGLES, mined_run
from tests.fixtures.scale_runs import scale_answered

pytestmark = pytest.mark.django_db


def run_of(n: int = 500, **changes: Any) -> Run:
    return mined_run(scale_answered(n, **changes), SINGLES)


def counted(scale: ScaleQuestion, people: int) -> ScaleQuestion:
    """Return the question as if so many people had been counted, all with the first answer."""
    direct, protected = (np.zeros_like(column) for column in (scale.reports.direct, scale.reports.protected))
    protected[0] = people
    return replace(scale, reports=replace(scale.reports, direct=direct, protected=protected))


def test_bars_in_files_are_those_of_the_answers_or_at_most_a_hundred() -> None:
    run = run_of()
    scale = scale_of(run, "hours", "number")
    assert spans_of(scale) == bars_of(band_of(scale)) == [(bin_, bin_) for bin_ in range(8)]
    assert spans_of(replace(scale, spans=((0, 3), (4, 7)))) == ((0, 3), (4, 7))
    with pytest.raises(SurveyError) as refused:
        band_of(scale_of(run, "care", "place"))
    assert refused.value.case == "kind.number"


def test_figures_and_their_summary_are_of_the_same_answers() -> None:
    scale = scale_of(run_of(), "hours", "number")
    figures, summary = figures_of(scale), summary_of(scale)
    assert figures.mean is not None
    assert figures.bins is not None
    assert not figures.too_few
    assert summary.mean == figures.mean
    assert summary.median == next(own for own in figures.bins.quantiles if own.share == 0.5)
    assert len(summary.spans) == len(summary.shape)
    assert sum(summary.shape) == pytest.approx(1)
    assert summary.spans[0][0] == 0
    assert summary.spans[-1][1] == 7
    merged = figures_of(replace(scale, spans=((0, 4), (5, 7)))).bins
    assert merged is not None
    assert merged.chart is not None
    assert merged.chart.spans == ((0, 4), (5, 7))
    assert float(merged.shape.shares.sum()) == pytest.approx(1)


def test_without_answers_there_is_no_figure_and_the_reason_is_that_no_one_answered() -> None:
    scale = counted(scale_of(run_of(), "hours", "number"), 0)
    figures = figures_of(scale)
    assert (figures.mean, figures.bins, figures.too_few) == (None, None, True)
    summary = summary_of(scale)
    assert (summary.mean, summary.median, summary.spans, summary.bars, summary.shape) == (
        None,
        None,
        (),
        None,
        (),
    )


def test_groups_of_people_have_the_size_of_the_run() -> None:
    run = run_of()
    scale = scale_of(run, "hours", "number")
    groups = groups_of_people(run, scale.number, band_of(scale))
    assert groups.rows.sum() == run.n
