"""How templates write the figures of an audit: shares, numbers of two or three digits, counts, rows.

What writes them computes audits too, which a web process loads with the first page of one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import template

if TYPE_CHECKING:
    from privacy.risk import RowAudit

register = template.Library()


@register.filter
def percent(share: float) -> str:
    """Write a share in percent.

    >>> percent(0.376)
    '37.6 %'
    """
    from privacy.risk import sentences

    return sentences.percent(float(share))


@register.filter
def number(value: float) -> str:
    """Write a number.

    >>> number(float("inf"))
    '∞'
    """
    from privacy.risk import sentences

    return sentences.number(value)


@register.filter
def grouped(count: int) -> str:
    """Write a count with its thousands apart.

    >>> grouped(1025)
    '1,025'
    """
    return f"{count:,}"


@register.filter
def row_text(row: RowAudit) -> str:
    """Write a row in the language of the page."""
    from surveys.report.audit import wording

    return wording.row_text(row)
