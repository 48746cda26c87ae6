"""Texts that stand for a missing value: what is proposed of a column, and what is asked about.

One reading for the pages of deposits, the command ``release`` and files of survey tools. What SPSS
declares as missing is missing before a cell is looked at.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final

from privacy.sdc.table import finite_number
from surveys.tables.table import ReadColumn

__all__ = ["CODES", "GAP_CODES", "WORDS", "declared_missing", "missing_texts", "proposed_texts"]

WORDS: Final = (
    *("NA", "N/A", "NaN", "NULL", ".", "refused", "don't know", "prefer not to say", "prefer not to answer"),
    *("no answer", "不详", "拒答", "拒绝回答", "不愿回答", "不知道", "无回答"),
)
"""Never a value, however it is written: small or capital letters are the same."""
CODES: Final = ("-9", "99", "999")
"""A number like others where larger or neighbouring ones stand beside it."""
GAP_CODES: Final = ("77", "88", "98", "777", "888", "9999", "-99", "-999")
"""Asked about only where no other number is near or beyond them."""
_GAP: Final = 0.8
"""Of a code: the largest number that leaves a gap below it."""

_WORDS: Final = frozenset(word.casefold() for word in WORDS)
_CODES: Final = frozenset(float(code) for code in CODES)
_GAP_CODES: Final = frozenset(float(code) for code in GAP_CODES)


def missing_texts(texts: Iterable[str]) -> tuple[str, ...]:
    """Return those of a column's texts that people are asked about, empty ones left out, in their order.

    Examples
    --------
    >>> missing_texts(["31", "NA", "-9", "31", "Refused", "99.0", "998"])
    ('NA', '-9', 'Refused', '99.0')
    >>> missing_texts(["31", "77", "88"]), missing_texts(["70", "77", "88"])
    (('77', '88'), ())
    """
    different = {text: finite_number(text) for text in dict.fromkeys(text.strip() for text in texts)}
    numbers = {number for number in different.values() if number is not None} - _CODES
    beyond: set[float] = set()
    for code in sorted(numbers & _GAP_CODES):
        others = (numbers - _GAP_CODES) | ({each for each in numbers & _GAP_CODES if each < code} - beyond)
        if others and _is_beyond(code, others):
            beyond.add(code)
    return tuple(text for text, number in different.items() if _is_word(text) or number in _CODES | beyond)


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


def declared_missing(column: ReadColumn) -> tuple[str, ...]:
    """Return values that a file declares as missing, by a code or by a label such as "Refused".

    Examples
    --------
    >>> import numpy as np
    >>> labels = {"1": "Yes", "7": "Refused"}
    >>> column = ReadColumn(name="a", values=("1", "7"), codes=np.array([0, 1]), value_labels=labels)
    >>> declared_missing(column)
    ('7',)
    """
    named = (value for value, label in column.value_labels.items() if _is_word(label.strip()))
    return tuple(
        dict.fromkeys([*column.missing_codes, *(value for value in named if value in column.values)])
    )


def _is_word(text: str) -> bool:
    return text.replace("’", "'").casefold() in _WORDS


def _is_beyond(code: float, others: Collection[float]) -> bool:
    """Return whether a code lies beyond all other numbers, with a gap between."""
    if code < 0:
        return all(number >= 0 for number in others)
    return all(number < code * _GAP for number in others)


def _is_far(code: float, numbers: list[float]) -> bool:
    if code < 0:
        return all(number >= 0 for number in numbers)
    return all(number < code - 1 for number in numbers)
