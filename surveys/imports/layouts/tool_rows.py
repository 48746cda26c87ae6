"""Rows as tools write them: quotes, kinds of answers, statistics behind items.

Each step rewrites lines and keeps their number, so that other modules read them as in other texts.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

from surveys.imports.words.cues import SAYS_NUMBER, SAYS_ONE, SAYS_SEVERAL, SAYS_TEXT
from surveys.imports.words.patterns import LETTER

_LEAST_ROWS: Final = 3
_SEPARATORS: Final = (";", ",")
_QUOTED_CELLS: Final = re.compile(r'\s*"[^"]*"\s?[;,].*')
_GAP: Final = re.compile(r"\t| {2,}")
_STATISTIC: Final = re.compile(
    r"[−–-]?\d{0,3}[.,]\d{1,3}(?:\s?[(（\[][−–-]?\d{0,3}[.,]\d{1,3}[)）\]])?\*{0,3}|[(（\[]\d{0,3}[.,]\d{1,3}[)）\]]"
)
"""A number with decimals, such as a mean and its deviation."""
_LAST_CELL: Final = re.compile(r"(?:\t| {2,})\s*\S+(?: [(（\[]\S+)?$")
_KIND_ROW: Final = re.compile(
    r"\s*(?P<number>[^\W\d_]?\d{1,3})[.)]?\s?\|\s?(?P<text>[^|]{3,200}[^|\s])\s?\|\s?(?P<label>[^|:：]{2,20})[:：]\s?(?P<kind>[^|]{2,60}?)\s*"
)
"""A question between bars, behind its number and in front of the kind of its answer."""
_SPAN: Final = re.compile(r"(?P<low>\d{1,5})\D{1,5}(?P<high>\d{1,5})")
_FRAMED: Final = re.compile(r"\s{0,40}[>»＞]{1,4}\s{1,3}(?P<text>[^<>«»＜＞]+?)\s{1,3}[<«＜]{1,4}\s{0,20}")
"""A line between arrows that point to it."""


def without_quotes(lines: Sequence[str]) -> list[str]:
    """Return rows without the quotes around their cells.

    Examples
    --------
    >>> without_quotes(['"P1";"I vote";2;1', '"P2";"I pay, too";1;2', '"P3";"I try";1;2'])
    ['P1;I vote;2;1', 'P2;I pay, too;1;2', 'P3;I try;1;2']
    """
    found = [*lines]
    for sign in _SEPARATORS:
        places = [at for at, line in enumerate(lines) if _QUOTED_CELLS.fullmatch(line) and sign in line]
        rows = {at: next(csv.reader([lines[at].strip()], delimiter=sign), []) for at in places}
        joint = ";" if not any(";" in cell for row in rows.values() for cell in row) else "\t"
        if (
            len(rows) >= _LEAST_ROWS
            and len({len(row) for row in rows.values()}) == 1
            and len(rows[places[0]]) > 1
        ):
            for at, row in rows.items():
                found[at] = joint.join(row)
            return found
    return found


def without_frames(lines: Sequence[str]) -> list[str]:
    """Return lines without the arrows on both sides that draw attention to them.

    Examples
    --------
    >>> without_frames([">> Score: 5 or more is high. <<", "> Tick one."])
    ['Score: 5 or more is high.', '> Tick one.']
    >>> without_frames(["»Ich lüge oft.«"])
    ['»Ich lüge oft.«']
    """
    framed = [*map(_FRAMED.fullmatch, lines)]
    return [match["text"] if match else line for match, line in zip(framed, lines, strict=True)]


def without_kind_cells(lines: Sequence[str]) -> list[str]:
    """Return numbered rows of a question and the kind of its answer as questions with a flag for the kind.

    Examples
    --------
    >>> rows = ["1 | Vote? | Type: yes/no", "2 | Why? | Type: multiple choice", "3 | Age | Type: 0 to 99"]
    >>> without_kind_cells(rows)
    ['1. Vote? (yes/no)', '2. Why? [several]', '3. Age (0-99) [number]']
    """
    found = {at: match for at, line in enumerate(lines) if (match := _KIND_ROW.fullmatch(line))}
    labels = Counter(match["label"] for match in found.values())
    if len(labels) != 1 or labels.total() < _LEAST_ROWS:
        return [*lines]
    written = [*lines]
    for at, match in found.items():
        span = _SPAN.search(match["kind"])
        ends = f" ({span['low']}-{span['high']}) [number]" if span else _flag_of(match["kind"])
        written[at] = f"{match['number']}. {match['text']}{ends}"
    return written


def _flag_of(kind: str) -> str:
    """Return the flag for the kind of an answer; other words stay in brackets, as *yes/no* does."""
    flags = {"several": SAYS_SEVERAL, "one": SAYS_ONE, "number": SAYS_NUMBER, "text": SAYS_TEXT}
    flag = next((flag for flag, cue in flags.items() if cue.search(kind)), "")
    return f" [{flag}]" if flag else f" ({kind})"


def without_statistics(lines: Sequence[str]) -> list[str]:
    """Return rows without the means and correlations behind their items; their header becomes empty.

    Examples
    --------
    >>> without_statistics(["No\\tItem\\tM", "1\\tI vote.\\t2.9", "2\\tI pay.\\t2.1", "3\\tI try.\\t3.0"])
    ['', '1\\tI vote.', '2\\tI pay.', '3\\tI try.']
    """
    cells = [[cell for cell in _GAP.split(line) if cell.strip()] for line in lines]
    counts = [_count_behind(own) for own in cells]
    width = max(counts, default=0)
    if not width or counts.count(width) < _LEAST_ROWS:
        return [*lines]
    found = [*lines]
    for at, count in enumerate(counts):
        if count == width:
            text = lines[at].rstrip()
            for _time in range(width):
                text = _LAST_CELL.sub("", text)
            found[at] = text
    for at, own in enumerate(cells):
        below = next((count for count in counts[at + 1 : at + 3] if count), 0)
        if (
            below == width
            and not counts[at]
            and len(own) > width
            and all(len(cell.split()) <= 2 for cell in own)
        ):
            found[at] = ""
    return found


def _count_behind(cells: Sequence[str]) -> int:
    """Return how many cells at the end of a row are statistics, if a text is before them."""
    count = 0
    while count < len(cells) and _STATISTIC.fullmatch(cells[-1 - count].strip()):
        count += 1
    before = cells[: len(cells) - count]
    return count if any(map(LETTER.search, before)) else 0
