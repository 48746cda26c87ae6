"""The questions that a line names by their numbers: to limit who is asked them, or because they decide."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from surveys.imports.lines.skips import CODED_ANSWER, NUMBER_NAMED, STATED_ANSWER, with_digits
from surveys.imports.lines.source_lines import SourceLine
from surveys.imports.words.cues import CONDITION, pattern_within, says_how_many
from surveys.imports.words.limits import FOR_SOME, is_for_some
from surveys.imports.words.patterns import HAN, TO

_NEAR: Final = 8
_BETWEEN: Final = 6
"""Characters between two numbers of one list."""
_CLAUSES: Final = re.compile(
    r"[;；。]|[,，](?=\s?第?\d{1,3}[^,，]{0,9}[题題])|(?<=[^\W\d_]{2})[.](?=\s|$)|(?<=[)）])[.]"
)
_IF: Final = pattern_within("if")
_ONLY: Final = pattern_within("only")
_RANGE: Final = re.compile(rf"\s?{TO}\s?", re.IGNORECASE)


@dataclass(frozen=True)
class Asked:
    """A question, and the answers that were read so far."""

    line: SourceLine
    answers: list[str]


def clauses_about(text: str, asked: Mapping[str, Asked]) -> list[tuple[str, list[Asked]]]:
    """Return the clauses of a line that limit who is asked questions above it, with these questions.

    Parameters
    ----------
    text : str
    asked : mapping of str to Asked
        By their numbers.
    """
    found = ((clause.strip(), _concerned(clause, asked)) for clause in _CLAUSES.split(with_digits(text)))
    return [(clause, questions) for clause, questions in found if questions]


@dataclass
class _Named:
    """Numbers that follow one another: *3 and 4*, *4 to 6*."""

    questions: list[Asked]
    start: int
    end: int
    decides: bool = False
    """Whether the text names one of its answers."""


def _concerned(text: str, asked: Mapping[str, Asked]) -> list[Asked]:
    """Return the questions that a clause limits: all that it names without an answer, except the decider."""
    says_only = _ONLY.search(text) is not None and not says_how_many(text)
    if not (says_only or is_for_some(text) or CONDITION.search(f"{text}:")):
        return []
    text = CODED_ANSWER.sub("=", text)
    groups = list(_groups(text, asked))
    others = [group for group in groups if not group.decides]
    if len(groups) == 1 and _is_decider(text, groups[0]):
        return []
    if len(groups) > 1 and len(others) == len(groups):
        first = min(each.line.number for group in groups for each in group.questions)
        others = [group for group in groups if all(each.line.number > first for each in group.questions)]
    return [each for group in others for each in group.questions]


def _is_decider(text: str, group: _Named) -> bool:
    """Return whether the only questions that a clause names decide: *if …, question 1*, *depends on 1*."""
    before = text[: group.start]
    begins = FOR_SOME.match(text[: group.end + 2]) is not None and FOR_SOME.match(before) is None
    labels = [label for question in group.questions for label in question.answers]
    names_answer = STATED_ANSWER.search(text) is not None or any(holds(text.lower(), each) for each in labels)
    return begins or names_answer or _IF.search(f"{before}:") is not None


def _groups(text: str, asked: Mapping[str, Asked]) -> Iterator[_Named]:
    """Yield the numbers in a text that name questions, in groups; a range names all between its ends."""
    open_group: _Named | None = None
    for code in NUMBER_NAMED.finditer(text):
        question = named_by(code, asked)
        if question is None:
            continue
        behind = text[code.end() : code.end() + _NEAR].lower()
        decides = bool(STATED_ANSWER.search(behind)) or any(holds(behind, each) for each in question.answers)
        gap = text[open_group.end : code.start("number")] if open_group else ""
        if open_group and len(gap) <= _BETWEEN and not decides:
            is_range = _RANGE.fullmatch(gap.removesuffix(code["word"])) is not None
            open_group.questions += (
                _through(open_group.questions[-1], question, asked) if is_range else [question]
            )
            open_group.end = code.end()
            continue
        if open_group:
            yield open_group
        open_group = _Named([question], code.start(), code.end(), decides)
    if open_group:
        yield open_group


def _through(first: Asked, last: Asked, asked: Mapping[str, Asked]) -> Sequence[Asked]:
    """Return the questions behind one up to another."""
    by_line = {each.line.number: each for each in asked.values()}
    return [by_line[line] for line in sorted(by_line) if first.line.number < line <= last.line.number]


def holds(words: str, label: str) -> bool:
    """Return whether words in small letters contain an answer, not only as a part of a word.

    >>> holds("if yes at 1", "Yes"), holds("rate the governor", "No")
    (True, False)
    """
    label = label.lower()
    if HAN.search(label):
        return len(label) > 1 and label in words
    return len(label) > 1 and re.search(rf"(?<!\w){re.escape(label)}(?!\w)", words) is not None


def named_by(code: re.Match[str], asked: Mapping[str, Asked]) -> Asked | None:
    """Return the question whose number a text names, with or without the letters in front of it."""
    return asked.get((code["word"] + code["number"]).lower()) or asked.get(code["number"])


def stated_by(text: str, asked: Mapping[str, Asked]) -> Asked | None:
    """Return the question of which a text names the number and an answer."""
    for match in NUMBER_NAMED.finditer(text):
        named = named_by(match, asked)
        words = text.lower()
        if named and (STATED_ANSWER.search(text) or any(holds(words, label) for label in named.answers)):
            return named
    return None
