"""Ranges of amounts among which a question lets respondents choose: *under 30 / 30 to 44 / 45 or older*."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, takewhile
from typing import Final

from surveys.imports.words.cues import says_how_many
from surveys.imports.words.patterns import LETTER, POINTS, REMARK_BEFORE
from surveys.imports.words.runs import runs_of

BRACKETED_POINTS: Final = re.compile(
    r"\s?[(（\[]\s?(?P<before>[^\W\d]{0,12})\s?(?P<code>[+-]?\d{1,3})\s?(?P<behind>[^\W\d]{0,12}\.?)\s?[)）\]]"
)
"""Points in brackets with a word next to them: *(2 points)*, *[value 2]*, *(-1)*."""
DASHED_POINTS: Final = re.compile(
    r"\s[–—=-]\s?(?P<before>)(?P<code>\d{1,3})\s?(?P<behind>[^\W\d]{1,12}\.?)\s?(?:[;,/|]|$)"
)
"""Points with a unit behind a dash, and the end of the answer: *never – 0 pts;*."""
_UNIT_OF_POINTS: Final = re.compile(rf"{POINTS}$", re.IGNORECASE)
_NUMBER: Final = re.compile(r"(?<![A-Za-z\d.,])(?:\d{1,3}(?:[., '’]\d{3})+(?!\d)|\d{1,7}(?:[.,]\d{1,2})?)")
"""A number, perhaps with groups of thousands or with decimals; a letter before it would make it a code."""
_GROUPED: Final = re.compile(r"\d{1,3}(?:\D\d{3})+")
_BETWEEN: Final = (
    re.compile(r"(?<=\s)[/／|｜](?=\s)"),
    re.compile(r"[/／|｜]"),
    re.compile(r"[;；]"),
    re.compile(r"[,，、](?!\d{3}(?!\d))"),
    re.compile(r"\t\s*| {2,}"),
    re.compile(r"\s[-–—]\s"),
    re.compile(r"(?<=\d)\s(?=\d)"),
)
ASKED: Final = re.compile(r"(?<=[?？؟:：])\s*")
"""The end of a question, or of words before a colon."""
_EXAMPLES: Final = re.compile(
    r"[(（].{0,80}(?:\be\.?\s?g|for example|for instance|such as|\bz\.\s?B|zum Beispiel|\bex|par exemple|\bej"
    r"|por exemplo|por ejemplo|например|例如|比如)\.?\s?[:：]$",
    re.IGNORECASE,
)
"""A colon in front of examples in brackets, which are no answers."""

_LIST: Final = r"[(（\[](?P<answers>[^()（）\[\]]{3,160})[)）\]]"
_LIST_AND_REMARK: Final = (
    re.compile(rf"{_LIST}\s{{0,3}}(?P<said>[^()（）\[\]?？]{{3,60}}?)[.。]?"),
    re.compile(rf"(?P<said>[^()（）\[\]?？]{{3,60}}?)[.。]\s{{0,3}}{_LIST}"),
)
"""Answers in brackets, and how many may be chosen behind them or in front."""
_REMARK_APART: Final = re.compile(r"[(（\[【][^()（）\[\]【】/|;,]{2,60}[)）\]】]\s{2,9}(?=\S)")
"""A remark behind a question mark, and wide blanks in front of the answers."""
_BEFORE_ANSWERS: Final = re.compile(r"^(?:[ ()（）\[\]|–—]|-(?!\d))+")
"""Signs in front of a list of answers; a sign in front of a number belongs to it: *-18*."""
_OPEN_BRACKET: Final = re.compile(r"\w\s?(?P<sign>[(（])[^()（）]{1,60}$")
"""The bracket of a last answer whose end was cut: *another (which*."""
_SLASH: Final = re.compile(r"[^\s/／]\s?[/／]")
_UNIT: Final = 3
"""Letters in which the forms of a unit agree: *time*, *times*."""
CODE_BEHIND: Final = re.compile(r"\s?[(（\[](\d{1,2})[)）\]]$")
"""The code or the points of an answer, in brackets after it."""


@dataclass(frozen=True)
class Ranges:
    """Ranges on one line: the text before them, their labels, and the sign that separates the labels."""

    before: str
    labels: tuple[str, ...]
    sign: str


def ranges_on(text: str) -> Ranges | None:
    """Return the ranges that a line lists, if it lists at least three adjoining ones; otherwise None.

    Examples
    --------
    >>> ranges_on("Your age? under 30, 30 to 44, 45 or older").labels
    ('under 30', '30 to 44', '45 or older')
    >>> ranges_on("0 never, 1 rarely, 2 often")
    """
    before, rest = question_and_answers(text)
    for sign, pattern in zip("/|;, - ", _BETWEEN, strict=True):
        labels = tuple(" ".join(each.split()) for each in pattern.split(rest))
        if len(labels) > 2 and are_ranges(labels):
            return Ranges(before.strip(" :："), labels, sign)
    return None


def question_and_answers(text: str) -> tuple[str, str]:
    """Split a line after its last question mark or colon, or before its last bracket.

    Examples
    --------
    >>> question_and_answers("Is he/she well? Yes / No"), question_and_answers("Age: (under 30, 30 or older)")
    (('Is he/she well?', 'Yes / No'), ('Age:', 'under 30, 30 or older'))
    >>> question_and_answers("Who? a friend / another (which)")[1]
    'a friend / another (which)'
    >>> question_and_answers("Your department (e.g.: Sales, Stores)")[0]
    ''
    >>> question_and_answers("What bothers you? Tick all that apply. (noise, dogs)")
    ('What bothers you? (Tick all that apply)', 'noise, dogs')
    """
    bare = text.strip()
    places = [match.start() for match in ASKED.finditer(bare)]
    asked = [place for place in places if not _EXAMPLES.search(bare[:place])]
    place = asked[-1] if asked else 0
    behind = bare[place:].lstrip()
    remark = REMARK_BEFORE.match(behind) if asked else None
    remark = remark if remark and says_how_many(remark["words"]) else _REMARK_APART.match(behind)
    found = (pattern.fullmatch(behind) for pattern in _LIST_AND_REMARK if asked)
    if (last := next(filter(None, found), None)) and says_how_many(f"({last['said']})"):
        return f"{bare[: len(bare) - len(behind)].rstrip()} ({last['said']})", last["answers"]
    if asked and remark:
        # How many answers may be chosen is said in front of them.
        place = len(bare) - len(behind) + remark.end()
    before, rest = bare[:place], _BEFORE_ANSWERS.sub("", bare[place:]).rstrip(" ()（）[]|-–—")
    if last := _OPEN_BRACKET.search(rest):
        rest += ")" if last["sign"] == "(" else "）"
    match = re.search(r"[(（]([^()（）]{3,120})[)）]\W{0,2}$", bare)
    if match and (not rest or (not asked and match.start() and len(_SLASH.findall(match[1])) > 1)):
        return bare[: match.start()], match[1]
    return before, rest


def are_ranges(labels: Sequence[str]) -> bool:
    """Return whether answers are adjoining ranges of amounts: each begins at the end of the previous one.

    The first and the last may be words.

    Examples
    --------
    >>> are_ranges(["under 30", "30-44", "45 or older"]), are_ranges(["never", "1 or 2", "3 to 9", "more"])
    (True, True)
    >>> are_ranges(["0 never", "1 rarely", "2 often"]), are_ranges(["1-2", "7-9", "10-12"])
    (False, False)
    """
    [*runs] = runs_of_ranges(labels)
    ends = [0, len(labels) - 1]
    outside = [place for place in range(len(labels)) if not any(place in run for run in runs)]
    return len(runs) == 1 and all(
        place in ends and LETTER.search(labels[place]) and not _NUMBER.search(labels[place])
        for place in outside
    )


def unit_stem(text: str) -> str:
    """Return the beginning of a unit, which its singular and its plural share.

    Examples
    --------
    >>> unit_stem("Time"), unit_stem("times")
    ('tim', 'tim')
    """
    return text.casefold()[:_UNIT]


def words_beside(marks: Iterable[re.Match[str]]) -> set[tuple[str, str]]:
    """Return the words before and after points in brackets; one pair if all are alike."""
    return {
        (mark["before"].casefold(), unit_stem(_UNIT_OF_POINTS.sub("pt", mark["behind"]))) for mark in marks
    }


def have_one_unit(texts: Sequence[str]) -> bool:
    """Return whether the words after numbers are units: all but one differ only in the end of the first word.

    Examples
    --------
    >>> have_one_unit(["time", "times", "or more times"]), have_one_unit(["never", "often"])
    (True, False)
    >>> have_one_unit(["very good", "very bad", "fine"])
    False
    """
    units = [
        (unit_stem(text), *(word for word in text.split()[1:] if not word.isdecimal())) for text in texts
    ]
    ((unit, n_alike),) = Counter(units).most_common(1) or [((), 0)]
    words = [text.partition(" ")[0] for text, own in zip(texts, units, strict=True) if own == unit]
    return n_alike > 1 and n_alike >= len(texts) - 1 and all(_is_form(word, words[0]) for word in words)


def _is_form(word: str, other: str) -> bool:
    """Return whether two words may be forms of one: only their last letters differ.

    >>> _is_form("children", "child"), _is_form("Parent", "Partner")
    (True, False)
    """
    pairs = zip(word.casefold(), other.casefold(), strict=False)
    n_shared = sum(1 for _pair in takewhile(lambda pair: pair[0] == pair[1], pairs))
    return n_shared >= min(len(word), len(other)) - 2


def runs_of_ranges(labels: Sequence[str]) -> Iterator[range]:
    """Yield the places of adjoining ranges of amounts among texts, at least two together.

    Examples
    --------
    >>> [*runs_of_ranges(["How many?", "1 or 2", "3 to 9", "10 or more", "1. Do you?", "2. Are you?"])]
    [range(1, 4)]
    """
    amounts = [[_value(number) for number in _NUMBER.findall(label)] for label in labels]
    for places in runs_of(amounts, _follows):
        run = amounts[places.start : places.stop]
        # If the first numbers count up by one, they are codes: "0 none", "1 up to 50".
        are_codes = all(after[0] - before[0] == 1 for before, after in pairwise(run))
        if len(run) > 1 and not are_codes and any(map(_is_range, run)):
            yield places


def _value(number: str) -> float:
    return float(re.sub(r"\D", "", number) if _GROUPED.fullmatch(number) else number.replace(",", "."))


def _follows(before: Sequence[float], after: Sequence[float]) -> bool:
    return 0 < len(before) < 3 and 0 < len(after) < 3 and 0 <= after[0] - before[-1] <= 1


def _is_range(amounts: Sequence[float]) -> bool:
    return len(amounts) == 2 and amounts[0] < amounts[1]
