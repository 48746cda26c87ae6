"""Fit distributions by expectation-maximisation, with bootstrap errors for maps.

For questions that may be skipped, estimate the share of people who answer, and score their answers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privacy import validation
from privacy.arrays import Array, Flags, Whole
from privacy.channels import bayes
from privacy.errors import PrivacyError
from privacy.scales.skipping import Skipping

Map: TypeAlias = Callable[[Array], Array]
MapOfSets: TypeAlias = Callable[[Array, NDArray[np.intp]], Array]
Advance: TypeAlias = Callable[[Array, NDArray[np.intp]], tuple[Array, Flags]]

GAIN: Final = 1e-7
"""Steps end when the log-likelihood gains less than this per report."""

MOST_STEPS: Final = 10_000
_NOTHING: Final = 1e-300


@dataclass(frozen=True, kw_only=True, eq=False)
class Fit:
    """Estimated shares of the true values.

    Parameters
    ----------
    shares : ndarray
        Shares in the shape of the true values; they sum to 1 for each set of counts.
    steps : int
    gain : float
        Largest gain per report in the last step of a set of counts.
    reason : {"gain", "steps"}
        Reason for stopping: all sets gained too little, or the limit on steps was reached.
    """

    shares: Array
    steps: int
    gain: float
    reason: Literal["gain", "steps"]


def expected_values(counts: Array, shares: Array, probabilities: Array, backward: Map) -> Array:
    """Return the expected number of counted rows with each true value: t * K'(counts / K t).

    Parameters
    ----------
    counts, probabilities : ndarray of float64, shape (..., outputs)
        Count of each output, and K t, its probability under these shares. Unsent and impossible outputs
        contribute nothing.
    shares : ndarray of float64, shape (..., values)
        t.
    backward : callable
        K'.

    References
    ----------
    Dempster, Laird and Rubin 1977.

    Examples
    --------
    A bit is kept with probability 3/4; 60 of 100 rows say 1, and half of all people are assumed to have it:

    >>> channel = np.array([[.75, .25], [.25, .75]])
    >>> shares = np.array([.5, .5])
    >>> counts = np.array([40.0, 60.0])
    >>> expected_values(counts, shares, channel @ shares, lambda ratio: channel.T @ ratio).tolist()
    [45.0, 55.0]
    """
    ratio = np.zeros(counts.shape)
    np.divide(counts, probabilities, out=ratio, where=(counts > 0) & (probabilities > 0))
    # Rounding can leave running sums slightly below 0.
    shares_explained: Array = shares * np.maximum(backward(ratio), 0)
    return shares_explained


def smooth_shares(shares: Array, axes: tuple[int, ...]) -> Array:
    """Smooth shares by [1, 2, 1] / 4 along each axis; nothing is lost at the ends.

    Parameters
    ----------
    shares : ndarray
        Shares along any number of axes.
    axes : tuple of int
        Axes to smooth along, one after another.

    Examples
    --------
    >>> smooth_shares(np.array([0.0, 1.0, 0.0, 0.0]), (0,)).tolist()
    [0.25, 0.5, 0.25, 0.0]
    >>> smooth_shares(np.array([1.0, 0.0, 0.0]), (0,)).tolist()
    [0.75, 0.25, 0.0]
    """
    for axis in axes:
        if shares.shape[axis] < 2:
            continue
        line = np.moveaxis(shares, axis, -1)
        padded = np.concatenate([line[..., :1], line, line[..., -1:]], axis=-1)
        shares = np.moveaxis((padded[..., :-2] + 2 * padded[..., 1:-1] + padded[..., 2:]) / 4, -1, axis)
    return shares


def climb(advance: Advance, start: Array, *, most_steps: int) -> tuple[Array, int, bool]:
    """Repeat steps until every set of counts has converged; each keeps its final shares.

    Parameters
    ----------
    advance : callable
        Maps the shares and numbers of the unfinished sets to their next shares and flags of those still
        unfinished.
    start : ndarray, shape (sets, ...)
    most_steps : int

    Returns
    -------
    (ndarray, int, bool)
        The shares; the number of steps; whether all sets converged.

    Examples
    --------
    Halving stops below 1/10, which the first number reaches after two steps:

    >>> climb(lambda x, _sets: (x / 2, x / 2 >= 0.1), np.array([0.3, 0.8]), most_steps=9)
    (array([0.075, 0.05 ]), 3, True)
    """
    shares, result, left = start, start.copy(), np.arange(len(start))
    for step in range(most_steps):
        shares, going = advance(shares, left)
        if not going.all():
            result[left[~going]] = shares[~going]
            if not going.any():
                return result, step, True
            shares, left = shares[going], left[going]
    result[left] = shares
    return result, most_steps, False


def fit(
    counts: Array,
    start: Array,
    forward: MapOfSets,
    backward: MapOfSets,
    *,
    smooth: bool,
    gain: float = GAIN,
    most_steps: int = MOST_STEPS,
) -> Fit:
    """Fit the shares to the counts by expectation-maximisation.

    Parameters
    ----------
    counts : ndarray of float64, shape (sets, ...)
        Count of each output. Each set stops by its own gain, so its shares do not depend on the other sets.
    start : ndarray, shape (sets, ...)
        First guess, above 0 for every possible value.
    forward, backward : callable
        K t, the probabilities of the outputs under shares t, and its transpose; both also receive the numbers
        of the sets.
    smooth : bool
        Whether each step ends with `smooth_shares` (EMS). Plain steps overfit the noise and produce spikes,
        more so the longer they run. Smoothed steps blur true edges.
    gain, most_steps
        Stopping rule.

    Raises
    ------
    PrivacyError
        ``no_rows``: a set of counts is empty.

    Notes
    -----
    t <- t * K'(counts / K t) / n, where counts / K t is 0 for an unsent output. A plain step never lowers the
    log-likelihood. A smoothed step may lower it, so steps end after a small change in either direction.

    References
    ----------
    Agrawal and Aggarwal 2001 (expectation and maximisation); Li and others 2020 (smoothed).
    """
    values, outputs = tuple(range(1, start.ndim)), tuple(range(1, counts.ndim))
    n = counts.sum(axis=outputs)
    if not (n > 0).all():
        raise PrivacyError("no_rows", 0)
    previous, change = np.full(len(n), np.inf), np.full(len(n), np.inf)

    def along(of_sets: NDArray[Any]) -> NDArray[Any]:
        return of_sets.reshape(-1, *(1,) * len(values))

    def advance(shares: Array, sets: NDArray[np.intp]) -> tuple[Array, Flags]:
        rows = counts[sets]
        # Rounding can leave running sums slightly below 0.
        probabilities = np.maximum(forward(shares, sets), _NOTHING)
        likely = np.zeros(rows.shape)
        np.log(probabilities, out=likely, where=rows > 0)
        likelihood = (likely * rows).sum(axis=outputs) / n[sets]
        change[sets] = np.abs(likelihood - previous[sets])
        previous[sets] = likelihood
        going = change[sets] >= gain
        if not going.any():
            return shares, going
        better = expected_values(rows, shares, probabilities, lambda ratio: backward(ratio, sets)) / along(
            n[sets]
        )
        if smooth:
            better = smooth_shares(better, values)
            better = better / better.sum(axis=values, keepdims=True)
        return np.where(along(going), better, shares), going

    shares, steps, has_ended = climb(
        advance, start / start.sum(axis=values, keepdims=True), most_steps=most_steps
    )
    return Fit(shares=shares, steps=steps, gain=float(change.max()), reason="gain" if has_ended else "steps")


Refit: TypeAlias = Callable[[Array, Array], Array]
"""Maps the counts of the protected and of the direct group, of shape (replicates, ...), to the shares of the
cells, of shape (replicates, rows, columns)."""

_AT_ONCE: Final = 10_000
"""Number of cells in a batch of replicates. A batch shares the fixed cost of each step."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Spread:
    """Standard errors of the cells of a map, and of squares of 2 x 2, 4 x 4, ... cells.

    Parameters
    ----------
    by_side : tuple of ndarray of float64
        Errors for squares with 1, 2, 4, ... cells per side, row 0 in the south; the last is the whole map.
        Opposite errors in neighbouring cells cancel in their square.
    replicates : int
        Number of resamples: an error is itself uncertain by about one part in sqrt(2 replicates).
    """

    by_side: tuple[Array, ...]
    replicates: int


