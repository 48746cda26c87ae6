"""Signs of a misreading in a layout: what sets a question apart from the others of its text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from django.utils.translation import gettext as _

from surveys.imports.doubts.weights import OWN_ROLES, blocks_of, shape_of
from surveys.imports.drafts.questionnaire import Question, Questionnaire, labels_of, text_of
from surveys.imports.lines.line_guesses import BOX_SIGNS
from surveys.imports.lines.sheets import OWN_CELLS
from surveys.imports.lines.source_lines import (
    ANSWER,
    HEADING,
    INSTRUCTION,
    LEFT,
    QUESTION,
    ROW,
    SCALE,
    SCORING,
    SourceLine,
    answers_of,
    behind_mark,
    is_sentence,
)
from surveys.imports.words.amounts import are_ranges
from surveys.imports.words.cues import ASKS_SEVERAL
from surveys.imports.words.patterns import BETWEEN_CELLS, NUMBER
from surveys.imports.words.question_marks import asks

_SPLITTING: Final = ("line ,", "line  ", "line cells", "line -")
"""Forms of answers on one line that may also be one text."""
_SPACE_IN_BRACKETS: Final = re.compile(r"\s*[(（]\s+[)）]$")
_LINE_TO_WRITE: Final = re.compile(r"[_＿….]{3}\W{0,3}\w{0,8}$")
_FEW_ANSWERS: Final = 2
_FEW_WORDS: Final = 4
"""Most words of a line that may state one limit of a number: *at most 14*."""
_BOX: Final = re.compile(rf"{BOX_SIGNS.pattern}|(?:\|_{{1,3}}){{1,20}}\|")


class Layout:
    """What the questions of a text have in common.

    Parameters
    ----------
    survey : Questionnaire
    source : sequence of SourceLine
        The lines that are not blank, with their roles.
    """

    def __init__(self, survey: Questionnaire, source: Sequence[SourceLine]) -> None:
        self.survey, self.source = survey, source
        self.lines = {line.number: line for line in source}
        asked = [self.lines[each.line] for each in survey.questions if each.line in self.lines]
        self.asked = [line for line in asked if line.role == QUESTION]
        self.is_spaced = self._is_spaced()
        roles = {line.number: line.role for line in source}
        self.rows = [each for each in survey.questions if roles.get(each.line) == ROW]
        shapes = Counter(map(shape_of, self.asked))
        self.main = max(shapes, key=lambda shape: (shapes[shape], bool(shape)), default="")
        scales = [line.number for line in source if line.role == SCALE]
        self.first_scale = min(scales, default=0)
        self.blocks = blocks_of(survey.questions, source)
        self.below = {
            start: [line for line in block if line.role == ANSWER and line.number != start]
            for start, block in self.blocks.items()
        }
        self.forms = Counter(map(self.form_of, survey.questions))
        # Questions with the same answers, in any order, count once.
        listed = {
            frozenset(labels_of(each)): labels_of(each)[-1]
            for each in survey.questions
            if each.options and "table" not in each.flags
        }
        self.last_labels = Counter(listed.values())
        said = any(ASKS_SEVERAL.search(line.text) for line in source if line.role != SCORING)
        self.is_several_lost = said and not any(map(_takes_several, survey.questions))

    def form_of(self, question: Question) -> str:
        """Return the form of a question's answers: their mark, what separates them, or ``plain``."""
        own = self.lines.get(question.line)
        below = self.below.get(question.line, [])
        if own is None or own.role == ROW:
            return ""
        if any(each.line == own.number for each in question.options):
            listed = answers_of(own)
            return f"line {listed.sign}" if listed else ""
        if len(below) == 1 and (listed := answers_of(below[0])):
            return f"line {listed.sign}"
        shapes = {shape_of(line) for line in below}
        if len(shapes) > 1:
            return "mixed"
        return (shapes.pop() or "plain") if shapes else ""

    def clear_signs(self, question: Question) -> Iterator[str]:
        """Yield what sets an answer, or the kind of a question, apart from its siblings."""
        block = self.blocks.get(question.line, [])
        if self.form_of(question) == "mixed":
            yield _("its answers have different letters, boxes or bullets")
        elif _is_last_apart(self.below.get(question.line, [])):
            yield _("its last answer is indented differently; it may be something else")
        if _has_other_boxes(question, block):
            yield _("it has more or fewer answers than boxes")
        if _is_unlisted_pair(question, block):
            yield _("its two answers are not in a list")
        if self._is_odd_row(question):
            yield _("its kind differs from that of the rows above and below it")
        for each in _lines_of_range(question, block):
            yield _("line %(line)s may state its range") % {"line": each.number}
        line = self.lines.get(question.line)
        if line is None or not question.options:
            return
        if ASKS_SEVERAL.search(line.raw) and not _takes_several(question):
            yield _("its line allows several answers, but only one can be chosen")
        if self._allows_several(question.line - 1) and not _takes_several(question):
            yield _("the line above may say that it allows several answers")
        next_line = self.lines.get(question.line + 2)
        is_between = next_line is not None and next_line.role == QUESTION and not next_line.has_gap
        if is_between and self._allows_several(question.line + 1) and len(question.options) > _FEW_ANSWERS:
            yield _("the line below may be about the next question")
        is_shared = line.role == ROW and line.number < self.first_scale
        if is_shared and _LINE_TO_WRITE.search(line.text):
            yield _("a space to write is behind it, but it lists answers")

    def _allows_several(self, number: int) -> bool:
        """Return whether a line is an instruction that allows several answers."""
        line = self.lines.get(number)
        return line is not None and line.role == INSTRUCTION and ASKS_SEVERAL.search(line.raw) is not None

    def weak_signs(self, question: Question) -> Iterator[str]:
        """Yield why the layout of a question does not show how to read it."""
        line = self.lines.get(question.line)
        if line is None:
            return
        form, labels = self.form_of(question), labels_of(question)
        if line.role == QUESTION:
            yield from self._signs_of_mark(line)
        if form == "plain" and not self.is_spaced:
            yield _("its answers have no letters, boxes or bullets")
        if form in _SPLITTING and self.forms[form] < 2 and question.options and not are_ranges(labels):
            yield _("its answers may be one text")
        if any(map(_has_columns, self._answers_alone(question))):
            yield _("one of its answers has columns")
        if _holds_cells(question, line):
            yield _("the question contains several columns")
        if form == "plain" and labels and self.last_labels[labels[-1]] > 1:
            yield _("its last answer also ends the answers of other questions")
        if self.is_several_lost and question.options and "one" not in question.flags:
            yield _("the text allows several answers somewhere, but no question was read that way")

    def _signs_of_mark(self, line: SourceLine) -> Iterator[str]:
        """Yield what the mark of a question lacks."""
        if shape_of(line) != self.main and len(self.asked) > 1:
            yield _("its number or bullet differs from those of the other questions")
        if line.mark is None and not (asks(line.text) or line.is_whole):
            yield _("it has neither a number nor a question mark")

    def _answers_alone(self, question: Question) -> list[SourceLine]:
        """Return the lines below a question that hold one answer each."""
        counts = Counter(option.line for option in question.options)
        return [line for line in self.below.get(question.line, []) if counts[line.number] == 1]

    def _is_odd_row(self, question: Question) -> bool:
        """Whether a row of a table has another kind than the rows above and below it, which share theirs."""
        rows = self.rows
        place = next((at for at, each in enumerate(rows) if each.line == question.line), 0)
        near = rows[place - 1 : place + 2] if place else []
        return len(near) > 2 and near[0].kind == near[2].kind != question.kind

    def _is_spaced(self) -> bool:
        """Whether answers without marks can be told: a gap is above each question, and none within."""
        return all(
            line.has_gap or line is self.asked[0] or line.mark is not None for line in self.asked
        ) and not any(
            line.has_gap or is_sentence(line)
            for line in self.source
            if line.role == ANSWER and line.mark is None
        )


