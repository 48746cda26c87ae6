"""The page *What is readable, and why*: the questions of a draft that are stored as answered."""

from __future__ import annotations

from typing import Any, Final

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from surveys.accounts.authorship import by_and_now
from surveys.accounts.permissions import staff_page
from surveys.authoring.draft_pages import draft_page
from surveys.authoring.drafts import draft_save
from surveys.authoring.publish_pages import publish_again
from surveys.errors.error import SurveyError
from surveys.formats.joints import list_text
from surveys.models import Survey
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.definition import definition_without_texts
from surveys.questionnaire.document import DefinitionError
from surveys.questionnaire.draft_plan import planned_document
from surveys.questionnaire.readable import (
    is_shaped,
    protected_document,
    readable_questions,
    stored_document,
    unsettled_skips,
)

_PAGES: Final = ("readable", "plan")


@staff_page
@require_http_methods(["GET", "HEAD", "POST"])
@draft_page
def readable(request: HttpRequest, survey: Survey) -> HttpResponse:
    """List what a draft stores as answered; protect a question, or keep a skip."""
    error: SurveyError | DefinitionError | None = None
    if request.method == "POST":
        try:
            _change(request, survey)
        except (SurveyError, DefinitionError) as refusal:
            error = refusal
        else:
            page = request.POST.get("next", "")
            if page == "publish":
                return publish_again(request, survey)
            return redirect(f"authoring:{page if page in _PAGES else 'readable'}", survey.slug)
    context = {
        "survey": survey,
        "readable": readable_questions(survey.definition),
        "unsettled": unsettled_skips(survey.definition),
        "is_shaped": is_shaped(survey.definition),
        "refusal": error,
    }
    return render(request, "authoring/readable.html", context, status=409 if error else 200)


def _change(request: HttpRequest, survey: Survey) -> None:
    """Protect the question that the request names, or store it as answered, and save the draft.

    Raises
    ------
    SurveyError, DefinitionError
        As for `draft_save`; ``readable.gone``: the draft does not list this question.
    """
    document = survey.definition
    keys = {each.key: each for each in (*readable_questions(document), *unsettled_skips(document))}
    is_kept = "keep" in request.POST
    chosen = keys.get(request.POST.get("keep" if is_kept else "protect", ""))
    if chosen is None or not (is_kept or chosen.can_be_protected):
        raise SurveyError("readable.gone")
    changed = (stored_document if is_kept else protected_document)(document, chosen.key)
    revision = request.POST.get("revision", "")
    draft_save(
        survey,
        laid_out(survey, changed),
        revision=int(revision) if revision.isdecimal() and len(revision) < 10 else -1,
        **by_and_now(request),
    )
    if is_kept:
        said = _("“%(question)s” is stored as answered, and decides who is asked other questions.")
    elif chosen.dependents:
        said = _("“%(question)s” is protected. Everyone is asked now: %(others)s.")
    else:
        said = _("“%(question)s” is protected.")
    others = list_text(f"“{text}”" for text in chosen.dependents)
    messages.success(request, said % {"question": chosen.text, "others": others})


def laid_out(survey: Survey, document: dict[str, Any]) -> dict[str, Any]:
    """Return a document laid out for the aim of its survey, if it has an aim and is complete."""
    aim, whole = Aim.from_json(survey.aim), definition_without_texts(document)
    return document if aim is None or whole is None else planned_document(whole, aim)
