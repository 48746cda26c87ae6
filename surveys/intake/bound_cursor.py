"""Statements of respondents whose values travel apart from their text.

Django puts values into the text of a statement, and PostgreSQL keeps texts: the last one of each session
for whoever may look (pg_stat_activity), and one that failed, with the time, in its log. There the key of a
receipt and the row beside it would stand together. Sent apart the values are kept in neither.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection


@contextmanager
def cursor_apart() -> Iterator[Any]:
    """Give a cursor that sends values apart from the statement; with SQLite every cursor does."""
    if connection.vendor != "postgresql":
        with connection.cursor() as cursor:
            yield cursor
        return
    # Imported here: without psycopg's library there is no such module.
    from django.db.backends.postgresql.base import ServerBindingCursor

    connection.ensure_connection()
    session: Any = connection.connection
    usual = session.cursor_factory
    session.cursor_factory = ServerBindingCursor
    try:
        with connection.cursor() as cursor:
            yield cursor
    finally:
        session.cursor_factory = usual
