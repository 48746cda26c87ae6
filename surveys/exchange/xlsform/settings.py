"""The sheet *settings* of an XLSForm, and the languages of its columns."""

from __future__ import annotations

from typing import Any, Final

from django.utils.translation import gettext as _

from surveys.errors.error import shown
from surveys.imports.columns import language_tag, split_header, texts_of
from surveys.imports.own_columns import SETTINGS, own_members
from surveys.imports.workbook import Notes, Row, Sheet, cell_name
from surveys.questionnaire.catalogue import scratch_document
from surveys.questionnaire.definition import ABOUT, OPTIONAL

SHEETS: Final = ("survey", "choices", "settings")
_ABOUT: Final = frozenset(f"sotto_about_{name}" for name in (*ABOUT, *OPTIONAL))
_SETTINGS: Final = frozenset(
    {"form_title", "form_id", "id_string", "version", "default_language", "sotto_title"} | _ABOUT
).union(column.name for column in SETTINGS)
_GROUP: Final = "group."
_IN_LANGUAGES: Final = frozenset({"label", "hint", "form_title", "sotto_title", "sotto_help"} | _ABOUT)


def read_settings(sheet: Sheet | None, notes: Notes) -> Row:
    """Return the first row of the sheet; note what a survey has nothing like."""
    first, *others = [row for row in (sheet.rows if sheet else ()) if row.cells] or [Row(number=2, cells={})]
    for row in others:
        notes.left_out(cell_name("settings", row.number), _("one row of settings is read"))
    for header in first.cells:
        if split_header(header)[0] not in _SETTINGS:
            notes.left_out(cell_name("settings", None, header), _("a survey has nothing like it"))
    return first


def read_languages(sheets: dict[str, Sheet], settings: Row, notes: Notes) -> list[str]:
    """Return the form's languages, the default one first."""
    languages: list[str] = []
    stated = settings.cells.get("default_language")
    if stated and stated.lower() != "default":
        tag = language_tag(stated)
        if tag is None:
            notes.problems.add(
                cell_name("settings", settings.number, "default_language"),
                _("%(language)s names no language") % {"language": shown(stated)},
                _("write it with its tag, such as English (en)"),
            )
        else:
            languages.append(tag)
    for name in SHEETS:
        for header in sheets[name].headers if name in sheets else ():
            column, language = split_header(header)
            if language is None or language.lower() == "default" or column not in _IN_LANGUAGES:
                continue
            tag = language_tag(language)
            if tag is None:
                notes.problems.add(
                    cell_name(name, 1, header),
                    _("%(language)s names no language") % {"language": shown(language)},
                    _("write it with its tag, such as English (en)"),
                )
            elif tag not in languages:
                languages.append(tag)
    return languages or ["en"]


def head_of(settings: Row, languages: list[str], notes: Notes) -> dict[str, Any]:
    """Return a draft without blocks that says what the settings say."""
    document = scratch_document(title="", languages=languages)
    cells, default = settings.cells, languages[0]
    for column in ("form_title", "sotto_title"):
        document["title"] |= texts_of(cells, column, default=default)
    for name in ABOUT:
        document["about"][name] |= texts_of(cells, f"sotto_about_{name}", default=default)
    for name in OPTIONAL:
        if texts := texts_of(cells, f"sotto_about_{name}", default=default):
            document["about"][name] = texts
    for name, value in own_members(SETTINGS, settings, "settings", notes).items():
        owner = document["group"] if name.startswith(_GROUP) else document
        owner[name.removeprefix(_GROUP)] = value
    return document
