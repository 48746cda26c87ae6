"""What each shape of mark stands for: questions, answers or headings, by the places where it recurs.

Numbers that rise through the text count questions; letters that begin anew below each question are answers.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from surveys.imports.lines.source_lines import (
    ANSWER,
    HEADING,
    LEFT,
    QUESTION,
    ROW,
    SCORING,
    SourceLine,
    answers_of,
    continues,
    split_space,
)
from surveys.imports.words.amounts import BRACKETED_POINTS, have_one_unit
from surveys.imports.words.answers_on_line import BOX, answers_on
from surveys.imports.words.marks import ROMAN_VALUES, Mark, mark_of
from surveys.imports.words.question_marks import asks, holds_question

_BEHIND: Final = 16
"""Characters at the end of a line that may hold points."""
_MIXED: Final = "mixed"
"""Role of a shape that counts questions and answers."""


@dataclass(frozen=True, kw_only=True)
class _Around:
    """What the other lines of a text show about a shape.

    Parameters
    ----------
    n_asking : int
        Shapes of numbers with lines that ask.
    n_unmarked : int
        Lines without a mark that ask.
    row_names : set of str
        Shapes of the rows of tables.
    """

    n_asking: int
    n_unmarked: int
    row_names: set[str]


class _Shape:
    """The lines of one shape of mark."""

    def __init__(self, places: list[int], lines: Sequence[SourceLine]) -> None:
        self.places, self.lines = places, lines
        marks = [lines[place].mark for place in places]
        self.kind = marks[0].kind if marks[0] else ""
        self.name = marks[0].shape if marks[0] else ""
        self.values = [mark.value for mark in marks if mark]
        self.n_restarts = sum(first >= second for first, second in pairwise(self.values))
        self.n_chained = sum(
            (after - before == 1 or (after - before == 2 and continues(lines[before + 1])))
            and (self.kind == "sign" or first < second)
            for (before, after), (first, second) in zip(pairwise(places), pairwise(self.values), strict=True)
        )
        self.n_asking = sum(map(_is_asked, (lines[place] for place in places)))
        listing = (_is_asked(lines[place]) or _lists_answers(lines[place]) for place in places)
        self.n_asking_or_listing = sum(listing) if self.n_asking else 0

    @property
    def n_runs(self) -> int:
        return len(self.places) - self.n_chained

    def is_below_asking(self) -> bool:
        """Return whether each run of its lines is directly below a line that asks."""
        own = {*self.places}
        return all(
            place - 1 in own or (place and _is_asked(self.lines[place - 1])) for place in self.places
        ) and any(place - 1 in own for place in self.places)

    def have_points(self) -> bool:
        """Return whether points are behind each of its lines, which may be thoughts that ask."""
        return all(BRACKETED_POINTS.search(self.lines[place].text[-_BEHIND:]) for place in self.places)

    def below(self) -> list[int]:
        """Return the places directly below its lines."""
        return [place + 1 for place in self.places if place + 1 < len(self.lines)]


def _is_asked(line: SourceLine) -> bool:
    """Return whether a line asks, possibly with its own answers behind the question mark."""
    if asks(line.text) or not holds_question(line.text):
        return asks(line.text)
    listed, space = answers_of(line), split_space(line.text)
    return (listed is not None and asks(listed.before)) or (space is not None and asks(space[0]))


def _lists_answers(line: SourceLine) -> bool:
    """Return whether a line lists at least three answers, with or without their question in front."""
    listed = answers_of(line)
    return listed is not None and len(listed.labels) > len("ab")


def _is_form(line: SourceLine) -> bool:
    """Return whether a line ends with a colon, or has answers or a space to write behind one."""
    _label, colon, rest = line.text.replace("：", ":").partition(":")
    listed = answers_of(line) if rest.strip() else None
    return bool(colon) and (not rest.strip() or (listed is not None and bool(listed.before)))


def read_shapes(lines: Sequence[SourceLine]) -> None:
    """Give the lines with marks their roles, by where each shape recurs."""
    # Page numbers and rules interrupt no list.
    lines = [line for line in lines if line.role != LEFT]
    _read_centred_titles(lines)
    _read_indents(lines)
    shapes = _shapes_of(lines)
    _leave_footer(lines)
    around = _Around(
        n_asking=sum(shape.kind == "count" and shape.n_asking > 0 for shape in shapes.values()),
        n_unmarked=sum(asks(line.text) for line in lines if not line.mark),
        row_names={line.mark_shape for line in lines if line.role == ROW and line.mark},
    )
    roles = {name: _role_of(shape, around) for name, shape in shapes.items()}
    _nest_signs(shapes, roles)
    _find_headings(shapes, roles, lines)
    _read_boxes(lines)
    _give_roles(lines, roles)


def _read_centred_titles(lines: Sequence[SourceLine]) -> None:
    """Take the indent of the first lines for that of a centred title, not for a mark."""
    for line in lines:
        if line.role or line.mark_shape != "indent":
            break
        line.mark, line.body = None, line.text


def _read_boxes(lines: Sequence[SourceLine]) -> None:
    """Find lines of several answers, each after its box or number, or before a short blank."""
    for line in lines:
        text = line.raw.strip()
        if line.role or (line.mark and line.mark_kind != "count"):
            continue
        if line.mark:
            listed = answers_on(line.text)
            first = line.mark.value[1] if len(line.mark.value) > 1 else -1
            is_list = listed is not None and listed.points == (*range(first, first + len(listed.labels)),)
        elif BOX.match(text) or text.endswith("_"):
            listed = answers_of(line)
            is_list = listed is not None and listed.sign == "box"
        else:
            continue
        line.role = ANSWER if listed and is_list and not listed.before else ""


def _give_roles(lines: Sequence[SourceLine], roles: Mapping[str, str]) -> None:
    """Give each line with a mark the role of its shape, and drop the marks of shapes without a role."""
    counted = 0
    answer: Mark | None = None
    row: Mark | None = None
    for line in lines:
        if line.mark is None or line.role:
            answer = None if line.role == ROW else answer
            row = line.mark if line.role == ROW else row
            continue
        role = roles.get(line.mark_shape, "")
        if role == _MIXED:
            role = _role_in_mixed(line, line.mark, counted, answer)
        if not role and row and row.shape == line.mark.shape and row.value < line.mark.value:
            # It may go on with the rows above it.
            role = QUESTION if _is_asked(line) or _is_form(line) else ""
        if not role:
            line.mark, line.body = None, line.text
            continue
        if role == QUESTION:
            counted, answer = max(line.mark.value[-2:], default=0), None
            _drop_second_count(line, line.mark)
        elif role == ANSWER:
            answer = line.mark
        line.give(role, is_certain=line.is_certain)


def _role_in_mixed(line: SourceLine, mark: Mark, counted: int, answer: Mark | None) -> str:
    """Return the role of a line whose shape counts questions and answers.

    An answer begins anew or follows an answer.
    """
    is_next = (counted + 1,) in (mark.value[-2:-1], mark.value)
    follows = answer is not None and answer.shape == mark.shape and answer.value < mark.value
    # The last answer may ask, too: "4. Another, which? ____"
    has_space = split_space(line.text) is not None
    is_other = follows and not is_next and has_space
    begins = mark.value[1:2] == (1,) and has_space
    is_asking = asks(line.text) or (_is_asked(line) and not (follows and has_space))
    if (is_asking and not is_other) or begins:
        return QUESTION
    return QUESTION if is_next and not follows else ANSWER


def _drop_second_count(line: SourceLine, mark: Mark) -> None:
    """Drop a second number in front of a question if it counts the same: *Q3. 3) Do you smoke?*."""
    second, body = mark_of(line.body)
    listed = answers_of(line)
    # A number behind a label may be that of its first answer: A1 Sex  1 Male  2 Female.
    has_answers = listed is not None and bool(listed.before)
    # It may also begin a sentence: "3. 3 or more drinks a day".
    is_count = second is not None and second.kind == "count" and not (second.is_weak and body[:1].islower())
    if second and is_count and second.value[1:2] == mark.value[1:2] and not has_answers:
        line.body = body


def read_romans(lines: Sequence[SourceLine]) -> None:
    """Read *i.*, *v.* and *x.* as numbers if *ii.* and others of their kind are in the text.

    Parameters
    ----------
    lines : sequence of SourceLine
    """
    romans = {line.mark_shape for line in lines if line.mark and "roman" in line.mark_shape}
    for line in lines:
        mark = line.mark
        if (
            mark
            and mark.kind == "letter"
            and len(mark.shape) < 4
            and mark.value
            and chr(mark.value[0]).lower() in ROMAN_VALUES
        ):
            name = re.sub("[aA]", "roman", mark.shape, count=1)
            if name in romans:
                line.mark = replace(mark, shape=name, value=(ROMAN_VALUES[chr(mark.value[0]).lower()],))


def _read_indents(lines: Sequence[SourceLine]) -> None:
    """Tell apart the levels of one shape, if it stands at two indents."""
    places: dict[str, list[SourceLine]] = defaultdict(list)
    for line in lines:
        if line.mark_kind not in ("", "hash") and not line.role:
            places[line.mark_shape].append(line)
    for same in places.values():
        indents = [len(line.raw) - len(line.raw.lstrip()) for line in same]
        levels = Counter(indents)
        if len(levels) == 2 and min(levels.values()) > 1:
            for line, indent in zip(same, indents, strict=True):
                if line.mark and indent == max(levels):
                    line.mark = replace(line.mark, shape=f"{line.mark_shape} deep")


def _shapes_of(lines: Sequence[SourceLine]) -> dict[str, _Shape]:
    places: dict[str, list[int]] = defaultdict(list)
    for place, line in enumerate(lines):
        if line.mark and not line.role:
            places[line.mark_shape].append(place)
    shapes = {
        name: _Shape(found, lines)
        for name, found in places.items()
        if not (name == "9" and _are_amounts([lines[place] for place in found]))
    }
    return {
        name: shape
        for name, shape in shapes.items()
        if len(shape.places) > 1
        or shape.kind in ("hash", "sign")
        or (
            shape.kind == "count"
            and not lines[shape.places[0]].mark.is_weak  # type: ignore[union-attr]  # each has one
            and not (_is_title(shape, lines) or _is_footer(shape, lines))
        )
    }


def _is_title(shape: _Shape, lines: Sequence[SourceLine]) -> bool:
    """Return whether a mark that occurs once, in the opening, is part of a title: *Appendix 2. Items*."""
    place = shape.places[0]
    has_word = re.match(r"[^\W\d_]{3}", lines[place].text) is not None
    is_opening = not any(line.mark or line.role == ROW or asks(line.text) for line in lines[:place])
    is_below = any(line.role == ROW or line.mark_kind == "count" for line in lines[place + 1 :])
    return is_opening and has_word and not shape.n_asking and is_below


def _is_footer(shape: _Shape, lines: Sequence[SourceLine]) -> bool:
    """Return whether a mark that occurs once is part of a footer: *v3 - do not copy*, *Form 12/B - p. 1*."""
    place = shape.places[0]
    is_said = shape.name[:1].isalpha() and _is_form(lines[place])
    is_behind = lines[place - 1].role == SCORING or (shape.name[:3].isalpha() and not is_said)
    return place == len(lines) - 1 and is_behind and not shape.n_asking


def _leave_footer(lines: Sequence[SourceLine]) -> None:
    """Leave out the last line if the number in front of it is that of the form."""
    last = lines[-1] if lines else None
    if last is None or last.role or last.mark_kind != "count" or last.mark is None or last.mark.is_weak:
        return
    same = [place for place, line in enumerate(lines) if line.mark_shape == last.mark_shape]
    if len(same) == 1 and _is_footer(_Shape(same, lines), lines):
        last.give(LEFT, is_certain=False)


def _are_amounts(lines: Sequence[SourceLine]) -> bool:
    """Return whether numbers without a sign belong to the texts: their units are alike, or none is 0 or 1."""
    if 2 * sum(map(_is_asked, lines)) > len(lines):
        return False
    return have_one_unit([line.body for line in lines]) or not any(
        line.mark and line.mark.value[1] < 2 for line in lines
    )


def _role_of(shape: _Shape, around: _Around) -> str:
    """Return the role of a shape by its own places: question, answer, heading, mixed or none."""
    if shape.kind == "hash":
        return QUESTION if 2 * shape.n_asking > len(shape.places) else HEADING
    if shape.n_restarts and shape.kind == "letter" and shape.have_points():
        return ANSWER
    if shape.kind == "sign":
        return _role_of_sign(shape, around)
    if 2 * shape.n_asking > len(shape.places):
        return QUESTION
    if not shape.n_asking and len(shape.places) > 1:
        if not shape.n_chained and around.n_unmarked > 1:
            return HEADING
        if around.n_asking and shape.is_below_asking():
            return ANSWER
    return _role_of_run(shape, around) if shape.n_restarts == 0 else _role_of_runs(shape)


def _role_of_sign(shape: _Shape, around: _Around) -> str:
    """Return the role of a bullet, box, line or indent."""
    is_line_to_write = shape.lines[shape.places[0]].text[0] in "_＿" and not shape.n_chained
    if is_line_to_write or (shape.name == "indent" and shape.n_asking):
        return ""
    n = len(shape.places)
    lines = [shape.lines[place] for place in shape.places]
    n_forms = sum(map(_is_form, lines))
    if not (around.n_asking or around.n_unmarked):
        # Fields of a form, and no answers of a question above them.
        n_forms = sum(
            _is_form(line) or _is_asked(line) or split_space(line.text) is not None for line in lines
        )
    # Of two answers, the last often is "Other:".
    is_asking = shape.n_asking and 2 * max(shape.n_asking, shape.n_asking_or_listing) >= n
    is_list = n > 1 or shape.name in around.row_names
    return QUESTION if is_list and (is_asking or 2 * n_forms > n) else ANSWER


def _role_of_run(shape: _Shape, around: _Around) -> str:
    """Return the role of numbers or letters that rise through the text: answers or questions."""
    first, is_count = shape.places[0], shape.kind == "count"
    if len(shape.places) > 1 and shape.n_runs == 1 and not shape.n_asking:
        has_others = around.n_asking > 0
        if has_others or (first > 0 and asks(shape.lines[first - 1].text)):
            shape.lines[first].is_certain = has_others or not is_count
            return ANSWER
    return QUESTION if is_count or len(shape.places) > 1 else ""


def _role_of_runs(shape: _Shape) -> str:
    """Return the role of numbers or letters that begin anew: answers, questions or both."""
    if shape.n_asking == 0 and shape.n_runs <= shape.n_restarts + 1:
        return ANSWER
    if shape.kind == "count" and shape.n_asking:
        return _MIXED
    return QUESTION if 2 * shape.n_runs > len(shape.places) + shape.n_restarts else ANSWER


def _nest_signs(shapes: dict[str, _Shape], roles: dict[str, str]) -> None:
    """Make a sign that stands alone above runs of another sign the mark of questions."""
    if QUESTION in roles.values() or _MIXED in roles.values():
        return
    for name, shape in shapes.items():
        below = [shape.lines[place].mark for place in shape.below()]
        is_outer = shape.kind in ("sign", "letter") and shape.n_chained == 0 and len(shape.places) > 1
        if (
            is_outer
            and len(below) == len(shape.places)
            and len({mark.shape for mark in below if mark}) == 1
            and all(below)
        ):
            roles[name] = QUESTION


def _find_headings(shapes: dict[str, _Shape], roles: dict[str, str], lines: Sequence[SourceLine]) -> None:
    """Make a shape directly above the questions of another the mark of headings, unless it has spaces."""
    asked = [name for name, role in roles.items() if role in (QUESTION, _MIXED)]
    main = max(asked, key=lambda name: (shapes[name].n_asking, len(shapes[name].places)), default="")
    for name in asked:
        shape = shapes[name]
        below = [lines[place].mark for place in shape.below()]
        over = sum(
            mark is not None and mark.shape != name and roles.get(mark.shape) in (QUESTION, _MIXED)
            for mark in below
        )
        is_list = len(shape.places) > 1 or any(map(str.isalpha, name))
        is_heading = not (shape.n_asking or any(split_space(lines[place].text) for place in shape.places))
        if name != main and is_list and is_heading and 2 * over > len(shape.places):
            roles[name] = HEADING
