"""Texts of a column that mean "missing": words, and codes far from the other numbers."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final

from privacy.tables.columns import ReadColumn
from privacy.validation import finite_number

WORDS: Final = (
    *("NA", "N/A", "NaN", "NULL", ".", "refused", "don't know", "prefer not to say", "prefer not to answer"),
    *("no answer", "不详", "拒答", "拒绝回答", "不愿回答", "不知道", "无回答"),
)
"""Words for missing values; case is ignored."""
CODES: Final = ("-9", "99", "999")
"""Codes for missing values, unless larger or adjacent numbers also occur (then they are ordinary numbers)."""
GAP_CODES: Final = ("77", "88", "98", "777", "888", "9999", "-99", "-999")
"""Possible codes for missing values; the user is asked only if all other numbers are far below them."""
_GAP: Final = 0.8
"""Other numbers must be below this fraction of a gap code."""

_WORDS: Final = frozenset(word.casefold() for word in WORDS)
_CODES: Final = frozenset(float(code) for code in CODES)
_GAP_CODES: Final = frozenset(float(code) for code in GAP_CODES)


def missing_texts(texts: Iterable[str]) -> tuple[str, ...]:
    """Return the texts of a column that may mean "missing", so that the user is asked about them.

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
        if others and _is_beyond(code, others, code * _GAP):
            beyond.add(code)
    return tuple(
        text for text, number in different.items() if is_missing_word(text) or number in _CODES | beyond
    )


def proposed_texts(texts: Iterable[str]) -> tuple[str, ...]:
    """Return those `missing_texts` that are proposed as missing.

    These are all words, and codes far from the other numbers: -9 if no other number is negative, and 99 or
    999 if all other numbers are at least two smaller.

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
        text
        for text in questions
        if is_missing_word(text) or (real and _is_beyond(code := finite_number(text) or 0, numbers, code - 1))
    )


def declared_missing(column: ReadColumn) -> tuple[str, ...]:
    """Return the values that a file declares as missing, by a code or by a label such as "Refused".

    Examples
    --------
    >>> import numpy as np
    >>> labels = {"1": "Yes", "7": "Refused"}
    >>> column = ReadColumn(name="a", values=("1", "7"), codes=np.array([0, 1]), value_labels=labels)
    >>> declared_missing(column)
    ('7',)
    """
    by_label = (value for value, label in column.value_labels.items() if is_missing_word(label.strip()))
    return tuple(
        dict.fromkeys([*column.missing_codes, *(value for value in by_label if value in column.values)])
    )


def is_missing_word(text: str) -> bool:
    """Return whether a text is a word that means a missing value."""
    return text.replace("’", "'").casefold() in _WORDS


def _is_beyond(code: float, others: Collection[float], least: float) -> bool:
    """Return whether all other numbers are below `least`; for a negative code, whether none is negative."""
    return all(number >= 0 if code < 0 else number < least for number in others)
