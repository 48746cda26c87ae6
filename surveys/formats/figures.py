"""Format figures for the report: estimate, error, interval and label."""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal

from django.utils.translation import gettext as _

from privacy.estimation.careless_response import CarelessResponse
from privacy.estimation.estimates import Measured
from privacy.scales.share_intervals import Share

MINUS = "\N{MINUS SIGN}"


@dataclass(frozen=True, kw_only=True)
class Figure:
    """One measured value, formatted for display.

    Attributes
    ----------
    value : str
        The estimate, ``".132"``; empty if there is none.
    plus_minus : str
        Half the interval's width, ``".016"``; empty if the interval is asymmetric by nature, or does not
        contain the estimate.
    low, high : str
        The ends of the interval; empty if the value cannot be estimated.
    exact : bool
        Whether the value is exact, so that the interval is a point.
    remarks : tuple of str
        Labels to show with the value, such as "below 0".
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


def count_text(count: float) -> str:
    """Format a count with its digits in groups of three, in each language.

    >>> count_text(1000), count_text(63664), count_text(-1200)
    ('1,000', '63,664', '−1,200')
    """
    return (MINUS if count < 0 else "") + f"{abs(count):,}"


def number(value: float | None, digits: int = 3) -> str:
    """Format a number with a fixed number of decimals and without a zero before the point.

    >>> number(0.1324), number(-0.0049), number(1.812, 2), number(float("inf")), number(None)
    ('.132', '−.005', '1.81', '∞', '')
    """
    if value is None or math.isnan(value):
        return ""
    if math.isinf(value):
        return "∞" if value > 0 else f"{MINUS}∞"
    text = f"{abs(value):.{digits}f}"
    sign = MINUS if value < 0 and float(text) else ""
    return sign + text.removeprefix("0")


def share_text(share: float) -> str:
    """Format a share of people, with more decimals for small shares.

    >>> share_text(0.0312), share_text(0.00042), share_text(3e-9), share_text(0.0)
    ('.0312', '.00042', '< .000001', '.0000')
    """
    if not 0 < abs(share) < 0.001:
        return number(share, 4)
    if 0 < share < 1e-6:
        return "< .000001"
    return number(share, min(9, 1 - math.floor(math.log10(abs(share)))))


def percent_text(share: float, decimals: int = 1) -> str:
    """Format a share of people in percent with fixed decimals, without the percent sign.

    >>> percent_text(0.1234), percent_text(0.005), percent_text(-0.02), percent_text(-0.0001)
    ('12.3', '0.5', '−2.0', '0.0')
    """
    text = f"{abs(100 * share):.{decimals}f}"
    return (MINUS if share < 0 and float(text) else "") + text


def plain(value: float, digits: int = 4) -> str:
    """Format a number with a given number of significant digits, never with a power of ten.

    >>> plain(0.25), plain(16234.5), plain(999.9), plain(-2.5), plain(0.0), plain(0.0000123)
    ('0.25', '16,234', '999.9', '−2.5', '0', '0.0000123')
    """
    # The integer part is never rounded.
    text = f"{abs(value):,.0f}" if abs(value) >= 1000 else f"{Decimal(f'{abs(value):.{digits}g}'):,f}"
    return (MINUS if value < 0 else "") + text


def p_text(value: float) -> str:
    """Format a p-value; below .0001, only say so.

    >>> p_text(0.01234), p_text(1e-9)
    ('.0123', '< .0001')
    """
    return "< .0001" if value < 0.0001 else number(value, 4)


def share_figure(
    value: float | None, low: float | None, high: float | None, *, few_rows: bool = False
) -> Figure:
    """Format a share of people (support, confidence), with a label if it is outside 0..1.

    >>> share_figure(1.2, 0.7, 1.0).remarks
    ('above 1',)
    """
    remarks: list[str] = []
    if value is not None and value < 0:
        remarks.append(_("below 0"))
    if value is not None and value > 1:
        remarks.append(_("above 1"))
    return _figure(value, low, high, digits=3, remarks=remarks, few_rows=few_rows, half_width=True)


def difference_figure(value: float | None, low: float | None, high: float | None) -> Figure:
    """Format a difference of shares (leverage)."""
    return _figure(value, low, high, digits=3, remarks=[], few_rows=False, half_width=True)


def ratio_figure(value: float | None, low: float | None, high: float | None) -> Figure:
    """Format a ratio (lift, conviction) without ±, because its interval is asymmetric."""
    remarks = [_("below 0")] if value is not None and value < 0 else []
    return _figure(value, low, high, digits=2, remarks=remarks, few_rows=False, half_width=False)


def ends_of(estimate: CarelessResponse | Measured | Share) -> tuple[float | None, float | None, float | None]:
    """Return value, low and high; low and high are None if the value cannot be estimated."""
    value = estimate.value if math.isfinite(estimate.value) else None
    return (value, estimate.low, estimate.high) if estimate.estimable else (value, None, None)


def _figure(
    value: float | None,
    low: float | None,
    high: float | None,
    *,
    digits: int,
    remarks: list[str],
    few_rows: bool,
    half_width: bool,
) -> Figure:
    if low is None or high is None:
        remarks.append(_("cannot be estimated"))
        return Figure(value=number(value, digits), remarks=tuple(remarks))
    if few_rows:
        remarks.append(_("few rows"))
    if low == high == value:
        return Figure(value=number(value, digits), exact=True, remarks=tuple(remarks))
    # If a denominator is near 0, the interval may not contain the estimate, and ± would be wrong.
    holds = value is not None and low <= value <= high
    has_bounds = half_width and holds and math.isfinite(low) and math.isfinite(high)
    return Figure(
        value=number(value, digits),
        plus_minus=number((high - low) / 2, digits) if has_bounds else "",
        low=number(low, digits),
        high=number(high, digits),
        remarks=tuple(remarks),
    )
