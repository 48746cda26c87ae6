"""Read the statement of a number in a definition, disguised or stored as answered."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from decimal import Decimal
from functools import lru_cache
from typing import Any, ClassVar, Final

from django.utils.translation import gettext as _

from privacy.errors import PrivacyError
from privacy.planning.protection import MEDIUM, PROTECTIONS
from privacy.scales.number_range import MOST_BINS
from privacy.scales.number_statement import stated_number
from privacy.scales.skips import Disguise
from surveys.questionnaire.document import Node, member_path
from surveys.questionnaire.kinds import SLIDER, StatedScale

MEDIUM_EPSILON: Final = math.floor(100 * math.log(PROTECTIONS[MEDIUM].answer)) / 100
"""Epsilon of a number with medium protection, cut to hundredths so that it passes the ceiling of one
answer."""
_MOST_DECIMALS: Final = 4
"""Smaller numbers are written as a power of ten."""


class StatedNumber(StatedScale):
    """A number in a range."""

    least_refusal = True
    looks = (SLIDER,)
    members = ("mechanism", "epsilon", "low", "high", "bin")
    allowed = ("decimals", "unit", "calendar")
    item_members = ("from", "to")
    paths = {"mechanism": "number.mechanism", "epsilon": "number.epsilon", "too_large": "number.bin"}
    _DISGUISE: ClassVar = ("mechanism", "epsilon")
    # Where to report an error that concerns both ends of a range, or a value between them.
    _RANGE_MEMBERS: ClassVar = {"range.ends": "high", "range.bin": "bin", "range.bins": "bin"}

    def _has_members(self, own: Node, *, protected: bool) -> bool:
        if protected:
            return super()._has_members(own, protected=protected)
        needed = tuple(name for name in self.members if name not in self._DISGUISE)
        is_whole = own.has_members(needed, (*self.allowed, *self._DISGUISE))
        for name in self._DISGUISE if is_whole else ():
            if name in own.value:
                own.at(name).wrong(
                    _("%(value)s does not apply to a number that is stored as answered"),
                    _("leave it out, or protect the part"),
                )
        return is_whole

    def _own_wording(self, node: Node, own: Node, description: dict[str, Any]) -> dict[str, Any]:
        unit = own.at("unit").text_or_none()
        if unit and own.value.get("calendar") is not None:
            own.at("unit").wrong(_("a date has no unit"), _("leave it out"))
        return {"unit": unit} if unit else {}

    @staticmethod
    @lru_cache(maxsize=64)
    def _disguise(text: str) -> tuple[Disguise, tuple[str, ...]]:
        result = stated_number(json.loads(text))
        return result.disguise, result.options

    def _member(self, error: PrivacyError, key: object) -> str:
        if error.value != key and error.code == "range":
            name = str(error.fields.get("name") or self._RANGE_MEMBERS[error.case])
            return "options" if name in self.item_members else member_path("number", name)
        return super()._member(error, key)

    def switch(self, question: Mapping[str, Any], *, protected: bool) -> dict[str, Any]:
        """Return a number switched to stored as answered, or to medium protection with the widest bins."""
        number, options = question["number"], question.get("options") or ()
        if not protected:
            return {**question, "number": stored_number(number)}
        own = {"mechanism": "keep" if options else "square_wave", "epsilon": MEDIUM_EPSILON, **number}
        if options and number.get("calendar") is None:
            low = _ticks(number, number["low"])
            ends = (_ticks(number, number["high"]) + 1, *(_ticks(number, each["to"]) + 1 for each in options))
            widest = math.gcd(
                *(end - low for end in (*ends, *(_ticks(number, each["from"]) for each in options)))
            )
            decimals = number.get("decimals", 0)
            own["bin"] = widest / 10**decimals if decimals else widest
        return {**question, "number": own}


def stored_number(number: Mapping[str, Any]) -> dict[str, Any]:
    """Return the definition of a number that is stored as answered: no disguise, and one bin per answer.

    Dates keep their bins, because a complete date can identify people.

    Parameters
    ----------
    number : mapping
        Definition of a disguised number.

    Examples
    --------
    >>> stored_number({"mechanism": "keep", "epsilon": 2, "low": 0, "high": 24.9, "bin": 5, "decimals": 1})
    {'low': 0, 'high': 24.9, 'bin': 0.1, 'decimals': 1}
    """
    own = {name: value for name, value in number.items() if name not in ("mechanism", "epsilon")}
    if own.get("calendar") is None and "low" in own and "high" in own:
        decimals = own.get("decimals", 0)
        values = _ticks(own, own["high"]) - _ticks(own, own["low"]) + 1
        if 2 <= values <= MOST_BINS and decimals <= _MOST_DECIMALS:
            own["bin"] = 10**-decimals if decimals else 1
    return own


def _ticks(number: Mapping[str, Any], value: object) -> int:
    """Convert a value to the smallest steps of a number."""
    return int(Decimal(str(value)).scaleb(int(number.get("decimals", 0))))
