"""Figures of a number question: bars, their shape, mean and quantiles of the same answers."""

from dataclasses import replace
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from mining.columns.sent_counts import SentCounts
from privacy.scales.number_range import NumberRange
from privacy.scales.numeric_mechanisms import BY_EPSILON
from surveys.errors.error import SurveyError
from surveys.models import Run
from surveys.runs import numbers
from surveys.runs.numbers import (
    BarDrawing,
    NumberFigures,
    band_of,
    bars_of,
    figures_of,
    groups_of_people,
    number_figures,
    spans_of,
    summary_of,
)
from surveys.runs.scale_question import scale_of
from tests.fixtures.runs import SINGLES, mined_run
from tests.fixtures.scale_runs import counted, scale_answered

pytestmark = pytest.mark.django_db


def run_of(n: int = 500, **changes: Any) -> Run:
    return mined_run(scale_answered(n, **changes), SINGLES)


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


FINE = BY_EPSILON["keep"](NumberRange(low=0, high=249), epsilon=8.0)
BELL = np.exp(-(((np.arange(250) - 120) / 60) ** 2) / 2)


def bell(people: int) -> NumberFigures:
    """Return the figures of about this many reports, most of them near 120."""
    reports = np.round(people * BELL / BELL.sum()).astype(int)
    return number_figures(FINE, SentCounts(direct=np.zeros(250, dtype=np.int64), protected=reports))


def drawing_of(figures: NumberFigures) -> BarDrawing:
    """Return the bars of the chart, after checking that each sums up the bins that it spans."""
    assert figures.bins is not None
    chart = figures.bins.chart
    assert chart is not None
    ends = [(0, -1), *chart.spans]
    assert all(first == last + 1 for (_first, last), (first, _last) in pairwise(ends))
    shares = figures.bins.shape.fit.shares
    assert chart.shape == pytest.approx([shares[first : last + 1].sum() for first, last in chart.spans])
    values = figures.bins.bars.value
    assert chart.bars.value == pytest.approx(
        [values[first // 3 : last // 3 + 1].sum() for first, last in chart.spans], abs=1e-9
    )
    return chart


def test_a_chart_has_as_many_bars_as_the_answers_support() -> None:
    finest = bell(3_000)
    many = drawing_of(finest)
    assert many.spans[:2] == ((0, 2), (3, 5))
    assert (len(many.spans), many.spans[-1]) == (84, (249, 249))
    few = drawing_of(bell(300))
    assert few.spans[:2] == ((0, 14), (15, 29))
    assert few.spans[-1] == (240, 249)
    assert finest.bins is not None
    assert many.bars is finest.bins.bars


def test_the_shape_is_smoother_than_the_estimates() -> None:
    """Reports of two values in turn; the estimates follow them, and the shape varies less."""
    channel = BY_EPSILON["keep"](NumberRange(low=0, high=7), epsilon=3.0)
    reports = np.array([300, 100] * 4)
    figures = number_figures(channel, SentCounts(direct=np.zeros(8, dtype=np.int64), protected=reports))
    assert figures.bins is not None
    assert np.ptp(figures.bins.shape.shares) < np.ptp(figures.bins.bars.value) / 2


def test_people_who_were_not_asked_are_not_in_its_groups() -> None:
    """Each device asks for two of hours, pay and place."""
    version = scale_answered(300, turns=True, slug="turns")
    run = Run(version=version, n_direct=None, n_protected=300)
    number = version.to_design().question_number("hours")
    groups = groups_of_people(run, number, version.to_design().questions[number].disguise)
    assert groups.rows.sum() == 200


@pytest.mark.parametrize(("error", "shown"), [(None, False), (1e-9, False), (2e-9, True)])
def test_a_mean_without_variation_is_not_shown(
    error: float | None, shown: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    middle: Any = SimpleNamespace(standard_error=error)
    monkeypatch.setattr(numbers, "figures_of", lambda _scale: NumberFigures(mean=middle, bins=None))
    scale: Any = SimpleNamespace()
    assert (summary_of(scale).mean is middle) is shown
