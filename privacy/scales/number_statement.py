"""A number question as a definition states it: its mechanism, range, bins and items."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Final

from privacy import validation
from privacy.errors import PrivacyError
from privacy.scales.calendars import CALENDARS, EXAMPLES, calendar_tick
from privacy.scales.number_range import MOST_DECIMALS, NumberRange
from privacy.scales.numeric_mechanisms import BY_EPSILON, as_answered
from privacy.scales.window import WindowChannel

_DISGUISED: Final = frozenset({"mechanism", "epsilon"})
_NEEDED: Final = frozenset({"low", "high", "bin"})
_ALLOWED: Final = _NEEDED | {"decimals", "items", "calendar"}
_NUMBER: Final = re.compile(r"-?\d{1,20}(?:\.\d{1,20})?", re.ASCII)


@dataclass(frozen=True, kw_only=True)
class StatedNumber:
    """A question of kind ``"number"``: its disguise, and the keys of its items as options."""

    disguise: WindowChannel
    options: tuple[str, ...]


def stated_number(document: object) -> StatedNumber:
    """Read the disguise and the options of a number question from a statement.

    Parameters
    ----------
    document : mapping
        ``mechanism``, one of `numeric_mechanisms.BY_EPSILON`, and ``epsilon``: omit both for a number in an
        open block, which is sent as it is. ``low``, ``high``, ``bin``: numbers in the unit of the answers, or
        texts of numbers; ``high`` is the largest possible answer. ``decimals``: decimals of an answer, 0 by
        default. ``calendar``, optional: ``"month"`` or ``"day"``; all ends are then written as ``"2025-03"``
        or ``"2025-03-01"``, and ``bin`` counts months or days. ``items``, optional: list of {"key", "from",
        "to"}, both ends included.

    Returns
    -------
    StatedNumber

    Raises
    ------
    PrivacyError
        ``malformed``: a part is missing or unknown; ``spans``: an item does not begin and end with a bin; and
        the errors of the parts.

    Examples
    --------
    >>> question = stated_number({"mechanism": "keep", "epsilon": 2, "low": 0, "high": 119, "bin": 5,
    ...                           "items": [{"key": "under-20", "from": 0, "to": 19}]})
    >>> question.options, question.disguise.spans, question.disguise.inputs
    (('under-20',), ((0, 3),), 24)
    >>> moved = stated_number({"mechanism": "square_wave", "epsilon": 2, "calendar": "month",
    ...                        "low": "2020-01", "high": "2025-12", "bin": 3})
    >>> moved.disguise.inputs, moved.disguise.range.text(moved.disguise.range.high)
    (24, '2025-12')
    """
    parts = set(document) if isinstance(document, Mapping) else set()
    disguised = parts & _DISGUISED
    if (
        not isinstance(document, Mapping)
        or not _NEEDED <= parts - disguised <= _ALLOWED
        or len(disguised) == 1
    ):
        raise PrivacyError("malformed.number", document, needed=", ".join(sorted(_DISGUISED | _NEEDED)))
    decimals = validation.whole_number(
        document.get("decimals", 0), "decimals", low=0, high=MOST_DECIMALS, code="range"
    )
    calendar = document.get("calendar")
    if calendar is not None:
        validation.one_of(calendar, "calendar", allowed=CALENDARS, code="range")
    ticks = NumberRange(
        low=_end(document["low"], "low", decimals, calendar),
        high=_end(document["high"], "high", decimals, calendar),
        bin=_ticks(document["bin"], "bin", decimals),
        decimals=decimals,
        calendar=calendar,
    )
    channel = _channel(ticks, document["mechanism"], document["epsilon"]) if disguised else as_answered(ticks)
    spans, options = [], []
    for entry in validation.as_tuple(document.get("items", []), "items"):
        if not isinstance(entry, Mapping) or set(entry) != {"key", "from", "to"}:
            raise PrivacyError("malformed.item", entry)
        options.append(validation.key(entry["key"], "key of an item"))
        spans.append(_span(entry, ticks))
    return StatedNumber(disguise=replace(channel, spans=tuple(spans)), options=tuple(options))


def _channel(ticks: NumberRange, mechanism: object, epsilon: Any) -> WindowChannel:
    name = validation.one_of(mechanism, "mechanism", allowed=tuple(BY_EPSILON), code="mechanism")
    return BY_EPSILON[name](ticks, epsilon)


def _end(value: object, name: str, decimals: int, calendar: str | None) -> int:
    """Return an end of a range or item in ticks, from a number or a written date."""
    if calendar is None:
        return _ticks(value, name, decimals)
    try:
        return calendar_tick(calendar, str(value))
    except PrivacyError:
        raise PrivacyError("range.date", value, name=name, example=EXAMPLES[calendar]) from None


def _ticks(value: object, name: str, decimals: int) -> int:
    """Convert a number, or the text of a number, to ticks."""
    # str of a float is its shortest text: .1 is a tenth here, not the nearest binary fraction.
    text = str(value)
    if _NUMBER.fullmatch(text) is None:
        raise PrivacyError("range.number", value, name=name)
    number = Fraction(text)
    ticks = number * 10**decimals
    if ticks.denominator != 1:
        raise PrivacyError("range.decimals", value, name=name, decimals=decimals)
    return int(ticks)


def _span(entry: Mapping[str, Any], ticks: NumberRange) -> tuple[int, int]:
    first = _end(entry["from"], "from", ticks.decimals, ticks.calendar) - ticks.low
    last = _end(entry["to"], "to", ticks.decimals, ticks.calendar) - ticks.low
    if first % ticks.bin or (last + 1) % ticks.bin:
        near = (
            ticks.low + first // ticks.bin * ticks.bin,
            ticks.low + -(-(last + 1) // ticks.bin) * ticks.bin - 1,
        )
        raise PrivacyError(
            "spans.cut",
            entry["key"],
            start=entry["from"],
            end=entry["to"],
            low=ticks.text(near[0]),
            high=ticks.text(near[1]),
        )
    return first // ticks.bin, (last + 1) // ticks.bin - 1
