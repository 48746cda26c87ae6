"""The list of surveys and the runs of one survey as JSON files, for programs."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.http import HttpRequest, JsonResponse

from surveys.accounts.permissions import get_survey_for_report, get_surveys_for_staff, may_read_report
from surveys.accounts.token_requests import staff_file
from surveys.formats.file_responses import json_file
from surveys.formats.shown_counts import rounded_count
from surveys.models import Run, Survey, Version
from surveys.report.opened_run import why_not_shown
from surveys.report.survey_list.overview import newest_versions
from surveys.report.survey_list.survey_lines import is_rounded
from surveys.runs.disclosure import groups_of
from surveys.runs.look import Look, looks_of
from surveys.runs.received_answers import received_counts
from surveys.runs.run_words import requester
from surveys.runs.shown_of_run import has_results


@staff_file
def surveys_json(request: HttpRequest) -> JsonResponse:
    """Send the surveys that the user may see."""
    counts = received_counts()
    records = [
        {
            "slug": survey.slug,
            "title": survey.title_text,
            "state": survey.state,
            "practice": survey.practice,
            "owner": survey.owner.get_username() if survey.owner else None,
            "received": _received_count(survey, counts.get(survey.pk, 0)),
            "received_is_rounded": is_rounded(survey),
            "closed_at": _minute(survey.closed_at),
            "accepts_until": None if survey.settled else _minute(survey.accepts_until),
            "delete_on": survey.delete_on and survey.delete_on.isoformat(),
            "may_read_runs": may_read_report(request.user, survey),
        }
        for survey in get_surveys_for_staff(request.user)
    ]
    return json_file({"surveys": records}, "sottovoce-surveys.json")


@staff_file
def runs_json(request: HttpRequest, slug: str) -> JsonResponse:
    """Send a survey's designs with the answers that a run may use, and its runs, newest first."""
    survey = get_survey_for_report(request.user, slug)
    runs = survey.runs.select_related("survey", "version", "job", "job__requested_by").order_by("-pk")
    looks = looks_of(runs)
    document = {
        "survey": survey.slug,
        "designs": [_design(version) for version in newest_versions(survey)],
        "runs": [_run(run, looks.get(run.pk)) for run in runs],
    }
    return json_file(document, f"sottovoce-{survey.slug}-runs.json")


def _received_count(survey: Survey, received: int) -> int:
    return rounded_count(received) if is_rounded(survey) else received


def _design(version: Version) -> dict[str, Any]:
    groups = groups_of(version)
    same = version.survey.versions.filter(design_id=version.design_id).order_by("number")
    return {
        "design_id": version.design_id,
        "versions": list(same.values_list("number", flat=True)),
        "published_at": _minute(version.published_at),
        "n": groups.n,
        "n_direct": groups.n_direct,
        "n_protected": groups.n_protected,
        "has_results": groups.disclosure.results,
    }


def _run(run: Run, look: Look | None) -> dict[str, Any]:
    return {
        "id": run.pk,
        "version": run.version.number,
        "design_id": run.design_id,
        "state": run.job.state,
        "practice": run.survey.practice,
        "asked_at": _minute(run.job.created_at),
        "asked_by": requester(run.job),
        "parameters": run.parameters,
        "has_results": has_results(run),
        "withheld": why_not_shown(run),
        "look": look and look.to_json(),
    }


def _minute(instant: datetime | None) -> str | None:
    """Format a time of staff activity to the minute, as pages do."""
    return None if instant is None else instant.replace(second=0, microsecond=0).isoformat()
