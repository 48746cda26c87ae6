"""Format figures for the report: estimate, error, interval and label."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext as _

from privacy.printed import Basis, Measured, basis_of, cut_ends
from surveys.formats.numbers import number


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


SHARES: Final = (0.0, 1.0)
DIFFERENCES: Final = (-1.0, 1.0)
RATIOS: Final = (0.0, math.inf)
LEVERAGES: Final = (-0.25, 0.25)

NO_ERROR: Final = 1e-9
"""Standard errors up to this count as 0: all answers are the same."""


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


def known_error(standard_error: float | None) -> float | None:
    """Return a standard error; None if all answers are the same."""
    return standard_error if standard_error is not None and standard_error > NO_ERROR else None


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
