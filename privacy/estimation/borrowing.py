"""Pairs of items that borrow strength from each other: shrunk towards one pooled association.

An unbiased estimate of a pair uses the rows that were asked both items. With few rows its error is large.
The two shares, and what all pairs have in common, are known far better.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace
from typing import Final, Literal

import numpy as np
import scipy

from privacy.arrays import Array, Flags, Whole
from privacy.estimation.design_index import index_of
from privacy.policy import BORROWING_LEAST_PAIRS, LEAST_COMPLETE_ROWS
from privacy.survey.design import Design

LEVEL: Final = 0.05
_NODES, _WEIGHTS = (own / 2 for own in np.polynomial.legendre.leggauss(16))
_NODES = _NODES + 0.5
_STRANGE: Final = 2.0
"""Standard deviations off its prediction from which on a pair's interval also holds that of its own rows."""

_STEPS_PER_ERROR: Final = 16
"""Pooled figures are rounded to this part of their error: no single pair can be read back from them."""


def _missed(t: Array, chi: Array) -> Array:
    """Chance that a normal variable with squared mean t is beyond chi in either direction."""
    root = np.sqrt(t)
    missed: Array = scipy.special.ndtr(-root - chi) + scipy.special.ndtr(root - chi)
    return missed


def _largest_miss(m2: Array, kappa: float, chi: Array) -> Array:
    """Largest average miss of +-chi over biases with second moment m2 and kurtosis at most kappa.

    A least favourable squared bias has two values, of mean m2: (0, x) while the kurtosis does not bind, and
    where it does (x1, x2) with (m2 - x1)(x2 - m2) = (kappa - 1) m2^2. Each family is a line, searched twice.
    """
    m2, chi = m2[:, None], chi[:, None]
    furthest = np.minimum(kappa * m2, np.maximum(2 * chi**2 + 2, m2))

    def free(u: Array) -> Array:
        x = m2 + (furthest - m2) * u
        return (1 - m2 / x) * _missed(np.zeros(1), chi) + m2 / x * _missed(x, chi)

    def bound(u: Array) -> Array:
        low = m2 * (1 - u)
        high = m2 + (kappa - 1) * m2 / u
        upper = (m2 - low) / (high - low)
        return (1 - upper) * _missed(low, chi) + upper * _missed(high, chi)

    best = _missed(m2, chi)[:, 0]
    for family in (free, bound) if 1 < kappa < np.inf else (free,) if kappa > 1 else ():
        low, high = np.full((len(m2), 1), 1e-9), np.ones((len(m2), 1))
        for _ in range(3):
            grid = low + (high - low) * np.linspace(0, 1, 33)
            missed = family(grid)
            at = missed.argmax(axis=1)[:, None]
            best = np.maximum(best, missed.max(axis=1))
            low = np.take_along_axis(grid, np.maximum(at - 1, 0), axis=1)
            high = np.take_along_axis(grid, np.minimum(at + 1, 32), axis=1)
    return best


def critical_values(m2: Array, kappa: float, *, alpha: float = LEVEL) -> Array:
    """Return how many standard errors an interval reaches if biases of this size may be in it.

    Parameters
    ----------
    m2 : ndarray of float
        Second moment of the bias in standard errors.
    kappa : float
        Its largest kurtosis, 1 or more; ``inf`` for any.
    alpha : float, optional
        Largest average chance to miss.

    References
    ----------
    Armstrong, Kolesar and Plagborg-Moller 2022, equation 5: cva(m2, kappa).

    Examples
    --------
    >>> critical_values(np.array([0.0, 4.0]), np.inf).round(3).tolist()
    [1.96, 7.216]
    >>> critical_values(np.array([4.0]), 3).round(3).tolist()
    [4.62]
    """
    m2 = np.maximum(np.asarray(m2, dtype=np.float64), 1e-12)
    low, high = np.zeros(m2.shape), 4 + np.sqrt(m2 / alpha)
    for _ in range(48):
        middle = (low + high) / 2
        wide = _largest_miss(m2, kappa, middle) <= alpha
        low, high = np.where(wide, low, middle), np.where(wide, middle, high)
    return high


