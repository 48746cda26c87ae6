"""Recognise questions that yes or no can answer, by how their main clause begins, in nine languages.

A question without answers is asked as yes or no only if this is certain. All others need answers, which costs
the researcher one decision; a wrong guess would cost the whole question.
`roles.question_kinds` makes this decision.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from surveys.imports.words.cues import ROWS, pattern_of

_CLAUSES: Final = re.compile(r"[,，;；:：¿–—]|\s-\s|\.\s|。|[?？](?=.{0,500}[?？])")
_AROUND: Final = " \t\"'“”„«»‘’()（）[]*?？!！…_"
_LONGEST: Final = 500
_IS_TIME: Final = re.compile(r"when\s(?!(?:did|do|does|was|were|is|are|have|has)\b)\w", re.IGNORECASE)
"""A condition that begins with a question word: *When you drink, do you ...?*"""
_OR_NOT: Final = re.compile(r"\b(or not|oder nicht|ou non|o(ppure)? no|ou não)\W*$", re.IGNORECASE)

_INDIRECT: Final = pattern_of("indirect")
"""A polite form of a question for something else."""
_KNOWN: Final = pattern_of("indirect-known")
"""Such a form, which may also ask for yes or no: *do you know how*."""
_SECOND: Final = pattern_of("second-question")
"""A question word for something else behind *and*: *and how many*."""
_LEAST_WORDS: Final = 3
_COMMAS: Final = (",", "，")
_LEADING: Final = (".", "。", ":", "：")
"""Signs behind a sentence that leads to a question."""
_HOW_MANY: Final = pattern_of("asks-number")
_SUBJECT: Final = pattern_of("subject")
"""A subject in front of its verb, as in a statement."""
_LAST: Final = pattern_of("asks-last")
"""A question word at the end of a statement: *Vous habitez où ?*"""
_COMMA_LANGUAGES: Final = ("de", "pl", "ru")
"""Languages that write a comma in front of a subordinate question."""
_CHINESE: Final = pattern_of("verb-zh")
_PARTICLE: Final = re.compile(r"(吗|没有?)\W*$")
"""The particle of a Chinese question for yes or no, which concerns the whole sentence."""
_OR_ZH: Final = "还是"
_CHINESE_WHICH: Final = pattern_of("which-zh")
_LANGUAGES: Final = tuple(
    sorted({name.partition("-")[2] for name, *_row in ROWS if name.startswith("verb-")} - {"zh"})
)
_BEGINNINGS: Final = {
    tag: tuple(pattern_of(f"{meaning}-{tag}") for meaning in ("verb", "which", "either", "any"))
    for tag in _LANGUAGES
}
"""By language: the beginning of a main clause that yes or no can answer, and of one that they cannot; *or*;
and words that occur in questions for yes or no, but not in a choice between alternatives."""


def asks_yes_or_no(tag: str, text: str, *, is_stated: bool = False) -> bool:
    """Return whether yes or no certainly answers a question.

    Parameters
    ----------
    tag : str
        Its language. False for a language without a rule.
    text : str
    is_stated : bool
        Whether the survey says that its items are answered with yes or no. Then only a question word at the
        beginning of a clause asks for something else, and *or* separates no answers.

    Examples
    --------
    >>> [asks_yes_or_no("en", each) for each in ("Since then, has anyone hit you?", "Are you single or not?")]
    [True, True]
    >>> [asks_yes_or_no("en", text) for text in ("Apart from him, who hit you?", "Your weight in kg?")]
    [False, False]
    >>> asks_yes_or_no("en", "Do you know how?"), asks_yes_or_no("en", "Do you know how?", is_stated=True)
    (False, True)
    >>> [asks_yes_or_no("en", each, is_stated=True) for each in ("He or she hits me?", "Age?", "How, then?")]
    [True, False, False]
    >>> asks_yes_or_no("de", "Haben Sie gelogen?"), asks_yes_or_no("fr", "Combien avez-vous payé ?")
    (True, False)
    """
    tag, text = tag.partition("-")[0], " ".join(text[:_LONGEST].split())
    if tag == "zh":
        return _asks_in_chinese(text, is_stated=is_stated)
    if tag not in _BEGINNINGS or _INDIRECT.search(text) or (_KNOWN.search(text) and not is_stated):
        return False
    _auxiliary, which, either, polarity = _BEGINNINGS[tag]
    clauses, main = _clauses_of(tag, text)
    # A subordinate clause may say what someone knows: "Do you know, by the end of the month, what you spent?"
    before = clauses[:main] if main is not None else clauses
    if any(which.match(each.text) and not _IS_TIME.match(each.text) for each in before):
        return False
    if main is None or is_stated:
        return is_stated and len(text.split()) >= _LEAST_WORDS
    asked = clauses[main:]
    if _SECOND.search(text) or _asks_more(tag, asked):
        return False
    if not any(either.search(each.text) for each in asked):
        return True
    return _OR_NOT.search(text) is not None or polarity.search(_joined(asked)) is not None


def begins_with_yes_or_no(tag: str, text: str) -> bool:
    """Return whether the main clause asks for yes or no, so that a question word behind it is subordinate.

    A second question may follow it. Then `asks_yes_or_no` is false, too.

    Parameters
    ----------
    tag : str
        The language of the text. False for a language without a rule.
    text : str

    Examples
    --------
    >>> [begins_with_yes_or_no("en", each) for each in ("Do they know how many?", "How many do they know?")]
    [True, False]
    >>> begins_with_yes_or_no("en", "Can you tell us how many?")
    False
    >>> [begins_with_yes_or_no("fr", each) for each in ("Tu as déjà dit combien ?", "Tu as combien ?")]
    [True, False]
    """
    tag, text = tag.partition("-")[0], " ".join(text[:_LONGEST].split())
    if _INDIRECT.search(text):
        return False
    if tag == "zh":
        found, asked = _CHINESE_WHICH.search(text), _CHINESE.search(text)
        is_first = asked is not None and (found is None or asked.start() < found.start())
        return is_first or (asked is not None and _asks_in_chinese(text, is_stated=True))
    if tag not in _BEGINNINGS:
        return False
    auxiliary, which, *_others = _BEGINNINGS[tag]
    clauses, main = _clauses_of(tag, text)
    if main is None or any(which.match(each.text) for each in clauses[: main + 1]):
        return False
    verb = auxiliary.match(clauses[main].text)
    # The first letter of the next word belongs to the match.
    if verb is not None and _HOW_MANY.search(verb[0][:-1]):
        return False
    return _KNOWN.search(text) is not None or not _is_statement(tag, clauses[main:])


@dataclass(frozen=True)
class _Clause:
    """A clause of a question, and the sign behind it."""

    text: str
    sign: str


def _clauses_of(tag: str, text: str) -> tuple[list[_Clause], int | None]:
    """Return the clauses of a question, and the place of the first that asks for yes or no.

    A sentence that leads to a question word is no question: *Think of last week. How many ...?*
    """
    auxiliary, which, *_others = _BEGINNINGS[tag]
    parts, signs = _CLAUSES.split(text), [*_CLAUSES.findall(text), ""]
    split = (_Clause(part.strip(_AROUND), sign.strip()) for part, sign in zip(parts, signs, strict=True))
    clauses = [each for each in split if each.text]
    last = max((place for place, each in enumerate(clauses) if which.match(each.text)), default=-1)
    may_ask = (
        place
        for place, each in enumerate(clauses)
        if auxiliary.match(each.text) and not (place < last and each.sign in _LEADING)
    )
    return clauses, next(may_ask, None)


def _joined(clauses: Sequence[_Clause]) -> str:
    return " ".join(each.text for each in clauses)


def _is_statement(tag: str, clauses: Sequence[_Clause]) -> bool:
    """Return whether a question has the order of a statement, and no *ever*: *Tu as combien ?*"""
    polarity = _BEGINNINGS[tag][-1]
    return _SUBJECT.match(clauses[0].text) is not None and polarity.search(_joined(clauses)) is None


def _asks_more(tag: str, clauses: Sequence[_Clause]) -> bool:
    """Return whether a question word asks something else in or behind a question for yes or no.

    Behind a comma, a few words are a question; more are subordinate where a comma precedes such clauses.
    """
    which = _BEGINNINGS[tag][1]
    is_statement = _is_statement(tag, clauses)
    if is_statement and _LAST.search(clauses[0].text):
        return True
    asking = (
        (before.sign, each.text)
        for before, each in pairwise(clauses)
        if which.match(each.text) and not _IS_TIME.match(each.text)
    )
    may_be_subordinate = tag in _COMMA_LANGUAGES and not is_statement
    return any(
        not (may_be_subordinate and sign in _COMMAS and len(words.split()) > _LEAST_WORDS)
        for sign, words in asking
    )


def _asks_in_chinese(text: str, *, is_stated: bool) -> bool:
    """Return whether a Chinese question asks for yes or no, and for nothing else.

    A question word behind the words for yes or no, or in front of the particle at the end, is subordinate.
    """
    which, asked = _CHINESE_WHICH.search(text), _CHINESE.search(text)
    if which is None or asked is None:
        return which is None and (is_stated or asked is not None)
    if _INDIRECT.search(text) or (_KNOWN.search(text) and not is_stated) or _OR_ZH in text:
        return False
    first, last = sorted((which.start(), asked.start()))
    is_subordinate = asked.start() == first or _PARTICLE.match(text, last) is not None
    return is_subordinate and _CLAUSES.search(text, first, last) is None


def has_rule(tag: str) -> bool:
    """Return whether `asks_yes_or_no` reads a language.

    Examples
    --------
    >>> has_rule("zh-hant"), has_rule("sw")
    (True, False)
    """
    base = tag.partition("-")[0]
    return base == "zh" or base in _BEGINNINGS
