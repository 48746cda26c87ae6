"""Fragility of a rule: how many false rows reverse its test."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

import numpy as np

from privacy.arrays import Array, Flags, Whole
from privacy.estimation.contingency_table import ContingencyTables
from privacy.estimation.counts import SupportCounts
from privacy.estimation.equations import Equation
from privacy.estimation.intervals import Rule
from privacy.estimation.moments import Estimator, Scores, Target
from privacy.estimation.one_sided_tests import p_values_of_cells
from privacy.estimation.required_counts import contingency_tables
from privacy.survey.design import Design

__all__ = ["NEVER", "fragility"]

_Passes: TypeAlias = Callable[[Whole], Flags]

NEVER: Final = -1
"""No number of such rows turns the test."""


def fragility(
    counts: SupportCounts,
    rules: Sequence[Rule],
    design: Design,
    cut_off: Array,
    *,
    estimator: Estimator = "stratified",
    target: Target = "population",
) -> Whole:
    """Count the all-yes rows that turn the test "lift above 1" of each rule.

    Parameters
    ----------
    counts : SupportCounts
        Holds at least `required_counts(rules, design)`.
    rules : sequence of (Columns, Columns)
    design : Design
    cut_off : float array, shape (len(rules),)
        The p-value that each rule has to meet; held as it is.
    estimator, target
        As for `p_values`.

    Returns
    -------
    int array, shape (len(rules),)
        A rule that fails would pass with so many more rows of the protected group that show all its items. A
        rule that passes would fail without so many of those that were received: if that many of them were
        sent to make it pass, it is worth nothing. `NEVER` (-1) where no number does it.

    Notes
    -----
    A row that shows all items of both sides has the influence (1-P(A))(1-P(B)) > 0 on the leverage, so such
    rows can make a rule but never break one. Where devices draw questions, a forged row says it was asked
    those that help most, and yes to all of them. A row of the protected group is disguised more than a direct
    one, so it scores more and weighs more. The search doubles the number and then halves the interval.

    Examples
    --------
    >>> from privacy.survey.design import Block, GroupPolicy, Question
    >>> ask = tuple(Question(key=key, kind="yes_no", options=(), unrelated=(5000,)) for key in "ab")
    >>> design = Design(group=GroupPolicy(), use="live", blocks=(Block(key="b", protected=True,
    ...     truth_probability=5000, refusal=None, asked_if=None, questions=ask),))
    >>> even = SupportCounts({(): (0, 1000), (0,): (0, 500), (1,): (0, 500), (0, 1): (0, 250)})
    >>> fragility(even, [((0,), (1,))], design, np.array([0.05])).tolist()
    [61]
    """
    result = np.full(len(rules), NEVER, dtype=np.int64)
    for part in contingency_tables(counts, rules, design):
        limit, cell = cut_off[part.positions], _cell(part, estimator)

        def passes(
            change: Whole,
            part: ContingencyTables = part,
            cell: Whole = cell,
            limit: Array = limit,
        ) -> Flags:
            changed = _changed(part, cell, change)
            p_values = p_values_of_cells(
                changed, hypothesis="lift", above=1.0, estimator=estimator, target=target
            )
            return np.asarray(p_values <= limit)

        rows = part.groups[1].rows
        result[part.positions] = _search(part, rows[np.arange(len(rows)), cell], passes)
    return result


def _changed(part: ContingencyTables, cell: Whole, change: Whole) -> ContingencyTables:
    """Return the cells with so many more of these rows."""
    rows = part.groups[1].rows.copy()
    rows[np.arange(len(rows)), cell] += change
    return part.with_rows(rows)


def _cell(part: ContingencyTables, estimator: Estimator) -> Whole:
    """Return the cell of forged rows: of those that match all they were asked the one that helps most."""
    scores = Scores.of(part, estimator)
    constant, _ = Equation(measure="leverage", scores=scores).cells
    own = constant[:, part.groups[0].rows.shape[1] :]
    best: Whole = np.where(part.all_yes, own, -np.inf).argmax(axis=1)
    return best


def _search(part: ContingencyTables, received: Whole, passes: _Passes) -> Whole:
    start = passes(np.zeros(len(part.positions), dtype=np.int64))
    sign = np.where(start, -1, 1)
    # As many as there are can be taken away; ten times as many as all rows can be put in.
    most = np.where(start, received, 10 * part.n + 10)
    # Nothing is left to estimate from without rows.
    most = np.where(start & (most >= part.n), most - 1, most)
    low, high = np.zeros_like(most), np.minimum(1, most)
    turned = passes(sign * high) != start
    # Doubling, because far too many rows drive the estimates beyond 1, where the test turns back.
    while (growing := ~turned & (high < most)).any():
        low = np.where(growing, high, low)
        high = np.where(growing, np.minimum(2 * high, most), high)
        turned |= growing & (passes(sign * high) != start)
    while (open_ones := turned & (high - low > 1)).any():
        middle = np.where(open_ones, (low + high) // 2, high)
        other = passes(sign * middle) != start
        high = np.where(open_ones & other, middle, high)
        low = np.where(open_ones & ~other, middle, low)
    return np.where(turned & (most > 0), high, NEVER)
