"""Signs that a question of a pasted text was misread, each noted at its line.

The reader decides by structure, and some layouts it cannot know. What it leaves in a text shows it: a number
in front of a question, a question among answers, percentages behind them. These checks need no words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from django.utils.translation import gettext as _

from surveys.imports import source_lines
from surveys.imports.questionnaire import UNCERTAIN, Question, Questionnaire

MISREAD: Final = "misread"
"""The cause of these notes."""
_NUMBER_BEFORE: Final = re.compile(r"[\W_]*(?:[A-Z]{0,3}\d{1,4}\s?[\W_]|\d{1,4}\s)")
_DOTS: Final = ("…", "...")
_BRACKET_BEFORE: Final = re.compile(r"[(（\[【][^()（）\[\]【】]{2,60}[)）\]】]")
_CODE: Final = re.compile(r"[A-Za-z]{0,3}\d{1,3}[._]\d{1,3}\b")
_FIGURE_BEHIND: Final = re.compile(
    r"\S\s{0,3}(?:\d[\d.,]{0,8}\s?%|[(（\[]\s?-?\d[^()（）\[\]]{0,12}[)）\]])\W{0,2}$"
)
_NUMBER: Final = re.compile(r"(?<![\w.,])\d{1,4}(?![\w.,]|\s?[.)]\s)")
_SPACE: Final = re.compile(r"[_＿]{3,200}|\.{6,200}|…{2,200}")
_COMMAS: Final = str.maketrans("，،、", ",,,")
_ASKS: Final = re.compile(r"[?？؟]")
_ALL_CAPITALS: Final = 6
"""Letters from which an answer in capitals stands out among others."""
_EXPLAINING: Final = (source_lines.INTRODUCTION, source_lines.HELP, source_lines.INSTRUCTION)
_STATED: Final = re.compile(r"[(（=＝]\s?\d{1,3}(?!\d)")
"""A number that a line states for an answer: *never (0)*, *often = 2*."""
_SHORT: Final = 2
"""Letters that an abbreviation has."""


def note_misreadings(survey: Questionnaire, text_lines: Sequence[str]) -> None:
    """Note the questions whose texts or answers look misread, unless their lines are noted already.

    Parameters
    ----------
    survey : Questionnaire
        Its questions have their kinds.
    text_lines : sequence of str
        All lines of the text.
    """
    lists = [_labels(question) for question in survey.questions]
    uncertain = {each.line for each in survey.lines if not each.is_certain}
    above = [text_lines[each.line - 1] for each in survey.lines if each.role in _EXPLAINING]
    are_points_lost = any(len(_STATED.findall(line)) > 1 for line in above) and not any(
        question.points or any(option.points is not None for option in question.options)
        for question in survey.questions
    )
    last_line = max((number for number, line in enumerate(text_lines, start=1) if line.strip()), default=0)
    for question, labels in zip(survey.questions, lists, strict=True):
        line = text_lines[question.line - 1] if 0 < question.line <= len(text_lines) else ""
        signs = [*_signs(question, line)]
        if are_points_lost and question.is_asked:
            signs.append(_("a line above it states points"))
        if question is survey.questions[-1] and _closes(question, text_lines, last_line):
            signs.append(_("its answers may be the end of the text"))
        if odd := next((label for label in labels if _ends_another(label, labels, lists)), ""):
            signs.append(_("“%(answer)s” also ends the answers of another question") % {"answer": odd})
        for sign in signs[:1]:
            _note(survey, question.line, sign)
        are_items = any(map(_is_item, labels)) or (
            question.line in uncertain and next(iter(question.texts.values()), "")[-1:] in ":："
        )
        if are_items:
            for own in dict.fromkeys(option.line for option in question.options):
                _note(survey, own, _("this answer may be a question of its own"))


def _note(survey: Questionnaire, line: int, sign: str) -> None:
    survey.note(
        line,
        _("check how this line was read: %(sign)s") % {"sign": sign},
        _("correct it in its row, or choose other roles for its lines"),
        effect=UNCERTAIN,
        cause=MISREAD,
    )


def _closes(question: Question, lines: Sequence[str], last: int) -> bool:
    """Whether all answers of a question are parts of the last line: a greeting, *Kind regards, Ada*."""
    places = {option.line for option in question.options}
    return places == {last} and question.line != last and "," in (lines[last - 1].translate(_COMMAS))


def _ends_another(label: str, labels: Sequence[str], lists: Sequence[Sequence[str]]) -> bool:
    """Whether an answer is the last of one question and within another list: *Back* or *Continue*."""
    others = [each for each in lists if label in each[1:] and each != labels]
    return label in labels[1:] and any((each[-1] == label) != (labels[-1] == label) for each in others)


def _is_item(label: str) -> bool:
    return bool(_ASKS.search(label) or label.startswith(_DOTS) or _CODE.match(label))


def _labels(question: Question) -> tuple[str, ...]:
    return tuple(next(iter(option.texts.values()), "") for option in question.options)


def _signs(question: Question, line: str) -> Iterator[str]:
    """Yield what looks misread in a question."""
    text, labels = next(iter(question.texts.values()), ""), _labels(question)
    if _NUMBER_BEFORE.match(text) or text[:1] in "*#":
        yield _("its text begins with a number or a sign")
    if text.startswith(_DOTS) or text.endswith(_DOTS):
        yield _("its text is incomplete")
    if _BRACKET_BEFORE.match(text):
        yield _("a remark is in front of it")
    if any(map(_is_item, labels)):
        yield _("its answers may be questions of their own")
    if (
        labels
        and all(map(str.isdecimal, labels))
        and all(each.line == question.line for each in question.options)
    ):
        yield _("its answers are numbers only")
    if len(_SPACE.findall(line)) > 1:
        yield _("its line has several spaces to write")
    if len(labels) > 1 and sum(map(bool, map(_FIGURE_BEHIND.search, labels))) > 1:
        yield _("numbers are behind its answers")
    if _are_marked(labels):
        yield _("all its answers begin with the same sign")
    if len(labels) > 1 and all(
        len(label) <= _SHORT and label.isalpha() and label.isascii() for label in labels
    ):
        yield _("its answers are abbreviations")
    if any(_stands_out(label, labels) for label in labels):
        yield _("one of its answers may be an instruction")
    number = question.own.get("number", {})
    digits = {*map(int, _NUMBER.findall(line))}
    if "low" in number and len(digits) > 1 and not {number["low"], number["high"]} <= digits:
        yield _("its line contains other numbers than its range")


def _are_marked(labels: Sequence[str]) -> bool:
    """Whether all answers begin with the same single sign and a blank, or with letters that count up."""
    if len(labels) < 2 or not all(len(label) > 2 and label[1] == " " for label in labels):
        return False
    first = {label[0] for label in labels}
    return len(first) == 1 or (len(first) == len(labels) and not any(map(str.isdecimal, first)))


def _stands_out(label: str, labels: Sequence[str]) -> bool:
    """Whether an answer is in capitals, and others are not."""
    is_shouted = label.isupper() and sum(map(str.isalpha, label)) >= _ALL_CAPITALS
    return is_shouted and any(other.islower() for other in labels)
