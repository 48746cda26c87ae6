"""Scores for the share of answers below an edge, in closed form."""

from __future__ import annotations

import math

import numpy as np

from privacy.arrays import Array, Whole
from privacy.errors import PrivacyError
from privacy.scales.scale_groups import ScaleGroups
from privacy.scales.window import WindowChannel, forward


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
    # Only ratios matter, so they need not sum to 1.
    probabilities = forward(channel, np.ones(channel.inputs))
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
