"""Bars of a number that is stored as answered: each has enough people, or none."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from privacy.arrays import Array, Whole

__all__ = ["coarsened", "first_bins", "merged", "spread_evenly"]


def first_bins(
    people: Whole, *, least: int, units: Iterable[int], preferred: Iterable[int] = ()
) -> list[int]:
    """Return the first bin of each bar: the finest bars from left to right that have enough people or none.

    Parameters
    ----------
    people : ndarray of int, shape (bins,)
        Number of people by bin.
    least : int
        Smallest number of people in a bar, besides 0.
    units : iterable of int
        Bins at which a bar may begin.
    preferred : iterable of int
        Bins at which a bar begins if the numbers on both sides allow it, such as the ends of declared ranges.

    Examples
    --------
    One person has 0, ten have 2, and one has 5. Bars that begin at each bin would show both single people:

    >>> first_bins(np.array([1, 0, 10, 0, 0, 1]), least=10, units=range(6))
    [0]
    >>> first_bins(np.array([1, 9, 10, 0, 0, 12, 3]), least=10, units=range(7))
    [0, 2, 3, 5]
    >>> first_bins(np.array([6, 6, 6, 6]), least=10, units=range(4), preferred=[1, 2])
    [0, 2]
    """
    ends = len(people)
    coarse = _joined(people, sorted({0, *preferred}), least)
    starts = sorted({*coarse, *(unit for unit in units if 0 <= unit < ends)})
    bars: list[int] = []
    for first, last in zip(coarse, [*coarse[1:], ends], strict=True):
        starts_in_range = [start for start in starts if first <= start < last]
        bars += _joined(people[:last], starts_in_range, least)
    return bars


def _joined(people: Whole, starts: Sequence[int], least: int) -> list[int]:
    """Return the starts that remain when parts with too few people are joined with the next, or the last."""
    sums = np.add.reduceat(people, starts)
    kept: list[int] = []
    waiting, full = 0, -1
    for start, count in zip(starts, sums.tolist(), strict=True):
        # Adjacent empty parts are one.
        if not waiting and (count or not kept or kept[-1] == full):
            kept.append(start)
        waiting += count
        if waiting >= least:
            waiting, full = 0, kept[-1]
    if waiting:
        # The last part has too few people: it joins the last one that has enough.
        kept = [start for start in kept if start <= full] or [starts[0]]
    return kept


def merged(bars: Sequence[int], people: Whole, *, least: int) -> list[int]:
    """Return stored bars, joined where they have too few of these people.

    Parameters
    ----------
    bars : sequence of int
        First bin of each bar.
    people : ndarray of int, shape (bins,)
    least : int

    Examples
    --------
    >>> merged([0, 2, 4], np.array([5, 5, 3, 0, 20, 0]), least=10)
    [0, 2]
    """
    return _joined(people, bars, least)


def spread_evenly(counts: Whole, bars: Sequence[int]) -> Whole:
    """Spread the people of each bar evenly over its bins; those left over go to its middle.

    Every figure of the result depends only on the number of people in each bar.

    Parameters
    ----------
    counts : ndarray of int, shape (bins,)
    bars : sequence of int
        First bin of each bar.

    Examples
    --------
    >>> spread_evenly(np.array([0, 0, 7, 4]), [0, 3]).tolist()
    [2, 3, 2, 4]
    """
    result = np.zeros_like(counts)
    for first, last in zip(bars, [*bars[1:], len(counts)], strict=True):
        n, width = int(counts[first:last].sum()), last - first
        each, rest = divmod(n, width)
        result[first:last] = each
        start = first + (width - rest) // 2
        result[start : start + rest] += 1
    return result


def coarsened(scores: Array, bars: Sequence[int], size: int) -> Array:
    """Replace the scores of the bins by their means over each bar; further entries stay.

    Parameters
    ----------
    scores : ndarray of float64, shape (..., size or more)
    bars : sequence of int
    size : int
        Number of bins.

    Examples
    --------
    >>> coarsened(np.array([0.0, 1.0, 2.0, 3.0, 9.0]), [0, 3], 4).tolist()
    [1.0, 1.0, 1.0, 3.0, 9.0]
    """
    result = scores.copy()
    for first, last in zip(bars, [*bars[1:], size], strict=True):
        result[..., first:last] = scores[..., first:last].mean(axis=-1, keepdims=True)
    return result
