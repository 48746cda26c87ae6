"""How doubtful the reading of each question of a pasted text is: a sum of weak signs, none of which decides.

A misread question seldom has a sign of its own kind. It has more signs than others: marks that are left in
its text, a place that differs from the other questions, a reading that changes when the text is read again.
Clear signs (`leftovers`) are asked about whatever the sum is.
The weights are those of a logistic regression over questions that were read right and wrong in texts that
the reader did not know. They use no words, so they apply to other layouts and languages.
``python -m benchmarks.doubts FILE.jsonl ...`` fits them again to texts with the questions that people find in
them, and prints how many misreadings each limit leaves silent, and how many right questions it doubts. Copy
the printed weights, and choose the limits `LEAST` and `LEAST_OF_LINES` from that table.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Final

from surveys.imports.doubts.leftovers import Sign
from surveys.imports.drafts.questionnaire import Question, Questionnaire, text_of
from surveys.imports.drafts.rereadings import Differing
from surveys.imports.lines.line_guesses import MOST, Guess
from surveys.imports.lines.source_lines import (
    ANSWER,
    FIELD,
    HEADING,
    HELP,
    INSTRUCTION,
    INTRODUCTION,
    JOINED,
    LEFT,
    QUESTION,
    ROW,
    SCALE,
    SourceLine,
)
from surveys.imports.words.cues import says_how_many
from surveys.imports.words.patterns import IN_BRACKETS
from surveys.imports.words.question_marks import SIGN_OF_QUESTION, asks, holds_question

LEAST: Final = -2.1
"""Smallest doubt at which the report asks about a question: the logarithm of the odds of a misreading."""
LEAST_MARKED: Final = -3.1
"""Smallest doubt at which a question is marked as read with less certainty."""
LEAST_OF_LINES: Final = -3.2
"""Smallest doubt at which the report asks about a line that is not a question."""
LEAST_MARKED_OF_LINES: Final = -4.0
"""Smallest doubt at which a line that is not a question is marked as read with less certainty."""
_FEW: Final = 4
_MOST_SIGNS: Final = 4
_MOST_AGAINST: Final = 3.0
_SHARE: Final = 5
"""Of how many lines one must be uncertain to count fully."""
_SENTENCE_END: Final = re.compile(r"[.!?。！？]\s?(?=\S)")
_REMARK: Final = re.compile(r"[(（\[【][^()（）\[\]【】]{0,200}[)）\]】]\W{0,3}")
"""A remark in brackets."""
OWN_ROLES: Final = (
    QUESTION,
    ROW,
    ANSWER,
    JOINED,
    FIELD,
    HELP,
    SCALE,
)
"""Roles of lines that become part of a question."""
_ABOVE: Final = (
    LEFT,
    HEADING,
    INSTRUCTION,
    INTRODUCTION,
)
"""Roles of lines that ask no one anything, and may be misread questions."""
_WEIGHTS: Final = {
    "": -2.40,
    "score lost": 2.05,
    "guesses differ": 0.34,
    "clear sign": 1.60,
    "signs": 1.04,
    "moved": 0.50,
    "doubled": 0.81,
    "own kind": -1.20,
    "points": -0.52,
    "sentences": 0.48,
    "asks within": 1.12,
    "uncertain": 0.49,
    "no question": 0.28,
    "other answers": 0.18,
}
_WEIGHTS_OF_LINES: Final = {
    "": -4.57,
    "uncertain lines": 0.79,
    "guesses differ": 0.99,
    "question": 0.51,
    "uncertain": 0.94,
    "changed": 0.90,
    "below a bare question": 0.78,
    "answer with digits": -0.73,
    "like questions": 1.19,
    "left out": 0.29,
    "asks": 0.88,
}


def doubt_of(facts: Mapping[str, float]) -> float:
    """Return the doubt about a question, a logarithm of odds; `LEAST` and above should be checked.

    Parameters
    ----------
    facts : mapping of str to float
        See `facts_of`.
    """
    return sum(_WEIGHTS[name] * value for name, value in facts.items())


def largest_part(facts: Mapping[str, float], names: Collection[str]) -> str:
    """Return the fact, among these, that adds most to a doubt.

    Parameters
    ----------
    facts : mapping of str to float
        See `facts_of`.
    names : collection of str
        Of facts.

    Examples
    --------
    >>> largest_part({"moved": 0, "doubled": True, "signs": 0}, ("signs", "moved", "doubled"))
    'doubled'
    """
    return max(names, key=lambda name: _WEIGHTS[name] * facts[name])


def facts_of(
    survey: Questionnaire,
    source: Sequence[SourceLine],
    signs: Sequence[Collection[Sign]],
    differing: Differing,
    against: Mapping[int, Guess],
    *,
    is_score_lost: bool,
) -> list[dict[str, float]]:
    """Return what is weighed for each question of a survey.

    Parameters
    ----------
    survey : Questionnaire
    source : sequence of SourceLine
        The lines that are not blank, with their roles.
    signs : sequence of collections of Sign
        The signs of a misreading that each question has.
    differing : tuple of two dict of int to str
        See `rereadings.differing_lines`.
    against : mapping of int to Guess
        See `guesses_against`.
    is_score_lost : bool
        Whether a scoring rule was not understood.

    Returns
    -------
    list of dict of str to float
        The value of each fact, by name: 0 or 1, a share, a number of signs, or how much a guess
        contradicts the reading.
    """
    questions = survey.questions
    by_line = blocks_of(questions, source)
    blocks = [by_line.get(question.line, []) for question in questions]
    n_kinds = Counter(question.kind for question in questions)
    moved, doubled = map(set, differing)
    shared: dict[str, float] = {
        "": 1,
        "score lost": is_score_lost,
        "guesses differ": _difference(questions, source, against),
    }
    found = []
    for question, block, seen in zip(questions, blocks, signs, strict=True):
        text = text_of(question)
        numbers = {question.line, *(line.number for line in block)}
        has_points = any(option.points is not None for option in question.options)
        own: dict[str, float] = {
            "clear sign": any(sign.is_clear for sign in seen),
            "signs": min(_MOST_SIGNS, len(seen)),
            "moved": bool(numbers & moved),
            "doubled": len(questions) >= _FEW and bool(numbers & doubled),
            "own kind": n_kinds[question.kind] == 1 and len(questions) >= _FEW,
            "points": has_points,
            "sentences": _has_sentences(text),
            "asks within": holds_question(text) and not asks(text) and not _ends_with_cue(text),
            "uncertain": any(not line.is_certain and line.role in OWN_ROLES for line in block),
            "no question": question.line in against and against[question.line].question > 0,
            "other answers": max(
                (against[number].answer for number in numbers if number in against), default=-MOST
            ),
        }
        found.append(shared | own)
    return found


def guesses_against(
    survey: Questionnaire, source: Sequence[SourceLine], guesses: Mapping[int, Guess]
) -> dict[int, Guess]:
    """Return how much guesses contradict reading each line as a question, and as one answer.

    Parameters
    ----------
    survey, source
        See `facts_of`.
    guesses : mapping of int to Guess
        See `line_guesses.guesses_of`.
    """
    # A question above the rows of a table becomes their heading.
    asked = {question.line for question in survey.questions}
    asked |= {line.number for line in source if line.role == QUESTION}
    counts = Counter(option.line for question in survey.questions for option in question.options)
    answers = {line for line, count in counts.items() if count == 1} - asked
    return {
        line.number: Guess(
            question=-guess.question if line.number in asked else guess.question,
            answer=-guess.answer if line.number in answers else guess.answer,
        )
        for line in source
        if (guess := guesses.get(line.number))
    }


def _difference(
    questions: Sequence[Question], source: Sequence[SourceLine], against: Mapping[int, Guess]
) -> float:
    """Return how much the guesses contradict the reading of a text, per question, except about table rows."""
    rows = {line.number for line in source if line.role == ROW}
    total = sum(max(0, guess.question) for number, guess in against.items() if number not in rows)
    return min(_MOST_AGAINST, total / max(1, len(questions)))


def _has_sentences(text: str) -> bool:
    """Return whether a text has several sentences, apart from the last ones on how many answers to choose.

    A remark in brackets is no sentence.
    """
    parts = (each for each in _SENTENCE_END.split(text) if not _REMARK.fullmatch(each))
    sentences = [each for each in parts if any(map(str.isalpha, each))]
    while len(sentences) > 1 and says_how_many(sentences[-1]):
        sentences.pop()
    return len(sentences) > 1


def _ends_with_cue(text: str) -> bool:
    """Return whether the words behind a question mark say how many answers to choose, apart from brackets."""
    *_asked, behind = SIGN_OF_QUESTION.split(text)
    return says_how_many(IN_BRACKETS.sub("", behind))


def doubt_of_line(facts: Mapping[str, float]) -> float:
    """Return the doubt about a line that is not a question; from `LEAST_OF_LINES` on, it should be checked.

    Parameters
    ----------
    facts : mapping of str to float
        See `facts_of_lines`.
    """
    return sum(_WEIGHTS_OF_LINES[name] * value for name, value in facts.items())


def facts_of_lines(
    survey: Questionnaire, source: Sequence[SourceLine], differing: Differing, against: Mapping[int, Guess]
) -> dict[int, dict[str, float]]:
    """Return what is weighed for each line that is no question, by its number.

    Parameters
    ----------
    survey, source, differing, against
        See `facts_of`.

    Returns
    -------
    dict of int to dict of str to float
        The value of each fact, by name: 0 or 1, a share, or how much a guess contradicts the
        reading.
    """
    questions = {question.line for question in survey.questions}
    n_uncertain = sum(not line.is_certain for line in source)
    shared = {
        "": 1,
        "uncertain lines": min(1, _SHARE * n_uncertain / max(1, len(source))),
        "guesses differ": _difference(survey.questions, source, against),
    }
    changed = {*differing[0], *differing[1]}
    found: dict[int, dict[str, float]] = {}
    is_bare = False
    places = Counter(_place_of(line) for line in source if line.number in questions)
    usual = next((place for place, count in places.items() if 2 * count > len(questions)), None)
    for line in source:
        if line.number in questions:
            is_bare = not (line.mark or line.is_whole or asks(line.text)) and line.role == QUESTION
            continue
        guess = against.get(line.number, Guess(-MOST, -MOST))
        found[line.number] = shared | {
            "question": guess.question,
            "uncertain": not line.is_certain,
            "changed": line.number in changed,
            "below a bare question": is_bare,
            "answer with digits": line.role == ANSWER and any(map(str.isdecimal, line.text)),
            "like questions": line.role in _ABOVE and _place_of(line) == usual,
            "left out": line.role == LEFT,
            "asks": holds_question(line.text),
        }
    return found


def _place_of(line: SourceLine) -> tuple[str, bool]:
    """Return the mark in front of a line and whether it follows a blank line: how it looks on a page."""
    return shape_of(line), line.has_gap


def blocks_of(questions: Sequence[Question], source: Sequence[SourceLine]) -> dict[int, list[SourceLine]]:
    """Return the lines of each question up to the next one, by its line; those above the first are at 0."""
    starts = {question.line for question in questions}
    blocks: dict[int, list[SourceLine]] = {}
    start = 0
    for line in source:
        start = line.number if line.number in starts else start
        blocks.setdefault(start, []).append(line)
    return blocks


def shape_of(line: SourceLine) -> str:
    """Return the shape of a line's mark; empty without one."""
    return line.mark.shape if line.mark else ""
