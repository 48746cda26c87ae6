"""Consistent versions of raw estimates: shares that add up, and supports that fall with length."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Final

import numpy as np
import scipy
from numpy.typing import ArrayLike

from privacy.arrays import Array
from privacy.errors import PrivacyError
from privacy.estimation.counts import Columns, SupportCounts
from privacy.estimation.design_index import index_of
from privacy.estimation.mixture import Mixture
from privacy.estimation.moments import check_rows
from privacy.estimation.patterns import GROUPS, parts_of, pattern_rows
from privacy.survey.design import Design

__all__ = ["MOST_SETS", "consistent_patterns", "isotonic_supports"]

MOST_SETS: Final = 10_000


def consistent_patterns(counts: SupportCounts, itemset: Columns, design: Design) -> Array:
    """Return the most likely shares of all patterns of an itemset: none below 0, together at most 1.

    Parameters
    ----------
    counts : SupportCounts
        Holds at least `pattern_terms(itemset, design)`.
    itemset : Columns
        1 to 12 items.
    design : Design
        That they are of.

    Returns
    -------
    float array, shape (2,) * m
        Axes as of `privacy.estimation.patterns.possible_patterns`; sums over axes are the consistent supports
        of the parts. What is missing to 1 is the share that skips. No standard error belongs to them: near
        the edge the law is not normal.

    Notes
    -----
    Maximum likelihood on the simplex in each group, k of the direct one and 1-k of the protected one, as the
    stratified estimate weighs them.

    Examples
    --------
    p = .5, theta = .5. With no one who has a alone, the others share .875 as they were shown, 2 to 3 to 4.

    >>> from privacy.survey import Block, GroupPolicy, Question
    >>> design = Design(group=GroupPolicy(), use="live", blocks=(
    ...     Block(key="marriage", protected=True, truth_probability=5000, refusal=None, asked_if=None,
    ...           questions=tuple(Question(key=key, kind="yes_no", options=(), unrelated=(5000,))
    ...                           for key in "ab")),))
    >>> counts = SupportCounts({(): (0, 100), (0,): (0, 50), (1,): (0, 70), (0, 1): (0, 40)})
    >>> shares = consistent_patterns(counts, (0, 1), design)
    >>> shares.round(3).tolist(), round(float(shares.sum()), 6)  # raw .15, .35; -.05, .55
    ([[0.139, 0.333], [0.0, 0.528]], 1.0)
    """
    index = index_of(design)
    parts = parts_of(itemset, index)
    rows = pattern_rows(counts, parts, index)
    check_rows(rows.sum())
    shares = np.zeros(rows.shape[:-1])
    for group in GROUPS:
        own = rows[..., group]
        if own.any():
            shares += own.sum() / rows.sum() * Mixture(rows=own, parts=parts, group=group).fit()
    inner = shares[tuple(part.patterns for part in parts)]
    patterns: Array = inner.reshape((2,) * sum(len(part.items) for part in parts))
    return patterns


def isotonic_supports(itemsets: Sequence[Columns], values: ArrayLike, errors: ArrayLike) -> Array:
    """Return the nearest supports that fall with inclusion and lie between 0 and 1.

    Parameters
    ----------
    itemsets : sequence of Columns
        At most 10,000, ascending items.
    values, errors : array_like of float
        Raw estimates and standard errors. Weights are 1/SE^2.

    Returns
    -------
    float array
        "Monotone only": they need not belong to any joint law. Without standard errors.

    Raises
    ------
    PrivacyError
        ``too_many_sets``.

    Notes
    -----
    Isotonic regression on the partial order of inclusion, then cut to [0, 1], which is the regression with
    these bounds. Found through its dual, one multiplier for each pair of neighbours; a last pass takes away
    the violations that rounding leaves.

    Examples
    --------
    {0, 1} seems more frequent than {0}; with equal errors they meet in the middle.

    >>> isotonic_supports([(0,), (1,), (0, 1)], [0.2, 0.5, 0.3], [0.1, 0.1, 0.1]).round(6).tolist()
    [0.25, 0.5, 0.25]
    """
    if len(itemsets) > MOST_SETS:
        raise PrivacyError("too_many_sets.isotonic", len(itemsets), most=MOST_SETS)
    raw = np.asarray(values, dtype=np.float64)
    error = np.asarray(errors, dtype=np.float64)
    # An exact count would have an infinite weight.
    weight = 1 / np.maximum(error, 1e-4 * max(1e-6, float(error.max(initial=0.0)))) ** 2
    weight = weight / weight.max(initial=0.0) if len(raw) else weight
    pairs = _neighbours(itemsets)
    if not pairs:
        return np.clip(raw, 0.0, 1.0)
    low, high = np.array(pairs).T
    rows = np.arange(len(pairs))
    # One row per pair: the value of the longer set minus that of the shorter one, at most 0.
    excess = scipy.sparse.csr_array(
        (np.repeat([1.0, -1.0], len(pairs)), (np.tile(rows, 2), np.concatenate([high, low]))),
        shape=(len(pairs), len(raw)),
    )
    scaled = excess.multiply(1 / np.sqrt(weight)).tocsr()
    start = excess @ raw

    def dual(multipliers: Array) -> tuple[float, Array]:
        pushed = scaled.T @ multipliers
        return float(pushed @ pushed / 2 - multipliers @ start), scaled @ pushed - start

    optimum = scipy.optimize.minimize(
        dual, np.zeros(len(pairs)), jac=True, method="L-BFGS-B", bounds=[(0, None)] * len(pairs),
        options={"maxiter": 20_000, "maxfun": 40_000, "ftol": 1e-15, "gtol": 1e-10, "maxcor": 30},
    )  # fmt: skip
    fitted = raw - (excess.T @ optimum.x) / weight
    by_length = np.argsort([len(items) for items in itemsets], kind="stable")
    shorter: dict[int, list[int]] = {}
    for below, above in pairs:
        shorter.setdefault(above, []).append(below)
    for position in by_length.tolist():
        if position in shorter:
            fitted[position] = min(fitted[position], fitted[shorter[position]].min())
    return np.asarray(np.clip(fitted, 0.0, 1.0), dtype=np.float64)


def _neighbours(itemsets: Sequence[Columns]) -> list[tuple[int, int]]:
    """Positions of pairs (shorter, longer): the longest listed sets below each set."""
    index = {items: position for position, items in enumerate(itemsets)}
    pairs = []
    for items, above in index.items():
        for size in range(len(items) - 1, 0, -1):
            listed = [index[part] for part in combinations(items, size) if part in index]
            pairs += [(below, above) for below in listed]
            if len(listed) == len(items):
                break
    return pairs
