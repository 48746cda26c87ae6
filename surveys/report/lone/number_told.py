"""What of a number is told: no bar of few people, and nothing that it follows from."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from privacy.disguise.band import Band
from privacy.numbers import Quantile
from surveys.report.lone.asked import Asked
from surveys.report.lone.number_figures import NumberFigures, bars_of, number_figures
from surveys.report.lone.withheld import Sums, withheld

__all__ = ["band_of", "figures_of", "hidden_bars", "told_quantile"]

Array: TypeAlias = NDArray[np.float64]


def band_of(asked: Asked) -> Band:
    """Return the disguise of a number question."""
    disguise = asked.question.disguise
    if not isinstance(disguise, Band):
        raise TypeError(f"{asked.question.key} is no number")
    return disguise


def figures_of(asked: Asked) -> NumberFigures:
    """Return a question's figures."""
    return number_figures(band_of(asked), asked.sent, asked.seed)


def hidden_bars(asked: Asked, figures: NumberFigures) -> list[bool]:
    """Return which bars are not told.

    Where some rows are direct a rare bin tells of them. What is told beside the bars is that they are
    everybody, their mean, and in rules the shares of declared bands; quantiles say nothing more, see
    `told_quantile`.
    """
    band = band_of(asked)
    bars, bands = len(bars_of(band)), range(len(band.spans))
    least = asked.least_people if asked.n_direct else 0
    people = np.minimum(figures.smooth.shares, figures.plain.shares) * asked.sent.people
    bins = np.arange(band.inputs)
    means = [] if figures.mean is None else [_per_bar(band, bins - bins.mean())]
    none = np.zeros((0, bars))
    found = withheld(
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


def told_quantile(band: Band, found: Quantile, hidden: list[bool]) -> Quantile:
    """Return a quantile as it is told: where bars are hidden the middle of its bin, and whole bins around.

    Where in its bin a quantile lies says how many people are below it, and so in hidden bars.
    """
    if not any(hidden):
        return found
    size = float(band.range.middle(1) - band.range.middle(0))
    return replace(
        found,
        value=_middle(band, found.value),
        low=_middle(band, found.low) - size / 2,
        high=_middle(band, found.high) + size / 2,
    )


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
