"""Rows of a table that no header shows: lines that end with the same answers."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import Final

from surveys.imports.lines.source_lines import SourceLine, behind_mark
from surveys.imports.words.answers_on_line import Listed, answers_on
from surveys.imports.words.legends import legend_of
from surveys.imports.words.marks import mark_of
from surveys.imports.words.patterns import LETTER
from surveys.imports.words.question_marks import asks
from surveys.imports.words.runs import runs_of

_SLASH: Final = re.compile(r"\s[/／|]\s")
_TAIL_LIST: Final = re.compile(r"\S\s\S.{0,60}\s[/／|]\s.{1,60}\s[/／|]\s\S")
_COLUMNS: Final = re.compile(r"\t|\s{2,}")
_LEAST_ITEMS: Final = 2
_MOST_ANSWERS: Final = 40
"""Words at the end of a line that may be its answers."""


def read_shared_ends(lines: Sequence[SourceLine]) -> None:
    """Make lines that end with the same answers as others rows of a table; a legend says their labels."""
    legend, labels = _find_legend(lines)
    columns = _repeated_columns(lines)
    tails: dict[tuple[str, tuple[str, ...]], list[tuple[SourceLine, Listed]]] = defaultdict(list)
    for line in [line for line in lines if not line.role]:
        if legend and line is not legend and _ends_with_keys(line, labels):
            words = line.text.split()
            line.body = " ".join(mark_of(" ".join(words[: -len(labels)]))[1].split())
            line.become_row(labels.values())
            legend.become_scale([], topic="")
        elif listed := _answers_behind_item(line, columns):
            tails[listed.sign, listed.labels].append((line, listed))
    _complete_answers(lines, tails)
    _share_tails(lines)
    below = {line.number: after for line, after in pairwise(lines)}
    for (_sign, answers), same in tails.items():
        if all(_explains_items(line, below.get(line.number)) for line, _listed in same):
            continue
        for line, listed in same if len(same) > 1 else ():
            line.body = listed.before
            line.become_row(answers, listed.points)


def _find_legend(lines: Sequence[SourceLine]) -> tuple[SourceLine | None, dict[str, str]]:
    """Return the line that explains keys with which several lines end, and the label of each key."""
    ends = Counter(line.text.split()[-1] for line in lines if len(line.text.split()) > 1)
    for line in lines:
        explained = None if line.role or asks(line.text) else legend_of(line.text)
        if explained and explained.keys and not explained.points and ends[explained.keys[-1]] > 1:
            return line, dict(zip(explained.keys, explained.labels, strict=True))
    return None, {}


def _ends_with_keys(line: SourceLine, keys: Collection[str]) -> bool:
    words = line.text.split()
    return len(words) > len(keys) and words[-len(keys) :] == [*keys]


def _repeated_columns(lines: Sequence[SourceLine]) -> set[tuple[str, ...]]:
    """Return the columns behind the first that several lines have in common."""
    cells = [[*filter(None, _COLUMNS.split(behind_mark(line)))] for line in lines if not line.role]
    counts = Counter((*each[1:],) for each in cells)
    return {each for each, count in counts.items() if len(each) > 1 and count > 1}


def _answers_behind_item(line: SourceLine, columns: Collection[tuple[str, ...]]) -> Listed | None:
    """Return the answers that a line lists behind an item; None without both."""
    listed = None if asks(line.body) else answers_on(behind_mark(line))
    if listed and listed.labels[1:] in columns and " " in listed.labels[0]:
        listed = Listed(listed.labels[0], listed.labels[1:], sign="cells")
    is_list = listed and listed.sign in ("/", "|", ";", "cells", ",", "box", "code")
    return listed if listed and is_list and listed.before and len(listed.labels) > 1 else None


def _complete_answers(
    lines: Sequence[SourceLine], tails: dict[tuple[str, tuple[str, ...]], list[tuple[SourceLine, Listed]]]
) -> None:
    """Find the answers of lines whose long items are next to them, so that no wide blank sets them apart."""
    shared = {
        f" {' '.join(key[1])}": key
        for key, same in tails.items()
        if len(same) >= _LEAST_ITEMS and all(line.text.endswith(" ".join(key[1])) for line, _listed in same)
    }
    if not shared:
        return
    known = {line.number: key for key, same in tails.items() for line, _listed in same}
    for line in lines:
        # The longest list of answers with which the line ends.
        words = line.text.split()[-_MOST_ANSWERS:]
        ends = (f" {' '.join(words[at:])}" for at in range(len(words)))
        end = next((each for each in ends if each in shared and line.text.endswith(each)), "")
        key = shared.get(end)
        if key is None or line.role or known.get(line.number) == key or asks(line.body):
            continue
        if line.number in known:
            others = tails[known[line.number]]
            others[:] = [each for each in others if each[0] is not line]
        before = " ".join(behind_mark(line).split()).removesuffix(end)
        tails[key].append((line, Listed(before, key[1], tails[key][0][1].points, sign=key[0])))


def _explains_items(line: SourceLine, below: SourceLine | None) -> bool:
    """Return whether a line states the answers of marked items below it that list none."""
    if line.mark or below is None or below.mark_kind not in ("count", "letter"):
        return False
    return answers_on(behind_mark(below)) is None


def _share_tails(lines: Sequence[SourceLine]) -> None:
    """Make lines that follow each other and end with the same list of answers rows of a table."""
    for run in runs_of(lines, _share_tail):
        found = lines[run.start : run.stop]
        tail = _common_end([line.text for line in found]) if len(found) >= _LEAST_ITEMS else ""
        labels = [label.strip() for label in _SLASH.split(tail)]
        are_coded = any("=" in label or "＝" in label for label in labels)
        if len(labels) > _LEAST_ITEMS and all(map(LETTER.search, labels)) and not are_coded:
            for line in found:
                line.body = line.body[: -len(tail)].rstrip(" :：")
                line.become_row(labels)


def _share_tail(*lines: SourceLine) -> bool:
    """Return whether lines end with the same list of answers."""
    are_lists = all(_TAIL_LIST.search(line.text) and not line.role for line in lines)
    return are_lists and len(_SLASH.split(_common_end([line.text for line in lines]))) > _LEAST_ITEMS


def _common_end(texts: Sequence[str]) -> str:
    """Return the words with which all texts end; each text has at least one word before them."""
    words = [text.split() for text in texts]
    n = 0
    while all(len(each) > n + 1 for each in words) and len({each[-1 - n] for each in words}) == 1:
        n += 1
    return " ".join(words[0][len(words[0]) - n :]) if n else ""
