"""Estimates of a number question: bars, mean, quantiles, and a shape."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

import numpy as np

from mining.columns.scale_counts import SentCounts
from privacy.arrays import Array
from privacy.errors import PrivacyError
from privacy.levels import normal_quantile
from privacy.scales.distribution_summary import Mean, mean
from privacy.scales.em import Fit
from privacy.scales.inverted import Bars, Quantile, bars, quantiles
from privacy.scales.scale_groups import ScaleGroup, ScaleGroups, mixed_fit
from privacy.scales.window import WindowChannel, forward
from surveys.errors.error import SurveyError
from surveys.figures.scales.question import ScaleQuestion

__all__ = ["Bins", "Drawn", "NumberFigures", "Shape", "band_of", "bars_of", "figures_of", "number_figures"]

MOST_BARS: Final = 120
"""More bins than that are drawn several to a bar."""

QUANTILES: Final = (0.1, 0.25, 0.5, 0.75, 0.9)


@dataclass(frozen=True, kw_only=True, eq=False)
class Shape:
    """Likely shares of the bars by smoothed steps, and how these ended; a shape has no errors."""

    shares: Array
    fit: Fit


@dataclass(frozen=True, kw_only=True, eq=False)
class Drawn:
    """The bars of the picture: as many as these answers carry.

    Attributes
    ----------
    spans : tuple of (int, int)
        First and last bin of each bar.
    bars : Bars
    shape : ndarray of float64, shape (bars,)
    """

    spans: tuple[tuple[int, int], ...]
    bars: Bars
    shape: Array


@dataclass(frozen=True, kw_only=True, eq=False)
class Bins:
    """Estimates by bin: unbiased bars, the shape behind them, what of them is drawn, and quantiles."""

    bars: Bars
    shape: Shape
    drawn: Drawn | None
    quantiles: tuple[Quantile, ...]


@dataclass(frozen=True, kw_only=True, eq=False)
class NumberFigures:
    """All figures of a number question.

    Attributes
    ----------
    mean : Mean or None
        None where no output says anything of the mean.
    bins : Bins or None
        None where what is sent does not tell the bins apart.
    """

    mean: Mean | None
    bins: Bins | None


def bars_of(channel: WindowChannel) -> list[tuple[int, int]]:
    """Return first and last bin of each bar that files have.

    >>> from privacy.scales.number_range import NumberRange
    >>> from privacy.scales.numeric_mechanisms import generalised_rr_below
    >>> bars_of(generalised_rr_below(NumberRange(low=0, high=249), 1.0))[:2]
    [(0, 2), (3, 5)]
    """
    return _spans(channel, -(-channel.inputs // MOST_BARS))


def _spans(channel: WindowChannel, step: int) -> list[tuple[int, int]]:
    return [(first, min(first + step, channel.inputs) - 1) for first in range(0, channel.inputs, step)]


@lru_cache(maxsize=32)
def number_figures(channel: WindowChannel, sent: SentCounts) -> NumberFigures:
    """Return the figures; an estimate that the mechanism, or the answers, cannot give is left out."""
    groups = sent.groups(channel)
    try:
        middle = mean(channel, groups)
    except PrivacyError:
        middle = None
    edges = [*(first for first, _last in bars_of(channel)), channel.inputs]
    try:
        every, shape = bars(channel, groups, edges), _shape(channel, groups, edges[:-1])
        bins = Bins(
            bars=every,
            shape=shape,
            drawn=_drawn(channel, groups, every, shape),
            quantiles=quantiles(channel, groups, QUANTILES),
        )
    except PrivacyError:
        bins = None
    return NumberFigures(mean=middle, bins=bins)


def _drawn(channel: WindowChannel, groups: ScaleGroups, every: Bars, shape: Shape) -> Drawn | None:
    """Return the finest bars that so many answers carry; None where they do not even carry two.

    With B bars the interval of one reaches at most 1/(2B) to each side where all numbers are equally
    frequent: the number of people asked decides it, and no answer.
    """
    planned = ScaleGroups(replace(group, counts=_even_counts(group)) for group in groups)
    smallest = bars_of(channel)[0][1] + 1
    steps = {smallest * -(-len(every.shares) // count): None for count in range(len(every.shares), 1, -1)}
    for step in steps:
        spans = _spans(channel, step)
        edges = [*(first for first, _last in spans), channel.inputs]
        half = normal_quantile(0.95) * float(bars(channel, planned, edges).standard_errors.max())
        if half <= 1 / (2 * len(spans)):
            own = every if step == smallest else bars(channel, groups, edges)
            likely = np.add.reduceat(shape.shares, [first // smallest for first, _last in spans])
            return Drawn(spans=tuple(spans), bars=own, shape=likely)
    return None


def _even_counts(group: ScaleGroup) -> Array:
    """Return the counts to be expected of a group in which all numbers are equally frequent, and given."""
    n, counts = float(group.counts.sum()), np.zeros(group.counts.shape[-1])
    even, skipped = np.full(group.inputs, 1 / group.inputs), 0.0
    if group.skipping is not None:
        skipped = float(group.skipping.skip_probability)
        counts[-1] = n * skipped
    if isinstance(group.disguise, WindowChannel):
        even = forward(group.disguise, even)
    counts[: len(even)] = n * (1 - skipped) * even
    return counts


def _shape(channel: WindowChannel, groups: ScaleGroups, starts: list[int]) -> Shape:
    fit = mixed_fit(channel, groups, smooth=True)
    return Shape(shares=np.add.reduceat(fit.shares, starts), fit=fit)


def band_of(scale: ScaleQuestion) -> WindowChannel:
    """Return the disguise of a number question."""
    disguise = scale.question.disguise
    if not isinstance(disguise, WindowChannel):
        raise SurveyError("kind.number", question=scale.question.key)
    return disguise


def figures_of(scale: ScaleQuestion) -> NumberFigures:
    """Return a question's figures."""
    return number_figures(band_of(scale), scale.sent)
