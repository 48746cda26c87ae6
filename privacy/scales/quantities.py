"""Quantiles and bars of a number, from disguised answers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from privacy import validation
from privacy.arrays import Array, Flags, Whole
from privacy.errors import PrivacyError
from privacy.forged import ratio_shift
from privacy.levels import chi_square_quantile, normal_quantile
from privacy.policy import INESTIMABLE_REST
from privacy.printed import CHECKED, Measured, PrintedEstimates
from privacy.scales.running_scores import bin_scores
from privacy.scales.scale_groups import ScaleGroup, ScaleGroups
from privacy.scales.score_moments import Moments, moments_of, running_moments, span_slopes
from privacy.scales.share_intervals import Quadratics, share_ends
from privacy.scales.window import WindowChannel

_ROUNDING: Final = 1e-9


@dataclass(frozen=True, kw_only=True)
class Quantile(Measured):
    """A quantile with the set of accepted values, in the unit of the answers.

    ``low`` and ``high`` are the lowest and the highest accepted value. ``estimable`` is False if the set
    covers more of the range than `privacy.policy.INESTIMABLE_REST` leaves.

    Parameters
    ----------
    share : float
    parts : tuple of (float, float)
        Lowest and highest value of each part of the set, in order; `value` may be between two parts.
    """

    share: float
    parts: tuple[tuple[float, float], ...]


def quantiles(
    channel: WindowChannel,
    groups: ScaleGroups,
    at: Sequence[float] = (0.25, 0.5, 0.75),
    *,
    level: float = 0.95,
    forged: int = 0,
) -> tuple[Quantile, ...]:
    """Return quantiles of the unbiased running sum, with the sets of values that a test accepts.

    Parameters
    ----------
    channel, groups, level
        As in `privacy.scales.decoded_numbers.mean`.
    at : sequence of float, in (0, 1)
    forged : int
        Number of rows that no device sent.

    Raises
    ------
    PrivacyError
        ``no_score``: the mechanism does not distinguish the bins. ``no_rows``, ``no_answers``.

    Notes
    -----
    F(v), the share below v, is a mean of scores. It assumes that numbers are uniform within a bin, or above
    500 bins, within neighbouring bins that form a five-hundredth of the range. The set contains every v with
    (F(v) - q)^2 <= z^2 V(v) / n. V is the variance of the row scores, shifted from the observed share to the
    hypothesis q at the rate given by the channel. Without this shift, its error would be correlated with that
    of F if few rows are expected in a cell. With two scores, as for *keep*, this is Wilson's interval. If the
    question may be skipped, the test uses z - q a, where a is the score for having answered.

    An estimated running sum may decrease, and cross q several times. The estimate is the point where the
    nearest monotone sum by least squares crosses q (Barlow and others 1972). The running sum itself also
    crosses q there, so the estimate is in the set; the set may have several parts. An estimate by the total
    length on which the running sum is below q would grow with every noisy bin of a long flat end.

    In a long tail, the estimate is too high about as often as too low: in 50 to 57 of 100 surveys of 2,000
    people at epsilon 2, at the quantiles from .5 to .9, for four mechanisms. Its mean can be far off if the
    tail has few answers. For example, *keep* of 101 bins has an error of .17 at F = .9, so some surveys leave
    the whole tail open: the mean is 40 instead of 26, and the median 31. A fit with the covariance of the
    running sum, which cuts unbiased shares at 0, is biased towards the tail: its mean is 78 there, and 91
    under *hybrid*.

    References
    ----------
    Barlow and others 1972; Woodruff 1952 (inversion); Wilson 1927 (variance at the hypothesis).

    Examples
    --------
    >>> from privacy.scales.window import NumberRange
    >>> from privacy.scales.numeric_mechanisms import generalised_rr
    >>> channel = generalised_rr(NumberRange(low=0, high=3), 7000)  # any other bin: probability .1
    >>> from privacy.scales.scale_groups import scale_groups
    >>> (half,) = quantiles(channel, scale_groups(channel, [100, 400, 400, 100]), [0.5])
    >>> [round(figure, 3) for figure in (half.value, half.low, half.high)]
    [1.5, 1.404, 1.596]
    """
    _check(groups)
    at = [validation.real_number(share, "share", low=0, high=1, open_ends=True, code="share") for share in at]
    limit = chi_square_quantile(level)
    bins = channel.inputs
    sums: list[tuple[Array, Array]] = []
    without: list[Array] = []
    pieces: list[list[Array]] = [[] for _ in at]
    for edges, moments, with_next in running_moments(groups):
        width = np.diff(edges)
        if forged:
            without.append(_running_without(groups, edges, forged)[:, bool(sums) :])
        sums.append((edges[bool(sums) :].astype(np.float64), (moments.mean / moments.answer)[bool(sums) :]))
        for position, share in enumerate(at):
            begin, end, inside = segments(quantile_quadratics(moments, with_next, share, limit))
            ends = edges[:-1] + width * np.stack([begin, end])
            # Order the pieces by bin, and within a bin from its lower end.
            pieces[position].append(ends.transpose(2, 1, 0)[inside.T])
    every, running = (np.concatenate(parts) for parts in zip(*sums, strict=True))
    value = [_crossing(every, running - share) for share in at]
    without_forged = np.concatenate(without, axis=1) if forged else np.empty((0, len(every)))
    size = float(channel.range.middle(1) - channel.range.middle(0))
    start = float(channel.range.middle(0)) - size / 2
    n = int(groups.rows.sum())
    return tuple(
        Quantile(
            share=share,
            value=start + size * value[position],
            low=start + size * parts[0][0],
            high=start + size * parts[-1][1],
            parts=tuple((start + size * low, start + size * high) for low, high in parts),
            standard_error=None,
            estimable=bool(parts[-1][1] - parts[0][0] <= bins * (1 - INESTIMABLE_REST)),
            n=n,
            effective_n=float(n),
            level=level,
            possible=(start, start + size * bins),
            method="quantile",
            shift=size * _quantile_shift(every, without_forged - share, value[position]) if forged else 0.0,
            origin=CHECKED,
        )
        for position, share in enumerate(at)
        for parts in [_join_pieces(np.concatenate(pieces[position]), value[position], bins * _ROUNDING)]
    )


def _running_without(groups: ScaleGroups, edges: Whole, forged: int) -> Array:
    """Return the running sums at edges without rows of each kind; NaN if perhaps no one else answered."""
    scores, rows, answers = bin_scores(groups, edges), groups.rows, groups.answers
    below = rows @ scores.T - forged * scores.T
    left = rows @ answers - forged * answers
    return np.divide(below, left[:, None], out=np.full_like(below, np.nan), where=left[:, None] > 0)


def _quantile_shift(edges: Array, off: Array, value: float) -> float:
    """Return the largest distance of a quantile from those of other running sums, shape (sums, edges)."""
    if not len(off) or np.isnan(off).any():
        return float("inf")
    return max(abs(_crossing(edges, shares) - value) for shares in off)


def _join_pieces(pieces: Array, value: float, rounding: float) -> list[tuple[float, float]]:
    """Merge adjoining pieces into parts, and extend the outer parts if `value` is outside them.

    >>> _join_pieces(np.array([[0.5, 1.0], [1.0, 1.25], [2.0, 3.0]]), 1.5, 1e-9)
    [(0.5, 1.25), (2.0, 3.0)]
    """
    parts: list[tuple[float, float]] = []
    for low, high in pieces.tolist():
        if parts and low - parts[-1][1] <= rounding:
            parts[-1] = (parts[-1][0], high)
        else:
            parts.append((low, high))
    # Rounding can shrink the accepted set to length 0, so that no piece is left.
    if not parts:
        return [(value, value)]
    parts[0] = (min(parts[0][0], value), parts[0][1])
    parts[-1] = (parts[-1][0], max(parts[-1][1], value))
    return parts


def quantile_quadratics(moments: Moments, with_next: Array, share: float, limit: float) -> Quadratics:
    """Return the quadratics that accept positions w in each bin, from 0 to 1, as a quantile; see `quantiles`.

    Parameters
    ----------
    moments : Moments
        Moments of the running sums at the edges of the bins.
    with_next : ndarray of shape (..., edges - 1)
        Mean of the product of the scores of an edge and the next.
    share : float
        Share of the quantile, in (0, 1).
    limit : float
        Largest accepted test statistic: a quantile of chi-square with one degree of freedom.
    """
    off = moments.mean - share * moments.answer
    square = moments.square - 2 * share * moments.with_answer + share**2 * moments.answer_square
    slope = moments.slope - 2 * share * moments.slope_with
    product = (
        with_next
        - share * (moments.with_answer[..., :-1] + moments.with_answer[..., 1:])
        + share**2 * moments.answer_square
    )
    rise, bend = np.diff(off, axis=-1), np.diff(slope)
    off, slope, first, second = off[..., :-1], slope[:-1], square[..., :-1], square[..., 1:]
    return Quadratics(
        c0=moments.n * off**2 - limit * (first - off * slope),
        c1=2 * moments.n * off * rise - limit * (2 * (product - first) - off * bend - rise * slope),
        c2=moments.n * rise**2 - limit * (first - 2 * product + second - rise * bend),
    )


def _crossing(edges: Array, off: Array) -> float:
    """Return where the least-squares monotone sum crosses 0; the sum itself also crosses upwards there.

    Parameters
    ----------
    edges : ndarray, shape (edges,)
    off : ndarray, shape (edges,)
        The running sum minus the target level. Its two ends are known: the first is below 0, the last above.

    Examples
    --------
    Noise in a flat end brings the sum below 0 again. Its total length below 0 would be 2.25:

    >>> _crossing(np.arange(6.0), np.array([-0.5, -0.25, 0.25, -0.05, 0.15, 0.5]))
    1.5
    """
    # The monotone sum is below 0 up to the minimum of the cumulative sum.
    first = int(np.argmin(np.concatenate([[0.0], np.cumsum(off[1:-1])]))) + 1
    below, above = float(off[first - 1]), float(off[first])
    crossing = edges[first - 1] + (edges[first] - edges[first - 1]) * (below / (below - above))
    return float(crossing)


def segments(quadratics: Quadratics) -> tuple[Array, Array, Flags]:
    """Divide each bin into three pieces at the roots; return their starts, ends, and which are accepted.

    Parameters
    ----------
    quadratics : Quadratics
        One for each bin.
    """
    cuts = np.sort([np.clip(np.nan_to_num(root), 0, 1) for root in quadratics.roots()], axis=0)
    edges = np.stack([np.zeros_like(cuts[0]), *cuts, np.ones_like(cuts[0])])
    is_accepted = (quadratics.at((edges[:-1] + edges[1:]) / 2) <= 0) & (edges[1:] > edges[:-1])
    return edges[:-1], edges[1:], is_accepted


def bars(
    channel: WindowChannel,
    groups: ScaleGroups,
    edges: ArrayLike | None = None,
    *,
    level: float = 0.95,
    forged: int = 0,
) -> PrintedEstimates:
    """Return unbiased shares of bins, or of sets of neighbouring bins, with errors and intervals.

    Parameters
    ----------
    channel, groups, level
        As in `privacy.scales.decoded_numbers.mean`.
    edges : array_like of int, optional
        A bar contains the bins from one edge to the next; by default each bin is a bar.
    forged : int
        Number of rows that no device sent.

    Raises
    ------
    PrivacyError
        As in `quantiles`.

    Notes
    -----
    An estimate may be outside [0, 1]; it is not clipped. The interval holds the shares that a test with the
    variance at the hypothesis accepts (see `quantiles`). It has no ends if too few people seem to answer.

    Examples
    --------
    >>> from privacy.scales.window import NumberRange
    >>> from privacy.scales.numeric_mechanisms import generalised_rr
    >>> from privacy.scales.scale_groups import scale_groups
    >>> channel = generalised_rr(NumberRange(low=0, high=1), 7500)
    >>> bins = bars(channel, scale_groups(channel, [740, 260]))
    >>> [array.round(4).tolist() for array in (bins.value, bins.standard_error, bins.low, bins.high)]
    [[0.98, 0.02], [0.0277, 0.0277], [0.9239, -0.0325], [1.0325, 0.0761]]
    """
    _check(groups)
    limit = chi_square_quantile(level)
    inner = np.arange(channel.inputs + 1) if edges is None else np.asarray(edges, dtype=np.int64)
    moments = bar_moments(groups, inner)
    low, high = share_ends(moments, limit)
    shares = moments.mean / moments.answer
    square = moments.square - shares * (2 * moments.with_answer - shares * moments.answer_square)
    n = int(groups.rows.sum())
    return PrintedEstimates(
        value=shares,
        standard_error=np.sqrt(np.maximum(square, 0) / moments.n) / moments.answer,
        low=low,
        high=high,
        n=n,
        effective_n=float(n),
        level=level,
        possible=(0.0, 1.0),
        method="accepted shares",
        shift=_bar_shift(groups, inner, forged),
        origin=CHECKED,
    )


def _bar_shift(groups: ScaleGroups, edges: Whole, forged: int) -> Array:
    if not forged:
        return np.zeros(len(edges) - 1)
    return ratio_shift(np.diff(bin_scores(groups, edges), axis=0), groups.answers, groups.rows, forged)


def planned_step(channel: WindowChannel, groups: ScaleGroups, smallest: int = 1) -> int | None:
    """Return the bins per bar of the finest bars that this many answers allow; None for fewer than two bars.

    Parameters
    ----------
    channel, groups
        As in `bars`.
    smallest : int
        Bins per bar in exported files; the result is a multiple of it.

    Notes
    -----
    With B bars, the interval of each may reach at most 1/(2B) to either side if all numbers are equally
    frequent. So the result depends on the number of people asked and not on their answers.
    """
    even_groups = ScaleGroups(replace(group, counts=_even_counts(group)) for group in groups)
    finest = -(-channel.inputs // smallest)
    for step in {smallest * -(-finest // count): None for count in range(finest, 1, -1)}:
        edges = [*range(0, channel.inputs, step), channel.inputs]
        half = normal_quantile(0.95) * float(bars(channel, even_groups, edges).standard_error.max())
        if half <= 1 / (2 * (len(edges) - 1)):
            return step
    return None


def people_for_bars(channel: WindowChannel, groups: ScaleGroups) -> int:
    """Return the least number of people for which `planned_step` allows two bars, with as many per group.

    Parameters
    ----------
    channel, groups
        As in `bars`; of the counts only their sums are used.

    Notes
    -----
    The half-width of an interval shrinks with the root of the number of people, and must reach 1/4.

    Examples
    --------
    >>> from privacy.scales.number_range import NumberRange
    >>> from privacy.scales.numeric_mechanisms import generalised_rr_below
    >>> from privacy.scales.scale_groups import scale_groups
    >>> channel = generalised_rr_below(NumberRange(low=0, high=9), 1.0)
    >>> people_for_bars(channel, scale_groups(channel, [10] * 10))
    715

    A report is in the half of its number with p + 4q and in the other with 5q, where p = e q and p + 9q = 1.
    So the half-width is 1.96 sqrt(1/4 / n) / (p - q), and n = 4 (1.96 / .1466)^2 = 714.7 rounded up.
    """
    even_groups = ScaleGroups(replace(group, counts=_even_counts(group)) for group in groups)
    edges = [0, -(-channel.inputs // 2), channel.inputs]
    half = normal_quantile(0.95) * float(bars(channel, even_groups, edges).standard_error.max())
    return math.ceil(float(even_groups.rows.sum()) * (4 * half) ** 2 - 1e-9)


def _even_counts(group: ScaleGroup) -> Array:
    """Return the expected counts of a group if everyone answers and all numbers are equally frequent."""
    n, counts = float(group.counts.sum()), np.zeros(group.counts.shape[-1])
    even, skipped = np.full(group.inputs, 1 / group.inputs), 0.0
    if group.skipping is not None:
        skipped = float(group.skipping.skip_probability)
        counts[-1] = n * skipped
    if group.disguise is not None:
        even = group.disguise.maps()[0](even)
    counts[: len(even)] = n * (1 - skipped) * even
    return counts


def bar_moments(groups: ScaleGroups, edges: Whole) -> Moments:
    """Return the moments of the scores of the bins between edges.

    Parameters
    ----------
    groups : ScaleGroups
        Groups of a number.
    edges : ndarray of int
        Ascending edges; a bar contains the bins from one edge to the next.
    """
    scores = np.diff(bin_scores(groups, edges), axis=0)
    return moments_of(groups, scores, partial(span_slopes, first=edges[:-1], end=edges[1:]))


def _check(groups: ScaleGroups) -> None:
    if not groups.rows.sum() > 0:
        raise PrivacyError("no_rows", 0)
    people = float(groups.rows @ groups.answers)
    if not people > 0:
        raise PrivacyError("no_answers", people)
