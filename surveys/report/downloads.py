"""Files of the staff pages: the list of surveys, a survey's runs, and the rules and itemsets of a run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any, Final, TypeAlias

from django.http import Http404, HttpRequest, JsonResponse, StreamingHttpResponse

from surveys.access.permissions import get_survey_for_report, get_surveys_for_staff, may_read_report
from surveys.access.staff_file import staff_file
from surveys.desk.overview import is_rounded, newest_versions, received_counts
from surveys.figures.itemsets import ItemsetQuery, itemsets_matching
from surveys.figures.parquet import rules_as_parquet
from surveys.figures.rules import all_rules
from surveys.figures.run_summary import has_results, requester
from surveys.figures.tables import itemsets_as_csv, rules_as_csv, rules_as_json
from surveys.formats.attachments import csv_file, json_file, streamed_file
from surveys.models import RuleRow, Run, Survey, Version
from surveys.questionnaire.labels import Labels
from surveys.report.forms import RuleFilterForm
from surveys.report.run_page import OpenedRun, results_file, why_not_shown
from surveys.rows.disclosure import groups_of, rounded_count

_Writer: TypeAlias = Callable[[Iterable[RuleRow], Labels, Run], Iterator[str] | Iterator[bytes]]

_RULES: Final[Mapping[str, tuple[_Writer, str]]] = {
    "csv": (rules_as_csv, "text/csv; charset=utf-8"),
    "json": (rules_as_json, "application/json"),
    "parquet": (rules_as_parquet, "application/vnd.apache.parquet"),
}
"""Writers and media types, by the ending of the file's name."""


@results_file
def rules(request: HttpRequest, opened: OpenedRun, ending: str) -> StreamingHttpResponse:
    """Send the rules that the address asks for, all of them without a filter."""
    if ending not in _RULES:
        raise Http404
    run, labels = opened
    write, media_type = _RULES[ending]
    rows = all_rules(run, RuleFilterForm.of_run(request.GET, run, labels).query())
    name = f"sottovoce-run-{run.pk}-rules.{ending}"
    if ending == "csv":
        return csv_file(rules_as_csv(rows, labels, run), name)
    return streamed_file(write(rows, labels, run), media_type, name)


@results_file
def itemsets_csv(_request: HttpRequest, opened: OpenedRun) -> StreamingHttpResponse:
    """Send all itemsets."""
    run, labels = opened
    rows = itemsets_matching(run, ItemsetQuery()).iterator(chunk_size=2_000)
    return csv_file(itemsets_as_csv(rows, labels, run), f"sottovoce-run-{run.pk}-itemsets.csv")


@staff_file
def surveys_json(request: HttpRequest) -> JsonResponse:
    """Send the surveys that the reader's list shows."""
    received = received_counts()
    records = [
        {
            "slug": survey.slug,
            "title": survey.title_text,
            "state": survey.state,
            "practice": survey.practice,
            "owner": survey.owner.get_username() if survey.owner else None,
            "received": _received(survey, received.get(survey.pk, 0)),
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
    """Send the designs of a survey, with the answers that a run may use, and its runs; the newest first."""
    survey = get_survey_for_report(request.user, slug)
    runs = survey.runs.select_related("survey", "version", "job", "job__requested_by").order_by("-pk")
    document = {
        "survey": survey.slug,
        "designs": [_design(version) for version in newest_versions(survey)],
        "runs": [_run(run) for run in runs],
    }
    return json_file(document, f"sottovoce-{survey.slug}-runs.json")


def _received(survey: Survey, received: int) -> int:
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


def _run(run: Run) -> dict[str, Any]:
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
    }


def _minute(at: datetime | None) -> str | None:
    """Write a moment of the staff's work to the minute, as pages do."""
    return None if at is None else at.replace(second=0, microsecond=0).isoformat()
