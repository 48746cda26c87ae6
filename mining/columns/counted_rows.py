"""Counted rows: precomputed counts, which add up, and columns built on demand.

Any worker can count a part of a survey. It sends only counts, never rows or columns, and the survey is mined
from their sum. Counts that are not precomputed need columns, which are built on demand.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mining.columns.bitmatrix import (
    FULL,
    BitMatrix,
    Buffer,
    Group,
    RowReader,
    columns_at,
    stored_together,
    unpacked_columns,
)
from mining.columns.precomputed_counts import PrecomputedCounts, add_counts, precomputed_counts
from mining.columns.sent_counts import read_sent_values, rows_in
from privacy.arrays import Array, Flags, Whole
from privacy.errors import PrivacyError
from privacy.estimation.arm_effects import GroupSums
from privacy.estimation.comparison import JoinedRows, joined_rows
from privacy.estimation.composed_parts import Factor, PartDraw, States, states_of
from privacy.estimation.design_index import MOST_DRAWN, index_of
from privacy.survey.design import Design
from privacy.survey.layout import Layout

COUNTED_AT_A_TIME: Final = 1 << 20
"""Rows whose columns are built, counted and discarded at a time; sixty columns need 8 MB."""


@dataclass(frozen=True, kw_only=True, eq=False)
class CountedRows:
    """Counts of some rows, without the rows.

    Attributes
    ----------
    n_direct, n_protected : int
    stored_at : ndarray of int64, shape (design.n_columns,)
        Positions of columns, as in `BitMatrix`.
    precomputed : PrecomputedCounts
    """

    n_direct: int
    n_protected: int
    stored_at: Whole
    precomputed: PrecomputedCounts

    @property
    def n(self) -> int:
        """Number of rows."""
        return self.n_direct + self.n_protected

    @classmethod
    def of(cls, matrix: BitMatrix, precomputed: PrecomputedCounts) -> CountedRows:
        """Combine the group sizes and column positions of a matrix with its counts."""
        return cls(
            n_direct=matrix.n_direct,
            n_protected=matrix.n_protected,
            stored_at=matrix.stored_at,
            precomputed=precomputed,
        )

    def to_bytes(self) -> bytes:
        """Write the positions of the columns and the counts, eight bytes each, little-endian."""
        cells = np.concatenate([self.stored_at, self.precomputed.counts.ravel()])
        return cells.astype("<i8").tobytes()

    @classmethod
    def from_bytes(
        cls, data: bytes, design: Design, requests: Whole, *, n_direct: int, n: int
    ) -> CountedRows:
        """Read the output of `to_bytes`.

        Raises
        ------
        PrivacyError
            ``counted_rows``: the counts do not match those precomputed for the design.
        """
        if len(data) != 8 * (design.n_columns + 2 * len(requests)):
            raise PrivacyError("counted_rows", len(data), wanted=8 * (design.n_columns + 2 * len(requests)))
        cells = np.frombuffer(data, dtype="<i8").astype(np.int64)
        counts = cells[design.n_columns :].reshape(-1, 2)
        return cls(
            n_direct=n_direct,
            n_protected=n - n_direct,
            stored_at=cells[: design.n_columns],
            precomputed=PrecomputedCounts(requests=requests, counts=counts),
        )


def count_rows_of(design: Design, buffers: Iterable[Buffer], requests: Whole) -> CountedRows:
    """Count packed rows in chunks; memory does not grow with the number of rows.

    Parameters
    ----------
    design : Design
    buffers : iterable of bytes-like
        As for `BitMatrix.from_rows`.
    requests : ndarray of int64, shape (m, width)
        Output of `mining.columns.precomputed_counts.precomputed_requests`.

    Raises
    ------
    PrivacyError
        ``row_length``: a buffer does not contain whole rows.

    Examples
    --------
    Three rows of one question: presence and value after the group's bit.

    >>> from mining.columns.precomputed_counts import precomputed_requests
    >>> from privacy.survey.design import Block, GroupPolicy, Question
    >>> ask = Question(key="affair", kind="yes_no", options=(), unrelated=(5000,))
    >>> design = Design(blocks=(Block(key="marriage", protected=True, truth_probability=6000,
    ...     refusal=None, asked_if=None, questions=(ask,)),), group=GroupPolicy(), use="live")
    >>> rows = [bytes([0b0110_0000, 0b0100_0000]), bytes([0b1110_0000])]
    >>> counted = count_rows_of(design, rows, precomputed_requests(design))
    >>> counted.n_direct, counted.n_protected, counted.precomputed.counts.tolist()
    (1, 2, [[1, 2], [1, 1]])
    """
    total: CountedRows | None = None
    for chunk in _chunks(buffers, Layout(design).n_bytes, COUNTED_AT_A_TIME):
        matrix = BitMatrix.from_rows(design, chunk)
        part = CountedRows.of(matrix, precomputed_counts(matrix, requests))
        total = part if total is None else counted_together([total, part])
    if total is None:
        nobody = BitMatrix.from_rows(design, b"")
        return CountedRows.of(nobody, precomputed_counts(nobody, requests))
    return total


def counted_together(parts: Sequence[CountedRows]) -> CountedRows:
    """Sum the counts of all parts (at least one).

    Parameters
    ----------
    parts : sequence of CountedRows
        Parts of one design.
    """
    return CountedRows(
        n_direct=sum(part.n_direct for part in parts),
        n_protected=sum(part.n_protected for part in parts),
        stored_at=stored_together([part.stored_at for part in parts])[1],
        precomputed=add_counts([part.precomputed for part in parts]),
    )


def uncounted_columns(
    design: Design, n: tuple[int, int], stored_at: Whole, make: Callable[[], BitMatrix]
) -> BitMatrix:
    """Return a matrix of rows whose columns are built on first use.

    Parameters
    ----------
    design : Design
    n : (int, int)
        Rows of the direct and of the protected group.
    stored_at : ndarray of int64, shape (design.n_columns,)
        As in `BitMatrix`; the built columns may be stored in another order.
    make : callable
        Builds the columns of these rows; called once.
    """
    matrices: list[BitMatrix] = []
    places, column = np.unique(stored_at, return_index=True)
    columns = column[places != FULL]

    def words(direct: bool) -> NDArray[np.uint64]:
        if not matrices:
            matrices.append(make())
        matrix = matrices[0]
        group, positions = matrix.direct if direct else matrix.protected, matrix.stored_at[columns]
        if np.array_equal(positions, np.arange(len(group.words))):
            return group.words
        return columns_at(group.words, group.n, positions)

    direct, protected = (
        _Group(rows, partial(words, which)) for rows, which in zip(n, (True, False), strict=True)
    )
    return BitMatrix(design=design, direct=direct, protected=protected, stored_at=stored_at)


class _Group(Group):
    """Columns that are built when first needed."""

    def __init__(self, n: int, make: Callable[[], NDArray[np.uint64]]) -> None:
        self.__dict__.update(n=n, _make=make)

    @cached_property
    def words(self) -> NDArray[np.uint64]:  # overrides the dataclass field
        """Packed columns."""
        make: Any = self.__dict__["_make"]
        return make()  # type: ignore[no-any-return]  # stored untyped in __dict__


def _chunks(buffers: Iterable[Buffer], n_bytes: int, rows: int) -> Iterator[list[Buffer]]:
    """Yield lists of buffers with about `rows` rows each, splitting larger buffers between rows."""
    waiting: list[Buffer] = []
    most, size = rows * n_bytes, 0
    for buffer in buffers:
        view = memoryview(buffer)
        for start in range(0, len(view), most):
            waiting.append(view[start : start + most])
            size += len(waiting[-1])
            if size >= most:
                yield waiting
                waiting, size = [], 0
    if waiting:
        yield waiting


MOST_DIFFERENT: Final = 4_000_000
"""Limit on distinct score combinations, for memory."""

_ROWS_AT_A_TIME: Final = 1 << 18

_ROWS_OF_SUMS: Final = 1 << 16
"""Rows per chunk in `group_sums`, which holds the scores of all outcomes for each row."""

_MOST_KEYS: Final = 1 << 62
"""Largest number of state combinations: an int64 key needs one more bit, which marks direct rows."""


def counted_rows(
    design: Design, factors: Sequence[Factor], buffers: Buffer | Iterable[Buffer], *, all_rows: bool = False
) -> JoinedRows:
    """Count the rows of a rule by their scores.

    Parameters
    ----------
    design : Design
    factors : sequence of Factor
        Factors of the rule, from `privacy.estimation.composed_parts.factors_of`.
    buffers : bytes-like, or iterable of bytes-like
        Rows of ``Layout(design).n_bytes`` bytes.
    all_rows : bool
        Whether to also count rows that were asked only some blocks of the rule because devices draw them. By
        default, only rows that were asked everything are counted.

    Raises
    ------
    PrivacyError
        ``too_large``: rows have more than four million distinct score combinations.

    Notes
    -----
    Answers with equal scores form one class: a block has two or three, a number or a place at most one per
    output. Rows are counted by their combination of classes, so memory is bounded by the product of the
    numbers of classes. If all rows count, "not asked" is one more class. Even with `all_rows`, only complete
    rows count if more than six axes are drawn, if the rows that could draw a block need more than 64 sets of
    columns, or if the combinations do not fit into one integer.
    """
    (result,) = counted_rows_of_each(design, [factors], buffers, all_rows=all_rows)
    if isinstance(result, PrivacyError):
        raise result
    return result


def counted_rows_of_each(
    design: Design,
    rules: Sequence[Sequence[Factor]],
    buffers: Buffer | Iterable[Buffer],
    *,
    all_rows: bool = False,
) -> list[JoinedRows | PrivacyError]:
    """Count the rows of several rules, each as `counted_rows` does, reading the rows once.

    Parameters
    ----------
    design : Design
    rules : sequence of sequence of Factor
        Factors of each rule.
    buffers, all_rows
        As for `counted_rows`.

    Returns
    -------
    list of JoinedRows or PrivacyError
        Result or error of `counted_rows` for each rule.
    """
    counts = [_RowCount(design, factors, all_rows=all_rows) for factors in rules]
    reader, read = RowReader(design), [factor for count in counts for factor in count.factors]
    several = [buffers] if isinstance(buffers, bytes | bytearray | memoryview) else buffers
    for chunk in _chunks(several, Layout(design).n_bytes, _ROWS_AT_A_TIME):
        for rows in rows_in(design, b"".join(chunk)):
            bits = _bits(design, reader, read, rows)
            for count in counts:
                count.add(bits, rows)
    return [count.join() for count in counts]


class _RowCount:
    """Running counts of a rule's rows, by their combination of classes."""

    def __init__(self, design: Design, factors: Sequence[Factor], *, all_rows: bool) -> None:
        drawn = [factor.draws for factor in factors if all_rows and factor.draws is not None]
        if sum(len(draw.columns) for draw in drawn) > MOST_DRAWN or any(draw.base is None for draw in drawn):
            drawn = []
        if drawn and math.prod(len(_states(factor).codes) for factor in factors) > _MOST_KEYS:
            drawn = []
        self.factors, self.is_drawn = factors, bool(drawn)
        # Without partial rows, every counted row was asked all blocks, so no class for "not asked" is needed.
        self.factors = factors if drawn else [replace(factor, draws=None) for factor in factors]
        self.states = [_states(factor) for factor in self.factors]
        self.design = design
        self.keys, self.counts = np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)

    def add(self, bits: Mapping[int, Flags], rows: NDArray[np.uint8]) -> None:
        """Count more rows, unless there are already too many distinct ones."""
        if len(self.keys) > MOST_DIFFERENT:
            return
        keys = _keys(self.design, bits, self.factors, self.states, rows)
        distinct, times = np.unique(keys, return_counts=True)
        self.keys, which = np.unique(np.concatenate([self.keys, distinct]), return_inverse=True)
        weights = np.concatenate([self.counts, times])
        self.counts = np.bincount(which, weights=weights, minlength=len(self.keys))

    def join(self) -> JoinedRows | PrivacyError:
        """Return the counts of all rows, or an error if there are too many distinct combinations."""
        if len(self.keys) > MOST_DIFFERENT:
            return PrivacyError("too_large.joined", len(self.keys), most=MOST_DIFFERENT)
        codes, is_asked, keys = [], [], self.keys >> 1
        for state in reversed(self.states):
            positions = keys % len(state.codes)
            codes.append(state.codes[positions])
            is_asked.append(state.is_asked[:, positions])
            keys = keys // len(state.codes)
        return joined_rows(
            self.factors,
            codes[::-1],
            self.counts.astype(np.int64),
            direct=(self.keys & 1) == 1,
            is_asked=np.concatenate(is_asked[::-1]) if self.is_drawn else None,
        )


