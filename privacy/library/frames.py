"""Read the columns of a pandas table as codes, counts, groups and weights; pandas is imported only then."""

from __future__ import annotations

import contextlib
from collections.abc import Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from privacy.arrays import Array, Flags
from privacy.errors import PrivacyError, plain, shown_list
from privacy.library.designs import YES_NO
from privacy.tables.frames import read_frame
from privacy.validation import MOST_ROWS

if TYPE_CHECKING:
    import pandas

    DataFrame: TypeAlias = pandas.DataFrame
    Series: TypeAlias = pandas.Series
    Answers: TypeAlias = Series | Mapping[Hashable, int]


Codes: TypeAlias = npt.NDArray[np.intp]
"""Positions of answers in the list of possible answers."""


def refuse_missing(column: Series, name: Hashable, *, of_answers: bool = False) -> None:
    """Refuse a column with empty cells; the error names the first one.

    Parameters
    ----------
    column : Series
    name : hashable
        Its name in error messages.
    of_answers : bool
        Whether it holds answers of respondents.

    Raises
    ------
    PrivacyError
        ``answers``, ``frame``.
    """
    case = "answers.missing" if of_answers else "frame.missing"
    missing = np.flatnonzero(column.isna())
    if len(missing):
        first = int(missing[0])
        raise PrivacyError(
            case,
            plain(column.iloc[first]),
            column=name,
            row=plain(column.index[first]),
            count=len(missing),
            n=len(column),
        )


def pick(frame: DataFrame, names: Sequence[Hashable]) -> list[Series]:
    """Return columns by name.

    Parameters
    ----------
    frame : DataFrame
        One row for each respondent.
    names : sequence
        Names of columns, in the order in which to return them.

    Raises
    ------
    PrivacyError
        ``frame``: not a DataFrame, no rows, an unknown name, a name that several columns share, or values
        instead of a name.
    """
    import pandas

    if not isinstance(frame, pandas.DataFrame):
        raise PrivacyError("frame.kind", type(frame).__name__)
    if not len(frame):
        raise PrivacyError("frame.empty", 0)
    for name in names:
        if not isinstance(name, Hashable):
            raise PrivacyError("frame.name", type(name).__name__)
        count = list(frame.columns).count(name)
        if not count:
            some_names = shown_list(frame.columns[:20])
            raise PrivacyError("frame.unknown", name, names=some_names)
        if count > 1:
            raise PrivacyError("frame.duplicate", name, count=count)
    return [frame[name] for name in names]


def read_column(frame: DataFrame, name: Hashable) -> tuple[bool, list[Any]]:
    """Read a column of records: whether it holds numbers, and its values.

    True and False become "yes" and "no"; other values that are not numbers remain unchanged.

    Parameters
    ----------
    frame : DataFrame
        One row for each record.
    name : hashable
        Name of the column.

    Raises
    ------
    PrivacyError
        As for `pick`; ``frame``: a missing value.

    Examples
    --------
    >>> import pandas
    >>> read_column(pandas.DataFrame({"age": [30.5, 25], "works": [True, False]}), "works")
    (False, ['yes', 'no'])
    """
    (column,) = pick(frame, [name])
    refuse_missing(column, name)
    if getattr(column.dtype, "kind", "") in "iuf":
        return True, column.tolist()
    return False, [YES_NO[int(v)] if isinstance(v, bool | np.bool_) else v for v in column]


def column_weights(frame: DataFrame, name: Hashable) -> Array:
    """Return a column of weights above 0.

    Parameters
    ----------
    frame : DataFrame
        One row for each respondent.
    name : hashable
        Name of the column of weights.

    Raises
    ------
    PrivacyError
        As for `read_column`; ``regression``: a weight is not a number from 1e-12 to 1e12.
    """
    numeric, column = read_column(frame, name)
    if not numeric:
        raise PrivacyError("regression.weights", name)
    numbers = np.array(column, dtype=np.float64)
    # Sums of squares of larger weights would overflow.
    wrong = np.flatnonzero(~((numbers >= 1 / MOST_ROWS) & (numbers <= MOST_ROWS)))
    if len(wrong):
        first = int(wrong[0])
        raise PrivacyError("regression.weight", numbers[first], column=name, row=frame.index[first])
    return numbers


MOST_GROUP_VALUES: Final = 20
"""Largest number of values of a column whose groups of rows are checked one by one."""


def level_groups(columns: Sequence[Series], *, most: int = MOST_GROUP_VALUES) -> dict[str, Flags]:
    """Return the groups of rows that have one value of a column, for columns of few values.

    Parameters
    ----------
    columns : sequence of Series
        Undisguised ones.
    most : int
        Columns of more values have no groups.

    Examples
    --------
    >>> import pandas
    >>> groups = level_groups([pandas.Series(["x", "y", "x"], name="town")])
    >>> {name: rows.tolist() for name, rows in groups.items()}
    {'town = x': [True, False, True], 'town = y': [False, True, False]}
    """
    groups: dict[str, Flags] = {}
    for column in columns:
        codes, values = column.factorize()
        if len(values) <= most:
            groups |= {f"{column.name} = {value}": codes == code for code, value in enumerate(values)}
    return groups


def aligned(values: Any, rows: Any, name: str) -> Series:
    """Return values that are given one for each row, in the order of the rows.

    Parameters
    ----------
    values : Series or sequence
        Values of a pandas Series belong to the rows with their labels, in any order; labels of other rows are
        ignored. Values without labels belong to the rows in their order.
    rows : DataFrame or Series
    name : str
        Name of the values in error messages.

    Raises
    ------
    PrivacyError
        ``answers``: not one value for each row, or labels that differ from those of the rows.

    Examples
    --------
    >>> import pandas
    >>> answers = pandas.Series(["yes", "no"], index=["ann", "bob"])
    >>> aligned(pandas.Series([2.0, 5.0], index=["bob", "ann"]), answers, "weights").tolist()
    [5.0, 2.0]
    >>> aligned([2.0, 5.0], answers, "weights").tolist()
    [2.0, 5.0]
    """
    import pandas

    is_labelled = isinstance(values, pandas.Series)
    with contextlib.suppress(PrivacyError):
        values = read_frame(values)
    dimensions = np.ndim(values) if hasattr(values, "ndim") else int(hasattr(values, "__len__"))
    if isinstance(values, Mapping | str | bytes | set | frozenset) or dimensions > 1:
        raise PrivacyError("answers.one_each", type(values).__name__, name=name)
    if not is_labelled:
        size, n = len(values) if dimensions else 1, len(rows)
        if not dimensions or size != n:
            raise PrivacyError("answers.rows", size, name=name, n=n)
        return pandas.Series(list(values), index=rows.index, name=name)
    if values.index.equals(rows.index):
        return values.rename(name)
    if not values.index.is_unique:
        raise PrivacyError("answers.labels_twice", values.index[values.index.duplicated()][0], name=name)
    places = values.index.get_indexer(rows.index)
    if (places < 0).any():
        raise PrivacyError("answers.labels", rows.index[int(np.argmin(places))], name=name)
    return values.iloc[places].set_axis(rows.index).rename(name)
