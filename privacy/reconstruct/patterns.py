"""All 2^m patterns of an itemset."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from functools import cached_property
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from privacy.disguise.design import Design
from privacy.disguise.grouping import item_probability
from privacy.errors import ParameterError
from privacy.reconstruct.counts import Columns, SupportCounts
from privacy.reconstruct.cut import Cutter
from privacy.reconstruct.estimates import blank_estimates
from privacy.reconstruct.scores import Estimator, check_estimator, check_rows
from privacy.reconstruct.sums import Sums

__all__ = ["MOST_ITEMS", "Patterns", "pattern_terms", "patterns"]

Array: TypeAlias = NDArray[np.float64]

MOST_ITEMS: Final = 12


@dataclass(frozen=True, kw_only=True, eq=False)
class Patterns:
    """Estimated shares of all patterns of an itemset.

    Parameters
    ----------
    estimator : {"stratified", "pooled"}
    items : Columns
        Ascending, `m` of them; one axis each below, position 1 for "has it", 0 for "answered without it".
    value, standard_error, standard_error_respondents, observed_share : float array, shape (2,) * m
        As for `Estimate`.
    possible : bool array, shape (2,) * m
        False where no answer shows the pattern (two options of a single choice, or none of them all);
        its share is exactly 0.
    n, n_direct, n_protected : int
        Rows used.
    """

    estimator: Estimator
    items: Columns
    value: Array
    standard_error: Array
    standard_error_respondents: Array
    observed_share: Array
    possible: NDArray[np.bool_]
    n: int
    n_direct: int
    n_protected: int


class _Axis:
    """One block's part of an itemset: what a row can show there, and the score of each pattern."""

    def __init__(self, items: Columns, cutter: Cutter) -> None:
        block = cutter.blocks[items[0]]
        self.items = items
        self.design = cutter.design
        self.block = self.design.blocks[block]
        self.disguised = not cutter.open[block]
        self.truth = cutter.truth[block] if self.disguised else 1.0
        subsets = [tuple(item for item, bit in zip(items, bits, strict=True) if bit) for bits in self.bits]
        #: Sets of columns to count; None where no row can have them all.
        self.nodes: list[Columns | None] = [
            None if cutter.excluded(subset) is not None else subset for subset in subsets
        ]
        if self.skippable:
            # "Answered without any" is not "not matched": a skip matches no pattern.
            self.nodes[0] = (self.design.answered_column(block),)
            self.nodes.append(())

    @property
    def bits(self) -> list[tuple[int, ...]]:
        return list(itertools.product((0, 1), repeat=len(self.items)))

    @property
    def skippable(self) -> bool:
        return self.block.refusal is not None

    def exact(self, counts: NDArray[np.int64], axis: int) -> NDArray[np.int64]:
        """Turn "at least these items" into "exactly these", and "any row" into "skipped"."""
        counts = np.moveaxis(counts, axis, 0).copy()
        if self.skippable:
            counts[-1] -= counts[0]
        inner = counts[: 1 << len(self.items)]
        table = inner.reshape((2,) * len(self.items) + inner.shape[1:])
        for item in range(len(self.items)):
            without, having = (table[(slice(None),) * item + (bit,)] for bit in (0, 1))
            without -= having
        return np.moveaxis(counts, 0, axis)

    @cached_property
    def match(self) -> Array:
        """[a row shows the pattern], by pattern and by what the row shows."""
        return np.eye(1 << len(self.items), len(self.nodes))

    @cached_property
    def numerator(self) -> Array:
        """[match] - (1-p) q, by pattern and by what a protected row shows."""
        if not self.disguised:
            return self.match
        decoys = [
            item_probability(self.design, dict(zip(self.items, map(bool, bits), strict=True)))
            for bits in self.bits
        ]
        return self.match - (1 - self.truth) * np.array(decoys, dtype=np.float64)[:, None]

    @cached_property
    def possible(self) -> NDArray[np.bool_]:
        """Whether any answer shows the pattern."""
        result = np.ones(len(self.bits), dtype=np.bool_)
        for number in {self.design.items[item].question for item in self.items}:
            question = self.design.questions[number]
            if question.kind == "single":
                mine = [
                    place
                    for place, item in enumerate(self.items)
                    if self.design.items[item].question == number
                ]
                chosen = np.array([sum(bits[place] for place in mine) for bits in self.bits])
                result &= (chosen == 1) | ((chosen == 0) & (len(mine) < question.n_items))
        return result


def _axes(itemset: Columns, cutter: Cutter) -> list[_Axis]:
    items = cutter.check(itemset)
    if not 1 <= len(items) <= MOST_ITEMS:
        raise ParameterError(
            "itemset",
            f"itemset {items} has {len(items)} items, hence {2 ** len(items)} patterns",
            items,
            f"give 1 to {MOST_ITEMS} items",
        )
    by_block = itertools.groupby(items, key=lambda item: cutter.blocks[item])
    return [_Axis(tuple(part), cutter) for _, part in by_block]


def _keys(axes: list[_Axis], cutter: Cutter, within: Columns | None) -> list[Columns | None]:
    rows = cutter.within(within, cutter.asked(item for axis in axes for item in axis.items))
    return [
        None if None in parts else cutter.key([rows, *(part for part in parts if part is not None)])
        for parts in itertools.product(*(axis.nodes for axis in axes))
    ]


