"""Columns of an XLSForm: Sottovoce's own, those of numbers and places, and those without effect.

Other programs ignore Sottovoce's own columns. They are described in docs/definition.md.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from privacy.coins import SCALE
from privacy.errors import PrivacyError
from privacy.scales.window import calendar_tick
from surveys.errors.error import shown
from surveys.imports.questionnaire import LOST, Effect
from surveys.imports.workbook import Notes, Row, cell_name
from surveys.questionnaire.arms import EXPLANATIONS, PANEL, WORDINGS
from surveys.questionnaire.kinds import RIGHT, SLIDER

_CHANCE: Final = re.compile(r"[0-9]{0,6}\.?[0-9]{1,12}", re.ASCII)
_COUNT: Final = re.compile(r"[0-9]{1,4}", re.ASCII)
_NUMBER_OF_EPSILON: Final = re.compile(r"[0-9]{1,2}(\.[0-9]{1,12})?", re.ASCII)
_ROTATION: Final = re.compile(r"([0-9]{1,4}) of (.+)", re.ASCII)


@dataclass(frozen=True, kw_only=True)
class Notation:
    """How a cell states the value of a member.

    Parameters
    ----------
    read : callable
        Raises `ValueError` for an invalid text.
    wrong, remedy : str
        Messages about such a text, translated when they are shown.
    """

    read: Callable[[str], Any]
    wrong: Any = ""
    remedy: Any = ""


class OwnColumn(NamedTuple):
    """A column, the member that it holds, and how."""

    name: str
    member: str
    notation: Notation


def _matched(pattern: re.Pattern[str], text: str) -> re.Match[str]:
    match = pattern.fullmatch(text)
    if match is None:
        raise ValueError(text)
    return match


def _parts(text: str) -> list[str]:
    return [" ".join(part.split()) for part in text.split("|")]


def _yes_or_no(text: str) -> bool:
    if text.lower() not in ("yes", "no", "true", "false"):
        raise ValueError(text)
    return text.lower() in ("yes", "true")


def _chance(text: str) -> int:
    number = Decimal(_matched(_CHANCE, text)[0]) * SCALE
    if number != int(number) or number > SCALE:
        raise ValueError(text)
    return int(number)


def _count(text: str) -> int:
    return int(_matched(_COUNT, text)[0])


def _rotations(text: str) -> list[dict[str, Any]]:
    matches = [_matched(_ROTATION, part) for part in _parts(text)]
    return [{"blocks": match[2].split(), "parts_per_person": int(match[1])} for match in matches]


_TEXT: Final = Notation(read=str)
_YES_NO: Final = Notation(
    read=_yes_or_no,
    wrong=gettext_lazy("neither yes nor no: %(text)s"),
    remedy=gettext_lazy("write yes or no"),
)
_ONE_CHANCE: Final = Notation(
    read=_chance,
    wrong=gettext_lazy("not a probability: %(text)s"),
    remedy=gettext_lazy("write a number from 0 to 1 with at most four decimals, such as 0.5"),
)
_CHANCES: Final = Notation(
    read=lambda text: [_chance(part) for part in text.replace(";", " ").split()],
    wrong=gettext_lazy("not a probability: %(text)s"),
    remedy=gettext_lazy("write probabilities from 0 to 1, one for each option, separated by spaces"),
)
_LIGHT_EPSILON: Final = Notation(
    read=lambda text: {"epsilon": float(_matched(_NUMBER_OF_EPSILON, text)[0])},
    wrong=gettext_lazy("not a value of epsilon: %(text)s"),
    remedy=gettext_lazy("write a number, such as 4.5"),
)
_ITEMS: Final = Notation(
    read=lambda text: [part.split() for part in _parts(text)],
)
_PER_PERSON: Final = Notation(
    read=_count,
    wrong=gettext_lazy("not a number of questions: %(text)s"),
    remedy=gettext_lazy("write how many questions each person is asked, such as 4"),
)
_BOOKLETS: Final = Notation(
    read=lambda text: [[_count(number) - 1 for number in part.split()] for part in _parts(text)],
    wrong=gettext_lazy("%(text)s lists no sets of questions"),
    remedy=gettext_lazy("write the positions of questions in the group, starting at 1: 1 2 3 4 | 1 2 5 6"),
)
_ROTATIONS: Final = Notation(
    read=_rotations,
    wrong=gettext_lazy("not a rotation of parts: %(text)s"),
    remedy=gettext_lazy("write how many parts each person gets, and of which: 2 of money health work"),
)
_BY_ARM: Final = Notation(
    read=json.loads,
    wrong=gettext_lazy("%(value)s gives no texts by arm"),
    remedy=gettext_lazy('write {"question": …, "texts": {"arm": {"en": "…"}, …}}'),
)

GROUP: Final = (
    OwnColumn("sottovoce_protected", "protected", _YES_NO),
    OwnColumn("sottovoce_truth_probability", "truth_probability", _ONE_CHANCE),
    OwnColumn("sottovoce_refusal", "refusal", _ONE_CHANCE),
    OwnColumn("sottovoce_exclusive", "exclusive", _ITEMS),
    OwnColumn("sottovoce_light", "light", _ONE_CHANCE),
    OwnColumn("sottovoce_light_epsilon", "light", _LIGHT_EPSILON),
    OwnColumn("sottovoce_questions_per_person", "questions_per_person", _PER_PERSON),
    OwnColumn("sottovoce_booklets", "booklets", _BOOKLETS),
)
QUESTION: Final = (
    OwnColumn("sottovoce_unrelated", "unrelated", _CHANCES),
    OwnColumn("sottovoce_prevalence", "prevalence", _CHANCES),
    OwnColumn("sottovoce_shares", "shares", _CHANCES),
    OwnColumn("sottovoce_wordings", WORDINGS, _BY_ARM),
    OwnColumn("sottovoce_right", RIGHT, _TEXT),
    OwnColumn("appearance", "appearance", _TEXT),
    OwnColumn("sottovoce_known", "known", _YES_NO),
)
SETTINGS: Final = (
    OwnColumn("sottovoce_practice", "practice", _YES_NO),
    OwnColumn("sottovoce_group_policy", "group.policy", _TEXT),
    OwnColumn("sottovoce_time_zone", "time_zone", _TEXT),
    OwnColumn("sottovoce_light", "group.light", _YES_NO),
    OwnColumn("sottovoce_invited", "invited", _TEXT),
    OwnColumn("sottovoce_direct_share", "group.direct_share", _ONE_CHANCE),
    OwnColumn("sottovoce_rotations", "rotations", _ROTATIONS),
    OwnColumn("sottovoce_explanations", EXPLANATIONS, _BY_ARM),
    OwnColumn("sottovoce_series", "series", _TEXT),
    OwnColumn("sottovoce_panel", PANEL, _TEXT),
    OwnColumn("sottovoce_opens_at", "opens_at", _TEXT),
    OwnColumn("sottovoce_closes_at", "closes_at", _TEXT),
    OwnColumn("sottovoce_delete_on", "delete_on", _TEXT),
)


def own_members(columns: Iterable[OwnColumn], row: Row, sheet: str, notes: Notes) -> dict[str, Any]:
    """Return the members that a row states; note cells that cannot be read, by sheet, row and column."""
    members = {}
    for column in columns:
        if column.name not in row.cells:
            continue
        text, notation = row.cells[column.name], column.notation
        try:
            members[column.member] = notation.read(text)
        except ValueError:
            where = cell_name(sheet, row.number, column.name)
            # A sentence of the definition's own reader names a value.
            said = dict.fromkeys(("text", "value"), shown(text))
            notes.problems.add(where, notation.wrong % said, str(notation.remedy))
    return members


COLUMN: Final = "sottovoce_disguise"
RANGE: Final = "range"
DATE: Final = "date"
MONTHS: Final = "month-year"
"""The appearance of a date that asks for no day."""
"""The type that other programs show as a slider."""
_NO_SLIDERS: Final = ("picker", "rating")
TYPES: Final = {
    "integer": "number",
    "int": "number",
    "decimal": "number",
    RANGE: "number",
    DATE: "number",
    "geopoint": "place",
}
_EPSILON: Final = 2
_CELL: Final = 100
_BINS: Final = 20
_MOST_BINS: Final = 10_000
_BOUND: Final = re.compile(r"\.\s*(>=|<=)\s*(-?[0-9]+(?:\.[0-9]+)?)", re.ASCII)
_DATE_BOUND: Final = re.compile(r"\.\s*(>=|<=)\s*date\('([0-9]{4}-[0-9]{2}-[0-9]{2})'\)", re.ASCII)
_PARAMETER: Final = re.compile(r"(start|end)\s*=\s*(-?[0-9]+(?:\.[0-9]+)?)", re.ASCII)


def scale_members(row: Row, kind: str, notes: Notes) -> dict[str, Any]:
    """Return a row's number or place as members of a question; note missing values.

    Parameters
    ----------
    row : Row
    kind : str
        Of `TYPES`.
    notes : Notes
    """
    member = TYPES[kind]
    if COLUMN in row.cells:
        return _own(row, member, notes)
    note = _("%(kind)s: this becomes a part of its own, disguised with ε = %(epsilon)s; check its settings")
    notes.left_out(cell_name("survey", row.number, "type"), note % {"kind": kind, "epsilon": _EPSILON})
    if member == "place":
        stated = {"mechanism": "square", "epsilon": _EPSILON, "cell": _CELL, "area": {}}
        return {"kind": member, member: stated}
    if kind == DATE:
        calendar = "month" if _asks_months(row) else "day"
        ends = [end[:7] if calendar == "month" else end for end in _bounds(row, _DATE_BOUND)]
        return {"kind": member, member: dates_between(calendar, ends)}
    number = number_between(_ends(row), decimals=None if kind == "integer" else int(kind == "decimal"))
    return {"kind": member, member: number}


def look_members(row: Row, kind: str) -> dict[str, str]:
    """Return how a number is shown: ``range`` is a slider unless its appearance makes it another thing."""
    is_slider = kind == RANGE and not set(_NO_SLIDERS) & set(row.cells.get("appearance", "").split())
    return {"look": SLIDER} if is_slider else {}


def number_between(ends: Sequence[Decimal], *, decimals: int | None) -> dict[str, Any]:
    """Return the members of a number with a known range: a square wave, about twenty bins.

    Parameters
    ----------
    ends : sequence of Decimal
        The lower and the upper end; empty where they are not known, and then they are still to be stated.
    decimals : int or None
        So many at least, as the ends have them; None for whole numbers.

    Examples
    --------
    >>> number_between([Decimal(0), Decimal(99)], decimals=None)
    {'mechanism': 'square_wave', 'epsilon': 2, 'low': 0, 'high': 99, 'bin': 5}
    """
    places = 0
    if decimals is not None:
        places = max([decimals, *(-int(end.as_tuple().exponent) for end in ends)])
    number: dict[str, Any] = {"mechanism": "square_wave", "epsilon": _EPSILON}
    if len(ends) == 2 and ends[0] < ends[1]:
        low, high = ends
        number |= {"low": _plain(low), "high": _plain(high), "bin": bin_width(low, high, places)}
    if places:
        number["decimals"] = places
    return number


def dates_between(calendar: str, ends: Sequence[str]) -> dict[str, Any]:
    """Return the members of a date with a known range: a square wave, about twenty bins.

    Parameters
    ----------
    calendar : {"month", "day"}
    ends : sequence of str
        The first and the last, as ISO 8601 writes them; others, and none, are still to be stated.

    Examples
    --------
    >>> dates_between("month", ["2020-01", "2024-12"])["bin"]
    3
    """
    number: dict[str, Any] = {"mechanism": "square_wave", "epsilon": _EPSILON, "calendar": calendar}
    try:
        low, high = (calendar_tick(calendar, end) for end in ends)
    except (PrivacyError, ValueError):
        return number
    if low < high:
        number |= {"low": ends[0], "high": ends[1], "bin": bin_width(Decimal(low), Decimal(high), 0)}
    return number


def bounded_by_constraint(row: Row) -> bool:
    """Return whether the constraint of a row is the range of its number, and says nothing else."""
    kind = row.cells.get("type", "").lower()
    if kind == DATE:
        return len(_bounds(row, _DATE_BOUND)) == 2
    ends = [Decimal(end) for end in _bounds(row, _BOUND)]
    return TYPES.get(kind) == "number" and len(ends) == 2 and ends == _ends(row)


def _own(row: Row, member: str, notes: Notes) -> dict[str, Any]:
    """Return the members in the question's own column."""
    text = row.cells[COLUMN]
    try:
        document = json.loads(text, parse_constant=_no_number)
    except (ValueError, RecursionError):
        document = None
    known = isinstance(document, dict) and isinstance(document.get(member), dict)
    if not known or not set(document) <= {member, "options"}:
        notes.problems.add(
            cell_name("survey", row.number, COLUMN),
            _("%(text)s does not describe a number or a place") % {"text": shown(text)},
            _("correct the column, or empty it"),
        )
        return {"kind": member, member: {}}
    return {"kind": member, **document}


