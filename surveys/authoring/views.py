"""The page of the builder, and the pages that close a survey and delete a draft.

Templates and their context (URL names in brackets, all in the namespace ``authoring``):

``authoring/builder.html`` [builder]
    ``survey`` (the row), ``languages`` (list of ``Language(tag, name, direction)`` to choose from),
    ``time_zones`` (list of names), ``data`` for ``json_script``: ``{"draft": <as GET …/build/draft>,
    "urls": {"draft", "save", "check", "rename", "one_answer", "preview", "publish", "survey", "export_json"},
    "csrf": "<token>"}``. Read ``data.csrf`` for the header ``X-CSRFToken``.
``authoring/close.html`` [close]
    ``survey``, ``form`` with ``at_once`` (checkbox) and ``confirm`` (type the survey's slug; needed for
    ``at_once`` unless practice), ``refusal``. POST redirects to the survey's page.
``authoring/delete.html`` [delete]
    ``survey``, ``refusal``. POST redirects to the list of surveys. Never-published drafts only.
``partials/survey_build.html``
    ``build`` = `surveys.report.survey_list.survey_status.survey_status(survey)`.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from surveys.accounts.authorship import by_and_now
from surveys.accounts.display_settings import is_expert
from surveys.accounts.permissions import get_survey_for_builder, staff_page
from surveys.authoring.api import draft_state
from surveys.authoring.builder_texts import builder_texts
from surveys.authoring.drafts import draft_delete
from surveys.authoring.lifecycle import survey_close
from surveys.authoring.preview import allow_preview_frame
from surveys.errors.error import SurveyError
from surveys.models import Survey
from surveys.questionnaire.formality import forms_of
from surveys.questionnaire.languages import known_languages, respondent_languages
from surveys.questionnaire.local_time import time_zones
from surveys.questionnaire.neutral_questions import neutral_questions
from surveys.questionnaire.placebo_acts import PLACEBO_NAMES, placebo_acts
from surveys.questionnaire.ready_parts import ready_parts


class CloseForm(forms.Form):
    """Whether sealed answers are still accepted after closing."""

    at_once = forms.BooleanField(
        label=gettext_lazy("Also stop accepting answers that were sealed before closing"), required=False
    )
    confirm = forms.CharField(
        label=gettext_lazy("Type the survey's address to confirm"), required=False, max_length=50
    )

    def __init__(self, survey: Survey, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._slug = survey.slug
        self.asks = not (survey.practice or survey.settled)
        """Whether closing has to be confirmed; whether anyone has answered must not be visible."""

    def clean_confirm(self) -> str:
        """Compare the typed text with the survey's address."""
        text: str = self.cleaned_data["confirm"]
        if self.asks and text != self._slug:
            raise forms.ValidationError(
                gettext_lazy("This is not the survey's address. Type %(slug)s."), params={"slug": self._slug}
            )
        return text


@staff_page
@require_safe
def builder(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the builder, which works through `surveys.authoring.api`."""
    survey = get_survey_for_builder(request.user, slug)
    data = {
        "draft": draft_state(survey, with_document=True, expert=is_expert(request.user)),
        "urls": {
            **{page: reverse(f"authoring:{page}", args=[slug]) for page in _PAGES},
            "survey": reverse("report:survey", args=[slug]),
        },
        "csrf": get_token(request),
        "forms": {tag: asdict(pair) for tag in respondent_languages() if (pair := forms_of(tag))},
        "ready": {
            **ready_parts(),
            "neutral": neutral_questions(),
            "placebo": placebo_acts(),
            "placeboNames": PLACEBO_NAMES,
        },
    }
    context = {
        "survey": survey,
        "languages": known_languages(),
        "time_zones": time_zones(),
        "has_text": survey.draft_revisions.exclude(pasted="").exists(),
        "data": data,
        "texts": builder_texts(expert=is_expert(request.user)),
    }
    response = render(request, "authoring/builder.html", context)
    return allow_preview_frame(request, response)


@staff_page
@require_http_methods(["GET", "HEAD", "POST"])
def close(request: HttpRequest, slug: str) -> HttpResponse:
    """Ask how to close the survey, and close it."""
    survey = get_survey_for_builder(request.user, slug)
    # For a closed survey, this page can only end the grace period.
    is_closed = survey.state == Survey.State.CLOSED
    newest = survey.versions.last()
    form = CloseForm(survey, request.POST if request.method == "POST" else None)
    conflict, status = None, 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            try:
                survey_close(survey, at_once=form.cleaned_data["at_once"], **by_and_now(request))
            except SurveyError as error:
                conflict, status = error, 409
            else:
                done = _("No more answers are accepted.") if is_closed else _("The survey is closed.")
                messages.success(request, done)
                return redirect("report:survey", slug)
    context = {
        "survey": survey,
        "form": form,
        "refusal": conflict,
        "is_closed": is_closed,
        "is_over": survey.closed_to_bodies(timezone.now()),
        "needed": newest.people_needed if newest else 0,
    }
    return render(request, "authoring/close.html", context, status=status)


@staff_page
@require_http_methods(["GET", "HEAD", "POST"])
def delete(request: HttpRequest, slug: str) -> HttpResponse:
    """Ask whether to delete a draft, and delete it."""
    survey = get_survey_for_builder(request.user, slug)
    conflict, status = None, 200
    if request.method == "POST":
        try:
            draft_delete(survey, by=by_and_now(request)["by"])
        except SurveyError as error:
            conflict, status = error, 409
        else:
            messages.success(request, _("The draft %(slug)s was deleted.") % {"slug": slug})
            return redirect("report:surveys")
    return render(request, "authoring/delete.html", {"survey": survey, "refusal": conflict}, status=status)


_PAGES = (
    "draft",
    "save",
    "check",
    "rename",
    "one_answer",
    "preview",
    "publish",
    "delete",
    "export",
    "export_json",
)