def pattern_terms(itemset: Columns, design: Design, *, within: Columns | None = None) -> tuple[Columns, ...]:
    """Return the sets of columns whose counts `patterns` needs.

    They are the sub-itemsets; where a block can be skipped, also those who answered it.
    """
    cutter = Cutter(design)
    keys = _keys(_axes(itemset, cutter), cutter, within)
    return tuple(dict.fromkeys(key for key in keys if key is not None))


def patterns(
    counts: SupportCounts,
    itemset: Columns,
    design: Design,
    *,
    estimator: Estimator = "stratified",
    within: Columns | None = None,
) -> Patterns:
    """Estimate the shares of all 2^m patterns of an itemset.

    Parameters
    ----------
    counts : SupportCounts
        Holds at least `pattern_terms(itemset, design, within=within)`.
    itemset : Columns
        1 to 12 items; here options of one single-choice question may stand together.
    design, estimator, within
        As for `estimate`.

    Returns
    -------
    Patterns

    Raises
    ------
    ParameterError
        As for `estimate`.

    Notes
    -----
    A pattern e says of each item whether it is wanted. Per touched block it has a decoy chance
    q(e_b), the product over the block's questions; for a single choice "not o" has 1 - phi_o. Score,
    estimate and variances are those of an itemset with [match] and q taken for the pattern. A row
    that skips a block matches none of its patterns, so that they add up to the share that answers.
    For one block and m = 2

        P(e) = (P*(e) - (1-k)(1-p) q(e)) / (k + (1-k) p),  q = t1 t2, t1 (1-t2), (1-t1) t2, (1-t1)(1-t2).

    References
    ----------
    Kan and Cao, equations 9, 11, 13 (printed as 12), 15 and 16.

    Examples
    --------
    Two questions in one block, p = .5, theta = .5; of 100 rows 40 show both, 10 only the first.

    >>> from privacy.disguise import Block, GroupPolicy, Question
    >>> design = Design(group=GroupPolicy(), use="live", blocks=(
    ...     Block(key="marriage", protected=True, truth_probability=5000, refusal=None, asked_if=None,
    ...           questions=tuple(Question(key=key, kind="yes_no", options=(), unrelated=(5000,))
    ...                           for key in "ab")),))
    >>> counts = SupportCounts({(): (0, 100), (0,): (0, 50), (1,): (0, 70), (0, 1): (0, 40)})
    >>> found = patterns(counts, (0, 1), design)
    >>> found.value.round(2)  # (.2 - .125)/.5, (.3 - .125)/.5; (.1 - .125)/.5, (.4 - .125)/.5
    array([[ 0.15,  0.35],
           [-0.05,  0.55]])
    """
    check_estimator(estimator)
    cutter = Cutter(design)
    axes = _axes(itemset, cutter)
    exact = _exact(counts, axes, _keys(axes, cutter, within))
    n_direct, n_protected = exact.reshape(-1, 2).sum(axis=0)
    check_rows(n_direct + n_protected)
    matches = _sum(exact, [axis.match for axis in axes])
    of_protected = exact[..., 1:]
    size = matches.size // 2
    sums = Sums(
        estimator=estimator,
        n_direct=np.full(size, n_direct),
        n_protected=np.full(size, n_protected),
        matches=np.rint(matches.reshape(2, size).T).astype(np.int64),
        truth=np.full(size, math.prod(axis.truth for axis in axes)),
        one_block=sum(axis.disguised for axis in axes) <= 1,
        numerators=_sum(of_protected, [axis.numerator for axis in axes]).ravel(),
        squares=_sum(of_protected, [axis.numerator**2 for axis in axes]).ravel(),
    )
    table = blank_estimates(size, estimator)
    sums.fill(table, np.arange(size))
    shape = (2,) * sum(len(axis.items) for axis in axes)
    possible = np.array(True)
    for axis in axes:
        possible = np.logical_and.outer(possible, axis.possible)
    return Patterns(
        estimator=estimator,
        items=tuple(item for axis in axes for item in axis.items),
        value=table.value.reshape(shape),
        standard_error=table.standard_error.reshape(shape),
        standard_error_respondents=table.standard_error_respondents.reshape(shape),
        observed_share=table.observed_share.reshape(shape),
        possible=possible.reshape(shape),
        n=int(n_direct + n_protected),
        n_direct=int(n_direct),
        n_protected=int(n_protected),
    )


def _exact(counts: SupportCounts, axes: list[_Axis], keys: list[Columns | None]) -> NDArray[np.int64]:
    """Rows by what they show in each block; the last axis is the group, direct first."""
    found = np.zeros((len(keys), 2), dtype=np.int64)
    found[[place for place, key in enumerate(keys) if key is not None]] = counts.table(
        key for key in keys if key is not None
    )
    table = found.reshape((*(len(axis.nodes) for axis in axes), 2))
    for place, axis in enumerate(axes):
        table = axis.exact(table, place)
    return table


def _sum(rows: NDArray[np.int64], factors: list[Array]) -> Array:
    """Sum rows times the product of a factor per block, for every group and pattern."""
    result = rows.astype(np.float64)
    for factor in factors:
        # Takes the front axis away and puts the patterns of its block last, behind the group.
        result = np.tensordot(result, factor, axes=(0, 1))
    return result
