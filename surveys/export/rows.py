"""The rows of a snapshot as they leave: in an order that says nothing of when they came."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from mining.frames.report_table import reported_columns
from privacy.survey.design import Design
from privacy.survey.layout import Layout
from surveys.export.columns import columns_of

ROWS_AT_A_TIME: Final = 65_536

_TYPES: Final = {
    **dict.fromkeys(("group", "single", "asked"), pa.string()),
    **dict.fromkeys(("number", "place"), pa.int64()),
}
"""Of columns that are not 0 or 1."""

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
    """Return the rows of a snapshot in the order of their bytes.

    The same rows have the same order, whenever and by whom they are taken: it says nothing of when they came,
    and a digest of the file is one of the rows.

    Parameters
    ----------
    rows : bytes
        All rows of the snapshot, in any order.
    design : Design
        What they follow.
    """
    width = Layout(design).n_bytes
    in_order = np.sort(np.frombuffer(rows, dtype=np.dtype((np.void, width))))
    packed = in_order.view(np.uint8).reshape(-1, width)
    return Released(packed=packed, with_group=design.group.policy != "protected")


def tables(exported: Released, design: Design) -> Iterator[pa.Table]:
    """Yield the rows as tables, some ten thousand at a time.

    A question has one column (a multi-select one per option): 1 and 0, or the key of the option, or a number.
    Nothing stands where the question was not asked, or not answered, or its block was skipped; skipped
    blocks are marked in a column of their own. Of a rotating block one more column names the questions that
    were asked, skipped or not.
    """
    schema = rows_schema(design, with_group=exported.with_group)
    for start in range(0, max(1, len(exported.packed)), ROWS_AT_A_TIME):
        columns = reported_columns(exported.packed[start : start + ROWS_AT_A_TIME].tobytes(), design)
        arrays = [
            pa.array(values, type=field.type, mask=missing)
            for (values, missing), field in zip(columns.values(), schema, strict=True)
        ]
        yield pa.Table.from_arrays(arrays, schema=schema)


def rows_schema(design: Design, *, with_group: bool) -> pa.Schema:
    """Return names and types of the columns of the file, in order."""
    columns = columns_of(design, with_group=with_group)
    return pa.schema([(column.name, _TYPES.get(column.kind, pa.int8())) for column in columns])
