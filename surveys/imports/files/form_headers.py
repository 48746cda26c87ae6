"""Headers of an XLSForm that pyxform refuses or ignores: repeated, unknown, and those of other tools."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from surveys.imports.files.form_languages import language_tag
from surveys.imports.files.form_repairs import Repair

_REPEATED: Final = "\ue007"
"""Follows a header that is repeated, once for each repetition."""
_USED: Final[Mapping[str, frozenset[str]]] = {
    "survey": frozenset(
        {"type", "name", "label", "hint", "guidance_hint", "media", "default", "parameters", "disabled"}
        | {"choice_filter", "itemset", "list_name", "relevant", "required", "constraint", "calculation"}
        | {"read_only", "save_to", "appearance", "instance"}
    ),
    "choices": frozenset({"list name", "name", "label", "media"}),
}
"""Columns that are imported or noted at each row that has them, or only affect how other programs store."""
_GROUPS: Final = ("bind", "control")
_OTHER_NAMES: Final[Mapping[str, Mapping[str, str]]] = {
    "choices": dict.fromkeys(("list", "listname", "choice_list", "list-name"), "list name")
}
"""Headers that people write instead of pyxform's."""
_OF_ROWS: Final = {"survey": "type", "choices": "name"}
_OF_LISTS: Final = {"survey": "type", "choices": "list name"}
"""The first column of sheets whose rows have names."""
_WITHOUT_LANGUAGE: Final = frozenset(["type", "name", "list name", "list_name"])
"""Columns with one cell in each row, whatever follows their names."""
_OF_TEXTS: Final = ("label", "hint", "guidance_hint")
_LONGEST_TAG: Final = 3
_OF_ODK_X: Final = ("display.prompt", "display.title", "display.text", "choice_list_name")


@contextlib.contextmanager
def repeated_headers() -> Iterator[None]:
    """Let pyxform read sheets with repeated headers, and with gaps; `name_columns` then removes the marks.

    pyxform itself stops at 20 empty columns or 60 empty rows, and says nothing of what is behind them.

    Only a child process may use this, because it replaces functions of pyxform's for a while.
    """
    from pyxform import xls2json_backends

    headers, rows = xls2json_backends.get_excel_column_headers, xls2json_backends.get_excel_rows
    xls2json_backends.get_excel_column_headers = lambda first_row: [*distinct(first_row)]
    xls2json_backends.get_excel_rows = _rows
    try:
        yield
    finally:
        xls2json_backends.get_excel_column_headers, xls2json_backends.get_excel_rows = headers, rows


def _rows(
    headers: Iterable[str | None], rows: Iterable[Sequence[Any]], cell_func: Callable[[Any, int, str], Any]
) -> list[dict[str, Any]]:
    """Return the rows of a sheet by header, to the last one with content."""
    columns = [(place, header) for place, header in enumerate(headers) if header]
    found: list[dict[str, Any]] = []
    end = 0
    for number, cells in enumerate(rows):
        filled = [
            (cells[place], header)
            for place, header in columns
            if place < len(cells) and _is_filled(cells[place])
        ]
        found.append({header: cell_func(cell, number, header) for cell, header in filled})
        if filled:
            end = number + 1
        elif number - end > _MOST_EMPTY:
            break
    return found[:end]


_MOST_EMPTY: Final = 10_000
"""Empty rows that may be between two others; formatted rows without content can fill a sheet."""


def _is_filled(cell: Any) -> bool:
    return cell.value is not None and str(cell.value).strip() != ""


def distinct(headers: Iterable[object]) -> Iterator[str | None]:
    """Yield headers as text, without surplus blanks, and mark those that are repeated.

    Examples
    --------
    >>> [*distinct(["type", None, 12, "type "])] == ["type", None, "12", "type" + _REPEATED]
    True
    """
    seen = Counter[str]()
    for header in headers:
        name = "" if header is None else " ".join(str(header).split())
        yield name + _REPEATED * seen[name] if name else None
        seen[name] += 1


