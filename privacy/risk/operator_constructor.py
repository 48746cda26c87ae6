"""From a promise back to an operator on one value: those of source 000 with the largest chance to keep it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from privacy import validation
from privacy.coins import SCALE
from privacy.errors import PrivacyError
from privacy.risk.calibration import allowed_amplification, last_below
from privacy.risk.operators import CyclicChannel, mixed, retention, window

__all__ = ["Construction", "construct_gamma_diagonal", "construct_retention", "construct_window"]


@dataclass(frozen=True, kw_only=True)
class Construction:
    """A way to hide one of n values that keeps a promise.

    Parameters
    ----------
    limit : Fraction
        The amplification that must not be reached.
    largest : Fraction
        The chance to keep, or to use the window, that would reach it.
    share : Fraction
        The last whole ten-thousandth below `largest`.
    channel : CyclicChannel
        With that share.
    variance_factor : float
        See `CyclicChannel.variance_factor`.
    """

    limit: Fraction
    largest: Fraction
    share: Fraction
    channel: CyclicChannel
    variance_factor: float


def construct_retention(
    rho1: Fraction, rho2: Fraction, *, values: int, background: Sequence[Fraction] = ()
) -> Construction:
    """Return R1 with the largest chance to keep: gamma = keep (n - 1)/(1 - keep).

    Examples
    --------
    >>> construct_retention(Fraction(1, 7), Fraction(1, 2), values=1001).largest  # 6/(6 + 1000)
    Fraction(3, 503)
    """
    limit = allowed_amplification(rho1, rho2, background)
    n = validation.whole_number(values, "number of values", low=2, high=1 << 16, code="values")
    return _construction(limit, limit / (limit + n - 1), lambda share: retention(n, share))


def construct_gamma_diagonal(
    rho1: Fraction, rho2: Fraction, *, values: int, background: Sequence[Fraction] = ()
) -> Construction:
    """Return the gamma-diagonal matrix: R1 seen as "the truth with p, else any of the n values".

    Notes
    -----
    p = (gamma - 1)/(gamma + n - 1), the same matrix as `construct_retention` but for rounding. Of all
    symmetric channels with this gamma it is the best conditioned one. A block with fair decoys is one,
    with n = 2^m.

    References
    ----------
    Agrawal and Haritsa 2005 (FRAPP).
    """
    limit = allowed_amplification(rho1, rho2, background)
    n = validation.whole_number(values, "number of values", low=2, high=1 << 16, code="values")
    return _construction(limit, (limit - 1) / (limit + n - 1), lambda share: mixed(window(n, 0), share))


def construct_window(
    rho1: Fraction,
    rho2: Fraction,
    *,
    values: int,
    radius: int,
    background: Sequence[Fraction] = (),
) -> Construction:
    """Return R3 with the largest share of its window: gamma = 1 + share n/((1 - share)(2 radius + 1)).

    Raises
    ------
    PrivacyError
        As the others; ``radius``: 2 radius + 1 and n have a common divisor, and the channel has no inverse.

    Notes
    -----
    The variance of a single value's share grows fast with the radius: a window blurs what lies inside it.
    It is for means and for shares of wide ranges; radius 0 is the gamma-diagonal matrix, of least
    variance.

    Examples
    --------
    >>> found = construct_window(Fraction(1, 7), Fraction(1, 2), values=1001, radius=100)
    >>> found.largest > Fraction(1, 2) >= found.share - Fraction(1, 100)
    True
    """
    limit = allowed_amplification(rho1, rho2, background)
    n = validation.whole_number(values, "number of values", low=2, high=1 << 16, code="values")
    base = window(n, radius)
    if math.gcd(2 * radius + 1, n) > 1:
        raise PrivacyError("radius", radius, window=2 * radius + 1, n=n)
    odds = (limit - 1) * Fraction(2 * radius + 1, n)
    return _construction(limit, odds / (1 + odds), lambda share: mixed(base, share))


def _construction(
    limit: Fraction, largest: Fraction, channel_of: Callable[[Fraction], CyclicChannel]
) -> Construction:
    share = Fraction(last_below(largest), SCALE)
    channel = channel_of(share)
    return Construction(
        limit=limit,
        largest=largest,
        share=share,
        channel=channel,
        variance_factor=channel.variance_factor,
    )
