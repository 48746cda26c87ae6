"""Tables of measures as arrays: make blank ones, fill them by position, read, select and join rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cache
from types import NoneType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray

from privacy.arrays import Array, Flags, Whole
from privacy.printed import UNCHECKED, Measured, Method, Origin

Row = TypeVar("Row")
Listed = TypeVar("Listed")


@dataclass(frozen=True, kw_only=True, eq=False)
class MeasuredArray:
    """One measure of many rules: arrays of one length, with NaN for None in `Measured`.

    The last five fields are those of all rules. How far forged rows could have moved each is not computed.
    """

    value: Array
    low: Array
    high: Array
    standard_error: Array
    estimable: Flags
    n: Whole
    effective_n: Array
    level: float
    possible: tuple[float, float]
    method: Method
    shift: float | None
    origin: Origin

    @classmethod
    def blank(
        cls, size: int, *, level: float, possible: tuple[float, float], method: Method
    ) -> MeasuredArray:
        """Return a table to be filled in by `put_rows`."""
        return cls(
            **blank_arrays(cls, size),
            level=level,
            possible=possible,
            method=method,
            shift=None,
            origin=UNCHECKED,
        )

    def __len__(self) -> int:
        return len(self.value)

    def __getitem__(self, position: int) -> Measured:
        return row_of(Measured, self, position)


def row_of(kind: type[Row], table: Any, position: int) -> Row:
    """Return a row of a (nested) table of arrays as a dataclass with the same field names.

    Parameters
    ----------
    kind : type
        Class of the result; NaN becomes None in optional fields.
    table : dataclass
        Table of arrays, nested tables, and values common to all rows.
    position : int
        Position of the row.

    Examples
    --------
    >>> table = MeasuredArray.blank(1, level=.95, possible=(0, 1), method="scores")
    >>> row_of(Measured, table, 0).standard_error, row_of(Measured, table, 0).basis
    (None, 'too few')
    """
    row: dict[str, Any] = {}
    row_type: Any = kind
    for name, may_lack in _fields(row_type):
        values = getattr(table, name)
        if isinstance(values, np.ndarray):
            value = values.item(position)
            # NaN is the only value that differs from itself.
            row[name] = None if may_lack and value != value else value
        else:
            row[name] = values[position] if isinstance(values, MeasuredArray) else values
    return kind(**row)


@cache
def _fields(kind: type) -> tuple[tuple[str, bool], ...]:
    """Return the names of a row's fields, and whether each may be None."""
    return tuple((name, NoneType in get_args(hint)) for name, hint in get_type_hints(kind).items())


def blank_arrays(table: type, size: int) -> dict[str, Any]:
    """Return the arrays of a table, filled with NaN, 0 and False, to be filled in.

    Parameters
    ----------
    table : type
        A dataclass with arrays.
    size : int
        Length of each array.

    Examples
    --------
    >>> sorted(blank_arrays(MeasuredArray, 1).items())[1:3]
    [('estimable', array([False])), ('high', array([nan]))]
    """
    return {
        name: np.full(size, np.nan if kind is np.float64 else 0, dtype=kind)
        for name, kind in _kinds(table).items()
    }


@cache
def _kinds(table: type) -> dict[str, type]:
    """Return the type of each array, by field name."""
    hints = get_type_hints(table).items()
    return {name: get_args(get_args(hint)[1])[0] for name, hint in hints if get_origin(hint) is np.ndarray}


def put_rows(table: Any, at: NDArray[np.intp], rows: Any) -> None:
    """Copy rows of one table into another table of the same class.

    Parameters
    ----------
    table : dataclass
        Table whose arrays are filled.
    at : ndarray of int
        Target position of each row.
    rows : dataclass
        Table of the rows to copy.
    """
    for field in fields(table):
        array = getattr(table, field.name)
        if isinstance(array, np.ndarray):
            array[at] = getattr(rows, field.name)


def take(table: Listed, places: Whole) -> Listed:
    """Return the rows at `places` of every array in a dataclass and in its nested dataclasses.

    Parameters
    ----------
    table : dataclass
        A dataclass whose fields are arrays or dataclasses of the same kind.
    places : ndarray of int
        Row numbers, in the order of the result.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Supports:
    ...     estimator: str
    ...     value: np.ndarray
    >>> take(Supports("pooled", np.array([.1, .2, .3])), np.array([2, 0])).value.tolist()
    [0.3, 0.1]
    """
    rows: Listed = _rebuild([table], lambda arrays: arrays[0][places])
    return rows


def concatenate(tables: Sequence[Listed]) -> Listed:
    """Concatenate the rows of all tables (at least one); non-array fields come from the first table.

    Parameters
    ----------
    tables : sequence of dataclasses
        All of one class, with arrays or such dataclasses as fields.
    """
    result: Listed = _rebuild(tables, np.concatenate)
    return result


def _rebuild(tables: Sequence[Any], make: Any) -> Any:
    changed: dict[str, Any] = {}
    for column in fields(tables[0]):
        values = [getattr(table, column.name) for table in tables]
        if isinstance(values[0], np.ndarray):
            changed[column.name] = make(values)
        elif is_dataclass(values[0]):
            changed[column.name] = _rebuild(values, make)
    return replace(tables[0], **changed)
