"""Texts that stand for a missing value: what is proposed of a column, and what is asked about.

One reading for the pages of deposits, the command ``release`` and files of survey tools. What SPSS
declares as missing is missing before a cell is looked at.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from privacy.sdc.table import finite_number

__all__ = ["CODES", "WORDS", "missing_texts", "proposed_texts"]

WORDS: Final = ("NA", "N/A", "NaN", "NULL", ".", "refused", "不详", "拒答")
"""Never a value, however it is written: small or capital letters are the same."""
CODES: Final = ("-9", "99", "999")
"""A number like others where larger or neighbouring ones stand beside it."""

_WORDS: Final = frozenset(word.casefold() for word in WORDS)
_CODES: Final = frozenset(float(code) for code in CODES)


def missing_texts(texts: Iterable[str]) -> tuple[str, ...]:
    """Return those of a column's texts that people are asked about, empty ones left out, in their order.

    Examples
    --------
    >>> missing_texts(["31", "NA", "-9", "31", "Refused", "99.0", "998"])
    ('NA', '-9', 'Refused', '99.0')
    """
    different = dict.fromkeys(text.strip() for text in texts)
    return tuple(text for text in different if _is_word(text) or finite_number(text) in _CODES)


def proposed_texts(texts: Iterable[str]) -> tuple[str, ...]:
    """Return those of `missing_texts` that are proposed as missing.

    Words are, and so is a code apart from the numbers beside it: -9 where no other is below 0, 99 and 999
    where no other is larger or the one before it.

    Examples
    --------
    >>> proposed_texts(["18", "64", "99"]), proposed_texts(["97", "98", "99", "100"])
    (('99',), ())
    >>> proposed_texts(["flu", "cold", "-9"]), proposed_texts(["99", "999"])
    (('-9',), ())
    """
    different = dict.fromkeys(text.strip() for text in texts)
    questions = missing_texts(different)
    real = [text for text in different if text and text not in questions]
    numbers = [number for text in real if (number := finite_number(text)) is not None]
    return tuple(
        text for text in questions if _is_word(text) or (real and _is_far(finite_number(text) or 0, numbers))
    )


def _is_word(text: str) -> bool:
    return text.casefold() in _WORDS


def _is_far(code: float, numbers: list[float]) -> bool:
    if code < 0:
        return all(number >= 0 for number in numbers)
    return all(number < code - 1 for number in numbers)
