"""The sheet *settings* of an XLSForm, and the languages of its columns."""

from __future__ import annotations

from typing import Any, Final

from django.utils.translation import gettext as _

from surveys.errors.error import shown
from surveys.exchange.xlsform.arms import EXPLAINED, arm_texts_of
from surveys.exchange.xlsform.columns import chance_of, language_tag, split_header, texts_of
from surveys.exchange.xlsform.rotation import ROTATIONS, rotations_of
from surveys.exchange.xlsform.workbook import Notes, Sheet, cell_name
from surveys.questionnaire.arms import EXPLANATIONS
from surveys.questionnaire.catalogue import scratch_document
from surveys.questionnaire.definition import ABOUT, OPTIONAL
from surveys.questionnaire.panel import PANEL

SHEETS: Final = ("survey", "choices", "settings")
_ABOUT: Final = frozenset(f"sotto_about_{name}" for name in (*ABOUT, *OPTIONAL))
_SETTINGS: Final = frozenset(
    {"form_title", "form_id", "id_string", "version", "default_language", "sotto_practice", "sotto_time_zone"}
    | {"sotto_title", "sotto_group_policy", "sotto_direct_share", "sotto_opens_at", "sotto_closes_at"}
    | {"sotto_series", "sotto_panel", "sotto_light", "sotto_invited", "sotto_delete_on", ROTATIONS, EXPLAINED}
    | _ABOUT
)
_IN_LANGUAGES: Final = frozenset({"label", "hint", "form_title", "sotto_title", "sotto_help"} | _ABOUT)


def read_settings(sheet: Sheet | None, notes: Notes) -> dict[str, str]:
    """Return the first row of the sheet; note what a survey has nothing like."""
    cells: dict[str, str] = {}
    for row in sheet.rows if sheet else ():
        if cells and row.cells:
            notes.left_out(cell_name("settings", row.number), _("one row of settings is read"))
        cells = cells or dict(row.cells)
    for header in cells:
        if split_header(header)[0] not in _SETTINGS:
            notes.left_out(cell_name("settings", None, header), _("a survey has nothing like it"))
    return cells


def read_languages(sheets: dict[str, Sheet], settings: dict[str, str], notes: Notes) -> list[str]:
    """Return the form's languages, the default one first."""
    languages: list[str] = []
    stated = settings.get("default_language")
    if stated and stated.lower() != "default":
        tag = language_tag(stated)
        if tag is None:
            notes.problems.add(
                cell_name("settings", 2, "default_language"),
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


def head_of(settings: dict[str, str], languages: list[str], notes: Notes) -> dict[str, Any]:
    """Return a draft without blocks that says what the settings say."""
    document = scratch_document(title="", languages=languages)
    default = languages[0]
    for column in ("form_title", "sotto_title"):
        document["title"] |= texts_of(settings, column, default=default)
    for name in ABOUT:
        document["about"][name] |= texts_of(settings, f"sotto_about_{name}", default=default)
    for name in OPTIONAL:
        if texts := texts_of(settings, f"sotto_about_{name}", default=default):
            document["about"][name] = texts
    document["practice"] = settings.get("sotto_practice", "no").lower() in ("yes", "true")
    policy = settings.get("sotto_group_policy", "protected")
    document["group"] = {"policy": policy}
    if "sotto_direct_share" in settings:
        document["group"]["direct_share"] = chance_of(settings["sotto_direct_share"])
    if settings.get("sotto_light", "no").lower() in ("yes", "true"):
        document["group"]["light"] = True
    for name in ("time_zone", "opens_at", "closes_at", "delete_on", "series", "invited", PANEL):
        if f"sotto_{name}" in settings:
            document[name] = settings[f"sotto_{name}"]
    if EXPLAINED in settings:
        stated = arm_texts_of(settings[EXPLAINED], cell_name("settings", 2, EXPLAINED), notes)
        document[EXPLANATIONS] = stated
    if ROTATIONS in settings:
        document["rotations"] = rotations_of(settings[ROTATIONS], notes)
    return document
