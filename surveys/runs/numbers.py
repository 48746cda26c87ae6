"""Figures of a number question: its bars, their shape, mean and quantiles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np

from mining.columns.sent_counts import SentCounts, sent_counts
from privacy.arrays import Array
from privacy.errors import PrivacyError
from privacy.printed import Measured, PrintedEstimates
from privacy.scales.decoded_numbers import mean
from privacy.scales.em import Fit
from privacy.scales.mixed_fit import mixed_fit
from privacy.scales.quantities import Quantile, bars, planned_step, quantiles
from privacy.scales.scale_groups import ScaleGroups
from privacy.scales.window import WindowChannel
from surveys.errors.error import SurveyError
from surveys.formats.figures import NO_ERROR
from surveys.models import Run
from surveys.runs.open_bars import MOST_BARS
from surveys.runs.releasable_rows import releasable_design
from surveys.runs.run_figures import of_run
from surveys.runs.scale_question import ScaleQuestion
from surveys.runs.withheld import withheld_of

QUANTILES: Final = (0.1, 0.25, 0.5, 0.75, 0.9)


@dataclass(frozen=True, kw_only=True, eq=False)
class SmoothShares:
    """Smoothed maximum-likelihood shares of the bars, without errors, and the fit behind them."""

    shares: Array
    fit: Fit


@dataclass(frozen=True, kw_only=True, eq=False)
class BarDrawing:
    """The bars of the chart: as many as the number of answers supports.

    Attributes
    ----------
    spans : tuple of (int, int)
        First and last bin of each bar.
    bars : PrintedEstimates
    shape : ndarray of float64, shape (bars,)
    """

    spans: tuple[tuple[int, int], ...]
    bars: PrintedEstimates
    shape: Array


@dataclass(frozen=True, kw_only=True, eq=False)
class Bins:
    """Estimates by bin: unbiased bars, their smoothed shape, the drawn bars, and quantiles."""

    bars: PrintedEstimates
    shape: SmoothShares
    chart: BarDrawing | None
    quantiles: tuple[Quantile, ...]


@dataclass(frozen=True, kw_only=True, eq=False)
class NumberFigures:
    """All figures of a number question.

    Attributes
    ----------
    mean : Measured or None
        None if the reports carry no information about the mean.
    bins : Bins or None
        None if the reports do not distinguish the bins.
    too_few : bool
        Whether these are None only because no one seems to have answered.
    """

    mean: Measured | None
    bins: Bins | None
    too_few: bool = False


def spans_of(scale: ScaleQuestion) -> Sequence[tuple[int, int]]:
    """Return the first and the last bin of each bar of a question in exported files."""
    return scale.spans or bars_of(band_of(scale))


def bars_of(channel: WindowChannel) -> list[tuple[int, int]]:
    """Return the first and the last bin of each bar in exported files, if the answers do not decide them.

    >>> from privacy.scales.window import NumberRange
    >>> from privacy.scales.numeric_mechanisms import generalised_rr_below
    >>> bars_of(generalised_rr_below(NumberRange(low=0, high=249), 1.0))[:2]
    [(0, 2), (3, 5)]
    """
    return _spans(channel, -(-channel.inputs // MOST_BARS))


def _spans(channel: WindowChannel, step: int) -> list[tuple[int, int]]:
    return [(first, min(first + step, channel.inputs) - 1) for first in range(0, channel.inputs, step)]


@lru_cache(maxsize=32)
def number_figures(
    channel: WindowChannel,
    reports: SentCounts,
    spans: tuple[tuple[int, int], ...] | None = None,
    forged: int = 0,
) -> NumberFigures:
    """Return the figures, without estimates that the mechanism or the answers do not allow.

    Parameters
    ----------
    channel : WindowChannel
    reports : SentCounts
    spans : tuple of (int, int), optional
        The bars, if the number of answers alone does not decide them.
    forged : int
        Number of rows that no device sent.
    """
    groups, too_few = reports.groups(channel), False
    try:
        middle = mean(channel, groups, forged=forged)
    except PrivacyError as error:
        middle, too_few = None, error.code in ("no_answers", "no_rows")
    edges = [*(first for first, _last in spans or bars_of(channel)), channel.inputs]
    try:
        every = bars(channel, groups, edges, forged=forged)
        shape = _shape(channel, groups, edges[:-1])
        bins = Bins(
            bars=every,
            shape=shape,
            chart=BarDrawing(spans=spans, bars=every, shape=shape.shares)
            if spans
            else _finest_bars(channel, groups, every, shape, forged),
            quantiles=quantiles(channel, groups, QUANTILES, forged=forged),
        )
    except PrivacyError:
        bins = None
    return NumberFigures(mean=middle, bins=bins, too_few=too_few)


def _finest_bars(
    channel: WindowChannel, groups: ScaleGroups, every: PrintedEstimates, shape: SmoothShares, forged: int
) -> BarDrawing | None:
    """Return the finest bars that this many answers support; None if they do not support even two."""
    smallest = bars_of(channel)[0][1] + 1
    step = planned_step(channel, groups, smallest)
    if step is None:
        return None
    spans = _spans(channel, step)
    edges = [*(first for first, _last in spans), channel.inputs]
    drawn_bars = every if step == smallest else bars(channel, groups, edges, forged=forged)
    likely = np.add.reduceat(shape.shares, [first // smallest for first, _last in spans])
    return BarDrawing(spans=tuple(spans), bars=drawn_bars, shape=likely)


def _shape(channel: WindowChannel, groups: ScaleGroups, starts: list[int]) -> SmoothShares:
    fit = mixed_fit(channel, groups, smooth=True)
    return SmoothShares(shares=np.add.reduceat(fit.shares, starts), fit=fit)


def groups_of_people(run: Run, number: int, channel: WindowChannel) -> ScaleGroups:
    """Return groups with as many people as a run's, whatever they answered."""
    design = releasable_design(run.version)
    none = sent_counts(design, number, ())
    for counts, people in ((none.direct, run.n_direct), (none.protected, run.n_protected)):
        counts[0] = round((people or 0) * design.drawn_together([number]))
    return none.groups(channel)


