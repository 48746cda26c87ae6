"""Whether those who answer directly are like the others: the test of P0 = P1."""

from __future__ import annotations

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
from privacy.reconstruct.cut import Cutter
from privacy.reconstruct.lattice import FIRST
from privacy.reconstruct.likelihood import likelihood_ratio
from privacy.reconstruct.scores import Scores
from privacy.reconstruct.supports import estimate

__all__ = ["Agreement", "groups_agree"]


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
    both = estimate(counts, itemset, design, within=within)
    if both.direct is None or both.protected is None:
        raise ParameterError(
            "one_group",
            f"{both.n_direct} direct and {both.n_protected} protected rows cannot be compared",
            (both.n_direct, both.n_protected),
            "compare where both groups have answered",
        )
    (part,) = cells(counts, [(itemset, ())], Cutter(design), within)
    matching = part.direct[0] @ part.direct_match[FIRST]
    shown = part.protected[0, -1]
    few = min(matching, both.n_direct - matching, shown, both.n_protected - shown)
    if both.n_direct < LEAST_DIRECT or few < LEAST_EXPECTED:
        p_value = _likelihood_p(Scores(cells=part, estimator="stratified"))
        return Agreement(
            direct=both.direct, protected=both.protected, p_value=p_value, method="empirical likelihood"
        )
    spread = both.direct * (1 - both.direct) / both.n_direct
    scores = Scores(cells=part, estimator="stratified").protected[FIRST, 0]
    shares = part.protected[0] / both.n_protected
    spread += float(shares @ scores**2 - (shares @ scores) ** 2) / both.n_protected
    root = (both.direct - both.protected) / np.sqrt(spread)
    return Agreement(
        direct=both.direct, protected=both.protected, p_value=2 * float(norm.sf(abs(root))), method="normal"
    )


def _likelihood_p(scores: Scores) -> float:
    direct, protected = scores.direct[FIRST, 0], scores.protected[FIRST, 0]
    rows = scores.cells

    def loss(share: float) -> float:
        first = float(likelihood_ratio(rows.direct[0], direct - share))
        return min(first + float(likelihood_ratio(rows.protected[0], protected - share)), 1e6)

    low, high = sorted((float(scores.value_direct[FIRST, 0]), float(scores.value_protected[FIRST, 0])))
    found = minimize_scalar(loss, bounds=(max(low, 0.0), min(max(high, 1e-9), 1.0)), method="bounded")
    return float(chi2.sf(min(found.fun, loss(low), loss(high)), 1))
