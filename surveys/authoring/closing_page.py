"""The page that closes a survey.

Templates and their context (URL names in brackets, all in the namespace ``authoring``):

``authoring/close.html`` [close]
    ``survey``, ``form`` with ``at_once`` (checkbox) and ``confirm`` (type the survey's slug; needed for
    ``at_once`` unless practice), ``refusal``. POST redirects to the survey's page.
"""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from surveys.accounts.authorship import by_and_now
from surveys.accounts.permissions import get_survey_for_builder, staff_page
from surveys.authoring.lifecycle import survey_close
from surveys.errors.error import SurveyError
from surveys.models import Survey


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
