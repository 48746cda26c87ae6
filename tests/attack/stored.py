"""Everything that an installation stores: every table of its database and every file of its home.

The search does not rely on a list in the product. It covers all tables and files that exist.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.db import connection

from tests.attack.traces import database_files

__all__ = ["DATABASE", "Stored", "home_files", "table_rows", "tables"]

DATABASE: Final = "the database's own files"
"""Name of the database's own files, which repeat everything in its tables."""

_ROWS_AT_A_TIME: Final = 1_000

Cells = tuple[bytes | None, ...]


@dataclass(frozen=True, kw_only=True)
class Stored:
    """Everything stored at one moment.

    Attributes
    ----------
    columns : mapping of str to tuple of str
        By table.
    rows : mapping of str to Counter
        By table.
    files : mapping of str to bytes
        By path: the database's own files, and those of the folders.
    times : mapping of str to float
        Modification times of the folders' files.
    own : frozenset of str
        Paths of the database's own files.
    """

    columns: dict[str, tuple[str, ...]]
    rows: dict[str, Counter[Cells]]
    files: dict[str, bytes]
    times: dict[str, float]
    own: frozenset[str]

    @classmethod
    def now(cls, *folders: Path) -> Stored:
        """Read all tables, and all files of the home, the mixer's key folder and these folders."""
        columns: dict[str, tuple[str, ...]] = {}
        rows: dict[str, Counter[Cells]] = {}
        for table in tables():
            rows[table] = Counter()
            for names, some in table_rows(table):
                columns[table] = names
                rows[table].update(some)
        files, times = {}, {}
        for path in home_files(*folders):
            try:
                times[str(path)], files[str(path)] = path.stat().st_mtime, path.read_bytes()
            except OSError:
                # Sockets, and files that disappear meanwhile.
                times.pop(str(path), None)
        owned = database_files()
        # Session statistics and the server's log do not belong to any table.
        own = {name for name in owned if name != "views" and Path(name).parent.name != "log"}
        return cls(columns=columns, rows=rows, files=owned | files, times=times, own=frozenset(own))

    def contents(self) -> Iterator[tuple[str, bytes]]:
        """Yield each location (``table.column``, a path or `DATABASE`) with its content."""
        for table, rows in self.rows.items():
            for at, column in enumerate(self.columns[table]):
                yield (
                    f"{table}.{column}",
                    b"\n".join(cell for cells in rows if (cell := cells[at]) is not None),
                )
        for name, content in self.files.items():
            yield DATABASE if name in self.own else name, content

    def changes(self, since: Stored) -> tuple[dict[str, list[Cells]], set[str]]:
        """Return the rows of each table, and the files outside the database, that are new or changed."""
        new = {
            table: list((rows - since.rows.get(table, Counter())).elements())
            for table, rows in self.rows.items()
        }
        files = {
            name
            for name, content in self.files.items()
            if name not in self.own
            and name != "views"
            and (content, self.times.get(name)) != (since.files.get(name), since.times.get(name))
        }
        gone = {table for table, rows in since.rows.items() if rows - self.rows.get(table, Counter())}
        return {table: rows for table, rows in new.items() if rows or table in gone}, files


def home_files(*folders: Path) -> Iterator[Path]:
    """Yield the files of the home, the mixer's key folder and these folders, except the database's own."""
    database = str(connection.settings_dict["NAME"])
    roots = {settings.SOTTOVOCE_HOME, settings.SOTTOVOCE_MIXER_KEYS, *folders}
    seen: set[str] = set()
    for root in sorted(roots):
        for directory, _names, names in os.walk(root):
            for name in names:
                path = str(Path(directory, name))
                # Closing a file of SQLite would drop all of this process's locks on it.
                is_own = connection.vendor == "sqlite" and path.startswith(database)
                if path not in seen and not is_own and not Path(path).is_symlink():
                    seen.add(path)
                    yield Path(path)


def table_rows(table: str) -> Iterator[tuple[tuple[str, ...], list[Cells]]]:
    """Yield the columns of a table with its rows as bytes, in chunks; at least one, perhaps empty."""
    quoted = connection.ops.quote_name(table)
    with connection.chunked_cursor() as cursor:
        cursor.execute(f"SELECT * FROM {quoted}")
        rows = cursor.fetchmany(_ROWS_AT_A_TIME)
        columns = tuple(column[0] for column in cursor.description)
        yield columns, [tuple(map(_as_bytes, row)) for row in rows]
        while rows := cursor.fetchmany(_ROWS_AT_A_TIME):
            yield columns, [tuple(map(_as_bytes, row)) for row in rows]


def tables() -> list[str]:
    """Return the names of all tables in the database."""
    with connection.cursor() as cursor:
        return sorted(connection.introspection.table_names(cursor))


def _as_bytes(value: Any) -> bytes | None:
    if value is None or isinstance(value, bytes):
        return value
    return bytes(value) if isinstance(value, memoryview) else str(value).encode()
