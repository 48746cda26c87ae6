"""The mean of a number from its disguised answers, with its interval; quantiles of known shares."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import norm

from privacy import validation
from privacy.channels.decoding import output_values
from privacy.channels.refusal import Skipping
from privacy.channels.window import Band
from privacy.errors import PrivacyError
from privacy.estimation.distribution import both_checked, checked
from privacy.estimation.refusals import answer_scores, mean_of_answers

__all__ = ["Mean", "mean", "mean_of", "quantiles_of"]

Array: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Mean:
    """A mean with its standard error and interval, in the unit of the answers."""

    value: float
    standard_error: float
    low: float
    high: float
    n: int


def mean(
    band: Band,
    counts: ArrayLike,
    *,
    direct: ArrayLike | None = None,
    skipping: Skipping | None = None,
    level: float = 0.95,
) -> Mean:
    """Return the mean of the middles of the true bins, unbiased, with a normal interval.

    Parameters
    ----------
    band, counts, skipping
        As for `distribution`.
    direct : array_like of int, shape (band.inputs,), or one longer with `skipping`, optional
        Rows of the direct group by bin; each counts as its own middle.
    level : float

    Notes
    -----
    Each output stands for its `output_values`. The standard error is the standard deviation of these values
    over sqrt(n): rows are taken as an independent sample of the population. Where the question may be skipped
    it is the mean among answers, `privacy.estimation.refusals.mean_of_answers`, and n counts all who were
    asked.

    Examples
    --------
    >>> from privacy.channels.number_range import NumberRange
    >>> from privacy.channels.numeric_mechanisms import keep_with_chance
    >>> found = mean(keep_with_chance(NumberRange(low=0, high=1), 7500), [50, 50])
    >>> found.value, round(found.standard_error, 6)
    (0.5, 0.1)
    """
    middles = np.array([float(band.range.middle(x)) for x in range(band.inputs)])
    values = output_values(band)
    if skipping is not None:
        protected, told = both_checked(band, counts, direct, skipping)
        value, error = mean_of_answers(
            np.concatenate([protected, told]),
            np.concatenate([answer_scores(skipping, values), middles, [0]]),
            np.concatenate([answer_scores(skipping, np.ones(band.outputs)), np.ones(band.inputs), [0]]),
        )
        return _mean(value, error, int(protected.sum() + told.sum()), level)
    protected = checked(counts, band.outputs)
    if direct is not None:
        protected = np.concatenate([protected, checked(direct, band.inputs, "direct counts")])
        values = np.concatenate([values, middles])
    return mean_of(protected, values, level)


def mean_of(counts: Array, values: Array, level: float) -> Mean:
    """Return the mean of values that occurred so often, with a normal interval."""
    n = int(counts.sum())
    if n < 1:
        raise PrivacyError("no_rows.part", n)
    value = float(counts @ values / n)
    error = float(np.sqrt(counts @ (values - value) ** 2 / n) / np.sqrt(n))
    return _mean(value, error, n, level)


def _mean(value: float, error: float, n: int, level: float) -> Mean:
    level = validation.real_number(level, "level", low=0, high=1, open_ends=True, code="level")
    reach = float(norm.isf((1 - level) / 2)) * error
    return Mean(value=value, standard_error=error, low=value - reach, high=value + reach, n=n)


def quantiles_of(band: Band, shares: Array, at: Sequence[float]) -> Array:
    """Return quantiles of shares of the bins, numbers spread evenly within a bin; shape (..., len(at))."""
    size = float(band.range.middle(1) - band.range.middle(0))
    begin = float(band.range.middle(0)) - size / 2
    running = np.cumsum(shares, axis=-1)
    running = running / running[..., -1:]
    found = np.empty((*shares.shape[:-1], len(at)))
    for place, share in enumerate(at):
        bins = np.minimum((running < share).sum(axis=-1), band.inputs - 1)
        above = np.take_along_axis(running, bins[..., None], axis=-1)[..., 0]
        width = np.take_along_axis(shares, bins[..., None], axis=-1)[..., 0]
        inside = 1 - np.divide(above - share, width, out=np.zeros_like(width), where=width > 0)
        found[..., place] = begin + size * (bins + np.clip(inside, 0, 1))
    return found
