"""An XLSForm as pyxform parses it: in a child process, with the row of each question."""

from __future__ import annotations

import io
import json
from typing import Any, Final

from surveys.errors.error import SurveyError
from surveys.imports.workbook import MOST_BYTES, check_parts
from surveys.questionnaire.problems import DefinitionError, Problem
from surveys.unpacking.reader import read_in_child

__all__ = ["ROW", "form_parse", "form_plain"]

ROW: Final = "sottovoce_row"
_COLUMNS: Final = "sottovoce_"
_FORMER: Final = "sotto_"
"""How our own columns began until 1.0.0rc1: both spellings are read."""

_OLE: Final = b"\xd0\xcf\x11\xe0"
_TEXTS: Final = ("label", "caption", "hint", "guidance", "form_title", "title", _COLUMNS)
_KEPT: Final = str.maketrans("‘’“”", "\ue000\ue001\ue002\ue003")
_BACK: Final = str.maketrans("\ue000\ue001\ue002\ue003", "‘’“”")
_MACROS: Final = "_VBA_PROJECT".encode("utf-16-le")


def form_parse(raw: bytes) -> dict[str, Any]:
    """Return what pyxform makes of a workbook, parsed in a child process.

    Returns
    -------
    dict
        ``form``: pyxform's tree, each row with its number as `ROW`; ``external``: the lists of the sheet
        *external_choices*; ``rows``: the rows of the sheet *survey* by number; ``sheets``: names.

    Raises
    ------
    DefinitionError
        It is no workbook, too large, holds macros, or pyxform refuses it, in pyxform's words.
    """
    if len(raw) > MOST_BYTES:
        raise DefinitionError.at("", "workbook.too_large", most=MOST_BYTES)
    try:
        plain, payload = read_in_child(form_plain, raw)
    except SurveyError as error:
        raise DefinitionError([Problem(path="", message=error.message, remedy=error.remedy)]) from error
    if "problems" in plain:
        raise DefinitionError([Problem(**problem) for problem in plain["problems"]])
    parsed: dict[str, Any] = json.loads(payload)
    return parsed


def form_plain(raw: bytes) -> tuple[dict[str, Any], bytes]:
    """Return a parsed form as JSON, or what is wrong with it."""
    try:
        return {}, json.dumps(_parsed(raw), default=str).encode()
    except DefinitionError as error:
        problems = [
            {"path": each.path, "message": each.message, "remedy": each.remedy} for each in error.problems
        ]
        return {"problems": problems}, b""


def _parsed(raw: bytes) -> dict[str, Any]:
    # Imported in the child alone: it takes half a second.
    from pyxform import aliases, constants
    from pyxform.builder import create_survey_element_from_dict
    from pyxform.errors import PyXFormError
    from pyxform.parsing.sheet_headers import dealias_and_group_headers
    from pyxform.question import Option
    from pyxform.xls2json import group_dictionaries_by_key, workbook_to_json
    from pyxform.xls2json_backends import get_xlsform

    if raw.startswith(_OLE):
        if _MACROS in raw:
            raise DefinitionError.at("", "workbook.macros")
        kind = ".xls"
    else:
        check_parts(raw)
        kind = ".xlsx"
    try:
        data = get_xlsform(io.BytesIO(raw), file_type=kind)
        _rename_columns(data)
        rows = {number: dict(row) for number, row in enumerate(data.survey or (), start=2) if row}
        for number, row in enumerate(data.survey or (), start=2):
            if row:
                row[ROW] = str(number)
        for header in data.survey_header or ():
            header[ROW] = None
        for sheet in (data.survey, data.choices, data.settings, data.external_choices):
            for row in sheet or ():
                row |= {name: cell.translate(_KEPT) for name, cell in row.items() if _is_text(name)}
        form = workbook_to_json(workbook_dict=data, form_name="form", warnings=[])
        plain = json.loads(json.dumps(form, default=str, ensure_ascii=False).translate(_BACK))
        create_survey_element_from_dict(form).xml()
        external = {}
        if data.external_choices:
            grouped = dealias_and_group_headers(
                sheet_name=constants.EXTERNAL_CHOICES,
                sheet_data=data.external_choices,
                sheet_header=data.external_choices_header,
                header_aliases=aliases.list_header,
                header_columns=set(Option.get_slot_names()),
            )
            external = group_dictionaries_by_key(list_of_dicts=grouped.data, key=constants.LIST_NAME_S)
    except PyXFormError as error:
        if "supported type" in str(error):
            raise DefinitionError.at("", "workbook.none") from error
        raise DefinitionError.at("survey", "workbook.xlsform", said=str(error)) from error
    except (MemoryError, DefinitionError):
        raise
    except Exception as error:
        # Readers of workbooks and pyxform fail in ways of their own on files that they do not foresee.
        raise DefinitionError.at("", "workbook.none") from error
    external = json.loads(json.dumps(external, default=str, ensure_ascii=False).translate(_BACK))
    return {"form": plain, "external": external, "rows": rows, "sheets": list(data.sheet_names or ())}


def _rename_columns(data: Any) -> None:
    """Give our own columns their present names, on each sheet of a workbook."""
    sheets = (data.survey, data.choices, data.settings)
    headers = (data.survey_header, data.choices_header, data.settings_header)
    for row in (row for sheet in (*sheets, *headers) for row in sheet or ()):
        for name in [name for name in row if name.startswith(_FORMER)]:
            row[_COLUMNS + name.removeprefix(_FORMER)] = row.pop(name)


def _is_text(header: str) -> bool:
    """Return whether people read what is below a header; pyxform makes its quotation marks straight."""
    return header.strip().lower().startswith(_TEXTS)
