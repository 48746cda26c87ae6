"""Repair an XLSForm that pyxform refuses: change the row or column that its message names, and say so.

Most refused forms have one odd row: a type of another tool, a name that occurs twice, a stray *end group*.
The others of its questions are fine, so one row must not cost all of them.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from django.utils.translation import gettext as _

from surveys.formats.joints import short_text

_FIRST_ROW: Final = 2
_PLACE: Final = re.compile(
    r"\[row : (?P<row>\d{1,6})\]"
    r"(?: ?On the '(?P<sheet>\w{1,40})' sheet, the '(?P<column>[^']{1,100})' value)?"
)
_UNKNOWN_TYPE: Final = re.compile(r"Unknown question type '(?P<type>[^']{1,200})'")
_OPEN: Final = re.compile(r"Unmatched 'begin_(?P<type>\w{1,20})'")
_NO_LISTS: Final = re.compile(r"There should be an? (?P<external>external_)?choices sheet")
_NO_LIST: Final = re.compile(r"List name not in (?:external )?choices sheet: (?P<list>.{1,200})")
_REPEATED: Final = re.compile(r"the 'name' value '(?P<name>[^']{1,200})' is invalid\. Questions, groups")
_NAMELESS: Final = ("with no name", "Choices must have a name")
_BAD_NAME: Final = "Names must begin with"
_GOOD_NAME: Final = re.compile(r"[^\W\d][\w.-]*")
_REFERENCE: Final = re.compile(r"\$\{\s{0,9}([^{}]{1,200}?)\s{0,9}\}")
_LAST_SAVED: Final = "last-saved#"
"""Precedes the name in a reference to the answer of the previous form."""
_NO_ANSWER: Final = re.compile(r"(?:find the name|The name) '(?P<name>[^']{1,100})'")
"""A name that no row has, or several have."""
_LISTED: Final = re.compile(r"(?:add )?(?:select|rank)", re.IGNORECASE)
_NOT_IN_NAMES: Final = re.compile(r"[^\w.-]+")
_LONGEST: Final = 60
_LONGEST_REASON: Final = 300
_ROW_OF: Final = re.compile(r"\[row : \d{1,6}\] ?")
_NAME: Final = "name"
_LIST: Final = "list name"
_TEXTS: Final = ("label", "media")
_NEEDED: Final = frozenset({"type", _NAME, "label", "hint", "sottovoce_row"})
"""Columns without which a row is no question."""
_IS_END: Final = re.compile(r"\s?end[\s_]", re.IGNORECASE)
"""The type of a row that ends a group; *end* alone is the time of the end."""
_IS_GROUP: Final = re.compile(r"\s?(?:begin|end)\b", re.IGNORECASE)

Sheets = Mapping[str, list[dict[str, Any]]]
"""The rows of each sheet, from the second row of the file on."""
RepairKind = Literal[
    "renamed",
    "named",
    "emptied",
    "row",
    "column",
    "closed",
    "listed",
    "filled",
    "moved",
    "sheet",
    "unlisted",
]


@dataclass(frozen=True, kw_only=True)
class Repair:
    """One change of a form, and pyxform's reason for it.

    Parameters
    ----------
    change : str
        A new name, also where there was none; a cell, a row or a column that was left out; a group that was
        closed; another list, or that of the row above; a header that was moved, a sheet with another name;
        or an answer without a list, which was left out.
    sheet : str
    row : int
        0 for a column.
    column : str
    said : str
        pyxform's message.
    value : str
        The new name, the name of the list or sheet, or the row of the header.
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
        return self.change in ("emptied", "row", "column", "unlisted")

    @property
    def message(self) -> str:
        """What was changed, in words."""
        messages: dict[RepairKind, str] = {
            "renamed": _("its name is %(value)s here, because the form's name for it cannot be used"),
            "named": _("it has no name in the form, so its name is %(value)s here"),
            "emptied": (
                _("this condition is not valid, so everyone is asked this")
                if self.column == "relevant"
                else _("the content of this cell is left out, because it is not valid")
            ),
            "row": _("the row is left out, because it is not valid"),
            "column": _("the column is left out, because it is not valid"),
            "closed": _("this group has no end, so it ends with the sheet"),
            "listed": _("its answers are those of the list %(value)s, whose name differs in capital letters"),
            "filled": _("this answer belongs to the list %(value)s, as the one above, because it names none"),
            "moved": _("the header of this sheet is in row %(value)s; what is above it is left out"),
            "sheet": _("read from the sheet %(value)s, because no sheet has the name %(sheet)s"),
            "unlisted": (
                _("this answer is left out, because it names no list")
                if self.row
                else _("this sheet is not imported, because no answer in it names a list")
            ),
        }
        return messages[self.change] % {"value": self.value, "sheet": self.sheet}

    @property
    def remedy(self) -> str:
        """What to do about it: pyxform's reason shows it."""
        if self.change == "unlisted":
            return (
                _("write it into the column list_name, if people can choose this answer")
                if self.row
                else _("if it holds answers, write the list of each into the column list_name")
            )
        if not self.said:
            return ""
        said = _ROW_OF.sub("", " ".join(self.said.split())).rstrip(".")
        return _("the check of the form says: %(said)s") % {"said": short_text(said, _LONGEST_REASON)}


