"""Send the questions of a part as two halves of one instrument, so that results can give its reliability."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.utils.translation import gettext as _

from privacy.planning.protection import Protection
from surveys.errors.error import SurveyError
from surveys.questionnaire.component_questions import NUMBER, can_be_component
from surveys.questionnaire.composites import COMPUTED
from surveys.questionnaire.languages import tags_of
from surveys.questionnaire.one_answer import (
    OTHER_HALF,
    POINTS,
    in_language,
    part_number,
    with_one_answer,
)
from surveys.questionnaire.part_names import own_title

HALVES: Final = "halves"
"""The way of the builder's and the plan's press."""
_LEAST_OF_HALVES: Final = 4


def with_two_halves(
    document: Mapping[str, Any], part: str, *, protection: Protection, keys: Sequence[str] = ()
) -> tuple[dict[str, Any], str]:
    """Return a draft in which the odd and the even questions of a part are two halves of one instrument.

    Each half is yes or no with a cut-off of its own; from both follows the reliability.

    Parameters
    ----------
    document, part, protection, keys
        As for `with_one_answer`.

    Returns
    -------
    tuple of (dict, str)
        The draft, and the key of the first half.

    Raises
    ------
    SurveyError
        As for `with_one_answer`; ``one_answer.halves``: fewer than four questions.
    """
    place = part_number(document, part)
    entry = document["blocks"][place]
    own = [question["key"] for question in entry["questions"] if can_be_component(question)]
    chosen = [key for key in own if not keys or key in keys]
    if len(chosen) < _LEAST_OF_HALVES or any(NUMBER in question for question in entry["questions"]):
        raise SurveyError("one_answer.halves", len(chosen), least=_LEAST_OF_HALVES)
    named = {
        tag: [in_language(tag, words, f"{number}") for number, words in ((1, _odd), (2, _even))]
        for tag in tags_of(document) or ["en"]
    }
    result, first = with_one_answer(document, part, POINTS, protection=protection, keys=chosen[::2])
    result, second = with_one_answer(result, part, POINTS, protection=protection, keys=chosen[1::2])
    number = part_number(result, part)
    title = own_title(entry, document) or document["title"]
    changed = {**result["blocks"][number]}
    changed["questions"] = [
        question
        | {"text": {tag: f"{title.get(tag, '')} · {names[at]}" for tag, names in named.items()}}
        | ({COMPUTED: question[COMPUTED] | {OTHER_HALF: first}} if at else {})
        if (at := (first, second).index(question["key"]) if question["key"] in (first, second) else None)
        is not None
        else question
        for question in changed["questions"]
    ]
    blocks = [*result["blocks"][:number], changed, *result["blocks"][number + 1 :]]
    return {**result, "blocks": blocks}, first


def _odd() -> str:
    return _("odd questions")


def _even() -> str:
    return _("even questions")
