"""Find two questions of a draft that may ask one thing for two times, by their texts.

No program can tell whether they do. The texts have a sign of it: they differ only in words for a time. So a
person decides, who reads both texts.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from privacy.survey.anchors import anchor_of
from privacy.survey.design import Design
from surveys.questionnaire.stems import STEM

_NUMBER: Final = r"(?:\d+|a|an|one|two|three|four|five|six|seven|eight|nine|ten|twelve|several|some|a few)"
_UNIT: Final = r"(?:day|week|month|year|decade|semester|term|winter|spring|summer|autumn)s?"
_NOW_EN: Final = rf"now|nowadays|today|currently|presently|at present|at the moment|these days|this {_UNIT}"
_THEN_EN: Final = (
    rf"{_NUMBER} {_UNIT} (?:ago|before|earlier)|"
    rf"(?:in |during |over |within )?(?:the |your )?(?:last|past|previous) (?:{_NUMBER} )?{_UNIT}|"
    r"yesterday|formerly|previously|earlier|back then|then|at that time|in the past|before"
)
_NOW_ZH: Final = "现在|目前|如今|当前|今天|今年|这个?(?:月|周|学期|年)|本(?:月|周|年|学期)"
_THEN_ZH: Final = (
    r"(?:[一二两三四五六七八九十半几]+|\d+)\s*个?(?:天|周|星期|月|年|学期)(?:以|之)?前|"
    r"(?:在?过去|最近)的?(?:[一二两三四五六七八九十半几]+|\d+)?\s*个?(?:天|周|星期|月|年|学期)?(?:里|内|中)?|"
    r"去年|前年|昨天|上个?(?:月|周|年|学期)|以前|之前|从前|当时|那时"
)
_NUMBER_OF_A_YEAR: Final = r"(?:19|20)\d\d(?![\d.,])"
_MONEY: Final = r"\s*(?:[€$£¥%元]|eur|dollar|pound|franc|kron|yuan|rmb|usd|gbp|chf)"
_YEARS: Final = {
    "en": rf"\b(?:in|since|during|until|before|after) {_NUMBER_OF_A_YEAR}(?!{_MONEY})",
    "zh": rf"(?<!\d){_NUMBER_OF_A_YEAR}\s*年",
}
_YEAR: Final = rf"(?<![\d€$£¥]){_NUMBER_OF_A_YEAR}(?!{_MONEY})"
"""A year in a language without words of its own; never an amount of money."""

_WORDS: Final[Mapping[str, tuple[str, str]]] = {
    "en": (rf"\b(?:{_NOW_EN})\b", rf"\b(?:{_THEN_EN})\b"),
    "zh": (_NOW_ZH, _THEN_ZH),
}
"""Words for now and for an earlier time, by language; in other languages only years are read."""

_EVER: Final = {"en": r"\b(?:ever|never)\b", "zh": "曾经?|从来|从未"}
"""A lifetime is no time to compare with."""

_TENSE: Final = {
    "en": r"\b(?:do|did|does|are|were|is|was|have|had|has|been|being|be|used? to)\b",
    "zh": "[了过]|是否|有没有",
}
"""Words that change with the time of a question."""

_STATE: Final = {"en": r"\b(?:are|were|is|was|been|being|be)\b(?! (?:\w+ ){0,2}(?!being\b)\w+ing\b)"}
"""Words that make a text a state, or something that others do: "were you hit" is not "did you hit"."""

_ENDING: Final = re.compile(r"(?:ing|ed|es|e|d|s)$")
_LEAST_CORE: Final = 2
"""Words, or Chinese characters, that both texts must have in common."""


@dataclass(frozen=True, kw_only=True)
class Timed:
    """A text without its words for a time.

    Attributes
    ----------
    core : tuple of str
        Its other words, without endings.
    times : tuple of str
        The words for a time.
    is_now : bool
        Whether one of them means now.
    is_state : bool
        Whether it asks what a person is, or what others do to the person; known in English only.
    """

    core: tuple[str, ...]
    times: tuple[str, ...]
    is_now: bool
    is_state: bool = False


def timed(text: str, language: str) -> Timed:
    """Divide the text of a question into words for a time and others.

    Parameters
    ----------
    text : str
    language : str
        Tag of the text's language.

    Examples
    --------
    >>> timed("Did you smoke a year ago?", "en")
    Timed(core=('you', 'smok'), times=('a year ago',), is_now=False, is_state=False)
    >>> timed("Do you smoke now?", "en")
    Timed(core=('you', 'smok'), times=('now',), is_now=True, is_state=False)
    >>> timed("Were you bribed in 2019?", "en").is_state, timed("Are you smoking now?", "en").is_state
    (True, False)
    >>> timed("你现在抽烟吗？", "zh-hans").core == timed("你一年前抽烟吗？", "zh-hans").core
    True
    """
    primary = language.partition("-")[0]
    now, then = _WORDS.get(primary, (r"(?!)", r"(?!)"))
    plain = " ".join(text.casefold().split())
    any_time = f"{_YEARS.get(primary, _YEAR)}|{then}|{now}"
    times = [found[0] for found in re.finditer(any_time, plain)]
    rest = " ".join(re.sub(any_time, " ", plain).split())
    is_state = re.search(_STATE.get(primary, r"(?!)"), rest) is not None
    rest = re.sub(_TENSE.get(primary, r"(?!)"), " ", rest)
    words = re.findall(r"[\u3400-\u9fff]|\w+", rest)
    return Timed(
        core=tuple(_ENDING.sub("", word) or word for word in words),
        times=tuple(times),
        is_now=any(re.fullmatch(now, each) for each in times),
        is_state=is_state,
    )


def two_times(document: Mapping[str, Any], design: Design) -> Iterator[tuple[str, str]]:
    """Yield the keys of two questions whose texts differ only in words for a time: then, and now.

    Parameters
    ----------
    document : mapping
        The draft's document, which can be read.
    design : Design
        Its design.

    Notes
    -----
    Both are protected yes/no questions outside of lists, asked of everyone. Of two times without a word for
    now, the earlier year, or else the earlier question, is then.
    """
    binary = {question.key for question in design.questions if question.is_binary}
    questions = [
        question
        for entry in document["blocks"]
        if entry["protected"] and not entry.get("asked_if") and not anchor_of(entry)
        for question in entry["questions"]
        if question["key"] in binary and STEM not in question and "right" not in question
    ]
    for one, other in itertools.combinations(questions, 2):
        found = _times_of(one.get("text") or {}, other.get("text") or {})
        if found is not None:
            first, second = found
            is_turned = first.is_now > second.is_now or (
                first.is_now == second.is_now and _year(first) > _year(second)
            )
            yield (other["key"], one["key"]) if is_turned else (one["key"], other["key"])


def may_be_two_times(one: Mapping[str, str], other: Mapping[str, str]) -> bool:
    """Return whether the texts of two questions may ask one thing for two times, by language.

    Parameters
    ----------
    one, other : mapping of str to str

    Notes
    -----
    Texts that differ in other words than those for a time do not, in languages whose words for a time are
    known. In other languages only years are read, so any two texts may.

    Examples
    --------
    >>> may_be_two_times({"en": "Did you smoke a year ago?"}, {"en": "Do you smoke now?"})
    True
    >>> may_be_two_times({"en": "Did you smoke a year ago?"}, {"en": "Do you drink now?"})
    False
    >>> may_be_two_times({"de": "Hast du früher geraucht?"}, {"de": "Rauchst du jetzt?"})
    True
    """
    language = _common_language(one, other)
    is_read = language is not None and language.partition("-")[0] in _WORDS
    return not is_read or _times_of(one, other) is not None


def _common_language(one: Mapping[str, str], other: Mapping[str, str]) -> str | None:
    """Return the first language that both texts have."""
    return next((tag for tag in one if other.get(tag) and one[tag]), None)


def _times_of(one: Mapping[str, str], other: Mapping[str, str]) -> tuple[Timed, Timed] | None:
    """Return both texts without times, if they differ only in these in the first language that both have."""
    language = _common_language(one, other)
    if language is None:
        return None
    ever = _EVER.get(language.partition("-")[0])
    if ever and any(re.search(ever, text[language].casefold()) for text in (one, other)):
        return None
    first, second = timed(one[language], language), timed(other[language], language)
    is_alike = (first.core, first.is_state) == (second.core, second.is_state)
    is_alike = is_alike and len(first.core) >= _LEAST_CORE
    return (first, second) if is_alike and first.times != second.times else None


def _year(found: Timed) -> str:
    return max((year for each in found.times for year in re.findall(r"\d{4}", each)), default="")
