"""Moments of scores of sets of bins, and of their running sums."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np

from privacy.arrays import Array, Whole
from privacy.scales.running_scores import bin_scores
from privacy.scales.scale_groups import ScaleGroups

_AT_ONCE: Final = 4_000_000
"""Largest number of entries of a table of scores in memory at a time."""
_MOST_EDGES: Final = 500


@dataclass(frozen=True, kw_only=True, eq=False)
class Moments:
    """Moments of the scores z of sets of bins and of the score a of having answered, as means over n rows.

    Parameters
    ----------
    n : int
    mean, square, with_answer : ndarray, shape (..., sets)
        Means of z, z^2 and z a.
    answer, answer_square : ndarray, shape (..., 1)
        Means of a and a^2; 1 if everyone answers.
    slope, slope_with : ndarray, shape (sets,)
        Change in the means of z^2 and z a as respondents move into the set, under the channel, for
        distributions that are uniform inside and outside.
    """

    n: int
    mean: Array
    square: Array
    with_answer: Array
    answer: Array
    answer_square: Array
    slope: Array
    slope_with: Array


def moments_of(groups: ScaleGroups, scores: Array, slopes: Callable[[Array], Array]) -> Moments:
    """Return the moments of scores of sets of bins or cells.

    Parameters
    ----------
    groups : ScaleGroups
    scores : ndarray of shape (sets, kinds)
        z of each kind of row, group after group.
    slopes : callable
        Maps values by set and true bin to the mean inside minus the mean outside of each set.
    """
    rows, answers = groups.rows, groups.answers
    n = int(rows.reshape(-1, rows.shape[-1])[0].sum())
    return Moments(
        n=n,
        mean=rows @ scores.T / n,
        square=rows @ (scores**2).T / n,
        with_answer=rows @ (scores * answers).T / n,
        answer=(rows @ answers / n)[..., None],
        answer_square=(rows @ answers**2 / n)[..., None],
        slope=slopes(groups.by_bin(scores**2)),
        slope_with=slopes(groups.by_bin(scores * answers)),
    )


def span_slopes(values: Array, first: Whole, end: Whole) -> Array:
    """Return the mean over the bins first .. end - 1 minus that over the others, shape (sets,).

    Parameters
    ----------
    values : ndarray of shape (sets, bins)
    first, end : ndarray of int, shape (sets,)
        Proper, nonempty subsets of the bins.
    """
    running = np.concatenate([np.zeros((len(values), 1)), np.cumsum(values, axis=-1)], axis=-1)
    line = np.arange(len(values))
    in_span, size = running[line, end] - running[line, first], end - first
    slopes: Array = in_span / size - (running[:, -1] - in_span) / (values.shape[-1] - size)
    return slopes


def running_moments(groups: ScaleGroups) -> Iterator[tuple[Whole, Moments, Array]]:
    """Yield the moments of the running sums at the edges of all bins, in chunks that fit into memory.

    Parameters
    ----------
    groups : ScaleGroups
        Groups of a number.

    Yields
    ------
    edges : ndarray of int
        Edges in chunks. Above 500 bins, neighbouring bins are merged so that at most 500 remain; each chunk
        begins with the last edge of the previous one.
    moments : Moments
        At both ends of the range, where nothing is random, the slopes continue those inside the first and
        the last bin.
    with_next : ndarray, shape (..., edges - 1)
        Mean product of the scores of an edge and the next.
    """
    bins, rows = groups[0].inputs, groups.rows
    edges = np.append(np.arange(0, bins, -(-bins // _MOST_EDGES)), bins)
    near = edges[[1, -2]]
    by_bin = groups.by_bin(bin_scores(groups, near) * groups.answers)
    with_answer = span_slopes(by_bin, np.zeros_like(near), near)
    step = max(1, _AT_ONCE // rows.shape[-1])
    for first in range(0, len(edges) - 1, step):
        some = edges[first : first + step + 1]
        scores = bin_scores(groups, some)
        # The two ends use the spans of their neighbours until their own slopes are set below.
        spans = np.zeros_like(some), np.clip(some, *near)
        moments = moments_of(groups, scores, partial(span_slopes, first=spans[0], end=spans[1]))
        if some[0] == 0:
            moments.slope[0], moments.slope_with[0] = 0, with_answer[0]
        if some[-1] == bins:
            moments.slope[-1], moments.slope_with[-1] = 2 * with_answer[1], with_answer[1]
        yield some, moments, rows @ (scores[:-1] * scores[1:]).T / moments.n
