"""Texts of a column that mean "missing": words, and codes far from the other numbers."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from typing import Final

from privacy.numeric_text import finite_number
from privacy.tables.columns import ReadColumn

MISSING_WORDS: Final = (
    *("NA", "N/A", "NaN", "NULL", ".", "refused", "don't know", "prefer not to say", "prefer not to answer"),
    *("no answer", "不详", "拒答", "拒绝回答", "不愿回答", "不知道", "无回答"),
    *(
        "keine Angabe",
        "k. A.",
        "k.A.",
        "weiß nicht",
        "verweigert",
        "sans réponse",
        "refus",
        "ne sait pas",
        "NSP",
    ),
    *(
        "no contesta",
        "no responde",
        "no sabe",
        "NS/NC",
        "нет ответа",
        "отказ",
        "не знаю",
        "затрудняюсь ответить",
    ),
)
"""Words for missing values; case is ignored."""
_STATA: Final = re.compile(r"\.[a-z]")
"""Stata's further kinds of missing values: ``.a`` to ``.z``."""
CODES: Final = ("-9", "99", "999")
"""Codes for missing values, unless larger or adjacent numbers also occur (then they are ordinary numbers)."""
GAP_CODES: Final = ("77", "88", "98", "777", "888", "9999", "-99", "-999")
"""Possible codes for missing values; the user is asked only if all other numbers are far below them."""
_GAP: Final = 0.8
"""Other numbers must be below this fraction of a gap code."""