def density_errors(
    refit: Refit,
    counts: ArrayLike,
    direct: ArrayLike,
    *,
    about: Array,
    rng: np.random.Generator,
    replicates: int = 100,
) -> Spread:
    """Return bootstrap errors of a density.

    Parameters
    ----------
    refit : callable
        Computes a density from counts in the same way as `about` was computed.
    counts, direct : array_like of int
        Received counts of the protected group, and of the direct group; their totals stay fixed.
    about : ndarray, shape (rows, columns)
        The estimated density. The sums of squares are taken around it for numerical precision only.
    rng : numpy.random.Generator
    replicates : int, 4 to 10,000

    Raises
    ------
    PrivacyError
        ``replicates``; ``no_rows``; the errors of `refit`.

    Notes
    -----
    The error is the sampling error of the estimator `refit`; bias from smoothing or early stopping is not
    included.

    Examples
    --------
    One of two cells is kept with probability 3/4. The share of the first is 2 (n_1 / n - 1/4), and its error
    is 2 sqrt(.5 * .5 / 1000) = .0316. The whole map has no error.

    >>> def refit(counts, direct):
    ...     return 2 * (counts / counts.sum(axis=1, keepdims=True) - .25).reshape(-1, 1, 2)
    >>> spread = density_errors(refit, [500, 500], [0, 0], about=np.array([[.5, .5]]),
    ...                         rng=np.random.default_rng(1), replicates=4000)
    >>> [errors.round(3).tolist() for errors in spread.by_side]
    [[[0.032, 0.032]], [[0.0]]]
    """
    replicates = validation.whole_number(replicates, "replicates", low=4, high=10_000, code="replicates")
    groups = [np.asarray(table, dtype=np.float64).ravel() for table in (counts, direct)]
    if not groups[0].sum():
        raise PrivacyError("no_rows", 0)
    centres = list(blocks_of(about))
    sums = [np.zeros_like(table) for table in centres]
    squares = [np.zeros_like(table) for table in centres]
    at_once = max(1, _AT_ONCE // about.size)
    for first in range(0, replicates, at_once):
        samples = [
            [_resample(table, rng) for table in groups] for _ in range(min(at_once, replicates - first))
        ]
        shares = refit(*(np.stack(tables) for tables in zip(*samples, strict=True)))
        for position, table in enumerate(blocks_of(shares)):
            off = table - centres[position]
            sums[position] += off.sum(axis=0)
            squares[position] += (off**2).sum(axis=0)
    return Spread(
        by_side=tuple(
            np.sqrt(np.maximum(square - total**2 / replicates, 0) / (replicates - 1))
            for total, square in zip(sums, squares, strict=True)
        ),
        replicates=replicates,
    )


def _resample(table: Array, rng: np.random.Generator) -> Array:
    n = table.sum()
    return rng.multinomial(int(n), table / n).astype(np.float64) if n else table


def blocks_of(table: Array) -> Iterator[Array]:
    """Yield the sums of one or more maps over squares of 1, 2, 4, ... cells per side, up to the whole map.

    Parameters
    ----------
    table : ndarray of shape (..., rows, columns)
        A value for each cell.

    Examples
    --------
    >>> [block.tolist() for block in blocks_of(np.array([[1.0, 2.0, 4.0]]))]
    [[[1.0, 2.0, 4.0]], [[3.0, 4.0]], [[7.0]]]
    """
    yield table
    while max(table.shape[-2:]) > 1:
        for axis in (-2, -1):
            table = np.add.reduceat(table, range(0, table.shape[axis], 2), axis=axis)
        yield table


REACH: Final = 1.96
"""Half-width of a share's interval, in standard errors."""

_ROUNDING: Final = 1e-6
"""Tolerance for rounding in sums of people."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Pieces:
    """Squares of cells that tile a map, ordered from south to north, then from west to east.

    Parameters
    ----------
    column, row : ndarray of int64
        South-western cell of each piece.
    side : ndarray of int64
        Cells per side; pieces are clipped at the edge of the map.
    share, standard_error : ndarray of float64
        Share of the people in each whole piece, and its error.
    hidden : ndarray of bool
        Whether the piece is hidden because it holds too few people.
    """

    column: Whole
    row: Whole
    side: Whole
    share: Array
    standard_error: Array
    hidden: Flags

    def __len__(self) -> int:
        return len(self.side)

    def cells(self, shape: tuple[int, int]) -> Array:
        """Return the number of cells of each piece on a map of (rows, columns)."""
        up = np.minimum(self.row + self.side, shape[0]) - self.row
        across = np.minimum(self.column + self.side, shape[1]) - self.column
        numbers: Array = (up * across).astype(np.float64)
        return numbers


def pieces_of(shares: Array, spread: Spread, n: int, *, least: float, smallest: int = 1) -> Pieces:
    """Partition a map into the smallest pieces whose share is distinguishable from 0.

    Parameters
    ----------
    shares : ndarray, shape (rows, columns)
        A density, row 0 in the south.
    spread : Spread
        Errors of the shares.
    n : int
        People on the map.
    least : float
        Pieces with fewer people are hidden. They need not be merged with others, because nothing is published
        about them. Neither need pieces of less than one person.
    smallest : int
        Cells per side of the smallest piece, a power of 2.

    Notes
    -----
    The search works upwards from the smallest squares. Four squares remain separate if each of them is
    hidden, has an interval (1.96 standard errors to either side) above 0, or is divided into separate pieces;
    otherwise they are merged. The grid of squares starts in the south-west, whatever the answers are.

    Examples
    --------
    The third cell may be empty, so it is merged with its neighbours:

    >>> errors = (np.array([[.01, .01, .03, .02]]), np.array([[.01, .02]]), np.array([[0.0]]))
    >>> spread = Spread(by_side=errors, replicates=99)
    >>> pieces = pieces_of(np.array([[.4, .3, .05, .25]]), spread, 1000, least=10)
    >>> pieces.column.tolist(), pieces.side.tolist(), pieces.share.round(2).tolist()
    ([0, 1, 2], [1, 1, 2], [0.4, 0.3, 0.3])
    """
    tables = list(blocks_of(shares))
    first = min(smallest.bit_length() - 1, len(tables) - 1)
    splits = [np.zeros(table.shape, dtype=np.bool_) for table in tables]
    for level in range(first, len(tables) - 1):
        alone = (tables[level] * n < max(least, 1) - _ROUNDING) | (
            tables[level] > REACH * spread.by_side[level]
        )
        separate = alone | splits[level]
        for axis in (0, 1):
            separate = np.logical_and.reduceat(separate, range(0, separate.shape[axis], 2), axis=axis)
        splits[level + 1] = separate
    pieces: list[Array] = []
    indicator = np.ones_like(splits[-1])
    for level in range(len(tables) - 1, first - 1, -1):
        y, x = np.nonzero(indicator & ~splits[level])
        size = np.full(len(x), 1 << level)
        pieces.append(
            np.stack([y << level, x << level, size, tables[level][y, x], spread.by_side[level][y, x]])
        )
        if level > first:
            wider = (indicator & splits[level]).repeat(2, axis=0).repeat(2, axis=1)
            rows, columns = tables[level - 1].shape
            indicator = wider[:rows, :columns]
    row, column, side, share, error = np.concatenate(pieces, axis=1)
    order = np.lexsort((column, row))
    return Pieces(
        column=column[order].astype(np.int64),
        row=row[order].astype(np.int64),
        side=side[order].astype(np.int64),
        share=share[order],
        standard_error=error[order],
        hidden=share[order] * n < least - _ROUNDING,
    )


_MOST_SKIPS: Final = 0.999
"""Cap on the share of skips in a replicate."""


def answer_scores(skipping: Skipping, values: Array) -> Array:
    """Return unbiased scores of all outputs, "skipped" last, from scores that are unbiased for answers.

    Parameters
    ----------
    skipping : Skipping
    values : ndarray, shape (..., outputs)
        t(y) with E[t(Y) | x] = f(x) under the disguise of answers alone; all 1 for the share who answer.

    Returns
    -------
    ndarray, shape (..., outputs + 1)
        z(y) with E[z | x] = f(x) and E[z | skip] = 0.

    Notes
    -----
    With r, T, T', d, D as in `Skipping`, U = 10,000 - r, and m = sum_y D(y) t(y),

        z(y) = T' t(y) / (U T) + r d^2 m / (U T (T - d)),        z("skipped") = - d m / (T - d).

    Examples
    --------
    A bit is sent by one of three draws, and the other two are decoys. The scores for having answered:

    >>> from privacy.scales.window import WindowChannel
    >>> from privacy.scales.window import NumberRange
    >>> bit = WindowChannel(mechanism="keep", range=NumberRange(low=0, high=1), window=1,
    ...            floor=1, peak=1)
    >>> skipping = Skipping(disguise=bit, refusal=5000)
    >>> skipping.truth, skipping.skip_probability  # 5000 * 1 / (5000 * 3 + 5000 * 2) and 2 / 5
    (Fraction(1, 5), Fraction(2, 5))
    >>> answer_scores(skipping, np.ones(2)).tolist()  # .6 * 3 - .4 * 2 = 1; .4 * 3 - .6 * 2 = 0
    [3.0, 3.0, -2.0]
    """
    inner = skipping.disguise
    decoys, rest = inner.decoys, inner.total - inner.decoys
    divisor = skipping.total - skipping.refusal * decoys
    middle = (values @ inner.decoy_array())[..., None]
    constant = float(skipping.refusal * decoys**2 / (divisor * rest)) * middle
    scores: Array = np.concatenate(
        [values * (skipping.total / divisor) + constant, -(decoys / rest) * middle], axis=-1
    )
    return scores


def answering(skipping: Skipping, counts: Array) -> Array:
    """Return an unbiased estimate of the share of people asked who answer; it may be outside [0, 1].

    Parameters
    ----------
    skipping : Skipping
        The channel with its skips.
    counts : ndarray, shape (..., outputs + 1)
        Counts of the outputs, "skipped" last.
    """
    p, skip_rate = float(skipping.truth), counts[..., -1] / counts.sum(axis=-1)
    shares: Array = 1 - (skip_rate - float(skipping.skip_probability)) / p
    return shares


def split_skips(skipping: Skipping, counts: Array) -> tuple[Array, Array]:
    """Return the number of people who answer, and the share of decoys for skips among the sent answers.

    Parameters
    ----------
    skipping : Skipping
        The channel with its skips.
    counts : ndarray, shape (..., outputs + 1)

    Returns
    -------
    people : ndarray, shape (..., 1)
        Expected number of rows of people who answer, whatever they sent.
    mixed : ndarray, shape (..., 1)
        Among the rows that sent an answer, the share tau of decoys from people who skip. With
        a share s who skip, tau / (1 - tau) = s d / ((1 - s) T).
    """
    share = np.clip(answering(skipping, counts), 1 - _MOST_SKIPS, 1)[..., None]
    inner = skipping.disguise
    decoy = np.full_like(share, inner.decoys / inner.total)
    tau = bayes((1 - share, share), (decoy, np.ones_like(share)))[0]
    return share * counts.sum(axis=-1, keepdims=True), tau


def mix_with_decoys(
    forward: MapOfSets, backward: MapOfSets, decoy: Array, mix: Array
) -> tuple[MapOfSets, MapOfSets]:
    """Return (1 - tau) C + tau D and its transpose from C and its transpose, along the last axis.

    Parameters
    ----------
    forward, backward : callable
        C applied to shares of sets of counts, and its transpose to ratios.
    decoy : ndarray, shape (outputs,)
    mix : ndarray, shape (sets, 1)
        tau.
    """

    def ahead(shares: Array, sets: NDArray[np.intp]) -> Array:
        tau, whole = mix[sets], shares.sum(axis=-1, keepdims=True)
        result: Array = (1 - tau) * forward(shares, sets) + tau * decoy * whole
        return result

    def back(ratios: Array, sets: NDArray[np.intp]) -> Array:
        tau = mix[sets]
        result: Array = (1 - tau) * backward(ratios, sets) + tau * (ratios @ decoy)[..., None]
        return result

    return ahead, back


def mean_of_answers(counts: Array, values: Array, answers: Array) -> tuple[float, float]:
    """Return the mean of a value among those who answer, and its standard error.

    Parameters
    ----------
    counts : ndarray, shape (rows,)
        Count of each kind of row, protected and direct.
    values, answers : ndarray, shape (rows,)
        Scores of each kind for the value, and for having answered. They are `answer_scores` for protected
        rows. For direct rows, they are the value and 1, or 0 and 0 for skips.

    Raises
    ------
    PrivacyError
        ``no_answers``: no one seems to have answered.

    Notes
    -----
    The mean is M = sum n z / sum n a, and its error is sqrt(sum n (z - M a)^2) / sum n a. Rows are taken as
    an independent sample of the population, and the error includes that of the share who answer.
    """
    people = float(counts @ answers)
    if not people > 0:
        raise PrivacyError("no_answers", people)
    value = float(counts @ values) / people
    return value, float(np.sqrt(counts @ (values - value * answers) ** 2)) / people