def _density(a: Array, b: Array, rho: Array | float) -> Array:
    rest = 1 - np.square(rho)
    density: Array = np.exp(-(a * a - 2 * rho * a * b + b * b) / (2 * rest)) / (2 * np.pi * np.sqrt(rest))
    return density


def _excess(a: Array, b: Array, rho: float) -> Array:
    """Return how much a pair exceeds the product of its shares where thresholds a, b correlate by rho.

    The chance of a quadrant of the normal distribution has its density as derivative by rho (Plackett 1954).
    """
    excess: Array = rho * np.tensordot(_WEIGHTS, _density(a, b, rho * _NODES[:, None]), axes=1)
    return excess


def borrowing_items(design: Design) -> Whole:
    """Return the items that can borrow: disguised, and asked of everybody or drawn for everybody.

    Parameters
    ----------
    design : Design
    """
    index = index_of(design)
    plain = [block.has_coin and block.asked_if is None for block in design.blocks]
    return np.flatnonzero(np.array(plain)[index.block] & ~index.is_open)


def planned_pairs(design: Design, people: int) -> tuple[int, int]:
    """Return how many pairs of items that can borrow are asked of enough people to be shown, and of how many.

    Parameters
    ----------
    design : Design
    people : int
        Expected to answer.
    """
    index, items = index_of(design), borrowing_items(design)
    pairs = items[np.array(list(itertools.combinations(range(len(items)), 2)), dtype=np.int64).reshape(-1, 2)]
    pairs = pairs[~index.excludes(pairs[:, 0], pairs[:, 1])]
    asked = people * index.drawing.chance(index.question[pairs])
    return int((asked >= LEAST_COMPLETE_ROWS).sum()), len(pairs)


def planned_basis(design: Design, people: int) -> Literal["shrunk", "pooled"] | None:
    """Return what pairs will be predicted from if so many people answer; None for fewer than three items.

    Parameters
    ----------
    design : Design
    people : int
    """
    if len(borrowing_items(design)) < 3:
        return None
    return "shrunk" if planned_pairs(design, people)[0] >= BORROWING_LEAST_PAIRS else "pooled"


@dataclass(frozen=True)
class Pooled:
    """Mean latent correlation of all pairs, and the variance of single ones about it, with their errors."""

    rho: float
    rho_error: float
    spread: float
    spread_error: float


@dataclass(frozen=True, kw_only=True, eq=False)
class PairFigures:
    """Shares and pairs of a survey.

    Parameters
    ----------
    design : Design
    items : ndarray of int64, shape (m,)
    pairs : ndarray of int64, shape (k, 2)
        Positions in `items`.
    n : int
        All rows.
    shares : ndarray of float, shape (m,)
    asked : ndarray of int64, shape (m, 2)
        Rows that were asked an item, direct group first.
    estimates : ndarray of float, shape (k,)
        Unbiased estimates; NaN for what is not known.
    asked_both : ndarray of int64, shape (k, 2)
    all_rows : bool
        Whether rows that were asked one item of a pair count in its estimate.
    pooled : Pooled or None
        What all pairs have in common: `released` makes it.
    """

    design: Design
    items: Whole
    pairs: Whole
    n: int
    shares: Array
    asked: Whole
    estimates: Array
    asked_both: Whole
    all_rows: bool
    pooled: Pooled | None = None


@dataclass(frozen=True, kw_only=True, eq=False)
class BorrowedPairs:
    """Pairs with borrowed strength.

    Attributes
    ----------
    value, low, high : ndarray of float, shape (k,)
        Intervals hold on average over the pairs, in 95 of 100 surveys.
    is_shrunk : ndarray of bool, shape (k,)
        Whether the pair's own rows were used; else the shares and the pooled association alone.
    weight : ndarray of float, shape (k,)
        Of the pair's own estimate.
    shares : ndarray of float, shape (m,)
        Kept between 0 and 1.
    """

    value: Array
    low: Array
    high: Array
    is_shrunk: Flags
    weight: Array
    shares: Array


