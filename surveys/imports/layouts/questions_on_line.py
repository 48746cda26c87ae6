"""Several questions on one line, as on paper: *Age: ___ years     Sex: ☐ m ☐ f*.

A line is one question for all later steps and for the page on which its reading is corrected. Where blank
lines are next to it, the others move there; else they are left out, and a note names them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from django.utils.translation import gettext as _

from surveys.imports.drafts.questionnaire import LOST, Questionnaire
from surveys.imports.lines.source_lines import split_space
from surveys.imports.words.answers_on_line import answers_on
from surveys.imports.words.cues import says_yes
from surveys.imports.words.marks import mark_of
from surveys.imports.words.question_marks import holds_question

_GAP: Final = re.compile(r"\s*\t\s*| {2,}")
_NEXT_NUMBER: Final = re.compile(r"\s(?P<number>\d{1,2})[.)]\s?(?=[^\W\d_])")
_BEGINS: Final = re.compile(r"[^\W\d_][^_:：?？☐○\[\t]{1,90}[:：?？](?=\s|_|\.|$)")
"""The words of a question up to its question mark or colon."""
_NEXT_FIELD: Final = re.compile(
    r"(?:_{2,60}|\.{4,60})(?:\s?[^\W\d_]{1,9}\.?)?\s{2,60}(?=[^\W\d_][^_.:：]{1,60}[:：]?\s?(?:__|\.{4}))"
)
"""A write-in space and its unit, before another field of a form."""
_LABELLED: Final = re.compile(r"\s?\d{1,2}[.)]\s?[^\W\d_][^\d:：?？]{0,30}[:：]\s{0,9}\S")
"""A number, a label and what is behind its colon."""
_SPACE: Final = re.compile(r"__|\.{3}|…")


def separate_questions(lines: Sequence[str]) -> list[str]:
    """Write the questions of one line on the blank lines around it; without these, keep the first one.

    Parameters
    ----------
    lines : sequence of str

    Examples
    --------
    >>> separate_questions(["1. Ill? Y / N    2. Sad? Y / N", "", "3. Well? Y / N    4. Glad? Y / N"])
    ['1. Ill? Y / N', '2. Sad? Y / N', '3. Well? Y / N']
    """
    return _separated(lines)[0]


def note_lost_questions(survey: Questionnaire, lines: Sequence[str]) -> None:
    """Note the questions that are left out because they share the line of another one.

    Parameters
    ----------
    survey : Questionnaire
    lines : sequence of str
        All lines of the text.
    """
    for place, pieces in _separated(lines)[1].items():
        survey.note(
            place + 1,
            _("only the first question of this line is read; this is left out: %(rest)s")
            % {"rest": " … ".join(pieces)},
            _("write each question on a line of its own"),
            effect=LOST,
        )


def _separated(lines: Sequence[str]) -> tuple[list[str], dict[int, list[str]]]:
    """Return lines with one question each, and by place what is left out for want of blank lines."""
    found, lost = list(lines), dict[int, list[str]]()
    opening_end = next((place for place, line in enumerate(lines) if not line.strip()), len(lines))
    for place, line in enumerate(lines):
        free = _room(found, place)
        pieces = _questions_on(line)
        if len(pieces) > len(free):
            found[place], *lost[place] = pieces
            continue
        if len(pieces) < 2 and place > opening_end:
            pieces = _fields_on(line)
        if 1 < len(pieces) <= len(free):
            for at, piece in zip(free[-len(pieces) :], pieces, strict=True):
                found[at] = piece
    return found, lost


def _fields_on(line: str) -> list[str]:
    """Return the fields of a line that holds no question: *Weight: ___ kg     Height: ___ cm*.

    Yes and no in front of lines to tick are answers.

    >>> _fields_on("Weight: ____ kg     Height: ____ cm"), _fields_on("Yes ____  No ____")
    (['Weight: ____ kg', 'Height: ____ cm'], ['Yes ____  No ____'])
    """
    found = [] if holds_question(line) else _NEXT_FIELD.finditer(line)
    cuts = [0, *(gap.end() for gap in found), len(line)]
    pieces = [line[start:end].strip() for start, end in pairwise(cuts)]
    are_answers = any(says_yes(_SPACE.split(piece)[0].strip(" :.")) is not None for piece in pieces)
    return [line] if are_answers else pieces


def _room(lines: Sequence[str], place: int) -> list[int]:
    """Return the places of a line and of the blank lines next to it."""
    near = (place - 1, place, place + 1)
    return [at for at in near if at == place or (0 <= at < len(lines) and not lines[at].strip())]


def _questions_on(line: str) -> list[str]:
    """Return the questions of a line, each with its answers or its space to write; one piece if it has one.

    >>> _questions_on("Age: ____ years     Sex: ☐ m ☐ f")
    ['Age: ____ years', 'Sex: ☐ m ☐ f']
    >>> _questions_on("How often?     never: ☐     often: ☐")
    ['How often?     never: ☐     often: ☐']
    """
    text = line.strip()
    indent = line[: len(line) - len(line.lstrip())]
    if not (_GAP.search(text) or _NEXT_NUMBER.search(text)):
        return [line]
    cuts = [*_numbered_cuts(text)] or [*_labelled_cuts(text)]
    pieces = [text[start:end].strip() for start, end in pairwise([0, *cuts, len(text)])]
    # Fields with nothing but a space may be about the sheet: name and date.
    has_answers = holds_question(text) or any(answers_on(piece) for piece in pieces)
    has_label = any(map(_LABELLED.match, pieces))
    is_cut = bool(cuts) and ((_is_whole(pieces[-1]) and has_answers) or has_label)
    return [indent + pieces[0], *pieces[1:]] if is_cut else [line]


def _numbered_cuts(text: str) -> list[int]:
    """Return where the next numbers begin, if a line begins with one and each of its parts asks."""
    mark = mark_of(" ".join(text.split()))[0]
    if mark is None or not mark.is_number or len(mark.value) < 2:
        return []
    cuts, number, start = list[int](), mark.value[1], 0
    for match in _NEXT_NUMBER.finditer(text):
        if int(match["number"]) == number + 1 and _is_numbered(text[start : match.start()]):
            number, start = number + 1, match.start() + 1
            cuts.append(start)
    return cuts if _is_numbered(text[start:]) else []


def _is_numbered(text: str) -> bool:
    """Return whether a numbered text asks, or has a label in front of its answers or its space to write."""
    return holds_question(text) or _LABELLED.match(text) is not None


def _labelled_cuts(text: str) -> list[int]:
    """Return where further questions begin behind wide blanks, each in front of its space or its answers."""
    cuts, start = list[int](), 0
    for gap in _GAP.finditer(text):
        mark, body = mark_of(" ".join(text[gap.end() :].split()))
        is_answer = mark is not None and mark.kind == "sign"
        begins = _BEGINS.match(body) is not None and not (is_answer or body[0].islower())
        if begins and _is_whole(text[start : gap.start()]):
            start = gap.end()
            cuts.append(start)
    return cuts


def _is_whole(text: str) -> bool:
    """Return whether a text is a question with its answers, or with a space to write."""
    label = re.split("[:：?？]", text, maxsplit=1)
    listed = answers_on(text) if len(label) > 1 else None
    return (listed is not None and bool(listed.before)) or (
        len(label) > 1 and split_space(text) is not None and _SPACE.search(label[1]) is not None
    )
