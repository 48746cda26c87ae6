"""The page of one survey: status, next step, designs, runs and the form for a run."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from surveys.accounts.permissions import (
    get_survey_for_staff,
    may_build,
    may_judge,
    may_read_report,
    staff_page,
)
from surveys.models import Version
from surveys.questionnaire.understatements import understatements_of
from surveys.report.survey_list.mine_form import MineForm
from surveys.report.survey_list.next_step import next_step
from surveys.report.survey_list.overview import SurveyPage, newest_versions, survey_page
from surveys.report.survey_list.survey_status import survey_status
from surveys.respondent.invitations import invitation_status
from surveys.respondent.survey_addresses import absolute_address, addresses_now, shown_path


@staff_page
@require_safe
def survey(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a survey: its designs, numbers of answers, runs, and the form to request a run."""
    selected = get_survey_for_staff(request.user, slug)
    versions, page = newest_versions(selected), survey_page(selected)
    form = MineForm(versions, initial=_last_settings(page, versions))
    return survey_response(request, page, form)


def _last_settings(page: SurveyPage, versions: list[Version]) -> dict[str, Any]:
    """Return the form's values for the settings of the newest run; empty without a run.

    If answers to one design still wait for their final analysis, this is the newest run on that design.
    """
    due = page.unanalysed
    chapter = {} if due is None or due.chapter is None else {"chapter": due.chapter.number}
    runs = [run for run in page.runs if due is None or run.design_id == due.part.newest.design_id]
    run = runs[0] if runs else None
    if run is None or run.unreadable:
        return chapter if due is None else {"version": due.part.newest.pk} | chapter
    thresholds, design = run.thresholds, run.design
    sides = {
        side: [design.questions[design.items[item].question].key for item in items]
        for side in ("antecedent", "consequent")
        if (items := getattr(thresholds.sides, side)) is not None
    }
    version = next(version.pk for version in versions if version.design_id == run.design_id)
    return vars(thresholds) | sides | {"version": version} | chapter


def survey_response(
    request: HttpRequest, page: SurveyPage, form: MineForm, *, status: int = 200
) -> HttpResponse:
    """Render the page of a survey with a form for a run, empty or refused."""
    selected = page.survey
    builds = may_build(request.user, selected)
    build = survey_status(selected, now=timezone.now()) if builds else None
    may_read = may_read_report(request.user, selected)
    context = {
        "survey": selected,
        "page": page,
        "form": form,
        "build": build,
        "understated": understatements_of(selected),
        "addresses": [
            (address.language.name, absolute_address(request, address.path))
            for address in addresses_now(selected)
        ],
        "shown_path": shown_path(selected),
        "invitations": invitation_status(selected) if builds else None,
        "may_read": may_read,
        "next": next_step(selected, page, build, may_read=may_read, may_judge=may_judge(request.user)),
    }
    return render(request, "report/survey_list/survey.html", context, status=status)
