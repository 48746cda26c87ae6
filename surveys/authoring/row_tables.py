"""A file of disguised answers, CSV or Parquet, as tables of whole numbers."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO, Final

import numpy as np
import pandas as pd
from django.utils.translation import gettext as _
from numpy.typing import NDArray

from mining.columns.row_writer import DREW, MISSING, UNSAID, Cells, RowWriter
from privacy.arrays import Whole
from privacy.survey.block import Block
from surveys.authoring.packed_import import ROWS_AT_A_TIME
from surveys.errors.error import SurveyError

__all__ = ["row_tables", "wrong_cell"]

MOST_HEADER: Final = 1 << 22
_NUMBER: Final = re.compile(r"\s*+([0-9]+(\.0*)?)?\s*", re.ASCII)


def row_tables(path: Path, writer: RowWriter) -> Iterator[Cells]:
    """Yield chunks of a file as cells, their columns in the order of the writer's.

    Parameters
    ----------
    path : Path
        CSV with a header, or Parquet (name ending in .parquet).
    writer : RowWriter
        Its columns, in any order, are the file's; those that are optional may be lacking.

    Raises
    ------
    SurveyError
        ``file``, ``columns``, ``cell``.
    """
    try:
        yield from (_parquet if _is_parquet(path) else _csv)(path, writer)
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise SurveyError("file.csv", path.name, file=path.name, error=error) from error


def _is_parquet(path: Path) -> bool:
    return path.suffix.lower() == ".parquet"


def _csv(path: Path, writer: RowWriter) -> Iterator[Cells]:
    columns = writer.columns
    with open(path, "rb") as file:
        first = file.readline(MOST_HEADER)
        _check_kind(path, first)
        header = next(csv.reader([first.decode("utf-8-sig")]), [])
        _check_separator(path, first.decode("utf-8-sig"), header)
        _check_header(path, header, writer)
        # The draw is written in keys, and a key may be a number.
        order = None if writer.rotating else [header.index(name) for name in columns]
        start = 0
        for chunk in _chunks(path, file, len(header)):
            cells = None if order is None else _plain(chunk, len(header))
            if cells is None:
                _check_lengths(path, chunk, header, start)
                yield _read(path, chunk, header, writer, start)
            else:
                yield cells[:, order]
            start += chunk.count(b"\n")


def _check_kind(path: Path, first: bytes) -> None:
    """Refuse an empty file and one that is no text, each by what it is: "lacks columns" would mislead."""
    if not first:
        raise SurveyError("file.empty", path.name, file=path.name)
    if first.startswith((b"PK\x03\x04", b"\xd0\xcf\x11\xe0")):
        raise SurveyError("file.workbook", path.name, file=path.name)
    if first.startswith(b"PAR1"):
        raise SurveyError("file.parquet_by_another_name", path.name, file=path.name)
    if first.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise SurveyError("file.utf_16", path.name, file=path.name)


def _check_separator(path: Path, first: str, header: Sequence[str]) -> None:
    """Refuse a file whose columns something else than commas separates."""
    for sign, name in ((";", _("semicolons")), ("\t", _("tabs")), ("|", _("vertical bars"))):
        if len(next(csv.reader([first], delimiter=sign), [])) > len(header):
            raise SurveyError("file.separator", sign, file=path.name, signs=name)


def _chunks(path: Path, file: BinaryIO, n_columns: int) -> Iterator[bytes]:
    """Whole lines, about as many at a time as become one batch."""
    rest, most = b"", 2 * n_columns * ROWS_AT_A_TIME
    while block := file.read(most - len(rest)):
        whole, newline, rest = (rest + block).rpartition(b"\n")
        if newline:
            yield whole + newline
        elif len(rest) == most:
            raise SurveyError("file.long_row", path.name, file=path.name, bytes=most)
    if rest:
        yield rest + b"\n"


def _plain(chunk: bytes, n_columns: int) -> NDArray[np.int8] | None:
    """Cells of lines that hold nothing but 0, 1 and commas between them; None where there is more."""
    if len(chunk) % (2 * n_columns):
        return None
    signs = np.frombuffer(chunk, dtype=np.uint8).reshape(-1, 2 * n_columns)
    cells = signs[:, ::2] - ord("0")
    if (cells > 1).any() or (signs[:, 1:-1:2] != ord(",")).any() or (signs[:, -1] != ord("\n")).any():
        return None
    return cells.astype(np.int8)


def _check_lengths(path: Path, chunk: bytes, header: Sequence[str], start: int) -> None:
    """Refuse the first line with more or fewer cells than the header: pandas would fill up short ones."""
    signs = np.frombuffer(chunk, dtype=np.uint8)
    ends = np.flatnonzero(signs == ord("\n"))
    commas = np.diff(np.searchsorted(np.flatnonzero(signs == ord(",")), ends), prepend=0)
    wrong = np.flatnonzero(commas != len(header) - 1)
    if len(wrong):
        cells = int(commas[wrong[0]]) + 1
        problem = SurveyError("cells.row", cells=cells, columns=len(header))
        raise wrong_cell(path, start + int(wrong[0]), None, problem.message, cells, problem.remedy)


def _read(path: Path, chunk: bytes, header: Sequence[str], writer: RowWriter, start: int) -> Cells:
    try:
        table = pd.read_csv(
            io.BytesIO(chunk), header=None, names=list(header), keep_default_na=False, na_values=[""],
            dtype={name: str if name in writer.rotating else np.float32 for name in header},
            skip_blank_lines=False, index_col=False,
        )  # fmt: skip
    except ValueError as error:
        # pandas does not say where; a slower second reading does.
        unread = SurveyError("file.cells", path.name, file=path.name, error=error)
        raise _wrong_cell(path, chunk, header, writer, start) or unread from error
    return _cells(path, table, writer, start)


def _parquet(path: Path, writer: RowWriter) -> Iterator[Cells]:
    # Imported where it is used: it takes a while to load.
    from pyarrow import ArrowException
    from pyarrow.parquet import ParquetFile

    try:
        with ParquetFile(path) as file:
            names = file.schema_arrow.names
            _check_header(path, names, writer)
            start = 0
            for chunk in file.iter_batches(batch_size=ROWS_AT_A_TIME, columns=list(names)):
                yield _cells(path, chunk.to_pandas(), writer, start)
                start += len(chunk)
    except ArrowException as error:
        raise SurveyError("file.parquet", path.name, file=path.name, error=error) from error


def _cells(path: Path, table: Any, writer: RowWriter, start: int) -> Cells:
    values: Cells = np.full((len(table), len(writer.columns)), MISSING, dtype=_width(writer))
    for position, (name, highest) in enumerate(zip(writer.columns, writer.highest, strict=True)):
        if name not in table:
            values[:, position] = UNSAID
            continue
        if name in writer.rotating:
            values[:, position] = _booklets(path, table[name], writer.rotating[name], start)
            continue
        plain = table[name].to_numpy()
        if plain.dtype.kind in "iu" and ((plain >= 0) & (plain <= highest)).all():
            # As most columns of a Parquet file are: a fifth of the time of what follows.
            values[:, position] = plain
            continue
        column = pd.to_numeric(table[name], errors="coerce").to_numpy(dtype=np.float64, na_value=np.nan)
        fits = (column >= 0) & (column <= highest) & (column == np.floor(column))
        if table[name].dtype.kind in "mM":
            # A date is a number of nanoseconds to numpy, and 0 of them an answer.
            fits[:] = False
        wrong = ~fits & table[name].notna().to_numpy()
        if wrong.any():
            row = int(wrong.argmax())
            raise _misfit(path, start + row, name, int(highest), table[name].iloc[row])
        values[fits, position] = column[fits]
    return values


def _width(writer: RowWriter) -> type[np.signedinteger[Any]]:
    """Return a type that holds every cell: a place has up to a million, a block up to 2^53 booklets."""
    highest = writer.highest.max(initial=1)
    return np.int8 if highest == 1 else np.int32 if highest <= np.iinfo(np.int32).max else np.int64


def _booklets(path: Path, column: Any, block: Block, start: int) -> Whole:
    """Return the numbers of the booklets that a column names by the keys of their questions."""
    codes, texts = pd.factorize(column)
    positions_of = {question.key: number for number, question in enumerate(block.questions)}
    numbers = np.full(len(texts) + 1, MISSING, dtype=np.int64)
    for at, text in enumerate(texts):
        keys = text.split() if isinstance(text, str) else [text]
        if not keys:
            continue
        positions = sorted(positions_of.get(key, -1) for key in keys)
        number = None if positions[0] < 0 else block.booklet_number(positions)
        if number is None:
            problem = SurveyError("cells.asked", count=block.most_asked, block=block.key)
            row = start + int((codes == at).argmax())
            raise wrong_cell(path, row, DREW + block.key, problem.message, text, problem.remedy)
        numbers[at] = number
    # An empty cell has the code -1: the last of the numbers.
    return numbers[codes]


def _misfit(path: Path, row: int, column: str, highest: int, value: object) -> SurveyError:
    problem = SurveyError("cells.item" if highest == 1 else "cells.output", highest=highest)
    return wrong_cell(path, row, column, problem.message, value, problem.remedy)


def _check_header(path: Path, header: Sequence[str], writer: RowWriter) -> None:
    columns = writer.columns
    missing = [name for name in columns if name not in header and name not in writer.optional]
    unknown = [name for name in header if name not in columns]
    twice = sorted({name for name in header if header.count(name) > 1})
    for names, case in ((missing, "columns.missing"), (unknown, "columns.unknown"), (twice, "columns.twice")):
        if names:
            some = ", ".join(map(repr, names[:5])) + (", …" if len(names) > 5 else "")
            drawn = case == "columns.missing" and set(names) <= set(writer.rotating)
            case = "columns.asked" if drawn else case
            raise SurveyError(case, names, file=path.name, names=some, columns=", ".join(columns))


def _wrong_cell(
    path: Path, chunk: bytes, header: Sequence[str], writer: RowWriter, start: int
) -> SurveyError | None:
    """Find the first cell that is no number."""
    highest = dict(zip(writer.columns, writer.highest.tolist(), strict=True))
    for row, cells in enumerate(csv.reader(io.StringIO(chunk.decode())), start=start):
        for name, text in zip(header, cells, strict=False):
            if name not in writer.rotating and _NUMBER.fullmatch(text) is None:
                return _misfit(path, row, name, highest[name], text)
    return None


def wrong_cell(
    path: Path, row: int, column: str | None, message: str, value: object, remedy: str
) -> SurveyError:
    """Return the refusal of a cell, or of a row where `column` is None; `row` counts from 0."""
    # As editors and spreadsheets count them: the header is line 1. A Parquet file has no lines.
    number = row + 1 if _is_parquet(path) else row + 2
    where = _("row %(row)s") % {"row": number} if _is_parquet(path) else _("line %(line)s") % {"line": number}
    case = "cell.row" if column is None else "cell.empty" if value == "" else "cell"
    return SurveyError(
        case,
        value,
        file=path.name,
        place=where,
        column=column,
        message=message,
        remedy=remedy,
    )
