"""Filters for the figures of an audit or a plan: shares, probabilities, errors, numbers, counts, rows.

Their formatters belong to the code of audits, which a web process loads with the first page of one.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

from django import template
from django.utils.translation import gettext

from privacy.coins import SCALE

if TYPE_CHECKING:
    from privacy.risk.report import RowAudit

register = template.Library()


@register.filter
def percent(share: float) -> str:
    """Write a share in percent.

    >>> percent(0.376)
    '37.6%'
    """
    from privacy.risk import report

    return report.percent(float(share))


@register.filter
def number(value: Fraction | float | None) -> str:
    """Write a number; None means unbounded.

    >>> number(33.04), number(None)
    ('33', '∞')
    """
    from privacy.risk import report

    return report.number(math.inf if value is None else float(value))


@register.filter
def chance(ten_thousandths: int) -> str:
    """Write a probability of a coin in percent.

    >>> chance(5009)
    '50.1%'
    """
    return percent(ten_thousandths / SCALE)


@register.filter
def points(error: float) -> str:
    """Write a standard error in percentage points.

    >>> points(0.02236), points(0.3)
    ('2.24', '30')
    """
    return number(100 * error)


@register.filter
def grouped(count: int) -> str:
    """Write a count with its thousands apart.

    >>> grouped(1025)
    '1,025'
    """
    return f"{count:,}"


@register.filter
def row_text(row: RowAudit) -> str:
    """Return a row's items in the language of the page."""
    if isinstance(row.row, str):
        return gettext("“skipped”")
    return " & ".join(row.items) or gettext("“no” throughout")
