"""Everything that the database stores, as an adversary on its machine finds it."""

import contextlib
import os
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
from django.db import connection

# Folders of a cluster outside its databases: write-ahead log, statistics, and shared tables.
OTHER = ["pg_wal", "pg_stat", "pg_stat_tmp", "pg_xact", "pg_multixact", "pg_logical", "pg_subtrans", "global"]


def database_files() -> dict[str, bytes]:
    """Return the contents of everything in which the database stores data, by name.

    For PostgreSQL these are the files of this database and of the cluster, after a checkpoint, the server's
    log, the output of pg_dump, and what other sessions can see of each session and of column statistics.
    """
    if connection.vendor == "sqlite":
        database = Path(connection.settings_dict["NAME"])
        return {str(path): read_by_process(path) for path in database.parent.glob(f"{database.name}*")}
    with connection.cursor() as cursor:
        # Write the server's memory to its files, as it would happen within an hour anyway.
        cursor.execute("CHECKPOINT")
    return {**dict(read_files(_cluster_files())), "pg_dump": dumped(), "views": "\n".join(seen()).encode()}


def read_by_process(path: Path) -> bytes:
    """Read a file of SQLite in another process.

    When a process closes a file, the system drops all of the process's locks on it, including SQLite's. The
    next process to close the database would then remove the log that this process still maps, and this
    process would only get "disk I/O error" from then on.
    """
    return subprocess.run(["/bin/cat", "--", str(path)], check=True, stdout=subprocess.PIPE).stdout


def offsets(content: bytes, traces: Iterable[bytes]) -> list[tuple[int, bytes]]:
    """Return the positions of the traces, all of one length, in order of position."""
    wanted = set(traces)
    (length,) = {len(trace) for trace in wanted} or {0}
    if not 2 <= length <= len(content):
        return []
    # One pass for thousands of traces: the rest is compared only where two bytes match.
    begins = np.zeros(1 << 16, bool)
    begins[[int.from_bytes(trace[:2], "little") for trace in wanted]] = True
    each = np.frombuffer(content, np.uint8).astype(np.uint16)
    candidates = np.flatnonzero(begins[each[:-1] | each[1:] << 8]).tolist()
    traces_at = ((offset, content[offset : offset + length]) for offset in candidates)
    return [(offset, trace) for offset, trace in traces_at if trace in wanted]


def split_rows(packed: bytes, row_bytes: int) -> list[bytes]:
    """Split packed data into rows.

    >>> split_rows(b"abcdef", 2)
    [b'ab', b'cd', b'ef']
    """
    return [packed[start : start + row_bytes] for start in range(0, len(packed), row_bytes)]


def data_directory() -> Path:
    """Return PostgreSQL's data directory."""
    with connection.cursor() as cursor:
        cursor.execute("SHOW data_directory")
        return Path(cursor.fetchone()[0])


def log_files() -> list[Path]:
    """Return the files of the write-ahead log, oldest first."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT name FROM pg_ls_waldir() WHERE length(name) = 24 ORDER BY name")
        return [data_directory() / "pg_wal" / name for (name,) in cursor.fetchall()]


def seen() -> Iterator[str]:
    """Yield the statements and column statistics that the server shows to another session."""
    with contextlib.closing(connection.copy()) as other, other.cursor() as cursor:
        # Only sessions of this database: other tests use others on the same server.
        cursor.execute(
            "SELECT query FROM pg_stat_activity"
            " WHERE pid <> pg_backend_pid() AND datname = current_database()"
        )
        yield from (query for (query,) in cursor.fetchall())
        cursor.execute(
            "SELECT most_common_vals::text, histogram_bounds::text FROM pg_stats"
            " WHERE tablename = 'surveys_inbox'"
        )
        yield from (text for texts in cursor.fetchall() for text in texts if text)


def dumped() -> bytes:
    """Return the output of pg_dump for the database."""
    values = connection.settings_dict
    address = ["--host", str(values["HOST"]), "--username", str(values["USER"])]
    if values["PORT"]:
        address += ["--port", str(values["PORT"])]
    return subprocess.run(
        [_pg_dump(), *address, str(values["NAME"])],
        check=True,
        stdout=subprocess.PIPE,
        env={**os.environ, "PGPASSWORD": str(values["PASSWORD"])},
    ).stdout


def _pg_dump() -> str:
    """Return the newest installed pg_dump; Debian keeps each version outside PATH."""
    installed = Path("/usr/lib/postgresql").glob("*/bin/pg_dump")
    newest = max(installed, key=lambda path: int(path.parts[-3]), default=None)
    return str(newest) if newest else shutil.which("pg_dump") or "pg_dump"


def _cluster_files() -> list[Path]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT oid::text FROM pg_database WHERE datname = current_database()")
        (oid,) = cursor.fetchone()
    data = data_directory()
    directories = [data / "base" / oid, *(data / name for name in OTHER)]
    files = [path for directory in directories if directory.exists() for path in directory.rglob("*")]
    return [*files, data.with_name("log")]


def read_files(paths: Iterable[Path]) -> Iterator[tuple[str, bytes]]:
    """Yield name and contents of each file that still exists."""
    for path in paths:
        # The server may remove files meanwhile.
        with contextlib.suppress(FileNotFoundError, IsADirectoryError):
            yield str(path), path.read_bytes()
