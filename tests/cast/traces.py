"""What a test sees of the database's work: statements as they are given, and all files that are kept."""

from __future__ import annotations

import contextlib
import fcntl
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from django.db import connection

from tests.attack.server import ServerTheft
from tests.attack.traces import data_directory, database_files, offsets, read_files


@contextlib.contextmanager
def statements() -> Iterator[list[tuple[str, Any]]]:
    """Note the statements that this thread gives the database, each with its values.

    What a driver says of them afterwards lacks those that it prepared.
    """
    noted: list[tuple[str, Any]] = []

    def note(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        noted.append((sql, params))
        return execute(sql, params, many, context)

    with connection.execute_wrapper(note):
        yield noted


def kept_files(directories: Iterable[Path]) -> dict[str, bytes]:
    """Return the contents of everything under the directories and of all that the database keeps, by name."""
    files = [path for directory in directories for path in directory.rglob("*") if path.is_file()]
    if connection.vendor == "sqlite":
        # This process would lose its locks on them: see `tests.attack.traces.read_by_process`.
        database = connection.settings_dict["NAME"]
        files = [path for path in files if not str(path).startswith(database)]
    return dict(read_files(files)) | database_files()


@contextlib.contextmanager
def log_of_our_own() -> Iterator[None]:
    """Keep other processes of the test run from holding or removing the cluster's log, by a slot too."""
    if connection.vendor == "sqlite":
        yield
        return
    with open(data_directory().with_name("taken"), "a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def occurrences(traces: Iterable[bytes], files: dict[str, bytes]) -> dict[str, int]:
    """Return by file how often the traces, all of one length, occur in it, as they are or in digits."""
    plain = list(traces)
    digits = [trace.hex().encode() for trace in plain]
    forms = (plain, digits, [trace.upper() for trace in digits])
    counts = {name: sum(len(offsets(content, form)) for form in forms) for name, content in files.items()}
    return {name: times for name, times in counts.items() if times}


def rows_outside_tables(theft: ServerTheft) -> list[bytes]:
    """Return mixed rows that stand in files in which their batch does not, in the order in which they lie."""
    waiting = {row.value for row in theft.waiting}
    wanted, rows = set(theft.rows()) - waiting, dict[bytes, None]()
    for content in theft.files.values():
        here = [row for _offset, row in offsets(content, wanted)]
        in_batches = {
            row
            for batch in theft.batches
            for row in theft.rows_of(batch)
            if batch.value[: 2 * theft.row_bytes] in content
        }
        rows |= dict.fromkeys(row for row in here if row not in in_batches)
    return list(rows)
