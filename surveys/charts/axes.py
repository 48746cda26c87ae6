"""Axes of pictures: scales from values to positions, with round ticks, no longer than the data need.

An axis begins at 0 if that costs little of its length, and otherwise where its data begin; a picture whose
points are all in one corner wastes the width of a printed column.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from surveys.charts.svg import text_width
from surveys.formats.figures import MINUS

TO_ZERO: Final = 0.2
"""An axis extends to 0 if its data begin below this share of their other end."""

MARGIN: Final = 0.04
"""Free space beyond the data, as a share of their length."""

MOST_TICKS: Final = 7
BETWEEN: Final = 6.0
LINE: Final = 18.0
_SUPERSCRIPT: Final = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True, kw_only=True)
class Axis:
    """A linear scale from values to positions in the picture.

    Attributes
    ----------
    low, high : float
        Values at the two ends; ``low < high``.
    start, end : float
        Positions of the two ends.
    step : float
        Distance of two ticks.
    """

    low: float
    high: float
    start: float
    end: float
    step: float

    def position(self, value: float) -> float:
        """Return the position of `value`; values outside the axis are drawn at its edge."""
        inside = min(max(value, self.low), self.high)
        return round(self.start + self._along(inside) * (self.end - self.start), 2)

    def _along(self, value: float) -> float:
        return (value - self.low) / (self.high - self.low)

    @property
    def ticks(self) -> list[float]:
        """Round values from one end to the other."""
        first, last = math.ceil(self.low / self.step - 1e-9), math.floor(self.high / self.step + 1e-9)
        return [index * self.step for index in range(first, last + 1)]

    @property
    def small_ticks(self) -> list[float]:
        """Values that are marked without a label."""
        return []

    def label(self, tick: float) -> str:
        """Return the tick as it is printed, with as many decimals as the step needs."""
        if abs(tick) < self.step / 2:
            return "0"
        return _written(tick, max(0, -math.floor(math.log10(self.step) + 1e-9)))


@dataclass(frozen=True, kw_only=True)
class LogAxis(Axis):
    """A scale on which equal ratios have equal lengths; both ends are above 0.

    Attributes
    ----------
    step : float
        Decades between two ticks; below 1: 1, 2 and 5 of each decade.
    """

    def _along(self, value: float) -> float:
        return math.log(value / self.low) / math.log(self.high / self.low)

    @property
    def ticks(self) -> list[float]:
        """Powers of ten, or 1, 2 and 5 times each."""
        every = max(1, round(self.step))
        factors = (1,) if self.step >= 1 else (1, 2, 5)
        return [
            factor * 10.0**power
            for power in self._powers()
            if power % every == 0
            for factor in factors
            if self._holds(factor * 10.0**power)
        ]

    @property
    def small_ticks(self) -> list[float]:
        """The other whole multiples of each power of ten, while these are few."""
        if self.step > 2:
            return []
        every = [
            factor * 10.0**power
            for power in self._powers()
            for factor in range(1, 10)
            if self._holds(factor * 10.0**power)
        ]
        return [tick for tick in every if tick not in self.ticks]

    def label(self, tick: float) -> str:
        """Return the tick as it is printed: a power beyond a hundred thousand or below a thousandth."""
        if self.low >= 0.0005 and self.high < 200_000:
            return _written(tick, max(0, -math.floor(math.log10(tick) + 1e-9)))
        power = math.floor(math.log10(tick) + 1e-9)
        factor = round(tick / 10.0**power)
        return f"{'' if factor == 1 else f'{factor}·'}10{str(power).translate(_SUPERSCRIPT)}"

    def _powers(self) -> range:
        return range(math.floor(math.log10(self.low)), math.ceil(math.log10(self.high)) + 1)

    def _holds(self, tick: float) -> bool:
        return self.low * (1 - 1e-9) <= tick <= self.high * (1 + 1e-9)


def axis_over(values: Sequence[float], *, start: float, end: float, most: float | None = None) -> Axis:
    """Return an axis that starts at 0, or below where an estimate lies below, and holds all `values`.

    Parameters
    ----------
    values : list of float
        Finite values that must be visible.
    start, end : float
        Positions of the two ends in the picture.
    most : float, optional
        The natural end of the scale (1 for a share); only estimates beyond it extend the axis.

    Examples
    --------
    >>> axis_over([0.05, 0.43], start=0, end=100).ticks
    [0.0, 0.1, 0.2, 0.30000000000000004, 0.4, 0.5]
    """
    low, high = min([0.0, *values]), max([*values, 0.01])
    step = _round_step((high - low) / 5)
    top = math.ceil(high / step - 1e-9) * step
    if most is not None and high <= most < top:
        top = most
    return Axis(low=math.floor(low / step + 1e-9) * step, high=top, start=start, end=end, step=step)


def axis_around(
    values: Sequence[float], *, start: float, end: float, logarithmic: bool = False, upright: bool = False
) -> Axis:
    """Return an axis that holds all `values` and little more, its labels clear of each other.

    Parameters
    ----------
    values : sequence of float
        Finite; above 0 for a logarithmic axis.
    start, end : float
        Positions of the two ends in the picture.
    logarithmic : bool
        Equal ratios have equal lengths; data within a factor of 10 still get a linear axis.
    upright : bool
        Labels are stacked vertically, rather than in a row.

    Examples
    --------
    >>> axis = axis_around([5, 20], start=0, end=200)
    >>> axis.low, axis.high, axis.ticks
    (4.4, 20.6, [5.0, 10.0, 15.0, 20.0])
    >>> [axis.label(tick) for tick in axis_around([500, 1e5], start=0, end=200, logarithmic=True).ticks]
    ['1,000', '10,000', '100,000']
    """
    low, high = min(values, default=0.0), max(values, default=1.0)
    if logarithmic and low > 0 and high > 10 * low:
        beyond = (high / low) ** MARGIN
        ends = {"low": low / beyond, "high": high * beyond, "start": start, "end": end}
        decades = math.ceil(math.log10(high / low) / 4)
        return _finest([LogAxis(step=step, **ends) for step in (decades, 2.0, 1.0, 0.3)], upright)
    if low == high:
        low, high = (0.0, 1.0) if low == 0 else (min(low, 0.0), max(low, 0.0))
    at_low, at_high = low, high
    if 0 < low <= TO_ZERO * high:
        low = at_low = 0.0
    if 0 > high >= TO_ZERO * low:
        high = at_high = 0.0
    beyond = MARGIN * (high - low)
    low, high = (0.0 if at_low == 0 else low - beyond), (0.0 if at_high == 0 else high + beyond)
    steps = dict.fromkeys(_round_step((high - low) / parts) for parts in range(2, MOST_TICKS))
    return _finest([Axis(low=low, high=high, start=start, end=end, step=step) for step in steps], upright)


def _finest(axes: Sequence[Axis], upright: bool) -> Axis:
    """Return the axis with the most ticks among those whose labels do not overlap."""
    clear = [axis for axis in axes if len(axis.ticks) <= MOST_TICKS and all(_gaps(axis, upright))]
    return max(clear or axes[:1], key=lambda axis: len(axis.ticks))


def _gaps(axis: Axis, upright: bool) -> Iterator[bool]:
    places = [(axis.position(tick), text_width(axis.label(tick))) for tick in axis.ticks]
    for (left, its_width), (other, other_width) in pairwise(places):
        yield abs(other - left) >= (LINE if upright else (its_width + other_width) / 2 + BETWEEN)


def _written(value: float, decimals: int) -> str:
    """Format a number with commas at thousands and without a zero before the point."""
    text = f"{abs(value):,.{decimals}f}"
    return (MINUS if value < 0 else "") + (text[1:] if text.startswith("0.") else text)


def _round_step(rough: float) -> float:
    """Return the smallest of 1, 2, 5 times a power of ten that is at least `rough`."""
    power = 10.0 ** math.floor(math.log10(rough))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough * (1 - 1e-9))
