"""An attacker who controls a PostgreSQL server, with its tables, hidden columns and files.

The attacker reads position (ctid) and transaction number (xmin) of every row, the write-ahead log, the files
of the tables byte for byte, the server's statistics about other sessions, and its log file. Each attack
returns its best guess, with at most one row per receipt and no row twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from django.db import connection

from tests.attack.respondents import Respondents
from tests.attack.traces import database_files, log_files, offsets, split_rows

Guess = dict[bytes, bytes]
"""Receipt key -> packed row."""


@dataclass(frozen=True, kw_only=True)
class Numbered:
    """A value, with the number of the transaction that wrote it."""

    transaction: int
    value: bytes


@dataclass(frozen=True, kw_only=True)
class ServerTheft:
    """Everything that a server shows and stores at one moment.

    Parameters
    ----------
    receipts, waiting : list of Numbered
        Keys of receipts, and legible rows of the inbox, in order of position. A box is longer than a row, and
        not legible.
    batches : list of Numbered
        Packed batches, oldest first.
    row_bytes : int
    log : bytes
        The write-ahead log, oldest file first.
    files : dict of str to bytes
        All other files, if requested.
    """

    receipts: list[Numbered]
    waiting: list[Numbered]
    batches: list[Numbered]
    row_bytes: int
    log: bytes = b""
    files: dict[str, bytes] = field(default_factory=dict)

    @classmethod
    def of_now(cls, respondents: Respondents, *, with_files: bool = False) -> ServerTheft:
        """Copy the current state of the respondents' survey."""
        files = database_files() if with_files else {}
        log = [path.read_bytes() for path in log_files()] if with_files else []
        survey, version = respondents.version.survey_id, respondents.version.pk
        return cls(
            receipts=_numbered(
                '"key" FROM surveys_receipt WHERE survey_id = %s AND digest IS NOT NULL ORDER BY ctid', survey
            ),
            waiting=[
                box
                for box in _numbered("box FROM surveys_inbox WHERE version_id = %s ORDER BY ctid", version)
                if len(box.value) == respondents.row_bytes
            ],
            batches=_numbered("packed FROM surveys_batch WHERE version_id = %s ORDER BY id", version),
            row_bytes=respondents.row_bytes,
            log=b"".join(log),
            files={name: content for name, content in files.items() if "pg_wal" not in name},
        )

    def receipt_keys(self) -> list[bytes]:
        """Return the keys of the receipts in order of position."""
        return [receipt.value for receipt in self.receipts]

    def rows(self) -> list[bytes]:
        """Return all rows: those in batches, in storage order, then the waiting ones."""
        mixed = [row for batch in self.batches for row in self.rows_of(batch)]
        return mixed + [row.value for row in self.waiting]

    def rows_of(self, batch: Numbered) -> list[bytes]:
        """Return the rows of a batch in storage order."""
        return split_rows(batch.value, self.row_bytes)


def by_place(theft: ServerTheft) -> Guess:
    """Pair the i-th receipt with the i-th row."""
    return dict(zip(theft.receipt_keys(), theft.rows(), strict=False))


def by_transaction(theft: ServerTheft) -> Guess:
    """Pair the receipt and waiting row of a transaction; pair the rest in order, batch by batch.

    A batch's transaction number shows which receipts are older.
    """
    waiting = {row.transaction: row.value for row in theft.waiting}
    receipts = sorted(theft.receipts, key=lambda receipt: receipt.transaction)
    guess = {r.value: waiting[r.transaction] for r in receipts if r.transaction in waiting}
    begin = 0
    for batch in sorted(theft.batches, key=lambda batch: batch.transaction):
        older = [r.value for r in receipts if begin < r.transaction < batch.transaction]
        guess |= dict(zip(older, theft.rows_of(batch), strict=False))
        begin = batch.transaction
    left = [r.value for r in receipts if r.value not in guess]
    paired = set(guess.values())
    return guess | dict(zip(left, (row for row in theft.rows() if row not in paired), strict=False))


def by_backups(thefts: Iterable[ServerTheft]) -> Guess:
    """Pair the rows that are new in a backup with receipts without a row yet, in order of position."""
    guess, known = Guess(), set[bytes]()
    for theft in thefts:
        keys = [key for key in theft.receipt_keys() if key not in guess]
        rows = [row for row in theft.rows() if row not in known]
        guess |= dict(zip(keys, rows, strict=False))
        known.update(rows)
    return guess


def by_log(theft: ServerTheft) -> Guess:
    """Pair each key in the write-ahead log with the row that follows it."""
    return _by_neighbourhood([theft.log], theft)


def by_files(theft: ServerTheft) -> Guess:
    """Pair keys and rows that follow each other in any other file, dump or view, as bytes or digits."""
    return _by_neighbourhood(theft.files.values(), theft)


ATTACKS: Final[Mapping[str, Callable[[list[ServerTheft]], Guess]]] = {
    "place": lambda thefts: by_place(thefts[-1]),
    "transaction": lambda thefts: by_transaction(thefts[-1]),
    "log": lambda thefts: by_log(thefts[-1]),
    "files": lambda thefts: by_files(thefts[-1]),
    "backups": lambda thefts: by_backups(thefts),
}
"""Attacks on repeated copies of a server; its files were stolen with the last copy."""

OF_FILES: Final = frozenset({"log", "files"})
"""Attacks that read the cluster's files."""


def _by_neighbourhood(contents: Iterable[bytes], theft: ServerTheft) -> Guess:
    guess, taken = Guess(), set[bytes]()
    for content in contents:
        for digits in (False, True):
            key_forms = {key.hex().encode() if digits else key: key for key in theft.receipt_keys()}
            row_forms = {row.hex().encode() if digits else row: row for row in theft.rows()}
            traces = [(offset, key_forms[form], True) for offset, form in offsets(content, key_forms)]
            traces += [(offset, row_forms[form], False) for offset, form in offsets(content, row_forms)]
            last = None
            for _offset, value, is_key in sorted(traces):
                if is_key:
                    last = value
                elif last is not None and last not in guess and value not in taken:
                    guess[last] = value
                    taken.add(value)
                    last = None
    return guess


def _numbered(query: str, *parameters: int) -> list[Numbered]:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT xmin::text, {query}", parameters)
        return [Numbered(transaction=int(xmin), value=bytes(value)) for xmin, value in cursor.fetchall()]
