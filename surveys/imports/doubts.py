"""How doubtful the reading of each question of a pasted text is: a sum of weak signs, none of which decides.

A misread question seldom has a sign of its own kind. It has more signs than others: marks that are left in
its text, a place that differs from the other questions, a reading that changes when the text is read again.
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
from itertools import zip_longest
from typing import Final

from surveys.imports import source_lines
from surveys.imports.leftovers import labels_of, text_of
from surveys.imports.patterns import SPACE_TO_WRITE
from surveys.imports.question_marks import asks
from surveys.imports.questionnaire import Question, Questionnaire
from surveys.imports.rereadings import Differing
from surveys.imports.source_lines import SourceLine

LEAST: Final = -2.6
"""The smallest doubt about a question that is noted: the logarithm of the odds that it was misread."""
LEAST_WITHOUT_REASON: Final = -1.3
"""The smallest doubt about a question that is noted if none of its signs can be said in words."""
LEAST_OF_LINES: Final = -2.8
"""The smallest doubt about a line that is no question; there are more of these, and fewer are misread."""
_FEW, _MANY = 4, 7
_LONG, _SHORT = 35, 12
_MOST_SIGNS: Final = 4
_SHARE: Final = 5
"""Of how many lines one must be uncertain to count fully."""
_TWO_SENTENCES: Final = re.compile(r"[.!?。！？]\s?\S")
_WEIGHTS: Final = {
    "": -1.4,
    "score lost": 2.1,
    "moved": 1.5,
    "doubled": 1.2,
    "mark": -1.2,
    "two answers": 1.2,
    "signs": 1.1,
    "sentences": 1.1,
    "digits": 1.0,
    "brackets": 0.9,
    "yes or no": -0.9,
    "points": -0.8,
    "own kind": -0.3,
    "few questions": -0.6,
    "last": -0.4,
    "uncertain lines": 0.5,
    "own pattern": 0.3,
    "full stop": -0.3,
}
_WEIGHTS_OF_LINES: Final = {
    "": -4.8,
    "among long answers": 3.0,
    "below a bare question": 2.6,
    "changed": 1.5,
    "uncertain": 1.4,
    "uncertain lines": 1.2,
    "answers": 1.1,
    "space": 1.1,
    "many answers": 1.1,
    "short": -1.1,
    "first": -1.0,
    "answer with digits": -1.0,
    "answer with digit first": -1.0,
    "gap below": -0.9,
    "digit first": 0.7,
}


def doubt_of(facts: Mapping[str, float]) -> float:
    """Return the doubt about a question, a logarithm of odds; `LEAST` and above should be checked.

    Parameters
    ----------
    facts : mapping of str to float
        See `facts_of`.
    """
    return sum(_WEIGHTS[name] * value for name, value in facts.items())


def facts_of(
    survey: Questionnaire,
    source: Sequence[SourceLine],
    signs: Sequence[Collection[str]],
    differing: Differing,
    *,
    is_score_lost: bool,
) -> list[dict[str, float]]:
    """Return what is weighed for each question of a survey.

    Parameters
    ----------
    survey : Questionnaire
    source : sequence of SourceLine
        The lines that are not blank, with their roles.
    signs : sequence of collections of str
        The signs of a misreading that each question has.
    differing : tuple of two dict of int to str
        See `rereadings.differing_lines`.
    is_score_lost : bool
        Whether a scoring rule was not understood.

    Returns
    -------
    list of dict of str to float
        By the name of the fact, how much it holds: 0 or 1, a share, or a number of signs.
    """
    questions = survey.questions
    by_line = blocks_of(questions, source)
    blocks = [by_line.get(question.line, []) for question in questions]
    shapes = [shape_of(block[0]) if block else "" for block in blocks]
    patterns = [_pattern(block) for block in blocks]
    n_shapes, n_patterns = Counter(shapes), Counter(patterns)
    n_kinds = Counter(question.kind for question in questions)
    moved, doubled = map(set, differing)
    shared: dict[str, float] = {
        "": 1,
        "score lost": is_score_lost,
        "few questions": len(questions) < _FEW,
        "uncertain lines": _share_uncertain(source),
    }
    with_digits = [any(map(str.isdigit, text_of(question))) for question in questions]
    # Digits in most questions are the text's layout.
    are_digits_rare = len(questions) < _FEW or sum(with_digits) < len(questions) / 2
    found = []
    for question, block, shape, pattern, seen, has_digits in zip(
        questions, blocks, shapes, patterns, signs, with_digits, strict=True
    ):
        text, labels = text_of(question), labels_of(question)
        numbers = {question.line, *(line.number for line in block)}
        own: dict[str, float] = {
            "signs": min(_MOST_SIGNS, len(seen)),
            "moved": bool(numbers & moved),
            "doubled": len(questions) >= _FEW and bool(numbers & doubled),
            "mark": n_shapes[shape] / len(questions),
            "own pattern": n_patterns[pattern] == 1 and len(questions) >= _FEW,
            "own kind": n_kinds[question.kind] == 1 and len(questions) >= _FEW,
            "last": question is questions[-1],
            "two answers": len(labels) == len("ab"),
            "yes or no": question.is_asked and not (labels or question.own.get("number")),
            "points": any(option.points is not None for option in question.options),
            "brackets": any(sign in label for label in labels for sign in "([（【"),
            "sentences": _TWO_SENTENCES.search(text) is not None,
            "full stop": text[-1:] in ".。!！",
            "digits": are_digits_rare and has_digits,
        }
        found.append(shared | own)
    return found


def doubt_of_line(facts: Mapping[str, float]) -> float:
    """Return the doubt about a line that is no question; `LEAST_OF_LINES` and above should be checked.

    Parameters
    ----------
    facts : mapping of str to float
        See `facts_of_lines`.
    """
    return sum(_WEIGHTS_OF_LINES[name] * value for name, value in facts.items())


def facts_of_lines(
    survey: Questionnaire, source: Sequence[SourceLine], differing: Differing
) -> dict[int, dict[str, float]]:
    """Return what is weighed for each line that is no question, by its number.

    Parameters
    ----------
    survey, source, differing
        See `facts_of`.

    Returns
    -------
    dict of int to dict of str to float
        By the name of the fact, how much it holds: 0 or 1, or a share.
    """
    questions = {question.line: question for question in survey.questions}
    share = _share_uncertain(source)
    changed = {*differing[0], *differing[1]}
    found: dict[int, dict[str, float]] = {}
    is_bare = has_long = has_many = False
    for line, below in zip_longest(source, source[1:]):
        if above := questions.get(line.number):
            is_bare = (
                not (line.mark or line.is_whole or asks(line.text)) and line.role == source_lines.QUESTION
            )
            has_long = any(len(label) > _LONG for label in labels_of(above))
            has_many = len(above.options) > _MANY
            continue
        is_answer = line.role == source_lines.ANSWER
        found[line.number] = {
            "": 1,
            "uncertain": not line.is_certain,
            "uncertain lines": share,
            "changed": line.number in changed,
            "first": line is source[0],
            "short": len(line.text) < _SHORT,
            "gap below": below is None or below.has_gap,
            "answers": source_lines.answers_of(line) is not None,
            "space": SPACE_TO_WRITE.search(line.text) is not None,
            "digit first": line.text[:1].isdecimal(),
            "below a bare question": is_bare,
            "among long answers": is_answer and has_long,
            "many answers": has_many,
            "answer with digits": is_answer and any(map(str.isdecimal, line.text)),
            "answer with digit first": is_answer and line.text[:1].isdecimal(),
        }
    return found


def _share_uncertain(source: Sequence[SourceLine]) -> float:
    n_uncertain = sum(not line.is_certain for line in source)
    return min(1, _SHARE * n_uncertain / max(1, len(source)))


def blocks_of(questions: Sequence[Question], source: Sequence[SourceLine]) -> dict[int, list[SourceLine]]:
    """Return the lines of each question up to the next one, by its line; at 0 those above the first."""
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


def _pattern(block: Sequence[SourceLine]) -> tuple[str, ...]:
    """Return the roles of a block's lines, each run once, up to the last answer or space to write."""
    ends = (source_lines.HEADING, source_lines.HELP, source_lines.LEFT, source_lines.INTRODUCTION)
    roles = [line.role for line in block]
    while roles and roles[-1] in ends:
        roles.pop()
    return tuple(role for place, role in enumerate(roles) if not place or roles[place - 1] != role)