@dataclass(frozen=True, eq=False)
class _Errors:
    """Variances and covariances of two estimated shares a, b and the estimate e of their pair."""

    aa: Array
    bb: Array
    ab: Array
    ae: Array
    be: Array
    ee: Array

    def of_mean(self, a: Array, b: Array) -> tuple[Array, Array]:
        """Return the variance of a function with these derivatives, and its covariance with the estimate."""
        variance = a**2 * self.aa + b**2 * self.bb + 2 * a * b * self.ab + self.aa * self.bb
        return variance, a * self.ae + b * self.be


def _errors(figures: PairFigures, shares: Array, both: Array) -> _Errors:
    """Errors that the channel makes if the pairs were `both`, from the four answers to two items."""
    index, (i, j) = index_of(figures.design), figures.pairs.T
    a, b, block = shares[i], shares[j], index.block[figures.items]
    decoy = index.unrelated[figures.items] * index.answering[block]
    qa, qb, alike = decoy[i], decoy[j], block[i] == block[j]
    qq = np.where(alike, qa * qb / index.answering[block[i]], qa * qb)
    truth = np.stack([both, a - both, b - both, 1 - a - b + both]).clip(0)
    guess = np.stack([qq, qa - qq, qb - qq, 1 - qa - qb + qq])
    na, nb, nab = (own.sum(axis=1) for own in (figures.asked[i], figures.asked[j], figures.asked_both))
    nab = np.maximum(nab, 1)
    lean = np.stack([b, a]) * figures.all_rows
    has = np.array([[1.0, 1, 0, 0], [1, 0, 1, 0]])[..., None]
    sums = np.zeros((6, len(a)))
    for group in (0, 1):
        pa, pb = index.truth[group, block[i]], index.truth[group, block[j]]
        # One coin decides for both items of a block; else each report depends on its own answer.
        turn = np.stack([np.stack([p + (1 - p) * q, (1 - p) * q]) for p, q in ((pa, qa), (pb, qb))])
        own = np.zeros_like(truth)
        for seen, (x, y) in enumerate(((1, 1), (1, 0), (0, 1), (0, 0))):
            for true, (u, v) in enumerate(((0, 0), (0, 1), (1, 0), (1, 1))):
                chance_a = turn[0, u] if x else 1 - turn[0, u]
                chance_b = turn[1, v] if y else 1 - turn[1, v]
                own[seen] += truth[true] * chance_a * chance_b
        seen_law = np.where(alike, pa * truth + (1 - pa) * guess, own)
        # A group that tells nothing is refused before, or has no rows.
        ta, tb = np.where(pa > 0, pa, 1.0), np.where(pb > 0, pb, 1.0)
        za, zb = (has[0] - (1 - pa) * qa) / ta, (has[1] - (1 - pb) * qb) / tb
        zz = np.where(alike, (has[0] * has[1] - (1 - pa) * qq) / ta, za * zb)
        scores = np.stack([za, zb, zz - lean[0] * za - lean[1] * zb])
        scores = scores - (seen_law * scores).sum(axis=1, keepdims=True)
        rows = figures.asked_both[:, group]
        squares = np.einsum("ck,ack,bck->abk", seen_law, scores, scores)
        sums[0] += figures.asked[i, group] * squares[0, 0] / na**2
        sums[1] += figures.asked[j, group] * squares[1, 1] / nb**2
        sums[2] += rows * squares[0, 1] / (na * nb)
        sums[3] += rows * squares[0, 2] / (na * nab)
        sums[4] += rows * squares[1, 2] / (nb * nab)
        sums[5] += rows * squares[2, 2] / nab**2
    aa, bb, ab, ac, bc, cc = sums
    la, lb = lean
    ae, be = la * aa + lb * ab + ac, la * ab + lb * bb + bc
    ee = la * ae + lb * be + la * ac + lb * bc + cc
    return _Errors(aa, bb, ab, ae, be, ee)


