"""Mechanisms of a number question, each as a channel with integer weights that devices look up."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from types import MappingProxyType
from typing import Final

from privacy import validation
from privacy.channels import amplification_below
from privacy.coins import SCALE
from privacy.scales.number_range import NumberRange
from privacy.scales.window import AS_ANSWERED, WindowChannel

_ROOTS: Final = tuple((6353 + sign * 405 * math.sqrt(241)) ** (1 / 3) for sign in (-1, 1))
HYBRID_FROM: Final = math.log((-5 + 2 * sum(_ROOTS)) / 27)
"""Up to this epsilon, .609352, the hybrid mechanism equals Duchi's."""

_SERIES_BELOW: Final = 1e-3
_MIX: Final = 1 << 20


def best_half_width(epsilon: float) -> float:
    """Return the half width b of the square wave, over numbers in [0, 1].

    Parameters
    ----------
    epsilon : float, above 0

    Notes
    -----
    With e = e^epsilon, b = (epsilon e - e + 1) / (2 e (e - 1 - epsilon)) maximises the mutual information of
    the number and a uniform output. It tends to 1/2 as epsilon tends to 0. Both differences cancel there, so
    series are used below 10^-3.

    Examples
    --------
    >>> [round(best_half_width(epsilon), 6) for epsilon in (1e-5, .1, 1, 4, 10)]
    [0.499997, 0.467752, 0.256083, 0.030428, 0.000204]
    """
    epsilon = validation.real_number(epsilon, "epsilon", low=0, high=700, open_ends=True, code="epsilon")
    if epsilon < _SERIES_BELOW:
        below = 1 / 2 + epsilon / 6 + epsilon**2 / 24
        return _first_terms(epsilon) / (2 * math.exp(epsilon) * below)
    growth = math.expm1(epsilon)
    return (epsilon * (growth + 1) - growth) / (2 * (growth + 1) * (growth - epsilon))


def best_shift(epsilon: float) -> float:
    """Return the window size of R3, as a share of the range, at which its outputs are most informative.

    Parameters
    ----------
    epsilon : float, above 0

    Notes
    -----
    A share x of the range is e = e^epsilon times as likely as the rest, so a uniform number and its output
    share epsilon x e/(x (e - 1) + 1) - ln(x (e - 1) + 1) nats. The slope is 0 and the maximum is reached at
    x = (epsilon e - e + 1)/(e - 1)^2. As epsilon tends to 0, x tends to 1/2; series are used there as in
    `best_half_width`.

    Examples
    --------
    >>> [round(best_shift(epsilon), 6) for epsilon in (1e-5, 1, 2, 10)]
    [0.499998, 0.338697, 0.205513, 0.000409]
    """
    epsilon = validation.real_number(epsilon, "epsilon", low=0, high=700, open_ends=True, code="epsilon")
    if epsilon < _SERIES_BELOW:
        return _first_terms(epsilon) / (1 + epsilon / 2 + epsilon**2 / 6) ** 2
    growth = math.expm1(epsilon)
    return (epsilon + epsilon / growth - 1) / growth


def _first_terms(epsilon: float) -> float:
    """Return (epsilon e^epsilon - e^epsilon + 1)/epsilon^2 for a small epsilon."""
    return 1 / 2 + epsilon / 3 + epsilon**2 / 8


def square_wave(range: NumberRange, epsilon: float) -> WindowChannel:
    """Build the square wave, for distributions: bins within b of the true one are sent more often.

    Outputs extend beyond both ends of the range by half the window, so that all bins are treated equally.

    Parameters
    ----------
    range : NumberRange
        Bins of the number.
    epsilon : float
        Bound for one answer, above 0.

    Examples
    --------
    >>> channel = square_wave(NumberRange(low=0, high=99), 1.0)
    >>> channel.window, channel.outputs, channel.amplification == amplification_below(1.0)
    (51, 150, True)
    """
    amplification = amplification_below(epsilon)
    window = 2 * math.floor(best_half_width(epsilon) * range.bins) + 1
    return _window("square_wave", range, window, amplification)


