"""An expert's utility matrix (Zhu et al. 2010, section 3.1): information of columns on sensitive values.

The first line names the sensitive column and the generalised ones, in any order; then a line for each
sensitive value. A cell is a number from 0 to 1, or one of the five levels *very high* to *very low*::

    disease,age,work
    flu,very high,0.3
    cold,0.8,low
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from anonymisation.microdata.attackers import lines_of, plain_value
from privacy.arrays import Array
from privacy.sdc import Table, expert_matrix
from privacy.sdc.table import Column
from privacy.sdc.utility_matrix import LEVELS
from surveys.errors.error import SurveyError
from surveys.formats.csv_cells import safe_text

__all__ = ["ExpertMatrix", "matrix_file", "matrix_lines", "matrix_of", "matrix_read", "matrix_text"]

MOST_LINES: Final = 10_000

Cells = Mapping[str, float | str]


@dataclass(frozen=True, kw_only=True)
class ExpertMatrix:
    """Utility matrix of one sensitive column.

    Parameters
    ----------
    rows : mapping of str to mapping of str to (float or str)
        By value the utility of each generalised column: a number in [0, 1], or the name of a level.
    sensitive : str
        Column of the values; "" takes the first sensitive one.
    """

    rows: Mapping[str, Cells]
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
    lines = lines_of(text)
    if not 1 < len(lines) <= MOST_LINES:
        raise SurveyError("matrix.lines", len(lines), most=MOST_LINES)
    header = lines[0][1]
    if len(header) < 2 or len(set(header)) < len(header):
        raise SurveyError("matrix.header", ", ".join(header)[:80])
    rows: dict[str, Cells] = {}
    for number, (value, *cells) in lines[1:]:
        if len(cells) != len(header) - 1:
            raise SurveyError("matrix.cells", len(cells) + 1, row=number, count=len(header))
        if value in rows:
            raise SurveyError("matrix.twice", value[:40], row=number)
        rows[value] = dict(zip(header[1:], cells, strict=True))
    return ExpertMatrix(rows=rows, sensitive=header[0])


def matrix_file(path: Path) -> ExpertMatrix:
    """Read the file of a matrix.

    Raises
    ------
    SurveyError
        ``matrix.file``; and as `matrix_read`.
    """
    try:
        return matrix_read(path.read_text(encoding="utf-8-sig"))
    except (OSError, UnicodeDecodeError) as error:
        raise SurveyError("matrix.file", str(path), path=path, error=error) from error


def matrix_text(sensitive: str, columns: Sequence[str], rows: Mapping[str, Sequence[str]]) -> str:
    """Write a matrix as `matrix_read` reads it; no value in it is a formula for a spreadsheet.

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


def matrix_of(given: ExpertMatrix, sensitive: Column, names: Sequence[str]) -> Array:
    """Return the utilities, shape (values of the column, names), in the order of both.

    Parameters
    ----------
    given : ExpertMatrix
    sensitive : Column
        Whose values are the rows.
    names : sequence of str
        The generalised columns.

    Raises
    ------
    SurveyError
        ``matrix.about``: it is about another column; ``matrix.column``: one that is not generalised;
        ``matrix.column_missing``; ``matrix.value``: a value that no record has; ``matrix.missing``: a value
        without a line; ``matrix.cell``: neither a number from 0 to 1 nor a level; ``matrix.nothing``: a
        value of which no column tells anything.
    """
    if given.sensitive not in ("", sensitive.name):
        raise SurveyError("matrix.about", given.sensitive, name=sensitive.name)
    # A value that begins like a formula may stand with the sign that keeps spreadsheets from running it.
    value_of = {safe_text(value): value for value in sensitive.values} | {
        value: value for value in sensitive.values
    }
    rows: dict[str, list[float | str]] = {}
    for text, cells in given.rows.items():
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
    ordered = [rows[value] for value in sensitive.values]
    return expert_matrix(ordered, n_values=len(sensitive.values), n_axes=len(names))


def matrix_lines(
    given: ExpertMatrix | None, source: Table, released: Table | None = None
) -> dict[str, dict[str, float]]:
    """Return the matrix by value and column, to be shown; nothing where no expert gave one.

    Parameters
    ----------
    given : ExpertMatrix or None
    source : Table
    released : Table or None
        With it values that are not published any more are left out.
    """
    if given is None:
        return {}
    column, names = source.sensitive[0], [identifier.name for identifier in source.quasi_identifiers]
    shown = set(column.values)
    if released is not None:
        published = released.column(column.name)
        shown &= {published.values[code] for code in np.unique(published.codes).tolist()}
    rows = zip(column.values, matrix_of(given, column, names).tolist(), strict=True)
    return {value: dict(zip(names, row, strict=True)) for value, row in rows if value in shown}


def _utility(cell: float | str, value: str, name: str) -> float:
    utility: float | None = None
    if isinstance(cell, str):
        utility = LEVELS.get(cell.strip().casefold())
    if utility is None:
        try:
            utility = float(cell)
        except ValueError:
            utility = -1.0
    if not 0 <= utility <= 1:
        raise SurveyError("matrix.cell", cell, row=value[:40], name=name)
    return utility
