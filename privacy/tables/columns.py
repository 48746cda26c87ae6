"""A table by column: each column has its distinct texts, and a code for each record."""

from __future__ import annotations

import json
import zlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any
from unicodedata import normalize

import numpy as np
import numpy.typing as npt

from privacy.arrays import Whole
from privacy.tables.decisions import Decision, Decisions

Numbers = npt.NDArray[np.integer[Any]]


@dataclass(frozen=True, kw_only=True, eq=False)
class ReadColumn:
    """One column: ``values[codes[r]]`` is the text of record ``r``.

    Parameters
    ----------
    name : str
    values : tuple of str
        Distinct texts without surrounding blanks, in order of their first appearance; "" is an empty cell.
    codes : integer array, shape (n,)
        Of the smallest sufficient integer type.
    label : str
        The file's description of the column; "" if it has none.
    value_labels : mapping of str to str
        The file's labels of values; cells keep the value.
    missing_codes : tuple of str
        Values that the file itself declares as missing.
    """

    name: str
    values: tuple[str, ...]
    codes: Numbers
    label: str = ""
    value_labels: Mapping[str, str] = field(default_factory=dict)
    missing_codes: tuple[str, ...] = ()

    @property
    def counts(self) -> dict[str, int]:
        """Number of records with each value."""
        number = np.bincount(self.codes, minlength=len(self.values)).tolist()
        return dict(zip(self.values, number, strict=True))

    @property
    def texts(self) -> list[str]:
        """The texts of all records, in order."""
        return [self.values[code] for code in self.codes.tolist()]

    def with_texts(self, new: Mapping[str, str]) -> ReadColumn:
        """Replace some texts; texts that become equal share a code.

        Examples
        --------
        >>> column = ReadColumn(name="a", values=("1", " 1", "2"), codes=np.array([0, 1, 2]))
        >>> column.with_texts({" 1": "1"}).values, column.with_texts({" 1": "1"}).codes.tolist()
        (('1', '2'), [0, 0, 1])
        """
        code_map: defaultdict[str, int] = defaultdict(count().__next__)
        number = np.array([code_map[new.get(value, value)] for value in self.values], dtype=np.int32)
        if tuple(code_map) == self.values:
            return self
        return replace(self, values=tuple(code_map), codes=_narrow(number[self.codes]))


@dataclass(frozen=True, kw_only=True, eq=False)
class ReadTable:
    """Columns of equal length, and the line of each record.

    Parameters
    ----------
    columns : tuple of ReadColumn
    lines : int64 array, shape (n,)
        Line of the file on which each record begins, counted from 1.
    decisions : Decisions
        What the reader decided, for people to read.
    """

    columns: tuple[ReadColumn, ...]
    lines: Whole
    decisions: Decisions = field(default_factory=Decisions)

    @classmethod
    def of_rows(cls, header: Sequence[str], rows: Iterable[Sequence[str]]) -> ReadTable:
        """Encode rows of texts.

        Examples
        --------
        >>> table = ReadTable.of_rows(["age", "sex"], [["31", "f"], ["31", "m"]])
        >>> table.column("sex").values, len(table)
        (('f', 'm'), 2)
        """
        builder = TableBuilder(header)
        builder.add([list(row) for row in rows])
        return builder.table()

    @property
    def header(self) -> list[str]:
        """Names of the columns."""
        return [column.name for column in self.columns]

    @property
    def codes(self) -> list[tuple[tuple[str, ...], Numbers]]:
        """Distinct texts and codes of each column, as `privacy.sdc.Table.from_codes` expects them."""
        return [(column.values, column.codes) for column in self.columns]

    def __len__(self) -> int:
        return len(self.lines)

    def column(self, name: str) -> ReadColumn:
        """Return the first column with this name; raise `KeyError` if there is none."""
        for column in self.columns:
            if column.name == name:
                return column
        raise KeyError(name)

    def rows(self) -> Iterator[tuple[str, ...]]:
        """Yield the texts of each record."""
        return zip(*(column.texts for column in self.columns), strict=True)

    def with_texts(self, new: Mapping[str, Mapping[str, str]]) -> ReadTable:
        """Replace some texts, by column."""
        columns = (column.with_texts(new.get(column.name, {})) for column in self.columns)
        return replace(self, columns=tuple(columns))

    def with_labels(self) -> ReadTable:
        """Replace values by their labels, and declared missing values by empty cells."""
        columns = (
            column.with_texts({**column.value_labels, **dict.fromkeys(column.missing_codes, "")})
            for column in self.columns
        )
        return replace(self, columns=tuple(columns))

    def record_numbers(self) -> Whole:
        """Return a number for each record; equal records share one.

        Examples
        --------
        >>> ReadTable.of_rows(["a", "b"], ["xy", "xz", "xy"]).record_numbers().tolist()
        [0, 1, 0]
        """
        key = np.zeros(len(self), dtype=np.uint64)
        for column in self.columns:
            # If two keys collide (1 pair of records in 2^64), two different records count as equal.
            key = (key ^ column.codes.astype(np.uint64)) * np.uint64(0x9E3779B97F4A7C15)
            key ^= key >> np.uint64(32)
        return np.unique(key, return_inverse=True)[1].astype(np.int64)