def _association(figures: PairFigures) -> tuple[Array, Array, Array]:
    """Return the thresholds of both items of each pair, and the density between them."""
    threshold = scipy.special.ndtri(_inside(figures))[figures.pairs]
    return threshold[:, 0], threshold[:, 1], _density(threshold[:, 0], threshold[:, 1], 0.0)


def _inside(figures: PairFigures) -> Array:
    """Shares kept from 0 and 1 by a quarter of a row."""
    least = 0.25 / np.maximum(figures.asked.sum(axis=1), 1)
    return np.clip(figures.shares, least, 1 - least)


def _solved(total: float, weight: Array, a: Array, b: Array) -> float:
    """Return the correlation at which the weighted excesses of pairs add up to a total."""
    low, high = -0.9, 0.95
    for _ in range(30):
        middle = (low + high) / 2
        below = float(weight @ _excess(a, b, middle)) < total
        low, high = (middle, high) if below else (low, middle)
    return (low + high) / 2


def _rounded(value: float, error: float) -> float:
    step = 2.0 ** np.floor(np.log2(error / _STEPS_PER_ERROR))
    return float(np.round(value / step) * step)


def _above_zero(value: float, variance: float) -> float:
    """Return the mean of a normal distribution that is known to be above 0."""
    at = value / np.sqrt(variance)
    log_density = -(at**2) / 2 - np.log(2 * np.pi) / 2
    return float(value + np.sqrt(variance) * np.exp(log_density - scipy.special.log_ndtr(at)))


def released(figures: PairFigures) -> PairFigures:
    """Return what may be published of pairs: estimates on 100 answers or more, and two pooled figures.

    Nothing else may see the pairs below the floor; `borrow` works from what this returns.

    Parameters
    ----------
    figures : PairFigures
        With the estimate of every pair.

    Notes
    -----
    Pairs below the floor enter the pooled figures only where there are three of them or more, which rest on
    100 people together. Both figures are rounded to a sixteenth of their errors, which follow from the design
    and the shares alone: no single pair can be computed from them.

    With e the excess over the product of shares, f the normal density at both thresholds and v the variance
    of e, the latent correlation rho solves sum (f/v) excess(rho) = sum (f/v) e. The factor 1 - 3 var/rho^2
    then pulls it to 0 (after James and Stein: a false association costs every pair). The second figure is the
    precision-weighted mean of the squared distances from it, less their errors, on the latent scale.
    """
    # Answers that a group gave without a disguise protect nobody.
    rows = figures.asked_both[:, 0 if figures.design.has_two_strengths else 1 :].sum(axis=1)
    enough = (rows >= LEAST_COMPLETE_ROWS) & np.isfinite(figures.estimates)
    kept = replace(figures, estimates=np.where(enough, figures.estimates, np.nan))
    asked_each = figures.asked.sum() / figures.n
    pairs_each = max(asked_each * (asked_each - 1) / 2, 1.0)
    below = ~enough & (rows > 0) & np.isfinite(figures.estimates)
    used = enough.copy()
    if below.sum() >= 3 and rows[below].sum() >= LEAST_COMPLETE_ROWS * pairs_each:
        used |= below
    if used.sum() < 3:
        return kept
    own = replace(
        figures,
        pairs=figures.pairs[used],
        estimates=figures.estimates[used],
        asked_both=figures.asked_both[used],
    )
    shares = _inside(own)
    product = shares[own.pairs].prod(axis=1)
    errors, (a, b, scale) = _errors(own, shares, product), _association(own)
    variance, both = errors.of_mean(shares[own.pairs[:, 1]], shares[own.pairs[:, 0]])
    variance = errors.ee + variance - 2 * both
    weight = scale / variance
    # Pairs of one row are not independent: with many of them a sum errs more.
    rho_error = float(np.sqrt(np.sqrt(pairs_each) / (weight @ scale)))
    mean = _rounded(weight @ (own.estimates - product) / (weight @ scale), rho_error)
    rho = _solved(mean * float(weight @ scale), weight, a, b)
    rho *= max(0.0, 1 - 3 * (rho_error / rho) ** 2) if rho else 0.0
    distance, v = _distance(own, rho, errors)
    spread_error = float(np.sqrt(2 * np.sqrt(pairs_each) * len(v)) / (1 / v).sum())
    spread = _rounded(float(((distance**2 - v) / v).sum() / (1 / v).sum()), spread_error)
    return replace(kept, pooled=Pooled(rho, rho_error, spread, spread_error))


