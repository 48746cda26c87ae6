"""The kinds of questions that a definition can state. To remove one, delete its module and its lines here."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy

from surveys.questionnaire.arms import ARM
from surveys.questionnaire.kinds import StatedArm, StatedKind, StatedYesNo
from surveys.questionnaire.stated_multi import StatedMulti
from surveys.questionnaire.stated_number import StatedNumber
from surveys.questionnaire.stated_place import StatedPlace

STATED_KINDS: Final[dict[str, StatedKind]] = {
    "yes_no": StatedYesNo("yes_no", gettext_lazy("yes or no")),
    "single": StatedKind("single", gettext_lazy("one of these")),
    "multi": StatedMulti("multi", gettext_lazy("any of these")),
    "number": StatedNumber("number", gettext_lazy("a number")),
    "place": StatedPlace("place", gettext_lazy("a place")),
    ARM: StatedArm(ARM),
}
"""The kinds of questions that a definition can state."""


def kind_of(document: object) -> StatedKind:
    """Return the kind of a definition's entry; for an unknown kind, one that refuses the entry."""
    name = document.get("kind") if isinstance(document, dict) else None
    return STATED_KINDS.get(name, _UNKNOWN) if isinstance(name, str) else _UNKNOWN


_UNKNOWN: Final = StatedKind("")
