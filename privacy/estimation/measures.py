"""Measures of rules: five, each with its interval, for one rule and for many."""

from __future__ import annotations

from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from types import NoneType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray

from privacy.arrays import Array, Flags, Whole

__all__ = ["Measured", "MeasuredArray", "RuleMeasures", "RuleTable", "blank_arrays", "put_rows", "row_of"]

Row = TypeVar("Row")


@dataclass(frozen=True, kw_only=True)
class Measured:
    """One measure of one rule.

    Parameters
    ----------
    value : float
        Raw estimate; NaN if it is 0/0.
    low, high : float
        Interval at the level asked for.
    standard_error : float or None
        For ratios by the delta method, None where that would mislead.
    estimable : bool
        False where the interval leaves every possible value: "not estimable with this n".
    """

    value: float
    low: float
    high: float
    standard_error: float | None
    estimable: bool

    @property
    def shown_because_estimable(self) -> bool:
        """Whether a ratio has an interval, but no error: it came out well though few have the items."""
        return self.estimable and self.standard_error is None


@dataclass(frozen=True, kw_only=True, eq=False)
class MeasuredArray:
    """One measure of many rules: arrays of one length, NaN where `Measured` says None."""

    value: Array
    low: Array
    high: Array
    standard_error: Array
    estimable: Flags

    def __len__(self) -> int:
        return len(self.value)

    def __getitem__(self, position: int) -> Measured:
        return row_of(Measured, self, position)


@dataclass(frozen=True, kw_only=True)
class RuleMeasures:
    """All measures of one rule.

    Parameters
    ----------
    support, confidence, lift, leverage, conviction : Measured
    n, n_direct, n_protected : int
        Rows that were asked everything in the rule, and those of each group.
    n_used : int
        Rows used; more than `n` where those that were asked a part of it count too.
    all_rows : bool
        Whether they do.
    few_rows : bool
        A cell holds fewer than 5 rows: the intervals may miss their level.
    """

    support: Measured
    confidence: Measured
    lift: Measured
    leverage: Measured
    conviction: Measured
    n: int
    n_direct: int
    n_protected: int
    n_used: int
    all_rows: bool
    few_rows: bool

    @property
    def shown_because_estimable(self) -> bool:
        """Whether the lift is."""
        return self.lift.shown_because_estimable


@dataclass(frozen=True, kw_only=True, eq=False)
class RuleTable:
    """All measures of many rules as arrays; item `i` is the `RuleMeasures` of rule `i`."""

    support: MeasuredArray
    confidence: MeasuredArray
    lift: MeasuredArray
    leverage: MeasuredArray
    conviction: MeasuredArray
    n: Whole
    n_direct: Whole
    n_protected: Whole
    n_used: Whole
    all_rows: Flags
    few_rows: Flags

    def __len__(self) -> int:
        return len(self.n)

    def __getitem__(self, position: int) -> RuleMeasures:
        return row_of(RuleMeasures, self, position)


def row_of(kind: type[Row], table: Any, position: int) -> Row:
    """Return a row of a table of arrays, and of tables within it, as a dataclass with the same names.

    Parameters
    ----------
    kind : type
        The dataclass; NaN is None where a field of it may be None.
    table : dataclass
        Table of arrays, of such tables, and of what all rows share.
    position : int
        Of the row.

    Examples
    --------
    >>> table = MeasuredArray(**blank_arrays(MeasuredArray, 1))
    >>> row_of(Measured, table, 0)
    Measured(value=nan, low=nan, high=nan, standard_error=None, estimable=False)
    """
    row: dict[str, Any] = {}
    row_type: Any = kind
    for name, may_lack in _fields(row_type):
        values = getattr(table, name)
        if isinstance(values, np.ndarray):
            value = values.item(position)
            # NaN alone differs from itself.
            row[name] = None if may_lack and value != value else value
        else:
            row[name] = values[position] if isinstance(values, MeasuredArray) else values
    return kind(**row)


@cache
def _fields(kind: type) -> tuple[tuple[str, bool], ...]:
    """Return the names of a row's fields, and whether each may be None."""
    return tuple((name, NoneType in get_args(hint)) for name, hint in get_type_hints(kind).items())


def blank_arrays(table: type, size: int) -> dict[str, Any]:
    """Return the arrays of a table, and of tables within it, to be filled: NaN, 0 and false.

    Parameters
    ----------
    table : type
        A dataclass of arrays, and of such dataclasses.
    size : int
        Rows of each array.

    Examples
    --------
    >>> sorted(blank_arrays(MeasuredArray, 1).items())[:2]
    [('estimable', array([False])), ('high', array([nan]))]
    """
    return {
        name: np.full(size, np.nan if kind is np.float64 else 0, dtype=kind)
        if issubclass(kind, np.generic)
        else kind(**blank_arrays(kind, size))
        for name, kind in _kinds(table).items()
    }


@cache
def _kinds(table: type) -> dict[str, type]:
    """Return by name what the arrays of a table hold, and which table those within it are."""
    hints = get_type_hints(table).items()
    arrays = {name: get_args(get_args(hint)[1])[0] for name, hint in hints if get_origin(hint) is np.ndarray}
    return arrays | {name: hint for name, hint in hints if is_dataclass(hint)}


def put_rows(table: Any, at: NDArray[np.intp], rows: Any) -> None:
    """Write the rows of another table of this kind at their positions.

    Parameters
    ----------
    table : dataclass
        Whose arrays are written into.
    at : ndarray of int
        Positions, one for each of `rows`.
    rows : dataclass
        An instance of the same class, with arrays of that length.
    """
    for field in fields(table):
        array = getattr(table, field.name)
        if isinstance(array, np.ndarray):
            array[at] = getattr(rows, field.name)
