"""Both groups together where they agree: the most likely support."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
from scipy.optimize import brentq
from scipy.stats import chi2

from privacy import validation
from privacy.disguise.design import Design
from privacy.errors import ParameterError
from privacy.reconstruct.axes import axes_of, exact_rows, keys_of
from privacy.reconstruct.counts import Columns, SupportCounts
from privacy.reconstruct.cut import cutter_of
from privacy.reconstruct.mixture import Mixture
from privacy.reconstruct.scores import check_rows

__all__ = ["LEAST_DIRECT", "LEAST_EXPECTED", "Combined", "combined", "mixture_of"]

LEAST_DIRECT: Final = 50
LEAST_EXPECTED: Final = 10
"""Matches and non-matches to be expected in each group for the normal law to be near enough."""

_MOST_CELLS: Final = 256


@dataclass(frozen=True, kw_only=True)
class Combined:
    """The most likely support, valid if both groups have the same true answers.

    Parameters
    ----------
    value, standard_error : float
        Between 0 and 1; error from the information.
    low, high : float
        Profile-likelihood interval.
    n, n_direct, n_protected : int
    """

    value: float
    standard_error: float
    low: float
    high: float
    n: int
    n_direct: int
    n_protected: int


def mixture_of(
    counts: SupportCounts, itemset: Columns, design: Design, within: Columns | None = None
) -> Mixture:
    """Return the rows by the patterns of an itemset's items, with their channel.

    Parameters
    ----------
    counts : SupportCounts
        Holds at least `pattern_terms(itemset, design, within=within)`.
    """
    cutter = cutter_of(design)
    axes = axes_of(itemset, cutter)
    rows = exact_rows(counts, axes, keys_of(axes, cutter, within)).astype(np.float64)
    check_rows(np.array([rows.sum()]))
    possible = np.array(True)
    for axis in axes:
        possible = np.logical_and.outer(possible, axis.can_be)
    return Mixture(
        direct=rows[..., 0],
        protected=rows[..., 1],
        channels=[axis.channel for axis in axes],
        possible=possible,
    )


def combined(
    counts: SupportCounts,
    itemset: Columns,
    design: Design,
    *,
    level: float = 0.95,
    within: Columns | None = None,
) -> Combined:
    """Estimate a support by maximum likelihood over both groups.

    Parameters
    ----------
    counts : SupportCounts
        Holds at least `pattern_terms(itemset, design, within=within)`.
    itemset : Columns
    design : Design
    level : float, in (0, 1)
    within : Columns, optional
        As for `estimate`.

    Returns
    -------
    Combined

    Raises
    ------
    ParameterError
        ``few_direct`` (fewer than 50 direct rows), ``few_expected`` (fewer than 10 matches or other rows to
        be expected in a group), ``too_many_patterns``; and what `estimate` raises.

    Notes
    -----
    Direct rows show the patterns of the touched items with chances pi, protected ones with C pi. The most
    likely pi comes from EM, the error from the information at it, the interval from those values of the
    support for which twice the loss of log-likelihood is at most the chi-square quantile.

    Examples
    --------
    One question, p = .3, theta = .6; the groups say .1 exactly: .03 + .42 of the protected say yes.

    >>> from privacy.disguise import Block, GroupPolicy, Question
    >>> design = Design(group=GroupPolicy(policy="choice"), use="live", blocks=(
    ...     Block(key="marriage", protected=True, truth_probability=3000, refusal=None, asked_if=None,
    ...           questions=(Question(key="affair", kind="yes_no", options=(), unrelated=(6000,)),)),))
    >>> found = combined(SupportCounts({(): (2000, 8000), (0,): (200, 3600)}), (0,), design)
    >>> round(found.value, 6)
    0.1
    >>> round(found.standard_error, 5)  # 1/sqrt(2000/.09 + 8000 * .09/(.45 * .55))
    0.00631
    """
    level = validation.real_number(level, "level", low=0, high=1, open_ends=True, code="level")
    cutter = cutter_of(design)
    cutter.cut(itemset)
    table = mixture_of(counts, itemset, design, within)
    n_direct, n_protected = int(table.direct.sum()), int(table.protected.sum())
    if table.direct.size > _MOST_CELLS:
        raise ParameterError(
            "too_many_patterns",
            f"itemset {itemset} has {table.direct.size} patterns",
            itemset,
            f"combine itemsets with at most {_MOST_CELLS}",
        )
    # "Has them all": the last pattern of each block; a skip stands behind it.
    cell = tuple((1 << len(axis.items)) - 1 for axis in axes_of(itemset, cutter))
    shares = table.fit()
    value = float(shares[cell])
    _check_large(n_direct, n_protected, value, float(table.shown(shares)[cell]))
    place = int(np.ravel_multi_index(cell, shares.shape))
    best, limit = table.log_likelihood(shares), float(chi2.ppf(level, 1))

    def excess(share: float) -> float:
        return 2 * (best - table.log_likelihood(table.fit(cell=cell, share=share))) - limit

    error = float(np.sqrt(table.covariance(shares)[place, place]))
    return Combined(
        value=value,
        standard_error=error,
        low=_end(excess, value, error, 0.0),
        high=_end(excess, value, error, 1.0),
        n=n_direct + n_protected,
        n_direct=n_direct,
        n_protected=n_protected,
    )


def _check_large(n_direct: int, n_protected: int, value: float, shown: float) -> None:
    remedy = "use the stratified estimate with its empirical-likelihood interval"
    if n_direct < LEAST_DIRECT:
        raise ParameterError(
            "few_direct", f"{n_direct} rows are direct, fewer than {LEAST_DIRECT}", n_direct, remedy
        )
    for name, n, share in (("direct", n_direct, value), ("protected", n_protected, shown)):
        expected = n * min(share, 1 - share)
        if expected < LEAST_EXPECTED:
            raise ParameterError(
                "few_expected",
                f"{expected:.1f} {'matches' if share < 0.5 else 'others'} are expected in the {name} group",
                expected,
                remedy,
            )


def _end(excess: Callable[[float], float], value: float, error: float, bound: float) -> float:
    """Return where the loss of likelihood reaches the limit between the estimate and a bound."""
    step = -1 if bound < value else 1
    outer = value
    for width in (2.5, 5.0, 10.0):
        outer = min(max(value + step * width * error, 0.0), 1.0)
        if outer == bound or excess(outer) > 0:
            break
    if excess(outer) <= 0:
        return bound
    return float(brentq(excess, value, outer, xtol=1e-9))
