"""How far forged rows can have moved predicted pairs."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from mining.columns.count_cache import CountCache
from mining.predicted_itemsets import pair_figures
from privacy.arrays import Whole
from privacy.errors import PrivacyError
from privacy.estimation.borrowed_pairs import borrow, publishable_pairs
from privacy.estimation.counts import Columns
from privacy.survey.design import Design


class CountsWithout(CountCache):
    """Counts of the rows without some protected rows that all have the same columns.

    Parameters
    ----------
    count_cache : CountCache
        Counts of all rows.
    columns : collection of int
        All columns of the design that each of the rows has.
    rows : int
        Number of rows to leave out. No count becomes negative.

    Examples
    --------
    >>> from mining.columns.bitmatrix import BitMatrix
    >>> from privacy.survey.design import Block, Design, GroupPolicy, Question
    >>> ask = Question(key="affair", kind="yes_no", options=(), unrelated=(5000,))
    >>> design = Design(blocks=(Block(key="marriage", protected=True, truth_probability=6000,
    ...     questions=(ask,)),), group=GroupPolicy(), use="live")
    >>> rows = np.array([[True], [False], [True]])
    >>> every = CountCache(BitMatrix.from_booleans(design, rows, np.zeros(3, dtype=bool)))
    >>> CountsWithout(every, {0}, 1).of(np.array([[-1], [0]])).tolist()
    [[0, 2], [0, 1]]
    """

    def __init__(self, count_cache: CountCache, columns: Collection[int], rows: int) -> None:
        super().__init__(count_cache.matrix, withheld=count_cache.withheld)
        self._all, self._columns, self._left_out = count_cache, [-1, *columns], rows

    def of(self, requests: Whole) -> Whole:
        """Return the counts of requests in an array, as `CountCache.of`."""
        counts = np.array(self._all.of(requests))
        has_all = np.isin(requests, self._columns).all(axis=1)
        counts[has_all, 1] -= self._left_out
        return np.maximum(counts, 0)


MOST: Final = 1.0
"""Stated if nothing could be predicted without the forged rows; a share cannot move further."""


def prediction_shifts(
    count_cache: CountCache, itemsets: Sequence[Columns], *, forged: int
) -> dict[Columns, float]:
    """Return how far forged rows can have moved the prediction of each pair.

    Parameters
    ----------
    count_cache : CountCache
        Counts of the rows, by which the pairs were predicted.
    itemsets : sequence of Columns
        Predicted itemsets. Only pairs have a result, because longer ones have no interval either.
    forged : int
        Rows that no device sent. Assumed to be asked both items and to report the same.

    Notes
    -----
    Everything is predicted again without these rows: their reports to both items, and to all other questions
    that they were asked "yes" or "no". So the result includes their effect on shares and on the association
    of all pairs.
    """
    before = _predictions(count_cache, 0)
    shifts: dict[Columns, float] = {}
    for pair in itemsets:
        if len(pair) != 2:
            continue
        forged_variants = [
            _without(count_cache, columns, forged)
            for columns in forged_columns(count_cache.matrix.design, pair)
        ]
        distances = [abs(found.get(pair, np.inf) - before.get(pair, np.inf)) for found in forged_variants]
        shifts[pair] = min(float(np.nan_to_num(distances, nan=MOST).max()), MOST)
    return shifts


def _without(count_cache: CountCache, columns: Collection[int], rows: int) -> dict[Columns, float]:
    """Predict pairs without some rows that have these columns; without fewer if there are not so many."""
    while True:
        try:
            return _predictions(CountsWithout(count_cache, columns, rows), rows)
        except PrivacyError as error:
            if error.code != "count" or not rows:
                raise
            rows //= 2


def _predictions(count_cache: CountCache, left_out: int) -> dict[Columns, float]:
    figures = pair_figures(count_cache)
    if figures is None:
        return {}
    figures = publishable_pairs(replace(figures, n=figures.n - left_out))
    pairs = borrow(figures)
    if pairs is None:
        return {}
    found = figures.items[figures.pairs].tolist()
    return {
        (first, second): value for (first, second), value in zip(found, pairs.value.tolist(), strict=True)
    }


def forged_columns(design: Design, pair: Columns) -> Iterator[set[int]]:
    """Yield the columns of rows that were asked both items of a pair, for each way to report them.

    Parameters
    ----------
    design : Design
    pair : Columns
        Two items of protected questions.
    """
    asked = [design.items[item].question for item in pair]
    for number in range(len(design.questions)):
        if number not in asked and design.drawn_together([*asked, number]) > 0:
            asked.append(number)
    base = {design.asked_column(number) for number in asked}
    base |= {design.answered_column(design.block_of(number)) for number in asked}
    item_of_question = {design.items[item].question: item for item in pair}
    answers = []
    for number in asked:
        items = [item.index for item in design.items if item.question == number]
        chosen = item_of_question.get(number, items[0] if items else -1)
        rest = [item for item in items if item != chosen]
        # Someone who does not choose this answer may have to choose another one.
        answers.append((chosen, rest[0] if rest and design.questions[number].is_exhaustive else -1))
    for first, second, to_other_items in itertools.product((True, False), repeat=3):
        says = dict(zip(pair, (first, second), strict=True))
        yield base | {yes if says.get(yes, to_other_items) else no for yes, no in answers} - {-1}
