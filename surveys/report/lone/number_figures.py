"""What the disguised answers to a number question tell: histogram, mean, quantiles."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mining.lone_counts import SentCounts
from privacy.disguise.band import Band
from privacy.errors import ParameterError
from privacy.numbers import Fit, Mean, Quantile, distribution, mean
from privacy.numbers.distribution import REPLICATES, answers_among, replicated
from privacy.numbers.summary import quantiles_of

__all__ = ["Curve", "NumberFigures", "bars_of", "number_figures"]

Array: TypeAlias = NDArray[np.float64]

MOST_BARS: Final = 120
"""More bins than that are drawn several to a bar."""

QUANTILES: Final = (0.1, 0.25, 0.5, 0.75, 0.9)
_LEAST_REPLICATES: Final = 20
_WORK: Final = 30_000
"""Replicates times bins; a page should not keep anybody waiting for long."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Curve:
    """Shares of the bars by one reconstruction, with their errors and how it ended."""

    shares: Array
    errors: Array
    fit: Fit


@dataclass(frozen=True, kw_only=True, eq=False)
class NumberFigures:
    """All figures of a number question.

    Attributes
    ----------
    smooth, plain : Curve
    mean : Mean or None
        None where no output says anything of the mean.
    quantiles : tuple of Quantile
    replicates : int
    """

    smooth: Curve
    plain: Curve
    mean: Mean | None
    quantiles: tuple[Quantile, ...]
    replicates: int


def bars_of(band: Band) -> list[tuple[int, int]]:
    """Return first and last bin of each bar.

    >>> from privacy.disguise.number_range import NumberRange
    >>> from privacy.numbers import keep
    >>> bars_of(keep(NumberRange(low=0, high=249), 1.0))[:2]
    [(0, 2), (3, 5)]
    """
    step = -(-band.inputs // MOST_BARS)
    return [(first, min(first + step, band.inputs) - 1) for first in range(0, band.inputs, step)]


@lru_cache(maxsize=32)
def number_figures(band: Band, sent: SentCounts, seed: int) -> NumberFigures:
    """Return the figures; the same again for the same counts and seed."""
    replicates = max(_LEAST_REPLICATES, min(REPLICATES, _WORK // band.inputs))
    direct = sent.direct if sent.direct.any() else None
    try:
        middle = mean(band, sent.protected, direct=direct, skipping=sent.skipping)
    except ParameterError:
        middle = None
    smooth, _many = _curve(band, sent, seed, replicates, smooth=True)
    plain, many = _curve(band, sent, seed, replicates, smooth=False)
    return NumberFigures(
        smooth=smooth,
        plain=plain,
        mean=middle,
        quantiles=tuple(_quantiles(band, sent, plain.fit, many)),
        replicates=replicates,
    )


def _curve(band: Band, sent: SentCounts, seed: int, replicates: int, *, smooth: bool) -> tuple[Curve, Array]:
    """Return the bars and the replicates of the bins; neighbouring bins do not err alone."""
    told, protected = sent.direct.astype(np.float64), sent.protected.astype(np.float64)
    found = distribution(band, protected, skipping=sent.skipping, smooth=smooth)
    rng = np.random.default_rng(seed)
    many = replicated(band, protected, told, rng, replicates, smooth, sent.skipping)
    starts = [first for first, _last in bars_of(band)]
    curve = Curve(
        shares=np.add.reduceat(answers_among(found.shares, told, protected, sent.skipping), starts),
        errors=np.add.reduceat(many, starts, axis=1).std(axis=0, ddof=1),
        fit=found,
    )
    return curve, many


def _quantiles(band: Band, sent: SentCounts, fit: Fit, many: Array) -> Iterator[Quantile]:
    """The same as `privacy.numbers.quantiles`, without drawing and fitting the replicates once more."""
    told, protected = sent.direct.astype(np.float64), sent.protected.astype(np.float64)
    shares = answers_among(fit.shares, told, protected, sent.skipping)
    lows, highs = np.quantile(quantiles_of(band, many, QUANTILES), [0.025, 0.975], axis=0)
    for share, value, low, high in zip(
        QUANTILES, quantiles_of(band, shares, QUANTILES), lows, highs, strict=True
    ):
        yield Quantile(share=share, value=float(value), low=float(low), high=float(high))
