"""Recognise what a backup contains: by its manifest, and by the database in it."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, Protocol

from surveys.errors.error import SurveyError
from surveys.server.state import (
    STATE_FORMAT,
    USABLE,
    Contents,
    Record,
    State,
    StateKind,
    contents_read,
    digests_of_migrations,
    judge,
)


class Description(Protocol):
    """What a manifest says about the database."""

    @property
    def sottovoce(self) -> str: ...
    @property
    def vendor(self) -> str: ...
    @property
    def migrations(self) -> tuple[str, ...]: ...
    @property
    def schema(self) -> Mapping[str, Any]: ...


def check_manifest(directory: Path, manifest: Description) -> None:
    """Refuse a backup whose manifest names migrations or a schema that this program does not have."""
    pairs = [name.partition(".") for name in manifest.migrations]
    applied = {(app, name): "" for app, _dot, name in pairs}
    stored = manifest.schema
    record = Record(format=stored.get("format", STATE_FORMAT), digests={}, program=manifest.sottovoce)
    state = judge(Contents(vendor=manifest.vendor, tables=frozenset(), applied=applied, record=record))
    if state.kind not in USABLE:
        raise _refused(directory, manifest, state)
    if stored:
        expected = digests_of_migrations(frozenset(applied), manifest.vendor)
        differing = [
            label for label in expected if stored["digests"].get(label) not in {None, expected[label]}
        ]
        if differing:
            raise _refused(
                directory, manifest, State(kind=StateKind.FOREIGN, seen=_OTHER_TABLES % ", ".join(differing))
            )


_OTHER_TABLES: Final = "its tables of %s are not those of this release"


def check_contents(directory: Path, manifest: Description, contents: Contents) -> None:
    """Refuse a database that is not this program's, or not the one that the manifest describes."""
    state = judge(contents)
    if state.kind not in USABLE:
        raise _refused(directory, manifest, state)
    if migration_names(contents) != tuple(sorted(manifest.migrations)):
        raise SurveyError("backup.contents", directory=directory, what="the migrations")


def _refused(directory: Path, manifest: Description, state: State) -> SurveyError:
    case = "backup.newer" if state.kind is StateKind.NEWER else "backup.refused"
    seen = state.seen[:1].lower() + state.seen[1:]
    return SurveyError(case, directory=directory, sottovoce=manifest.sottovoce, seen=seen)


def file_contents(directory: Path, name: str) -> Contents:
    """Read the SQLite database in a backup.

    Raises
    ------
    SurveyError
        ``backup.damaged``: the file is not a database.
    """
    try:
        # Immutable, so that SQLite writes nothing next to the backup, which may be on a read-only disk.
        with contextlib.closing(
            sqlite3.connect(f"{(directory / name).as_uri()}?immutable=1", uri=True)
        ) as copy:
            return contents_read(copy.cursor(), "sqlite")
    except (sqlite3.DatabaseError, ValueError):
        raise SurveyError("backup.damaged", directory=directory, name=name) from None


def migration_names(contents: Contents) -> tuple[str, ...]:
    """Return the applied migrations as "app.name"."""
    return tuple(sorted(f"{app}.{name}" for app, name in contents.applied))
