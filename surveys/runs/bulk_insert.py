"""Insert many rows that are given as columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import repeat
from typing import Any

from django.db import connection, models


def columns_insert(model: type[models.Model], columns: Mapping[str, Sequence[object]]) -> None:
    """Insert new rows, in the caller's transaction.

    Parameters
    ----------
    model : type of Model
        Its columns must be JSON, or numbers, texts, booleans and foreign keys, which Django need not convert.
    columns : mapping of str to sequence
        Plain Python values by attribute name ("run_id"), all of one length. A column that is left out gets
        its default in every row.

    Notes
    -----
    ``bulk_create`` resolves every value of every row as an expression and builds one statement with thousands
    of parameters. With it, storing a run's rows took longer than finding them.
    """
    # The database assigns primary keys; a key that is also a foreign key comes from the caller.
    fields = [field for field in model._meta.concrete_fields if not isinstance(field, models.AutoField)]
    size = len(next(iter(columns.values()), ()))
    values = [
        _database_values(field, columns[field.attname])
        if field.attname in columns
        else repeat(field.get_default(), size)
        for field in fields
    ]
    quote = connection.ops.quote_name
    names = ", ".join(quote(str(field.column)) for field in fields)
    marks = ", ".join(["%s"] * len(fields))
    # The names come from our own models, and every value is a parameter.
    statement = f"INSERT INTO {quote(model._meta.db_table)} ({names}) VALUES ({marks})"  # noqa: S608
    with connection.cursor() as cursor:
        cursor.executemany(statement, list(zip(*values, strict=True)))


def _database_values(field: models.Field[Any, Any], values: Sequence[object]) -> Sequence[object]:
    if not isinstance(field, models.JSONField):
        return values
    return [field.get_db_prep_save(value, connection) for value in values]
