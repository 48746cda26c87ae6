"""p-values of a run's rules, corrected within its fixed family, and the cut-off they had to meet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from mining.family import Family
from privacy import validation
from privacy.arrays import Array, Flags
from privacy.policy import SIGNIFICANCE_LEVEL

__all__ = ["CORRECTIONS", "Correction", "Decisions", "adjusted", "decisions", "selection_level"]

Correction: TypeAlias = Literal["by", "bh", "holm", "none"]
CORRECTIONS: Final = ("by", "bh", "holm", "none")


def adjusted(
    p_values: ArrayLike, total: int, correction: Correction, *, weights: ArrayLike | None = None
) -> Array:
    """Correct p-values of some hypotheses of a family whose other hypotheses all have p = 1.

    Parameters
    ----------
    p_values : array_like of float, shape (m,)
        Weighted: each divided by its hypothesis' weight. Above 1 counts as 1.
    total : int
        M, the size of the family, at least m.
    correction : {"by", "bh", "holm", "none"}
    weights : array_like of float, shape (m,), optional
        Those of the hypotheses; all of the family add up to M. Without them each is 1.

    Returns
    -------
    float array, shape (m,)
        The smallest level at which each hypothesis is rejected.

    Notes
    -----
    With p_(1) <= p_(2) ... : Benjamini-Hochberg min over j >= i of M p_(j) / j; Benjamini-Yekutieli, valid
    whatever the dependence, the same times 1 + 1/2 + ... + 1/M; Holm max over j <= i of
    (M - w_(1) - ... - w_(j-1)) p_(j): what is rejected gives back its weight and no more.

    References
    ----------
    Benjamini and Hochberg 1995; Benjamini and Yekutieli 2001; Holm 1979.

    Examples
    --------
    >>> adjusted([0.01, 0.04], 4, "bh").round(3).tolist()  # 4 * .01, 4 * .04 / 2
    [0.04, 0.08]
    """
    validation.one_of(correction, "correction", allowed=CORRECTIONS, code="correction")
    observed = np.asarray(p_values, dtype=np.float64)
    corrected = np.minimum(observed, 1.0)
    if correction == "none" or not corrected.size:
        return corrected
    order = np.argsort(observed, kind="stable")
    if correction == "holm":
        weight = np.ones_like(corrected) if weights is None else np.asarray(weights, dtype=np.float64)[order]
        left = np.maximum(total - (np.cumsum(weight) - weight), weight)
        raised = np.maximum.accumulate(left * observed[order])
    else:
        factor = total * (_harmonic(total) if correction == "by" else 1.0)
        ranks = np.arange(1, len(corrected) + 1)
        raised = np.minimum.accumulate((factor * corrected[order] / ranks)[::-1])[::-1]
    result = np.empty_like(corrected)
    result[order] = np.minimum(raised, 1.0)
    return result


def _harmonic(total: int) -> float:
    """1 + 1/2 + ... + 1/M; Euler-Maclaurin beyond a million terms, exact to 1e-13 there."""
    if total <= 1_000_000:
        return float((1 / np.arange(1, total + 1)).sum())
    return float(np.log(total) + np.euler_gamma + 1 / (2 * total))


def selection_level(listed: int, total: int) -> float:
    """Return the level at which intervals of `listed` of `total` parameters have .05 false coverage.

    Parameters
    ----------
    listed : int
        Parameters whose intervals are shown.
    total : int
        Parameters that could have been shown, 1 or more.

    Notes
    -----
    1 - .05 R/M.

    References
    ----------
    Benjamini and Yekutieli 2005.

    Examples
    --------
    >>> round(selection_level(31, 312), 5)
    0.99503
    """
    return 1 - SIGNIFICANCE_LEVEL * max(listed, 1) / max(total, listed, 1)


@dataclass(frozen=True, kw_only=True, eq=False)
class Decisions:
    """What the tests of a run say, rule by rule.

    Attributes
    ----------
    p_values : float array, shape (R,)
        One-sided, of each rule for itself.
    adjusted : float array, shape (R,)
        Within the family, with the weights of the sizes.
    cut_off : float array, shape (R,)
        The p-value that a rule of its size had to meet.
    passes : bool array, shape (R,)
    """

    p_values: Array
    adjusted: Array
    cut_off: Array

    @property
    def passes(self) -> Flags:
        """Whether each rule holds at the level, given the family."""
        return self.adjusted <= SIGNIFICANCE_LEVEL


def decisions(
    p_values: ArrayLike,
    hypotheses: Sequence[object],
    sizes: ArrayLike,
    family: Family,
    correction: Correction,
) -> Decisions:
    """Correct the p-values of a run's rules within its family.

    Parameters
    ----------
    p_values : array_like of float, shape (R,)
    hypotheses : sequence of R hashable objects
        Rules with equal ones are one hypothesis, as A -> B and B -> A are for lift; their p-values agree.
    sizes : array_like of int, shape (R,)
        Items on both sides together.
    family : Family
    correction : {"by", "bh", "holm", "none"}

    Notes
    -----
    Weighted: p / w with w = M / (S M_size), so that the many long rules do not use up the level of the few
    short ones. Rules that the run did not examine, or whose thresholds they miss, have p = 1 and count.

    References
    ----------
    Genovese, Roeder and Wasserman 2006, for weights; Holm 1979 for his own test with weights;
    Blanchard and Roquain 2008 for Benjamini and Yekutieli's.
    """
    raw = np.asarray(p_values, dtype=np.float64)
    weights = np.array([family.weight(int(size)) for size in np.asarray(sizes)], dtype=np.float64)
    if correction == "none":
        weights = np.ones_like(raw)
    places: dict[object, int] = {}
    back = np.array([places.setdefault(hypothesis, len(places)) for hypothesis in hypotheses], dtype=np.int64)
    single, own = np.full(len(places), np.inf), np.ones(len(places))
    np.minimum.at(single, back, raw / weights)
    own[back] = weights
    total = max(family.total, len(single))
    p_adjusted = adjusted(single, total, correction, weights=own)
    cut = _cut_off(p_adjusted, own, total, correction)
    return Decisions(p_values=raw, adjusted=p_adjusted[back], cut_off=np.minimum(cut * weights, 1.0))


def _cut_off(p_values: Array, weights: Array, total: int, correction: Correction) -> float:
    """The weighted p-value that the last accepted hypothesis had to meet, or the first one if none passed."""
    # Of single items no rule can be made: an empty family holds no hypothesis and shares its level with none.
    if correction == "none" or total == 0:
        return SIGNIFICANCE_LEVEL
    passes = p_values <= SIGNIFICANCE_LEVEL
    if correction == "holm":
        left = total - weights[passes].sum()
        return float(SIGNIFICANCE_LEVEL / max(left, weights.min(initial=total)))
    return (
        SIGNIFICANCE_LEVEL
        * max(int(passes.sum()), 1)
        / (total * (_harmonic(total) if correction == "by" else 1.0))
    )
