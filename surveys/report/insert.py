"""Thousands of rows of plain columns into the database, as one prepared statement."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from django.db import connection, models

__all__ = ["rows_insert"]

_PLAIN: Final = (
    models.FloatField,
    models.IntegerField,
    models.CharField,
    models.BooleanField,
    models.ForeignKey,
)


def rows_insert(model: type[models.Model], rows: Iterable[models.Model]) -> None:
    """Insert new rows, in the caller's transaction.

    Parameters
    ----------
    model : type of Model
        Its columns are numbers, texts, truth values and foreign keys: nothing that Django would have to
        translate for the database.
    rows : iterable of Model
        Not saved before; keys that the database gives stay unknown.

    Raises
    ------
    TypeError
        The model has a column of another kind.

    Notes
    -----
    ``bulk_create`` resolves every value of every row as an expression and builds one text of thousands of
    parameters; a run's rows took longer to be stored than to be found.
    """
    # A key of its own is given by the database, one that is another row's by the caller.
    fields = [field for field in model._meta.concrete_fields if not isinstance(field, models.AutoField)]
    for field in fields:
        if not isinstance(field, _PLAIN):
            raise TypeError(f"{model.__name__}.{field.name} is no plain column; use bulk_create")
    quote = connection.ops.quote_name
    names = ", ".join(quote(str(field.column)) for field in fields)
    marks = ", ".join(["%s"] * len(fields))
    # Names of our own models; every value is a parameter.
    statement = f"INSERT INTO {quote(model._meta.db_table)} ({names}) VALUES ({marks})"  # nosec B608
    attributes = [field.attname for field in fields]
    with connection.cursor() as cursor:
        cursor.executemany(statement, [[getattr(row, name) for name in attributes] for row in rows])
