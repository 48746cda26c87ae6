"""State of the database: whether it is this program's, and in one sentence what to do if it is not.

Names of migrations say too little: a database with the same names can have other tables. So its contents are
compared: the schema with what its migrations make in this program, and the record that `migrate` writes.
Every process does this before it uses a database. Only `doctor`, `/ready` and `restore` read any database, to
report it. `database_state` decides for all of them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.db import DatabaseError, connection, connections
from django.db.backends.base.base import BaseDatabaseWrapper

from privacy.counted_nouns import counted
from surveys.errors.error import SurveyError, in_sentences
from surveys.server.outages import is_outage
from surveys.server.refused_database import RefusedDatabaseError
from surveys.server.schema import Facts, differences, digest_of
from surveys.server.schema_of_database import facts_of_database, tables_of_database
from surveys.server.schema_of_migrations import (
    Migration,
    facts_of_migrations,
    facts_of_models,
    known_migrations,
    labels,
)


class StateKind(StrEnum):
    """What a database is to this program. `/ready` shows these words."""

    OK = "ok"
    EMPTY = "empty"
    PENDING = "pending"
    NEWER = "newer"
    FOREIGN = "foreign"
    CHANGED = "changed"
    EARLIER_NAME = "earlier name"
    UNUSABLE = "unusable"


STATE_FORMAT: Final = 1
"""Format of the database. A larger number means that this program cannot read its contents."""

USABLE: Final = frozenset({StateKind.OK, StateKind.EMPTY, StateKind.PENDING})
"""Databases that `migrate` prepares. No process uses any other."""


@dataclass(frozen=True, kw_only=True)
class State:
    """State of a database.

    Parameters
    ----------
    kind : StateKind
    seen, remedy : str
        What is so, and what to do; empty if all is well.
    differences : tuple of str
        How the schema differs from what its migrations make in this program.
    """

    kind: StateKind
    seen: str = ""
    remedy: str = ""
    differences: tuple[str, ...] = ()

    @property
    def sentence(self) -> str:
        """Say what is so and what to do."""
        return in_sentences(self.seen, self.remedy)


@dataclass(frozen=True, kw_only=True)
class Record:
    """The row of `surveys.models.SchemaRecord`, read without models: an early reader has none yet."""

    format: int
    digests: Mapping[str, str]
    program: str
    at: str | datetime = ""


@dataclass(frozen=True, kw_only=True)
class Contents:
    """What a database says about itself.

    Parameters
    ----------
    vendor : str
        "sqlite" or "postgresql".
    tables : frozenset of str
    applied : mapping of Migration to str
        Applied migrations, and when each was applied.
    record : Record or None
    facts : frozenset of Fact or None
        None if the schema was not read.
    has_surveys : bool
    """

    vendor: str
    tables: frozenset[str]
    applied: Mapping[Migration, str] = field(default_factory=dict)
    record: Record | None = None
    facts: Facts | None = None
    has_surveys: bool = False


_any_database_allowed: ContextVar[bool] = ContextVar("any_database_allowed", default=False)

_RECORD: Final = "surveys_schemarecord"
_RECORDED: Final = "SELECT format, digests, program, at FROM surveys_schemarecord"


def contents_read(cursor: Any, vendor: str, *, whole: bool = True) -> Contents:
    """Read what a database says about itself, with a cursor of Django or of `sqlite3`.

    Without `whole`, its schema is not read, which takes a few milliseconds, and surveys are assumed.
    """

    def rows(statement: str) -> list[Any]:
        cursor.execute(statement)
        return list(cursor.fetchall())

    tables = tables_of_database(cursor, vendor)
    facts = facts_of_database(cursor, vendor) if whole else None
    if "django_migrations" not in tables:
        return Contents(vendor=vendor, tables=tables, facts=facts)
    applied = rows("SELECT app, name, applied FROM django_migrations ORDER BY id")
    record = None
    if _RECORD in tables:
        for number, digests, program, applied_at in rows(_RECORDED):
            stored = json.loads(digests) if isinstance(digests, str) else digests
            by_label = stored if isinstance(stored, dict) else {}
            record = Record(format=number, digests=by_label, program=program, at=applied_at)
    return Contents(
        vendor=vendor,
        tables=tables,
        applied={(app, name): str(applied_at) for app, name, applied_at in applied},
        record=record,
        facts=facts,
        has_surveys=not whole
        or ("surveys_survey" in tables and bool(rows("SELECT 1 FROM surveys_survey LIMIT 1"))),
    )


def database_state(link: BaseDatabaseWrapper | None = None, *, whole: bool = True) -> State:
    """Return the state of the database of this process.

    Without `whole`, only the names of migrations and the record are compared, not the schema.

    Raises
    ------
    DatabaseError
        The database does not answer. If it cannot be used at all, its state is returned instead.
    """
    link = link or connection
    try:
        with any_database_allowed(), link.cursor() as cursor:
            contents = contents_read(cursor, link.vendor, whole=whole)
    except DatabaseError as error:
        if is_outage(error):
            raise
        return _state(
            StateKind.UNUSABLE,
            SurveyError("state.unusable", name=database_name(link), error=_one_line(error)),
        )
    state = judge(contents)
    earlier = earlier_files(Path(settings.SOTTOVOCE_HOME))
    if state.kind in USABLE and earlier and not contents.has_surveys:
        return _state(
            StateKind.EARLIER_NAME,
            SurveyError("state.earlier_name", path=earlier[0], name=database_name(link)),
        )
    return state


def state_unreachable(error: DatabaseError) -> State:
    """Return the state of a database that does not answer."""
    return _state(
        StateKind.UNUSABLE, SurveyError("state.unreachable", name=database_name(), error=_one_line(error))
    )


def judge(contents: Contents) -> State:
    """Return the state of a database with these contents."""
    known = known_migrations()
    applied = frozenset(contents.applied) & known
    prefixes = tuple(f"{label}_" for label in labels())
    if not any(app == "surveys" for app, _name in contents.applied):
        other_tables = contents.tables - {"django_migrations"} - _tables_of(applied, contents.vendor)
        other_tables = frozenset(name for name in other_tables if not name.startswith(prefixes))
        if other_tables:
            return _state(
                StateKind.FOREIGN, SurveyError("state.other_program", tables=_few(sorted(other_tables)))
            )
    pending = sorted(known - applied)
    unknown = sorted(set(contents.applied) - known)
    unknown = [(app, name) for app, name in unknown if app in {label for label, _name in known}]
    if refused := _refuse_names(contents, unknown, pending):
        return refused
    if contents.facts is not None:
        if pending:
            expected = facts_of_migrations(applied, contents.vendor, tuple(labels()))
        else:
            expected = facts_of_models()
        wrong = differences(expected, contents.facts, prefixes=prefixes)
        if wrong and pending and not differences(facts_of_models(), contents.facts, prefixes=prefixes):
            return _state(
                StateKind.CHANGED,
                SurveyError("state.unrecorded", names=_few([_dotted(each) for each in pending])),
            )
        if wrong:
            return _differs(contents, wrong, digests_of(expected))
    if pending:
        if not contents.applied:
            return _state(StateKind.EMPTY, SurveyError("state.empty", count=len(pending)))
        names = f"{counted(len(pending), 'migration')} missing, {_dotted(pending[0])} first"
        return _state(StateKind.PENDING, SurveyError("state.pending", names=names))
    record = contents.record
    if record is None or (contents.facts is not None and not _recorded(record.digests, digests_of(expected))):
        return _state(StateKind.PENDING, SurveyError("state.unfinished"))
    return State(kind=StateKind.OK)


def _refuse_names(contents: Contents, unknown: list[Migration], pending: list[Migration]) -> State | None:
    """Return the state if names of migrations or the record already show that the database is not ours.

    Migrations are added and never rewritten. So a newer database has all of ours, and an earlier one has none
    that we do not know.
    """
    record = contents.record
    waiting = {app for app, _name in pending}
    if record is not None and (
        record.format > STATE_FORMAT or any(app not in waiting for app, _name in unknown)
    ):
        names = _few([_dotted(each) for each in unknown]) or f"format {record.format} of the database"
        return _state(StateKind.NEWER, SurveyError("state.newer", names=names, program=record.program))
    if unknown:
        names = _few([_dotted(each) for each in unknown])
        return _state(
            StateKind.FOREIGN, SurveyError("state.foreign.names", since=_since(contents), names=names)
        )
    return None


def _differs(contents: Contents, wrong: list[str], digests: Mapping[str, str]) -> State:
    record, first = contents.record, _few(wrong, most=2, between=", and ")
    if record is None:
        state = _state(
            StateKind.FOREIGN, SurveyError("state.foreign.tables", since=_since(contents), first=first)
        )
    elif _recorded(record.digests, digests):
        state = _state(
            StateKind.CHANGED,
            SurveyError("state.changed", program=record.program, day=_day(record.at), first=first),
        )
    else:
        state = _state(
            StateKind.FOREIGN,
            SurveyError("state.foreign.program", program=record.program, day=_day(record.at), first=first),
        )
    return State(kind=state.kind, seen=state.seen, remedy=state.remedy, differences=tuple(wrong))


def digests_of(facts: Facts) -> dict[str, str]:
    """Return the digest of the schema of `surveys` and each enabled application, by label."""
    return {label: digest_of(facts, label) for label in labels()}


def digests_of_migrations(applied: frozenset[Migration], vendor: str) -> dict[str, str]:
    """Return the digests of the schema that some migrations make in this program."""
    return digests_of(facts_of_migrations(applied & known_migrations(), vendor, tuple(labels())))


def _recorded(stored: Mapping[str, str], expected: Mapping[str, str]) -> bool:
    return all(stored.get(label) == digest for label, digest in expected.items())


def _tables_of(applied: frozenset[Migration], vendor: str) -> set[str]:
    return {fact.table for fact in facts_of_migrations(applied, vendor, tuple(labels()))}


def _state(kind: StateKind, error: SurveyError) -> State:
    return State(kind=kind, seen=error.message, remedy=error.remedy)


def _since(contents: Contents) -> str:
    """Return when the first migration of `surveys` was applied, which is all that an old database tells."""
    days = [applied_at for (app, _name), applied_at in contents.applied.items() if app == "surveys"]
    return f" on {_day(min(days))}" if any(days) else ""


def _day(at: str | datetime | date) -> str:
    try:
        day = date.fromisoformat(str(at)[:10])
    except ValueError:
        return "an unknown day"
    return f"{day.day} {day:%B %Y}"


def _few(names: list[str], *, most: int = 3, between: str = ", ") -> str:
    more = len(names) - most
    return between.join(names[:most]) + (f", and {more} more" if more > 0 else "")


def _dotted(migration: Migration) -> str:
    return ".".join(migration)


def _one_line(error: BaseException) -> str:
    return " ".join(str(error).split())[:200]


def database_name(link: BaseDatabaseWrapper | None = None) -> str:
    """Return the path of an SQLite file, or the name of a PostgreSQL database."""
    return str((link or connection).settings_dict["NAME"])


# --- Databases of the earlier name ---


def earlier_files(home: Path) -> list[Path]:
    """Return database files that the program made under its earlier name, Sotto."""
    places = [home / "sotto.sqlite3"]
    if home.name == "sottovoce":
        # The default folder of an installed wheel had the earlier name, too.
        places.append(home.with_name("sotto") / "sotto.sqlite3")
    return [place for place in places if place.is_file()]


# --- Migrations ---


def unknown_migrations(link: BaseDatabaseWrapper | None = None) -> list[str]:
    """Return the migrations that were applied to the database but are unknown to this program."""
    known = known_migrations()
    known_apps = {app for app, _name in known}
    return sorted(_dotted(each) for each in _applied(link) - known if each[0] in known_apps)


def pending_migrations() -> list[str]:
    """Return the migrations of this program that were not applied to the database."""
    return sorted(_dotted(each) for each in known_migrations() - _applied())


def _applied(link: BaseDatabaseWrapper | None = None) -> set[Migration]:
    link = link or connection
    with link.cursor() as cursor:
        return set(contents_read(cursor, link.vendor, whole=False).applied)


# --- Who refuses ---

_compared_schema = False


def refuse_connection(connection: BaseDatabaseWrapper, **_: Any) -> None:
    """Refuse each new connection to a database that is not this program's.

    The schema is compared on the first connection of a process, and the names of migrations on each: a newer
    program may migrate while this one runs.

    Raises
    ------
    RefusedDatabaseError
    """
    global _compared_schema
    if _any_database_allowed.get():
        return
    state = database_state(connection, whole=not _compared_schema)
    if state.kind not in USABLE:
        connection.close()
        raise RefusedDatabaseError(state.sentence)
    _compared_schema = _compared_schema or state.kind is StateKind.OK


def refuse_database(*, prepared: bool = True) -> None:
    """Check the database before other code uses it; if it does not answer, later connections check it.

    Parameters
    ----------
    prepared : bool
        Whether to refuse a database that waits for `migrate`, too.

    Raises
    ------
    RefusedDatabaseError
    """
    try:
        state = database_state()
    except DatabaseError:
        return
    if state.kind not in USABLE or (prepared and state.kind is not StateKind.OK):
        raise RefusedDatabaseError(state.sentence)


def refuse_to_migrate(*, using: str, **_: Any) -> None:
    """Refuse before `migrate` changes anything in a database that is not this program's.

    Raises
    ------
    RefusedDatabaseError
    """
    state = database_state(connections[using])
    if state.kind not in USABLE:
        raise RefusedDatabaseError(state.sentence)


def schema_record(*, using: str, program: str, now: datetime) -> None:
    """Record the schema after `migrate`, if it is the one that the applied migrations make.

    Raises
    ------
    RefusedDatabaseError
        The migrations made something else.
    """
    link = connections[using]
    with link.cursor() as cursor:
        contents = contents_read(cursor, link.vendor)
    if _RECORD not in contents.tables:
        # The database was migrated to an earlier state.
        return
    state = judge(contents)
    if state.kind not in USABLE:
        raise RefusedDatabaseError(state.sentence)
    digests = digests_of_migrations(frozenset(contents.applied), link.vendor)
    kept = {} if contents.record is None else contents.record.digests
    # Imported here because commands import this module before Django has loaded the models.
    from surveys.models import SchemaRecord

    facts = {"format": STATE_FORMAT, "digests": {**kept, **digests}, "program": program[:100], "at": now}
    SchemaRecord.objects.using(using).update_or_create(id=1, defaults=facts)


@contextmanager
def any_database_allowed() -> Iterator[None]:
    """Let this thread connect to any database, to inspect it without writing."""
    token = _any_database_allowed.set(True)
    try:
        yield
    finally:
        _any_database_allowed.reset(token)
