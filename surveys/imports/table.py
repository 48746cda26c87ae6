"""A table as a file from outside holds it: by column, different texts and one number for each record."""

from __future__ import annotations

import json
import zlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any

import numpy as np
import numpy.typing as npt

from privacy.arrays import Whole

Numbers = npt.NDArray[np.integer[Any]]


@dataclass(frozen=True, kw_only=True, eq=False)
class ReadColumn:
    """One column: ``values[codes[r]]`` is the text of record ``r``.

    Parameters
    ----------
    name : str
    values : tuple of str
        Different texts without blanks around them, in the order of their first appearance in the file; "" is
        an empty cell.
    codes : integer array, shape (n,)
        Of the narrowest type that holds them.
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
        """Records of each value."""
        number = np.bincount(self.codes, minlength=len(self.values)).tolist()
        return dict(zip(self.values, number, strict=True))

    @property
    def texts(self) -> list[str]:
        """The texts of all records, in order."""
        return [self.values[code] for code in self.codes.tolist()]

    def replaced(self, new: Mapping[str, str]) -> ReadColumn:
        """Return the column with other texts in place of some; texts that become equal become one.

        Examples
        --------
        >>> column = ReadColumn(name="a", values=("1", " 1", "2"), codes=np.array([0, 1, 2]))
        >>> column.replaced({" 1": "1"}).values, column.replaced({" 1": "1"}).codes.tolist()
        (('1', '2'), [0, 0, 1])
        """
        if not any(new.get(value, value) != value for value in self.values):
            return self
        known: defaultdict[str, int] = defaultdict(count().__next__)
        number = np.array([known[new.get(value, value)] for value in self.values], dtype=np.int32)
        return replace(self, values=tuple(known), codes=_narrow(number[self.codes]))


@dataclass(frozen=True, kw_only=True, eq=False)
class ReadTable:
    """Columns of one length, and the line of each record.

    Parameters
    ----------
    columns : tuple of ReadColumn
    lines : int64 array, shape (n,)
        Line of the file on which each record begins, as editors count.
    """

    columns: tuple[ReadColumn, ...]
    lines: Whole

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
    def encoded(self) -> list[tuple[tuple[str, ...], Numbers]]:
        """Different texts and numbers of each column, as `privacy.sdc.Table.from_codes` expects them."""
        return [(column.values, column.codes) for column in self.columns]

    def __len__(self) -> int:
        return len(self.lines)

    def column(self, name: str) -> ReadColumn:
        """Return the first column of a name; raises `KeyError` if there is none."""
        for column in self.columns:
            if column.name == name:
                return column
        raise KeyError(name)

    def rows(self) -> Iterator[tuple[str, ...]]:
        """Yield the texts of each record."""
        return zip(*(column.texts for column in self.columns), strict=True)

    def replaced(self, new: Mapping[str, Mapping[str, str]]) -> ReadTable:
        """Return the table with other texts in place of some, by column."""
        columns = (column.replaced(new.get(column.name, {})) for column in self.columns)
        return replace(self, columns=tuple(columns))

    def labelled(self) -> ReadTable:
        """Return the table with labels instead of values, and empty cells for declared missing values."""
        columns = (
            column.replaced({**column.value_labels, **dict.fromkeys(column.missing_codes, "")})
            for column in self.columns
        )
        return replace(self, columns=tuple(columns))

    def alike(self) -> Whole:
        """Return a number for each record; records that are equal in every column share one.

        Examples
        --------
        >>> ReadTable.of_rows(["a", "b"], ["xy", "xz", "xy"]).alike().tolist()
        [0, 1, 0]
        """
        key = np.zeros(len(self), dtype=np.uint64)
        for column in self.columns:
            # Two keys that meet, one pair of records in 2^64, count two people as one.
            key = (key ^ column.codes.astype(np.uint64)) * np.uint64(0x9E3779B97F4A7C15)
            key ^= key >> np.uint64(32)
        return np.unique(key, return_inverse=True)[1].astype(np.int64)


class TableBuilder:
    """Takes rows in, some at a time, and keeps their different texts and narrow numbers only."""

    def __init__(self, header: Sequence[str]) -> None:
        self.header = [name.strip() for name in header]
        self._known: list[defaultdict[str, int]] = [defaultdict(count().__next__) for _ in header]
        self._parts: list[list[Numbers]] = [[] for _ in header]
        self._lines: list[Numbers] = []
        self.n = 0

    def add(self, rows: Sequence[Sequence[str]], lines: Sequence[int] | None = None) -> None:
        """Take in rows, each as long as the header."""
        self.add_columns(list(zip(*rows, strict=True)) or [()] * len(self.header), lines)

    def add_columns(self, columns: Sequence[Sequence[str]], lines: Sequence[int] | None = None) -> None:
        """Take in the same records of each column."""
        n = len(columns[0]) if columns else 0
        for known, parts, cells in zip(self._known, self._parts, columns, strict=True):
            parts.append(_narrow(np.fromiter(map(known.__getitem__, cells), dtype=np.int32, count=n)))
        self._lines.append(np.arange(n) + self.n + 2 if lines is None else np.array(lines, dtype=np.int64))
        self.n += n

    def table(self, **described: Mapping[str, Any]) -> ReadTable:
        """Return the table of all records added.

        Parameters
        ----------
        **described : mapping
            By field of `ReadColumn` (``label``, ``value_labels``, ``missing_codes``), by column.
        """
        columns = []
        for name, known, parts in zip(self.header, self._known, self._parts, strict=True):
            about = {field: of[name] for field, of in described.items() if name in of}
            codes = np.concatenate(parts) if parts else np.empty(0, dtype=np.uint8)
            parts.clear()
            column = ReadColumn(name=name, values=tuple(known), codes=_narrow(codes), **about)
            columns.append(column.replaced({text: text.strip() for text in known}))
        lines = np.concatenate(self._lines) if self._lines else np.empty(0)
        return ReadTable(columns=tuple(columns), lines=lines.astype(np.int64))


def _narrow(codes: Numbers) -> Numbers:
    """Return numbers in the narrowest type that holds them."""
    most = int(codes.max(initial=0))
    return codes.astype(np.uint8 if most < 1 << 8 else np.uint16 if most < 1 << 16 else np.int32, copy=False)


def column_pack(column: ReadColumn) -> bytes:
    """Return a column as compressed bytes: a line of JSON, then its numbers."""
    about = {name: value for name, value in vars(column).items() if name != "codes"}
    head = json.dumps(about | {"type": column.codes.dtype.str}).encode()
    return zlib.compress(head + b"\n" + column.codes.tobytes(), 1)


def column_unpack(packed: bytes) -> ReadColumn:
    """Return the column that `column_pack` wrote."""
    head, _newline, codes = zlib.decompress(packed).partition(b"\n")
    about = json.loads(head)
    return ReadColumn(
        codes=np.frombuffer(codes, dtype=np.dtype(about.pop("type"))),
        values=tuple(about.pop("values")),
        missing_codes=tuple(about.pop("missing_codes")),
        **about,
    )
