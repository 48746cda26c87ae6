"""An attacker who stole database files and wants to know which row belongs to which receipt.

The attacker knows the tables and the file format, reads what SQL no longer shows, and has every night's
backup, made while rows wait. Each attack returns its best guess, with at most one row per receipt and no row
twice. A waiting row is legible if it is as long as a plain row; a box is longer. The attacker does not have
the mixer's machine at the time. Someone who has that and the live database can open waiting rows
(docs/privacy.md).
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.attack.traces import read_by_process, split_rows

Guess = dict[bytes, bytes]
"""Receipt key -> packed row."""

_KEY_BYTES, _DIGEST_BYTES = 16, 32
# The key of a receipt is drawn by the device, or is the digest of an invitation code.
_RECEIPT_KEY_BYTES = (16, 32)


@dataclass(frozen=True, kw_only=True)
class Theft:
    """A copy of the database's files at one moment.

    Parameters
    ----------
    path : Path
        The stolen database; its write-ahead log is in the same folder.
    survey, version : int
        The survey version under attack.
    row_bytes : int
        Length of a packed row.
    """

    path: Path
    survey: int
    version: int
    row_bytes: int

    @classmethod
    def of(cls, database: Path, into: Path, *, survey: int, version: int, row_bytes: int) -> Theft:
        """Copy a database with its log."""
        into.mkdir(parents=True)
        for suffix in ("", "-wal"):
            source = database.with_name(database.name + suffix)
            if source.exists():
                (into / f"stolen{suffix}").write_bytes(read_by_process(source))
        return cls(path=into / "stolen", survey=survey, version=version, row_bytes=row_bytes)

    def log(self) -> bytes:
        """Return the stolen write-ahead log, which opening the database would merge."""
        log = self.path.with_name("stolen-wal")
        return log.read_bytes() if log.exists() else b""

    def ask(self, query: str) -> list[tuple[bytes, ...]]:
        """Run a query on a second copy, into which SQLite merges the log."""
        work = self.path.with_name("work")
        for suffix in ("", "-wal"):
            source = self.path.with_name(f"stolen{suffix}")
            if source.exists():
                shutil.copyfile(source, work.with_name(f"work{suffix}"))
        link = sqlite3.connect(work)
        try:
            return link.execute(query).fetchall()
        finally:
            # Closing the last connection merges the log.
            link.close()

    def receipts_by_row_number(self) -> list[bytes]:
        """Return the receipts in order of their hidden row numbers, or in SQL's order without these.

        Unused invitations are left out.
        """
        table = f"surveys_receipt WHERE survey_id = {self.survey} AND digest IS NOT NULL"
        return [bytes(key) for (key,) in self._by_row_number(table, "key")]

    def receipts_by_place(self) -> list[bytes]:
        """Return the receipts in their order in the file."""
        return list(dict.fromkeys(key for key in map(self.receipt, self._records()) if key))

    def rows(self) -> list[bytes]:
        """Return all legible rows: those of the batches in order, then the waiting ones."""
        size = self.row_bytes
        table = f"surveys_batch WHERE version_id = {self.version}"
        batches = [bytes(packed) for (packed,) in self.ask(f"SELECT packed FROM {table} ORDER BY id")]
        mixed = [row for packed in batches for row in split_rows(packed, size)]
        return mixed + [box for box in self.boxes() if len(box) == size]

    def boxes(self) -> list[bytes]:
        """Return the waiting boxes as stored."""
        return [
            bytes(box)
            for (box,) in self._by_row_number(f"surveys_inbox WHERE version_id = {self.version}", "box")
        ]

    def receipt(self, record: Record) -> bytes | None:
        """Return the key of a receipt of this survey; None for any other record."""
        match record:
            case (self.survey, bytes(key), bytes(digest), int()) if len(digest) == _DIGEST_BYTES:
                return key if len(key) in _RECEIPT_KEY_BYTES else None
        return None

    def row(self, record: Record) -> bytes | None:
        """Return a legible waiting row of this survey; None for any other record."""
        match record:
            case (bytes(key), self.version, bytes(), bytes(box)) if len(key) == _KEY_BYTES:
                return box if len(box) == self.row_bytes else None
        return None

    def _by_row_number(self, table: str, column: str) -> list[tuple[bytes, ...]]:
        try:
            return self.ask(f"SELECT {column} FROM {table} ORDER BY rowid")
        except sqlite3.OperationalError:
            return self.ask(f"SELECT {column} FROM {table}")

    def _records(self) -> Iterator[Record]:
        self.ask("SELECT 1 FROM surveys_receipt")
        content = self.path.with_name("work").read_bytes()
        for number, page in enumerate(_pages(content), start=1):
            yield from _records_of(page, first_page=number == 1)


def by_row_number(theft: Theft) -> Guess:
    """Pair the i-th receipt with the i-th row."""
    return _paired(theft.receipts_by_row_number(), theft.rows())


def by_place(theft: Theft) -> Guess:
    """Pair receipts, in their order in the file, with rows."""
    return _paired(theft.receipts_by_place(), theft.rows())


def by_log(theft: Theft, *, known: Iterable[bytes] = ()) -> Guess:
    """Pair rows and receipts added by the same transaction in the write-ahead log; skip known receipts."""
    receipts, rows, guess = _Newcomers(known), _Newcomers(), Guess()
    for pages in _transactions(theft.log()):
        records = [record for page in pages for record in _records_of(page, first_page=False)]
        new_receipts = receipts.among(theft.receipt(record) for record in records)
        new_rows = rows.among(theft.row(record) for record in records)
        guess.update(_paired(new_receipts, new_rows))
    return guess


def by_backups(thefts: list[Theft], *, by_place: bool) -> Guess:
    """Pair the rows and receipts that are new in a backup, in order of place or of row number."""
    receipts, rows, guess = _Newcomers(), _Newcomers(), Guess()
    for theft in thefts:
        order = theft.receipts_by_place() if by_place else theft.receipts_by_row_number()
        guess.update(_paired(receipts.among(order), rows.among(theft.rows())))
    return guess


ATTACKS: Final[Mapping[str, Callable[[list[Theft]], Guess]]] = {
    "row number": lambda thefts: by_row_number(thefts[-1]),
    "place": lambda thefts: by_place(thefts[-1]),
    "log": lambda thefts: by_log(thefts[-1]),
    "backups, row number": lambda thefts: by_backups(thefts, by_place=False),
    "backups, place": lambda thefts: by_backups(thefts, by_place=True),
}
"""Attacks on files that were stolen repeatedly."""


Record = tuple[int | bytes | None, ...]


class _Newcomers:
    """Recognises values not seen before."""

    def __init__(self, known: Iterable[bytes] = ()) -> None:
        self.known = set(known)

    def among(self, values: Iterable[bytes | None]) -> list[bytes]:
        new = list(dict.fromkeys(each for each in values if each is not None and each not in self.known))
        self.known.update(new)
        return new


def _paired(receipts: list[bytes], rows: list[bytes]) -> Guess:
    return dict(zip(receipts, rows, strict=False))


def _pages(content: bytes) -> list[bytes]:
    size = int.from_bytes(content[16:18], "big")
    return split_rows(content, 65_536 if size == 1 else size)


def _transactions(log: bytes) -> Iterator[list[bytes]]:
    """Yield the pages written by each transaction of a write-ahead log."""
    if len(log) < 32:
        return
    size = int.from_bytes(log[8:12], "big")
    pages = []
    for start in range(32, len(log) - 24 - size + 1, 24 + size):
        header, page = log[start : start + 24], log[start + 24 : start + 24 + size]
        pages.append(page)
        if int.from_bytes(header[4:8], "big"):
            yield pages
            pages = []


def _records_of(page: bytes, *, first_page: bool) -> list[Record]:
    """Return the records of a table's page, with or without row numbers, newest place last."""
    start = 100 if first_page else 0
    kind = page[start]
    # Page kind -> number of bytes before the payload's length, and whether a row number follows it.
    shapes = {0x0A: (0, False), 0x02: (4, False), 0x0D: (0, True)}
    if kind not in shapes:
        return []
    skip, numbered = shapes[kind]
    count = int.from_bytes(page[start + 3 : start + 5], "big")
    pointers = start + (12 if kind == 0x02 else 8)
    offsets = [
        int.from_bytes(page[pointers + 2 * cell : pointers + 2 * cell + 2], "big") for cell in range(count)
    ]
    records = []
    for offset in sorted(offsets, reverse=True):
        _length, at = _varint(page, offset + skip)
        if numbered:
            _number, at = _varint(page, at)
        record = _record(page, at)
        if record is not None:
            records.append(record)
    return records


def _record(page: bytes, at: int) -> Record | None:
    header, position = _varint(page, at)
    types = []
    while position < at + header:
        kind, position = _varint(page, position)
        types.append(kind)
    values: list[int | bytes | None] = []
    offset = at + header
    for kind in types:
        size = (kind - 12) // 2 if kind >= 12 else {5: 6, 6: 8, 7: 8, 8: 0, 9: 0}.get(kind, kind)
        content = page[offset : offset + size]
        if len(content) < size:
            return None
        offset += size
        if kind >= 12:
            values.append(content)
        else:
            values.append(
                None if kind == 0 else kind - 8 if kind in (8, 9) else int.from_bytes(content, "big")
            )
    return tuple(values)


def _varint(page: bytes, at: int) -> tuple[int, int]:
    value = 0
    for index in range(9):
        byte = page[at + index] if at + index < len(page) else 0
        if index == 8:
            return value << 8 | byte, at + 9
        value = value << 7 | byte & 127
        if byte < 128:
            return value, at + index + 1
    raise AssertionError("a varint has at most nine bytes")
