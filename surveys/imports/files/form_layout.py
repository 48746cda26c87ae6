"""The layout of an XLSForm's workbook: names of its sheets, and rows above their headers."""

from __future__ import annotations

import io
import warnings
from collections.abc import Mapping, Sequence
from typing import Any, Final

from surveys.imports.files.form_repairs import Repair

_SEARCHED: Final = 12
"""Rows in which a header may be."""
_FIRSTS: Final = {"survey": {"type"}, "choices": {"list_name", "list name", "list"}}
_NEXT: Final = {"name", "label", "value"}
"""Headers next to the first one; those with a language begin with one of these."""


def has_usual_layout(data: Any) -> bool:
    """Return whether the first rows of the sheets *survey* and *choices* are headers.

    Parameters
    ----------
    data : pyxform.xls2json_backends.DefinitionData
    """
    survey = _first_header(data.survey_header)
    choices = _first_header(data.choices_header)
    return _names_first("survey", survey) and (not choices or _names_first("choices", choices))


def _first_header(headers: Sequence[Mapping[str, Any]] | None) -> Mapping[str, Any]:
    """Return the header of a sheet; empty if the form has no such sheet, or nothing is in it."""
    return headers[0] if headers else {}


def _names_first(sheet: str, header: Mapping[str, Any]) -> bool:
    return any(str(each).strip().lower() in _FIRSTS[sheet] for each in header)


def usual_layout(raw: bytes) -> tuple[Any, list[Repair]]:
    """Return a form whose sheets have other names or rows above their headers, and what is different.

    Parameters
    ----------
    raw : bytes
        An XLSX file.

    Returns
    -------
    pyxform.xls2json_backends.DefinitionData
        Rows keep their numbers: those above a header are empty.
    list of Repair
        Empty if no header was found.
    """
    from openpyxl import load_workbook
    from pyxform.constants import SUPPORTED_SHEET_NAMES
    from pyxform.xls2json_backends import DefinitionData

    with warnings.catch_warnings(action="ignore"):
        book = load_workbook(io.BytesIO(raw), read_only=True, data_only=True)
    sheets = {sheet.title.lower(): [*sheet.iter_rows()] for sheet in book.worksheets}
    repairs, found = [], {name: rows for name, rows in sheets.items() if name in SUPPORTED_SHEET_NAMES}
    content: dict[str, Any] = {}
    moved: dict[str, str] = {}
    for name, firsts in _FIRSTS.items():
        candidates = [name] if name in sheets else [each for each in sheets if each not in found]
        places = [(each, row) for each in candidates if (row := _header_row(sheets[each], firsts))]
        if len(places) != 1:
            continue
        ((title, row),) = places
        if title != name:
            written = next(sheet.title for sheet in book.worksheets if sheet.title.lower() == title)
            moved[written] = name
            repairs.append(Repair(change="sheet", sheet=name, value=written, said=""))
        if row > 1:
            repairs.append(Repair(change="moved", sheet=name, value=str(row), said=""))
        content |= _read(name, sheets[title], row)
        found.pop(name, None)
    for name, rows in found.items():
        content |= _read(name, rows, 1)
    names = [moved.get(sheet.title, sheet.title) for sheet in book.worksheets]
    return DefinitionData(fallback_form_name="form", sheet_names=names, **content), repairs


def _header_row(rows: Sequence[Sequence[Any]], firsts: set[str]) -> int:
    """Return the number of the row that holds the header of a sheet; 0 if there is none."""
    for number, cells in enumerate(rows[:_SEARCHED], start=1):
        texts = {str(cell.value).strip().lower() for cell in cells if cell.value is not None}
        if texts & firsts and any(text.split(":")[0] in _NEXT for text in texts):
            return number
    return 0


def _read(name: str, rows: Sequence[Sequence[Any]], header: int) -> dict[str, Any]:
    """Return the content of a sheet as pyxform reads it."""
    from pyxform.xls2json_backends import get_excel_column_headers, get_excel_rows, xlsx_value_to_str

    headers = get_excel_column_headers(cell.value for cell in rows[header - 1]) if rows else []

    def text(cell: Any, _row: int, _column: str) -> str:
        value = cell.value.strip() if isinstance(cell.value, str) else cell.value
        return xlsx_value_to_str(value)

    content = get_excel_rows(headers=headers, rows=rows[header:], cell_func=text)
    return {
        name: [{} for _row in range(header - 1)] + content,
        f"{name}_header": [dict.fromkeys(filter(None, headers))],
    }
