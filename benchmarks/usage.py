"""Figures of processes and of the database, which several measurements print."""

from __future__ import annotations

import json
import os
import secrets
from pathlib import Path
from typing import Any, Final

import numpy as np

ROWS_AT_ONCE: Final = 100_000
TICKS: Final = os.sysconf("SC_CLK_TCK")


def say(**figures: Any) -> None:
    """Print figures as one line of JSON, with the load of the machine."""
    rounded = {
        name: round(value, 3) if isinstance(value, float) else value for name, value in figures.items()
    }
    print(json.dumps(rounded | {"load": round(os.getloadavg()[0], 1)}), flush=True)


def receipts_put(survey_id: int, count: int) -> None:
    """Store receipts of random keys in the order of their keys, as the mixer leaves them every night."""
    from django.db import connection, transaction

    keys = np.frombuffer(secrets.token_bytes(16 * count), dtype="S16")
    keys = np.sort(np.unique(keys))
    digest = secrets.token_bytes(32)
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            copied = 'COPY surveys_receipt (survey_id, "key", digest, fresh) FROM STDIN'
            with cursor.copy(copied) as copy:
                for key in keys:
                    copy.write_row((survey_id, key.ljust(16, b"\0"), digest, False))
            cursor.execute("VACUUM ANALYZE surveys_receipt")
            return
        put = 'INSERT INTO surveys_receipt (survey_id, "key", digest, fresh) VALUES (%s, %s, %s, 0)'
        with transaction.atomic():
            for start in range(0, len(keys), ROWS_AT_ONCE):
                some = keys[start : start + ROWS_AT_ONCE]
                cursor.executemany(put, [(survey_id, key.ljust(16, b"\0"), digest) for key in some])


def log_written() -> int:
    """Return the number of bytes written to PostgreSQL's write-ahead log; 0 with SQLite."""
    from django.db import connection

    if connection.vendor != "postgresql":
        return 0
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_current_wal_lsn() - '0/0'::pg_lsn")
        return int(cursor.fetchone()[0])


def group_of(pid: int) -> list[int]:
    """Return a process and all its descendants."""
    try:
        tasks = list(Path(f"/proc/{pid}/task").iterdir())
        children = [int(child) for task in tasks for child in (task / "children").read_text().split()]
    except OSError:
        return [pid]
    return [pid] + [further for child in children for further in group_of(child)]


def processor_of(pid: int) -> float:
    """Return the processor seconds used by a process and by its finished children."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, fields[11:15])) / TICKS


def resident_mb(pid: int) -> float:
    """Return the resident memory of a process."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0.0
    return sum(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS"))