def _predicted(figures: PairFigures, rho: float) -> tuple[Array, Array]:
    """Return pairs as shares and a latent correlation predict them, and their derivatives by it."""
    a, b, _ = _association(figures)
    product = _inside(figures)[figures.pairs].prod(axis=1)
    return product + _excess(a, b, rho), _density(a, b, rho)


def _distance(figures: PairFigures, rho: float, errors: _Errors) -> tuple[Array, Array]:
    """Return on the latent scale how far estimates are from the prediction, and the variance of that."""
    predicted, scale = _predicted(figures, rho)
    variance, both = errors.of_mean(*_slopes(figures, rho))
    return (figures.estimates - predicted) / scale, (errors.ee + variance - 2 * both) / scale**2


def _slopes(figures: PairFigures, rho: float) -> tuple[Array, Array]:
    """Return the derivatives of predicted pairs by both shares."""
    a, b, _ = _association(figures)
    rest = np.sqrt(1 - rho**2)
    return scipy.special.ndtr((b - rho * a) / rest), scipy.special.ndtr((a - rho * b) / rest)


@dataclass(frozen=True, eq=False)
class _Learnt:
    """What all pairs with their own rows, taken together, say about shares and about single items.

    A pair's prediction errs by the errors of both shares, the effects of both items on its latent
    correlation, and a rest of its own: `left` of the spread. Its estimate errs by the same shares and by
    noise. Columns: both shares, both effects.
    """

    at: Whole
    on_prediction: Array
    on_estimate: Array
    step: Array
    covariance: Array
    noise: Array
    left: float

    def moved(self, derivatives: Array) -> Array:
        """Return by how much pairs with these derivatives move."""
        moved: Array = (derivatives * self.step[self.at]).sum(axis=1)
        return moved

    def variance(self, weight: Array) -> Array:
        """Return the variance of pairs with these weights of their own rows, given their rest."""
        by = (1 - weight)[:, None] * self.on_prediction + weight[:, None] * self.on_estimate
        own = self.covariance[self.at[:, :, None], self.at[:, None, :]]
        variance: Array = np.einsum("ka,kab,kb->k", by, own, by) + weight**2 * self.noise
        return variance


def _products(pairs: Whole, values: Array) -> Array:
    """Sum for each item the products of the values of two pairs that have it."""
    sums = np.bincount(pairs.ravel(), weights=values.ravel())
    return np.asarray(sums**2 - np.bincount(pairs.ravel(), weights=values.ravel() ** 2))


