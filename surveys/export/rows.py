"""The rows of a snapshot as they may leave: in an order that says nothing, without what may not be told."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from privacy.policy import EXPORT_MULTIPLE, ROUNDED_TO
from privacy.survey.design import Design
from privacy.survey.layout import Layout
from privacy.survey.question import Question
from surveys.disclosure.disclosure import Disclosure

ROWS_AT_A_TIME: Final = 65_536
GROUP: Final = "group"

_DIRECT_BIT: Final = 0x80

Packed: TypeAlias = NDArray[np.uint8]
Bits: TypeAlias = NDArray[np.uint8]


@dataclass(frozen=True, kw_only=True)
class Released:
    """Rows that may leave.

    Attributes
    ----------
    packed : uint8 array, shape (n, bytes of a row)
    with_group : bool
        Whether the rows say which group they belong to.
    exact : bool
        Whether these are all rows of the snapshot beside figures with all their digits: only then a run's
        figures can be computed again.
    direct_left_out : bool
        Whether there are direct rows that stay here, being too few.
    """

    packed: Packed
    with_group: bool
    exact: bool
    direct_left_out: bool


def released(rows: bytes, design: Design, shown: Disclosure, *, secret: bytes) -> Released:
    """Return what may leave of a snapshot.

    Parameters
    ----------
    rows : bytes
        All rows of the snapshot, in any order.
    design : Design
    shown : Disclosure
        What may be shown of the snapshot.
    secret : bytes
        Decides which rows are left out; the same snapshot loses the same rows each time.

    Notes
    -----
    With a few direct rows these stay here, and the group bit with them. The number of the others would then
    tell how few they are, since n is on the report; and what the report says of all rows, less what these
    say, would be the true answers of the few. So the others are cut to a multiple of 50, and 50 of them or
    more stay here too. Where counts are rounded to tens, each group is cut to a multiple of ten. What is cut
    is chosen by a keyed digest, not anew each time: several files of one snapshot would add up to the whole
    otherwise.
    """
    table = np.frombuffer(rows, dtype=np.uint8).reshape(-1, Layout(design).n_bytes)
    direct = (table[:, 0] & _DIRECT_BIT) != 0
    exact = shown.groups and not shown.rounded
    if exact:
        kept = table
    elif shown.groups:
        kept = np.concatenate([_cut(part, ROUNDED_TO, secret) for part in (table[direct], table[~direct])])
    else:
        kept = _cut(table[~direct], EXPORT_MULTIPLE, secret, left_out=EXPORT_MULTIPLE)
    return Released(
        packed=_shuffled(kept),
        with_group=shown.groups and design.group.policy != "protected",
        exact=exact,
        direct_left_out=not shown.groups,
    )


def _cut(rows: Packed, multiple: int, secret: bytes, *, left_out: int = 0) -> Packed:
    """Leave out so many rows or a few more by a keyed digest of all of them, whatever order they come in."""
    ordered = rows[np.lexsort(rows.T[::-1])] if len(rows) else rows
    seed = hmac.new(secret, ordered.tobytes(), hashlib.sha256).digest()
    generator = np.random.default_rng(int.from_bytes(seed, "big"))
    keep = generator.permutation(len(rows))[: max(0, len(rows) - left_out) // multiple * multiple]
    return ordered[np.sort(keep)]


def _shuffled(rows: Packed) -> Packed:
    """Put the rows in an order of their own: batches stand in the order in which answers came."""
    generator = np.random.default_rng(secrets.randbits(256))
    return rows[generator.permutation(len(rows))]


def group_name(design: Design) -> str:
    """Return the name of the column that says who is in which group."""
    return _free(GROUP, design)


def skipped_name(block: str, design: Design) -> str:
    """Return the name of the column that says who skipped a block."""
    return _free(f"{block}.skipped", design)


def _free(name: str, design: Design) -> str:
    """Return a name that no question has: its key may be "group" too."""
    taken = {question.key for question in design.questions}
    while name in taken:
        name += "_"
    return name


def column_names(design: Design, *, with_group: bool) -> tuple[str, ...]:
    """Return the columns of the file, in order."""
    return tuple(_schema(design, with_group=with_group).names)


def tables(found: Released, design: Design) -> Iterator[pa.Table]:
    """Yield the rows as tables, some ten thousand at a time.

    A question has one column (a multi-select one per option): 1 and 0, or the key of the option, or a number.
    Nothing stands where the question was not asked, or not answered, or its block was skipped; skipped
    blocks are marked in a column of their own.
    """
    schema = _schema(design, with_group=found.with_group)
    for start in range(0, max(1, len(found.packed)), ROWS_AT_A_TIME):
        bits = np.unpackbits(found.packed[start : start + ROWS_AT_A_TIME], axis=1)
        yield pa.Table.from_arrays(list(_arrays(bits, design, with_group=found.with_group)), schema=schema)


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
    return pa.schema(fields)


def _arrays(bits: Bits, design: Design, *, with_group: bool) -> Iterator[pa.Array]:
    layout = Layout(design)
    if with_group:
        yield pa.array(np.where(bits[:, 0] == 1, "direct", "protected"))
    for number, block in enumerate(design.blocks):
        refusal = layout.refusal_bit(number)
        skipped = np.zeros(len(bits), dtype=bool) if refusal is None else bits[:, refusal] == 1
        for place, question in enumerate(block.questions, design.first_questions[number]):
            missing = (bits[:, layout.presence_bit(place)] == 0) | skipped
            yield from _answers(bits, layout.value_bits(place), question, missing)
        if refusal is not None:
            yield pa.array(bits[:, refusal].astype(np.int8))


def _answers(
    bits: Bits, where: tuple[int, int], question: Question, missing: NDArray[np.bool_]
) -> Iterator[pa.Array]:
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
