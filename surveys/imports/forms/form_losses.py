"""What of an XLSForm has no effect here, and how the import report says so."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from privacy.survey.component import MOST_OPTIONS
from surveys.errors.error import short_json
from surveys.imports.drafts.form_columns import DATE, MONTHS, bounded_by_constraint
from surveys.imports.drafts.questionnaire import LOST, Part
from surveys.imports.words.markup import shows_media

LOOKS: Final = {"likert": "rating", "list-nolabel": "table"}
"""Flags for the supported appearances of a question with options."""
_TRACES: Final = frozenset(
    {"start", "end", "today", "deviceid", "phonenumber", "username", "email", "audit", "simserial"}
    | {"subscriberid", "start-geopoint", "background-geopoint", "background-audio", "imei"}
)
_SILENT: Final = frozenset({"hidden", "xml-external", "csv-external"})
_LISTLESS: Final = frozenset({"select_one", "select one", "select1", "select_multiple", "select multiple"})
_SEARCHES: Final = re.compile(r"\bsearch\s?\(")
_OF_TABLES: Final = "table-list"
_MOVED: Final = "generated_table_list_label_"
"""The name that pyxform gives to a row with the label of a table."""
_FALSE: Final = frozenset({"", "no", "false", "false()", "0"})
_SHEETS: Final = frozenset({"survey", "choices", "settings", "external_choices", "entities", "osm"})
_OF_DATA: Final = frozenset(
    {"type", "name", "title", "id_string", "sms_keyword", "default_language", "version", "entity_version"}
    | {"instance_name", "instance_xmlns", "prefix", "delimiter", "allow_choice_duplicates"}
    | {"clean_text_values", "omit_instanceid", "add_none_option"}
)
"""Settings that are imported, or that only affect how other programs store answers."""


def unsupported_reason(kind: str, *, is_unknown: bool = False) -> str:
    """Explain why a row of this unsupported type is left out; an unknown type may be misspelt."""
    if kind in _SILENT:
        return _("not asked, because another program computes it")
    if kind in _TRACES:
        return _("surveys here record no time, place or device")
    if kind.lower() in _LISTLESS:
        return _("it names no list of answers: write the name of its list after the type, in the file")
    if is_unknown:
        return _(
            "this type is unknown: write another one in the file, such as integer or select_one with a list"
        )
    if kind in ("text", "string"):
        return _("free text can show who wrote it and cannot be disguised: offer answers instead")
    if kind == "note":
        return _("a text between questions is not shown: put it into the title of a part or the help")
    return _("there is no such question here: ask with options, a number or a place")


def size_reason(count: int) -> tuple[str, str]:
    """Explain why a question whose list has this many answers is left out, and what to do."""
    message = ngettext(
        "its list has %(count)s answer; a question has 2 to %(most)s",
        "its list has %(count)s answers; a question has 2 to %(most)s",
        count,
    )
    remedy = _("shorten the list, or ask with fewer, wider answers") if count > MOST_OPTIONS else ""
    return message % {"count": count, "most": MOST_OPTIONS}, remedy


def is_searched(cells: Mapping[str, str]) -> bool:
    """Return whether the answers of a row are in another file: the form's list only names columns of it.

    Examples
    --------
    >>> is_searched({"appearance": "minimal search('villages')"}), is_searched({"appearance": "minimal"})
    (True, False)
    """
    return _SEARCHES.search(cells.get("appearance", "")) is not None


def loss_cause(kind: str, why: str) -> str:
    """Return the cause of a loss: rows on times, places and devices are noted in one line."""
    return why if kind in _TRACES else f"{kind} {why}"


def texts_of_group(node: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the node that has the label and the hint of a group in pyxform's tree.

    pyxform moves those of a group that is shown as a table to a row of its own, which is in no sheet.

    Examples
    --------
    >>> row = {"type": "note", "name": "generated_table_list_label_2", "label": "Did he ever"}
    >>> texts_of_group({"children": [row]})["label"], texts_of_group({"label": "Work"})["label"]
    ('Did he ever', 'Work')
    """
    first: Mapping[str, Any] = next(iter(node.get("children", ())), {})
    return first if str(first.get("name", "")).startswith(_MOVED) and first.get("type") == "note" else node


