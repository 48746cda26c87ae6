"""Answers in brackets behind the words above lettered items: *Have you ever (yes/no): a) lied b) stolen*."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from itertools import takewhile
from typing import Final

from surveys.imports.words.answers_on_line import BOX, answers_on
from surveys.imports.words.cues import says_how_many
from surveys.imports.words.marks import Mark, mark_of

_LAST_BRACKET: Final = re.compile(
    r"\s?[(（\[](?P<within>[^()（）\[\]]{3,90})[)）\]]\s?(?P<end>[:：.…?？]{0,3})\s*$"
)
_LEAST, _MOST = 2, 26


def write_stem_answers(lines: Sequence[str]) -> list[str]:
    """Write the answers in brackets at the end of a line behind each of the lettered lines right below it.

    Parameters
    ----------
    lines : sequence of str

    Examples
    --------
    >>> write_stem_answers(["1. Have you ever (yes/no):", "a) lied", "b) stolen", "2. Are you well?"])[:2]
    ['1. Have you ever:', 'a) lied    ○ yes   ○ no']
    """
    found = list(lines)
    for place, line in enumerate(lines):
        match = _LAST_BRACKET.search(line)
        listed = answers_on(match["within"]) if match and match.start() else None
        if match is None or listed is None or listed.before or listed.points or listed.sign == ",":
            continue
        items = [*takewhile(partial(_is_item, stem=line), lines[place + 1 : place + 1 + _MOST])]
        if len(items) < _LEAST or says_how_many(match["within"]):
            continue
        found[place] = f"{line[: match.start()]}{match['end']}"
        boxes = "   ".join(f"○ {label}" for label in listed.labels)
        for at, item in enumerate(items, start=place + 1):
            found[at] = f"{item.rstrip()}    {boxes}"
    return found


def _mark(line: str) -> Mark | None:
    mark = mark_of(" ".join(line.split()))[0]
    return mark if mark is not None and mark.kind == "letter" else None


def _is_item(line: str, stem: str) -> bool:
    """Return whether a line is a lettered item without answers, and the line above all items is none."""
    mark, outer = _mark(line), _mark(stem)
    is_inner = mark is not None and (outer is None or outer.shape != mark.shape)
    return is_inner and not BOX.search(line) and answers_on(mark_of(" ".join(line.split()))[1]) is None
