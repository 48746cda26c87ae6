"""Count rows by their scores, score single rows, and sum scores by group."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mining.columns.bitmatrix import Buffer, RowReader, unpacked_columns
from mining.columns.counted_rows import row_chunks
from mining.columns.sent_values import read_sent_values, rows_in
from privacy.arrays import Array, Flags, Whole
from privacy.errors import PrivacyError
from privacy.estimation.arm_effects import GroupSums
from privacy.estimation.composed_parts import Factor, PartDraw, States, states_of
from privacy.estimation.design_index import index_of
from privacy.estimation.incomplete_rows import MOST_DRAWN
from privacy.estimation.joined_rows import JoinedRows, joined_rows
from privacy.survey.design import Design
from privacy.survey.layout import Layout

MOST_DIFFERENT: Final = 4_000_000
"""Limit on distinct score combinations, for memory."""
_ROWS_AT_A_TIME: Final = 1 << 18
_ROWS_OF_SUMS: Final = 1 << 16
"""Rows per chunk in `group_sums`, which holds the scores of all outcomes for each row."""
_MOST_KEYS: Final = 1 << 62
"""Largest number of state combinations: an int64 key needs one more bit, which marks direct rows."""


def scored_rows(
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
    (result,) = scored_rows_of_each(design, [factors], buffers, all_rows=all_rows)
    if isinstance(result, PrivacyError):
        raise result
    return result


def scored_rows_of_each(
    design: Design,
    rules: Sequence[Sequence[Factor]],
    buffers: Buffer | Iterable[Buffer],
    *,
    all_rows: bool = False,
) -> list[JoinedRows | PrivacyError]:
    """Count the rows of several rules, each as `scored_rows` does, reading the rows once.

    Parameters
    ----------
    design : Design
    rules : sequence of sequence of Factor
        Factors of each rule.
    buffers, all_rows
        As for `scored_rows`.

    Returns
    -------
    list of JoinedRows or PrivacyError
        Result or error of `scored_rows` for each rule.
    """
    counts = [_RowCount(design, factors, all_rows=all_rows) for factors in rules]
    reader, read = RowReader(design), [factor for count in counts for factor in count.factors]
    several = [buffers] if isinstance(buffers, bytes | bytearray | memoryview) else buffers
    for chunk in row_chunks(several, Layout(design).n_bytes, _ROWS_AT_A_TIME):
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
