"""Numbers, dates and places in an XLSForm: ``integer``, ``decimal``, ``range``, ``date`` and ``geopoint``.

What Sottovoce has to know besides the range stands as JSON in the column *sottovoce_disguise*.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Any, Final

from django.utils.translation import gettext as _

from privacy.errors import PrivacyError
from privacy.scales.number_range import calendar_tick
from surveys.errors.error import shown
from surveys.imports.workbook import Notes, Row, cell_name
from surveys.questionnaire.scale_definition import SLIDER

__all__ = [
    "COLUMN",
    "DATE",
    "MONTHS",
    "TYPES",
    "bounded_by_constraint",
    "look_members",
    "scale_members",
]

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
    """Return what a row says of a number or a place, as members of a question; what it does not say is noted.

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
    note = _("%(kind)s: it becomes a part of its own, disguised with ε = %(epsilon)s; look at all it states")
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
    """Return what a number states whose range another program knows: a square wave, about twenty bins.

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
    """Return what a date states whose range another program knows: a square wave, about twenty bins.

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
    """Return what the column of its own states."""
    text = row.cells[COLUMN]
    try:
        document = json.loads(text, parse_constant=_no_number)
    except (ValueError, RecursionError):
        document = None
    known = isinstance(document, dict) and isinstance(document.get(member), dict)
    if not known or not set(document) <= {member, "options"}:
        notes.problems.add(
            cell_name("survey", row.number, COLUMN),
            _("%(text)s states no number and no place") % {"text": shown(text)},
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
