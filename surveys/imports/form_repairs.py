"""Repair an XLSForm that pyxform refuses: change the row or column that its message names, and say so.

Most refused forms have one odd row: a type of another tool, a name that occurs twice, a stray *end group*.
The others of its questions are fine, so one row must not cost all of them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from django.utils.translation import gettext as _

MOST_CAUSES: Final = 20
"""Most causes of changes of one form; a file with more is probably none."""
_FIRST_ROW: Final = 2
_PLACE: Final = re.compile(
    r"\[row : (?P<row>\d{1,6})\]"
    r"(?: ?On the '(?P<sheet>\w{1,40})' sheet, the '(?P<column>[^']{1,100})' value)?"
)
_UNKNOWN_TYPE: Final = re.compile(r"Unknown question type '(?P<type>[^']{1,200})'")
_OPEN: Final = re.compile(r"Unmatched 'begin_(?P<type>\w{1,20})'")
_NO_LISTS: Final = re.compile(r"There should be an? (?P<external>external_)?choices sheet")
_NO_LIST: Final = re.compile(r"List name not in (?:external )?choices sheet: (?P<list>.{1,200})")
_NO_ANSWER: Final = re.compile(r"(?:find the name|The name) '(?P<name>[^']{1,100})'")
"""A name that no row has, or several have."""
_LISTED: Final = re.compile(r"(?:add )?(?:select|rank)", re.IGNORECASE)
_NOT_IN_NAMES: Final = re.compile(r"[^\w.-]+")
_LONGEST: Final = 60
_NAME: Final = "name"

Sheets = Mapping[str, list[dict[str, Any]]]
"""The rows of each sheet, from the second row of the file on."""
RepairKind = Literal["renamed", "emptied", "row", "column", "closed"]


@dataclass(frozen=True, kw_only=True)
class Repair:
    """One change of a form, and pyxform's reason for it.

    Parameters
    ----------
    change : {"renamed", "emptied", "row", "column", "closed"}
        A name, a cell, a row or a column that was left out, or a group that was closed.
    sheet : str
    row : int
        0 for a column.
    column : str
    said : str
        pyxform's message.
    value : str
        The new name.
    """

    change: RepairKind
    sheet: str
    said: str
    row: int = 0
    column: str = ""
    value: str = ""

    @property
    def is_lost(self) -> bool:
        """Whether something of the form is left out."""
        return self.change in ("emptied", "row", "column")

    @property
    def message(self) -> str:
        """What was changed, in words."""
        messages: dict[RepairKind, str] = {
            "renamed": _("its name is %(value)s here, because the form's name for it cannot be used"),
            "emptied": (
                _("this condition is not valid, so everyone is asked this")
                if self.column == "relevant"
                else _("the content of this cell is left out, because it is not valid")
            ),
            "row": _("the row is left out, because it is not valid"),
            "column": _("the column is left out, because it is not valid"),
            "closed": _("this group has no end, so it ends with the sheet"),
        }
        return messages[self.change] % {"value": self.value}


def repair(sheets: Sheets, said: str) -> list[Repair]:
    """Change the sheets so that pyxform's objection no longer holds; nothing if it names nothing to change.

    All places with the same cause are changed: all questions whose list is missing, all conditions on the
    same missing name.

    Parameters
    ----------
    sheets : mapping of str to list of dict
        Rows by sheet, with pyxform's names of columns; changed in place. Rows keep their numbers: a row that
        is left out becomes empty, or keeps its name only, because conditions may refer to it.
    said : str
        pyxform's message.

    Examples
    --------
    >>> rows = [{"type": "text", "name": "q"}, {"type": "integer", "name": "q"}]
    >>> said = "[row : 3] On the 'survey' sheet, the 'name' value 'q' is invalid. It must be unique."
    >>> repair({"survey": rows}, said)[0].value, rows[1]["name"]
    ('q_2', 'q_2')
    """
    if match := _NO_LISTS.search(said) or _NO_LIST.search(said):
        return _without_list(sheets.get("survey", []), match.groupdict(), said)
    place = _PLACE.search(said)
    if place is None:
        return []
    sheet, column = place["sheet"] or "survey", place["column"] or ""
    answer = _NO_ANSWER.search(said)
    found = _without_answer(sheet, sheets.get(sheet, []), answer["name"], said) if answer else []
    return found or _repaired_row(sheets.get(sheet, []), sheet, int(place["row"]), column, said)


def _repaired_row(
    rows: list[dict[str, Any]], sheet: str, number: int, column: str, said: str
) -> list[Repair]:
    """Change the row or the cell that a message names."""
    if not _FIRST_ROW <= number < _FIRST_ROW + len(rows):
        return []
    row = rows[number - _FIRST_ROW]
    if opened := _OPEN.search(said):
        rows.append({"type": f"end {opened['type']}"})
        return [Repair(change="closed", sheet=sheet, row=number, said=said)]
    if sheet == "survey" and (column == _NAME or "with no name" in said):
        name = row[_NAME] = _fresh_name(str(row.get(_NAME, "")) or f"row_{number}", rows)
        return [Repair(change="renamed", sheet=sheet, row=number, column=_NAME, value=name, said=said)]
    if column in row and column not in (_NAME, "type"):
        del row[column]
        return [Repair(change="emptied", sheet=sheet, row=number, column=column, said=said)]
    if not row:
        return []
    row.clear()
    return [Repair(change="row", sheet=sheet, row=number, said=said)]


def _keep_name(row: dict[str, Any]) -> None:
    """Leave out a question but for its name, so that pyxform accepts conditions on it."""
    name = row.get(_NAME)
    row.clear()
    if name:
        row |= {"type": "hidden", _NAME: name}


def _without_list(
    rows: Sequence[dict[str, Any]], lacking: Mapping[str, str | None], said: str
) -> list[Repair]:
    """Leave out all questions whose list the form lacks.

    Parameters
    ----------
    rows : sequence of dict
    lacking : mapping of str to str or None
        The name of the list; or whether all lists of the sheet *external_choices* are missing, otherwise
        those of *choices*.
    said : str
    """
    repairs = []
    for number, row in enumerate(rows, start=_FIRST_ROW):
        words = str(row.get("type", "")).split()
        if "list" in lacking:
            is_lacking = _LISTED.match(" ".join(words)) and str(lacking["list"]).strip() in words
        else:
            is_external = "external" in "".join(words[:1]).lower()
            is_in_file = "." in "".join(words[1:2])
            is_lacking = (
                is_external
                if lacking["external"]
                else _LISTED.match(" ".join(words)) and not (is_external or is_in_file)
            )
        if is_lacking:
            _keep_name(row)
            repairs.append(Repair(change="row", sheet="survey", row=number, said=said))
    return repairs


def _without_answer(sheet: str, rows: Sequence[dict[str, Any]], name: str, said: str) -> list[Repair]:
    """Empty all cells that refer to a name that no row has, or several have."""
    reference = re.compile(r"\$\{\s*" + re.escape(name) + r"\s*\}")
    repairs = []
    for number, row in enumerate(rows, start=_FIRST_ROW):
        for column in [each for each, cell in row.items() if cell and reference.search(str(cell))]:
            if column in ("type", _NAME) or column not in row:
                continue
            if column == "calculation" and str(row.get("type", "")).strip() == "calculate":
                _keep_name(row)
                repairs.append(Repair(change="row", sheet=sheet, row=number, said=said))
            else:
                del row[column]
                repairs.append(Repair(change="emptied", sheet=sheet, row=number, column=column, said=said))
    return repairs


def is_about_types(said: str) -> bool:
    """Return whether a message only says that a question's type is unknown: the reader lists these rows."""
    return _UNKNOWN_TYPE.search(said) is not None


def _fresh_name(name: str, rows: Iterable[Mapping[str, Any]]) -> str:
    """Return a valid name that no row has."""
    plain = "".join(each for each in unicodedata.normalize("NFKD", name) if not unicodedata.combining(each))
    stem = _NOT_IN_NAMES.sub("_", plain).strip("._-")[:_LONGEST] or "row"
    stem = stem if stem[0].isalpha() or stem[0] == "_" else f"_{stem}"
    taken = {"meta", *(str(row.get(_NAME, "")).lower() for row in rows)}
    if stem.lower() not in taken:
        return stem
    number = 2
    while f"{stem}_{number}".lower() in taken:
        number += 1
    return f"{stem}_{number}"
