"""Numbers in front of amounts: whether they number the answers, or are part of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from surveys.imports.lines.source_lines import SourceLine, is_long, split_space, unmark
from surveys.imports.words.amounts import CODE_BEHIND, have_one_unit, runs_of_ranges
from surveys.imports.words.marks import Mark
from surveys.imports.words.question_marks import holds_question
from surveys.imports.words.runs import runs_of

_NUMBERED: Final = re.compile(r"(?P<number>\d{1,2})(?P<end>[.．)）、:：]?)(?P<gap>\s?)(?P<text>\S.*)")
"""A number in front of a text that may begin with another number: *2 500–999*, *1.18-25*."""
_THREE_DIGITS: Final = re.compile(r"\d{3}(?!\d)")


def settle_amounts(lines: Sequence[SourceLine]) -> None:
    """Give answers that are amounts their numbers as marks, or make the numbers part of their texts.

    Parameters
    ----------
    lines : sequence of SourceLine
        The lines that are not blank; those with a role keep their marks.

    Examples
    --------
    >>> from surveys.imports.lines.source_lines import read_line
    >>> text = ["1 Under 500", "2 500–999", "3 1,000 or more", "How often?", "1 or 2", "3 to 9"]
    >>> lines = [read_line(n, each, has_gap=False) for n, each in enumerate(text)]
    >>> settle_amounts(lines)
    >>> [line.body for line in lines]
    ['Under 500', '500–999', '1,000 or more', 'How often?', '1 or 2', '3 to 9']
    """
    _number_amounts(lines)
    texts = [line.text if _may_be_amount(line) else "" for line in lines]
    codes = [int(match[1]) if (match := CODE_BEHIND.search(text)) else None for text in texts]
    plain = [CODE_BEHIND.sub("", text) for text in texts]
    for run in [*runs_of_ranges(plain), *_growing(codes), *_counted(lines), *_ordinals(lines)]:
        for line in lines[run.start : run.stop]:
            unmark(line)


def _number_amounts(lines: Sequence[SourceLine]) -> None:
    """Give amounts the mark that their numbers are, if these count on from the line above or below.

    Numbers that count from 1 need no such line if they end with a sign.
    """
    counted = _counted_twice(lines)
    found = [
        _NUMBERED.fullmatch(line.text) if _is_free(line) and place not in counted else None
        for place, line in enumerate(lines)
    ]
    for place, (one, other) in enumerate(pairwise(found)):
        if one and other and one["end"] and (one["number"], other["number"]) == ("1", "2"):
            _number(lines[place], one, f"9{one['end']}" if one["end"] == other["end"] else "")
    steps = [*range(1, len(lines))]
    for place, step in [*((at, 1) for at in steps), *((at - 1, -1) for at in reversed(steps))]:
        near, match = lines[place - step].mark, found[place]
        other = _NUMBERED.fullmatch(lines[place - step].text)
        if match and other and other["gap"] and not match["gap"] and _THREE_DIGITS.match(match["text"]):
            # A thousand: 1.200 next to 2. How often?
            continue
        if near and match and near.kind == "count" and near.value[1:2] == (int(match["number"]) - step,):
            _number(lines[place], match, near.shape)


def _counted_twice(lines: Sequence[SourceLine]) -> set[int]:
    """Return the places of lines whose two-part numbers go on with those of others: *1.2*, *2.1*."""
    double = [place for place, line in enumerate(lines) if line.mark_shape.startswith("9.9")]
    values = [mark.value[1:3] if (mark := lines[place].mark) else () for place in double]
    found: set[int] = set()
    for (one, first), (other, second) in pairwise(zip(double, values, strict=True)):
        if second in ((first[0], first[1] + 1), (first[0] + 1, 1)):
            found |= {one, other}
    return found


def _is_free(line: SourceLine) -> bool:
    """Return whether the number in front of a line is no mark yet, or one with two parts: *2.1 of them*."""
    is_double = line.mark is not None and line.mark.is_weak and line.mark_shape.startswith("9.9")
    return not line.role and (line.mark is None or is_double)


def _number(line: SourceLine, match: re.Match[str], shape: str) -> None:
    """Make the number in front of a line its mark if it has this shape."""
    if shape == f"9{match['end']}" and (match["end"] or match["gap"]):
        value = (0, int(match["number"]), 0)
        line.mark = Mark(shape=shape, value=value, kind="count", is_weak=not match["end"])
        line.body = match["text"]


def _counted(lines: Sequence[SourceLine]) -> Iterator[range]:
    """Yield the places of numbers that count up before one unit: *1 child*, *2 children*, *3 or more*."""
    for run in runs_of(lines, _count_up):
        if have_one_unit([line.body for line in lines[run.start : run.stop]]):
            yield run


def _ordinals(lines: Sequence[SourceLine]) -> Iterator[range]:
    """Yield the places of lines that only their numbers distinguish: *1. floor*, *2. floor*."""
    for run in runs_of(lines, _differ_by_number):
        if len(run) > 1:
            yield run


def _differ_by_number(line: SourceLine, below: SourceLine) -> bool:
    marks = [each.mark for each in (line, below) if each.mark and each.mark.kind == "count"]
    is_free = not (line.role or below.role or holds_question(line.text) or split_space(line.text))
    is_name = is_free and line.body.strip()[-1:].isalnum() and line.body.casefold() == below.body.casefold()
    return (
        is_name and len(marks) == 2 and marks[0].shape == marks[1].shape and marks[0].value < marks[1].value
    )


def _count_up(line: SourceLine, below: SourceLine) -> bool:
    """Return whether two lines begin with numbers that count up, and have no other marks."""
    marks = [each.mark for each in (line, below) if each.mark and each.mark.is_weak and _may_be_amount(each)]
    return len(marks) == 2 and marks[0].shape == marks[1].shape and marks[0].value[1] + 1 == marks[1].value[1]


def _growing(codes: Sequence[int | None]) -> Iterator[range]:
    """Yield the places of codes that grow, at least two together."""
    for run in runs_of(codes, _grows):
        if len(run) > 1:
            yield run


def _grows(code: int | None, below: int | None) -> bool:
    return code is not None and below is not None and code < below


def _may_be_amount(line: SourceLine) -> bool:
    """Return whether a line may be an amount: short, with no mark but a number alone or before a dash."""
    is_bare = line.mark is None or line.mark.is_weak or line.mark_shape in ("indent", "9-", "9–", "9—")
    is_short = not is_long(line) and len(line.cells) == 1 and ".." not in line.text
    return is_bare and is_short and not (line.role or holds_question(line.text))