def _learnt(
    figures: PairFigures, errors: _Errors, pooled: Pooled, gap: Array, v: Array, used: Flags
) -> _Learnt:
    """Regress how far estimates are from their predictions on the errors of shares and on effects of items.

    Both are random with known variance. That of shares is their covariance. That of effects follows by
    moments from the products of the distances of two pairs with a common item, less what its share adds to
    them; at least a fifth of the spread stays with single pairs.
    """
    pairs, m = figures.pairs, len(figures.items)
    first, second = pairs.T
    scale = _predicted(figures, pooled.rho)[1][:, None]
    along = [errors.bb * errors.ae - errors.ab * errors.be, errors.aa * errors.be - errors.ab * errors.ae]
    shared = np.stack(along, axis=1) / (errors.aa * errors.bb - errors.ab**2)[:, None]
    noise = np.maximum(errors.ee - shared[:, 0] * errors.ae - shared[:, 1] * errors.be, 1e-12)
    slopes = np.stack(_slopes(figures, pooled.rho), axis=1)
    on_prediction = np.hstack([slopes, -scale, -scale])
    on_estimate = np.hstack([shared, 0 * slopes])
    on_gap = on_estimate - on_prediction
    at, prior = np.hstack([pairs, pairs + m]), np.zeros((2 * m, 2 * m))
    prior[first, second] = prior[second, first] = errors.ab
    prior[first, first], prior[second, second] = errors.aa, errors.bb
    weights = np.where(used, 1 / v, 0.0)[:, None] * np.ones(2)
    by_share = prior.diagonal()[:m] * _products(pairs, weights * on_gap[:, :2] / scale)
    common = (_products(pairs, weights * gap[:, None] / scale) - by_share).sum()
    spread = max(pooled.spread, 0.0)
    effects = np.clip(common / max(_products(pairs, weights).sum(), 1e-300), 0, 0.4 * spread)
    prior[range(m, 2 * m), range(m, 2 * m)] = effects
    precision = np.where(used, 1 / (noise + (spread - 2 * effects) * scale[:, 0] ** 2), 0.0)[:, None]
    information, score = np.zeros_like(prior), np.zeros(2 * m)
    square = (precision * on_gap)[:, :, None] * on_gap[:, None]
    np.add.at(information, (at[:, :, None], at[:, None, :]), square)
    np.add.at(score, at, precision * gap[:, None] * on_gap)
    covariance = prior @ np.linalg.inv(np.eye(2 * m) + information @ prior)
    step = covariance @ score
    # Items unlike the others bias what pairs say of shares: intervals allow for the whole error of shares.
    covariance[:m], covariance[:, :m] = prior[:m], prior[:, :m]
    left = 1 - 2 * float(effects) / spread if spread else 1.0
    return _Learnt(at, on_prediction, on_estimate, step, covariance, np.where(used, noise, 0.0), left)