def band_of(scale: ScaleQuestion) -> WindowChannel:
    """Return the disguise of a number question."""
    disguise = scale.question.disguise
    if not isinstance(disguise, WindowChannel):
        raise SurveyError("kind.number", question=scale.question.key)
    return disguise


def figures_of(scale: ScaleQuestion) -> NumberFigures:
    """Return a question's figures."""
    figures = number_figures(band_of(scale), scale.reports, scale.spans, withheld_of(scale.run).rows)
    return of_run(figures, scale.run)


@dataclass(frozen=True, kw_only=True, eq=False)
class NumberSummary:
    """Figures of a number question for one sentence and one chart.

    Attributes
    ----------
    mean : Measured or None
    median : Quantile or None
        None if the answers do not allow an estimate.
    spans : tuple of (int, int)
        First and last bin of each bar of the chart; empty if the answers do not support two bars.
    bars : PrintedEstimates or None
        Shares of these bars.
    shape : tuple of float
        Smoothed share of each bar, without an error.
    """

    mean: Measured | None
    median: Quantile | None
    spans: tuple[tuple[int, int], ...]
    bars: PrintedEstimates | None
    shape: tuple[float, ...]


def summary_of(scale: ScaleQuestion) -> NumberSummary:
    """Return the summary of a number question."""
    figures = figures_of(scale)
    middle, bins = figures.mean, figures.bins
    has_mean = middle is not None and (middle.standard_error or 0.0) > NO_ERROR
    quantiles_of_bins = bins.quantiles if bins else ()
    median = next((own for own in quantiles_of_bins if own.share == 0.5 and own.estimable), None)
    chart = bins.chart if bins else None
    return NumberSummary(
        mean=middle if has_mean else None,
        median=median,
        spans=chart.spans if chart else (),
        bars=chart.bars if chart else None,
        shape=tuple(chart.shape.tolist()) if chart else (),
    )
