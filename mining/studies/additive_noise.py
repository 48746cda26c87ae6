"""Noise added to numbers, as it was done before there were bounds: for comparison only, no guarantee."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import scipy
from numpy.typing import NDArray

from privacy import validation
from privacy.channels.number_range import NumberRange
from privacy.channels.window import Band

__all__ = ["NO_GUARANTEE", "additive_uniform", "gaussian_channel"]

Array: TypeAlias = NDArray[np.float64]

NO_GUARANTEE = "no guarantee: some outputs rule true answers out, or nearly so"
"""What every page says beside these."""


def additive_uniform(range: NumberRange, reach: int) -> Band:
    """Return the channel that adds a whole number of bins from -reach to reach, each equally likely.

    No guarantee: outputs near either end leave few true answers, and beyond them a single one. A live design
    refuses it.

    Parameters
    ----------
    range : NumberRange
    reach : int, bins

    Examples
    --------
    Ages 0 to 100 with noise up to 50 either way; 120 came out. Whoever held "70 or older" for 30 % likely:

    >>> from fractions import Fraction
    >>> band = additive_uniform(NumberRange(low=0, high=100), 50)
    >>> old = [Fraction(3, 10) / 31 if age >= 70 else Fraction(7, 10) / 70 for age in range(101)]
    >>> seen = band.channel.posterior(prior=old, observed=120 + 50)
    >>> sum(seen[70:])
    Fraction(1, 1)
    """
    reach = validation.whole_number(reach, "reach", low=1, high=10_000, code="reach")
    return Band(
        mechanism="additive_uniform",
        range=range,
        window=2 * reach + 1,
        cyclic=False,
        floor=0,
        peak=1,
        coin=0,
        lean=0,
        step=0,
    )


def gaussian_channel(range: NumberRange, deviation: float, *, reach: int) -> Array:
    """Return ``channel[observed, true]`` of adding normal noise to the bins, cut off and gathered at `reach`.

    No guarantee: the ratio of two entries of a row grows without bound as outputs lie farther out.

    Parameters
    ----------
    range : NumberRange
    deviation : float, bins
        Standard deviation of the noise.
    reach : int, bins
        Outputs go on so far beyond both ends; noise that goes farther counts as that far.

    Examples
    --------
    >>> table = gaussian_channel(NumberRange(low=0, high=9), 2.0, reach=20)
    >>> table.shape, bool(np.allclose(table.sum(axis=0), 1)), bool((table[0, 0] / table[0, 9]) > 1e9)
    ((50, 10), True, True)
    """
    deviation = validation.real_number(
        deviation, "deviation", low=0, high=1e6, open_ends=True, code="deviation"
    )
    reach = validation.whole_number(reach, "reach", low=1, high=10_000, code="reach")
    edges = np.arange(-reach, range.bins + reach + 1) - 0.5
    below = scipy.stats.norm.cdf((edges[:, None] - np.arange(range.bins)[None, :]) / deviation)
    below[0], below[-1] = 0, 1
    table: Array = np.diff(below, axis=0)
    return table
