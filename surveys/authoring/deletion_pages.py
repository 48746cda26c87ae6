"""Pages that delete a draft or a survey, or set the day of its deletion.

Templates and their context (URL names in brackets, all in the namespace ``authoring``):

``authoring/delete.html`` [delete]
    ``survey``, ``refusal``. POST redirects to the list of surveys. Never-published drafts only.
"""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.db.models import Sum
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from surveys.accounts.authorship import by_and_now
from surveys.accounts.permissions import (
    get_administrator,
    get_surveys_for_report,
    staff_page,
)
from surveys.authoring.deletion import belongings_of, survey_delete
from surveys.authoring.draft_pages import draft_page
from surveys.authoring.drafts import check_unpublished, draft_delete
from surveys.authoring.retention import retention_set
from surveys.errors.error import SurveyError, field_error, sentences
from surveys.models import RuleRow, RunCounts, Survey


class DeletionForm(forms.Form):
    """The survey's name in addresses, typed again to confirm deletion."""

    slug = forms.CharField(
        label=gettext_lazy("Enter the survey’s name from its address"),
        max_length=50,
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )

    def __init__(self, *args: object, survey: Survey) -> None:
        super().__init__(*args)  # type: ignore[arg-type]  # as Django's form takes them
        self.survey = survey

    def clean_slug(self) -> str:
        """Refuse any name but this survey's."""
        slug = str(self.cleaned_data["slug"]).strip()
        if slug != self.survey.slug:
            raise field_error("other")
        return slug


class DayForm(forms.Form):
    """The day on which the sweeper deletes the survey."""

    delete_on = forms.CharField(
        error_messages={"required": gettext_lazy("Enter a day as year-month-day, such as 2026-11-30.")},
        label=gettext_lazy("Deleted on"),
        max_length=40,
        widget=forms.DateInput(attrs={"type": "date"}),
    )


@staff_page
@require_http_methods(["GET", "HEAD", "POST"])
def delete_survey(request: HttpRequest, slug: str) -> HttpResponse:
    """List what would be deleted; delete it once its name is typed, or set the day of deletion."""
    administrator = get_administrator(request.user)
    survey = get_object_or_404(get_surveys_for_report(administrator), slug=slug)
    sets_day = "delete_on" in request.POST
    day_form = DayForm(request.POST if sets_day else None, initial={"delete_on": survey.delete_on})
    if day_form.is_valid():
        day = day_form.cleaned_data["delete_on"]
        try:
            retention_set(survey, day=day, by=administrator.get_username(), now=timezone.now())
        except SurveyError as error:
            day_form.add_error("delete_on", sentences(error))
        else:
            notice = _("Survey %(slug)s is deleted on %(day)s.") % {"slug": slug, "day": day}
            messages.success(request, notice)
            return redirect("report:survey", slug)
    form = DeletionForm(*([request.POST] if request.method == "POST" and not sets_day else []), survey=survey)
    if form.is_valid():
        try:
            survey_delete(survey, by=administrator.get_username())
        except SurveyError as error:
            form.add_error(None, sentences(error))
        else:
            messages.success(request, _("Survey %(slug)s was deleted.") % {"slug": slug})
            return redirect("report:surveys")
    rows = belongings_of(survey)
    context = {
        "survey": survey,
        "form": form,
        "day_form": day_form,
        "over": survey.state == Survey.State.CLOSED and survey.settled,
        "counts": [
            (_("versions"), rows.get("Version", 0)),
            (_("batches of answers"), rows.get("Batch", 0)),
            (_("runs"), rows.get("Run", 0)),
            (_("rules"), _rules_of(survey)),
            (_("verdicts"), rows.get("Verdict", 0)),
        ],
    }
    status = 422 if form.errors or day_form.errors else 200
    return render(request, "authoring/delete_survey.html", context, status=status)


def _rules_of(survey: Survey) -> int:
    """Return the number of rules that all runs of a survey list, as rows or as counts."""
    counted = RunCounts.objects.filter(run__survey=survey)
    rows = RuleRow.objects.filter(run__survey=survey).exclude(run__in=counted.values("run"))
    return rows.count() + (counted.aggregate(rules=Sum("rules"))["rules"] or 0)


@staff_page
@require_http_methods(["GET", "HEAD", "POST"])
@draft_page
def delete_draft(request: HttpRequest, survey: Survey) -> HttpResponse:
    """Ask whether to delete a draft, and delete it; refuse a published one."""
    conflict, status = None, 200
    try:
        check_unpublished(survey, "published.delete")
        if request.method == "POST":
            draft_delete(survey, by=by_and_now(request)["by"])
            messages.success(request, _("The draft %(slug)s was deleted.") % {"slug": survey.slug})
            return redirect("report:surveys")
    except SurveyError as error:
        conflict, status = error, 409
    return render(request, "authoring/delete.html", {"survey": survey, "refusal": conflict}, status=status)
