"""Columns of an XLSForm that make a number, a date or a place: its type, ends and bins."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, Final

from privacy.errors import PrivacyError
from privacy.scales.calendars import calendar_tick

INTEGER: Final = "int"
RANGE: Final = "range"
DATE: Final = "date"
MONTHS: Final = "month-year"
"""Appearance of a date without a day."""
TYPES: Final = {INTEGER: "number", "decimal": "number", RANGE: "number", DATE: "number", "geopoint": "place"}
_CELL: Final = 100
_BINS: Final = 20
_MOST_BINS: Final = 10_000
_MOST_KEPT: Final = 40
"""Largest number of whole numbers that each get a separate bin."""
_BOUND: Final = re.compile(
    r"\(?\s*\.\s*(?P<side>[<>])(?P<equal>=?)\s*"
    r"(?:(?P<number>-?[0-9]+(?:\.[0-9]+)?)|date\('(?P<day>[0-9]{4}-[0-9]{2}-[0-9]{2})'\))\s*\)?",
    re.ASCII,
)
_PARAMETER: Final = re.compile(r"(start|end)\s*=\s*(-?[0-9]+(?:\.[0-9]+)?)", re.ASCII)


def scale_members(cells: Mapping[str, str], kind: str) -> dict[str, Any]:
    """Return the member of a definition for a row with a number or a place.

    Parameters
    ----------
    cells : mapping of str to str
        The row by column; its type is pyxform's.
    kind : str
        One of `TYPES`.
    """
    if TYPES[kind] == "place":
        return {"place": {"mechanism": "square", "cell": _CELL, "area": {}}}
    if kind == DATE:
        calendar = "month" if MONTHS in cells.get("appearance", "").split() else "day"
        ends = [end[:7] if calendar == "month" else end for end in _ends(cells)]
        return {"number": dates_between(calendar, ends)}
    decimals = None if kind == INTEGER else int(kind == "decimal")
    return {"number": number_between(list(map(Decimal, _ends(cells))), decimals=decimals)}


def is_slider(cells: Mapping[str, str], kind: str) -> bool:
    """Return whether a number is shown as a slider: a ``range``, unless its appearance says otherwise."""
    return kind == RANGE and not {"picker", "rating"} & set(cells.get("appearance", "").split())


def number_between(ends: Sequence[Decimal], *, decimals: int | None) -> dict[str, Any]:
    """Return the JSON members of a number question: a square wave with about twenty bins.

    Parameters
    ----------
    ends : sequence of Decimal
        The lower and the upper end; empty if they are unknown and must be stated later.
    decimals : int or None
        Least number of decimals; the ends may have more. None for whole numbers.

    Examples
    --------
    >>> number_between([Decimal(0), Decimal(99)], decimals=None)
    {'mechanism': 'square_wave', 'low': 0, 'high': 99, 'bin': 5}
    """
    places = 0
    if decimals is not None:
        places = max([decimals, *(-int(end.as_tuple().exponent) for end in ends)])
    number: dict[str, Any] = {"mechanism": "square_wave"}
    if len(ends) == 2 and ends[0] < ends[1]:
        low, high = ends
        number |= {"low": _plain(low), "high": _plain(high), "bin": bin_width(low, high, places)}
    if places:
        number["decimals"] = places
    return number


def dates_between(calendar: str, ends: Sequence[str]) -> dict[str, Any]:
    """Return the JSON members of a date question: a square wave with about twenty bins.

    Parameters
    ----------
    calendar : {"month", "day"}
    ends : sequence of str
        The first and the last date, in ISO 8601. If they are missing or invalid, they must be stated later.

    Examples
    --------
    >>> dates_between("month", ["2020-01", "2024-12"])["bin"]
    3
    """
    number: dict[str, Any] = {"mechanism": "square_wave", "calendar": calendar}
    try:
        low, high = (calendar_tick(calendar, end) for end in ends)
    except (PrivacyError, ValueError):
        return number
    if low < high:
        number |= {"low": ends[0], "high": ends[1], "bin": bin_width(Decimal(low), Decimal(high), 0)}
    return number


def bounded_by_constraint(cells: Mapping[str, str]) -> bool:
    """Return whether a row's constraint states ends of its range, and nothing else."""
    kind, ends = cells["type"], bounds_of(cells)
    if TYPES.get(kind) != "number" or not ends:
        return False
    return kind == INTEGER or _ends(cells) == [ends.get(">"), ends.get("<")]


def bounds_of(cells: Mapping[str, str]) -> dict[str, str]:
    """Return the ends that a constraint states, by ">" and "<"; empty if it says anything else.

    Examples
    --------
    >>> bounds_of({"type": "int", "constraint": ". > 0 and . <= 12"})
    {'>': '1', '<': '12'}
    """
    ends: dict[str, str] = {}
    for part in cells.get("constraint", "").split(" and "):
        match = _BOUND.fullmatch(part.strip())
        is_beyond = match is not None and not match["equal"]
        if match is None or match["side"] in ends or (is_beyond and cells.get("type") != INTEGER):
            return {}
        beyond = {">": 1, "<": -1}[match["side"]] if is_beyond else 0
        ends[match["side"]] = match["day"] or str(Decimal(match["number"]) + beyond)
    return ends


def _ends(cells: Mapping[str, str]) -> list[str]:
    """Return the lower and the upper end of a row's range; empty unless it states both."""
    parameters = dict(_PARAMETER.findall(cells.get("parameters", "")))
    if {"start", "end"} <= set(parameters):
        return [parameters["start"], parameters["end"]]
    ends = bounds_of(cells)
    return [ends[">"], ends["<"]] if len(ends) == 2 else []


def bin_width(low: Decimal, high: Decimal, decimals: int) -> int | float:
    """Return a bin width that divides a range into about twenty bins; 1 for few whole numbers.

    Counts of the last 28 or 30 days stay separate, because studies often need the share of 0.
    """
    values = int((high - low) * 10**decimals) + 1
    if not decimals and values <= _MOST_KEPT:
        return 1
    # For a range with very many values, require few enough bins first.
    widths = [width for width in range(1, min(values // 2, 100_000) + 1) if values % width == 0]
    fitting = [width for width in widths if values // width <= _MOST_BINS] or [1]
    best = min(fitting, key=lambda width: abs(values // width - _BINS))
    return _plain(Decimal(best).scaleb(-decimals))


def _plain(number: Decimal) -> int | float:
    return int(number) if number == int(number) else float(number)
