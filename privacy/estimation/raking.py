"""Supports weighted to a population of which the shares of some open answers are known.

Bounds on a support for every possible non-response.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from privacy import validation
from privacy.arrays import Array
from privacy.errors import PrivacyError
from privacy.estimation.counts import Columns, SupportCounts
from privacy.estimation.estimates import Estimate
from privacy.estimation.margin_cells import JOIN, Cells, Margin
from privacy.estimation.measures import Measured
from privacy.survey.design import Design

__all__ = ["Weighted", "non_response_bounds", "raked_shares", "weighted", "weighting_terms"]

_MOST_ROUNDS: Final = 2_000


@dataclass(frozen=True, kw_only=True)
class Weighted:
    """A support weighted to a population whose shares are known.

    Parameters
    ----------
    value : float
        sum w z / sum w.
    standard_error : float
        Linearised.
    low, high : float
        Ends of the 95% interval.
    unweighted : Estimate
        The same rows without weights.
    interval : Measured
        Their support with its interval.
    design_effect : float
        Variance over that of the unweighted estimate.
    effective_n : float
        Rows that would give the same error without weights, (sum w)^2 / sum w^2.
    n : int
        Rows that were asked everything in the itemset and answered the questions of the margins.
    n_used : int
        Rows used; more than `n` where those that were asked a part of the itemset count too.
    least_protected : int
        Protected rows that were asked everything, in the smallest cell that holds any row.
    """

    value: float
    standard_error: float
    low: float
    high: float
    unweighted: Estimate
    interval: Measured
    design_effect: float
    effective_n: float
    n: int
    n_used: int
    least_protected: int

    @property
    def estimable(self) -> bool:
        """Whether the interval leaves out some share that is possible."""
        return self.interval.estimable and (self.low > 0 or self.high < 1)

    @property
    def difference(self) -> float:
        """How much the weights change the support."""
        return self.value - self.unweighted.value


def weighting_terms(itemset: Columns, margins: Sequence[Margin], design: Design) -> tuple[Columns, ...]:
    """Return the sets of columns whose counts `weighted` needs.

    Parameters
    ----------
    itemset : tuple of int
        Items of the design.
    margins : sequence of Margin
        Known shares of the answers of open questions.
    design : Design
        That they are of.
    """
    return Cells(itemset, margins, design).terms


def weighted(counts: SupportCounts, itemset: Columns, margins: Sequence[Margin], design: Design) -> Weighted:
    """Weight a support to known population shares of open answers.

    Parameters
    ----------
    counts : SupportCounts
        Holds at least `weighting_terms(itemset, margins, design)`.
    itemset : Columns
    margins : sequence of Margin
        One is post-stratification; several are raked, each question once.
    design : Design

    Raises
    ------
    PrivacyError
        ``empty_cell`` (no one gave an answer that the population gives), ``margins`` (none, a question
        twice, or shares that no weights of these rows reach), ``too_many_cells``.

    Notes
    -----
    Where devices draw some of the itemset's questions z is what a row counts for, the h of
    `privacy.estimation.shapes`, with centres and means of the row's own cell.

    Each row of cell h has the weight w = W_h n / n_h. Raking starts from W_h = n_h / n and scales the cells
    to each margin in turn until all hold. P = sum w z / sum w = sum W_h P_h. The linearised variance takes
    the residuals of z from the weighted regression on the categories, so with V_h the variance of z in a cell
    and r_h the cell's mean residual it is sum W_h^2 (V_h + r_h^2) / n_h; with one margin r_h = 0. Effective n
    as Kish has it.

    The interval is that of the same rows without weights, moved to P and stretched by the root of the design
    effect: it inverts their test with the variance multiplied by the design effect.

    References
    ----------
    Holt and Smith 1979; Deville, Sarndal and Sautory 1993 for raking; Kish 1965.
    """
    cells = Cells(itemset, margins, design)
    estimates, plain = cells.estimates(counts)
    rows = np.array([part.n_used if part else 0 for part in estimates], dtype=np.float64)
    shares = raked_shares(rows.reshape(cells.shape), margins).ravel()
    used = np.flatnonzero(rows)
    value = np.array([estimates[position].value for position in used.tolist()])  # type: ignore[union-attr]  # has rows
    error = np.array([estimates[position].standard_error for position in used.tolist()])  # type: ignore[union-attr]
    weight, n = shares[used], rows[used]
    residual = value - _fitted(value, weight, _indicators(cells.shape)[used])
    variance = float((weight**2 * (error**2 + residual**2 / n)).sum())
    share, interval = float(weight @ value), cells.interval(counts, all_rows=plain.all_rows)
    wider = math.sqrt(variance) / plain.standard_error if plain.standard_error else 0.0
    return Weighted(
        value=share,
        standard_error=math.sqrt(variance),
        low=share - wider * (interval.value - interval.low),
        high=share + wider * (interval.high - interval.value),
        unweighted=plain,
        interval=interval,
        design_effect=variance / plain.standard_error**2 if plain.standard_error else math.nan,
        effective_n=float(1 / (weight**2 / n).sum()),
        n=plain.n,
        n_used=plain.n_used,
        least_protected=min(part.n_protected for part in estimates if part),
    )


def raked_shares(rows: Array, margins: Sequence[Margin]) -> Array:
    """Return the population's shares of cells: those of the rows, scaled to each margin until all hold.

    Parameters
    ----------
    rows : float array, one axis for each margin
        Rows by the categories of the margins.
    margins : sequence of Margin

    Raises
    ------
    PrivacyError
        ``empty_cell``, ``margins``: no weights of these rows reach the shares.
    """
    targets = [np.array([category.share for category in margin.categories]) for margin in margins]
    others = [tuple(other for other in range(rows.ndim) if other != axis) for axis in range(rows.ndim)]
    for margin, target, rest in zip(margins, targets, others, strict=True):
        for position in np.flatnonzero((rows.sum(axis=rest) == 0) & (target > 0)).tolist():
            label = margin.categories[position].label
            raise PrivacyError("empty_cell", label, target=target[position], join=JOIN)
    table = rows / rows.sum()
    for _round in range(_MOST_ROUNDS):
        for axis, (target, rest) in enumerate(zip(targets, others, strict=True)):
            now = table.sum(axis=rest)
            factor = np.divide(target, now, out=np.zeros_like(target), where=now > 0)
            table = table * factor.reshape([-1 if other == axis else 1 for other in range(rows.ndim)])
        wrong = max(
            float(np.abs(table.sum(axis=rest) - target).max())
            for target, rest in zip(targets, others, strict=True)
        )
        if wrong < 1e-10:
            return np.asarray(table, dtype=np.float64)
    raise PrivacyError("margins.out_of_reach", wrong)


def _indicators(shape: tuple[int, ...]) -> Array:
    """One column for each category of each margin, one row for each cell."""
    places = np.indices(shape).reshape(len(shape), -1)
    return np.concatenate(
        [np.equal.outer(row, np.arange(size)) for row, size in zip(places, shape, strict=True)], axis=1
    ).astype(np.float64)


def _fitted(value: Array, weight: Array, indicators: Array) -> Array:
    root = np.sqrt(weight)
    coefficients = np.linalg.lstsq(root[:, None] * indicators, root * value, rcond=None)[0]
    return np.asarray(indicators @ coefficients, dtype=np.float64)


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