def repair(sheets: Sheets, said: str) -> list[Repair]:
    """Change the sheets so that pyxform's objection no longer holds; nothing if it names nothing to change.

    All places with the same cause are changed: all questions whose list is missing, all conditions on
    missing names.

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
        return _without_list(sheets, match.groupdict(), said)
    place = _PLACE.search(said)
    if place is None:
        return []
    sheet, column = place["sheet"] or "survey", place["column"] or ""
    rows = sheets.get(sheet, [])
    if repeated := _REPEATED.search(said):
        emptied = _without_answer(sheet, rows, repeated["name"], "", said)
        return [*_renamed(rows, sheet, said, repeated["name"], int(place["row"])), *emptied]
    found: list[Repair] = []
    if any(each in said for each in _NAMELESS) or (column == _NAME and _BAD_NAME in said):
        found = _renamed(rows, sheet, said)
    elif answer := _NO_ANSWER.search(said):
        found = _without_answer(sheet, rows, answer["name"], column, said)
    return found or _repaired_row(rows, sheet, int(place["row"]), column, said)


def _renamed(
    rows: Sequence[dict[str, Any]], sheet: str, said: str, name: str | None = None, start: int = _FIRST_ROW
) -> list[Repair]:
    """Give new names to all rows of a sheet whose names are missing or invalid; or to those with one name.

    Conditions follow a row that alone had an invalid name. Answers without a text are left out.

    Parameters
    ----------
    rows : sequence of dict
    sheet, said : str
    name : str, optional
        The name of several rows: those from the row `start` on are renamed.
    start : int
    """
    repairs = []
    counts = Counter(str(row.get(_NAME, "")) for row in rows)
    taken, new_names = _taken(rows), dict[str, str]()
    for number, row in enumerate(rows, start=_FIRST_ROW):
        own = str(row.get(_NAME, ""))
        is_bad = not own or (_BAD_NAME in said and not _GOOD_NAME.fullmatch(own))
        if name:
            is_bad = number >= start and own == name
        if not is_bad or not _can_be_renamed(row, sheet):
            continue
        if sheet == "choices" and not any(column.split("::")[0] in _TEXTS for column in row):
            row.clear()
            repairs.append(Repair(change="row", sheet=sheet, row=number, said=said))
            continue
        new = row[_NAME] = _fresh_name(own or f"row_{number}", taken)
        change: RepairKind = "renamed" if own else "named"
        repairs.append(Repair(change=change, sheet=sheet, row=number, column=_NAME, value=new, said=said))
        if name is None and counts[own] == 1:
            new_names[own] = new
    if new_names:
        _refer(rows, new_names)
    return repairs


def _can_be_renamed(row: Mapping[str, Any], sheet: str) -> bool:
    """Return whether a row is one that can be renamed: a question or group, or an answer without a name."""
    if sheet == "choices":
        return not row.get(_NAME) and bool(row.get(_LIST))
    return bool(row.get("type")) and not _IS_END.match(str(row["type"]))


def _refer(rows: Iterable[dict[str, Any]], new_names: Mapping[str, str]) -> None:
    """Write new names into all cells that refer to rows by their former names."""
    for row in rows:
        row |= {
            column: _REFERENCE.sub(lambda found: f"${{{new_names.get(found[1], found[1])}}}", cell)
            for column, cell in row.items()
            if isinstance(cell, str) and "${" in cell
        }


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
        name = row[_NAME] = _fresh_name(str(row.get(_NAME, "")) or f"row_{number}", _taken(rows))
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


def _without_list(sheets: Sheets, lacking: Mapping[str, str | None], said: str) -> list[Repair]:
    """Leave out all questions whose list the form lacks; a list whose name only differs in capitals is used.

    Parameters
    ----------
    sheets : mapping of str to list of dict
    lacking : mapping of str to str or None
        The name of a list; or whether all lists of the sheet *external_choices* are missing, otherwise those
        of *choices*.
    said : str
    """
    repairs = []
    lists = {str(row.get(_LIST, "")) for row in sheets.get("choices", ())}
    folded = {each.casefold(): each for each in lists}
    reason, _colon, _name = said.rpartition(": ")
    for number, row in enumerate(sheets.get("survey", ()), start=_FIRST_ROW):
        kind = str(row.get("type", ""))
        words = kind.split()
        is_external = "external" in "".join(words[:1]).lower()
        if not (is_external or _LISTED.match(kind)) or any("." in word or "$" in word for word in words):
            continue
        if "list" not in lacking:
            is_lacking = is_external == bool(lacking["external"])
        elif is_external:
            is_lacking = words[-1] == lacking["list"]
        else:
            is_lacking = len(words) > 1 and words[-1] not in lists
        own = f"{reason}: {words[-1]}" if "list" in lacking else said
        if is_lacking and (other := folded.get(words[-1].casefold())) and not is_external:
            row["type"] = kind[: -len(words[-1])] + other
            repairs.append(Repair(change="listed", sheet="survey", row=number, value=other, said=own))
        elif is_lacking:
            _keep_name(row)
            repairs.append(Repair(change="row", sheet="survey", row=number, said=own))
    return repairs


def _without_answer(
    sheet: str, rows: Sequence[dict[str, Any]], name: str, column_said: str, said: str
) -> list[Repair]:
    """Empty all cells that refer to a name that no row has, or several have.

    Parameters
    ----------
    sheet : str
    rows : sequence of dict
    name : str
    column_said : str
        The column that pyxform checked: if no row has the name, cells there that refer to any other missing
        name are emptied, too.
    said : str
    """
    known = {str(row.get(_NAME, "")) for row in rows}
    repairs = []
    for number, row in enumerate(rows, start=_FIRST_ROW):
        for column, cell in [*row.items()]:
            referred = {each.removeprefix(_LAST_SAVED) for each in _REFERENCE.findall(str(cell))}
            missing = referred - known if name not in known and column == column_said else set()
            if column in ("type", _NAME) or column not in row or not (name in referred or missing):
                continue
            own = said if name in referred else said.replace(f"'{name}'", f"'{min(missing)}'")
            if column == "calculation" and str(row.get("type", "")).strip() == "calculate":
                _keep_name(row)
                repairs.append(Repair(change="row", sheet=sheet, row=number, said=own))
            else:
                del row[column]
                repairs.append(Repair(change="emptied", sheet=sheet, row=number, column=column, said=own))
    return repairs


def with_lists(choices: list[dict[str, Any]]) -> list[Repair]:
    """Return a repair for each row of the sheet *choices* that names no list; pyxform leaves these out.

    An answer directly below the only one that names its list gets that list: its cell may be merged over all
    rows. If no row names a list, the sheet is not one of answers: it becomes empty, with one repair.

    Examples
    --------
    >>> rows = [{"list name": "yn", "name": "yes"}, {"name": "no"}, {}, {"name": "x", "label": "Stray"}]
    >>> [(each.change, each.row) for each in with_lists(rows)], rows[1]["list name"]
    ([('filled', 3), ('unlisted', 5)], 'yn')
    >>> rows = [{"town": "Bo"}, {"town": "Kenema"}]
    >>> [each.row for each in with_lists(rows)], rows
    ([0], [])
    """
    repairs = []
    named = Counter(row.get(_LIST) for row in choices)
    name = None
    for number, row in enumerate(choices, start=_FIRST_ROW):
        name = row.get(_LIST) or (name if row.get("name") else None)
        if name and named[name] == 1 and not row.get(_LIST):
            row[_LIST] = name
            repairs.append(Repair(change="filled", sheet="choices", row=number, said="", value=str(name)))
        elif row and not row.get(_LIST):
            repairs.append(Repair(change="unlisted", sheet="choices", row=number, said=""))
    if repairs and not any(row.get(_LIST) for row in choices):
        choices.clear()
        return [Repair(change="unlisted", sheet="choices", row=0, said="")]
    return repairs


def repair_by_trial(rows: Sequence[dict[str, Any]], said: str, refusal: Callable[[], str]) -> list[Repair]:
    """Find the cell, or else the row, without which an objection that names no place is gone; leave it out.

    Parameters
    ----------
    rows : sequence of dict
        Rows of the sheet *survey*; changed in place.
    said : str
    refusal : callable
        Returns what pyxform objects to in the rows as they are; empty if it accepts them.

    Examples
    --------
    >>> rows = [{"type": "text", "name": "q"}, {"type": "text", "name": "p", "parameters": "x"}]
    >>> repair_by_trial(rows, "No x!", lambda: "No x!" if "parameters" in rows[1] else "")[0].row, rows[1]
    (3, {'type': 'text', 'name': 'p'})
    """
    places = [(row, column) for row in rows for column in row if column.split("::")[0] not in _NEEDED]
    questions = [row for row in rows if row and not _IS_GROUP.match(str(row.get("type", "")))]
    for cells in (places, [(row, column) for row in questions for column in row]):
        if not cells or _refusal_without(cells, refusal) == said:
            continue
        low, high = 0, len(cells)
        while high - low > 1:
            middle = (low + high) // 2
            if _refusal_without(cells[:middle], refusal) == said:
                low = middle
            else:
                high = middle
        row, column = cells[low]
        number = next(at for at, each in enumerate(rows, start=_FIRST_ROW) if each is row)
        if cells is places:
            del row[column]
            return [Repair(change="emptied", sheet="survey", row=number, column=column, said=said)]
        _keep_name(row)
        return [Repair(change="row", sheet="survey", row=number, said=said)]
    return []


def _refusal_without(cells: Sequence[tuple[dict[str, Any], str]], refusal: Callable[[], str]) -> str:
    """Return what pyxform objects to if cells are empty."""
    kept = [(row, dict(row)) for row in {id(row): row for row, _column in cells}.values()]
    for row, column in cells:
        row.pop(column, None)
    try:
        return refusal()
    finally:
        for row, content in kept:
            row.clear()
            row.update(content)


def is_about_types(said: str) -> bool:
    """Return whether a message only says that a question's type is unknown: the reader lists these rows."""
    return _UNKNOWN_TYPE.search(said) is not None


def _taken(rows: Iterable[Mapping[str, Any]]) -> set[str]:
    """Return the names that no row can get."""
    return {"meta", *(str(row.get(_NAME, "")).lower() for row in rows)}


def _fresh_name(name: str, taken: set[str]) -> str:
    """Return a valid name that is not taken, and take it."""
    plain = "".join(each for each in unicodedata.normalize("NFKD", name) if not unicodedata.combining(each))
    stem = _NOT_IN_NAMES.sub("_", plain).strip("._-")[:_LONGEST] or "row"
    stem = stem if stem[0].isalpha() or stem[0] == "_" else f"_{stem}"
    numbered = (f"{stem}_{number}" for number in itertools.count(2))
    fresh = next(each for each in itertools.chain([stem], numbered) if each.lower() not in taken)
    taken.add(fresh.lower())
    return fresh
