"""The rows of a run as CSV, as Parquet, and as codes for SPSS and Stata."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mining.frames.table_rows import reported_columns
from privacy.arrays import Codes, Flags
from privacy.survey.column_names import group_name, skipped_name
from privacy.survey.design import Design, Question
from privacy.survey.layout import Layout
from surveys.report.export.row_columns import columns_of
from surveys.report.export.variables import NOT_ANSWERED, NOT_ASKED, NOT_DRAWN, SKIPPED_CODE

EXPORTED_AT_A_TIME: Final = 65_536
LINES_AT_A_TIME: Final = 4_096
"""Fewer lines than rows at a time, because every cell of a CSV file is a string, which uses more memory."""

Packed: TypeAlias = NDArray[np.uint8]
ExportedBits: TypeAlias = NDArray[np.uint8]


@dataclass(frozen=True, kw_only=True)
class ExportRows:
    """Rows of an export.

    Attributes
    ----------
    rows : uint8 array, shape (n, bytes of a row)
    with_group : bool
        Whether the rows include their group.
    """

    rows: Packed
    with_group: bool


def sorted_rows(rows: bytes, design: Design) -> ExportRows:
    """Return the rows of a snapshot in the order of their bytes.

    The same rows always have the same order, whoever exports them. So the order does not reveal arrival
    times, and the digest of the file depends only on the rows.

    Parameters
    ----------
    rows : bytes
        All rows of the snapshot, in any order.
    design : Design
        Design of the rows.
    """
    width = Layout(design).n_bytes
    in_order = np.sort(np.frombuffer(rows, dtype=np.dtype((np.void, width))))
    matrix = in_order.view(np.uint8).reshape(-1, width)
    return ExportRows(rows=matrix, with_group=design.group.policy != "protected")


def row_lines(export: ExportRows, design: Design) -> Iterator[str]:
    """Yield the file of rows as CSV: its header, then some thousand lines at a time.

    A question has one column (a multi-select one per option) with 1 and 0, the key of the option, or a
    number. A cell is empty if the question was not asked or not answered, or its block was skipped. A
    separate column marks skipped blocks. For a rotating block, another column names the questions that were
    asked, skipped or not.
    """
    names = [column.name for column in columns_of(design, with_group=export.with_group)]
    yield ",".join(f'"{name}"' for name in names) + "\n"
    for chunk in _chunks(export, LINES_AT_A_TIME):
        columns = reported_columns(chunk.tobytes(), design).values()
        cells = (_texts(values, missing) for values, missing in columns)
        yield "".join(f"{','.join(line)}\n" for line in zip(*cells, strict=True))


def _texts(values: NDArray[Any], missing: Flags) -> list[str]:
    """Format cells for CSV: numbers, and keys in quotation marks. Keys never contain quotation marks."""
    if values.dtype == object:
        texts = '"' + values + '"'
    else:
        distinct, which = np.unique(values, return_inverse=True)
        texts = distinct.astype(str).astype(object)[which]
    return np.where(missing, "", texts).tolist()


def rows_as_parquet(export: ExportRows, design: Design, path: Path) -> None:
    """Write the rows as Parquet; pyarrow must be installed."""
    # Imported here because a web process must not load pyarrow at its start.
    import pyarrow as pa
    from pyarrow.parquet import ParquetWriter

    types = {
        column.name: pa.type_for_alias(column.arrow_type)
        for column in columns_of(design, with_group=export.with_group)
    }
    with ParquetWriter(path, pa.schema(types), compression="zstd") as writer:
        for chunk in _chunks(export, EXPORTED_AT_A_TIME):
            columns = reported_columns(chunk.tobytes(), design).items()
            arrays = {
                name: pa.array(values, types[name], mask=missing) for name, (values, missing) in columns
            }
            writer.write_table(pa.table(arrays))


def _chunks(export: ExportRows, rows: int) -> Iterator[Packed]:
    for start in range(0, max(1, len(export.rows)), rows):
        yield export.rows[start : start + rows]


def coded_rows(export: ExportRows, design: Design) -> dict[str, Codes]:
    """Return the codes by column, in the order of the file of rows; negative codes mean missing answers.

    Notes
    -----
    An answer can be missing for four reasons, which the row shows: its open answers do not lead to the block
    (not asked); the device drew other questions (not drawn); the block was skipped, truly or at random
    (skipped); an open question was left empty (not answered).
    """
    chunks = [
        _code_columns(np.unpackbits(chunk, axis=1), design, export.with_group)
        for chunk in _chunks(export, EXPORTED_AT_A_TIME)
    ]
    return {column: np.concatenate([chunk[column] for chunk in chunks]) for column in chunks[0]}


def _code_columns(bits: ExportedBits, design: Design, with_group: bool) -> dict[str, Codes]:
    layout = Layout(design)
    columns: dict[str, Codes] = {}
    if with_group:
        columns[group_name(design)] = np.where(bits[:, 0] == 1, 1, 2).astype(np.int32)
    for number, block in enumerate(design.blocks):
        refusal_bit = layout.refusal_bit(number)
        skipped = np.zeros(len(bits), dtype=bool) if refusal_bit is None else bits[:, refusal_bit] == 1
        is_asked = _routed_to(bits, design, layout, number)
        absent = NOT_DRAWN if block.protected else NOT_ANSWERED
        for position, question in enumerate(block.questions, design.first_questions[number]):
            present = bits[:, layout.presence_bit(position)] == 1
            for column, codes in _answers(bits, layout.value_bits(position), question).items():
                reasons = np.where(is_asked, np.where(present, SKIPPED_CODE, absent), NOT_ASKED)
                columns[column] = np.where(present & ~skipped, codes, reasons).astype(np.int32)
        if refusal_bit is not None:
            columns[skipped_name(block.key, design)] = skipped.astype(np.int32)
    return columns


def _routed_to(bits: ExportedBits, design: Design, layout: Layout, block: int) -> Flags:
    """Return which rows have open answers that lead to a block."""
    route = design.routes[block]
    if route is None:
        return np.ones(len(bits), dtype=bool)
    columns = []
    for step in route.steps:
        question = design.first_questions[step.block] + step.question
        present = bits[:, layout.presence_bit(question)] == 1
        columns.append(present & np.isin(_number(bits, layout.value_bits(question)), sorted(step.values)))
    routed: Flags = np.all(columns, axis=0) if route.joined == "all" else np.any(columns, axis=0)
    return routed


def _answers(bits: ExportedBits, where: tuple[int, int], question: Question) -> dict[str, Codes]:
    start, width = where
    if question.is_several:
        chosen = bits[:, start : start + width].astype(np.int32)
        return dict(zip(question.columns, chosen.T, strict=True))
    # Number the options of a single choice from 1, as SPSS and Stata users expect.
    return {question.key: _number(bits, where) + question.is_exhaustive}


def _number(bits: ExportedBits, where: tuple[int, int]) -> Codes:
    start, width = where
    weights = 1 << np.arange(width, dtype=np.int32)[::-1]
    return bits[:, start : start + width].astype(np.int32) @ weights
