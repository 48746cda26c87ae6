"""The run of a page of results."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, NamedTuple, ParamSpec

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect

from surveys.access.permissions import get_run_for_report
from surveys.figures.run_summary import has_results
from surveys.models import AuditEvent, Run
from surveys.questionnaire.labels import Labels, labels_of

P = ParamSpec("P")


class OpenedRun(NamedTuple):
    """A run whose results may be shown."""

    run: Run
    labels: Labels


def with_results(run: Run) -> OpenedRun:
    """Return a run, that came through a door, if its results may be shown; 404 else."""
    opened = opened_run(run)
    if opened is None:
        raise Http404
    return opened


def results_page(
    view: Callable[Concatenate[HttpRequest, OpenedRun, P], HttpResponse],
) -> Callable[Concatenate[HttpRequest, int, P], HttpResponse]:
    """Give a view the run whose results it shows; where there are none, lead to the run's own page."""

    @wraps(view)
    def led(request: HttpRequest, run_id: int, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        opened = opened_run(get_run_for_report(request.user, run_id))
        return redirect("report:run", run_id) if opened is None else view(request, opened, *args, **kwargs)

    return led


def opened_run(run: Run) -> OpenedRun | None:
    """Return a run with its labels; None as long as it has no results."""
    return OpenedRun(run, labels_of(run.version, run.design)) if has_results(run) else None


def place_among_runs(run: Run) -> dict[str, int]:
    """Return which run of its survey a run is, and how many there are."""
    runs = Run.objects.filter(survey=run.survey_id)
    return {"number": runs.filter(pk__lte=run.pk).count(), "runs": runs.count()}


def request_event(run: Run) -> AuditEvent | None:
    """Return the entry of the audit log that asked for a run; None of a run of an older release."""
    requests = AuditEvent.objects.filter(action="run_request", target=f"{run.survey.slug} run {run.pk}")
    return requests.order_by("pk").first()