FAMILIES: Final = tuple(
    frozenset((*range(10**size - 4, 10**size), 10**size // 9 * 7, 10**size // 9 * 8)) for size in range(2, 9)
)
"""Codes that are often used together: 77, 88 and 96 to 99, with two to eight digits."""
NEGATIVE: Final = frozenset({7, 8, 9}.union(*FAMILIES))
"""Absolute values of codes that are known as such if they are negative."""
_SMALL: Final = frozenset(range(1, 7))
"""Absolute values of negative codes that may be real values, too."""
_OTHER_NEGATIVE: Final = frozenset({95, *(10**size // 9 * 6 for size in range(2, 9))})
"""Further absolute values of negative codes."""
_APART: Final = 0.05
"""Several codes must be above all other numbers by this fraction."""

_WORDS: Final = frozenset(word.casefold() for word in MISSING_WORDS)
_CODES: Final = frozenset(float(code) for code in CODES)
_GAP_CODES: Final = frozenset(float(code) for code in GAP_CODES)


def missing_texts(texts: Iterable[str]) -> tuple[str, ...]:
    """Return the texts of a column that may mean "missing", so that the user is asked about them.

    Parameters
    ----------
    texts : iterable of str
        Texts of a column.

    Examples
    --------
    >>> missing_texts(["31", "NA", "-9", "31", "Refused", "99.0", "998"])
    ('NA', '-9', 'Refused', '99.0')
    >>> missing_texts(["31", "77", "88"]), missing_texts(["70", "77", "88"])
    (('77', '88'), ())
    >>> missing_texts(["31", "-88", "-99"]), missing_texts(["31", "85", "98", "99"])
    (('-88', '-99'), ('98', '99'))
    >>> missing_texts(["31", "18", "-1"]), missing_texts(["-120", "300", "-9999"])
    (('-1',), ('-9999',))
    """
    different = {text: finite_number(text) for text in dict.fromkeys(text.strip() for text in texts)}
    both = _together(different) | _below(different)
    numbers = {number for number in different.values() if number is not None} - _CODES - both
    beyond: set[float] = set()
    for code in sorted(numbers & _GAP_CODES):
        other_numbers = (numbers - _GAP_CODES) | (
            {each for each in numbers & _GAP_CODES if each < code} - beyond
        )
        if other_numbers and _is_beyond(code, other_numbers, code * _GAP):
            beyond.add(code)
    return tuple(
        text
        for text, number in different.items()
        if is_missing_word(text) or number in _CODES | beyond | both
    )


def _together(different: Mapping[str, float | None]) -> set[float]:
    """Return codes of which several are used in one column, far from all other numbers, or among words."""
    numbers = {number for number in different.values() if number is not None}
    words = [text for text, number in different.items() if number is None and text]
    has_words = any(not is_missing_word(text) for text in words)
    found: set[float] = set()
    negative = {number for number in numbers if number < 0}
    if (
        (len(negative) < len(numbers) or has_words)
        and {-number for number in negative} <= NEGATIVE | _SMALL
        and sum(-number in NEGATIVE for number in negative) > 1 - (has_words and negative == numbers)
    ):
        found |= negative
    for family in FAMILIES:
        other_numbers = [number for number in numbers if number not in family and number not in found]
        codes = {number for number in numbers if number in family}
        # Codes that ordinary numbers reach are ordinary, too; those above may still be codes.
        if other_numbers or has_words:
            most = max(other_numbers, default=0)
            codes = {code for code in codes if most < code * _least(code)}
        else:
            codes = set()
        if len(codes) > 1:
            found |= codes
    return found


def _below(different: Mapping[str, float | None]) -> set[float]:
    """Return the negative codes below all other numbers.

    Those of -1 to -6 are codes if the next number is at least two larger, if one of them is beside the
    answers 0 and 1, or among words. If other numbers are negative, too, a code is farther below them than the
    smallest of them is below the largest.
    """
    numbers = {number for number in different.values() if number is not None}
    words = [text for text, number in different.items() if number is None and text]
    has_words = any(not is_missing_word(text) for text in words)
    codes = {number for number in numbers if -number in NEGATIVE | _OTHER_NEGATIVE}
    small = {number for number in numbers if -number in _SMALL}
    others = numbers - codes - small
    is_beside_truth = others <= {0, 1} and len(small) == 1
    if small and (is_beside_truth or max(small) + 2 <= min(others) if others else has_words):
        codes |= small
    else:
        others |= small
    if others and min(others) < 0 <= max(others):
        return {code for code in codes if code < 2 * min(others) - max(others)}
    return codes if min(others, default=0) >= 0 and (others or has_words) else set()


def _least(code: float) -> float:
    """Return the fraction of a code below which other numbers must be; 77 and 88 are ages, too."""
    return _GAP if int(code) % 10 in (7, 8) and len(set(str(int(code)))) == 1 else 1 - _APART


def proposed_texts(texts: Iterable[str]) -> tuple[str, ...]:
    """Return those `missing_texts` that are proposed as missing.

    These are all words, and codes far from the other numbers: -9 if no other number is negative, and 99 or
    999 if all other numbers are at least two smaller. Several codes, such as -88 and -99 or 98 and 99, are
    proposed if they are away from all other numbers. One from -1 to -6 may be a real value.

    Parameters
    ----------
    texts : iterable of str
        Texts of a column.

    Examples
    --------
    >>> proposed_texts(["18", "64", "99"]), proposed_texts(["97", "98", "99", "100"])
    (('99',), ())
    >>> proposed_texts(["flu", "cold", "-9"]), proposed_texts(["99", "999"])
    (('-9',), ())
    >>> proposed_texts(["31", "-88", "-99"]), proposed_texts(["18", "85", "98", "99"])
    (('-88', '-99'), ('98', '99'))
    >>> proposed_texts(["flu", "cold", "-99"])
    ('-99',)
    """
    different = dict.fromkeys(text.strip() for text in texts)
    questions = missing_texts(different)
    real = [text for text in different if text and text not in questions]
    numbers = [number for text in real if (number := finite_number(text)) is not None]
    both = _together({text: finite_number(text) for text in different})
    return tuple(
        text
        for text in questions
        if is_missing_word(text)
        or finite_number(text) in both
        or (
            real and -(code := finite_number(text) or 0) not in _SMALL and _is_beyond(code, numbers, code - 1)
        )
    )


def declared_missing(column: ReadColumn) -> tuple[str, ...]:
    """Return the values that a file declares as missing, by a code or by a label such as "Refused".

    Parameters
    ----------
    column : ReadColumn

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
    """Return whether a text is a word that means a missing value.

    Parameters
    ----------
    text : str
    """
    return text.replace("’", "'").casefold() in _WORDS or _STATA.fullmatch(text) is not None


def _is_beyond(code: float, numbers: Collection[float], least: float) -> bool:
    """Return whether all other numbers are below `least`; for a negative code, whether none is negative."""
    return all(number >= 0 if code < 0 else number < least for number in numbers)