def piecewise(range: NumberRange, epsilon: float) -> WindowChannel:
    """Build the piecewise mechanism, a square wave with the best width for means.

    Parameters
    ----------
    range : NumberRange
        Bins of the number.
    epsilon : float
        Bound for one answer, above 0.

    Notes
    -----
    Let t be in [-1, 1] and s = e^(epsilon/2). Numbers in a window of width 2/(s-1) are e^epsilon times as
    likely. The window's left end moves by 2s/(s-1) as t goes from -1 to 1, so the window is 1/s of that
    distance.

    Examples
    --------
    >>> piecewise(NumberRange(low=0, high=1000), 2.0).window  # 1000 / e
    368
    """
    amplification = amplification_below(epsilon)
    window = max(1, round((range.bins - 1) * math.exp(-epsilon / 2)))
    return _window("piecewise", range, window, amplification)


def generalised_rr_below(range: NumberRange, epsilon: float) -> WindowChannel:
    """Build randomised response on the bins: the true bin is e^epsilon times as likely as each other bin.

    It is the only mechanism that supports bands of the number in rules.

    Parameters
    ----------
    range : NumberRange
        Bins of the number.
    epsilon : float
        Bound for one answer, above 0.

    Examples
    --------
    >>> generalised_rr_below(NumberRange(low=0, high=9), 2.0).retention_probability > 0
    True
    """
    return _window("keep", range, 1, amplification_below(epsilon))


