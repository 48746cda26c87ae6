"""What of a number is told: no bar of few people, and nothing that it follows from."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from privacy.channels.window import Band
from privacy.estimation.inverted import Quantile
from privacy.policy import NUMBER_DECIMALS
from surveys.analysis.scales.number_estimates import NumberFigures, bars_of, number_figures
from surveys.analysis.scales.question import Asked
from surveys.disclosure.secondary_suppression import Sums, complementary_suppression
from surveys.errors.error import SurveyError

__all__ = ["band_of", "figures_of", "hidden_bars", "releasable_quantile", "releasable_share"]

Array: TypeAlias = NDArray[np.float64]


def band_of(asked: Asked) -> Band:
    """Return the disguise of a number question."""
    disguise = asked.question.disguise
    if not isinstance(disguise, Band):
        raise SurveyError("kind.number", question=asked.question.key)
    return disguise


def figures_of(asked: Asked) -> NumberFigures:
    """Return a question's figures."""
    return number_figures(band_of(asked), asked.sent)


def hidden_bars(asked: Asked, figures: NumberFigures) -> list[bool]:
    """Return which bars are not told; all of them where the bins cannot be told apart.

    Where some rows are direct a rare bin tells of them. What is told beside the bars is that they are
    everybody, their mean, and in rules the shares of declared bands; quantiles say nothing more, see
    `releasable_quantile`, nor does the shape, which is hidden where its bar is.
    """
    band = band_of(asked)
    bars, bands = len(bars_of(band)), range(len(band.spans))
    if figures.bins is None:
        return [True] * bars
    least = asked.least_people if asked.n_undisguised else 0
    # An unbiased share below 0 stands for nobody.
    shares = np.minimum(figures.bins.shape.shares, np.maximum(figures.bins.bars.shares, 0))
    people = shares * asked.sent.people
    bins = np.arange(band.inputs)
    means = [] if figures.mean is None else [_per_bar(band, bins - bins.mean())]
    none = np.zeros((0, bars))
    found = complementary_suppression(
        people,
        people < least,
        Sums(
            dense=np.array([np.ones(bars), *means]),
            fixed=np.array([_per_bar(band, band.item_values(item)) for item in bands]).reshape(-1, bars),
            loose=none,
            loss=none,
        ),
        few_sums=none,
        least=least,
    )
    return [bool(hidden) for hidden in found.parts]


def releasable_share(asked: Asked, share: float) -> float | None:
    """Return a share, or an end of its interval, as files hold it; None where it has no end.

    Beside direct rows in four decimals, as on the page: an unbiased share is a sum of two whole numbers, the
    direct rows in its bar and what the others sent, and with all its digits it would give both away.
    """
    if not math.isfinite(share):
        return None
    told = asked.releasable(share)
    return round(told, NUMBER_DECIMALS) if asked.n_undisguised else told


def releasable_quantile(band: Band, found: Quantile, hidden: list[bool]) -> Quantile:
    """Return a quantile as it is told: where bars are hidden the middle of its bin, and whole bins around.

    Where in its bin a quantile lies says how many people are below it, and so in hidden bars.
    """
    if not any(hidden):
        return found
    size = float(band.range.middle(1) - band.range.middle(0))
    parts: list[tuple[float, float]] = []
    for low, high in found.parts:
        first, last = _middle(band, low) - size / 2, _middle(band, high) + size / 2
        if parts and first <= parts[-1][1]:
            first = parts.pop()[0]
        parts.append((first, last))
    return replace(found, value=_middle(band, found.value), parts=tuple(parts))


def _middle(band: Band, value: float) -> float:
    """Return the middle of the bin that a value lies in."""
    first, second = (float(band.range.middle(place)) for place in (0, 1))
    place = math.floor((value - first) / (second - first) + 0.5)
    return float(band.range.middle(min(max(place, 0), band.inputs - 1)))


def _per_bar(band: Band, values: NDArray[np.generic]) -> Array:
    """The mean of what is given for each bin."""
    starts = [first for first, _last in bars_of(band)]
    found: Array = np.add.reduceat(values.astype(np.float64), starts) / np.diff([*starts, band.inputs])
    return found
