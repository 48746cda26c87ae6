"""Write numbers as a language does: its digits, its signs, its groups of thousands."""

from __future__ import annotations

import math
import re
from decimal import Decimal
from itertools import pairwise
from typing import Final

from django.utils.translation import get_language, pgettext

MINUS = "\N{MINUS SIGN}"

_DIGITS: Final = {"fa": str.maketrans("0123456789", "۰۱۲۳۴۵۶۷۸۹")}
"""Digits of languages that write others by default (Unicode CLDR), as browsers do."""
_DECIMALS: Final = dict.fromkeys(("de", "es", "fr", "id", "it", "pl", "pt", "ru", "tr"), ",") | {"fa": "٫"}
"""Signs before decimals (Unicode CLDR), where it is not a point."""
_GROUP_FROM_FIVE: Final = frozenset(("es", "it", "pl"))
"""Languages that leave four digits together (minimumGroupingDigits in the Unicode CLDR), as browsers do."""
_GROUPED: Final = re.compile(r"\d{1,3}(?:,\d{3})+")


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
