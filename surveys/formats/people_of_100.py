"""Format shares as numbers of 100 people, with their intervals."""

from __future__ import annotations

import math

from django.utils.translation import gettext as _

from privacy.printed import cut_ends
from surveys.formats.figures import SHARES, bounds_text
from surveys.formats.numbers import percent_text


def per_hundred(value: float, low: float, high: float) -> dict[str, str]:
    """Format shares as frequencies, with one decimal if whole numbers would hide the interval.

    >>> per_hundred(0.132, 0.116, 0.148)
    {'value': '13', 'low': '12', 'high': '15'}
    >>> per_hundred(0.0523, 0.0498, 0.0551)
    {'value': '5.2', 'low': '5.0', 'high': '5.5'}
    """
    digits = 0 if high - low >= 0.02 else 1
    parts = {"value": value, "low": low, "high": high}
    return {name: percent_text(share, digits) for name, share in parts.items()}


def people_of_100(value: float, low: float, high: float) -> dict[str, str]:
    """Format a share with its interval, whose ends cannot be below 0 or above 100.

    >>> people_of_100(0.012, -0.008, 0.031)
    {'value': '1', 'low': '0', 'high': '3'}
    """
    return per_hundred(value, *cut_ends((low, high), SHARES))


def share_with_interval(value: float, low: float, high: float) -> str:
    """Format a share of 100 people with its interval; a known share has none, an impossible one only bounds.

    >>> share_with_interval(0.42, 0.35, 0.5), share_with_interval(0.42, 0.42, 0.42)
    ('42 of 100 (35 to 50)', '42.0 of 100')
    >>> share_with_interval(-0.01, -0.05, 0.071)
    'too few to say: at most 7 of 100'
    >>> share_with_interval(2.5, 1.1, 3.9), share_with_interval(1.3, 1.0, 1.0)
    ('too few to say: 0 to 100 of 100', 'too few to say: 0 to 100 of 100')
    """
    if _is_known(value, low, high):
        return _("%(share)s of 100") % {"share": f"{100 * value:.1f}"}
    if bounds := share_bounds(value, low, high):
        return _("too few to say: %(bounds)s of 100") % {"bounds": bounds}
    return _("%(value)s of 100 (%(low)s to %(high)s)") % people_of_100(value, low, high)


def share_bounds(value: float, low: float, high: float) -> str:
    """Return the bounds of a share of 100 people whose estimate is not printed; empty if it is printed.

    An interval that contains no possible value, or only 0% or 100%, gives no information. Its end would look
    like a certain result.

    >>> share_bounds(1.02, 0.996, 1.05), share_bounds(1.1, 0.9, 1.3), share_bounds(-1.7, -3.0, -0.1)
    ('at least 99.6', 'at least 90', '0 to 100')
    """
    is_idle = (low >= 1 or high <= 0) and not _is_known(value, low, high)
    least, greatest = ends = SHARES if is_idle else cut_ends((low, high), SHARES)
    digits = 0 if greatest - least >= 0.02 else 1
    return bounds_text(value, ends, SHARES, lambda end: percent_text(end, digits))


def _is_known(value: float, low: float, high: float) -> bool:
    """Return whether an interval has no width. If all possible values are rejected, both ends are impossible.

    >>> _is_known(0.42, 0.42, 0.42), _is_known(1.3, 1.0, 1.0)
    (True, False)
    """
    return low == high and math.isclose(value, low, abs_tol=1e-9)


def range_text(value: float, low: float, high: float) -> str:
    """Format the interval of a share.

    >>> range_text(0.42, 0.35, 0.5)
    '35 to 50'
    """
    return _("%(low)s to %(high)s") % people_of_100(value, low, high)