def _no_number(name: str) -> None:
    """Refuse NaN and the infinite ones, which a draft cannot hold."""
    raise ValueError(name)


def _ends(row: Row) -> list[Decimal]:
    """Return the lower and the upper end of a range that a row states; empty where it states none."""
    parameters = dict(_PARAMETER.findall(row.cells.get("parameters", "")))
    if {"start", "end"} <= set(parameters):
        return [Decimal(parameters["start"]), Decimal(parameters["end"])]
    return [Decimal(end) for end in _bounds(row, _BOUND)]


def _bounds(row: Row, written: re.Pattern[str]) -> list[str]:
    """Return the lower and the upper bound that a constraint states; empty where it says anything else."""
    bounds = [written.fullmatch(part.strip()) for part in row.cells.get("constraint", "").split(" and ")]
    ends = {match[1]: match[2] for match in bounds if match}
    return [ends[">="], ends["<="]] if len(bounds) == 2 and set(ends) == {">=", "<="} else []


def _asks_months(row: Row) -> bool:
    return MONTHS in row.cells.get("appearance", "").split()


def bin_width(low: Decimal, high: Decimal, decimals: int) -> int | float:
    """Return the width of bins that fill a range, about twenty of them."""
    values = int((high - low) * 10**decimals) + 1
    # Of a range with very many values the least width that gives few enough bins comes first.
    widths = [width for width in range(1, min(values // 2, 100_000) + 1) if values % width == 0]
    fitting = [width for width in widths if values // width <= _MOST_BINS] or [1]
    best = min(fitting, key=lambda width: abs(values // width - _BINS))
    return _plain(Decimal(best).scaleb(-decimals))


def _plain(number: Decimal) -> int | float:
    return int(number) if number == int(number) else float(number)


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
    """One setting without an effect: its column, a message, and the name for notes of its cause."""

    column: str
    message: str
    effect: Effect = "changed"
    cause: str = ""


def why_lost(kind: str) -> str:
    """Return why a row of this unsupported type is left out."""
    if kind in _SILENT:
        return _("not asked, because another program computes it")
    if kind in _TRACES:
        return _("surveys here record no time, place or device")
    if kind == "text":
        return _("free text can show who wrote it and cannot be disguised: offer answers instead")
    if kind == "note":
        return _("a text between questions is not shown: put it into the title of a part or the help")
    return _("there is no such question here: ask with options, a number or a place")


def unused_columns(
    node: Mapping[str, Any], row: Row, options: Iterable[Mapping[str, Any]] = ()
) -> Iterator[Unused]:
    """Yield the settings of a row that have no effect.

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
