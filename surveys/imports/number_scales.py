"""Scales of numbers whose steps stand on lines of their own."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from surveys.imports.marks import Mark
from surveys.imports.source_lines import ANSWER, SourceLine

_STEP: Final = re.compile(r"(?P<number>\d{1,2})(?:\s?[=＝:：.)–-]?\s?[^\W\d].{0,60})?$")


def read_number_scales(lines: Sequence[SourceLine]) -> None:
    """Make lines that count up, some of them with nothing but their number, the steps of a scale."""
    steps = [_STEP.match(line.text) if not line.role else None for line in lines]
    start = 0
    for place in range(1, len(lines) + 1):
        before, step = steps[place - 1], steps[place] if place < len(lines) else None
        if before and step and int(step["number"]) == int(before["number"]) + 1:
            continue
        found = lines[start:place]
        n_bare = sum(line.text.isdecimal() for line in found)
        if steps[start] and len(found) > 2 and n_bare > len(found) - 3:
            for line in found:
                line.mark, line.body = Mark(shape="step", value=(), kind="sign"), line.text.replace("=", "–")
                line.give(ANSWER)
        start = place
