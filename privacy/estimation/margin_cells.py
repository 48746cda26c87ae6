"""Weight supports to the population, by cells of rows with the same answers to open questions.

A margin is the known population shares of the answers to an open question.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Final, TypeAlias

import numpy as np

from privacy.arrays import Array, Whole
from privacy.errors import PrivacyError
from privacy.estimation.counts import Columns, SupportCounts
from privacy.estimation.design_index import BLANK, asked_columns, index_of
from privacy.estimation.estimates import Estimate, estimate
from privacy.estimation.forged_shift import score_range
from privacy.estimation.intervals import support_intervals
from privacy.estimation.margins import JOIN, Category, Margin
from privacy.estimation.required_counts import required_counts
from privacy.policy import LEAST_EFFECTIVE_ROWS, SURE_EFFECTIVE_ROWS
from privacy.printed import UNCHECKED, Measured
from privacy.survey.design import Design

CellCounts: TypeAlias = dict[Columns, Whole]

MOST_MARGIN_CELLS: Final = 500
"""Largest number of cells that all margins may form together."""


class MarginCells:
    """Rows that were asked a whole itemset and answered the questions of margins, in cells by these answers.

    If devices draw some of the itemset's questions, and the counts allow it, rows that were asked a part of
    it are used too: the draw does not depend on answers, so each cell is like a separate survey.

    Parameters
    ----------
    itemset : Columns
    margins : sequence of Margin
        At least one margin, each question once.
    design : Design

    Raises
    ------
    PrivacyError
        ``margins``, ``too_many_cells``.
    """

    def __init__(self, itemset: Columns, margins: Sequence[Margin], design: Design) -> None:
        self.itemset, self.margins, self.design = itemset, margins, design
        self._index = index_of(design)
        questions = [margin.question for margin in margins]
        if not margins or len(set(questions)) < len(questions):
            raise PrivacyError("margins.number", len(margins))
        self.shape = tuple(len(margin.categories) for margin in margins)
        if math.prod(self.shape) > MOST_MARGIN_CELLS:
            raise PrivacyError("too_many_cells", math.prod(self.shape), join=JOIN, most=MOST_MARGIN_CELLS)
        # Rows without an answer to a margin's question belong to no cell.
        needed = {design.asked_column(number) for number in questions if design.can_be_missing(number)}
        self.within: Columns = tuple(sorted({*asked_columns(itemset, design), *needed}))

    @cached_property
    def keys(self) -> tuple[Columns, ...]:
        """Sets of columns to count for an estimate in a cell."""
        return required_counts([self.itemset], self.design, within=self.within)

    @cached_property
    def keys_of_all_rows(self) -> tuple[Columns, ...]:
        """Sets of columns for an estimate from all rows of a cell; empty if everyone is asked the itemset."""
        if not self._index.is_drawn[list(self.itemset)].any():
            return ()
        return required_counts([self.itemset], self.design)

    @cached_property
    def terms(self) -> tuple[Columns, ...]:
        """All sets of columns to count."""
        keys = tuple(dict.fromkeys([*self.keys, *self.keys_of_all_rows]))
        parts = (columns for cell in self for _key, _sign, columns in self._parts(cell, keys))
        return tuple(dict.fromkeys([*keys, *parts]))

    def __iter__(self) -> Iterator[tuple[Category, ...]]:
        return product(*(margin.categories for margin in self.margins))

    def _parts(
        self, cell: Sequence[Category], keys: Iterable[Columns]
    ) -> Iterator[tuple[Columns, int, Columns]]:
        """Yield, for each key, the signed columns whose counts sum to it within the cell."""
        for key in keys:
            for parts in product(*(category.parts for category in cell)):
                columns = [columns for _sign, columns in parts]
                items = {
                    column for some in (key, *columns) for column in some if column < len(self.design.items)
                }
                if self._index.excluded_pair(items) is None:
                    yield key, math.prod(sign for sign, _ in parts), self._index.key([key, *columns])

    def _within(self, cell: Sequence[Category], keys: Sequence[Columns], counts: SupportCounts) -> CellCounts:
        table = {key: np.zeros(2, dtype=np.int64) for key in keys}
        for key, sign, columns in self._parts(cell, keys):
            table[key] += sign * np.array(counts[columns])
        return table

    def estimates(self, counts: SupportCounts) -> tuple[list[Estimate | None], Estimate]:
        """Estimate the support in each cell (None if it has no rows) and in all cells together."""
        return self._from_all_rows(counts) or self._from_complete_rows(counts)

    def interval(self, counts: SupportCounts, *, all_rows: bool) -> Measured:
        """Return the support in all cells together with its interval."""
        if not all_rows:
            return support_intervals(counts, [self.itemset], self.design, within=self.within)[0]
        keys = self.keys_of_all_rows
        together = {key: np.zeros(2, dtype=np.int64) for key in keys}
        for cell in self:
            for key, number in self._within(cell, keys, counts).items():
                together[key] += number
        return support_intervals(_support_counts(together, all_rows=True), [self.itemset], self.design)[0]

    def _from_complete_rows(self, counts: SupportCounts) -> tuple[list[Estimate | None], Estimate]:
        rows = self._index.key([self.within])
        estimates: list[Estimate | None] = []
        for cell in self:
            cell_counts = self._within(cell, self.keys, counts)
            estimates.append(
                estimate(_support_counts(cell_counts), self.itemset, self.design, within=self.within)
                if cell_counts[rows].sum()
                else None
            )
        return estimates, estimate(counts, self.itemset, self.design, within=self.within)

    def _from_all_rows(self, counts: SupportCounts) -> tuple[list[Estimate | None], Estimate] | None:
        """Estimate from all rows; None if a cell has rows of a group but none that were asked everything."""
        keys = self.keys_of_all_rows
        if not counts.all_rows or not keys:
            return None
        base = self._index.base[list(self.itemset)]
        base_columns = tuple({int(column) for column in base} - {BLANK})
        reach = [
            (sign, self._index.key([base_columns, columns]))
            for sign, columns in self._index.reach(self.itemset)
        ]
        complete = self._index.key([asked_columns(self.itemset, self.design)])
        together = {key: np.zeros(2, dtype=np.int64) for key in keys}
        estimates: list[Estimate | None] = []
        for cell in self:
            cell_counts = self._within(cell, keys, counts)
            for key, number in cell_counts.items():
                together[key] += number
            if not sum(sign * cell_counts[rows].sum() for sign, rows in reach):
                estimates.append(None)
                continue
            if not cell_counts[complete].sum():
                return None
            estimates.append(estimate(_support_counts(cell_counts, all_rows=True), self.itemset, self.design))
        if not all(cell is None or cell.all_rows for cell in estimates):
            return None
        return estimates, estimate(_support_counts(together, all_rows=True), self.itemset, self.design)


def _support_counts(table: CellCounts, *, all_rows: bool = False) -> SupportCounts:
    counts = {key: (int(direct), int(protected)) for key, (direct, protected) in table.items()}
    return SupportCounts(counts, all_rows=all_rows)


_MOST_ROUNDS: Final = 2_000


@dataclass(frozen=True, kw_only=True)
class Weighted(Measured):
    """A support weighted to a population with known shares: sum w z / sum w.

    ``effective_n`` is the number of rows that would give the same error without weights,
    (sum w)^2 / sum w^2; ``n`` are rows that were asked everything and answered the questions of the margins.

    Parameters
    ----------
    unweighted : Estimate
        Support of the same rows without weights.
    interval : Measured
        The unweighted support with its interval.
    design_effect : float
        Variance divided by the variance of the unweighted estimate.
    n_used : int
        Number of rows used; more than ``n`` if rows that were asked a part of the itemset are used too.
    least_protected : int
        Number of protected rows that were asked everything, in the smallest cell that is not empty.
    """

    standard_error: float
    unweighted: Estimate
    interval: Measured
    design_effect: float
    n_used: int
    least_protected: int

    @property
    def few_effective(self) -> bool:
        """Whether there are fewer than 100 effective answers, so that the interval may miss its level."""
        return self.effective_n < SURE_EFFECTIVE_ROWS

    @property
    def difference(self) -> float:
        """Change of the support due to the weights."""
        return self.value - self.unweighted.value


def weighting_terms(itemset: Columns, margins: Sequence[Margin], design: Design) -> tuple[Columns, ...]:
    """Return the sets of columns to count for `reweight`.

    Parameters
    ----------
    itemset : tuple of int
        Items of the design.
    margins : sequence of Margin
        Known shares of the answers to open questions.
    design : Design
        Design of the survey.
    """
    return MarginCells(itemset, margins, design).terms


def reweight(
    counts: SupportCounts, itemset: Columns, margins: Sequence[Margin], design: Design, *, forged: int = 0
) -> Weighted:
    """Weight a support to known population shares of open answers.

    Parameters
    ----------
    counts : SupportCounts
        Contains at least `weighting_terms(itemset, margins, design)`.
    itemset : Columns
    margins : sequence of Margin
        One margin means post-stratification; several margins, on different questions, are raked.
    design : Design
    forged : int
        Number of rows among them that no device sent.

    Raises
    ------
    PrivacyError
        ``empty_cell`` (no respondent gave an answer that occurs in the population), ``margins`` (no margins,
        a repeated question, or shares that no weights of these rows can match), ``too_many_cells``.

    Notes
    -----
    If devices draw some of the itemset's questions, z is the h of `privacy.estimation.shapes`, with the
    centres and means of the row's own cell.

    Each row of cell h has the weight w = W_h n / n_h. Raking starts from W_h = n_h / n and scales the cells
    to each margin in turn until all margins match. P = sum w z / sum w = sum W_h P_h. The linearised variance
    uses the residuals of z from the weighted regression on the categories. With V_h the variance of z in a
    cell and r_h the cell's mean residual, it is sum W_h^2 (V_h + r_h^2) / n_h; with one margin, r_h = 0. The
    effective n is Kish's.

    The interval is the unweighted interval of the same rows, moved to P and stretched by the square root of
    the design effect. It inverts the same test with the variance multiplied by the design effect.

    References
    ----------
    Holt and Smith 1979; Deville, Sarndal and Sautory 1993 for raking; Kish 1965.
    """
    cells = MarginCells(itemset, margins, design)
    estimates, plain = cells.estimates(counts)
    rows = np.array([part.n_used if part else 0 for part in estimates], dtype=np.float64)
    shares = raked_shares(rows.reshape(cells.shape), margins).ravel()
    positions = np.flatnonzero(rows)
    value = np.array([estimates[position].value for position in positions.tolist()])  # type: ignore[union-attr]  # has rows
    error = np.array([estimates[position].standard_error for position in positions.tolist()])  # type: ignore[union-attr]
    weight, n = shares[positions], rows[positions]
    residual = value - _fit_values(value, weight, _indicators(cells.shape)[positions])
    variance = float((weight**2 * (error**2 + residual**2 / n)).sum())
    share, interval = float(weight @ value), cells.interval(counts, all_rows=plain.all_rows)
    wider = math.sqrt(variance) / plain.standard_error if plain.standard_error else 0.0
    low, high = (
        share - wider * (interval.value - interval.low),
        share + wider * (interval.high - interval.value),
    )
    effective_n = float(1 / (weight**2 / n).sum())
    return Weighted(
        value=share,
        standard_error=math.sqrt(variance),
        low=low,
        high=high,
        # The interval excludes some possible share, and 30 effective answers or more count.
        estimable=interval.estimable and (low > 0 or high < 1) and effective_n >= LEAST_EFFECTIVE_ROWS,
        level=interval.level,
        possible=(0.0, 1.0),
        method="weighted",
        origin=UNCHECKED,
        unweighted=plain,
        interval=interval,
        design_effect=variance / plain.standard_error**2 if plain.standard_error else math.nan,
        effective_n=effective_n,
        n=plain.n,
        n_used=plain.n_used,
        least_protected=min(part.n_protected for part in estimates if part),
        shift=_shift(cells, estimates, share, forged) if forged else 0.0,
    )


def _shift(cells: MarginCells, estimates: Sequence[Estimate | None], share: float, forged: int) -> float:
    """Return how far some rows of one cell, with one score, can have moved a weighted share.

    Without these rows the cell has another estimate, and with several margins all cells other weights.
    """
    ends = score_range(cells.design, cells.itemset)
    # Rows that were asked only a part of the itemset would move it less.
    rows = np.array([part.n if part else 0 for part in estimates], dtype=np.float64)
    value = np.array([part.value if part else 0.0 for part in estimates])
    distances = []
    for cell in np.flatnonzero(rows).tolist():
        if rows[cell] <= forged:
            return math.inf
        left = rows.copy()
        left[cell] -= forged
        weights = raked_shares(left.reshape(cells.shape), cells.margins).ravel()
        for score in ends:
            shifted = value.copy()
            shifted[cell] = (rows[cell] * value[cell] - forged * score) / left[cell]
            distances.append(abs(float(weights @ shifted) - share))
    return max(distances)


def raked_shares(rows: Array, margins: Sequence[Margin]) -> Array:
    """Rake the shares of cells: scale them to each margin in turn until all margins match.

    Parameters
    ----------
    rows : float array, one axis for each margin
        Number of rows by the categories of the margins.
    margins : sequence of Margin

    Raises
    ------
    PrivacyError
        ``empty_cell``, ``margins``: no weights of these rows can match the shares.
    """
    targets = [np.array([category.share for category in margin.categories]) for margin in margins]
    other_axes = [tuple(other for other in range(rows.ndim) if other != axis) for axis in range(rows.ndim)]
    for margin, target, rest in zip(margins, targets, other_axes, strict=True):
        for position in np.flatnonzero((rows.sum(axis=rest) == 0) & (target > 0)).tolist():
            label = margin.categories[position].label
            raise PrivacyError("empty_cell", label, target=target[position], join=JOIN)
    table = rows / rows.sum()
    for _round in range(_MOST_ROUNDS):
        for axis, (target, rest) in enumerate(zip(targets, other_axes, strict=True)):
            now = table.sum(axis=rest)
            factor = np.divide(target, now, out=np.zeros_like(target), where=now > 0)
            table = table * factor.reshape([-1 if other == axis else 1 for other in range(rows.ndim)])
        wrong = max(
            float(np.abs(table.sum(axis=rest) - target).max())
            for target, rest in zip(targets, other_axes, strict=True)
        )
        if wrong < 1e-10:
            return np.asarray(table, dtype=np.float64)
    raise PrivacyError("margins.out_of_reach", wrong)


def _indicators(shape: tuple[int, ...]) -> Array:
    """Return indicators with one column for each category of each margin, and one row for each cell."""
    places = np.indices(shape).reshape(len(shape), -1)
    return np.concatenate(
        [np.equal.outer(row, np.arange(size)) for row, size in zip(places, shape, strict=True)], axis=1
    ).astype(np.float64)


def _fit_values(value: Array, weight: Array, indicators: Array) -> Array:
    root = np.sqrt(weight)
    coefficients = np.linalg.lstsq(root[:, None] * indicators, root * value, rcond=None)[0]
    return np.asarray(indicators @ coefficients, dtype=np.float64)
