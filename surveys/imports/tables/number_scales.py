"""Scales of numbers whose steps stand on lines of their own."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from surveys.imports.lines.source_lines import ANSWER, ENDS, SourceLine, is_long
from surveys.imports.words.marks import Mark
from surveys.imports.words.question_marks import asks
from surveys.imports.words.runs import runs_of

_STEP: Final = re.compile(r"(?P<number>\d{1,2})(?:\s?[=＝:：.)–-]?\s?[^\W\d].{0,60})?$")


def read_number_scales(lines: Sequence[SourceLine]) -> None:
    """Make lines that count up, some of them with nothing but their number, the steps of a scale."""
    steps = [_STEP.match(line.text) if not line.role else None for line in lines]
    for run in runs_of(steps, _counts_up):
        found = lines[run.start : run.stop]
        n_bare = sum(line.text.isdecimal() for line in found)
        if len(found) > 2 and n_bare > len(found) - 3:
            for line in found:
                line.mark, line.body = Mark(shape="step", value=(), kind="sign"), line.text.replace("=", "–")
                line.give(ANSWER)
            if n_bare == len(found):
                _name_ends(found, lines[max(run.start - 2, 0) : run.start], lines[run.stop : run.stop + 3])


def _counts_up(step: re.Match[str] | None, below: re.Match[str] | None) -> bool:
    return step is not None and below is not None and int(below["number"]) == int(step["number"]) + 1


def _name_ends(steps: Sequence[SourceLine], above: Sequence[SourceLine], below: Sequence[SourceLine]) -> None:
    """Add the words above and below the steps of a scale, or the two lines below it, to its ends."""
    around = [*above[-1:], *below[:1]]
    behind = [*below[:2]]
    ends = around if len(above) == 2 and _are_plain(around) and not asks(around[0].text) else behind
    if (
        len(ends) == 2
        and _are_plain(ends)
        and (ends is around or len(below) < 3 or below[2].has_gap or below[2].mark)
    ):
        for step, end in zip((steps[0], steps[-1]), ends, strict=True):
            step.body = f"{step.body} – {end.text}"
            end.give(ENDS)


def _are_plain(lines: Sequence[SourceLine]) -> bool:
    """Return whether lines have no mark, no role and no gap above them."""
    return not any(
        line.mark or line.role or line.has_gap or is_long(line) or asks(line.text) for line in lines
    )
