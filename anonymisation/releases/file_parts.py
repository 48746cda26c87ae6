"""A large file that arrives in parts: store the parts sealed, and read the table from them."""

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

from anonymisation.models import READ_KIND, Release, ReleasePart
from anonymisation.releases.new_release import release_begin, table_store
from anonymisation.releases.release_events import release_log
from anonymisation.releases.sealed_documents import bytes_open, bytes_seal
from privacy.tables.column_names import name_columns
from privacy.tables.columns import ReadTable
from privacy.tables.table_file import MOST_CELLS_OF_A_FILE, is_packed
from surveys.errors.error import SurveyError
from surveys.imports.files.uploaded_tables import LARGEST_FILE, MOST_ANSWER_OF_A_FILE, table_read, text_table
from surveys.jobs import queue
from surveys.jobs.bounds import memory_megabytes
from surveys.jobs.lease import Report

MOST_PACKED: Final = 50_000_000
"""Largest size in bytes of a file that must be unpacked, because its reader holds all of it in memory."""

_PART: Final = "part"


def part_store(
    release: Release | None, *, owner: User, name: str, number: int, raw: bytes, is_last: bool, now: datetime
) -> Release:
    """Store a sealed part of a file, and queue the reading of the file after its last part.

    A part that is sent again replaces the earlier one.

    Parameters
    ----------
    release : Release or None
        None for the first part.
    owner, name, now
        Owner and name of the file, and the current time.
    number : int
        Number of the part, from 0.
    raw : bytes
    is_last : bool

    Raises
    ------
    SurveyError
        ``release.many``; ``table_file.large``; ``release.parts``: a part is missing; ``release.running``.
    """
    with transaction.atomic():
        draft = release or release_begin(owner=owner, name=name[:120], columns=[], records=0, now=now)
        if draft.columns or draft.job_id is not None:
            raise SurveyError("release.running")
        ciphertext = bytes_seal(raw, release_id=draft.pk, kind=f"{_PART} {number}")
        about = {"size": len(raw), "sealed": ciphertext}
        ReleasePart.objects.update_or_create(table_id=draft.pk, number=number, defaults=about)
        size = _size(draft)
        most = MOST_PACKED if is_packed(draft.name) else LARGEST_FILE
        if size > most:
            raise SurveyError("table_file.large", size, most=f"{most / 1e6:g}")
        if is_last:
            if ReleasePart.objects.filter(table=draft.pk).count() != number + 1:
                raise SurveyError("release.parts", number + 1)
            draft.job = queue.enqueue(kind=READ_KIND, requested_by=owner, now=now)
            draft.save(update_fields=["job"])
            release_log(draft, by=owner, action="release_sent", detail={"bytes": size})
    return draft


def _size(release: Release) -> int:
    return int(ReleasePart.objects.filter(table=release.pk).aggregate(Sum("size"))["size__sum"] or 0)


def parts_read(job_id: int, report: Report) -> Callable[[], None]:
    """Read the table of a release from its parts; return the function that replaces parts by columns.

    Raises
    ------
    SurveyError
        The errors of `text_table` and `table_read`; ``table_file.memory``: the file needs more memory than a
        run may use.
    """
    release = Release.objects.filter(job=job_id).first()
    if release is None:
        # The release was deleted in the meantime.
        return lambda: None
    size, before = _size(release), memory_megabytes()
    report("receiving", 0, size)
    file = _PartsFile(release)

    def watch() -> None:
        report("receiving", file.tell(), size)
        if (growth := memory_megabytes() - before) > settings.RUN_MEGABYTES:
            raise SurveyError("table_file.memory", round(growth), most=settings.RUN_MEGABYTES)

    if is_packed(release.name):
        table = table_read(
            release.name,
            file.read(),
            most_bytes=MOST_PACKED,
            most_cells=MOST_CELLS_OF_A_FILE,
            most_answer=MOST_ANSWER_OF_A_FILE,
        )
        watch()
    else:
        stream = io.BufferedReader(file, 1 << 20)
        table = text_table(stream, release.name, most_cells=MOST_CELLS_OF_A_FILE, watch=watch)
    result = name_columns(table)
    return lambda: _store_table(release, result)


def _store_table(release: Release, table: ReadTable) -> None:
    table_store(release, table)
    ReleasePart.objects.filter(table=release.pk).delete()


class _PartsFile(io.RawIOBase):
    """The parts of a release's file as one seekable file; only one part is open at a time."""

    def __init__(self, release: Release) -> None:
        self._release = release
        sizes = ReleasePart.objects.filter(table=release.pk).order_by("number").values_list("size", flat=True)
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
            ciphertext = ReleasePart.objects.values_list("sealed", flat=True).get(
                table=self._release.pk, number=number
            )
            kind = f"{_PART} {number}"
            self._open = number, bytes_open(ciphertext, release_id=self._release.pk, kind=kind)
        part = self._open[1]
        begin = self._at - (self._ends[number] - len(part))
        piece = part[begin : begin + len(buffer)]
        buffer[: len(piece)] = piece
        self._at += len(piece)
        return len(piece)
