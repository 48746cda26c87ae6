"""Which figures may name open answers, which are sent undisguised and may be known from elsewhere.

The difference of two shares must not describe only a few people. So if a figure names two or more open
questions, each combination of their answers must be given by enough people, or by no one. An empty answer is
an answer. Respondents who are asked a question because of an open answer reveal that answer by being asked,
so the questions of its condition count as named. The group (lightly or strongly disguised) is also sent
undisguised, so it counts as one more open question for every estimate that combines the two groups.

As long as rows are added, two figures of the same cross differ by the rows in between, so no cross is shown.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, islice, product
from typing import Final, TypeAlias

import numpy as np

from mining.columns.count_cache import CountCache
from privacy.arrays import Flags, Whole
from privacy.estimation.counts import Columns
from privacy.estimation.design_index import index_of
from privacy.survey.design import Design

_Axis: TypeAlias = tuple[int, ...]
"""Items of which each person asked has at most one; or a single true/false column."""


@dataclass(frozen=True, kw_only=True)
class OpenFloor:
    """What the figures of some rows may show of open answers.

    Parameters
    ----------
    least : int
        Smallest number of rows of each combination of answers to several open questions, besides 0.
    crosses : bool
        Whether figures may combine several open questions at all.
    questions : frozenset of int, optional
        The open questions that figures may name; None for all.
    withheld : frozenset of int
        Items that no figure may name.
    """

    least: int = 0
    crosses: bool = True
    questions: frozenset[int] | None = None
    withheld: frozenset[int] = frozenset()

    @property
    def hides(self) -> bool:
        """Whether any figure could be hidden."""
        return self.least > 0 or not self.crosses or self.questions is not None or bool(self.withheld)

    def may_name(self, design: Design, items: Iterable[int], beside: Collection[int] = ()) -> bool:
        """Return whether a figure of these items and questions can be shown, as far as is known without rows.

        Examples
        --------
        >>> from privacy.survey.design import Block, GroupPolicy, Question
        >>> nurse, night = (
        ...     Question(key=key, kind="yes_no", options=(), unrelated=()) for key in ("nurse", "night"))
        >>> design = Design(group=GroupPolicy(), use="live", blocks=(Block(
        ...     key="you", protected=False, truth_probability=10_000, questions=(nurse, night)),))
        >>> floor = OpenFloor(crosses=False, questions=frozenset({0}))
        >>> [floor.may_name(design, items) for items in [(0,), (1,), (0, 1)]]
        [True, False, False]
        """
        items, naming = tuple(items), _naming(design)
        return self._allows(design, items, naming.axes_of(items, beside), ())

    def _allows(
        self, design: Design, items: Iterable[int], axes: Collection[_Axis], numbers: Collection[int]
    ) -> bool:
        if self.withheld.intersection(items) or (not self.crosses and (len(axes) > 1 or numbers)):
            return False
        named = {design.items[axis[0]].question for axis in axes} | set(numbers)
        return self.questions is None or named <= self.questions


SHOW_ALL: Final = OpenFloor()


def large_crosses(
    cache: CountCache,
    design: Design,
    itemsets: Iterable[Columns],
    floor: OpenFloor,
    *,
    beside: Collection[int] = (),
    numbers: Collection[int] = (),
) -> list[bool]:
    """Flag itemsets whose open answers may be shown: each combination has enough rows, or none.

    Parameters
    ----------
    cache : CountCache
    design : Design
    itemsets : iterable of Columns
    floor : OpenFloor
        For estimates that weight both groups equally, rows of both groups count: all rows, and also those
        that were drawn for the itemset's rotating questions. For any other, each group counts by itself, and
        rows that were not asked a question are a separate combination.
    beside : collection of int
        Protected questions, by number, that the itemset's estimates also involve.
    numbers : collection of int
        Open questions, by number, all of whose answers enter an estimate of each itemset, such as the mean
        of a number. Whether the question was answered is then part of the combination.

    Returns
    -------
    list of bool
        True for itemsets that name fewer than two open questions, if their estimates weight both groups
        equally and the floor lets figures name the question, because results for one question are published.

    Notes
    -----
    All options of a question are checked, whichever is named, because the share of another option is a
    difference of listed shares. Options that can be ticked independently are separate questions. Combinations
    of more questions are subsets of combinations of fewer, so an itemset that fails also fails with any item
    added, and supersets of a failing part are not counted.

    Examples
    --------
    One of three nurses works at night:

    >>> from mining.columns.bitmatrix import BitMatrix
    >>> from privacy.survey.design import Block, GroupPolicy, Question
    >>> nurse, night = (
    ...     Question(key=key, kind="yes_no", options=(), unrelated=()) for key in ("nurse", "night"))
    >>> design = Design(group=GroupPolicy(), use="live", blocks=(Block(
    ...     key="you", protected=False, truth_probability=10_000,
    ...     questions=(nurse, night)),))
    >>> rows = np.array([[True, True], [True, False], [True, False], [False, False], [False, False]])
    >>> cache = CountCache(BitMatrix.from_booleans(design, rows, np.zeros(5, dtype=bool)))
    >>> large_crosses(cache, design, [(0,), (0, 1)], OpenFloor(least=2))
    [True, False]
    >>> large_crosses(cache, design, [(0, 1)], OpenFloor(least=1))
    [True]
    """
    verdicts: dict[tuple[tuple[_Axis, ...], Columns | None], bool] = {}

    def is_large(axes: tuple[_Axis, ...], within: Columns | None) -> bool:
        key = axes, within
        if key not in verdicts:
            parts = (axes[:position] + axes[position + 1 :] for position in range(len(axes)))
            verdicts[key] = len(axes) < (1 if within is None else 2) or (
                all(is_large(part, within) for part in parts) and _is_large(cache, axes, within, floor.least)
            )
        return verdicts[key]

    index, naming = index_of(design), _naming(design)
    if not naming.axes and not numbers:
        # The questionnaire has no open answer.
        return [not floor.withheld.intersection(items) for items in itemsets]
    has_groups = cache.matrix.n_direct > 0 and cache.matrix.n_protected > 0
    columns = {design.asked_column(each) for each in numbers}
    is_open = [not design.blocks[design.block_of(each)].protected for each in range(len(design.questions))]
    open_columns = {design.asked_column(each) for each, on in enumerate(is_open) if on}
    large = []
    for items in itemsets:
        questions = {*beside, *(design.items[item].question for item in items)}
        axes = naming.axes_of(items, questions)
        if not floor._allows(design, items, axes, numbers):
            large.append(False)
            continue
        axes |= {(column,) for column in columns}
        protected = {each for each in questions if not is_open[each]}
        # Open answers decide who is asked a conditional question.
        if has_groups and protected and axes:
            axes |= {(design.asked_column(each),) for each in protected if design.can_be_missing(each)}
            large.append(is_large(tuple(sorted(axes)), None))
            continue
        ordered = tuple(sorted(axes))
        within = tuple(sorted(set(index.asked_of(items)) - open_columns))
        large.append(is_large(ordered, ()) and (not within or is_large(ordered, within)))
    return large


def crossed_pairs(cache: CountCache, design: Design, floor: OpenFloor) -> dict[tuple[int, int], bool]:
    """Return the pairs of open questions, and whether figures may name both.

    Parameters
    ----------
    cache : CountCache
    design : Design
    floor : OpenFloor

    Returns
    -------
    dict
        Numbers of two questions, and whether each option of one may be named with each option of the other.
        Questions without items, such as numbers without declared ranges, are left out.
    """
    naming = _naming(design)
    # All options of a single choice are checked together, so one of them is enough.
    items: dict[int, dict[_Axis, int]] = {}
    for item, axis in naming.axes.items():
        items.setdefault(naming.questions[item], {}).setdefault(axis, item)
    pairs = list(combinations(sorted(items), 2))
    crosses = [list(product(items[one].values(), items[other].values())) for one, other in pairs]
    large = iter(
        large_crosses(cache, design, (cross for pair_crosses in crosses for cross in pair_crosses), floor)
    )
    return {
        pair: all(list(islice(large, len(pair_crosses))))
        for pair, pair_crosses in zip(pairs, crosses, strict=True)
    }


def answer_counts(cache: CountCache, design: Design, question: int) -> Whole:
    """Count the rows by answer to an open question, including no answer.

    Parameters
    ----------
    cache : CountCache
    design : Design
    question : int
        Number of an open question.

    Returns
    -------
    ndarray of int64, shape (answers, 2)
        Direct and protected rows. A question that allows several answers has three for each option: none, no
        and yes.
    """
    naming = _naming(design)
    axes = sorted({axis for item, axis in naming.axes.items() if naming.questions[item] == question})
    return np.concatenate([_rows_by_group(cache, (axis,), ()) for axis in axes])


def combinations_of(design: Design, items: Columns) -> list[int]:
    """Return the number of answers of each open question that an itemset names, including no answer.

    Parameters
    ----------
    design : Design
    items : Columns
    """
    naming = _naming(design)
    return [
        len(axis) + 2 - design.questions[naming.questions[axis[0]]].is_exhaustive
        for axis in sorted(naming.axes_of(items))
    ]


def has_enough(counts: Whole, least: int) -> bool:
    """Return whether each count by answer and group is 0 or at least this number, for each group by itself.

    Parameters
    ----------
    counts : ndarray of int64, shape (answers, 2)
        Or the difference of two such tables, in either direction.
    least : int

    Examples
    --------
    >>> has_enough(np.array([[0, 12], [0, 0]]), 10), has_enough(np.array([[3, 12], [10, 0]]), 10)
    (True, False)
    """
    return bool(((counts == 0) | (np.abs(counts) >= least)).all())


@dataclass(frozen=True, kw_only=True)
class _Naming:
    """The open questions that items and questions name.

    Parameters
    ----------
    axes : mapping of int to tuple of int
        Axis of each open item.
    led : tuple of frozenset of tuple
        For each question, the axes of the open answers that decide who is asked it, directly or not.
    questions : tuple of int
        Question of each item.
    """

    axes: Mapping[int, _Axis]
    led: tuple[frozenset[_Axis], ...]
    questions: tuple[int, ...]

    def axes_of(self, items: Iterable[int], beside: Iterable[int] = ()) -> set[_Axis]:
        """Return the axes that a figure of these items and questions names."""
        items = tuple(items)
        questions = {*beside, *(self.questions[item] for item in items)}
        named = {self.axes[item] for item in items if item in self.axes}
        return named.union(*(self.led[question] for question in questions))


@lru_cache(maxsize=16)
def _naming(design: Design) -> _Naming:
    by_question: dict[int, list[int]] = {}
    for item in design.items:
        by_question.setdefault(item.question, []).append(item.index)
    axes: dict[int, _Axis] = {
        item.index: tuple(by_question[item.question])
        if design.questions[item.question].is_exclusive
        else (item.index,)
        for item in design.items
        if not design.blocks[item.block].protected
    }
    led: list[frozenset[_Axis]] = []
    for number in range(len(design.questions)):
        route = design.routes[design.block_of(number)]
        # A condition names an earlier question.
        steps = [design.first_questions[step.block] + step.question for step in route.steps] if route else []
        led.append(
            frozenset(axes[item] for step in steps for item in by_question[step]).union(
                *(led[step] for step in steps)
            )
        )
    return _Naming(axes=axes, led=tuple(led), questions=tuple(item.question for item in design.items))


def _is_large(cache: CountCache, axes: tuple[_Axis, ...], within: Columns | None, least: int) -> bool:
    rows = _rows_by_group(cache, axes, within or ())
    if within is not None:
        rows = rows.sum(axis=-1)
    is_large: Flags = (rows == 0) | (rows >= least)
    return bool(is_large.all())


def _rows_by_group(cache: CountCache, axes: tuple[_Axis, ...], within: Columns) -> Whole:
    """Count rows by combination of answers, including no answer, and by group along the last axis."""
    design = cache.matrix.design
    # From general to specific: any row, asked with any answer, this answer.
    choices: list[list[Columns]] = [
        [(), axis]
        if axis[0] >= len(design.items)
        else [(), (design.asked_column(design.items[axis[0]].question),), *((item,) for item in axis)]
        for axis in axes
    ]
    rows = _count_cells(cache, choices, within)
    for position in range(len(axes)):
        everybody, base, *having = np.moveaxis(rows, position, 0)
        # Everyone asked a single choice has one of its options, but a number may be in no declared range.
        rest = base - sum(having)
        rows = np.stack([everybody - base, rest, *having], axis=position)
    return rows


def _count_cells(cache: CountCache, choices: list[list[Columns]], within: Columns) -> Whole:
    cells = [tuple(sorted({*sum(cell, ()), *within})) for cell in product(*choices)]
    counts = cache.need(cells)
    return np.array([counts[cell] for cell in cells]).reshape([*map(len, choices), 2])