def name_columns(data: Any) -> list[Repair]:
    """Give columns pyxform's names, and keep one of those with the same name.

    A repeated column is used if the one before it is empty, and otherwise left out. Each name maps to its
    header as written.

    Parameters
    ----------
    data : pyxform.xls2json_backends.DefinitionData
        Changed in place.

    Returns
    -------
    list of Repair
        One for each column with content that is left out.
    """
    from pyxform import aliases
    from pyxform.question import MultipleChoiceQuestion, Option
    from pyxform.survey import Survey

    known: Mapping[str, tuple[dict[str, Any], set[str]]] = {
        "survey": (aliases.survey_header, set(MultipleChoiceQuestion.get_slot_names())),
        "choices": (aliases.list_header, set(Option.get_slot_names())),
        "external_choices": (aliases.list_header, set(Option.get_slot_names())),
        "settings": (aliases.settings_header, set(Survey.get_slot_names())),
    }
    repairs = []
    for sheet, (other_names, names) in known.items():
        rows, headers = getattr(data, sheet) or (), (getattr(data, f"{sheet}_header") or [{}])[0]
        other_names = {**_OTHER_NAMES.get(sheet, {}), **other_names}
        named = _used_names(headers, other_names, names)
        columns: dict[str, tuple[str, dict[int, Any]]] = {}
        for header in headers:
            written = header.rstrip(_REPEATED)
            name = named[header]
            cells = {place: row.pop(header) for place, row in enumerate(rows) if header in row}
            if cells and name in columns and columns[name][1]:
                said = f"Duplicate column header: {written}"
                repairs.append(Repair(change="column", sheet=sheet, column=written, said=said))
            elif cells or name not in columns:
                columns[name] = written, cells
        headers.clear()
        for name, (written, cells) in columns.items():
            headers[name] = written
            for place, cell in cells.items():
                rows[place][name] = cell
        if _OF_LISTS.get(sheet, "") in headers:
            # Without this column, rows get names of their own.
            headers.setdefault("name", "name")
    return repairs


def _used_names(
    headers: Collection[str], other_names: dict[str, Any], names: Collection[str]
) -> dict[str, str]:
    """Return the name of each header of a sheet by which the form is read."""
    # Messages of pyxform say *relevant*, which is shorter than *bind::relevant*.
    short = {"::".join(each): name for name, each in reversed(other_names.items()) if each[0] in _GROUPS}
    named = {header: short.get(name, name) for header, name in _names(headers, other_names, names).items()}
    for header, name in named.items():
        if name.partition(":")[0] in _WITHOUT_LANGUAGE:
            # pyxform cannot read a row in which one of these has several cells.
            named[header] = name.replace(":", " ")
    if not any("::" in name for name in named.values()):
        # pyxform then splits headers at single colons, too.
        for header, name in named.items():
            name = _names([name], other_names, names)[name] if ":" in name else name
            named[header] = short.get(name, name)
    return named


def _names(headers: Iterable[str], other_names: Mapping[str, Any], names: Collection[str]) -> dict[str, str]:
    """Return pyxform's name of each header of a sheet."""
    from pyxform.parsing.sheet_headers import process_header

    has_double_colons = any("::" in header for header in headers)
    sign = "::" if has_double_colons else ":"
    return {
        header: "::".join(
            process_header(_divided(header.rstrip(_REPEATED), sign), has_double_colons, other_names, names)[1]
        )
        for header in headers
    }


def _divided(header: str, sign: str) -> str:
    """Return a header with this sign before its language, if people wrote another one there.

    Short tags after a blank or an underscore are no languages: *hint id* may hold numbers.

    Examples
    --------
    >>> [_divided(each, "::") for each in ("label#English", "hint (fr)", "label French", "label_no")]
    ['label::English', 'hint::fr', 'label::French', 'label_no']
    """
    column = next((each for each in _OF_TEXTS if header.lower().startswith(each)), "")
    rest = header[len(column) :]
    start = next((place for place, each in enumerate(rest) if each.isalnum()), 0)
    signs = rest[:start].strip()
    language = rest[start:].removesuffix({"(": ")", "[": "]"}.get(signs, ""))
    is_named = language_tag(language) is not None and (
        len(language) > _LONGEST_TAG or signs.strip("_.-") != ""
    )
    return f"{column}{sign}{language}" if column and start and signs != sign and is_named else header


def unused_columns(data: Any) -> dict[str, list[str]]:
    """Return the columns with content that are neither imported nor noted at their rows, by sheet.

    Parameters
    ----------
    data : pyxform.xls2json_backends.DefinitionData
        With the names of `name_columns`.
    """
    unused = {}
    for sheet, used in _USED.items():
        # Rows without a type or a name are noted themselves.
        filled = {header for row in getattr(data, sheet) or () if _OF_ROWS[sheet] in row for header in row}
        unused[sheet] = [
            written
            for name, written in (getattr(data, f"{sheet}_header") or [{}])[0].items()
            if name in filled and name.split("::")[0] not in used
        ]
    return unused


def is_of_odk_x(headers: Mapping[str, Iterable[str]]) -> bool:
    """Return whether a form is made for ODK-X, whose sheets have other columns.

    Examples
    --------
    >>> is_of_odk_x({"survey": ["type", "values_list", "name", "display.prompt.text"]})
    True
    >>> is_of_odk_x({"survey": ["type", "name", "label"], "choices": ["list_name", "name"]})
    False
    """
    return any(header.strip().lower().startswith(_OF_ODK_X) for names in headers.values() for header in names)