def _states(factor: Factor) -> States:
    return states_of(factor, factor.scores.shape[1])


def _keys(
    design: Design,
    bits: Mapping[int, Flags],
    factors: Sequence[Factor],
    states: Sequence[States],
    rows: NDArray[np.uint8],
) -> Whole:
    """Encode the states of each counted row as one number, whose last bit marks direct rows."""
    direct = (rows[:, 0] & 0x80) != 0
    is_complete = np.ones(len(rows), dtype=np.bool_)
    for column in _asked_of_all(design, factors):
        is_complete &= bits[column]
    keys = np.zeros(len(rows), dtype=np.int64)
    for factor, factor_states in zip(factors, states, strict=True):
        pattern = np.zeros(len(rows), dtype=np.int64)
        if factor.draws is not None:
            is_complete &= _could_draw(factor.draws, bits, len(rows))
            for axis, column in enumerate(factor.draws.columns):
                pattern |= bits[column].astype(np.int64) << axis
        codes = _codes(design, factor, bits, rows)
        if factor.draws is None:
            is_complete &= codes >= 0
        codes = np.maximum(codes, 0)
        keys = keys * len(factor_states.codes) + factor_states.which[pattern, codes + direct * factor.split]
    result: Whole = (keys << 1 | direct)[is_complete]
    return result


