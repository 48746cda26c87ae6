"""Answers that a text explains elsewhere: letters, numbers, doubled labels."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from surveys.imports.drafts.questionnaire import Questionnaire, labels_of
from surveys.imports.lines.source_lines import (
    ROW,
    SCALE,
    SourceLine,
)
from surveys.imports.lines.used_lines import drop_questions, use_lines
from surveys.imports.words.cues import TRUE_FALSE
from surveys.imports.words.legends import legend_of
from surveys.imports.words.runs import repeats

_WORDS_ONLY: Final = re.compile(r"[\s=＝:：–—-]{1,5}")
"""Blanks, or a sign between a letter and what it means."""
_CODE: Final = re.compile(r"[A-ZА-Я]{1,3}")
_WORD: Final = re.compile(r"[^\W\d_]{1,12}")
LEAST_PLAIN: Final = 3


def name_answers(survey: Questionnaire, lines: Sequence[SourceLine]) -> None:
    """Write out answers that are only letters or signs which a line explains: *S (sim), N (não)*."""
    _name_doubles(survey, lines)
    names, line_of = _explained_letters(lines)
    used: set[int] = set()
    for question in survey.questions if names else ():
        texts = [text for option in question.options for text in option.texts.values()]
        named = [text for text in texts if text in names]
        # A code may lack an explanation: *DK*.
        if named and all(text in names or (len(named) > 1 and _CODE.fullmatch(text)) for text in texts):
            used |= {line_of[text] for text in named}
            for option in question.options:
                option.texts = {tag: names.get(text, text) for tag, text in option.texts.items()}
    use_lines(survey, lines, used, SCALE)
    pairs = tuple(f"{key} {label}" for key, label in names.items())
    explaining = {
        question.line
        for question in survey.questions
        if question.line in used
        and question.options
        and all(_WORDS_ONLY.sub(" ", text) in pairs for text in labels_of(question))
    }
    drop_questions(survey, lines, explaining, SCALE)


def _explained_letters(lines: Sequence[SourceLine]) -> tuple[dict[str, str], dict[str, int]]:
    """Return the words for letters and signs, from legends and from *true or false*, and their lines."""
    names: dict[str, str] = {}
    line_of: dict[str, int] = {}
    for line in lines:
        if line.role == ROW:
            continue
        legend = legend_of(line.text)
        if legend and legend.keys and not all(map(str.isdecimal, legend.keys)):
            names |= dict(zip(legend.keys, legend.labels, strict=True))
            line_of |= dict.fromkeys(legend.keys, line.number)
        for one, other in _opposite_words(line.text):
            letters = one[0].upper(), other[0].upper()
            names = dict(zip(letters, (one, other), strict=True)) | names
            line_of = dict.fromkeys(letters, line.number) | line_of
    return names, line_of


def _opposite_words(text: str) -> Iterator[tuple[str, str]]:
    """Yield words for true and false near each other that begin with different letters."""
    words = _WORD.findall(text)
    for place, one in enumerate(words):
        for other in words[place + 1 : place + 4] if TRUE_FALSE.fullmatch(one) else ():
            if TRUE_FALSE.fullmatch(other) and one[0].upper() != other[0].upper():
                yield one, other


def name_numbers(survey: Questionnaire, lines: Sequence[SourceLine]) -> None:
    """Write out answers that are only numbers explained by a line; do not read this line as a question."""
    legends = {
        legend.keys: (legend, line.number)
        for line in lines
        if line.role != ROW and (legend := legend_of(line.text)) and len(legend.points) >= LEAST_PLAIN
    }
    asked: set[int] = set()
    for question in survey.questions:
        texts = labels_of(question)
        legend, number = legends.get(texts, (None, 0))
        if legend is not None and number != question.line:
            for option, label, points in zip(question.options, legend.labels, legend.points, strict=True):
                option.texts, option.points = dict.fromkeys(option.texts, label), points
            question.flags -= {"rating"}
            asked.add(number)
    drop_questions(survey, lines, asked, SCALE)


def _name_doubles(survey: Questionnaire, lines: Sequence[SourceLine]) -> None:
    """If two answers have the same text, name all of them as a line explains their points."""
    legends: dict[tuple[int, ...], tuple[Sequence[str], int]] = {}
    for question in survey.questions:
        texts = labels_of(question)
        points = tuple(option.points for option in question.options if option.points is not None)
        if not repeats(texts) or len(points) < len(texts):
            continue
        legends = legends or {
            legend.points: (legend.labels, line.number)
            for line in lines
            if line.role != ROW and (legend := legend_of(line.text)) and legend.points
        }
        if stated := legends.get(points):
            use_lines(survey, lines, {stated[1]}, SCALE)
            for option, label in zip(question.options, stated[0], strict=False):
                option.texts = dict.fromkeys(option.texts, label)