def note_unused(
    node: Mapping[str, Any],
    cells: Mapping[str, str],
    options: Iterable[Mapping[str, Any]],
    note: Callable[..., None],
) -> None:
    """Note a row's settings that have no effect here.

    Parameters
    ----------
    node : mapping
        The row in pyxform's tree.
    cells : mapping of str to str
        The row by column; its type is pyxform's.
    options : iterable of mapping
        Those of the row's list that have pictures or sound.
    note : callable
        Called with a column, a message, a remedy and optional fields of a `Note`.
    """
    bind = node.get("bind", {})
    if _is_true(bind.get("required")):
        note("required", _("the form requires an answer, but respondents can skip any question here"), "")
    if bind.get("calculate"):
        note("calculation", _("the form calculates this answer, but respondents enter it here"), "")
    if _is_true(bind.get("readonly")):
        note("read_only", _("the form only displays this answer, but respondents enter it here"), "")
    if node.get("default"):
        note("default", _("the form fills in an answer, but the question starts empty here"), "")
    if cells.get("constraint") and not bounded_by_constraint(cells):
        note("constraint", _("the rule for allowed answers is not applied"), "", effect=LOST)
    if node.get("guidance_hint"):
        note("guidance_hint", _("guidance for interviewers is left out"), "", effect=LOST)
    if node.get("media") or [*options] or any(shows_media(node.get(text)) for text in ("label", "hint")):
        note("media", _("pictures and sound are left out"), "", effect=LOST)
    if looks := [look for look in cells.get("appearance", "").split() if not _is_followed(look, cells)]:
        message = _(
            "the appearance %(text)s is not available here, so the question looks like others of its kind"
        )
        note("appearance", message % {"text": short_json(" ".join(looks))}, "", cause="appearance")
    if isinstance(parameters := node.get("parameters"), dict):
        _note_parameters(parameters, note)


def _note_parameters(parameters: Mapping[str, str], note: Callable[..., None]) -> None:
    """Note a row's parameters that have no effect here."""
    for name, value in parameters.items():
        if name == "randomize" and _is_true(value):
            note("parameters", _("the form shuffles the options, but they keep their order here"), "")
        elif name not in ("randomize", "seed", "start", "end") and (name, value) != ("step", "1"):
            message = _("the parameter %(text)s has no effect here")
            note("parameters", message % {"text": short_json(f"{name}={value}")}, "", cause="parameters")


def note_lost_titles(parts: Sequence[Part], note: Callable[..., None]) -> None:
    """Note the titles and introductions of groups that no part with questions has.

    Parameters
    ----------
    parts : sequence of Part
        Those without questions will be left out.
    note : callable
        Called with a row, a column, a message, a remedy and optional fields of a `Note`.
    """
    # Parts of the same group share its texts; those of another group may be equal.
    kept = {id(texts) for part in parts if part.questions for texts in (part.texts, part.help)}
    for part in parts:
        for texts in (part.texts, part.help):
            if texts and id(texts) not in kept:
                kept.add(id(texts))
                note(
                    part.line,
                    "label",
                    _("the text of this group is left out, because no question is directly in it"),
                    _("add it to the title of a part in the builder, if respondents need it"),
                    effect=LOST,
                    cause="title",
                )


def unused_settings(form: Mapping[str, Any]) -> list[str]:
    """Return the unsupported settings that can change what respondents see."""
    return [name for name, value in form.items() if isinstance(value, str) and name not in _OF_DATA]


def unused_sheets(names: Iterable[str]) -> list[str]:
    """Return the sheets of a workbook that are ignored.

    Examples
    --------
    >>> unused_sheets(["survey", "Choices", "Translations", "entities"])
    ['Translations']
    """
    return [name for name in names if name.strip().lower() not in _SHEETS]


def _is_true(cell: object) -> bool:
    return str(cell or "").strip().lower() not in _FALSE


def _is_followed(look: str, cells: Mapping[str, str]) -> bool:
    kind = cells["type"]
    if kind.lower() in _LISTLESS:
        return look in LOOKS and look == cells["appearance"].split()[0]
    return look == MONTHS if kind == DATE else look == _OF_TABLES
