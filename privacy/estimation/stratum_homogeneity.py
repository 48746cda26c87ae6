"""Whether those who answer directly are like the others: the test of P0 = P1."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray
from scipy.stats import chi2, norm

from privacy.errors import PrivacyError
from privacy.estimation.counts import Columns, SupportCounts
from privacy.estimation.empirical_likelihood import likelihood_ratio
from privacy.estimation.moments import Scores
from privacy.estimation.required_counts import contingency_tables
from privacy.policy import COMBINED_LEAST_DIRECT, COMBINED_LEAST_EXPECTED
from privacy.survey.design import Design

__all__ = ["Agreement", "groups_agree", "groups_agree_many"]

_GOLDEN: Final = (5**0.5 - 1) / 2

_SECTIONS: Final = 26
"""Leave 4e-6 of the width; beside its minimum the loss is flat."""


@dataclass(frozen=True, kw_only=True)
class Agreement:
    """The test of P0 = P1: whether those who answer directly are like the others.

    Parameters
    ----------
    direct, protected : float
        P0 and P1.
    p_value : float
        Two-sided.
    method : {"normal", "empirical likelihood"}
        The second where a group is too small for the first.
    """

    direct: float
    protected: float
    p_value: float
    method: Literal["normal", "empirical likelihood"]

    @property
    def difference(self) -> float:
        """P0 - P1."""
        return self.direct - self.protected


def groups_agree(
    counts: SupportCounts, itemset: Columns, design: Design, *, within: Columns | None = None
) -> Agreement:
    """Test whether the direct and the protected group have the same share of an itemset.

    Parameters
    ----------
    counts : SupportCounts
        Holds at least `required_counts([itemset], design, within=within)`.

    Raises
    ------
    PrivacyError
        ``one_group``: there are no rows of the other group; and what `estimate` raises.

    Notes
    -----
    z = (P0 - P1) / sqrt(Var P0 + Var P1). With fewer than 50 direct rows, or fewer than 10 matches or
    non-matches to be expected in a group, the smallest sum over P of the empirical likelihood ratios of
    "P0 = P" and "P1 = P", chi-square with one degree of freedom.

    Examples
    --------
    >>> from privacy.survey import Block, GroupPolicy, Question
    >>> design = Design(group=GroupPolicy(policy="choice"), use="live", blocks=(
    ...     Block(key="marriage", protected=True, truth_probability=5000, refusal=None, asked_if=None,
    ...           questions=(Question(key="affair", kind="yes_no", options=(), unrelated=(5000,)),)),))
    >>> found = groups_agree(SupportCounts({(): (400, 1600), (0,): (80, 640)}), (0,), design)
    >>> found.direct, round(found.protected, 3)  # (.4 - .25)/.5
    (0.2, 0.3)
    >>> round(found.p_value, 4)  # .1 / sqrt(.2 * .8/400 + .4 * .6/1600/.25) = 3.16
    0.0016
    """
    return groups_agree_many(counts, [itemset], design, within=within)[0]


def groups_agree_many(
    counts: SupportCounts, itemsets: Sequence[Columns], design: Design, *, within: Columns | None = None
) -> list[Agreement]:
    """Test many itemsets; see `groups_agree`."""
    found: dict[int, Agreement] = {}
    for part in contingency_tables(counts, itemsets, design, within=within):
        scores = Scores.of(part, "stratified")
        n_direct, n_protected = part.n_direct, part.n_protected
        one = np.flatnonzero((n_direct == 0) | (n_protected == 0))
        if len(one):
            sizes = int(n_direct[one[0]]), int(n_protected[one[0]])
            raise PrivacyError("one_group", sizes, direct=sizes[0], protected=sizes[1])
        direct, protected = scores.value_direct[0], scores.value_protected[0]
        matching, shown = part.direct @ part.direct_match[0], part.protected[:, -1]
        few = np.minimum.reduce([matching, n_direct - matching, shown, n_protected - shown])
        small = (n_direct < COMBINED_LEAST_DIRECT) | (few < COMBINED_LEAST_EXPECTED)
        score, shares = scores.protected[0], part.protected / n_protected[:, None]
        spread = direct * (1 - direct) / n_direct
        spread += ((shares * score**2).sum(axis=1) - (shares * score).sum(axis=1) ** 2) / n_protected
        with np.errstate(divide="ignore", invalid="ignore"):
            p_values = 2 * norm.sf(np.abs(direct - protected) / np.sqrt(spread))
        few_rows = np.flatnonzero(small)
        p_values[few_rows] = _likelihood_p(scores, few_rows)
        for row, position in enumerate(part.positions.tolist()):
            found[position] = Agreement(
                direct=float(direct[row]),
                protected=float(protected[row]),
                p_value=float(p_values[row]),
                method="empirical likelihood" if small[row] else "normal",
            )
    return [found[position] for position in range(len(itemsets))]


def _likelihood_p(scores: Scores, rows: NDArray[np.intp]) -> NDArray[np.float64]:
    direct, protected = scores.direct[0, rows], scores.protected[0, rows]
    cells = scores.cells

    def loss(share: NDArray[np.float64]) -> NDArray[np.float64]:
        first = likelihood_ratio(cells.direct[rows], direct - share[:, None])
        return np.minimum(first + likelihood_ratio(cells.protected[rows], protected - share[:, None]), 1e6)

    ends = np.sort([scores.value_direct[0, rows], scores.value_protected[0, rows]], axis=0)
    at_ends = np.minimum(loss(ends[0]), loss(ends[1]))
    low, high = np.maximum(ends[0], 0.0), np.clip(ends[1], 1e-9, 1.0)
    # Golden section: one of two points inside becomes one of the next two.
    inner, outer = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
    at_inner, at_outer = loss(inner), loss(outer)
    for _ in range(_SECTIONS):
        left = at_inner < at_outer
        low, high = np.where(left, low, inner), np.where(left, outer, high)
        new = np.where(left, high - _GOLDEN * (high - low), low + _GOLDEN * (high - low))
        at_new = loss(new)
        inner, outer = np.where(left, new, outer), np.where(left, inner, new)
        at_inner, at_outer = np.where(left, at_new, at_outer), np.where(left, at_inner, at_new)
    p_values: NDArray[np.float64] = chi2.sf(np.minimum(np.minimum(at_inner, at_outer), at_ends), 1)
    return p_values
