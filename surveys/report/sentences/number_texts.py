"""Texts of numbers as people type them, and of lengths on the ground."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from datetime import date
from typing import Final

from django.utils.translation import gettext as _

from privacy.scales.window import WindowChannel
from surveys.formats.dates import day_text, month_text
from surveys.formats.figures import bounds_text
from surveys.formats.interval_chart import Ruler
from surveys.formats.numbers import MINUS, in_signs, number
from surveys.formats.svg import round_step

WIDE: Final = 4
"""Width of a range, in steps of the answers, from which more digits than theirs say nothing."""


def error_in_unit(error: float, disguise: WindowChannel) -> str:
    """Format a standard error in the unit of the answers; for dates, in months or days."""
    text = f"{error:,.{disguise.range.decimals + 1}f}"
    if disguise.range.calendar is None:
        return text
    return (_("%(number)s months") if disguise.range.calendar == "month" else _("%(number)s days")) % {
        "number": text
    }


def number_text(value: float, channel: WindowChannel, *, more_digits: int = 1) -> str:
    """Format a value as people type it, with one more digit than the answers; for dates, the date.

    Parameters
    ----------
    value : float
    channel : WindowChannel
    more_digits : int
        Decimals beyond those of the answers.

    Examples
    --------
    >>> from privacy.scales.window import NumberRange
    >>> from privacy.scales.numeric_mechanisms import generalised_rr_below
    >>> channel = generalised_rr_below(NumberRange(low=0, high=9), 1.0)
    >>> number_text(0.52, channel), number_text(-1234.5, channel)
    ('0.5', '−1,234.5')
    """
    digits = channel.range.decimals + more_digits
    text = f"{abs(value):,.{digits}f}"
    return channel.range.value_text(value) or (
        MINUS if value < 0 and float(text.replace(",", "")) else ""
    ) + in_signs(text)


def value_in_language(value: float, channel: WindowChannel, *, more_digits: int = 1) -> str:
    """Format a value as people who answered read it: dates with the name of their month.

    Parameters
    ----------
    value : float
    channel : WindowChannel
    more_digits : int
        Decimals beyond those of the answers, of numbers.

    Examples
    --------
    >>> from privacy.scales.window import NumberRange
    >>> from privacy.scales.numeric_mechanisms import generalised_rr_below
    >>> months = generalised_rr_below(NumberRange(low=24300, high=24323, calendar="month"), 1.0)
    >>> value_in_language(24302.4, months)
    'March 2025'
    """
    stated = channel.range.value_text(value)
    if stated is None:
        return number_text(value, channel, more_digits=more_digits)
    if channel.range.calendar == "month":
        return month_text(date.fromisoformat(f"{stated}-01"))
    return day_text(date.fromisoformat(stated))


def bounds_in_unit(figure: Sequence[float], channel: WindowChannel) -> str:
    """Return the bounds that replace a mean outside the range, or its interval; empty if it is printed.

    Parameters
    ----------
    figure : (float, float, float)
        The mean and the ends of its interval.
    channel : WindowChannel
    """
    value, low, high = figure
    ticks = channel.range
    possible = float(ticks.middle(0)), float(ticks.middle(channel.inputs - 1))
    return bounds_text(value, (low, high), possible, lambda end: number_text(end, channel))


def range_in_unit(figure: Sequence[float], channel: WindowChannel, unit: str = "") -> tuple[str, str]:
    """Return an estimate that may be printed (else an empty text), and the range of its interval.

    The range is cut to the possible answers. It has no more digits than the answers if it is wide.

    >>> from privacy.scales.window import NumberRange
    >>> from privacy.scales.numeric_mechanisms import generalised_rr_below
    >>> channel = generalised_rr_below(NumberRange(low=0, high=9), 1.0)
    >>> range_in_unit((0.52, 0.2, 0.9), channel, "drinks")
    ('0.5 drinks', 'between 0.2 and 0.9')
    >>> range_in_unit((-2.6, -5.1, 7.1), channel, "drinks")
    ('', 'between 0 and 7 drinks')
    """
    value, *ends = figure
    ticks = channel.range
    possible = float(ticks.middle(0)), float(ticks.middle(channel.inputs - 1))
    low, high = (min(max(end, possible[0]), possible[1]) for end in ends)
    more_digits = int(high - low < WIDE * 10.0**-ticks.decimals)

    def write(number: float) -> str:
        return number_text(number, channel, more_digits=more_digits)

    with_unit = _("%(number)s %(unit)s") if unit else "%(number)s"
    best = "" if bounds_in_unit(figure, channel) else with_unit % {"number": write(value), "unit": unit}
    most = write(high) if best else with_unit % {"number": write(high), "unit": unit}
    return best, _("between %(low)s and %(high)s") % {"low": write(low), "high": most}


def number_ruler(channel: WindowChannel, unit: str = "", *, write: Callable[..., str] = number_text) -> Ruler:
    """Return the ruler of a number's means: from the least to the largest possible answer, in its unit.

    Round numbers between the ends have labels; of dates, the one in the middle has.

    Parameters
    ----------
    channel : WindowChannel
    unit : str
    write : callable
        Writes the labels: `number_text`, or `value_in_language`.

    Examples
    --------
    >>> from privacy.scales.window import NumberRange
    >>> from privacy.scales.numeric_mechanisms import generalised_rr_below
    >>> ruler = number_ruler(generalised_rr_below(NumberRange(low=1, high=60), 1.0), "hours")
    >>> ruler.ends, [label for _value, label in ruler.ticks]
    (('1', '60 hours'), ['1', '20', '40', '60'])
    """
    ticks = channel.range
    scale = 10.0**-ticks.decimals
    low, high = ticks.low * scale, ticks.high * scale
    if ticks.calendar is not None:
        inner = [float((ticks.low + ticks.high) // 2)]
    else:
        step = max(round_step((high - low) / 4), scale)
        numbers = range(math.floor(low / step) + 1, math.ceil(high / step))
        inner = [number * step for number in numbers if low < number * step < high]
    values = [low, *inner, high]
    labels = [write(value, channel, more_digits=0) for value in values]
    return Ruler(low=low, high=high, ticks=tuple(zip(values, labels, strict=True)), unit=unit)


def number_gap_ruler(channel: WindowChannel, unit: str = "") -> Ruler:
    """Return the ruler of differences of a number's means, in its unit; of dates, in months or days."""
    own = number_ruler(channel, unit)
    calendars = {"month": _("months more"), "day": _("days more"), None: _("%(unit)s more") % {"unit": unit}}
    more = calendars[channel.range.calendar] if unit or channel.range.calendar else _("difference")
    return Ruler(low=own.low, high=own.high, ticks=own.ticks, unit=more)


def ground_text(metres: float) -> str:
    """Format a length on the ground.

    >>> ground_text(0.42), ground_text(84.2), ground_text(12_340)
    ('.4 m', '84 m', '12.3 km')
    """
    if metres < 10:
        return _("%(length)s m") % {"length": number(metres, 1)}
    return (
        _("%(length)s m") % {"length": f"{metres:.0f}"}
        if metres < 10_000
        else _("%(length)s km") % {"length": f"{metres / 1000:.1f}"}
    )
