"""Read data frames as tables of texts."""

from __future__ import annotations

import datetime
from collections.abc import Collection
from decimal import Decimal
from numbers import Real
from typing import Any, Final
from unicodedata import normalize

import numpy as np

from privacy.errors import PrivacyError, plain
from privacy.tables.cell_text import cell_text
from privacy.tables.columns import ReadColumn, ReadTable

_EXACT: Final = 2**53
"""Largest whole number up to which floating-point numbers are exact."""
_CELLS: Final = (str, bool, np.bool_, Real, Decimal, datetime.date, datetime.time, bytes)
"""Types of cells that have one value."""


def read_frame(frame: Any) -> Any:
    """Convert a table or column that narwhals can read, such as a polars or Arrow one, to pandas.

    Parameters
    ----------
    frame : DataFrame or Series
        Categories keep their order, and empty cells stay empty.

    Raises
    ------
    PrivacyError
        ``frame``: not a table or column.

    Examples
    --------
    >>> import pyarrow
    >>> read_frame(pyarrow.table({"age": [30, None], "works": [True, False]})).age.tolist()
    [30.0, nan]
    """
    import pandas

    if isinstance(frame, pandas.DataFrame | pandas.Series):
        return frame
    import narwhals.stable.v2 as narwhals

    try:
        table = narwhals.from_native(frame, allow_series=True)
    except TypeError as error:
        raise PrivacyError("frame.kind", type(frame).__name__) from error
    if isinstance(table, narwhals.Series):
        return pandas.Series(_values(table), name=table.name)
    table = table.collect() if isinstance(table, narwhals.LazyFrame) else table
    return pandas.DataFrame({column.name: _values(column) for column in table.iter_columns()})


def _values(column: Any) -> Any:
    """Return the values of a narwhals column, keeping its categories."""
    import narwhals.stable.v2 as narwhals
    import pandas

    if column.dtype in (narwhals.Categorical, narwhals.Enum):
        return pandas.Categorical(column.to_list(), categories=column.cat.get_categories().to_list())
    values = column.to_list()
    whole = [value for value in values if isinstance(value, int) and abs(value) > _EXACT]
    # Whole numbers with empty cells would become floating-point numbers, which round codes of 17 digits.
    return pandas.array(values, dtype="Int64") if whole and None in values else column.to_numpy()


def frame_table(frame: Any, published: Collection[str] = ()) -> ReadTable:
    """Read a data frame as a table; its index is left out, because it can name people.

    Parameters
    ----------
    frame : DataFrame
        Of pandas, polars or Arrow.
    published : collection of str
        Columns whose cells must be single values.

    Raises
    ------
    PrivacyError
        ``frame``: not a table, no rows, a name that several columns share, or a list in a cell.

    Examples
    --------
    >>> import pandas
    >>> frame = pandas.DataFrame({"age": [30.0, None], "zip": ["01", "02"], "code": [12345678901234567, 1]})
    >>> list(frame_table(frame).rows())
    [('30', '01', '12345678901234567'), ('', '02', '1')]
    """
    import pandas

    frame = read_frame(frame)
    if not isinstance(frame, pandas.DataFrame):
        raise PrivacyError("frame.kind", type(frame).__name__)
    if not len(frame):
        raise PrivacyError("frame.empty", 0)
    names = [str(name) for name in frame.columns]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise PrivacyError("frame.duplicate", twice, count=names.count(twice))
    columns = [
        column_of(name, frame.iloc[:, place], strict=name in published) for place, name in enumerate(names)
    ]
    return ReadTable(columns=tuple(columns), lines=np.arange(len(frame)) + 2)


def column_of(name: str, series: Any, *, strict: bool = False) -> ReadColumn:
    """Return a column of a data frame as a column of texts.

    Parameters
    ----------
    name : str
    series : Series
        Of pandas.
    strict : bool
        Whether cells must be single values.

    Raises
    ------
    PrivacyError
        ``frame``: a list in a cell.
    """
    import pandas

    if not strict and series.dtype == object:
        series = series.map(lambda value: value if isinstance(value, _CELLS) or value is None else str(value))
    elif series.dtype == object:
        for row, value in enumerate(series):
            if not isinstance(value, _CELLS) and value is not None and value is not pandas.NA:
                label = plain(series.index[row])
                raise PrivacyError("frame.cell", type(value).__name__, column=name, row=label)
    codes, values = series.factorize()
    # Missing values have the code -1.
    texts = [cell_text(plain(value)) for value in values]
    if (codes < 0).any():
        codes, texts = np.where(codes < 0, len(texts), codes), [*texts, ""]
    column = ReadColumn(name=name, values=tuple(texts), codes=codes)
    return column.with_texts({text: normalize("NFC", text) for text in texts})
