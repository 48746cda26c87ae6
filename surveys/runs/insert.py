"""Thousands of rows of plain columns into the database, as one prepared statement."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import repeat
from typing import Final

import numpy as np
from django.db import connection, models
from numpy.typing import ArrayLike

__all__ = ["columns_insert", "or_null"]

_PLAIN: Final = (
    models.FloatField,
    models.IntegerField,
    models.CharField,
    models.BooleanField,
    models.ForeignKey,
)


def columns_insert(model: type[models.Model], columns: Mapping[str, Sequence[object]]) -> None:
    """Insert new rows, in the caller's transaction.

    Parameters
    ----------
    model : type of Model
        Its columns are numbers, texts, truth values and foreign keys: nothing that Django would have to
        translate for the database.
    columns : mapping of str to sequence
        By the names of a model's attributes ("run_id"), plain Python values, all of one length. A column that
        is left out holds its default in every row.

    Raises
    ------
    TypeError
        The model has a column of another kind, or no such column.

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
    unknown = set(columns) - {field.attname for field in fields}
    if unknown:
        raise TypeError(f"{model.__name__} has no column {min(unknown)}")
    size = len(next(iter(columns.values()), ()))
    values = [
        columns[field.attname] if field.attname in columns else repeat(field.get_default(), size)
        for field in fields
    ]
    quote = connection.ops.quote_name
    names = ", ".join(quote(str(field.column)) for field in fields)
    marks = ", ".join(["%s"] * len(fields))
    # Names of our own models; every value is a parameter.
    statement = f"INSERT INTO {quote(model._meta.db_table)} ({names}) VALUES ({marks})"  # nosec B608
    with connection.cursor() as cursor:
        cursor.executemany(statement, list(zip(*values, strict=True)))


def or_null(values: ArrayLike, known: ArrayLike | None = None) -> list[float | None]:
    """Return floats with None for NaN, of which the databases would each make something else.

    Parameters
    ----------
    values : array_like of float
    known : array_like of bool, optional
        Where False, there is no value either.

    Examples
    --------
    >>> or_null([0.5, float("nan"), 2.0], [True, True, False])
    [0.5, None, None]
    """
    array = np.asarray(values, dtype=np.float64)
    gone = np.isnan(array) if known is None else np.isnan(array) | ~np.asarray(known)
    floats: list[float | None] = array.tolist()
    for position in np.flatnonzero(gone).tolist():
        floats[position] = None
    return floats