def agreement(column: ReadColumn) -> float:
    """Return the share of all pairs of records that have the same value in a column.

    Parameters
    ----------
    column : ReadColumn

    Examples
    --------
    >>> agreement(ReadTable.of_rows(["sex"], ["f", "f", "m"]).column("sex"))
    0.3333333333333333
    """
    counts, n = np.bincount(column.codes).astype(float), len(column.codes)
    return float((counts * (counts - 1)).sum() / max(1, n * (n - 1)))


class TableBuilder:
    """Builds a table from batches of rows; stores only distinct texts and small integers."""

    def __init__(self, header: Sequence[str]) -> None:
        self.header = [normalize("NFC", name.strip()) for name in header]
        self._known: list[defaultdict[str, int]] = [defaultdict(count().__next__) for _ in header]
        self._parts: list[list[Numbers]] = [[] for _ in header]
        self._lines: list[Numbers] = []
        self.n = 0

    def add(self, rows: Sequence[Sequence[str]], lines: Sequence[int] | None = None) -> None:
        """Add rows; each must be as long as the header."""
        self.add_columns(list(zip(*rows, strict=True)) or [()] * len(self.header), lines)

    def add_columns(self, columns: Sequence[Sequence[str]], lines: Sequence[int] | None = None) -> None:
        """Add the next records, given by column."""
        n = len(columns[0]) if columns else 0
        for code_map, parts, cells in zip(self._known, self._parts, columns, strict=True):
            parts.append(_narrow(np.fromiter(map(code_map.__getitem__, cells), dtype=np.int32, count=n)))
        self._lines.append(np.arange(n) + self.n + 2 if lines is None else np.array(lines, dtype=np.int64))
        self.n += n

    def widen(self, width: int) -> None:
        """Add columns without a name, with empty cells in all records so far."""
        for _place in range(len(self.header), width):
            self.header.append("")
            known = {"": 0} if self.n else {}
            self._known.append(defaultdict(count(len(known)).__next__, known))
            self._parts.append([np.zeros(self.n, dtype=np.uint8)] if self.n else [])

    def table(self, decisions: Iterable[Decision] = (), **notes: Mapping[str, Any]) -> ReadTable:
        """Return the table of all records added; texts are stripped and composed (Unicode NFC).

        Parameters
        ----------
        decisions : iterable of Decision
            What the reader decided so far.
        **notes : mapping
            By field of `ReadColumn` (``label``, ``value_labels``, ``missing_codes``), and then by column.
        """
        columns, said = [], [*decisions]
        for name, code_map, parts in zip(self.header, self._known, self._parts, strict=True):
            about = {field: of[name] for field, of in notes.items() if name in of}
            codes = np.concatenate(parts) if parts else np.empty(0, dtype=np.uint8)
            parts.clear()
            column = ReadColumn(name=name, values=tuple(code_map), codes=_narrow(codes), **about)
            column = column.with_texts({text: text.strip() for text in code_map})
            columns.append(column.with_texts({text: normalize("NFC", text) for text in column.values}))
            if len(columns[-1].values) < len(column.values):
                said.append(Decision.of("composed", name=name))
        lines = np.concatenate(self._lines) if self._lines else np.empty(0)
        return ReadTable(columns=tuple(columns), lines=lines.astype(np.int64), decisions=Decisions(said))


def _narrow(codes: Numbers) -> Numbers:
    """Convert codes to the smallest sufficient integer type."""
    most = int(codes.max(initial=0))
    return codes.astype(np.uint8 if most < 1 << 8 else np.uint16 if most < 1 << 16 else np.int32, copy=False)


def column_body(column: ReadColumn) -> bytes:
    """Return a column as bytes: a line of JSON, then its codes.

    Parameters
    ----------
    column : ReadColumn
    """
    about = {name: value for name, value in vars(column).items() if name != "codes"}
    head = json.dumps(about | {"type": column.codes.dtype.str}, ensure_ascii=False)
    # Files can contain half of a surrogate pair, which UTF-8 has no bytes for.
    return head.encode("utf-8", "surrogatepass") + b"\n" + column.codes.tobytes()


def column_read(body: bytes | memoryview) -> ReadColumn:
    """Return the column that `column_body` wrote.

    Parameters
    ----------
    body : bytes or memoryview
        From the inverse function.
    """
    head, _newline, codes = bytes(body).partition(b"\n")
    about = json.loads(head)
    return ReadColumn(
        codes=np.frombuffer(codes, dtype=np.dtype(about.pop("type"))),
        values=tuple(about.pop("values")),
        missing_codes=tuple(about.pop("missing_codes")),
        **about,
    )


def column_pack(column: ReadColumn) -> bytes:
    """Return a column as compressed bytes.

    Parameters
    ----------
    column : ReadColumn
    """
    return zlib.compress(column_body(column), 1)


def column_unpack(body: bytes) -> ReadColumn:
    """Return the column that `column_pack` wrote.

    Parameters
    ----------
    body : bytes
        From the inverse function.
    """
    return column_read(zlib.decompress(body))
