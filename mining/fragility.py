"""Fragility: how many false rows would overturn a rule's test."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from privacy.arrays import Array, Flags, Whole
from privacy.estimation.counts import SupportCounts
from privacy.estimation.estimating_equation import Equation
from privacy.estimation.moments import ContingencyTables, Scores
from privacy.estimation.required_counts import contingency_tables
from privacy.estimation.rule_sides import Rule
from privacy.estimation.rule_tests import p_values_of_cells
from privacy.survey.design import Design

NEVER_CHANGED: Final = -1
"""Result if no number of rows changes a test."""


def fragility(counts: SupportCounts, rules: Sequence[Rule], design: Design, cut_off: Array) -> Whole:
    """Count the all-yes rows that change the result of each rule's test "lift above 1".

    Parameters
    ----------
    counts : SupportCounts
        Holds at least `required_counts(rules, design)`.
    rules : sequence of (Columns, Columns)
    design : Design
    cut_off : float array, shape (len(rules),)
        The p-value threshold of each rule, kept fixed.

    Returns
    -------
    int array, shape (len(rules),)
        Number of protected rows with all items of the rule that a failing rule needs to pass, or that a
        passing rule could lose before it fails, so that forging this many rows would explain the result.
        `NEVER_CHANGED` (-1) if no number does.

    Notes
    -----
    A row with all items of both sides has the influence (1-P(A))(1-P(B)) > 0 on the leverage, so such rows
    can make a rule pass but never fail. If devices draw questions, a forged row claims to have been asked the
    most helpful ones, with yes to all. Protected rows are disguised more than direct ones, so their scores
    are larger. The search doubles the number and then halves the interval.

    Examples
    --------
    >>> from privacy.survey.design import Block, GroupPolicy, Question
    >>> ask = tuple(Question(key=key, kind="yes_no", options=(), unrelated=(5000,)) for key in "ab")
    >>> design = Design(group=GroupPolicy(), use="live", blocks=(Block(key="b", protected=True,
    ...     truth_probability=5000, questions=ask),))
    >>> even = SupportCounts({(): (0, 1000), (0,): (0, 500), (1,): (0, 500), (0, 1): (0, 250)})
    >>> fragility(even, [((0,), (1,))], design, np.array([0.05])).tolist()
    [61]
    """
    result = np.full(len(rules), NEVER_CHANGED, dtype=np.int64)
    for part in contingency_tables(counts, rules, design):
        result[part.positions] = _search(part, cut_off[part.positions])
    return result


def _cell(part: ContingencyTables) -> Whole:
    """Return the cell of forged rows: the most helpful one of rows with yes to everything they were asked."""
    constant, _ = Equation(measure="leverage", scores=Scores.of(part)).cells
    constants = constant[:, part.groups[0].rows.shape[1] :]
    return np.asarray(np.where(part.matching_cells, constants, -np.inf).argmax(axis=1))


def _search(part: ContingencyTables, limit: Array) -> Whole:
    rows, cell, every = part.groups[1].rows, _cell(part), np.arange(len(part.positions))

    def passes(which: Whole, change: Whole) -> Flags:
        again = np.tile(which, len(change))
        forged = rows[again]
        forged[np.arange(len(again)), cell[again]] += change.ravel()
        p_values = p_values_of_cells(part.with_rows(forged, again), hypothesis="lift", above=1.0)
        return np.asarray(p_values <= limit[again]).reshape(change.shape)

    start = passes(every, np.zeros((1, len(every)), dtype=np.int64))[0]
    sign = np.where(start, -1, 1)
    # At most all matching rows can be removed, and at most ten times the number of rows added. Keep at least
    # one row, because nothing can be estimated without rows.
    most = np.where(start, np.minimum(rows[every, cell], part.n - 1), 10 * part.n + 10)
    low, high, has_flipped = np.zeros_like(most), np.zeros_like(most), np.zeros_like(start)
    # Double step by step: far too many rows would push the estimates beyond 1, where the result reverts.
    doubled = 1 << np.arange(int(most.max()).bit_length() + 1)
    at_once = max(1, _CELLS_AT_ONCE // rows.size)
    for numbers in np.array_split(doubled, range(at_once, len(doubled), at_once)):
        if len(left := np.flatnonzero(~has_flipped & (high < most))):
            tries = np.minimum(numbers[:, None], most[left])
            found = passes(left, sign[left] * tries) != start[left]
            has_flipped[left] = found.any(axis=0)
            end = np.where(has_flipped[left], found.argmax(axis=0), len(tries) - 1)
            ends, column = np.vstack([high[left], tries]), np.arange(len(left))
            low[left], high[left] = ends[end, column], ends[end + 1, column]
    while len(left := np.flatnonzero(has_flipped & (high - low > 1))):
        middle = (low[left] + high[left]) // 2  # halve twice
        tries = np.stack([(low[left] + middle) // 2, middle, (middle + high[left]) // 2])
        before, half, after = passes(left, sign[left] * tries) != start[left]
        end = np.where(half, 1 - before, 3 - after)
        ends, column = np.vstack([low[left], tries, high[left]]), np.arange(len(left))
        low[left], high[left] = ends[end, column], ends[end + 1, column]
    return np.where(has_flipped & (most > 0), high, NEVER_CHANGED)


_CELLS_AT_ONCE: Final = 8_192  # enough to hide Python's overhead

MOST_FLIPS: Final = 500
"""Number of rules, by smallest p-value, whose fragility is computed; each needs about thirty tests."""

NOT_SEARCHED: Final = NEVER_CHANGED - 1
