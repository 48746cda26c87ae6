"""Predict how many people have both items of a pair, with strength borrowed from all other pairs.

An unbiased estimate of a pair uses only the rows that were asked both items, so few rows give a large error.
The two shares, and the average association of all pairs, are known far better. Estimates are shrunk towards
what these predict.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import scipy

from privacy.arrays import Array, Flags, Whole
from privacy.estimation.design_index import index_of
from privacy.levels import normal_quantile
from privacy.policy import BORROWING_LARGEST_RHO_ERROR, BORROWING_LEAST_PAIRS, LEAST_COMPLETE_ROWS
from privacy.survey.design import Design

# Gauss-Legendre quadrature on [0, 1].
_NODES, _WEIGHTS = (half / 2 for half in np.polynomial.legendre.leggauss(16))
_NODES = _NODES + 0.5
# Possible variances of the effects of items and of single pairs. Before any data, 0 is sixteen times as
# likely as each of the others.
_SPREADS: Final = np.square([0.0, 0.05, 0.1, 0.2, 0.4])
_HUB: Final = 0.25**2
"""Variance of the effect of a hub, one item that is associated with all others. Before any data, a survey has
a hub with probability one half."""
_YES_TO_ALL: Final = 0.1**2
"""Variance of the share of people who say yes to everything, if there are any. Before any data, none are
sixteen times as likely."""
_LARGEST_RHO: Final = 0.95
_LARGEST_SHARE: Final = 1 - 1e-6
_STEPS_PER_ERROR: Final = 16
"""Pooled figures are rounded to this fraction of their error, so that no single pair can be computed."""


def _density(a: Array, b: Array, rho: Array | float) -> Array:
    rest = 1 - np.square(rho)
    return np.asarray(np.exp(-(a * a - 2 * rho * a * b + b * b) / (2 * rest)) / (2 * np.pi * np.sqrt(rest)))


def _excess(a: Array, b: Array, rho: Array | float) -> Array:
    """Return the probability that two standard normals with correlation rho are below a and b, minus the
    product of the two single probabilities.

    Its derivative with respect to rho is the normal density at (a, b) (Plackett 1954).
    """
    return np.asarray(rho * np.tensordot(_WEIGHTS, _density(a, b, rho * _NODES[:, None]), axes=1))


FIRST_READ: Final = 10
"""Number of the largest pairs, with which lists begin. Their lower ends allow for their selection."""


@dataclass(frozen=True)
class PooledCorrelation:
    """Mean latent correlation of all pairs, variance of single pairs around it, and both standard errors."""

    rho: float
    rho_error: float
    spread: float
    spread_error: float


@dataclass(frozen=True, kw_only=True, eq=False)
class PairFigures:
    """Estimated shares and pairs of a survey.

    Parameters
    ----------
    design : Design
    items : ndarray of int64, shape (m,)
    pairs : ndarray of int64, shape (k, 2)
        Positions in `items`.
    n : int
        Number of rows.
    shares : ndarray of float, shape (m,)
    n_asked : ndarray of int64, shape (m, 2)
        Rows that were asked each item; the direct group comes first.
    estimates : ndarray of float, shape (k,)
        Unbiased estimates; NaN if unknown.
    asked_both : ndarray of int64, shape (k, 2)
    all_rows : bool
        Whether rows that were asked only one item of a pair also contribute to its estimate.
    pool : PooledCorrelation or None
        The association of all pairs, from `publishable_pairs`.
    """

    design: Design
    items: Whole
    pairs: Whole
    n: int
    shares: Array
    n_asked: Whole
    estimates: Array
    asked_both: Whole
    all_rows: bool
    pool: PooledCorrelation | None = None


@dataclass(frozen=True, kw_only=True, eq=False)
class BorrowedPairs:
    """Predicted pairs.

    Attributes
    ----------
    value, low, high : ndarray of float, shape (k,)
        Intervals are meant to hold on average over all pairs, in 95 of 100 surveys.
    is_shrunk : ndarray of bool, shape (k,)
        Whether the prediction uses the pair's own rows; if not, only the shares and the pooled association.
    is_determined : bool
        Whether the error of the pooled correlation is at most `BORROWING_LARGEST_RHO_ERROR`. If not, values
        say little more than the shares do; rely on the intervals.
    weight : ndarray of float, shape (k,)
        Weight of the pair's own estimate.
    shares : ndarray of float, shape (m,)
        Clipped to 0 to 1.
    """

    value: Array
    low: Array
    high: Array
    is_shrunk: Flags
    is_determined: bool
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
        """Return the variance of a function with these derivatives, and its covariance with the estimate.

        The second-order terms are those of a product: for normal errors d and e of both shares, with mean 0,
        E[d^2 e^2] = aa bb + 2 ab^2 (Isserlis), so the variance of d e is aa bb + ab^2. Products of three
        errors have mean 0.
        """
        variance = a**2 * self.aa + b**2 * self.bb + 2 * a * b * self.ab + self.aa * self.bb + self.ab**2
        return variance, a * self.ae + b * self.be


def _errors_by_design(figures: PairFigures, shares: Array, both: Array) -> _Errors:
    """Return the errors due to the channel if the true pairs were `both`."""
    index, (i, j) = index_of(figures.design), figures.pairs.T
    a, b, block = shares[i], shares[j], index.block[figures.items]
    decoy = index.unrelated[figures.items] * index.answering[block]
    qa, qb, alike = decoy[i], decoy[j], block[i] == block[j]
    qq = np.where(alike, qa * qb / index.answering[block[i]], qa * qb)
    truth = np.stack([both, a - both, b - both, 1 - a - b + both]).clip(0)
    guess = np.stack([qq, qa - qq, qb - qq, 1 - qa - qb + qq])
    rows = np.stack([figures.n_asked[i], figures.n_asked[j], figures.asked_both]).transpose(2, 0, 1)
    n = np.maximum(rows.sum(axis=0), 1)
    lean = np.stack([b, a]) * figures.all_rows
    has = np.array([[1.0, 1, 0, 0], [1, 0, 1, 0]])[..., None]
    together = np.array([[0, 2, 2], [2, 1, 2], [2, 2, 2]])
    covariance = np.zeros((3, 3, len(a)))
    for group in (0, 1):
        pa, pb = index.truth[group, block[i]], index.truth[group, block[j]]
        # One coin decides for both items of a block; otherwise each report depends on its own answer only.
        turns = [p * np.eye(2)[..., None] + (1 - p) * np.stack([q, 1 - q]) for p, q in ((pa, qa), (pb, qb))]
        own = np.einsum("uxk,vyk,uvk->xyk", *turns, truth.reshape(2, 2, -1)).reshape(4, -1)
        seen_law = np.where(alike, pa * truth + (1 - pa) * guess, own)
        # A group that reveals nothing (truth 0) was refused earlier or has no rows.
        ta, tb = np.where(pa > 0, pa, 1.0), np.where(pb > 0, pb, 1.0)
        za, zb = (has[0] - (1 - pa) * qa) / ta, (has[1] - (1 - pb) * qb) / tb
        zz = np.where(alike, (has[0] * has[1] - (1 - pa) * qq) / ta, za * zb)
        scores = np.stack([za, zb, zz - lean[0] * za - lean[1] * zb])
        scores = scores - (seen_law * scores).sum(axis=1, keepdims=True)
        squares = np.einsum("ck,ack,bck->abk", seen_law, scores, scores)
        covariance += rows[group, together] * squares / (n[:, None] * n)
    by = np.stack([*lean, np.ones(len(a))])
    ae, be, rest = (covariance * by).sum(axis=1)
    (aa, ab, _), (_, bb, _), _ = covariance
    return _Errors(aa, bb, ab, ae, be, lean[0] * ae + lean[1] * be + rest)


def _association(figures: PairFigures) -> tuple[Array, Array, Array]:
    """Return the thresholds of both items of each pair, and the density between them."""
    threshold = scipy.special.ndtri(_inner_shares(figures))[figures.pairs]
    return threshold[:, 0], threshold[:, 1], _density(threshold[:, 0], threshold[:, 1], 0.0)


def _inner_shares(figures: PairFigures) -> Array:
    """Return shares clipped to at least a quarter of a row away from 0 and 1."""
    least = 0.25 / np.maximum(figures.n_asked.sum(axis=1), 1)
    return np.clip(figures.shares, least, 1 - least)


def _solve_correlation(total: float, weight: Array, a: Array, b: Array) -> float:
    """Return the correlation at which the weighted excesses of pairs add up to a total."""
    low, high = -0.9, _LARGEST_RHO
    for _ in range(30):
        middle = (low + high) / 2
        below = float(weight @ _excess(a, b, middle)) < total
        low, high = (middle, high) if below else (low, middle)
    return (low + high) / 2


def _round_to_step(value: float, error: float) -> float:
    step = 2.0 ** np.floor(np.log2(error / _STEPS_PER_ERROR))
    return float(np.round(value / step) * step)


def publishable_pairs(figures: PairFigures) -> PairFigures:
    """Return publishable figures of pairs: estimates from at least 100 answers, and two pooled figures.

    No other code may see the pairs below the floor; `borrow` uses only this result.

    Parameters
    ----------
    figures : PairFigures
        With the estimate of every pair.

    Notes
    -----
    Pairs below the floor enter the pooled figures only if there are at least three, based on 100 people
    together. Both figures are rounded to a sixteenth of their errors, which follow from the design and the
    shares alone, so no single pair can be computed from them.

    Let e be the excess over the product of shares, f the normal density at both thresholds and v the variance
    of e. The latent correlation rho solves sum (f/v) excess(rho) = sum (f/v) e. The bias of the right side is
    subtracted first; it arises because f depends on the shares, whose errors are correlated with that of e.
    The factor 1 - 4 var/rho^2 then shrinks rho towards 0 (after James and Stein), because a false association
    harms every pair. The second figure is the precision-weighted mean of the squared distances from the
    prediction, minus their variances, on the latent scale.
    """
    # Answers without a disguise protect no one.
    rows = figures.asked_both[:, 0 if figures.design.has_two_strengths else 1 :].sum(axis=1)
    enough = (rows >= LEAST_COMPLETE_ROWS) & np.isfinite(figures.estimates)
    kept = replace(figures, estimates=np.where(enough, figures.estimates, np.nan))
    asked_each = figures.n_asked.sum() / figures.n
    pairs_each = max(asked_each * (asked_each - 1) / 2, 1.0)
    below = ~enough & (rows > 0) & np.isfinite(figures.estimates)
    is_hidden = below.sum() >= 3 and rows[below].sum() >= LEAST_COMPLETE_ROWS * pairs_each
    used = enough | (below & is_hidden)
    if used.sum() < 3:
        return kept
    own, shares = replace(figures, estimates=np.where(used, figures.estimates, 0.0)), _inner_shares(figures)
    first, second = shares[own.pairs].T
    errors, (a, b, scale) = _errors_by_design(own, shares, first * second), _association(own)
    variance, both = errors.of_mean(second, first)
    weight = np.where(used, scale / (errors.ee + variance - 2 * both), 0.0)
    # Pairs with a common item are not independent, because both depend on the error of that item's share.
    lean, noise, of_shares = _errors_by_share(own, errors)
    by_pair = weight[:, None] * (lean - np.stack([second, first], axis=1))
    by_share = np.bincount(own.pairs.ravel(), weights=by_pair.ravel(), minlength=len(shares))
    of_sum = weight**2 @ (noise + errors.aa * errors.bb) + by_share @ of_shares @ by_share
    rho_error = float(np.sqrt(of_sum) / (weight @ scale))
    bias = a * np.sqrt(_density(b, b, 0.0)) * (second * errors.aa + first * errors.ab - errors.ae)
    bias += b * np.sqrt(_density(a, a, 0.0)) * (first * errors.bb + second * errors.ab - errors.be)
    total = weight @ (own.estimates - first * second - bias / scale)
    mean = _round_to_step(total / (weight @ scale), rho_error)
    rho = _solve_correlation(mean * float(weight @ scale), weight, a, b)
    rho *= max(0.0, 1 - 4 * (rho_error / rho) ** 2) if rho else 0.0
    distance, v = _distances(own, rho, errors)
    weight = np.where(used, 1 / v, 0.0)
    spread_error = float(np.sqrt(2 * np.sqrt(pairs_each) * used.sum()) / weight.sum())
    spread = _round_to_step(float(weight @ (distance**2 - v) / weight.sum()), spread_error)
    return replace(kept, pool=PooledCorrelation(rho, rho_error, spread, spread_error))


def _shrinkage(pooled: PooledCorrelation) -> float:
    """Return how far at most the pooled correlation was moved towards 0: from r by 4 var/r, or by 2 errors.

    >>> round(_shrinkage(PooledCorrelation(.3 * (1 - 4 * .1**2 / .3**2), .1, 0, 0)), 6)  # from .3
    0.133333
    >>> _shrinkage(PooledCorrelation(0, .1, 0, 0))
    0.2
    """
    size = abs(pooled.rho)
    return float(np.sqrt(size**2 + 16 * pooled.rho_error**2) - size) / 2


def _predict(figures: PairFigures, rho: float) -> tuple[Array, Array]:
    """Return the pairs that shares and a latent correlation predict, and their derivatives by it."""
    (first, second), (a, b, _) = _inner_shares(figures)[figures.pairs].T, _association(figures)
    return _predicted_pair(first, second, rho), _density(a, b, rho)


def _predicted_pair(first: Array, second: Array, rho: Array | float) -> Array:
    """Return the pair that two shares and a latent correlation predict."""
    return first * second + _excess(scipy.special.ndtri(first), scipy.special.ndtri(second), rho)


def _largest_rise(shares: Array, errors: Array, rho: float, rho_error: Array) -> Array:
    """Return how far the errors of both shares, shape (2, k), and of the correlation can raise a prediction.

    This is the larger of two distances from the prediction: the root of its three squared steps if one figure
    moves to its upper 1.96 end, and its step if all three move by one error. If shares are rare, a prediction
    rises far more than its slope says.
    """

    def moved(by: Array) -> Array:
        first, second = np.minimum(shares + by[:2, None] * errors, _LARGEST_SHARE)
        return _predicted_pair(first, second, np.minimum(rho + by[2] * rho_error, _LARGEST_RHO))

    now, far = moved(np.zeros(3)), normal_quantile(0.95)
    alone = [moved(far * one) - now for one in np.eye(3)]
    return np.asarray(np.maximum(np.sqrt(np.square(alone).sum(axis=0)), moved(np.ones(3)) - now))


def _distances(figures: PairFigures, rho: float, errors: _Errors) -> tuple[Array, Array]:
    """Return the distances of estimates from the prediction on the latent scale, and their variance."""
    prediction, scale = _predict(figures, rho)
    variance, both = errors.of_mean(*_slopes(figures, rho))
    return (figures.estimates - prediction) / scale, (errors.ee + variance - 2 * both) / scale**2


def _slopes(figures: PairFigures, rho: float) -> tuple[Array, Array]:
    """Return the derivatives of predicted pairs by both shares."""
    a, b, _ = _association(figures)
    rest = np.sqrt(1 - rho**2)
    return scipy.special.ndtr((b - rho * a) / rest), scipy.special.ndtr((a - rho * b) / rest)


@dataclass(frozen=True, eq=False)
class _Learnt:
    """What all pairs with their own rows together reveal about the errors of shares and the effects of items.

    The error of a pair's prediction has five parts: the errors of both shares, the effects of both items on
    its latent correlation, the effect of people who say yes to everything, and a remainder. The error of its
    estimate consists of the same errors of shares and noise. `step` holds the estimated errors of all shares,
    the effects of all items, then the share of those who say yes to everything. `prediction`
    and `estimate` are the corrections of each pair. `covariance`, shape (2, 2, k), is that of the errors left
    after these corrections, without the remainder. `of_rho`, shape (k,), is the part of the prediction's
    variance that is due to the latent correlation, on the latent scale. `spreads` are the variance of
    effects, the variance of remainders, and a cautious value of the latter.
    """

    step: Array
    prediction: Array
    estimate: Array
    covariance: Array
    of_rho: Array
    spreads: tuple[float, float, float]


def _errors_by_share(figures: PairFigures, errors: _Errors) -> tuple[Array, Array, Array]:
    """Regress errors of estimates on those of shares: slopes, remaining variance, covariance of shares."""
    (first, second), m = figures.pairs.T, len(figures.items)
    along = [errors.bb * errors.ae - errors.ab * errors.be, errors.aa * errors.be - errors.ab * errors.ae]
    slopes = np.stack(along, axis=1) / (errors.aa * errors.bb - errors.ab**2)[:, None]
    noise = np.maximum(errors.ee - slopes[:, 0] * errors.ae - slopes[:, 1] * errors.be, 1e-12)
    covariance = np.zeros((m, m))
    covariance[first, second] = covariance[second, first] = errors.ab
    covariance[first, first], covariance[second, second] = errors.aa, errors.bb
    return slopes, noise, covariance


def _log_odds_of_positive(prior: Array, evidence: Array, information: Array) -> Array:
    """Return by how much a normal effect of this prior variance is likelier if it cannot be negative.

    The density of a half-normal prior is twice that of the normal one where the effect is positive.
    """
    mean, variance = prior * evidence, prior * (1 - prior * information)
    return np.asarray(np.log(2) + scipy.special.log_ndtr(mean / np.sqrt(np.maximum(variance, 1e-300))))


def _shape_of_yes_to_all(figures: PairFigures, scale: Array, weight: Array) -> Array:
    """Return by how much a small share of people who say yes to everything raises each pair, per unit.

    With c of them, a pair of the others independent and both shares given, it is c (1 - a)(1 - b)/(1 - c)
    above the product of the shares. The part that the pooled correlation predicts, too, is taken out.
    """
    raised = (1 - _inner_shares(figures)[figures.pairs]).prod(axis=1)
    of_scale = weight @ scale**2
    return np.asarray(raised - scale * (weight @ (scale * raised) / of_scale if of_scale else 0.0))


def _learn_from_all_pairs(
    figures: PairFigures, errors: _Errors, pool: PooledCorrelation, gap: Array, is_used: Flags
) -> _Learnt:
    """Regress the distances of estimates from predictions on errors of shares and effects of items.

    Both are random effects. The variance of shares is known. The variances of effects and of remainders can
    each be any of `_SPREADS`, and one item may be a hub, whose effect has the additional variance `_HUB`.
    Some people may say yes to everything (`_shape_of_yes_to_all`), with the variance `_YES_TO_ALL`.
    Each of these models is a normal distribution of all distances. Steps are averages over the models,
    weighted by likelihood. A hub changes the inverse of the covariance by rank one (Sherman-Morrison).
    """
    pairs, m, has_own = figures.pairs, len(figures.items), bool(is_used.any())
    scale = _predict(figures, pool.rho)[1][:, None]
    shared, noise, of_shares = _errors_by_share(figures, errors)
    slopes = np.stack(_slopes(figures, pool.rho), axis=1)
    shape = _shape_of_yes_to_all(figures, scale[:, 0], is_used / noise)[:, None]
    by = np.stack(
        [np.hstack([slopes, -scale, -scale, -shape]), np.hstack([shared, np.zeros((len(pairs), 3))])]
    )
    at = np.hstack([pairs, pairs + m, np.full((len(pairs), 1), 2 * m)])
    on_gap, prior = by[1] - by[0], np.zeros((2 * m + 1, 2 * m + 1))
    prior[:m, :m], items = of_shares, np.arange(m, 2 * m)

    def regress(
        effects: Array | float, spread: float, yes_to_all: float
    ) -> tuple[Array, Array, Array, float]:
        """Return the prior, evidence and information about all errors, and the log-likelihood."""
        own = prior.copy()
        own[items, items], own[-1, -1] = effects, yes_to_all
        precision = np.where(is_used, 1 / (noise + spread * scale[:, 0] ** 2), 0.0)
        information, score = np.zeros_like(own), np.zeros(len(own))
        square = precision[:, None, None] * on_gap[:, :, None] * on_gap[:, None]
        np.add.at(information, (at[:, :, None], at[:, None, :]), square)
        np.add.at(score, at, (precision * gap)[:, None] * on_gap)
        inner = np.linalg.inv(np.eye(len(own)) + information @ own)
        fit = np.linalg.slogdet(inner)[1] + np.log(precision[is_used]).sum() - precision @ gap**2
        return own, inner @ score, inner @ information, float(fit + score @ own @ inner @ score) / 2

    learnable = itertools.product(_SPREADS, _SPREADS, (0.0, _YES_TO_ALL))
    grid = np.array(list(learnable) if has_own else [(0.0, max(pool.spread, 0.0), 0.0)])
    priors, evidence, known, fits = map(np.array, zip(*itertools.starmap(regress, grid), strict=True))
    certain = 1 + has_own * _HUB * known[:, items, items]
    hub = _HUB * evidence[:, items] / certain
    odds = -np.log(m) + (hub * evidence[:, items] - np.log(certain)) / 2
    fits += np.where(grid[:, 2], _log_odds_of_positive(grid[:, 2], evidence[:, -1], known[:, -1, -1]), 0.0)
    fits = (fits - np.log(16) * (grid > 0).sum(axis=1))[:, None] + np.insert(odds, 0, 0, axis=1)
    probabilities = scipy.special.softmax(fits)
    by_model, hubs = probabilities.sum(axis=1), probabilities[:, 1:]
    more = np.zeros_like(evidence)
    more[:, items] = hubs * hub
    rest = by_model[:, None] * evidence - np.einsum("hab,hb->ha", known, more)
    step = np.einsum("hab,hb->a", priors, rest) + more.sum(axis=0)
    effects, spread, yes_to_all = by_model @ grid
    own, _, information, _ = regress(effects + has_own * _HUB * hubs.sum(axis=0), spread, yes_to_all)
    covariance = own - own @ information @ own
    covariance[items, items] += (hubs * hub**2).sum(axis=0) - (hubs * hub).sum(axis=0) ** 2
    # Unusual items bias what pairs reveal about shares. Intervals therefore include the whole error of
    # shares, and half of each step as an additional standard error.
    covariance[:m], covariance[:, :m] = prior[:m], prior[:, :m]
    covariance[range(m), range(m)] += step[:m] ** 2 / 4
    prediction, estimate = np.einsum("xka,ka->xk", by, step[at])
    both = np.einsum("xka,kab,ykb->xyk", by, covariance[at[:, :, None], at[:, None, :]], by)
    of_rho = pool.rho_error**2 + covariance[at[:, 2:4, None], at[:, None, 2:4]].sum(axis=(1, 2))
    both[1, 1] += noise
    both[0, 0] += errors.aa * errors.bb + scale[:, 0] ** 2 * pool.rho_error**2
    error = 1.5 * np.sqrt(by_model @ (grid[:, 1] - spread) ** 2) if has_own else pool.spread_error
    return _Learnt(step, prediction, estimate, both, of_rho, (effects, spread, spread + error))


def borrow(figures: PairFigures) -> BorrowedPairs | None:
    """Predict pairs from the figures that `publishable_pairs` returns; None if too few could be pooled.

    Parameters
    ----------
    figures : PairFigures

    Notes
    -----
    Let M be the pair that the shares and the pooled latent correlation predict, e its unbiased estimate, r
    the density at both thresholds and tau^2 the variance of remainders. First, all distances e - M together
    correct M and e for the errors of the shares and for effects of items on the latent correlation
    (`_learn_from_all_pairs`). With V_M, V_e and C the variances and the covariance of the errors that remain,

        w = (tau^2 r^2 + V_M - C) / (tau^2 r^2 + V_M + V_e - 2C);  value = M + w (e - M), both corrected;
        half-width^2 / 1.96^2 = (1-w)^2 (tau^2 r^2 + V_M) + 2w (1-w) C + w^2 V_e.

    The half-width uses a cautious tau^2, because a few unusual pairs would make intervals too narrow: 1.5
    standard deviations above its mean or, if no pair uses its own rows, one standard error above the
    estimated pooled spread.

    A prediction from rare shares is far from linear: it rises more than it falls. The upper end is therefore
    at least value + (1-w) D, where D is how far the errors of both shares and of the pair's own latent
    correlation can raise the prediction (`_largest_rise`). The variance of that correlation is the sum of
    those of the pooled one, of both effects and of the cautious tau^2, and the square of what shrinking took
    from it (`_shrinkage`), in units of 1.96 errors; at least that of the pooled correlation and spread if
    the association is not determined. No end is above the 99% interval of the smaller share.

    Pairs use their own rows only if `BORROWING_LEAST_PAIRS` pairs reach the floor. A pair keeps w = 1 if its
    distance is larger than expected of the most extreme among as many normal variables; its interval also
    contains the one with its usual w. If an estimate is .45
    standard deviations or more above its prediction, its interval extends at least to 1.35 errors above the
    estimate. Intervals that are valid only on average would always miss a few strong pairs among many weak
    ones, and readers see those pairs first.

    References
    ----------
    Morris 1983; Efron and Morris 1971; Plackett 1954.
    """
    pooled = figures.pool
    if pooled is None:
        return None
    predictions, scale = _predict(figures, pooled.rho)
    errors = _errors_by_design(figures, _inner_shares(figures), predictions)
    has_estimate = np.isfinite(figures.estimates)
    is_shrunk = has_estimate & (has_estimate.sum() >= BORROWING_LEAST_PAIRS)
    estimates = np.where(is_shrunk, figures.estimates, predictions)
    distance, distance_variance = _distances(replace(figures, estimates=estimates), pooled.rho, errors)
    learnt = _learn_from_all_pairs(figures, errors, pooled, estimates - predictions, is_shrunk)
    # Variances of the errors that remain in the prediction and in the estimate, and their covariance.
    (of_prediction, of_both), (_, of_estimate) = learnt.covariance
    effects, spread, cautious_spread = learnt.spreads
    excess = of_prediction - of_both + spread * scale**2
    weight = np.where(is_shrunk, np.clip(excess / (excess + of_estimate - of_both), 0, 1), 0.0)
    strangeness = distance / np.sqrt(distance_variance + cautious_spread + 2 * effects)
    strangeness = np.where(is_shrunk, strangeness, 0.0)
    is_outlier = np.abs(strangeness) > normal_quantile(1 - 0.05 / max(is_shrunk.sum(), 1))
    corrected = predictions - learnt.prediction
    of_prediction = of_prediction + cautious_spread * scale**2
    shares = np.clip(figures.shares, 0, 1)
    first, second = shares[figures.pairs].T
    smallest, largest = _ends_from_shares(figures, errors)
    strong_end = np.where(strangeness > 0.45, estimates + 1.35 * np.sqrt(of_estimate), 0.0)
    is_determined = pooled.rho_error <= BORROWING_LARGEST_RHO_ERROR
    of_rho = learnt.of_rho + cautious_spread + (_shrinkage(pooled) / normal_quantile(0.95)) ** 2
    if not is_determined:
        # So uncertain an association says nothing about the spread of single pairs: the pooled one is larger.
        of_rho = np.maximum(of_rho, pooled.rho_error**2 + max(pooled.spread, 0.0))
    share_errors, pair_shares = np.sqrt([errors.aa, errors.bb]), _inner_shares(figures)[figures.pairs].T
    rise = _largest_rise(pair_shares, share_errors, pooled.rho, np.sqrt(of_rho))

    def combined(weight: Array) -> tuple[Array, Array, Array]:
        """Return the mean of prediction and estimate at these weights, and the ends of its interval."""
        rest = 1 - weight
        variance = rest**2 * of_prediction + 2 * rest * weight * of_both + weight**2 * of_estimate
        error = np.sqrt(variance)
        both = corrected + weight * (estimates - learnt.estimate - corrected)
        middle = np.where(weight == 1, estimates, both)
        value = np.clip(middle, np.maximum(0, first + second - 1), np.minimum(first, second))
        low = np.clip(middle - _errors_below(value) * error, smallest, 1)
        high = np.maximum.reduce([middle + normal_quantile(0.95) * error, strong_end, value + rest * rise])
        return value, np.minimum(low, value), np.maximum(np.clip(high, 0, largest), value)

    # A pair that is unlike all others keeps its own estimate, and its interval contains both.
    kept_weight = np.where(is_outlier, 1.0, weight)
    value, low, high = combined(kept_weight)
    _, usual_low, usual_high = combined(weight)
    return BorrowedPairs(
        value=value,
        low=np.minimum(low, usual_low),
        high=np.maximum(high, usual_high),
        is_shrunk=is_shrunk,
        is_determined=is_determined,
        weight=kept_weight,
        shares=shares,
    )


def _errors_below(value: Array) -> Array:
    """Return how many errors below its prediction the interval of each pair ends.

    The largest predictions are more often too high than too low, because they were chosen by their size. If R
    of m intervals are chosen by what they estimate, no more than q of the chosen ones miss on average if each
    has the level 1 - R q/m (Benjamini and Yekutieli 2005). The lower end of the pair of rank R has it, so it
    holds for each list of the largest pairs, of up to `FIRST_READ`.

    >>> _errors_below(np.arange(40.0))[[0, 29, 30, 38, 39]].round(3).tolist()
    [1.96, 1.96, 2.498, 3.023, 3.227]
    """
    rank = 1 + (value[:, None] < value).sum(axis=1)
    chosen = np.where(rank <= FIRST_READ, np.minimum(rank / len(value), 1.0), 1.0)
    return np.asarray(-scipy.special.ndtri(0.025 * chosen))


def _ends_from_shares(figures: PairFigures, errors: _Errors) -> tuple[Array, Array]:
    """Return the smallest and the largest pair that the 99% intervals of both shares allow."""
    far = -scipy.special.ndtri(0.005)
    shares, reach = figures.shares[figures.pairs].T, far * np.sqrt([errors.aa, errors.bb])
    return np.clip((shares - reach).sum(axis=0) - 1, 0, 1), np.clip((shares + reach).min(axis=0), 0, 1)
