"""The sheet *choices* of an XLSForm: lists of options."""

from __future__ import annotations

from typing import Any, Final

from django.utils.translation import gettext as _

from surveys.errors.error import shown
from surveys.imports.columns import split_header, texts_of
from surveys.imports.workbook import Notes, Sheet, cell_name

_COLUMNS: Final = frozenset({"list_name", "name", "label", "sotto_key"})


Choices = dict[str, list[dict[str, Any]]]
"""Lists by their names; an option is a dict with key and text, as in a definition."""


def read_choices(sheet: Sheet | None, *, default: str, notes: Notes) -> Choices:
    """Return the lists of the sheet; note options without a name, and names twice in one list."""
    choices: Choices = {}
    for header in sheet.headers if sheet else ():
        if split_header(header)[0] not in _COLUMNS:
            notes.left_out(cell_name("choices", 1, header), _("an option has nothing like it"))
    for row in sheet.rows if sheet else ():
        if not row.cells:
            continue
        name, key = row.cells.get("list_name"), row.cells.get("name")
        if name is None or key is None:
            column = "list_name" if name is None else "name"
            notes.problems.add(cell_name("choices", row.number, column), _("it is empty"), _("state it"))
            continue
        options = choices.setdefault(name, [])
        if any(option["key"] == key for option in options):
            notes.problems.add(
                cell_name("choices", row.number, "name"),
                _("%(key)s stands twice in the list %(name)s") % {"key": shown(key), "name": shown(name)},
                _("give each option a name of its own"),
            )
            continue
        options.append({"key": key, "text": texts_of(row.cells, "label", default=default)})
    return choices
