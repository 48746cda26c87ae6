"""The page with the list of all surveys."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from surveys.accounts.permissions import (
    get_surveys_for_reviewer,
    get_surveys_for_staff,
    may_judge,
    may_read_reports,
    staff_page,
)
from surveys.accounts.roles import Role, roles_of
from surveys.models.finished_example import page_of_example
from surveys.report.rules.waiting_rules import waiting_rules
from surveys.report.survey_list.survey_lines import survey_lines
from surveys.server.health import installation_facts
from surveys.server.health_line import health_line


@staff_page
@require_safe
def surveys(request: HttpRequest) -> HttpResponse:
    """List the surveys."""
    lines = survey_lines(list(get_surveys_for_staff(request.user)))
    queue = waiting_rules(get_surveys_for_reviewer(request.user)) if may_judge(request.user) else []
    administers = Role.ADMINISTRATOR in roles_of(request.user)
    context = {
        "surveys": lines,
        "waiting": [waiting for waiting in queue if waiting.rules],
        "waiting_rules": sum(len(waiting.rules) for waiting in queue),
        "may_read": may_read_reports(request.user),
        "example": page_of_example(),
        "health": health_line(installation_facts(wait=False)) if administers else None,
    }
    return render(request, "report/survey_list/surveys.html", context)
