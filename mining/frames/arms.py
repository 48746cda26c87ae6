"""Compare randomised groups, as a DataFrame."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from privacy.arrays import Array, Flags, Whole
from privacy.estimation.arm_effects import GroupSums, arm_effects
from privacy.library.shown_tables import data_frame
from privacy.policy import LEAST_EFFECTIVE_ROWS
from privacy.printed import CHECKED, PrintedEstimates

if TYPE_CHECKING:
    from privacy.library.frames import DataFrame, Series


def arms_frame(
    group: Series,
    has_answer: Array,
    scores: Array,
    mass: Array,
    direct: Flags,
    names: Sequence[Sequence[str]],
    free: Sequence[int],
) -> DataFrame:
    """Compare randomised groups in all items, as a DataFrame.

    Parameters
    ----------
    group : Series
        Category of each row; the first is compared with each other one.
    has_answer, scores : float array, shape (items, rows)
        1 if an item was asked (or the score of "answered"), and its score; 0 if not.
    mass : float array, shape (rows,)
        Weights.
    direct : bool array, shape (rows,)
    names : sequence of sequence of str
        Items by question.
    free : sequence of int
        Number of items of each question that the others do not determine.
    """
    codes, categories = group.cat.codes.to_numpy(), list(group.cat.categories)
    inside = [codes == at for at in range(len(categories))]
    sums = [GroupSums.of(has_answer[:, own], scores[:, own], mass[own], direct[own]) for own in inside]
    starts = np.cumsum([0, *map(len, names)]).tolist()
    free_items = [list(range(start, start + count)) for start, count in zip(starts, free, strict=False)]
    found = arm_effects(sums, free_items)
    wide_level = 1 - (1 - _LEVEL) / found.differences.size
    cells = [
        (question, outcome, further)
        for question, items in enumerate(names)
        for outcome in range(starts[question], starts[question] + len(items))
        for further in range(1, len(categories))
    ]
    tests, outcomes, groups = np.array(cells).T
    n = np.array([[np.count_nonzero(own) for own in has_answer[:, rows]] for rows in inside])[
        groups, outcomes
    ]
    # Both groups of a difference need enough answers.
    both = np.minimum(found.sizes[groups, outcomes], found.sizes[0, outcomes])
    shares = _arm_rows(
        found.shares[groups, outcomes],
        found.errors[groups, outcomes],
        [found.share_interval(group, outcome) for _, outcome, group in cells],
        n,
        found.sizes[groups, outcomes],
        (0, 1),
    ).of_measure("share")
    difference_rows = _arm_rows(
        found.differences[groups - 1, outcomes],
        found.difference_errors[groups - 1, outcomes],
        [found.interval(group, outcome) for _, outcome, group in cells],
        n,
        both,
        (-1, 1),
    )
    named = np.array([found.interval(group, outcome, level=wide_level) for _, outcome, group in cells])
    is_known = both >= LEAST_EFFECTIVE_ROWS
    columns = shares | difference_rows.columns("difference")
    columns |= {f"named_{end}": np.where(is_known, own, np.nan) for end, own in _ends(named)}
    rows_of_questions = [int(has_answer[start].sum()) for start in starts[:-1]]
    alone, adjusted = found.tests(n=rows_of_questions, family=len(names), origin=CHECKED)
    columns |= {
        "p_value": alone.at(tests, estimable=is_known),
        "adjusted": adjusted.at(tests, estimable=is_known),
    }
    items = [item for own in names for item in own]
    index = [(items[outcome], categories[group]) for _, outcome, group in cells]
    table = data_frame(columns, index=index, name=["item", str(group.name)], about=difference_rows.about)
    table.attrs["joint"] = found.joint
    return table


_LEVEL: Final = 0.95


def _ends(ends: Array) -> list[tuple[str, Array]]:
    return [("low", ends[:, 0]), ("high", ends[:, 1])]


def _arm_rows(
    value: Array,
    error: Array,
    ends: Sequence[tuple[float, float]],
    n: Whole,
    effective_n: Array,
    possible: tuple[float, float],
) -> PrintedEstimates:
    low, high = np.array(ends).T
    return PrintedEstimates(
        value=value, standard_error=error, low=low, high=high, n=n, effective_n=effective_n, level=_LEVEL,
        possible=possible, method="ratio", shift=0.0, origin=CHECKED,
    )  # fmt: skip
