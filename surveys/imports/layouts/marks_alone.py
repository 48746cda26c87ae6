"""Numbers and letters on lines of their own, above the questions and answers that they count."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile
from typing import Final

from surveys.imports.words.marks import is_first_letter, mark_of, value_of_letter
from surveys.imports.words.question_marks import asks, holds_question

_NUMBER: Final = re.compile(r"(?P<number>\d{1,3})\s?(?:[→➔➜.):]|/\s?\d{1,3})?")
_STEP: Final = 2
"""Lines of an answer: its letter, and its text."""
_LEAST: Final = 2


def join_marks(lines: Sequence[str]) -> list[str]:
    """Write numbers and letters that have lines of their own in front of the lines below them.

    Parameters
    ----------
    lines : sequence of str
        Numbers that count from 1 are above lines of which most ask. Letters count from the first one, or each
        begins the answer below it. The lines of numbers and letters become empty.

    Examples
    --------
    >>> join_marks(["1→", "Which one?", "A", "Tea", "B", "Wine", "2→", "Often?", "Y", "Yes", "N", "No"])
    ['', '1. Which one?', '', 'A) Tea', '', 'B) Wine', '', '2. Often?', '', '○ Yes', '', '○ No']
    >>> join_marks(["Which grade?", "A", "B", "C"])
    ['Which grade?', 'A', 'B', 'C']
    """
    found = [*lines]
    filled = [place for place, line in enumerate(lines) if line.strip()]
    for place, number in _counted(lines, filled):
        below = _below(filled, place)
        found[place], found[below] = "", f"{number}. {lines[below].strip()}"
    for letters, are_initials in _runs_of_letters(lines):
        for place in letters:
            mark = "○" if are_initials else f"{lines[place].strip()})"
            found[place], found[place + 1] = "", f"{mark} {lines[place + 1].strip()}"
    return found


def _below(filled: Sequence[int], place: int) -> int:
    """Return the place of the next line that is not blank."""
    return next((each for each in filled if each > place), -1)


def _counted(lines: Sequence[str], filled: Sequence[int]) -> list[tuple[int, int]]:
    """Return the places of numbers that count from 1, if most of the lines below them ask."""
    found = [
        (place, below, int(match["number"]))
        for place, below in pairwise(filled)
        if (match := _NUMBER.fullmatch(lines[place].strip()))
        and mark_of(lines[below].strip())[0] is None
        and any(map(str.isalpha, lines[below]))
    ]
    asking = [each for each in found if holds_question(lines[each[1]]) or lines[each[1]].rstrip()[-1:] == "*"]
    # Among questions, single numbers may be above answers: they count anew, and do not ask.
    counted = found if [each[2] for each in found] == [*range(1, len(found) + 1)] else asking
    counts = [each[2] for each in counted] == [*range(1, len(counted) + 1)]
    is_list = counts and len(counted) >= _LEAST and 2 * len(asking) > len(counted)
    return [(place, number) for place, _below, number in counted] if is_list else []


def _runs_of_letters(lines: Sequence[str]) -> Iterator[tuple[list[int], bool]]:
    """Yield the places of letters above answers, and whether each begins its answer."""
    place = 0
    while place + 1 < len(lines):
        initials, letters = _initials(lines, place), _letters(lines, place)
        best = max(letters, initials, key=len)
        if len(best) >= _LEAST:
            yield best, best is not letters
            place = best[-1] + _STEP
        else:
            place += 1


def _is_alone(line: str, below: str) -> bool:
    """Return whether a line is a single letter above words that do not ask."""
    letter, words = line.strip(), below.strip()
    return len(letter) == 1 and letter.isalpha() and len(words) > 1 and not asks(words)


def _initials(lines: Sequence[str], first: int) -> list[int]:
    """Return the places of letters from one on, each of which begins the line below it."""
    return [
        *takewhile(
            lambda at: (
                _is_alone(lines[at], lines[at + 1])
                and lines[at + 1].strip()[0].casefold() == lines[at].strip().casefold()
            ),
            range(first, len(lines) - 1, _STEP),
        )
    ]


def _letters(lines: Sequence[str], first: int) -> list[int]:
    """Return the places of letters that count from a first letter at this place."""
    start = lines[first].strip()
    if not (_is_alone(start, lines[first + 1]) and is_first_letter(start)):
        return []
    return [
        *takewhile(
            lambda at: (
                _is_alone(lines[at], lines[at + 1])
                and value_of_letter(lines[at].strip()) - value_of_letter(start) == (at - first) // _STEP
            ),
            range(first, len(lines) - 1, _STEP),
        )
    ]
