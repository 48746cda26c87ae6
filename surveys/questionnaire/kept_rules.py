"""Read the entries that a draft keeps for another form of its questions: former questions, and rules.

A draft may come from a file, so entries that the builder could not have made are ignored.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from surveys.questionnaire.component_questions import COMPONENT_KINDS, NUMBER
from surveys.questionnaire.composites import COMPONENTS, COMPUTED, SET_ASIDE
from surveys.questionnaire.stems import STEMS

SHARED: Final = "shared"
"""Member of a component that several composite questions of a part share."""
LINES: Final = "lines"
"""Member of a rule that is set aside: the line that each option of a tick-all component became."""


def set_aside(document: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the entries that a draft keeps for another form of its questions, without invalid ones.

    Parameters
    ----------
    document : mapping
    """
    found = document.get(SET_ASIDE)
    return [each for each in found if _is_kept(each)] if isinstance(found, list) else []


def _is_kept(entry: object) -> bool:
    """Return whether an entry is a composite question, or questions of a part with its members and stems."""
    if not isinstance(entry, dict):
        return False
    if "questions" not in entry:
        lines = entry.get(LINES, {})
        return (
            is_whole_question(entry)
            and COMPUTED in entry
            and isinstance(lines, dict)
            and {*lines} <= {*component_keys(entry)}
            and all(isinstance(each, dict) and all(map(_is_text, each.values())) for each in lines.values())
        )
    questions, stems = entry["questions"], entry.get(STEMS, [])
    return (
        isinstance(entry.get("part"), dict)
        and isinstance(questions, list)
        and all(map(is_whole_question, questions))
        and isinstance(stems, list)
        and all(isinstance(stem, dict) and are_texts(stem.get("text", {})) for stem in stems)
    )


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def are_texts(value: object) -> bool:
    """Return whether a value consists of texts by language."""
    return isinstance(value, dict) and all(map(_is_text, value.values()))


def is_whole_question(question: object) -> bool:
    """Return whether a question has the members that its conversion reads, whatever they contain."""
    if not isinstance(question, dict) or not are_texts(question.get("text", {})):
        return False
    options, rule = question.get("options", []), question.get(COMPUTED)
    named = isinstance(options, list) and all(
        isinstance(option, dict)
        and isinstance(option.get("key"), str)
        and are_texts(option.get("text", {}))
        and isinstance(option.get("points", 0), int)
        for option in options
    )
    has_rule = rule is None or (
        isinstance(rule, dict)
        and isinstance(rule.get(COMPONENTS), list)
        and all(map(is_whole_question, rule[COMPONENTS]))
    )
    has_range = isinstance(question.get(NUMBER, None if question.get("kind") == NUMBER else {}), dict)
    return isinstance(question.get("key"), str) and "kind" in question and named and has_rule and has_range


def component_keys(question: Mapping[str, Any]) -> list[str]:
    """Return the keys of the components that can be questions; empty if there are none.

    Examples
    --------
    >>> check = {"key": "check", "kind": "single", "instructed": "no"}
    >>> component_keys({"computed": {"components": [{"key": "hit", "kind": "yes_no"}, check]}})
    ['hit']
    """
    rule = question.get(COMPUTED)
    components = rule.get(COMPONENTS) if isinstance(rule, Mapping) else None
    return [
        each["key"]
        for each in (components if isinstance(components, list) else ())
        if isinstance(each, Mapping)
        and isinstance(each.get("key"), str)
        and each.get("kind") in COMPONENT_KINDS.values()
        and not each.get("instructed")
    ]
