"""Test whether the direct and the protected group have the same shares of itemsets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
import scipy
from numpy.typing import NDArray

from privacy.arrays import Array
from privacy.errors import PrivacyError
from privacy.estimation.counts import Columns, SupportCounts
from privacy.estimation.empirical_likelihood import likelihood_ratio
from privacy.estimation.moments import Scores
from privacy.estimation.required_counts import contingency_tables
from privacy.policy import LIKELIHOOD_LEAST_DIRECT, LIKELIHOOD_LEAST_EXPECTED
from privacy.survey.design import Design

_GOLDEN: Final = (5**0.5 - 1) / 2

_SECTIONS: Final = 26
"""Number of steps, which reduce the width to 4e-6 of its start; the loss is flat near its minimum."""


@dataclass(frozen=True, kw_only=True)
class HomogeneityTest:
    """Test of P0 = P1: whether both groups have the same share.

    Parameters
    ----------
    direct, protected : float
        P0 and P1.
    p_value : float
        Two-sided.
    method : {"normal", "empirical likelihood"}
        "empirical likelihood" if a group is too small for the normal approximation.
    """

    direct: float
    protected: float
    p_value: float
    method: Literal["normal", "empirical likelihood"]

    @property
    def difference(self) -> float:
        """P0 - P1."""
        return self.direct - self.protected


def stratum_homogeneity_test(
    counts: SupportCounts, itemsets: Sequence[Columns], design: Design
) -> list[HomogeneityTest]:
    """Test whether the direct and the protected group have the same shares of itemsets.

    Parameters
    ----------
    counts : SupportCounts
        Contains at least `required_counts(itemsets, design)`.
    itemsets : sequence of tuple of int
        Items of each itemset.
    design : Design
        Design of the survey.

    Raises
    ------
    PrivacyError
        ``one_group``: a group has no rows; and the errors of `estimate`.

    Notes
    -----
    The test uses z = (P0 - P1) / sqrt(V0 + V1), V_g = (mean z^2 - (mean z)^2)/n_g over the rows of a group.
    With fewer than 50 direct rows, or fewer than 10 matches or non-matches in a group, the statistic is the
    smallest sum over P of the empirical likelihood ratios of "P0 = P" and "P1 = P", which is chi-square with
    one degree of freedom.

    Examples
    --------
    >>> from privacy.survey.design import Block, GroupPolicy, Question
    >>> design = Design(group=GroupPolicy(policy="choice"), use="live", blocks=(
    ...     Block(key="marriage", protected=True, truth_probability=5000,
    ...           questions=(Question(key="affair", kind="yes_no", options=(), unrelated=(5000,)),)),))
    >>> test = stratum_homogeneity_test(SupportCounts({(): (400, 1600), (0,): (80, 640)}), [(0,)], design)[0]
    >>> test.direct, round(test.protected, 3)  # (.4 - .25)/.5
    (0.2, 0.3)
    >>> round(test.p_value, 4)  # .1 / sqrt(.2 * .8/400 + .4 * .6/1600/.25) = 3.16
    0.0016
    """
    tests: dict[int, HomogeneityTest] = {}
    for part in contingency_tables(counts, itemsets, design):
        scores = Scores.of(part, "stratified")
        one_group = np.flatnonzero((scores.n_by_group == 0).any(axis=0))
        if len(one_group):
            direct, protected = scores.n_by_group[:, one_group[0]].tolist()
            raise PrivacyError("one_group", (direct, protected), direct=direct, protected=protected)
        shares = scores.value_by_group[:, 0]
        matching = np.stack([group.rows[:, -1] for group in part.groups])
        few = np.minimum(matching, part.complete - matching).min(axis=0)
        small = (part.complete[0] < LIKELIHOOD_LEAST_DIRECT) | (few < LIKELIHOOD_LEAST_EXPECTED)
        squares = scores.products[:, 0, 0] / scores.truth[:, 0] ** 2 / scores.n_by_group
        spread = ((squares - shares**2) / scores.n_by_group).sum(axis=0)
        with np.errstate(divide="ignore", invalid="ignore"):
            p_values = 2 * scipy.special.ndtr(-np.abs(shares[0] - shares[1]) / np.sqrt(spread))
        if len(few_rows := np.flatnonzero(small)):
            p_values[few_rows] = _likelihood_p(scores, few_rows)
        for row, position in enumerate(part.positions.tolist()):
            tests[position] = HomogeneityTest(
                direct=float(shares[0, row]),
                protected=float(shares[1, row]),
                p_value=float(p_values[row]),
                method="empirical likelihood" if small[row] else "normal",
            )
    return [tests[position] for position in range(len(itemsets))]


def _likelihood_p(scores: Scores, rows: NDArray[np.intp]) -> Array:
    groups = [
        (group.rows[rows], group_scores[0, rows], np.broadcast_to(group.possible, group.rows.shape)[rows])
        for group, group_scores in zip(scores.cells.groups, scores.by_group, strict=True)
    ]

    def loss(share: Array) -> Array:
        ratios = [
            likelihood_ratio(own, np.where(possible, score - share[:, None], 0.0))
            for own, score, possible in groups
        ]
        return np.minimum(ratios[0] + ratios[1], 1e6)

    ends = np.sort(scores.value_by_group[:, 0, rows], axis=0)
    at_ends = np.minimum(loss(ends[0]), loss(ends[1]))
    low, high = np.maximum(ends[0], 0.0), np.clip(ends[1], 1e-9, 1.0)
    # Golden-section search, which reuses one of the two inner points.
    inner, outer = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
    at_inner, at_outer = loss(inner), loss(outer)
    for _ in range(_SECTIONS):
        left = at_inner < at_outer
        low, high = np.where(left, low, inner), np.where(left, outer, high)
        new = np.where(left, high - _GOLDEN * (high - low), low + _GOLDEN * (high - low))
        at_new = loss(new)
        inner, outer = np.where(left, new, outer), np.where(left, inner, new)
        at_inner, at_outer = np.where(left, at_new, at_outer), np.where(left, at_inner, at_new)
    p_values: Array = scipy.special.chdtrc(1, np.minimum(np.minimum(at_inner, at_outer), at_ends))
    return p_values
