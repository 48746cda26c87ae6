"""Remarks and headings that say who is asked: *(smokers only)*, *Part C: everyone*."""

from __future__ import annotations

import re
from typing import Final

from surveys.imports.words.cues import (
    CHOOSES,
    IF_SO,
    SAYS_NUMBER,
    SAYS_TEXT,
    TOOL,
    pattern_of,
    pattern_within,
    says_how_many,
)
from surveys.imports.words.patterns import HAN
from surveys.imports.words.question_marks import holds_question

FOR_SOME: Final = pattern_of("for-some")
"""Matches the beginning of words that limit who is asked."""
_FOR_ALL: Final = pattern_of("for-all")
_ONLY: Final = pattern_within("only")
_PEOPLE: Final = pattern_of("people")
_IF: Final = pattern_of("if")
_ENDS_WITH_IF: Final = re.compile(r"(?<!\w)(?:if|wenn|falls|si|se|если|jeśli|als)\W*$", re.IGNORECASE)
"""A clause without its condition, which the next line states."""
_PLEASE: Final = re.compile(rf"\W*(?:{pattern_of('please').pattern})", re.IGNORECASE)
_COMMA: Final = re.compile(r"(?<=[,，;；])")
_SEGMENTS: Final = re.compile(r"[()（）\[\]【】:：.。]|\s[-–—]{1,2}\s")
_LEAD: Final = re.compile(r"[(（\[【]?(?P<words>[^:：?？()（）\[\]【】]{2,40})[:：)）\]】]\s?(?=\S)")
"""Words in brackets or before a colon, in front of other words."""
_FEW: Final = 2
_LEAST: Final = 4
"""Letters of a single word that may name people."""


def is_for_all(text: str) -> bool:
    """Return whether a segment of a heading or line says that everyone is asked.

    Examples
    --------
    >>> [is_for_all(each) for each in ("Part 3 (everyone)", "All work", "Teil C: wieder alle")]
    [True, False, True]
    >>> is_for_all("(All, except smokers)")
    False
    """
    # A clause behind a comma narrows the words in front of it.
    parts = (_COMMA.split(part)[-1] for part in _SEGMENTS.split(text))
    return any(_FOR_ALL.fullmatch(part) for part in parts if part)


def without_for_all(text: str) -> str:
    """Return a question without the words in front of it that say that everyone is asked.

    Examples
    --------
    >>> [without_for_all(each) for each in ("Ask all: are you ill?", "(All) Ill?")]
    ['Are you ill?', 'Ill?']
    >>> without_for_all("Work: are you all ill?")
    'Work: are you all ill?'
    """
    lead = _LEAD.match(text)
    rest = text[lead.end() :] if lead else ""
    if lead is None or not (holds_question(rest) and _FOR_ALL.fullmatch(lead["words"])):
        return text
    return rest[0].upper() + rest[1:] if text[0].isupper() or text[0] in "([（【" else rest


def is_for_some(text: str) -> bool:
    """Return whether a heading or words in front of a question limit who is asked.

    Words that say how to answer limit nobody.

    Examples
    --------
    >>> [is_for_some(each) for each in ("Part 2 - only smokers", "nur eine Antwort", "fumeurs seulement")]
    [True, False, True]
    """
    return not is_for_all(text) and any(map(_limits, (text, *_COMMA.split(text))))


def is_limit(remark: str) -> bool:
    """Return whether a remark in a question says who is asked it; "(if any)" does not.

    Examples
    --------
    >>> [is_limit(each) for each in ("if any", "if you smoke", "smokers only")]
    [False, True, True]
    """
    is_clause = len(remark.split()) > _FEW or HAN.search(remark) is not None
    starts = any(FOR_SOME.match(part) and not says_how_many(part) for part in _COMMA.split(remark))
    return bool(starts or IF_SO.match(f"{remark}:") or (is_clause and _IF.match(f"{remark}:")))


def may_limit(remark: str) -> bool:
    """Return whether a remark in front of a question may name the people who are asked it, in any words.

    Examples
    --------
    >>> [may_limit(each) for each in ("people with a dog", "tick all", "S", "optional")]
    [True, False, False, False]
    """
    is_long = len(remark) >= _LEAST or HAN.search(remark) is not None
    is_coded = remark.isupper() and " " not in remark
    says_else = is_coded or is_for_all(remark) or _instructs(remark) or TOOL.fullmatch(remark)
    return is_long and not says_else


def _limits(part: str) -> bool:
    """Return whether a part of a remark names some people, and does not say how to answer."""
    if says_how_many(part) or _ENDS_WITH_IF.search(part):
        return False
    names = FOR_SOME.match(part) or _PEOPLE.match(f"{part}:")
    return bool((names and not _PLEASE.match(part)) or (_ONLY.search(part) and not _instructs(part)))


def _instructs(part: str) -> bool:
    """Return whether a part of a remark says how to answer."""
    return says_how_many(part) or any(cue.search(part) for cue in (CHOOSES, SAYS_NUMBER, SAYS_TEXT))
