"""The rows of a snapshot as they leave: in an order that says nothing."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from privacy.arrays import Flags
from privacy.survey.column_names import DIRECT_GROUP, PROTECTED_GROUP, asked_name, group_name, skipped_name
from privacy.survey.design import Block, Design
from privacy.survey.layout import Layout
from privacy.survey.question import Question

ROWS_AT_A_TIME: Final = 65_536

Packed: TypeAlias = NDArray[np.uint8]
Bits: TypeAlias = NDArray[np.uint8]


@dataclass(frozen=True, kw_only=True)
class Released:
    """Rows that leave.

    Attributes
    ----------
    packed : uint8 array, shape (n, bytes of a row)
    with_group : bool
        Whether the rows say which group they belong to.
    """

    packed: Packed
    with_group: bool


def released(rows: bytes, design: Design) -> Released:
    """Return the rows of a snapshot in a new order.

    Parameters
    ----------
    rows : bytes
        All rows of the snapshot, in any order.
    design : Design
        What they follow.
    """
    table = np.frombuffer(rows, dtype=np.uint8).reshape(-1, Layout(design).n_bytes)
    return Released(packed=_shuffled(table), with_group=design.group.policy != "protected")


def _shuffled(rows: Packed) -> Packed:
    """Put the rows in an order of their own: batches stand in the order in which answers came."""
    generator = np.random.default_rng(secrets.randbits(256))
    return rows[generator.permutation(len(rows))]


def column_names(design: Design, *, with_group: bool) -> tuple[str, ...]:
    """Return the columns of the file, in order."""
    return tuple(_schema(design, with_group=with_group).names)


def tables(exported: Released, design: Design) -> Iterator[pa.Table]:
    """Yield the rows as tables, some ten thousand at a time.

    A question has one column (a multi-select one per option): 1 and 0, or the key of the option, or a number.
    Nothing stands where the question was not asked, or not answered, or its block was skipped; skipped
    blocks are marked in a column of their own. Of a rotating block one more column names the questions that
    were asked, skipped or not.
    """
    schema = _schema(design, with_group=exported.with_group)
    for start in range(0, max(1, len(exported.packed)), ROWS_AT_A_TIME):
        bits = np.unpackbits(exported.packed[start : start + ROWS_AT_A_TIME], axis=1)
        yield pa.Table.from_arrays(list(_arrays(bits, design, with_group=exported.with_group)), schema=schema)


def _schema(design: Design, *, with_group: bool) -> pa.Schema:
    fields = [(group_name(design), pa.string())] if with_group else []
    for block in design.blocks:
        for question in block.questions:
            if question.kind == "multi":
                fields += [(f"{question.key}={option}", pa.int8()) for option in question.options]
            elif question.disguise is not None:
                fields.append((question.key, pa.int64()))
            else:
                fields.append((question.key, pa.string() if question.kind == "single" else pa.int8()))
        if block.refusal is not None:
            fields.append((skipped_name(block.key, design), pa.int8()))
        if block.is_rotating:
            fields.append((asked_name(block.key, design), pa.string()))
    return pa.schema(fields)


def _arrays(bits: Bits, design: Design, *, with_group: bool) -> Iterator[pa.Array]:
    layout = Layout(design)
    if with_group:
        yield pa.array(np.where(bits[:, 0] == 1, DIRECT_GROUP, PROTECTED_GROUP))
    for number, block in enumerate(design.blocks):
        refusal_bit = layout.refusal_bit(number)
        skipped = np.zeros(len(bits), dtype=bool) if refusal_bit is None else bits[:, refusal_bit] == 1
        for position, question in enumerate(block.questions, design.first_questions[number]):
            missing = (bits[:, layout.presence_bit(position)] == 0) | skipped
            yield from _answers(bits, layout.value_bits(position), question, missing)
        if refusal_bit is not None:
            yield pa.array(bits[:, refusal_bit].astype(np.int8))
        if block.is_rotating:
            first = design.first_questions[number]
            places = range(first, first + len(block.questions))
            yield _presence(bits[:, [layout.presence_bit(question) for question in places]], block)


def _presence(present: Bits, block: Block) -> pa.Array:
    """Return per row the keys of the questions asked, with blanks between them."""
    distinct, position = np.unique(present, axis=0, return_inverse=True)
    keys = [question.key for question in block.questions]
    texts = [" ".join(key for key, bit in zip(keys, row, strict=True) if bit) for row in distinct.tolist()]
    return pa.array(texts, type=pa.string()).take(pa.array(position.reshape(-1)))


def _answers(bits: Bits, where: tuple[int, int], question: Question, missing: Flags) -> Iterator[pa.Array]:
    start, width = where
    own = bits[:, start : start + width]
    if question.kind == "multi":
        for option in range(width):
            yield pa.array(own[:, option].astype(np.int8), mask=missing)
        return
    value = own.astype(np.int64) @ (1 << np.arange(width, dtype=np.int64)[::-1])
    if question.disguise is not None:
        yield pa.array(value, mask=missing)
    elif question.kind == "single":
        # Rows of another design cannot be here; a position beyond the options would be an error.
        keys = pa.array(question.options, type=pa.string())
        yield keys.take(pa.array(value, mask=missing))
    else:
        yield pa.array(value.astype(np.int8), mask=missing)
