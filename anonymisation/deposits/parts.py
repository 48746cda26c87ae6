"""A large file comes in parts: each is sealed as it comes, and a worker reads them one after the other."""

from __future__ import annotations

import io
from collections.abc import Callable
from datetime import datetime
from typing import Any, Final

import numpy as np
from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Sum

from anonymisation.deposits.drafts import deposit_begin, table_keep
from anonymisation.deposits.erasing import deposit_record
from anonymisation.deposits.uploaded import names_check
from anonymisation.deposits.vault import bytes_open, bytes_seal
from anonymisation.models import READ_KIND, Deposit, DepositPart
from surveys.errors.error import SurveyError
from surveys.imports.table import ReadTable
from surveys.imports.table_reading import (
    LARGEST_FILE,
    MOST_CELLS_OF_A_FILE,
    is_packed,
    table_read,
    text_table,
)
from surveys.jobs import lease
from surveys.jobs.dispatch import megabytes_held
from surveys.jobs.lease import Report

__all__ = ["MOST_PACKED", "part_take", "parts_read"]

MOST_PACKED: Final = 50_000_000
"""Bytes of a file that has to be unpacked: its reader holds all of it."""
_PART: Final = "part"


def part_take(
    deposit: Deposit | None, *, owner: User, name: str, number: int, raw: bytes, is_last: bool, now: datetime
) -> Deposit:
    """Keep a part of a file, sealed; a part that comes again takes its place. With the last one it is read.

    Parameters
    ----------
    deposit : Deposit or None
        None with the first part.
    owner, name, now
        Of the file.
    number : int
        Of the part, from 0.
    raw : bytes
    is_last : bool

    Raises
    ------
    SurveyError
        ``deposit.many``; ``table_file.large``; ``deposit.parts``: a part is missing; ``deposit.running``.
    """
    with transaction.atomic():
        held = deposit or deposit_begin(owner=owner, name=name[:120], columns=[], records=0, now=now)
        if held.columns or held.job_id is not None:
            raise SurveyError("deposit.running")
        sealed = bytes_seal(raw, deposit_id=held.pk, kind=f"{_PART} {number}")
        about = {"size": len(raw), "sealed": sealed}
        DepositPart.objects.update_or_create(table_id=held.pk, number=number, defaults=about)
        size = _size(held)
        most = MOST_PACKED if is_packed(held.name) else LARGEST_FILE
        if size > most:
            raise SurveyError("table_file.large", size, most=f"{most / 1e6:g}")
        if is_last:
            if DepositPart.objects.filter(table=held.pk).count() != number + 1:
                raise SurveyError("deposit.parts", number + 1)
            held.job = lease.enqueue(kind=READ_KIND, requested_by=owner, now=now)
            held.save(update_fields=["job"])
            deposit_record(held, by=owner, action="deposit_sent", detail={"bytes": size})
    return held


def _size(deposit: Deposit) -> int:
    return int(DepositPart.objects.filter(table=deposit.pk).aggregate(Sum("size"))["size__sum"] or 0)


def parts_read(job_id: int, report: Report) -> Callable[[], None]:
    """Read the table of a deposit from its parts, and return what keeps its columns in their place.

    Raises
    ------
    SurveyError
        As `text_table` and `table_read`; ``table_file.memory``: it takes more than a run may.
    """
    deposit = Deposit.objects.filter(job=job_id).first()
    if deposit is None:
        # It was deleted meanwhile.
        return lambda: None
    size, before = _size(deposit), megabytes_held()
    report("receiving", 0, size)
    file = _PartsFile(deposit)

    def watch() -> None:
        report("receiving", file.tell(), size)
        if (grown := megabytes_held() - before) > settings.RUN_MEGABYTES:
            raise SurveyError("table_file.memory", round(grown), most=settings.RUN_MEGABYTES)

    if is_packed(deposit.name):
        table = table_read(deposit.name, file.read(), most_bytes=MOST_PACKED, most_cells=MOST_CELLS_OF_A_FILE)
    else:
        buffered = io.BufferedReader(file, 1 << 20)
        table = text_table(buffered, most_cells=MOST_CELLS_OF_A_FILE, watch=watch)
    names_check(table)
    return lambda: _store(deposit, table)


def _store(deposit: Deposit, table: ReadTable) -> None:
    table_keep(deposit, table)
    DepositPart.objects.filter(table=deposit.pk).delete()


class _PartsFile(io.RawIOBase):
    """The parts of a deposit's file as one file that can be read again; one part is open at a time."""

    def __init__(self, deposit: Deposit) -> None:
        self._deposit = deposit
        sizes = DepositPart.objects.filter(table=deposit.pk).order_by("number").values_list("size", flat=True)
        self._ends = np.cumsum([*sizes]).tolist()
        self._at = 0
        self._open: tuple[int, bytes] = (-1, b"")

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        start = {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self._ends[-1]}[whence]
        self._at = start + offset
        return self._at

    def readinto(self, buffer: Any) -> int:
        if self._at >= self._ends[-1]:
            return 0
        number = int(np.searchsorted(self._ends, self._at, side="right"))
        if self._open[0] != number:
            sealed = DepositPart.objects.values_list("sealed", flat=True).get(
                table=self._deposit.pk, number=number
            )
            kind = f"{_PART} {number}"
            self._open = number, bytes_open(sealed, deposit_id=self._deposit.pk, kind=kind)
        part = self._open[1]
        begin = self._at - (self._ends[number] - len(part))
        piece = part[begin : begin + len(buffer)]
        buffer[: len(piece)] = piece
        self._at += len(piece)
        return len(piece)
