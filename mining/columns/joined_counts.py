"""Packed rows sorted by what they score for a rule of items and parts: counts that a page can be made of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mining.columns.bitmatrix import Buffer
from mining.columns.row_reader import RowReader
from mining.columns.scale_counts import rows_in, values_sent
from privacy.errors import PrivacyError
from privacy.estimation.composed_parts import Factor
from privacy.estimation.composed_rules import JoinedRows, joined_rows
from privacy.estimation.design_index import index_of
from privacy.survey.design import Design

__all__ = ["MOST_DIFFERENT", "counted_rows"]

Codes: TypeAlias = NDArray[np.int64]

MOST_DIFFERENT: Final = 4_000_000
"""Rows that score different things; more of them would fill the memory."""

_ROWS_AT_A_TIME: Final = 1 << 18


def counted_rows(design: Design, factors: Sequence[Factor], buffers: Buffer | Iterable[Buffer]) -> JoinedRows:
    """Count the rows that were asked everything in a rule, by what they score.

    Parameters
    ----------
    design : Design
    factors : sequence of Factor
        Of the rule, from `privacy.estimation.composed_parts.factors_of`.
    buffers : bytes-like, or iterable of bytes-like
        Rows of ``Layout(design).n_bytes`` bytes.

    Raises
    ------
    PrivacyError
        ``too_large``: rows score more than four million different things.

    Notes
    -----
    Values of a question that score the same are one class: two or three for a part under a law, as many as
    there are outputs at most. Rows are counted by their classes, so what is kept is their product at most.
    """
    classes = [_classes(factor) for factor in factors]
    sizes = [len(representatives) for _, representatives in classes]
    reader = RowReader(design)
    asked = index_of(design).asked_of([item for factor in factors for item in factor.items])
    keys, counts = np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)
    for rows in rows_in(design, buffers):
        for start in range(0, len(rows), _ROWS_AT_A_TIME):
            own = _keys(design, reader, factors, classes, asked, rows[start : start + _ROWS_AT_A_TIME])
            found, times = np.unique(own, return_counts=True)
            keys, which = np.unique(np.concatenate([keys, found]), return_inverse=True)
            counts = np.bincount(which, weights=np.concatenate([counts, times]), minlength=len(keys))
            if len(keys) > MOST_DIFFERENT:
                raise PrivacyError("too_large.joined", len(keys), most=f"{MOST_DIFFERENT:,}")
    codes, direct = [], (keys & 1) == 1
    keys = keys >> 1
    for size, (_, representatives) in zip(reversed(sizes), reversed(classes), strict=True):
        codes.append(representatives[keys % size])
        keys = keys // size
    return joined_rows(factors, codes[::-1], counts.astype(np.int64), direct=direct)


def _classes(factor: Factor) -> tuple[Codes, Codes]:
    """The class of each code, by what it scores, and one code of each class."""
    _, first, which = np.unique(factor.scores.round(12), axis=1, return_index=True, return_inverse=True)
    return which.ravel().astype(np.int64), first.astype(np.int64)


def _keys(
    design: Design,
    reader: RowReader,
    factors: Sequence[Factor],
    classes: Sequence[tuple[Codes, Codes]],
    asked: Sequence[int],
    rows: NDArray[np.uint8],
) -> Codes:
    """One number for the classes of each row that was asked everything; its last bit marks direct rows."""
    direct = (rows[:, 0] & 0x80) != 0
    keep = np.ones(len(rows), dtype=np.bool_)
    needed = sorted({item for factor in factors for item in factor.items} | set(asked))
    bits = {}
    if needed:
        columns = np.ascontiguousarray(reader.columns(rows)[needed], dtype="<u8")
        table = np.unpackbits(columns.view(np.uint8), axis=1, count=len(rows), bitorder="little")
        bits = dict(zip(needed, table, strict=True))
    for column in asked:
        keep &= bits[column] == 1
    keys = np.zeros(len(rows), dtype=np.int64)
    for factor, (which, representatives) in zip(factors, classes, strict=True):
        if factor.question is not None:
            codes, _ = values_sent(design, factor.question, rows)
            keep &= codes >= 0
        else:
            codes = np.zeros(len(rows), dtype=np.int64)
            for place, item in enumerate(factor.items):
                codes |= bits[item].astype(np.int64) << place
        keys = keys * len(representatives) + which[codes + direct * factor.sent]
    marked: Codes = (keys << 1 | direct)[keep]
    return marked
