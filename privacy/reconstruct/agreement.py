"""Whether those who answer directly are like the others: the test of P0 = P1."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.stats import chi2, norm

from privacy.disguise.design import Design
from privacy.errors import ParameterError
from privacy.reconstruct.cells import cells
from privacy.reconstruct.combined import LEAST_DIRECT, LEAST_EXPECTED
from privacy.reconstruct.counts import Columns, SupportCounts
from privacy.reconstruct.cut import cutter_of
from privacy.reconstruct.lattice import FIRST
from privacy.reconstruct.likelihood import likelihood_ratio
from privacy.reconstruct.scores import Scores

__all__ = ["Agreement", "groups_agree", "groups_agree_many"]


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
        Holds at least `terms(itemset, design, within=within)`.

    Raises
    ------
    ParameterError
        ``one_group``: there are no rows of the other group; and what `estimate` raises.

    Notes
    -----
    z = (P0 - P1) / sqrt(Var P0 + Var P1). With fewer than 50 direct rows, or fewer than 10 matches or
    non-matches to be expected in a group, the smallest sum over P of the empirical likelihood ratios of
    "P0 = P" and "P1 = P", chi-square with one degree of freedom.

    Examples
    --------
    >>> from privacy.disguise import Block, GroupPolicy, Question
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
    pairs = [(itemset, ()) for itemset in itemsets]
    for part in cells(counts, pairs, cutter_of(design), within):
        scores = Scores(cells=part, estimator="stratified")
        n_direct, n_protected = part.n_direct, part.n_protected
        one = np.flatnonzero((n_direct == 0) | (n_protected == 0))
        if len(one):
            sizes = int(n_direct[one[0]]), int(n_protected[one[0]])
            raise ParameterError(
                "one_group",
                f"{sizes[0]} direct and {sizes[1]} protected rows cannot be compared",
                sizes,
                "compare where both groups have answered",
            )
        direct, protected = scores.value_direct[FIRST], scores.value_protected[FIRST]
        matching, shown = part.direct @ part.direct_match[FIRST], part.protected[:, -1]
        few = np.minimum.reduce([matching, n_direct - matching, shown, n_protected - shown])
        small = (n_direct < LEAST_DIRECT) | (few < LEAST_EXPECTED)
        score, shares = scores.protected[FIRST], part.protected / n_protected[:, None]
        spread = direct * (1 - direct) / n_direct
        spread += ((shares * score**2).sum(axis=1) - (shares * score).sum(axis=1) ** 2) / n_protected
        with np.errstate(divide="ignore", invalid="ignore"):
            p_values = 2 * norm.sf(np.abs(direct - protected) / np.sqrt(spread))
        for row, position in enumerate(part.positions.tolist()):
            found[position] = Agreement(
                direct=float(direct[row]),
                protected=float(protected[row]),
                p_value=_likelihood_p(scores, row) if small[row] else float(p_values[row]),
                method="empirical likelihood" if small[row] else "normal",
            )
    return [found[position] for position in range(len(itemsets))]


def _likelihood_p(scores: Scores, row: int) -> float:
    direct, protected = scores.direct[FIRST, row], scores.protected[FIRST, row]
    rows = scores.cells

    def loss(share: float) -> float:
        first = float(likelihood_ratio(rows.direct[row], direct - share))
        return min(first + float(likelihood_ratio(rows.protected[row], protected - share)), 1e6)

    low, high = sorted((float(scores.value_direct[FIRST, row]), float(scores.value_protected[FIRST, row])))
    found = minimize_scalar(loss, bounds=(max(low, 0.0), min(max(high, 1e-9), 1.0)), method="bounded")
    return float(chi2.sf(min(found.fun, loss(low), loss(high)), 1))
