"""Counts of answers as pages and files show them, rounded or not."""

from __future__ import annotations

from surveys.formats.numbers import count_text
from surveys.policy import ROUNDED_TO


def rounded_count(count: int) -> int:
    """Return the nearest multiple of ten, rounding halves up.

    >>> [rounded_count(count) for count in (0, 4, 5, 14, 15)]
    [0, 0, 10, 10, 20]
    """
    return (count + ROUNDED_TO // 2) // ROUNDED_TO * ROUNDED_TO


def shown_count(count: int, *, rounded: bool = False) -> str:
    """Format a count of answers, "≈ 120" if it is rounded.

    >>> shown_count(6366), shown_count(118, rounded=True)
    ('6,366', '≈ 120')
    """
    if not rounded:
        return count_text(count)
    return "≈ " + count_text(rounded_count(count))
