"""Multiple testing: correct p-values and the levels of intervals for all hypotheses of a family."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from mining.family import Family, itemset_family
from privacy.arrays import Array, Flags
from privacy.policy import SIGNIFICANCE_LEVEL
from privacy.survey.design import Design


def adjust_p_values(p_values: ArrayLike, total: int) -> Array:
    """Correct p-values of some hypotheses of a family whose other hypotheses all have p = 1.

    Parameters
    ----------
    p_values : array_like of float, shape (m,)
        Weighted: each divided by its hypothesis's weight. Values above 1, and NaN, count as 1.
    total : int
        M, the size of the family, at least m.

    Returns
    -------
    float array, shape (m,)
        The smallest level at which each hypothesis is rejected.

    Notes
    -----
    Benjamini and Yekutieli's correction, valid whatever the dependence. With p_(1) <= p_(2) ...: the minimum
    over j >= i of M p_(j) / j, times 1 + 1/2 + ... + 1/M.

    References
    ----------
    Benjamini and Yekutieli 2001.

    Examples
    --------
    >>> adjust_p_values([0.01, 0.04], 4).round(3).tolist()  # 4 * .01 * 25/12, 4 * .04 / 2 * 25/12
    [0.083, 0.167]
    """
    observed = np.asarray(p_values, dtype=np.float64)
    capped_p = np.fmin(observed, 1.0)
    if not capped_p.size:
        return capped_p
    order = np.argsort(observed, kind="stable")
    ranks = np.arange(1, len(capped_p) + 1)
    factor = total * _harmonic(total)
    adjusted_p = np.minimum.accumulate((factor * capped_p[order] / ranks)[::-1])[::-1]
    result = np.empty_like(capped_p)
    result[order] = np.minimum(adjusted_p, 1.0)
    return result


def _harmonic(total: int) -> float:
    """Return 1 + 1/2 + ... + 1/M; beyond a million terms by Euler-Maclaurin, exact to 1e-13 there."""
    if total <= 1_000_000:
        return float((1 / np.arange(1, total + 1)).sum())
    return float(np.log(total) + np.euler_gamma + 1 / (2 * total))


def selection_level(count: int, total: int) -> float:
    """Return the level at which intervals of `count` of `total` parameters have .05 false coverage.

    Parameters
    ----------
    count : int
        Number of parameters whose intervals are shown.
    total : int
        Number of parameters that could have been shown, at least 1.

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
    return 1 - SIGNIFICANCE_LEVEL * max(count, 1) / max(total, count, 1)


def itemset_selection_level(count: int, design: Design, max_size: int) -> float:
    """Return the `selection_level` of itemsets that were selected among all of a design.

    Parameters
    ----------
    count : int
        Selected itemsets.
    design : Design
    max_size : int
        Most items of an itemset.
    """
    return selection_level(count, itemset_family(design, max_size).total)


@dataclass(frozen=True, kw_only=True, eq=False)
class Decisions:
    """Results of a run's tests, rule by rule.

    Attributes
    ----------
    p_values : float array, shape (R,)
        One-sided, for each rule alone.
    adjusted : float array, shape (R,)
        Corrected within the family, with the weights of the sizes.
    cut_off : float array, shape (R,)
        The p-value threshold for a rule of this size.
    passes : bool array, shape (R,)
    """

    p_values: Array
    adjusted: Array
    cut_off: Array

    @property
    def passes(self) -> Flags:
        """Whether each rule passes at the level, given the family."""
        return self.adjusted <= SIGNIFICANCE_LEVEL


def decisions(
    p_values: ArrayLike, hypotheses: Sequence[object], sizes: ArrayLike, family: Family
) -> Decisions:
    """Correct the p-values of a run's rules within its family.

    Parameters
    ----------
    p_values : array_like of float, shape (R,)
    hypotheses : sequence of R hashable objects
        Rules with equal keys are one hypothesis, such as A -> B and B -> A for lift; their p-values agree.
    sizes : array_like of int, shape (R,)
        Items on both sides together.
    family : Family

    Notes
    -----
    Weighted: p / w with w = M / (S M_size), so that the many long rules do not use up the level of the few
    short ones. Rules that the run did not examine, or that miss its thresholds, count with p = 1.

    References
    ----------
    Genovese, Roeder and Wasserman 2006, for weights; Blanchard and Roquain 2008, for weights with
    Benjamini and Yekutieli's correction.
    """
    raw = np.asarray(p_values, dtype=np.float64)
    different, size_of = np.unique(np.asarray(sizes, dtype=np.int64), return_inverse=True)
    weights = np.array([family.weight(size) for size in different.tolist()], dtype=np.float64)[size_of]
    places: dict[object, int] = {}
    back = np.array([places.setdefault(hypothesis, len(places)) for hypothesis in hypotheses], dtype=np.int64)
    single = np.full(len(places), np.inf)
    np.minimum.at(single, back, raw / weights)
    total = max(family.total, len(single))
    p_adjusted = adjust_p_values(single, total)
    cut = _cut_off(p_adjusted, total)
    return Decisions(p_values=raw, adjusted=p_adjusted[back], cut_off=np.minimum(cut * weights, 1.0))


def _cut_off(p_values: Array, total: int) -> float:
    """Return the weighted p-value threshold of the last accepted hypothesis, or else of the first one."""
    # A family is empty if the run has only single items, which form no rules.
    if total == 0:
        return SIGNIFICANCE_LEVEL
    passing = int((p_values <= SIGNIFICANCE_LEVEL).sum())
    return SIGNIFICANCE_LEVEL * max(passing, 1) / (total * _harmonic(total))
