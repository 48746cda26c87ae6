"""Request a run from the page of a survey."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from privacy.errors import PrivacyError
from surveys.accounts.permissions import get_staff, get_survey_for_report, staff_page
from surveys.errors.error import sentences
from surveys.report.survey_list.mine_form import MineForm
from surveys.report.survey_list.overview import newest_versions, survey_page
from surveys.report.survey_list.survey_view import survey_response
from surveys.runs.run_requests import run_request


@staff_page
@require_POST
def mine(request: HttpRequest, slug: str) -> HttpResponse:
    """Request a run and redirect to it; show errors next to the form."""
    selected = get_survey_for_report(request.user, slug)
    form = MineForm(newest_versions(selected), request.POST)
    if form.is_valid():
        try:
            run = run_request(
                version=form.chosen_version(),
                thresholds=form.thresholds(),
                by=get_staff(request.user),
                now=(now := timezone.now()),
                chapter=form.cleaned_data["chapter"],
                repeats=False,
            )
        except PrivacyError as error:
            form.add_error(None, sentences(error))
        else:
            if run.job.created_at != now:
                messages.info(
                    request, _("This run of the same answers with the same settings exists already.")
                )
            return redirect("report:run", run.pk)
    return survey_response(request, survey_page(selected), form, status=422)
