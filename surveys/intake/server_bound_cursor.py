"""A cursor whose values stay out of statement texts, and so out of the server's logs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection


@contextmanager
def server_bound_cursor() -> Iterator[Any]:
    """Yield a cursor that sends values separately from the statement; SQLite's cursors always do.

    Django puts values into the text of a statement, and PostgreSQL stores texts: the last one of each session
    in pg_stat_activity, and failed ones, with the time, in its log. They would show the key of a receipt
    together with its row. Values that are sent separately appear in neither place.
    """
    if connection.vendor != "postgresql":
        with connection.cursor() as cursor:
            yield cursor
        return
    # Imported here because this module requires psycopg.
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