def generalised_rr(range: NumberRange, probability: int) -> WindowChannel:
    """Build R1: keep the bin with a given probability; otherwise send one of the other bins.

    Parameters
    ----------
    range : NumberRange
        Bins of the number.
    probability : int
        Probability of keeping the bin, in ten-thousandths.

    Examples
    --------
    >>> generalised_rr(NumberRange(low=0, high=1000), 2000).amplification
    Fraction(250, 1)
    """
    least = -(-SCALE // range.bins) + 1
    probability = validation.whole_number(
        probability, "chance of keeping", low=least, high=SCALE - 1, code="chance"
    )
    floor = SCALE - probability
    return WindowChannel(
        mechanism="keep_with_chance",
        range=range,
        window=1,
        floor=floor,
        peak=probability * (range.bins - 1) - floor,
    )


def shift(range: NumberRange, reach: int) -> WindowChannel:
    """Build R2, for studies only: move by up to `reach` bins either way, circularly. It has no bound.

    Parameters
    ----------
    range : NumberRange
        Bins of the number.
    reach : int
        Largest number of bins to move by.

    Examples
    --------
    >>> shift(NumberRange(low=0, high=1000), 100).amplification is None
    True
    """
    return WindowChannel(
        mechanism="shift", range=range, window=_window_size(range, reach), cyclic=True, floor=0, peak=1
    )


def shift_or_any(range: NumberRange, reach: int, probability: int = SCALE // 2) -> WindowChannel:
    """Build R3: with a given probability, move as in R2; otherwise send any bin.

    Parameters
    ----------
    range : NumberRange
        Bins of the number.
    reach : int
        Largest number of bins to move by.
    probability : int, optional
        Probability of moving, in ten-thousandths.

    Examples
    --------
    gamma = 1 + 1001/201, epsilon 1.788437:

    >>> r3 = shift_or_any(NumberRange(low=0, high=1000), 100)
    >>> r3.amplification, round(math.log(r3.amplification), 6)
    (Fraction(1202, 201), 1.788437)
    """
    probability = validation.whole_number(
        probability, "chance of shifting", low=1, high=SCALE - 1, code="chance"
    )
    window = _window_size(range, reach)
    return WindowChannel(
        mechanism="shift_or_any",
        range=range,
        window=window,
        cyclic=True,
        floor=(SCALE - probability) * window,
        peak=probability * range.bins,
    )


def r3_window_mixture(range: NumberRange, epsilon: float) -> WindowChannel:
    """Build R3 within the bound epsilon, with a reach near the most informative one.

    The window size and the number of bins are coprime. Otherwise some distributions of the number would have
    the same distribution of outputs, and the mean could not be estimated (`output_values`).

    Parameters
    ----------
    range : NumberRange
        Bins of the number.
    epsilon : float
        Bound for one answer, above 0.

    Examples
    --------
    >>> channel = r3_window_mixture(NumberRange(low=0, high=99), 2.0)
    >>> channel.window, channel.outputs, channel.amplification == amplification_below(2.0)
    (21, 100, True)
    """
    amplification = amplification_below(epsilon)
    window = _coprime_width(range.bins, best_shift(epsilon) * range.bins)
    return _window("shift_or_any", range, window, amplification, cyclic=True)


def _coprime_width(bins: int, best: float) -> int:
    """Return the odd width nearest to the best one that is coprime with the number of bins."""
    widths = (width for width in range(1, bins, 2) if math.gcd(width, bins) == 1)
    return min(widths, key=lambda width: abs(width - best))


def duchi(range: NumberRange, epsilon: float) -> WindowChannel:
    """Build Duchi's mechanism: "up" or "down", where the probability of "up" grows evenly along the range.

    Parameters
    ----------
    range : NumberRange
        Bins of the number.
    epsilon : float
        Bound for one answer, above 0.

    Examples
    --------
    >>> channel = duchi(NumberRange(low=0, high=2), 1.0)
    >>> channel.outputs, channel.amplification == amplification_below(1.0)
    (2, True)
    """
    coin, lean, step = _coin(range, amplification_below(epsilon))
    return WindowChannel(
        mechanism="duchi", range=range, window=0, floor=0, peak=0, coin=coin, lean=lean, step=step
    )


def hybrid(range: NumberRange, epsilon: float) -> WindowChannel:
    """Build the hybrid mechanism, for means: piecewise with probability 1 - e^(-epsilon/2), else Duchi's.

    The report shows which of the two was used; this reveals nothing about the answer. Up to an epsilon of
    .609352, only Duchi's is used.

    Parameters
    ----------
    range : NumberRange
        Bins of the number.
    epsilon : float
        Bound for one answer, above 0.

    Examples
    --------
    >>> [hybrid(NumberRange(low=0, high=9), epsilon).window for epsilon in (.5, 2.0)]
    [0, 3]
    """
    amplification = amplification_below(epsilon)
    if epsilon <= HYBRID_FROM:
        return replace(duchi(range, epsilon), mechanism="hybrid")
    near, coin = piecewise(range, epsilon), _coin(range, amplification)
    share = Fraction(round(-math.expm1(-epsilon / 2) * _MIX), _MIX)
    grid, other = share / near.total, (1 - share) / coin[0]
    weights = [near.floor * grid, near.peak * grid, *(weight * other for weight in coin)]
    scale = math.lcm(*(weight.denominator for weight in weights))
    whole = [int(weight * scale) for weight in weights]
    common = math.gcd(*whole)
    floor, peak, total, lean, step = (weight // common for weight in whole)
    return WindowChannel(
        mechanism="hybrid",
        range=range,
        window=near.window,
        floor=floor,
        peak=peak,
        coin=total,
        lean=lean,
        step=step,
    )


def as_answered(range: NumberRange) -> WindowChannel:
    """Build the identity: the bin is sent undisguised, in an open block.

    Parameters
    ----------
    range : NumberRange
        Bins of the number.

    Examples
    --------
    >>> sent = as_answered(NumberRange(low=0, high=24))
    >>> sent.outputs, sent.amplification is None, sent.retention_probability
    (25, True, Fraction(1, 1))
    """
    return WindowChannel(mechanism=AS_ANSWERED, range=range, window=1, floor=0, peak=1)


def _coin(range: NumberRange, amplification: Fraction) -> tuple[int, int, int]:
    """Return the coin's weight, lean and step: "up" goes from low to high weight along the range."""
    high, low = amplification.numerator, amplification.denominator
    return (high + low) * (range.bins - 1), low * (range.bins - 1), high - low


def _window(
    mechanism: str, range: NumberRange, window: int, amplification: Fraction, *, cyclic: bool = False
) -> WindowChannel:
    return WindowChannel(
        mechanism=mechanism,
        range=range,
        window=window,
        cyclic=cyclic,
        floor=amplification.denominator,
        peak=amplification.numerator - amplification.denominator,
    )


def _window_size(range: NumberRange, reach: int) -> int:
    return 2 * validation.whole_number(reach, "reach", low=0, high=(range.bins - 1) // 2, code="reach") + 1


BY_EPSILON: Final[Mapping[str, Callable[[NumberRange, float], WindowChannel]]] = MappingProxyType(
    {"square_wave": square_wave, "hybrid": hybrid, "keep": generalised_rr_below}
)
"""Mechanisms that a researcher can choose together with an epsilon."""
