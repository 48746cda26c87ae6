"""Scales between two opposite words, one a line: *friendly 1 2 3 4 5 hostile*."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from operator import eq
from typing import Final

from surveys.imports.words.question_marks import holds_question
from surveys.imports.words.runs import counts_up, repeats, runs_of

_SIGN: Final = r"(?:[☐○]|[oO]|_{1,4}|\.{1,4}|\[\s?\]|\(\s?\)|[(\[]?[-+−]?\d{1,2}[)\]]?)"
_BETWEEN: Final = re.compile(
    rf"(?:\s|\|)\s*(?P<run>{_SIGN}(?:\s{{0,9}}\|?\s{{1,9}}{_SIGN}|[☐○]){{2,10}})\s*(?:\s|\|)\s*"
)
"""Boxes, blanks or numbers between two words."""
_DIGIT_BOXES: Final = re.compile(r"(?:\|__){5,20}\|")
"""Boxes right behind each other, as `surveys.imports.lines.text_lines` writes them."""
_STEP: Final = re.compile(_SIGN)
_MARK: Final = re.compile(
    r"(?P<mark>(?:\(?\d{1,2}[.)]|\(?[a-z]\)|[-•*])\s+)?(?P<word>[^\W\d_].*)", re.IGNORECASE
)
_MOST_WORDS: Final = 6
_LEAST: Final = 2
_LEAST_BLANKS: Final = 5
"""Fewer blanks may be the digits of a number, and the word behind them its unit."""
_EDGES: Final = " \t|:;,–—-"


_Parts = tuple[str, str, list[int], str]
"""The mark of a scale, its first word, its steps and its last word."""


def write_opposites(lines: Sequence[str]) -> list[str]:
    """Write neighbouring scales between opposite words as questions, with a box for each step.

    Parameters
    ----------
    lines : sequence of str

    Examples
    --------
    >>> write_opposites(["kind  1 2 3  cruel", "weak  1 2 3  strong"])[0]
    'kind – cruel:    ○ 1 – kind   ○ 2   ○ 3 – cruel'
    >>> write_opposites(["I lie  1 2 3  often", "I steal  1 2 3  often"])[0]
    'I lie  1 2 3  often'
    """
    found = list(lines)
    for places, parts in _groups(lines):
        if repeats([right.casefold() for _mark, _left, _steps, right in parts]):
            continue
        for place, (mark, left, steps, right) in zip(places, parts, strict=True):
            labels = [f"{steps[0]} – {left}", *map(str, steps[1:-1]), f"{steps[-1]} – {right}"]
            found[place] = f"{mark}{left} – {right}:    " + "   ".join(f"○ {label}" for label in labels)
    return found


def _groups(lines: Sequence[str]) -> Iterator[tuple[list[int], list[_Parts]]]:
    """Yield the places and parts of scales next to each other that have equally many steps."""
    filled = [(place, _parts_of(line)) for place, line in enumerate(lines) if line.strip()]
    for run in runs_of([len(parts[2]) if parts else 0 for _place, parts in filled], eq):
        group = [(place, parts) for place, parts in filled[run.start : run.stop] if parts]
        if len(group) >= _LEAST:
            yield [place for place, _parts in group], [parts for _place, parts in group]


def _parts_of(line: str) -> _Parts | None:
    """Return the mark of a scale, its first word, its steps and its last word; None for other lines."""
    text = _DIGIT_BOXES.sub(lambda boxes: " _ " * boxes[0].count("__"), line.strip()).strip("| ")
    runs = [*_BETWEEN.finditer(text)]
    if len(runs) != 1:
        return None
    first = _MARK.fullmatch(text[: runs[0].start()].strip(_EDGES))
    right = text[runs[0].end() :].strip(_EDGES)
    if first is None or not right[:1].isalpha() or holds_question(first["word"]):
        return None
    left = first["word"].strip(_EDGES)
    steps = _steps_of(runs[0]["run"])
    are_short = all(len(words.split()) <= _MOST_WORDS for words in (left, right))
    return (first["mark"] or "", left, steps, right) if steps and are_short else None


def _steps_of(run: str) -> list[int]:
    """Return the steps for which signs between two words stand; empty if they are no scale.

    >>> _steps_of("-1 0 1"), _steps_of("2 1 0 1 2"), _steps_of("☐ ☐ ☐"), _steps_of("_ _ _")
    ([-1, 0, 1], [1, 2, 3, 4, 5], [1, 2, 3], [])
    """
    signs = [sign.strip("()[] ").replace("−", "-") for sign in _STEP.findall(run)]
    if all(sign.lstrip("+-").isdecimal() for sign in signs):
        numbers = [*map(int, signs)]
        if counts_up(numbers):
            return numbers
        is_scale = numbers == numbers[::-1]
    else:
        is_blank = signs[0].startswith(("_", "."))
        is_scale = len({*signs}) == 1 and (not is_blank or len(signs) >= _LEAST_BLANKS)
    return [*range(1, len(signs) + 1)] if is_scale else []
