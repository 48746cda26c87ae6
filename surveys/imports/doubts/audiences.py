"""Questions that perhaps only some people are asked, although no condition was read for them.

A condition or a jump that was not understood concerns all questions behind it, not only the next one.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from surveys.imports.conditions.unread_conditions import unread_conditions
from surveys.imports.doubts.leftovers import has_instruction
from surveys.imports.drafts.questionnaire import Questionnaire, labels_of
from surveys.imports.lines import source_lines
from surveys.imports.lines.skips import codes_before
from surveys.imports.lines.source_lines import SourceLine
from surveys.imports.roles.outline import SKIPPED
from surveys.imports.words.cues import LEADS_ON, speaks_of_condition

_CLAUSES: Final = re.compile(r"[,，:：;；(（]|(?<=\s)[–—]\s")
"""What separates the clauses of a question."""
_CODE: Final = re.compile(r"\w{1,4}")


@dataclass(frozen=True)
class Audiences:
    """Doubts about who is asked the questions of a text.

    Parameters
    ----------
    limited : mapping of int to int
        By the line of a question, the line that may say that only some people are asked it.
    stated : collection of int
        Lines of questions without a condition, although a clause in their own lines may state one.
    near : collection of int
        These, and questions after one that only some people are asked.
    """

    limited: Mapping[int, int]
    stated: Collection[int]
    near: Collection[int]


def audiences_of(
    survey: Questionnaire,
    text_lines: Sequence[str],
    source: Sequence[SourceLine],
    blocks: Mapping[int, Sequence[SourceLine]],
) -> Audiences:
    """Return the doubts about who is asked the questions of a text.

    Parameters
    ----------
    survey : Questionnaire
    text_lines : sequence of str
        All lines of the text.
    source : sequence of SourceLine
        Those that are not blank, with their roles.
    blocks : mapping of int to sequence of SourceLine
        See `weights.blocks_of`.
    """
    known = {question.line for question in survey.questions if question.condition}
    known |= {line for note in survey.notes if note.asks == "keep" for line in (note.line, note.target)}
    limited = _up_to_ends(survey, source, unread_conditions(survey, text_lines, source), known)
    asked_some = {*known, *limited}
    ended = {
        line.number
        for block in blocks.values()
        for line in block
        if line.conditions and all(each.is_behind for each in line.conditions)
    }
    stated, near, is_near = set(), set(), any(map(_speaks, blocks.get(0, [])))
    for question in survey.questions:
        speaks = any(map(_speaks, blocks.get(question.line, [])))
        is_known = question.line in asked_some
        if not is_known and speaks:
            stated.add(question.line)
        if not is_known and (speaks or is_near):
            near.add(question.line)
        # Instructions after answers limit the audience up to the question to which they lead.
        is_near = speaks or (is_known and question.line not in ended)
    return Audiences(limited=limited, stated=stated, near=near)


def _up_to_ends(
    survey: Questionnaire, source: Sequence[SourceLine], limited: Mapping[int, int], known: Collection[int]
) -> dict[int, int]:
    """Return limited questions, and those after them up to a heading, a gap or the end that a jump names."""
    asked = {question.line for question in survey.questions}
    lines = {line.number: line for line in source}
    unused = {note.line for note in survey.notes if note.cause == SKIPPED}
    unused |= {each.line for each in survey.questions if _has_jump(labels_of(each))}
    n_apart = sum(line.has_gap for line in source if line.number in asked)
    found = dict(limited)
    stated = 0
    for line in source:
        if line.role == source_lines.HEADING:
            stated = 0
        if line.number in asked:
            is_apart = line.has_gap and 2 * n_apart < len(asked)
            codes = {*codes_before(line), *_CODE.findall(line.text[: -len(line.body) or None].lower())}
            if stated and (is_apart or not codes.isdisjoint(_codes_in(lines.get(stated)))):
                stated = 0
            if line.number in limited:
                own = limited[line.number]
                stated = own if own != line.number or LEADS_ON.search(line.text) else stated
            elif stated and line.number not in known:
                found[line.number] = stated
        if line.number in unused:
            stated = line.number
    return found


def _has_jump(labels: Sequence[str]) -> bool:
    """Return whether the words of an instruction were left in an answer."""
    return has_instruction(labels) or any(map(LEADS_ON.search, labels))


def _codes_in(line: SourceLine | None) -> set[str]:
    """Return the numbers in a line, and its last word, either of which may name a question."""
    words = _CODE.findall(line.body.lower()) if line else []
    return {*words[-1:], *filter(str.isdecimal, words)}


def _speaks(line: SourceLine) -> bool:
    """Return whether a line may say who is asked; a question does so in one of its clauses."""
    if line.role == source_lines.SCORING:
        return False
    is_one = line.role == source_lines.QUESTION and len(_CLAUSES.split(line.body)) == 1
    return not is_one and speaks_of_condition(line.text)