def _is_last_apart(below: Sequence[SourceLine]) -> bool:
    """Return whether the last of several answers is indented differently from the others, which agree."""
    indents = [len(line.raw) - len(line.raw.lstrip()) for line in below]
    return len(indents) > _FEW_ANSWERS and len({*indents[:-1]}) == 1 and indents[-1] != indents[0]


def _has_columns(line: SourceLine) -> bool:
    """Return whether an answer has columns behind its mark; brackets to write in are none."""
    return len(BETWEEN_CELLS.split(_SPACE_IN_BRACKETS.sub("", behind_mark(line)))) > 1


def _takes_several(question: Question) -> bool:
    return bool(question.flags & {"several", "boxes"}) or ASKS_SEVERAL.search(text_of(question)) is not None


def _holds_cells(question: Question, line: SourceLine) -> bool:
    """Return whether a question contains several columns, or is a row of cells without answers."""
    cells = [cell for cell in BETWEEN_CELLS.split(line.raw.strip()) if cell]
    if len(cells) > 1 and " ".join(" ".join(cells[:2]).split()) in text_of(question):
        return True
    is_row_of_cells = line.role != ROW and line.raw.count("|") > 1
    return is_row_of_cells and not (question.options or question.own.get("number"))


def _lines_of_range(question: Question, block: Sequence[SourceLine]) -> list[SourceLine]:
    """Return the lines below a number without a range that hold two numbers, or one and few words."""
    if question.ends or not question.own.get("number"):
        return []
    unused = [line for line in block if line.role in (LEFT, INSTRUCTION, HEADING)]
    pairs = [(line, len(NUMBER.findall(line.text))) for line in unused]
    return [
        line for line, count in pairs if count == 2 or (count == 1 and len(line.text.split()) <= _FEW_WORDS)
    ]


def _is_unlisted_pair(question: Question, block: Sequence[SourceLine]) -> bool:
    """Return whether a question has two answers, which have no points and are not in a list."""
    has_points = any(option.points is not None for option in question.options)
    return len(question.options) == 2 and not (has_points or _are_listed(question, block))


def _are_listed(question: Question, block: Sequence[SourceLine]) -> bool:
    """Return whether each answer is on a line of its own, with a mark, or in a numbered column of its own."""
    if OWN_CELLS in question.flags:
        return True
    marked = {line.number for line in block[1:] if line.mark is not None}
    return len({option.line for option in question.options} & marked) == len(question.options)


def _has_other_boxes(question: Question, block: Sequence[SourceLine]) -> bool:
    """Return whether a question has fewer or more answers than boxes in its lines, if these are several."""
    n_boxes = sum(len(_BOX.findall(line.raw)) for line in block if line.role in OWN_ROLES)
    return n_boxes > 1 and n_boxes != (len(question.options) or 2)
