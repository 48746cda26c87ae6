"""A question as a component of a composite question, and a component as a question."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from privacy.survey.component import COMPONENT_CLASSES, LARGEST_NUMBER
from surveys.questionnaire.composites import COMPUTED
from surveys.questionnaire.exclusive_wordings import means_none
from surveys.questionnaire.stated_kinds import kind_of
from surveys.questionnaire.stems import STEM, full_text, stem_text
from surveys.questionnaire.yes_no_answers import points_of_words

COMPONENT_KINDS: Final = {"yes_no": "yes_no", "single": "single", "multi": "several", "number": "number"}
"""The kind of the component that a question becomes."""
TEXTS: Final = ("text", "help")
NUMBER: Final = "number"
"""Member with the range of a number."""


def can_be_component(question: Mapping[str, Any]) -> bool:
    """Return whether a question can be a component: yes or no, a choice, or a whole number.

    Examples
    --------
    >>> fine = {"decimals": 1}
    >>> can_be_component({"kind": "yes_no"}), can_be_component({"kind": "number", "number": fine})
    (True, False)
    """
    if question.get("kind") not in COMPONENT_KINDS or COMPUTED in question:
        return False
    return NUMBER not in question or whole_range(question["number"]) is not None


def whole_range(number: object) -> tuple[int, int] | None:
    """Return the ends of a range of whole numbers; None for dates, decimals and incomplete ranges."""
    if not isinstance(number, Mapping) or number.get("calendar") or number.get("decimals"):
        return None
    low, high = (number.get(name) for name in ("low", "high"))
    if not isinstance(low, int) or not isinstance(high, int) or isinstance(low, bool):
        return None
    return (low, high) if -LARGEST_NUMBER <= low < high <= LARGEST_NUMBER else None


def component_of(question: Mapping[str, Any], document: Mapping[str, Any]) -> dict[str, Any]:
    """Return the component that a question becomes, with points that count it.

    The answers of a choice have the points that their words say; other choices have none yet.
    """
    kind = COMPONENT_KINDS[question["kind"]]
    component: dict[str, Any] = {"key": question["key"], "kind": kind, "text": question.get("text", {})}
    if stem := stem_text(document, question):
        component["text"] = full_text(stem, component["text"])
    # People read the help of a list above its lines; a component stands alone.
    help_text = question.get("help") or stem_text(document, question, "help")
    component |= {"help": help_text} if help_text else {}
    options = question.get("options") or []
    if NUMBER in question:
        low, high = whole_range(question["number"]) or (0, 1)
        unit = {"unit": question["number"]["unit"]} if question["number"].get("unit") else {}
        bands = [
            {"from": option.get("from"), "to": option.get("to"), "points": place + 1}
            for place, option in enumerate(options)
        ]
        return component | {
            "number": {"low": low, "high": high, **unit},
            "bands": bands or [{"from": low + 1, "to": high, "points": 1}],
        }

    if not COMPONENT_CLASSES[kind].least_options:
        return component | {"points": [0, 1]}

    if COMPONENT_CLASSES[kind].is_several:
        points = [int(not means_none(option.get("text") or {})) for option in options]
    else:
        points = points_of_words(options) or [0] * len(options)
    return component | {
        "options": [
            {"key": option["key"], "text": option.get("text", {}), "points": own}
            for option, own in zip(options, points, strict=True)
        ]
    }


def counted(component: dict[str, Any]) -> dict[str, Any]:
    """Return a component that counts 1 at most, for *at least* and *how many*."""
    if "options" not in component:
        return component
    options = [option | {"points": min(option["points"], 1)} for option in component["options"]]
    return component | {"options": options}


def most_points(component: Mapping[str, Any]) -> int:
    """Return the most points that one answer to a component can give.

    Examples
    --------
    >>> most_points({"kind": "several", "options": [{"points": 1}, {"points": 2}, {"points": -1}]})
    3
    """
    stated = component.get("points") or [
        each.get("points", 0) for each in (component.get("options") or component.get("bands") or ())
    ]
    own = [points for points in stated if isinstance(points, int)]
    if component.get("kind") in COMPONENT_CLASSES and COMPONENT_CLASSES[component["kind"]].is_several:
        return sum(points for points in own if points > 0)
    return max(own, default=0)


def question_of(
    component: Mapping[str, Any], before: Mapping[str, Any] | None, lists: Mapping[str, Any]
) -> dict[str, Any]:
    """Return a component as a protected question, with what its question had before.

    Parameters
    ----------
    component : mapping
    before : mapping or None
    lists : mapping
        A document with the stems of lists.
    """
    kind = next(name for name, own in COMPONENT_KINDS.items() if own == component["kind"])
    question: dict[str, Any] = {"key": component["key"], "kind": kind}
    question |= {name: component[name] for name in TEXTS if component.get(name)}
    question.setdefault("text", {})
    if "options" in component:
        question["options"] = [
            {name: value for name, value in option.items() if name != "points"}
            for option in component["options"]
        ]
    if NUMBER in component:
        question["number"] = dict(component["number"]) | {"bin": 1}
        if before is not None and whole_range(before.get("number")) == whole_range(component["number"]):
            question |= {name: before[name] for name in ("number", "options") if name in before}
    if before is None or before.get("kind") != kind:
        return kind_of(question).switch(question, protected=True)
    same = [each["key"] for each in question.get("options") or ()] == [
        each["key"] for each in before.get("options") or ()
    ]
    dropped = (*TEXTS, "options", *(() if same else ("unrelated", "prevalence")))
    merged = {name: value for name, value in before.items() if name not in dropped} | question
    if stem := stem_text(lists, before):
        # A line of a list, unless its text was changed meanwhile.
        if full_text(stem, before.get("text") or {}) == component["text"]:
            merged["text"] = before["text"]
            if not before.get("help") and merged.get("help") == stem_text(lists, before, "help"):
                merged.pop("help", None)
        else:
            del merged[STEM]
    ordered = {name: merged[name] for name in [*before, *question] if name in merged}
    return ordered if same else kind_of(ordered).switch(ordered, protected=True)