def _codes(design: Design, factor: Factor, bits: Mapping[int, Flags], rows: NDArray[np.uint8]) -> Whole:
    """Return the class of a factor in each row; negative if a number or a place was not asked."""
    if factor.question is not None:
        return read_sent_values(design, factor.question, rows)[0]
    codes = np.zeros(len(rows), dtype=np.int64)
    for position, item in enumerate(factor.items):
        codes |= bits[item].astype(np.int64) << position
    return codes


def row_scores(design: Design, factors: Sequence[Factor], rows: bytes) -> tuple[Array, Flags]:
    """Return the scores of each row, and which rows were asked everything.

    Parameters
    ----------
    design : Design
    factors : sequence of Factor
        Factors from `privacy.estimation.composed_parts`.
    rows : bytes
        Rows of ``Layout(design).n_bytes`` bytes.

    Returns
    -------
    (float array, shape (scores, n), bool array, shape (n,))
        Scores, 0 for rows that were not asked everything; and flags of the rows that were.

    Notes
    -----
    Used if rows have weights or clusters, because such rows cannot be grouped by score.
    """
    table = np.frombuffer(rows, dtype=np.uint8).reshape(-1, Layout(design).n_bytes)
    scores = np.ones((len(factors[0].scores), len(table)))
    is_complete = np.ones(len(table), dtype=np.bool_)
    for factor_scores, is_asked in _scores_by_factor(design, RowReader(design), factors, table):
        scores *= factor_scores
        is_complete &= is_asked
    return scores * is_complete, is_complete


