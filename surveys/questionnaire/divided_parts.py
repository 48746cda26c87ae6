"""A part divided in two: whether it can be, and each piece."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from privacy.planning.plan import free_key
from surveys.questionnaire.composites import COMPUTED
from surveys.questionnaire.part_names import own_title, titled


def can_be_divided(entry: Mapping[str, Any]) -> bool:
    """Return whether the questions of a part can be in two parts."""
    return (
        not entry.get("asked_if")
        and not entry.get("exclusive")
        and not any(COMPUTED in question for question in entry["questions"])
    )


def divided_part(
    entry: Mapping[str, Any],
    questions: list[dict[str, Any]],
    used: Collection[str],
    document: Mapping[str, Any],
) -> dict[str, Any]:
    """Return a part with some of another's questions, and its title if it has one of its own.

    Parameters
    ----------
    entry : mapping
        The part to divide.
    questions : list of dict
    used : collection of str
        Keys of other parts; with its own key in it, the part gets another.
    document : mapping
    """
    part = {name: value for name, value in entry.items() if name not in ("questions_per_person", "booklets")}
    divided = {**part, "key": free_key(entry["key"], used), "questions": questions}
    return titled(divided, own_title(entry, document))
