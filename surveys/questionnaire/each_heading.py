"""Send one answer for each heading of a part, under one coin: yes if at least one question is true."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from privacy.planning.protection import Protection
from surveys.errors.error import SurveyError
from surveys.questionnaire.component_questions import can_be_component
from surveys.questionnaire.headings import Heading, headings_in
from surveys.questionnaire.languages import tags_of
from surveys.questionnaire.one_answer import AT_LEAST, part_number, with_one_answer

EACH_HEADING: Final = "each_heading"
"""The way of the builder's and the plan's press."""
_LEAST: Final = 2
"""Fewest headings, and fewest questions of each."""


def answerable_headings(
    document: Mapping[str, Any], entry: Mapping[str, Any], chosen: Sequence[str] = ()
) -> list[Heading]:
    """Return the headings of a part, if each can be one answer; empty if there are fewer than two.

    Parameters
    ----------
    document : mapping
        A draft.
    entry : mapping
        One of its parts.
    chosen : sequence of str, optional
        Only these questions; by default all that can be components.
    """
    keys = [question["key"] for question in entry["questions"] if can_be_component(question)]
    keys = [key for key in keys if not chosen or key in chosen]
    found = [heading for heading in headings_in(document, keys) if len(heading.keys) >= _LEAST]
    return found if len(found) >= _LEAST else []


def with_each_heading(
    document: Mapping[str, Any], part: str, *, protection: Protection, keys: Sequence[str] = ()
) -> tuple[dict[str, Any], str]:
    """Return a draft that sends one answer for each heading of a part, named after it.

    Parameters
    ----------
    document, part, protection, keys
        As for `with_one_answer`.

    Returns
    -------
    tuple of (dict, str)
        The draft, and the key of the first answer.

    Raises
    ------
    SurveyError
        As for `with_one_answer`; ``one_answer.gone`` without two headings of two questions.
    """
    entry = document["blocks"][part_number(document, part)]
    headings = answerable_headings(document, entry)
    if not headings:
        raise SurveyError("one_answer.gone")
    tags = tags_of(document)
    result, titles = dict(document), dict[str, Mapping[str, str]]()
    for heading in headings:
        chosen = [key for key in heading.keys if not keys or key in keys]
        if chosen:
            result, key = with_one_answer(result, part, AT_LEAST, protection=protection, keys=chosen)
            titles[key] = {tag: text for tag, text in heading.title.items() if tag in tags}
    if not titles:
        raise SurveyError("one_answer.gone")
    number = part_number(result, part)
    changed = result["blocks"][number]
    questions = [
        question | {"text": dict(titles[question["key"]])} if question["key"] in titles else question
        for question in changed["questions"]
    ]
    blocks = [
        *result["blocks"][:number],
        changed | {"questions": questions},
        *result["blocks"][number + 1 :],
    ]
    return {**result, "blocks": blocks}, next(iter(titles))
