"""Filters for the figures of an audit or a plan: shares, probabilities, errors, numbers, counts, rows.

Their formatters belong to the code of audits, which a web process loads with the first page of one.
"""

from __future__ import annotations

import math
from fractions import Fraction

from django import template

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
def grouped(count: int) -> str:
    """Write a count with its thousands apart.

    >>> grouped(1025)
    '1,025'
    """
    return f"{count:,}"
