"""What surveys need beside the model: weights from known shares, and those who do not answer."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from privacy import validation
from privacy.disguise.design import Design
from privacy.errors import ParameterError
from privacy.reconstruct.counts import Columns, SupportCounts
from privacy.reconstruct.cut import Cutter
from privacy.reconstruct.supports import asked, estimate, terms

__all__ = ["Weighted", "non_response_bounds", "post_stratification_terms", "post_stratified"]


@dataclass(frozen=True, kw_only=True)
class Weighted:
    """A support weighted to a population whose shares are known.

    Parameters
    ----------
    value : float
        sum w z / sum w.
    standard_error : float
        Linearised.
    unweighted : float
        The estimate without weights, for comparison.
    design_effect : float
        Variance over that of the unweighted estimate.
    effective_n : float
        Rows that would give the same error without weights, (sum w)^2 / sum w^2.
    n : int
    """

    value: float
    standard_error: float
    unweighted: float
    design_effect: float
    effective_n: float
    n: int


def _cells(itemset: Columns, strata: Mapping[Columns, float], design: Design) -> list[Columns]:
    always = asked(itemset, design)
    return [tuple(sorted({*always, *columns})) for columns in strata]


def post_stratification_terms(
    itemset: Columns, strata: Mapping[Columns, float], design: Design
) -> tuple[Columns, ...]:
    """Return the sets of columns whose counts `post_stratified` needs."""
    found = list(terms(itemset, design))
    for cell in _cells(itemset, strata, design):
        found += terms(itemset, design, within=cell)
    return tuple(dict.fromkeys([*found, *_overlaps(itemset, strata, design)]))


def _overlaps(
    itemset: Columns, strata: Mapping[Columns, float], design: Design
) -> dict[Columns, tuple[Columns, Columns]]:
    """Columns of the rows that would lie in two strata, but for pairs that exclude each other."""
    cutter = Cutter(design)
    cells = dict(zip(strata, _cells(itemset, strata, design), strict=True))
    return {
        cutter.key([cells[first], cells[second]]): (first, second)
        for first, second in combinations(strata, 2)
        if cutter.excluded({*first, *second}) is None
    }


def post_stratified(
    counts: SupportCounts, itemset: Columns, strata: Mapping[Columns, float], design: Design
) -> Weighted:
    """Weight a support to known population shares of open answers.

    Parameters
    ----------
    counts : SupportCounts
        Holds at least `post_stratification_terms(itemset, strata, design)`.
    itemset : Columns
    strata : mapping of Columns to float
        Items of open blocks that make up a stratum, and its share of the target population. Each row used
        lies in exactly one stratum; the shares add up to 1.
    design : Design

    Raises
    ------
    ParameterError
        ``shares`` (not adding up to 1), ``empty_stratum``, ``strata`` (rows outside, or in two strata).

    Notes
    -----
    Each row has the weight w = W_h n / n_h of its stratum h. P = sum W_h P_h; the linearised variance takes
    the residuals z - P_h, so it is sum W_h^2 Var(P_h), stratum by stratum. Effective n as Kish has it.

    References
    ----------
    Holt and Smith 1979; Kish 1965.
    """
    shares = np.array(
        [
            validation.real_number(share, "population share", low=0, high=1, code="shares")
            for share in strata.values()
        ]
    )
    if not math.isclose(shares.sum(), 1, abs_tol=1e-6):
        raise ParameterError(
            "shares",
            f"the population shares add up to {shares.sum():.6g}",
            float(shares.sum()),
            "give shares that add up to 1",
        )
    plain = estimate(counts, itemset, design)
    cells = _cells(itemset, strata, design)
    rows = np.array([sum(counts[cell]) for cell in cells])
    for columns, n, share in zip(strata, rows.tolist(), shares.tolist(), strict=True):
        if n == 0 and share > 0:
            raise ParameterError(
                "empty_stratum",
                f"stratum {tuple(design.items[item].key for item in columns)} has no row",
                columns,
                "merge it with a stratum that has rows",
            )
    for columns, (first, second) in _overlaps(itemset, strata, design).items():
        if sum(counts[columns]):
            raise ParameterError(
                "strata",
                f"{sum(counts[columns])} rows lie in the strata of items {first} and of items {second}",
                (first, second),
                "name strata such that each row lies in exactly one",
            )
    if rows.sum() != plain.n:
        raise ParameterError(
            "strata",
            f"the strata hold {rows.sum()} of {plain.n} rows",
            int(rows.sum()),
            "name strata such that each row lies in exactly one",
        )
    used = shares > 0
    parts = [
        estimate(counts, itemset, design, within=cell)
        for cell, on in zip(cells, used.tolist(), strict=True)
        if on
    ]
    value = float(sum(share * part.value for share, part in zip(shares[used], parts, strict=True)))
    variance = float(
        sum((share * part.standard_error) ** 2 for share, part in zip(shares[used], parts, strict=True))
    )
    return Weighted(
        value=value,
        standard_error=math.sqrt(variance),
        unweighted=plain.value,
        design_effect=variance / plain.standard_error**2 if plain.standard_error else math.nan,
        effective_n=float(1 / (shares[used] ** 2 / rows[used]).sum()),
        n=plain.n,
    )


def non_response_bounds(support: float, response_rate: float) -> tuple[float, float]:
    """Return the least and the greatest support among all invited, whatever those who stay away are like.

    Parameters
    ----------
    support : float
        Among those who answered; raw, cut to [0, 1] here.
    response_rate : float, in (0, 1]
        Answers by invitations.

    Notes
    -----
    P r and P r + (1 - r): nothing is assumed about the missing, and nothing narrower follows from the data.

    References
    ----------
    Manski 1989.

    Examples
    --------
    >>> low, high = non_response_bounds(.3, .6)
    >>> round(low, 3), round(high, 3)
    (0.18, 0.58)
    """
    rate = validation.real_number(response_rate, "response rate", low=0, high=1, code="response_rate")
    inside = min(max(support, 0.0), 1.0)
    return inside * rate, inside * rate + 1 - rate
