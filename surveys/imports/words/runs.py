"""Runs of items next to each other, and numbers that follow each other."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import TypeVar

from surveys.imports.words.patterns import MISSING_CODES

_Item = TypeVar("_Item")


def runs_of(items: Sequence[_Item], goes_on: Callable[[_Item, _Item], bool]) -> Iterator[range]:
    """Yield the places of all items, those together of which each goes on from the one before it.

    Parameters
    ----------
    items : sequence
    goes_on : callable
        Takes two items next to each other.

    Examples
    --------
    >>> [*runs_of([1, 2, 7, 8, 3], lambda before, after: after == before + 1)]
    [range(0, 2), range(2, 4), range(4, 5)]
    """
    start = 0
    for place in range(1, len(items) + 1):
        if place == len(items) or not goes_on(items[place - 1], items[place]):
            yield range(start, place)
            start = place


def filled_runs(items: Sequence[object]) -> Iterator[range]:
    """Yield the places of items that are next to each other and not empty.

    Parameters
    ----------
    items : sequence

    Examples
    --------
    >>> [*filled_runs(["", "a", "b", "", "c"])]
    [range(1, 3), range(4, 5)]
    """
    runs = runs_of(items, lambda before, after: bool(before) == bool(after))
    return (run for run in runs if items and items[run.start])


def counts_up(numbers: Sequence[int]) -> bool:
    """Return whether each of several numbers is the one before it and one more.

    Examples
    --------
    >>> counts_up([2, 3, 4]), counts_up([1, 3]), counts_up([])
    (True, False, False)
    """
    return bool(numbers) and [*numbers] == [*range(numbers[0], numbers[0] + len(numbers))]


def counts_either_way(numbers: Sequence[int]) -> bool:
    """Return whether numbers follow each other upwards or downwards.

    Examples
    --------
    >>> counts_either_way([3, 2, 1]), counts_either_way([1, 3])
    (True, False)
    """
    return counts_up(numbers) or counts_up(numbers[::-1])


def goes_one_way(numbers: Sequence[int]) -> bool:
    """Return whether numbers only go up, or only down.

    >>> goes_one_way([3, 1, 0]), goes_one_way([1, 3, 2])
    (True, False)
    """
    steps = sorted(numbers)
    return [*numbers] in (steps, steps[::-1])


def repeats(values: Sequence[Hashable]) -> bool:
    """Return whether two of several values are equal.

    Examples
    --------
    >>> repeats("abca"), repeats([1, 2])
    (True, False)
    """
    return len({*values}) < len(values)


def without_missing(codes: Sequence[int]) -> Sequence[int]:
    """Return rising codes without the last one if it is that of missing answers, behind a gap.

    Examples
    --------
    >>> without_missing([1, 2, 3, 9]), without_missing([7, 8, 9])
    ([1, 2, 3], [7, 8, 9])
    """
    is_missing = len(codes) > len("ab") and codes[-1] in MISSING_CODES and codes[-1] - codes[-2] > 1
    return codes[:-1] if is_missing else codes
