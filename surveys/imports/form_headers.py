"""Headers of an XLSForm that pyxform refuses or ignores: repeated, unknown, and those of other tools."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from surveys.imports.form_repairs import Repair, header_of

_REPEATED: Final = "\ue007"
"""Follows a header that is repeated, once for each repetition."""
_SHEETS: Final = ("survey", "choices", "settings", "external_choices")
_USED: Final[Mapping[str, frozenset[str]]] = {
    "survey": frozenset(
        {"type", "name", "label", "hint", "guidance_hint", "media", "default", "parameters", "disabled"}
        | {"choice_filter", "itemset", "list_name", "bind::relevant", "bind::required", "bind::constraint"}
        | {"bind::calculate", "bind::readonly", "bind::entities:saveto", "control::appearance", "instance"}
    ),
    "choices": frozenset({"list name", "name", "label", "media"}),
}
"""Columns that are imported or noted at each row that has them, or only affect how other programs store."""
_OF_ROWS: Final = {"survey": "type", "choices": "name"}
_OF_ODK_X: Final = ("display.prompt", "display.title", "display.text", "choice_list_name")


@contextlib.contextmanager
def repeated_headers() -> Iterator[None]:
    """Let pyxform read sheets with repeated headers; `merge_repeated` then removes the marks.

    Only a child process may use this, because it replaces a function of pyxform's for a while.
    """
    from pyxform import xls2json_backends

    read = xls2json_backends.get_excel_column_headers
    xls2json_backends.get_excel_column_headers = lambda first_row: read(distinct(first_row))
    try:
        yield
    finally:
        xls2json_backends.get_excel_column_headers = read


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


def merge_repeated(data: Any) -> list[Repair]:
    """Use a repeated column if the one before it is empty, and otherwise leave it out.

    Parameters
    ----------
    data : pyxform.xls2json_backends.DefinitionData
        Changed in place.

    Returns
    -------
    list of Repair
        One for each column with content that is left out.
    """
    repairs = []
    for sheet in _SHEETS:
        rows, headers = getattr(data, sheet) or (), (getattr(data, f"{sheet}_header") or [{}])[0]
        for header in [name for name in headers if name.endswith(_REPEATED)]:
            del headers[header]
            name = header.rstrip(_REPEATED)
            cells = [row.pop(header, None) for row in rows]
            if not any(name in row for row in rows):
                for row, cell in zip(rows, cells, strict=True):
                    row |= {} if cell is None else {name: cell}
            elif any(cell is not None for cell in cells):
                said = f"Duplicate column header: {name}"
                repairs.append(Repair(change="column", sheet=sheet, column=name, said=said))
    return repairs


def unused_columns(data: Any) -> dict[str, list[str]]:
    """Return the columns with content that are neither imported nor noted at their rows, by sheet.

    Parameters
    ----------
    data : pyxform.xls2json_backends.DefinitionData
    """
    from pyxform import aliases
    from pyxform.parsing.sheet_headers import process_header
    from pyxform.question import MultipleChoiceQuestion, Option

    known = {
        "survey": (aliases.survey_header, set(MultipleChoiceQuestion.get_slot_names())),
        "choices": (aliases.list_header, set(Option.get_slot_names())),
    }
    unused = {}
    for sheet, (names, columns) in known.items():
        headers = (getattr(data, f"{sheet}_header") or [{}])[0]
        has_double_colons = any("::" in header for header in headers)
        # Rows without a type or a name are noted themselves.
        rows = [row for row in getattr(data, sheet) or () if header_of(row, _OF_ROWS[sheet])]
        filled = {header for row in rows for header in row}
        unused[sheet] = [
            header
            for header in headers
            if header in filled
            and not _is_used(sheet, process_header(header, has_double_colons, names, columns)[1])
        ]
    return unused


def _is_used(sheet: str, tokens: Sequence[str]) -> bool:
    return not {tokens[0].lower(), "::".join(tokens[:2])}.isdisjoint(_USED[sheet])


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
