"""The builder's press that sends the questions of a part as one answer, or each of them again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_POST

from privacy.planning.protection import MEDIUM, PROTECTIONS, Protection
from surveys.accounts.permissions import staff_page
from surveys.authoring.api import for_builder, read_body
from surveys.errors.error import SurveyError
from surveys.models import Survey
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.each_heading import EACH_HEADING, with_each_heading
from surveys.questionnaire.one_answer import (
    AT_LEAST,
    with_each_answer,
    with_one_answer,
)
from surveys.questionnaire.two_halves import HALVES, with_two_halves


@staff_page
@require_POST
@for_builder
def one_answer(request: HttpRequest, survey: Survey) -> HttpResponse:
    """Return a changed draft, with the place to show; save nothing."""
    body = read_body(request, document=dict, change=dict)
    document, key = changed(body["document"], body["change"], protection=protection_of(survey))
    places = {
        question["key"]: f"blocks[{number}].questions[{place}]"
        for number, entry in enumerate(document["blocks"])
        for place, question in enumerate(entry["questions"])
    }
    return JsonResponse({"document": document, "select": places.get(key, "")})


def protection_of(survey: Survey) -> Protection:
    """Return the protection that a survey plans; medium without a plan."""
    aim = Aim.from_json(survey.aim)
    return PROTECTIONS[MEDIUM] if aim is None else aim.protection


def changed(
    document: Mapping[str, Any], change: Mapping[str, Any], *, protection: Protection
) -> tuple[dict[str, Any], str]:
    """Return a draft after a change, and the key of the question to show: the answer, or the first component.

    Parameters
    ----------
    document : mapping
    change : mapping
        ``each``, the key of a composite question; or ``part``, ``way``, and if wanted ``keys``, ``least``.
    protection : Protection

    Raises
    ------
    SurveyError
        As for `with_one_answer` and `with_each_answer`.
    """
    key, part, way = (change.get(name, "") for name in ("each", "part", "way"))
    keys, least = change.get("keys", []), change.get("least", 1)
    is_stated = all(isinstance(each, str) for each in (key, part, way)) and isinstance(keys, list)
    if not is_stated or not all(isinstance(each, str) for each in keys) or type(least) is not int:
        raise SurveyError("one_answer.gone")
    if key:
        return with_each_answer(document, key, protection=protection), key
    if way == HALVES:
        return with_two_halves(document, part, protection=protection, keys=keys)
    if way == EACH_HEADING:
        return with_each_heading(document, part, protection=protection, keys=keys)
    return with_one_answer(document, part, way or AT_LEAST, protection=protection, keys=keys, least=least)