def borrow(figures: PairFigures, *, alpha: float = LEVEL) -> BorrowedPairs | None:
    """Return pairs with borrowed strength, from what `released` returned; None where it could pool nothing.

    Parameters
    ----------
    figures : PairFigures
    alpha : float, optional
        How often intervals may miss, on average over the pairs.

    Notes
    -----
    M is the pair that the shares and the pooled latent correlation predict, e its unbiased estimate, r the
    density at both thresholds and tau^2 the spread. All distances e - M together correct M and e: for the
    errors of the shares, and for effects of items on the latent correlation (`_learnt`). With V_c the noise
    of e beside that of the shares, and tau^2 what the effects leave of the spread,

        w = tau^2 r^2 / (tau^2 r^2 + V_c);  value = M + w (e - M), both corrected;
        half-width = cva((1-w)^2 r^2 tau^2 / u, kappa) sqrt(u),

    where u is the variance of the value that shares, effects, noise and pooled correlation leave.

    Whether pairs use their own rows follows from how many rows were asked what: `BORROWING_LEAST_PAIRS` pairs
    have to reach the floor. A pair further off than the worst of as many normal ones would be keeps w = 1,
    and so does one whose interval would be wider than that of its own estimate. The interval of a pair that
    is two standard deviations off also holds the interval of its own estimate: intervals that hold on average
    would miss a few strong pairs among many weak ones every time.

    References
    ----------
    Armstrong, Kolesar and Plagborg-Moller 2022; Efron and Morris 1971; Plackett 1954.
    """
    pooled = figures.pooled
    if pooled is None:
        return None
    predicted, scale = _predicted(figures, pooled.rho)
    errors = _errors(figures, _inside(figures), predicted)
    known = np.isfinite(figures.estimates)
    is_shrunk = known & (known.sum() >= BORROWING_LEAST_PAIRS)
    estimate = np.where(is_shrunk, figures.estimates, predicted)
    distance, v = _distance(replace(figures, estimates=estimate), pooled.rho, errors)
    spread = _above_zero(pooled.spread, pooled.spread_error**2)
    kappa = _kurtosis(distance[is_shrunk], v[is_shrunk], spread) if is_shrunk.any() else np.inf
    learnt = _learnt(figures, errors, pooled, estimate - predicted, v, is_shrunk)
    moved = max(pooled.spread, 0.0) * learnt.left * scale**2
    weight = np.where(is_shrunk, moved / (moved + np.maximum(learnt.noise, 1e-12)), 0.0)
    reach = -scipy.special.ndtri(alpha / 2 / max(is_shrunk.sum(), 1))
    strangeness = np.where(is_shrunk, np.abs(distance) / np.sqrt(v + spread), 0.0)
    weight = np.where(strangeness > reach, 1.0, weight)

    def half_widths(weight: Array) -> Array:
        rest = 1 - weight
        u = learnt.variance(weight) + rest**2 * (errors.aa * errors.bb + scale**2 * pooled.rho_error**2)
        bias = np.sqrt(rest**2 * scale**2 * learnt.left * spread / u)
        grid = np.linspace(bias.min(), bias.max() + 1e-9, 48)
        half: Array = np.interp(bias, grid, critical_values(grid**2, kappa, alpha=alpha)) * np.sqrt(u)
        return half

    own = -scipy.special.ndtri(alpha / 2) * np.sqrt(errors.ee)
    half = half_widths(weight)
    weight = np.where(is_shrunk & (half > own), 1.0, weight)
    half = np.where(weight == 1, own, half)
    mean = predicted - learnt.moved(learnt.on_prediction)
    centre = mean + weight * (estimate - learnt.moved(learnt.on_estimate) - mean)
    centre = np.where(weight == 1, estimate, centre)
    shares = np.clip(figures.shares, 0, 1)
    first, second = shares[figures.pairs].T
    value = np.clip(centre, np.maximum(0, first + second - 1), np.minimum(first, second))
    below, above, strange = centre - half, centre + half, strangeness > _STRANGE
    below = np.where(strange, np.minimum(below, estimate - own), below)
    above = np.where(strange, np.maximum(above, estimate + own), above)
    low, high = _ends(figures, errors)
    low = np.minimum(np.clip(below, low, 1), value)
    return BorrowedPairs(
        value=value,
        low=low,
        high=np.maximum(np.clip(above, 0, high), value),
        is_shrunk=is_shrunk,
        weight=weight,
        shares=shares,
    )


def _kurtosis(distance: Array, v: Array, spread: float) -> float:
    """Return the kurtosis of latent correlations about their mean, at least 1, from fourth moments."""
    fourth = (distance**4 - 6 * v * distance**2 + 3 * v**2 - spread**2) / v
    error = np.sqrt((24 * (v + spread) ** 4 / v**2).sum()) / (1 / v).sum()
    return 1 + _above_zero(float(fourth.sum() / (1 / v).sum()), float(error**2)) / spread**2


def _ends(figures: PairFigures, errors: _Errors) -> tuple[Array, Array]:
    """Return the least and greatest pair that the 99% ends of both shares allow."""
    far = -scipy.special.ndtri(0.005)
    first, second = figures.shares[figures.pairs].T
    of_first, of_second = far * np.sqrt(errors.aa), far * np.sqrt(errors.bb)
    low = np.clip(first - of_first + second - of_second - 1, 0, 1)
    return low, np.clip(np.minimum(first + of_first, second + of_second), 0, 1)
