"""Scenes that many tests begin with: made once in a process, then written again as the rows they were.

What a scene wrote is kept as the statements that wrote it. A test that asks for the same scene, of a database
in the same state, has them run again, their times moved to now. A test that changed anything else before,
patched the program or its settings, listens to the log, or asks for PostgreSQL, makes the scene itself.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final, ParamSpec, TypeVar

import pytest
from django.conf import UserSettingsHolder, settings
from django.db import connection, transaction
from django.db.models import Model
from django.utils import timezone, translation

P = ParamSpec("P")
M = TypeVar("M", bound=Model)

# Who is there and logged in changes nothing of a scene, but for the names of accounts, which are in its key.
_OF_PEOPLE: Final = {
    "auth_user",
    "auth_user_groups",
    "auth_group",
    "django_session",
    "surveys_staffsession",
    "surveys_auditevent",
}
# What listens to a scene, waits for what it announces or patches what it calls, makes its own.
_LISTENING: Final = {
    "caplog",
    "django_capture_on_commit_callbacks",
    "django_assert_num_queries",
    "broker",
    "no_broker",
    "own_log",
}
_WRITES: Final = re.compile(r'(?:INSERT(?: OR \w+)? INTO|UPDATE|DELETE FROM) "?(\w+)"?', re.IGNORECASE)
_READS: Final = ("SELECT", "SAVEPOINT", "RELEASE", "PRAGMA", "EXPLAIN", "BEGIN")
_TIME: Final = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{6})?")


@dataclass(frozen=True)
class _Scene:
    """What a scene wrote, when, where the numbers of its rows began, and the row that it is known by."""

    written: tuple[tuple[str, Any, bool], ...]
    at: datetime
    began: dict[str, int]
    rows: int
    pk: Any


class _Test:
    """What a test has written so far: None once it is not known scenes alone."""

    item: pytest.Item | None = None
    past: tuple[object, ...] | None = None
    log: list[tuple[str, Any, bool]] | None = None

    @classmethod
    def notice(cls, execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if cls.past is not None and not sql.lstrip().startswith(_READS):
            if sql.lstrip().startswith("ROLLBACK"):
                cls.past = None
            elif cls.log is not None:
                params = [tuple(row) for row in params] if many else params and tuple(params)
                cls.log.append((sql, params, many))
            else:
                found = _WRITES.match(sql)
                if found is None or found[1] not in _OF_PEOPLE:
                    cls.past = None
        return execute(sql, params, many, context)


_KEPT: dict[object, list[_Scene]] = {}


def test_begins(item: pytest.Item) -> None:
    """Watch what a test writes, if a scene can be written again for it."""
    marker = item.get_closest_marker("django_db")
    names = set(getattr(item, "fixturenames", ()))
    asked = connection.vendor == "sqlite" and (marker is not None or names & {"db", "transactional_db"})
    fit = asked and not names & _LISTENING
    _Test.item, _Test.past, _Test.log = item, () if fit else None, None
    if fit and _Test.notice not in connection.execute_wrappers:
        connection.execute_wrappers.insert(0, _Test.notice)


def scene(found: Callable[[Any], M]) -> Callable[[Callable[P, M]], Callable[P, M]]:
    """Let a function that makes a scene write the same rows again where it made them before.

    Parameters
    ----------
    found : callable
        Takes the primary key of what the function returned, and returns it as the function does.
    """

    def of(make: Callable[P, M]) -> Callable[P, M]:
        @functools.wraps(make)
        def made(*args: P.args, **kwargs: P.kwargs) -> M:
            key = _key(make, args, kwargs)
            if key is None:
                return make(*args, **kwargs)
            numbers = _numbers()
            for kept in _KEPT.get(key, ()):
                if all(numbers.get(table, 0) == number for table, number in kept.began.items()):
                    _write_again(kept)
                    _Test.past = (key,)
                    return found(kept.pk)
            return _made(make, key, numbers, args, kwargs)

        return made

    return of


def _made(make: Callable[..., M], key: object, numbers: dict[str, int], args: Any, kwargs: Any) -> M:
    outer, _Test.log = _Test.log, []
    at, rows = timezone.now(), connection.connection.total_changes
    try:
        result = make(*args, **kwargs)
    except BaseException:
        _Test.past = None
        raise
    finally:
        written, _Test.log = tuple(_Test.log), outer
        if outer is not None:
            outer.extend(written)
    if _Test.past is not None:
        tables = {table[1] for sql, _params, _many in written if (table := _WRITES.match(sql))}
        began = {table: numbers.get(table, 0) for table in tables - _OF_PEOPLE}
        rows = connection.connection.total_changes - rows
        kept = _Scene(written=written, at=at, began=began, rows=rows, pk=result.pk)
        _KEPT.setdefault(key, []).append(kept)
        _Test.past = (key,)
    return result


def _write_again(kept: _Scene) -> None:
    later = timezone.now() - kept.at
    rows = connection.connection.total_changes
    past, _Test.past = _Test.past, () if _Test.log is not None else None
    with transaction.atomic(), connection.cursor() as cursor:
        for sql, params, many in kept.written:
            if many:
                cursor.executemany(sql, [_moved(row, later) for row in params])
            else:
                cursor.execute(sql, _moved(params, later))
    _Test.past = past
    assert connection.connection.total_changes - rows == kept.rows, "a scene was not written as it was"


def _moved(params: tuple[Any, ...] | None, later: timedelta) -> tuple[Any, ...] | None:
    return params and tuple(
        _later(value, later) if isinstance(value, datetime | str) else value for value in params
    )


def _later(value: datetime | str, later: timedelta) -> datetime | str:
    if isinstance(value, datetime):
        return value + later
    if len(value) > 26 or _TIME.fullmatch(value) is None:
        return value
    return str((datetime.fromisoformat(value).replace(tzinfo=UTC) + later).replace(tzinfo=None))


def _key(make: Callable[..., Any], args: Any, kwargs: Any) -> object | None:
    """Return all that a scene follows from; None where that is not known."""
    if _Test.past is None or isinstance(settings._wrapped, UserSettingsHolder):
        return None
    given = repr((_plain(list(args)), _plain(kwargs)))
    # An object that does not say what it holds is no key.
    if " at 0x" in given or _patched():
        return None
    with connection.cursor() as cursor:
        people = cursor.execute(
            "SELECT id, username, is_staff, is_superuser FROM auth_user ORDER BY id"
        ).fetchall()
    return make.__module__, make.__qualname__, given, _Test.past, tuple(people), translation.get_language()


def _patched() -> bool:
    item = _Test.item
    if item is None or "monkeypatch" not in getattr(item, "fixturenames", ()):
        return False
    patch = getattr(item, "funcargs", {}).get("monkeypatch")
    return patch is None or bool(patch._setattr or patch._setitem)


def _plain(value: Any) -> object:
    if isinstance(value, Model):
        return value._meta.label, value.pk
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items()}
    return [_plain(one) for one in value] if isinstance(value, list) else value


def _numbers() -> dict[str, int]:
    """Return the number that the last row of each table took."""
    with connection.cursor() as cursor:
        return dict(cursor.execute("SELECT name, seq FROM sqlite_sequence").fetchall())
