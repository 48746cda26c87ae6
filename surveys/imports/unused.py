"""What an XLSForm states that respondents do not see here: required answers, calculations, looks, sheets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from django.utils.translation import gettext as _

from surveys.errors.error import shown
from surveys.imports.questionnaire import LOST, Effect
from surveys.imports.scale_questions import COLUMN, DATE, MONTHS, bounded_by_constraint
from surveys.imports.workbook import Row

__all__ = ["LOOKS", "Unused", "unused_columns", "unused_settings", "unused_sheets", "why_lost"]

LOOKS: Final = {"likert": "rating", "list-nolabel": "table"}
"""Appearances of a question with options, and what they are here."""
_TRACES: Final = frozenset(
    {"start", "end", "today", "deviceid", "phonenumber", "username", "email", "audit", "simserial"}
    | {"subscriberid", "start-geopoint", "background-geopoint", "background-audio", "imei"}
)
_SILENT: Final = frozenset({"calculate", "hidden", "xml-external", "csv-external"})
_OF_TABLES: Final = "table-list"
_FALSE: Final = frozenset({"", "no", "false", "false()", "0"})
_SHEETS: Final = frozenset({"survey", "choices", "settings", "external_choices", "entities", "osm"})
_OF_DATA: Final = frozenset(
    {"type", "name", "title", "id_string", "sms_keyword", "default_language", "version", "entity_version"}
    | {"instance_name", "instance_xmlns", "prefix", "delimiter", "allow_choice_duplicates"}
    | {"clean_text_values", "omit_instanceid", "add_none_option"}
)
"""Settings that are imported, or that say only how other programs store answers."""


class Unused(NamedTuple):
    """One thing without an effect: its column, what is so, and how notes of its cause are called."""

    column: str
    message: str
    effect: Effect = "changed"
    cause: str = ""


def why_lost(kind: str) -> str:
    """Return why a row of this type, which is none that a survey here asks, is left out."""
    if kind in _SILENT:
        return _("it is not asked: another program computes it")
    if kind in _TRACES:
        return _("a survey here records no time, no place and no device")
    if kind == "text":
        return _("free text can show who wrote it and cannot be disguised: offer answers instead")
    if kind == "note":
        return _("a text between questions is not shown: put it into the title of a part or the help")
    return _("no question here is like it: ask with options, a number or a place")


def unused_columns(
    node: Mapping[str, Any], row: Row, options: Iterable[Mapping[str, Any]] = ()
) -> Iterator[Unused]:
    """Yield what a row states without an effect.

    Parameters
    ----------
    node : mapping
        The row in pyxform's tree.
    row : Row
        Its cells; the type is pyxform's.
    options : iterable of mapping
        Those of its list.
    """
    cells, bind = row.cells, node.get("bind", {})
    if _is_true(bind.get("required")):
        yield Unused("required", _("the form requires an answer: here, respondents can skip any question"))
    if bind.get("calculate"):
        yield Unused("calculation", _("the form calculates the answer: here, respondents give it"))
    if _is_true(bind.get("readonly")):
        yield Unused("read_only", _("the form only shows this answer: here, respondents give it"))
    if node.get("default"):
        yield Unused("default", _("the form fills in an answer: here, the question begins without one"))
    if cells.get("constraint") and COLUMN not in cells and not bounded_by_constraint(row):
        yield Unused("constraint", _("the rule for allowed answers is not applied"), LOST)
    if node.get("guidance_hint"):
        yield Unused("guidance_hint", _("guidance for interviewers is left out"), LOST)
    if node.get("media") or any(option.get("media") for option in options):
        yield Unused("media", _("pictures and sound are left out"), LOST)
    if looks := [look for look in cells.get("appearance", "").split() if not _is_followed(look, row)]:
        message = _(
            "the appearance %(text)s is not available here: the question looks like others of its kind"
        )
        yield Unused("appearance", message % {"text": shown(" ".join(looks))}, cause="appearance")
    stated = node.get("parameters")
    parameters = stated.items() if isinstance(stated, dict) and COLUMN not in cells else ()
    for name, value in parameters:
        if name == "randomize" and _is_true(value):
            yield Unused("parameters", _("the form shuffles the options: here, they keep their order"))
        elif name not in ("randomize", "seed", "start", "end") and (name, value) != ("step", "1"):
            message = _("the parameter %(text)s has no effect here")
            yield Unused("parameters", message % {"text": shown(f"{name}={value}")}, cause="parameters")


def unused_settings(form: Mapping[str, Any]) -> list[str]:
    """Return the settings without an effect that can change what respondents see."""
    return [
        name
        for name, value in form.items()
        if isinstance(value, str) and name not in _OF_DATA and not name.startswith("sottovoce_")
    ]


def unused_sheets(names: Iterable[str]) -> list[str]:
    """Return the sheets of a workbook that are not read.

    Examples
    --------
    >>> unused_sheets(["survey", "Choices", "Translations", "entities"])
    ['Translations']
    """
    return [name for name in names if name.strip().lower() not in _SHEETS]


def _is_true(stated: object) -> bool:
    return str(stated or "").strip().lower() not in _FALSE


def _is_followed(look: str, row: Row) -> bool:
    kind = row.cells["type"]
    if kind.startswith("select"):
        return look in LOOKS and look == row.cells["appearance"].split()[0]
    return look == MONTHS if kind == DATE else look == _OF_TABLES