def group_sums(
    design: Design, outcomes: Sequence[Factor], groups: Sequence[Factor], buffers: Buffer | Iterable[Buffer]
) -> list[GroupSums]:
    """Sum the outcome scores of the rows of each group.

    Parameters
    ----------
    design : Design
    outcomes : sequence of Factor
        For each factor, the first score is the outcome and the last shows whether it was answered.
    groups : sequence of Factor
        The first score of each factor is the weight of a row, 0 outside the group.
    buffers : bytes-like, or iterable of bytes-like
        Rows of ``Layout(design).n_bytes`` bytes.
    """
    reader, size = RowReader(design), 2 * len(outcomes)
    sums = [GroupSums(totals=np.zeros(size), products=np.zeros((2, size, size))) for _ in groups]
    for rows in rows_in(design, buffers):
        for start in range(0, len(rows), _ROWS_OF_SUMS):
            table = rows[start : start + _ROWS_OF_SUMS]
            read = _scores_by_factor(design, reader, (*outcomes, *groups), table)
            direct = (table[:, 0] & 0x80) != 0
            scores, has_answer = np.empty((2, len(outcomes), len(table)))
            for position, (factor_scores, is_asked) in enumerate(itertools.islice(read, len(outcomes))):
                scores[position], has_answer[position] = (
                    factor_scores[0] * is_asked,
                    factor_scores[-1] * is_asked,
                )
            for position, (factor_scores, is_asked) in enumerate(read):
                weights = factor_scores[0] * is_asked
                has_weight = weights != 0
                terms = (
                    has_answer[:, has_weight],
                    scores[:, has_weight],
                    weights[has_weight],
                    direct[has_weight],
                )
                sums[position] += GroupSums.of(*terms)
    return sums


