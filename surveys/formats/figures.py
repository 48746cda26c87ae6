"""Format figures for the report: estimate, error, interval and label."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise
from typing import Any, Final

from django.utils.translation import get_language, pgettext
from django.utils.translation import gettext as _

from privacy.printed import Basis, Measured, basis_of, cut_ends

MINUS = "\N{MINUS SIGN}"

_DIGITS: Final = {"fa": str.maketrans("0123456789", "۰۱۲۳۴۵۶۷۸۹")}
"""Digits of languages that write others by default (Unicode CLDR), as browsers do."""
_DECIMALS: Final = dict.fromkeys(("de", "es", "fr", "id", "it", "pl", "pt", "ru", "tr"), ",") | {"fa": "٫"}
"""Signs before decimals (Unicode CLDR), where it is not a point."""
_GROUP_FROM_FIVE: Final = frozenset(("es", "it", "pl"))
"""Languages that leave four digits together (minimumGroupingDigits in the Unicode CLDR), as browsers do."""
_GROUPED: Final = re.compile(r"\d{1,3}(?:,\d{3})+")


@dataclass(frozen=True, kw_only=True)
class Figure:
    """One measured value, formatted for display.

    Attributes
    ----------
    value : str
        The estimate, ``".132"``, or what its interval says if the estimate is impossible or outside its own
        interval, ``"at most .071"``; empty if there is none.
    plus_minus : str
        Half the interval's width, ``".016"``; empty if the interval is asymmetric by nature, or does not
        contain the estimate.
    low, high : str
        The ends of the interval; empty if the value cannot be estimated.
    exact : bool
        Whether the value is exact, so that the interval is a point.
    remarks : tuple of str
        Labels to show with the value, such as "few rows".
    """

    value: str
    plus_minus: str = ""
    low: str = ""
    high: str = ""
    exact: bool = False
    remarks: tuple[str, ...] = ()

    @property
    def has_interval(self) -> bool:
        """Whether there is an interval to print."""
        return bool(self.low)


def base_language() -> str:
    """Return the active language without script and region; "en" if none is active."""
    return (get_language() or "en").partition("-")[0]


def in_digits(text: str) -> str:
    """Write a text with the digits of the active language.

    >>> in_digits("2026")
    '2026'
    """
    return text.translate(_DIGITS.get(base_language(), {}))


def in_signs(text: str) -> str:
    """Write a number with the signs and digits of the active language, given as in English.

    >>> in_signs("1,234.5")
    '1,234.5'
    """
    group, point = pgettext("between thousands", ","), _DECIMALS.get(base_language(), ".")
    grouped = _GROUPED.sub(lambda number: _regrouped(number[0]), text)
    return in_digits(grouped.translate({ord(","): group, ord("."): point}))


def _regrouped(number: str) -> str:
    """Group the digits of a number as the active language does, given in groups of three."""
    digits = number.replace(",", "")
    if base_language() in _GROUP_FROM_FIVE and len(digits) == 4:
        return digits
    if base_language() != "hi":
        return number
    # In Hindi, digits before the last three are in pairs: 12,34,567.
    ends = [*range(len(digits) - 3, 0, -2), 0]
    pairs = [digits[start:end] for end, start in pairwise(ends)]
    return ",".join([*reversed(pairs), digits[-3:]])


def count_text(count: float) -> str:
    """Format a count with the digits of the active language, in its groups of three.

    >>> count_text(1000), count_text(63664), count_text(-1200)
    ('1,000', '63,664', '−1,200')
    """
    return (MINUS if count < 0 else "") + in_signs(f"{abs(count):,}")


def number(value: float | None, digits: int = 3) -> str:
    """Format a number with a fixed number of decimals; the language decides on a zero before the point.

    >>> number(0.1324), number(-0.0049), number(1.812, 2), number(float("inf")), number(None)
    ('.132', '−.005', '1.81', '∞', '')
    """
    if value is None or math.isnan(value):
        return ""
    if math.isinf(value):
        return "∞" if value > 0 else f"{MINUS}∞"
    text = f"{abs(value):.{digits}f}"
    sign = MINUS if value < 0 and float(text) else ""
    return sign + below_one(text)


def below_one(text: str) -> str:
    """Write a number between 0 and 1 as the active language does, given with a zero before its point.

    English statistics omit the zero (APA style); Chinese journals require it (GB/T 15835), as all others do.

    >>> below_one("0.05"), below_one("1.05")
    ('.05', '1.05')
    """
    return in_signs(text.removeprefix("0") if base_language() == "en" else text)


def share_text(share: float) -> str:
    """Format a share of people, with more decimals for small shares.

    >>> share_text(0.0312), share_text(0.00042), share_text(3e-9), share_text(0.0)
    ('.0312', '.00042', '< .000001', '.0000')
    """
    if not 0 < abs(share) < 0.001:
        return number(share, 4)
    if 0 < share < 1e-6:
        return f"< {below_one('0.000001')}"
    return number(share, min(9, 1 - math.floor(math.log10(abs(share)))))


def percent_text(share: float, decimals: int = 1) -> str:
    """Format a share of people in percent with fixed decimals, without the percent sign.

    >>> percent_text(0.1234), percent_text(0.005), percent_text(-0.02), percent_text(-0.0001)
    ('12.3', '0.5', '−2.0', '0.0')
    """
    text = f"{abs(100 * share):.{decimals}f}"
    return (MINUS if share < 0 and float(text) else "") + in_signs(text)


def plain(value: float, digits: int = 4) -> str:
    """Format a number with a given number of significant digits, never with a power of ten.

    >>> plain(0.25), plain(16234.5), plain(999.9), plain(-2.5), plain(0.0), plain(0.0000123)
    ('0.25', '16,234', '999.9', '−2.5', '0', '0.0000123')
    """
    # The integer part is never rounded.
    text = f"{abs(value):,.0f}" if abs(value) >= 1000 else f"{Decimal(f'{abs(value):.{digits}g}'):,f}"
    return (MINUS if value < 0 else "") + in_signs(text)


SHARES: Final = (0.0, 1.0)
DIFFERENCES: Final = (-1.0, 1.0)
RATIOS: Final = (0.0, math.inf)
LEVERAGES: Final = (-0.25, 0.25)


def bounds_text(
    value: float | None,
    ends: tuple[float, float],
    possible: tuple[float, float],
    write: Callable[[float], str],
) -> str:
    """Return what replaces an estimate that is impossible or outside its interval; empty if it is neither.

    Parameters
    ----------
    value : float or None
    ends : (float, float)
        Ends of its interval, not cut.
    possible : (float, float)
        Bounds of the true value.
    write : callable
        Formats a value.

    Examples
    --------
    >>> bounds_text(-0.012, (-0.05, 0.0312), SHARES, number), bounds_text(0.2, (0.1, 0.3), SHARES, number)
    ('at most .031', '')
    """
    basis = basis_of(math.nan if value is None else value, ends, possible=possible)
    low, high = map(write, cut_ends(ends, possible))
    return {
        "estimate": "",
        "at most": _("at most %(high)s") % {"high": high},
        "at least": _("at least %(low)s") % {"low": low},
    }.get(basis, _("%(low)s to %(high)s") % {"low": low, "high": high})


def file_columns(
    name: str, value: float | None, ends: tuple[float | None, float | None], possible: tuple[float, float]
) -> dict[str, Any]:
    """Return an estimate for files: None if pages do not print it, with its basis and the estimate itself.

    Parameters
    ----------
    name : str
        Name of the estimate's column.
    value : float or None
    ends : (float or None, float or None)
        Ends of its interval; None if it cannot be estimated.
    possible : (float, float)
        Bounds of the true value.

    Examples
    --------
    >>> file_columns("share", -0.012, (-0.05, 0.03), SHARES)
    {'share': None, 'share_basis': 'at most', 'share_unclipped': -0.012}
    """
    low, high = ends
    is_known = value is not None and math.isfinite(value)
    basis: Basis = "too few"
    if low is not None and high is not None:
        basis = basis_of(value if value is not None else math.nan, (low, high), possible=possible)
    return {
        name: value if basis == "estimate" else None,
        f"{name}_basis": basis,
        f"{name}_unclipped": value if is_known else None,
    }


def share_figure(
    value: float | None, low: float | None, high: float | None, *, few_rows: bool = False
) -> Figure:
    """Format a share of people (support, confidence), or its bounds if the estimate is impossible.

    >>> share_figure(1.2, 0.7, 1.1)
    Figure(value='at least .700', plus_minus='', low='', high='', exact=False, remarks=('too few to say',))
    """
    return _figure(value, low, high, digits=3, possible=SHARES, few_rows=few_rows, half_width=True)


def difference_figure(value: float | None, low: float | None, high: float | None) -> Figure:
    """Format a leverage, the difference of a share and a product of shares."""
    return _figure(value, low, high, digits=3, possible=LEVERAGES, half_width=True)


def ratio_figure(value: float | None, low: float | None, high: float | None) -> Figure:
    """Format a ratio (lift, conviction) without ±, because its interval is asymmetric."""
    return _figure(value, low, high, digits=2, possible=RATIOS, half_width=False)


def ends_of(estimate: Measured) -> tuple[float | None, float | None, float | None]:
    """Return value, low and high; low and high are None if the value cannot be estimated."""
    value = estimate.value if math.isfinite(estimate.value) else None
    return (value, estimate.low, estimate.high) if estimate.estimable else (value, None, None)


def _figure(
    value: float | None,
    low: float | None,
    high: float | None,
    *,
    digits: int,
    possible: tuple[float, float],
    half_width: bool,
    few_rows: bool = False,
) -> Figure:
    if low is None or high is None:
        return Figure(value="", remarks=(_("cannot be estimated"),))
    remarks = [_("few rows")] if few_rows else []
    if low == high == value:
        return Figure(value=number(value, digits), exact=True, remarks=tuple(remarks))
    bounds = bounds_text(value, (low, high), possible, lambda end: number(end, digits))
    if bounds:
        return Figure(value=bounds, remarks=(_("too few to say"), *remarks))
    has_bounds = half_width and math.isfinite(low) and math.isfinite(high)
    return Figure(
        value=number(value, digits),
        plus_minus=number((high - low) / 2, digits) if has_bounds else "",
        low=number(low, digits),
        high=number(high, digits),
        remarks=tuple(remarks),
    )
