"""Read an expert's utility matrix from text, and write it.

The first line (Zhu et al. 2010, section 3.1) names the sensitive column and the generalised ones, in
any order. One line follows for each sensitive value. A cell is a number from 0 to 1, or one of the five
levels *very high* to *very low*::

    disease,age,work
    flu,very high,0.3
    cold,0.8,low
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from anonymisation.microdata.text_lines import MOST_LINES, numbered_lines, plain_value
from privacy.arrays import Array
from privacy.sdc.table import Column, Table
from privacy.sdc.utility_matrix import LEVEL_WORDS
from privacy.tables.formula_texts import safe_text
from surveys.errors.error import SurveyError

MatrixCells = Mapping[str, float | str]


@dataclass(frozen=True, kw_only=True)
class ExpertMatrix:
    """Utility matrix of one sensitive column.

    Parameters
    ----------
    rows : mapping of str to mapping of str to (float or str)
        Utility of each generalised column, by sensitive value: a number in [0, 1], or the name of a level.
    sensitive : str
        The sensitive column; "" for the first one.
    """

    rows: Mapping[str, MatrixCells]
    sensitive: str = ""


def matrix_read(text: str) -> ExpertMatrix:
    """Read a matrix.

    Raises
    ------
    SurveyError
        ``matrix.lines``, ``matrix.header``, ``matrix.cells`` or ``matrix.twice``.

    Examples
    --------
    >>> matrix_read("disease,age\\nflu,0.5\\ncold,low").rows
    {'flu': {'age': '0.5'}, 'cold': {'age': 'low'}}
    """
    lines = numbered_lines(text)
    if not 1 < len(lines) <= MOST_LINES:
        raise SurveyError("matrix.lines", len(lines), most=MOST_LINES)
    header = lines[0][1]
    if len(header) < 2 or len(set(header)) < len(header):
        raise SurveyError("matrix.header", ", ".join(header)[:80])
    rows: dict[str, MatrixCells] = {}
    for number, (value, *cells) in lines[1:]:
        if len(cells) != len(header) - 1:
            raise SurveyError("matrix.cells", len(cells) + 1, row=number, count=len(header))
        if value in rows:
            raise SurveyError("matrix.twice", value[:40], row=number)
        rows[value] = dict(zip(header[1:], cells, strict=True))
    return ExpertMatrix(rows=rows, sensitive=header[0])


def matrix_text(sensitive: str, columns: Sequence[str], rows: Mapping[str, Sequence[str]]) -> str:
    """Write a matrix in the format of `matrix_read`, so that no spreadsheet takes a value for a formula.

    Examples
    --------
    >>> matrix_text("disease", ["age"], {"flu": ["0.5"]})
    'disease,age\\nflu,0.5\\n'
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([sensitive, *columns])
    writer.writerows([safe_text(value), *cells] for value, cells in rows.items())
    return text.getvalue()


def matrix_of(matrix: ExpertMatrix, sensitive: Column, names: Sequence[str]) -> Array:
    """Return the utilities as an array, shape (values of the column, names).

    Parameters
    ----------
    matrix : ExpertMatrix
    sensitive : Column
        Column whose values are the rows.
    names : sequence of str
        The generalised columns.

    Raises
    ------
    SurveyError
        ``matrix.about``: it is about another column; ``matrix.column``: a column is not generalised;
        ``matrix.column_missing``; ``matrix.value``: no record has a value; ``matrix.missing``: a value has no
        line; ``matrix.cell``: a cell is neither a number from 0 to 1 nor a level; ``matrix.nothing``: all
        utilities of a value are 0.
    """
    if matrix.sensitive not in ("", sensitive.name):
        raise SurveyError("matrix.about", matrix.sensitive, name=sensitive.name)
    # A value that begins like a formula may have the prefix that keeps spreadsheets from running it.
    value_of = {safe_text(value): value for value in sensitive.values} | {
        value: value for value in sensitive.values
    }
    rows: dict[str, list[float]] = {}
    for text, cells in matrix.rows.items():
        value = value_of.get(plain_value(sensitive, text))
        if value is None:
            raise SurveyError("matrix.value", text[:40], name=sensitive.name)
        for name in cells:
            if name not in names:
                raise SurveyError("matrix.column", name, known=", ".join(names))
        for name in names:
            if name not in cells:
                raise SurveyError("matrix.column_missing", name, row=value)
        rows[value] = [_utility(cells[name], value, name) for name in names]
        if not any(rows[value]):
            raise SurveyError("matrix.nothing", value[:40], name=sensitive.name)
    for value in sensitive.values:
        if value not in rows:
            raise SurveyError("matrix.missing", value[:40], name=sensitive.name)
    return np.array([rows[value] for value in sensitive.values])


def matrix_lines(
    matrix: ExpertMatrix | None, source: Table, release: Table | None = None
) -> dict[str, dict[str, float]]:
    """Return an expert's matrix by value and column, for display; empty if there is none.

    Parameters
    ----------
    matrix : ExpertMatrix or None
    source : Table
    release : Table or None
        If given, values that it does not contain are left out.
    """
    if matrix is None:
        return {}
    column, names = source.sensitive[0], [identifier.name for identifier in source.quasi_identifiers]
    visible = set(column.values)
    if release is not None:
        new_column = release.column(column.name)
        visible &= {new_column.values[code] for code in np.unique(new_column.codes).tolist()}
    rows = zip(column.values, matrix_of(matrix, column, names).tolist(), strict=True)
    return {value: dict(zip(names, row, strict=True)) for value, row in rows if value in visible}


def _utility(cell: float | str, value: str, name: str) -> float:
    utility: float | None = None
    if isinstance(cell, str):
        utility = LEVEL_WORDS.get(cell.strip().casefold())
    if utility is None:
        try:
            utility = float(cell)
        except ValueError:
            utility = -1.0
    if not 0 <= utility <= 1:
        raise SurveyError("matrix.cell", cell, row=value[:40], name=name)
    return utility