def _scores_by_factor(
    design: Design, reader: RowReader, factors: Sequence[Factor], table: NDArray[np.uint8]
) -> Iterator[tuple[Array, Flags]]:
    """Yield the scores of all rows for each factor, and flags of the rows that were asked it."""
    whole = [replace(factor, draws=None) for factor in factors]
    bits = _bits(design, reader, whole, table)
    direct = (table[:, 0] & 0x80) != 0
    for factor in whole:
        codes = _codes(design, factor, bits, table)
        is_asked = codes >= 0
        for column in _asked_of_all(design, [factor]):
            is_asked &= bits[column]
        yield factor.scores[:, np.maximum(codes, 0) + direct * factor.split], is_asked


def _asked_of_all(design: Design, factors: Sequence[Factor]) -> Sequence[int]:
    """Return the "asked" columns that are 1 in every counted row."""
    return index_of(design).asked_of(
        [item for factor in factors if factor.draws is None for item in factor.items]
    )


def _bits(
    design: Design, reader: RowReader, factors: Sequence[Factor], rows: NDArray[np.uint8]
) -> dict[int, Flags]:
    """Read the columns of items, of asked questions, and of the conditions for being asked them."""
    needed = {item for factor in factors for item in factor.items} | set(_asked_of_all(design, factors))
    for factor in factors:
        if factor.draws is not None:
            needed.update(factor.draws.columns)
            needed.update(column for _, columns in factor.draws.base or () for column in columns)
    if not needed:
        return {}
    order = sorted(needed)
    return dict(zip(order, unpacked_columns(reader.columns(rows)[order], len(rows)), strict=True))


def _could_draw(draws: PartDraw, bits: Mapping[int, Flags], n: int) -> Flags:
    """Flag rows that could draw a block, by inclusion and exclusion over sets of columns."""
    total = np.zeros(n, dtype=np.int64)
    for sign, columns in draws.base or ():
        total += sign * np.logical_and.reduce([bits[column] for column in columns], initial=True)
    return np.asarray(total > 0)
