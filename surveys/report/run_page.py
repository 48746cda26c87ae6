"""The run of a page of results."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, NamedTuple, ParamSpec, TypeAlias

from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.http import require_safe

from privacy.errors import PrivacyError
from surveys.access.permissions import get_run_for_report, staff_page
from surveys.errors.core_refusals import sentences
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


RunView: TypeAlias = Callable[Concatenate[HttpRequest, OpenedRun, P], HttpResponseBase]
StaffView: TypeAlias = Callable[Concatenate[HttpRequest, int, P], HttpResponseBase]


def of_results(view: RunView[P]) -> StaffView[P]:
    """Give a view the run whose results it shows; where there are none, lead to the run's own page."""

    @wraps(view)
    def led(request: HttpRequest, run_id: int, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        opened = opened_run(get_run_for_report(request.user, run_id))
        return redirect("report:run", run_id) if opened is None else view(request, opened, *args, **kwargs)

    return led


def results_page(view: RunView[P]) -> StaffView[P]:
    """Return a page of a run's results, which is only read."""
    return staff_page(require_safe(of_results(view)))


def results_file(view: RunView[P]) -> StaffView[P]:
    """Return a file of a run's results; 404 where there are none, or where its page refuses."""

    @staff_page
    @require_safe
    @wraps(view)
    def sent(request: HttpRequest, run_id: int, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        opened = with_results(get_run_for_report(request.user, run_id))
        try:
            return view(request, opened, *args, **kwargs)
        except PrivacyError as error:
            raise Http404(sentences(error)) from error

    return sent


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
