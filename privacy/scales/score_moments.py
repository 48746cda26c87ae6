"""Moments of scores, and their running sums."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np

from privacy.arrays import Array, Whole
from privacy.errors import PrivacyError
from privacy.scales.scale_groups import ScaleGroups
from privacy.scales.window import WindowChannel, forward

_AT_ONCE: Final = 4_000_000
"""Largest number of entries of a table of scores in memory at a time."""
_MOST_EDGES: Final = 500


def running_scores(channel: WindowChannel, edges: Whole) -> Array:
    """Return the scores s_k(y) with E[s_k(Y) | x] = [x < k] that have the least variance under even shares.

    Parameters
    ----------
    channel : WindowChannel
    edges : ndarray of int, shape (edges,)
        k, from 0 to the number of bins.

    Returns
    -------
    ndarray, shape (edges, channel.outputs)

    Raises
    ------
    PrivacyError
        ``no_score``: the channel does not distinguish the bins.

    Notes
    -----
    Let there be n bins and m outputs on the grid. Let f be the probability of an output outside the window,
    and p what the window adds to it. Then out(y) = f + p (F(y + 1) - F(y + 1 - w)). So the outputs k - 1, k -
    1 - w, k - 1 - 2w, ... add up to a_k f + p F(k). All outputs with the same remainder modulo w form a
    class, which is sent with a probability pi that no answer changes; the coin is another class. Scores of
    F(k) differ by functions of the class. The one with the least variance has the same mean in every class:

        s_k(y) = F(k) + [y in the class of k - 1] ([y < k] - (a_k f + p F(k)) / pi) / p,  F(k) = k / n.

    A biased coin carries additional information about the mean. One more function has the same mean for every
    answer: y // w together with -+p / (2 step). It is removed from the scores by regression. If the window is
    circular, with as many outputs as bins, the scores are the inverse of the channel, computed by Fourier
    transform. All scores equal those of `privacy.channel_scores.score`, without its size limit.

    Examples
    --------
    Keep one of two bins with probability 3/4: the share of the first is (y - 1/4) / (1/2).

    >>> from privacy.scales.window import NumberRange
    >>> from privacy.scales.numeric_mechanisms import generalised_rr
    >>> running_scores(generalised_rr(NumberRange(low=0, high=1), 7500), np.array([1])).tolist()
    [[1.5, -0.5]]
    """
    if not channel.peak or (channel.cyclic and math.gcd(channel.window, channel.inputs) != 1):
        raise PrivacyError("no_score.bins", channel.mechanism, inputs=channel.inputs)
    scores = np.zeros((len(edges), channel.outputs))
    if channel.cyclic:
        scores[:, : channel.grid_outputs] = _cyclic_scores(channel, edges)
        return scores
    n, m, w = channel.inputs, channel.grid_outputs, channel.window
    floor, peak = channel.floor / channel.total, channel.peak / channel.total
    outputs, share = np.arange(m), edges / n
    last = edges - 1
    n_counted, size = last // w + 1, (m - 1 - last % w) // w + 1
    expected = (n_counted * floor + peak * share) / (size * floor + peak)
    # At both ends the running sum is known and no class adds to it, because all of its outputs count or none
    # do.
    of_class = (outputs - last[:, None]) % w == 0
    scores += share[:, None]
    scores[:, :m] += of_class * ((outputs < edges[:, None]) - expected[:, None]) / peak
    return _regress_out_coin(channel, scores) if channel.step else scores


def _cyclic_scores(channel: WindowChannel, edges: Whole) -> Array:
    n = channel.inputs
    inverse = np.fft.irfft(1 / np.fft.rfft(forward(channel, np.eye(1, n)[0])), n=n)
    running = np.concatenate([[0.0], np.cumsum(np.concatenate([inverse, inverse]))])
    start = -np.arange(n) % n
    scores: Array = running[start + edges[:, None]] - running[start]
    return scores


def _regress_out_coin(channel: WindowChannel, scores: Array) -> Array:
    """Remove from scores the part that the coin predicts."""
    probabilities = forward(channel, np.full(channel.inputs, 1 / channel.inputs))
    of_class = np.append(np.arange(channel.grid_outputs) % channel.window, [channel.window, channel.window])
    predictor = np.append((np.arange(channel.grid_outputs) // channel.window).astype(np.float64), [0.5, -0.5])
    predictor[-2:] *= channel.peak / channel.step
    predictor -= (np.bincount(of_class, probabilities * predictor) / np.bincount(of_class, probabilities))[
        of_class
    ]
    weights = probabilities * predictor
    residuals: Array = scores - np.outer(scores @ weights / (predictor @ weights), predictor)
    return residuals


def bin_scores(groups: ScaleGroups, edges: Whole) -> Array:
    """Return the scores of each kind of row for an answer below each edge, shape (edges, kinds).

    Parameters
    ----------
    groups : ScaleGroups
        Groups of a number.
    edges : ndarray of int, shape (edges,)
        Edges from 0 to the number of bins.
    """
    below = (np.arange(groups[0].inputs) < edges[:, None]).astype(np.float64)
    return groups.scores(below, lambda channel: running_scores(channel, edges))


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
