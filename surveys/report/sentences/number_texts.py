"""Texts of numbers as people type them, of lengths on the ground, and of standard errors."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _

from privacy.scales.window import WindowChannel
from surveys.formats.figures import MINUS, bounds_text, number
from surveys.runs.numbers import NO_ERROR


def error_in_unit(error: float, disguise: WindowChannel) -> str:
    """Format a standard error in the unit of the answers; for dates, in months or days."""
    text = f"{error:,.{disguise.range.decimals + 1}f}"
    if disguise.range.calendar is None:
        return text
    return (_("%(number)s months") if disguise.range.calendar == "month" else _("%(number)s days")) % {
        "number": text
    }


def number_text(value: float, channel: WindowChannel) -> str:
    """Format a value as people type it, with one more digit than the answers; for dates, the date.

    >>> from privacy.scales.window import NumberRange
    >>> from privacy.scales.numeric_mechanisms import generalised_rr_below
    >>> channel = generalised_rr_below(NumberRange(low=0, high=9), 1.0)
    >>> number_text(0.52, channel), number_text(-1234.5, channel)
    ('0.5', '−1,234.5')
    """
    digits = channel.range.decimals + 1
    text = f"{abs(value):,.{digits}f}"
    return (
        channel.range.value_text(value)
        or (MINUS if value < 0 and float(text.replace(",", "")) else "") + text
    )


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


def figure_in_unit(figure: Sequence[float], channel: WindowChannel) -> str:
    """Format a mean or a quantile with its interval, or only its bounds.

    >>> from privacy.scales.window import NumberRange
    >>> from privacy.scales.numeric_mechanisms import generalised_rr_below
    >>> channel = generalised_rr_below(NumberRange(low=0, high=9), 1.0)
    >>> figure_in_unit((0.52, 0.2, 0.9), channel), figure_in_unit((-2.6, -5.1, 7.1), channel)
    ('0.5 (0.2 to 0.9)', 'too few to say: at most 7.1')
    """
    if bounds := bounds_in_unit(figure, channel):
        return _("too few to say: %(bounds)s") % {"bounds": bounds}
    texts = {
        name: number_text(end, channel) for name, end in zip(("value", "low", "high"), figure, strict=True)
    }
    return _("%(value)s (%(low)s to %(high)s)") % texts


def known_error(standard_error: float | None) -> float | None:
    """Return a standard error; None if all answers are the same."""
    return standard_error if standard_error is not None and standard_error > NO_ERROR else None


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
