"""Recognise questions that yes or no can answer, by how their main clause begins, in eight languages.

A question without answers is asked as yes or no only if this is certain. All others need answers, which costs
the researcher one decision; a wrong guess would cost the whole question.
`roles.question_kinds` makes this decision.
"""

from __future__ import annotations

import re
from typing import Final

from surveys.imports.words.cues import ROWS, pattern_of

_CLAUSES: Final = re.compile(r"[,，;；:：¿–—]|\s-\s|\.\s|。")
_AROUND: Final = " \t\"'“”„«»‘’()（）[]*?？!！…_"
_LONGEST: Final = 500
_IS_TIME: Final = re.compile(r"when\s(?!(?:did|do|does|was|were|is|are|have|has)\b)\w", re.IGNORECASE)
"""A condition that begins with a question word: *When you drink, do you ...?*"""
_OR_NOT: Final = re.compile(r"\b(or not|oder nicht|ou non|o(ppure)? no|ou não)\W*$", re.IGNORECASE)

_INDIRECT: Final = pattern_of("indirect")
"""A polite form of a question for something else."""
_KNOWN: Final = pattern_of("indirect-known")
"""Such a form, which may also ask for yes or no: *do you know how*."""
_LEAST_WORDS: Final = 3
_CHINESE: Final = pattern_of("verb-zh")
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
    auxiliary, which, either, polarity = _BEGINNINGS[tag]
    clauses = [*filter(None, (clause.strip(_AROUND) for clause in _CLAUSES.split(text)))]
    main = next((number for number, clause in enumerate(clauses) if auxiliary.match(clause)), None)
    # A subordinate clause may say what someone knows: "Do you know, by the end of the month, what you spent?"
    before = clauses[:main] if is_stated and main is not None else clauses
    if any(which.match(clause) and not _IS_TIME.match(clause) for clause in before):
        return False
    if main is None or is_stated:
        return is_stated and len(text.split()) >= _LEAST_WORDS
    asked = clauses[main:]
    if not any(map(either.search, asked)):
        return True
    return _OR_NOT.search(text) is not None or polarity.search(" ".join(asked)) is not None


def _asks_in_chinese(text: str, *, is_stated: bool) -> bool:
    """Return whether a Chinese question asks for yes or no, and for nothing else."""
    return _CHINESE_WHICH.search(text) is None and (is_stated or _CHINESE.search(text) is not None)


def has_rule(tag: str) -> bool:
    """Return whether `asks_yes_or_no` reads a language.

    Examples
    --------
    >>> has_rule("zh-hant"), has_rule("sw")
    (True, False)
    """
    base = tag.partition("-")[0]
    return base == "zh" or base in _BEGINNINGS
