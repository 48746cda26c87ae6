"""Protect the parts of an imported definition that do not say whether they are protected."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from surveys.questionnaire.readable import is_question, readable_questions
from surveys.questionnaire.sensitive import starting_disguise
from surveys.questionnaire.stated_kinds import kind_of


def with_stated_protection(document: dict[str, Any]) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Protect the parts of an imported definition that do not say whether they are protected.

    Returns
    -------
    dict
        The definition. Parts that state it are unchanged.
    tuple of str
        A note on each of these parts, and on each question that the file stores as answered.
    """
    blocks, notes = document.get("blocks"), []
    if isinstance(blocks, list):
        completed = []
        for number, entry in enumerate(blocks):
            if isinstance(entry, dict) and entry.get("protected") is None:
                notes.append(
                    _("part %(number)s: the file does not say whether it is protected, so it is")
                    % {"number": number + 1}
                )
                entry = _protected_part(entry)
            completed.append(entry)
        document = {**document, "blocks": completed}
    notes += [
        _("“%(question)s” is stored as answered, as the file says: %(why)s")
        % {"question": each.text, "why": each.why}
        for each in readable_questions(document)
    ]
    return document, tuple(notes)


def _protected_part(entry: Mapping[str, Any]) -> dict[str, Any]:
    """Return a part with the protection that the file leaves out; an incomplete part stays incomplete."""
    part = {**entry, "protected": True}
    questions = part.get("questions")
    if not isinstance(questions, list) or not questions or not all(map(is_question, questions)):
        return part
    try:
        part["questions"] = [kind_of(each).switch(each, protected=True) for each in questions]
        probabilities = starting_disguise(part, skips=not part.get("no_skip"))
    except (KeyError, TypeError, ValueError):
        # A question lacks its members; the builder lists what is missing.
        return {**entry, "protected": True}
    return probabilities | part
