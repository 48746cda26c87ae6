"""Rows of people who were asked for a number or a place: the sent values and the disguise of each group."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike

from privacy.arrays import Array, Whole
from privacy.errors import PrivacyError
from privacy.scales.em import GAIN, MOST_STEPS, Fit, MapOfSets, fit
from privacy.scales.scale_skips import answer_scores, mean_of_answers, mix_with_decoys, split_skips
from privacy.scales.skips import Disguise, Skipping
from privacy.scales.window import WindowChannel, forward


@dataclass(frozen=True, kw_only=True, eq=False)
class ScaleGroup:
    """Row counts of one group by sent value, for one survey or for many.

    Parameters
    ----------
    counts : ndarray of float64, shape (..., outputs), or one longer
        If the question may be skipped, the count of skips comes last.
    inputs : int
        Number of bins or cells.
    disguise : WindowChannel or PlanarWindowChannel or None
        None if answers are sent undisguised.
    skipping : Skipping or None
        Skipping of that disguise, if the question may be skipped.
    """

    counts: Array
    inputs: int
    disguise: Disguise | None
    skipping: Skipping | None

    @property
    def outputs(self) -> int:
        """Number of answers that can be sent."""
        return self.inputs if self.disguise is None else self.disguise.outputs

    @property
    def people(self) -> Array:
        """Number of rows that answer, shape (..., 1); estimated if a disguise hides skips."""
        if self.skipping is not None:
            return split_skips(self.skipping, self.counts)[0]
        answers: Array = self.counts[..., : self.outputs].sum(axis=-1, keepdims=True)
        return answers

    def scores(self, true: Array, of: Callable[[Any], Array]) -> Array:
        """Return z of each kind of row with E[z | x] = f(x) for every answer x, and E[z | skip] = 0.

        Parameters
        ----------
        true : ndarray, shape (..., inputs)
            f.
        of : callable
            Returns scores of the outputs of a disguise, unbiased for f; shape (..., outputs).
        """
        scores = true if self.disguise is None else of(self.disguise)
        if self.skipping is not None:
            return answer_scores(self.skipping, scores)
        more = self.counts.shape[-1] - self.outputs
        return np.concatenate([scores, np.zeros((*scores.shape[:-1], more))], axis=-1)

    @property
    def answer_scores(self) -> Array:
        """Scores of each kind of row for having answered."""
        return self.scores(np.ones(self.inputs), lambda disguise: np.ones(disguise.outputs))

    def by_bin(self, values: Array) -> Array:
        """Return the expected value of a row for each true bin or cell, from the values of kinds of rows."""
        by_output = values[..., : self.outputs]
        if self.disguise is not None:
            by_output = self.disguise.maps()[1](by_output)
        if self.skipping is None:
            return by_output
        skipped = float(self.skipping.skip_probability)
        mean: Array = (1 - skipped) * by_output + skipped * values[..., self.outputs : self.outputs + 1]
        return mean


class ScaleGroups(tuple[ScaleGroup, ...]):
    """Groups of a question, the protected one first; kinds of rows are ordered by group.

    If the question may be skipped, "skipped" is a separate kind of row.
    """

    __slots__ = ()

    @property
    def rows(self) -> Array:
        """Count of each kind of row, shape (..., kinds)."""
        return np.concatenate([group.counts for group in self], axis=-1)

    @property
    def answers(self) -> Array:
        """Scores of each kind of row for having answered, shape (kinds,)."""
        return np.concatenate([group.answer_scores for group in self])

    def scores(self, true: Array, of: Callable[[Any], Array]) -> Array:
        """Return the scores of each kind of row, as in `ScaleGroup.scores`; shape (..., kinds)."""
        return np.concatenate([group.scores(true, of) for group in self], axis=-1)

    def by_bin(self, values: Array) -> Array:
        """Return the mean of values of kinds of rows for each true bin, or cell, over all groups."""
        ends = np.cumsum([group.counts.shape[-1] for group in self])[:-1]
        parts = np.split(values, ends, axis=-1)
        n, means = self.rows.sum(), np.zeros((*values.shape[:-1], self[0].inputs))
        for group, part in zip(self, parts, strict=True):
            means += group.counts.sum() / n * group.by_bin(part)
        return means


def scale_groups(
    disguise: Disguise,
    counts: ArrayLike,
    *,
    direct: ArrayLike | None = None,
    light: Disguise | None = None,
    skipping: Skipping | None = None,
) -> ScaleGroups:
    """Return the protected group, and the direct one if it has rows.

    Parameters
    ----------
    disguise : WindowChannel or PlanarWindowChannel
        Disguise of the protected group; the identity for the rows of an open number.
    counts : array_like of int, shape (..., outputs), or one longer
        Rows by sent output; with `skipping`, the rows that say "skipped" come last. For a map, the shape may
        be (rows, columns).
    direct : array_like of int, optional
        Rows of the direct group by sent value: the true bin or cell, or an output of `light`.
    light : WindowChannel or PlanarWindowChannel, optional
        Disguise of the direct group; None if its answers are sent undisguised.
    skipping : Skipping, optional
        How the question may be skipped. The probability of "skipped" among decoys is the same for both
        groups.

    Raises
    ------
    PrivacyError
        ``counts``: wrong shape, or negative. ``kind``: `skipping` is for another disguise, or `light` for
        other answers.
    """
    if skipping is not None and skipping.disguise != disguise:
        raise PrivacyError("kind.skipping", skipping.refusal, mechanism=skipping.disguise.mechanism)
    more = int(skipping is not None)
    protected = ScaleGroup(
        counts=_check_counts(counts, disguise, disguise.outputs + more, "counts"),
        inputs=disguise.inputs,
        disguise=None if disguise.is_as_answered else disguise,
        skipping=skipping,
    )
    if direct is None:
        return ScaleGroups([protected])
    size, lightly = disguise.inputs, None
    if light is not None:
        if light.inputs != disguise.inputs:
            raise PrivacyError("kind.light", light.inputs, mechanism=light.mechanism)
        size = light.outputs
        lightly = None if skipping is None else Skipping(disguise=light, refusal=skipping.refusal)
    direct_group = ScaleGroup(
        counts=_check_counts(direct, disguise, size + more, "direct counts"),
        inputs=disguise.inputs,
        disguise=light,
        skipping=lightly,
    )
    return ScaleGroups([protected, direct_group] if direct_group.counts.any() else [protected])


def _check_counts(counts: ArrayLike, disguise: Disguise, size: int, name: str) -> Array:
    """Return counts as floats, or raise for a wrong length or an invalid count."""
    table = array = np.asarray(counts, dtype=np.float64)
    if len(disguise.shape) > 1 and array.shape == disguise.shape:
        table = array.ravel()
    if table.ndim == 0 or table.shape[-1] != size or not ((table >= 0) & np.isfinite(table)).all():
        raise PrivacyError("counts.values", array.shape, name=name, size=size)
    return table


def mean_score(groups: ScaleGroups, true: Array, of: Callable[[Any], Array]) -> tuple[float, float, int]:
    """Return the mean of a value among those who answer, its standard error, and the number of rows asked.

    Parameters
    ----------
    groups : ScaleGroups
    true, of
        As in `ScaleGroup.scores`.

    Raises
    ------
    PrivacyError
        ``no_rows``, ``no_answers``.
    """
    n = int(groups.rows.sum())
    if n < 1:
        raise PrivacyError("no_rows", n)
    return *mean_of_answers(groups.rows, groups.scores(true, of), groups.answers), n


def mixed_fit(
    disguise: Disguise, groups: ScaleGroups, *, smooth: bool, gain: float = GAIN, most_steps: int = MOST_STEPS
) -> Fit:
    """Fit the shares of the bins, or of the cells of a map, among those who answer.

    Parameters
    ----------
    disguise : WindowChannel or PlanarWindowChannel
        Disguise of the protected group.
    groups : ScaleGroups
        Groups of one survey or many.
    smooth, gain, most_steps
        As in `privacy.scales.em.fit`; steps are smoothed along the bins, or along columns and rows. On a map,
        plain steps overfit to a speckle and smoothed steps blur borders, so inspect both.

    Raises
    ------
    PrivacyError
        ``no_rows``.

    Notes
    -----
    Shares are fitted in each group under its own channel, and then averaged, weighted by the number of people
    in the group who answer. This is right for the population even if people who chose a group differ from the
    others. If the question may be skipped, `privacy.scales.scale_skips.split_skips` estimates the share tau
    of decoys for skips among the rows that do not say "skipped". These rows were sent under
    (1 - tau) C + tau D, where D is the distribution of a decoy. This mixture replaces the channel C in every
    step.

    Examples
    --------
    Ten thousand people are all in the first of two bins, which is kept with probability 3/4:

    >>> from privacy.scales.window import NumberRange
    >>> from privacy.scales.numeric_mechanisms import generalised_rr
    >>> channel = generalised_rr(NumberRange(low=0, high=1), 7500)
    >>> mixed_fit(channel, scale_groups(channel, [7500, 2500]), smooth=False).shares.round(2).tolist()
    [1.0, 0.0]
    """
    shape = disguise.shape
    fits = [_fit_one(group, shape, smooth=smooth, gain=gain, most_steps=most_steps) for group in groups]
    if len(fits) == 1:
        return fits[0]
    ones = (1,) * len(shape)
    people = [group.people.reshape(*group.counts.shape[:-1], *ones) for group in groups]
    mixture = sum(part.shares * many for part, many in zip(fits, people, strict=True)) / sum(people)
    return Fit(
        shares=np.asarray(mixture),
        steps=max(part.steps for part in fits),
        gain=max(part.gain for part in fits),
        reason="steps" if any(part.reason == "steps" for part in fits) else "gain",
    )


def _fit_one(group: ScaleGroup, shape: tuple[int, ...], *, smooth: bool, gain: float, most_steps: int) -> Fit:
    answers, disguise = group.counts[..., : group.outputs], group.disguise
    surveys = answers.shape[:-1]
    if disguise is None:
        # If everyone skips, the shares are 0, and they get no weight in the average.
        shares = answers / np.maximum(answers.sum(axis=-1, keepdims=True), 1)
        return Fit(shares=shares.reshape(*surveys, *shape), steps=0, gain=0.0, reason="gain")
    sets = answers.reshape(-1, group.outputs)
    ahead, back = (_of_sets(step) for step in disguise.maps())
    if group.skipping is not None:
        tau = split_skips(group.skipping, group.counts)[1].reshape(-1, 1)
        ahead, back = mix_with_decoys(ahead, back, group.skipping.disguise.decoy_array(), tau)
    outside = shape if len(shape) > 1 else (group.outputs,)
    result = fit(
        sets.reshape(-1, *outside),
        np.full((len(sets), *shape), 1 / group.inputs),
        lambda shares, of: ahead(shares.reshape(len(of), -1), of).reshape(-1, *outside),
        lambda ratios, of: back(ratios.reshape(len(of), -1), of).reshape(-1, *shape),
        smooth=smooth,
        gain=gain,
        most_steps=most_steps,
    )
    return replace(result, shares=result.shares.reshape(*surveys, *shape))


def _of_sets(step: Callable[[Array], Array]) -> MapOfSets:
    """Return a step of `fit` that is the same for every set of answers."""
    return lambda values, _sets: step(values)


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
    transform. All scores equal those of `privacy.channels.score`, without its size limit.

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
