"""The smallest and the largest number that a text allows: *0-16*, *from 1 to 12*, *0 bis 50.000*."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from surveys.imports.words.cues import LEADS_ON, NAMES_QUESTION, SKIPS_OVER, pattern_of
from surveys.imports.words.negated_limits import with_signs
from surveys.imports.words.numerals import ranges_in_digits
from surveys.imports.words.patterns import SPACE_TO_WRITE

_GROUPS: Final = r"[1-9]\d{0,2}(?:[.,'’\u00a0\u202f]\d{3}){1,3}"
_NUMBER: Final = rf"(?<![\d,:/])(?<!\d[.])(?:{_GROUPS}|\d{{1,6}})(?![\d:/]|[.,]\d)"
_BETWEEN: Final = r"\s?(?:[^\W\d_]{1,5}|[-–—−~～－…]|\.{2,3})\s?"
STATED_RANGE: Final = re.compile(rf"{_NUMBER}{_BETWEEN}{_NUMBER}")
"""Two numbers with a dash or a short word between them."""
_WHOLE: Final = re.compile(_NUMBER)
_SPACE_AND_RANGE: Final = re.compile(
    rf"(?:{SPACE_TO_WRITE.pattern})[^\d_|]{{0,40}}{STATED_RANGE.pattern}\W{{0,3}}$"
)
_BEFORE_RANGE: Final = re.compile(
    r"[\s,，;；:：(（\[【〔{]{0,4}(?:\b(?:from|between|de|da|entre|von|zwischen|от|between|od|van|tra|fra)\b)?"
    r"\s?[(（\[【〔{※\d].*",
    re.IGNORECASE,
)
"""A range behind a unit, with the bracket or the word in front of it."""


_UNIT: Final = r"(?:\s?[^\W\d]{1,12})?"
_LIMITS: Final = tuple(
    (side, beyond, re.compile(pattern, re.IGNORECASE))
    for side, beyond, pattern in (
        ("<", -1, rf"(?:{pattern_of('up-below').pattern})\s?(?P<number>{_NUMBER})"),
        (">", 1, rf"(?:{pattern_of('from-above').pattern})\s?(?P<number>{_NUMBER})"),
        (
            "<",
            0,
            rf"(?:{pattern_of('up-to').pattern}|{pattern_of('most').pattern}\.?)\s?[:=：＝]?\s?(?P<number>{_NUMBER})"
            rf"|(?P<behind>{_NUMBER}){_UNIT}\s?(?:{pattern_of('or-less').pattern}|{pattern_of('most').pattern})",
        ),
        (
            ">",
            0,
            rf"(?:{pattern_of('from-least').pattern}|{pattern_of('least').pattern}\.?)\s?[:=：＝]?\s?(?P<number>{_NUMBER})"
            rf"|(?P<behind>{_NUMBER}){_UNIT}\s?(?:{pattern_of('or-more').pattern}|{pattern_of('least').pattern}(?!\.))",
        ),
    )
)
"""One end of a range in words: the side, how far the end is from the number, and the pattern."""
_OPENING: Final = re.compile(r"[\s,，;；:：(（\[【〔{]{0,4}$")

_IF: Final = pattern_of("if")
_LABEL: Final = re.compile(r"\s?[:：]")
"""The end of words in front of a range that are no unit: *zulässig: 0 bis 31*."""


def range_in(text: str) -> list[int]:
    """Return the two ends of the range that a text states; empty if it states none, or several.

    Numbers in a condition or a jump are those of questions.

    Examples
    --------
    >>> range_in("if no at 2, skip to 4"), range_in("see questions 2 to 4"), range_in("if yes at 1 or 2")
    ([], [], [])
    >>> range_in("whole hours, 0-16"), range_in("entre 1 et 5"), range_in("mín. 2, máx. 20")
    ([0, 16], [1, 5], [2, 20])
    >>> range_in("a week has 168 hours; enter 1 to 168"), range_in("R$ 0 a 50.000"), range_in("1, 2 or 3")
    ([1, 168], [0, 50000], [])
    >>> range_in("from zero to twelve")
    [0, 12]
    """
    if is_about_questions(text):
        return []
    text = ranges_in_digits(text)
    spans = {match[0] for match in STATED_RANGE.finditer(text)}
    stated = _numbers(spans.pop()) if len(spans) == 1 else []
    numbers = _numbers(text)
    ends = stated if {*stated} == {*numbers} else numbers
    return ends if len(ends) == 2 and ends[0] < ends[1] else []


def is_about_questions(text: str) -> bool:
    """Return whether a remark is a condition or a jump, so that its numbers are those of questions.

    Examples
    --------
    >>> [is_about_questions(each) for each in ("if no at 2, skip to 4", "hours, 0 to 16")]
    [True, False]
    """
    return bool(
        _IF.match(f"{text}:") or any(cue.search(text) for cue in (LEADS_ON, SKIPS_OVER, NAMES_QUESTION))
    )


def _numbers(text: str) -> list[int]:
    return [int(re.sub(r"\D", "", number)) for number in _WHOLE.findall(text)]


@dataclass(frozen=True)
class Limit:
    """One end of a range that a text states.

    Parameters
    ----------
    side : {"<", ">"}
        Whether it is the largest or the smallest number.
    end : int
    before : str
        The text in front of it, without the sign that opens it.
    words : str
        The rest of the text.
    """

    side: str
    end: int
    before: str
    words: str


def limit_in(text: str) -> Limit | None:
    """Return the limit of a text that states only one number; None if it states none, or several.

    Examples
    --------
    >>> limit_in("years (18 or older)")
    Limit(side='>', end=18, before='years', words='18 or older')
    >>> limit_in("fewer than 20").end, limit_in("at least 2, at most 5"), limit_in("30 min.")
    (19, None, None)
    """
    signed = with_signs(text)
    if len(_numbers(signed)) != 1:
        return None
    for side, beyond, pattern in _LIMITS:
        if match := pattern.search(signed):
            end = _numbers(match[0])[0] + beyond
            before = signed[: match.start()]
            return Limit(side, end, _OPENING.sub("", before), text[len(before) :].strip(" )）"))
    return None


def unit_before_range(text: str) -> str:
    """Return the unit in front of a range, without the bracket or the word that begins the range.

    Examples
    --------
    >>> unit_before_range("cm (140-220"), unit_before_range("minutos, de 0 a 90"), unit_before_range("0-10")
    ('cm', 'minutos', '')
    >>> unit_before_range("zulässig: 0 bis 31")
    ''
    """
    unit = _BEFORE_RANGE.sub("", text, count=1).strip()
    return "" if _LABEL.match(text, len(unit)) else unit


def is_space_for_number(text: str) -> bool:
    """Return whether a text ends with a space to write and the range of the number.

    Examples
    --------
    >>> is_space_for_number("Pulse: ____ beats/min (30-120)"), is_space_for_number("Age: ____ years")
    (True, False)
    """
    return _SPACE_AND_RANGE.search(text) is not None
