"""What the lines in brackets above a question say about its answer."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

from surveys.imports.lines.source_lines import (
    ANSWER,
    BELOW,
    FIELD,
    INSTRUCTION,
    QUESTION,
    ROW,
    SCALE,
    SKIP,
    SourceLine,
    answers_of,
    split_space,
)
from surveys.imports.words.cues import ASKS_ONE, ASKS_SEVERAL, SAYS_NUMBER, SAYS_SEVERAL, pattern_of

_WHO: Final = pattern_of("alone-who")
"""A cue that may say who is asked instead: French *[à toutes]*."""
_NUMERIC: Final = (pattern_of("asks-number"), SAYS_NUMBER)
_IN_BRACKETS: Final = re.compile(r"[(（\[【][^()（）\[\]【】]{2,200}[)）\]】]")
"""A line in brackets."""
_PARTS: Final = re.compile(
    r"[\s\[\](){}（）【】]{0,9}(?:[.,;:。，；：、]|\s[–—-]\s|[\[\](){}（）【】])\s{0,9}"
)
"""Between the parts of an instruction."""
_FEW_WORDS: Final = 2
_PAIR: Final = 2
_CHOICES: Final = frozenset({"several", "one"})


def instruct_below(lines: Sequence[SourceLine]) -> None:
    """Give each question what the lines in brackets above it say about its answer: *[several answers]*.

    Parameters
    ----------
    lines : sequence of SourceLine
        The lines that are not blank, with their roles. A question gets the flags; the lines above it become
        instructions with the topic `BELOW`.

    Examples
    --------
    >>> from surveys.imports.lines.source_lines import read_line
    >>> lines = [read_line(1, "[ASK ALL. MULTICODE]", has_gap=True), read_line(2, "Which?", has_gap=False)]
    >>> lines[1].give(QUESTION)
    >>> instruct_below(lines)
    >>> lines[0].role, sorted(lines[1].flags)
    ('instruction', ['several'])
    """
    for place, asked in enumerate(lines):
        start = _first_remark(lines, place)
        above = lines[start - 1] if start else None
        is_own = _is_about_next(above, lines[start], asked)
        # A question without answers has nothing to choose from.
        is_about_choice = above is not None and _is_bare(above) and not _is_bare(asked)
        for line in lines[start:place]:
            flags = _flags_of(line.text)
            if flags and (is_own or (is_about_choice and flags & _CHOICES)):
                asked.flags |= flags
                line.topic = BELOW
                if line.role != SKIP:
                    line.give(INSTRUCTION)


def instruct_above(lines: Sequence[SourceLine]) -> None:
    """Make a line in brackets below answers with boxes or bullets an instruction for their question.

    Parameters
    ----------
    lines : sequence of SourceLine
        See `instruct_below`.

    Examples
    --------
    >>> from surveys.imports.lines.source_lines import read_line
    >>> texts = ["Which?", "[ ] red", "[ ] blue", "(tick all that apply)"]
    >>> lines = [read_line(number, text, has_gap=False) for number, text in enumerate(texts)]
    >>> for line, role in zip(lines, [QUESTION, ANSWER, ANSWER, ANSWER], strict=True):
    ...     line.give(role)
    >>> instruct_above(lines)
    >>> lines[3].role, sorted(lines[0].flags)
    ('instruction', ['several'])
    """
    asked: SourceLine | None = None
    for place, line in enumerate(lines):
        asked = line if line.role == QUESTION else asked
        above = lines[place - 1]
        is_last = place + 1 == len(lines) or lines[place + 1].role != ANSWER
        is_below = place and line.role == above.role == ANSWER and above.mark_kind == "sign" and is_last
        has_box = line.mark is not None and line.mark.shape != "indent"
        if is_below and not has_box and asked is not None and _IN_BRACKETS.fullmatch(line.text):
            asked.flags |= _flags_of(line.text)
            line.give(INSTRUCTION)


def _first_remark(lines: Sequence[SourceLine], place: int) -> int:
    """Return the place of the first remark right above a question; that of the question without one."""
    start = place
    while (
        start
        and _is_remark_above(lines[start - 1], lines[place])
        and (start == place or not lines[start].has_gap)
    ):
        start -= 1
    return start


def _is_about_next(above: SourceLine | None, remark: SourceLine, asked: SourceLine) -> bool:
    """Return whether remarks, of which this is the first, are about the question below, by the gaps."""
    is_behind = above is None or above.role in (ANSWER, FIELD, ROW)
    is_behind = is_behind or (above is not None and _is_answered(above, has_gap=remark.has_gap))
    return (is_behind and remark.has_gap) if asked.has_gap else (is_behind or remark.has_gap)


def _is_answered(line: SourceLine, *, has_gap: bool) -> bool:
    """Return whether a question has its answers on its line, so that a remark below is about the next one.

    Directly below several answers, the remark is about them; a blank line sets it apart.
    """
    if line.role != QUESTION:
        return False
    listed = answers_of(line)
    return split_space(line.text) is not None or (
        listed is not None and (has_gap or len(listed.labels) == _PAIR)
    )


def _is_bare(line: SourceLine) -> bool:
    """Return whether a line is a question without answers."""
    return line.role == QUESTION and not (line.has_answers or answers_of(line))


def _is_remark_above(line: SourceLine, asked: SourceLine) -> bool:
    """Return whether a line above a question is a remark in brackets that is no answer and no heading."""
    is_heading = line.mark_kind == "hash"
    is_free = not is_heading and line.role not in (QUESTION, ROW, SCALE, ANSWER)
    return asked.role == QUESTION and is_free and _IN_BRACKETS.fullmatch(line.text) is not None


def _flags_of(instruction: str) -> frozenset[str]:
    """Return what an instruction in brackets says about an answer, as flags."""
    short = [part for part in _PARTS.split(instruction) if len(part.split()) <= _FEW_WORDS]
    said = [match[0] for part in short for match in SAYS_SEVERAL.finditer(part)]
    if ASKS_SEVERAL.search(instruction) or not all(map(_WHO.fullmatch, said)):
        return frozenset({"several"})
    if ASKS_ONE.search(instruction):
        return frozenset({"one"})
    # Longer parts may be conditions: *if the number of children is known*.
    return frozenset({"number"} if any(cue.search(part) for part in short for cue in _NUMERIC) else ())


def instruct_between(lines: Sequence[SourceLine]) -> None:
    """Make words in brackets instructions if they recur between questions and their answers."""
    counts = Counter(line.text for line in lines if line.is_bracketed)
    for above, line, below in zip(lines, lines[1:], lines[2:], strict=False):
        is_between = above.mark and below.mark and above.mark_shape != below.mark_shape
        is_near = not (line.has_gap or below.has_gap)
        if counts[line.text] > 1 and is_between and is_near and not (line.role or line.mark):
            line.give(INSTRUCTION)
