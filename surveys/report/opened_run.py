"""Decorators that open a run whose results may be shown."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, NamedTuple, ParamSpec, TypeAlias

from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.http import require_safe

from surveys.accounts.permissions import get_run_for_report, staff_page
from surveys.accounts.token_requests import staff_file
from surveys.errors.error import SurveyError
from surveys.models import Job, Run
from surveys.policy import LEAST_PROTECTED
from surveys.questionnaire.labels import Labels, labels_of
from surveys.runs.shown_of_run import has_results, is_outdated
from surveys.runs.withheld import is_withheld_whole

P = ParamSpec("P")


class OpenedRun(NamedTuple):
    """A run whose results may be shown."""

    run: Run
    labels: Labels


def with_results(run: Run) -> OpenedRun:
    """Open a run that the user may read; 404 if its results may not be shown."""
    open_run = opened_run(run)
    if open_run is None:
        raise Http404
    return open_run


RunView: TypeAlias = Callable[Concatenate[HttpRequest, OpenedRun, P], HttpResponseBase]
StaffView: TypeAlias = Callable[Concatenate[HttpRequest, int, P], HttpResponseBase]


def of_results(view: RunView[P]) -> StaffView[P]:
    """Pass the opened run to a view; redirect to the run's own page if it has no results."""

    @wraps(view)
    def open_page(request: HttpRequest, run_id: int, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        opened = opened_run(get_run_for_report(request.user, run_id))
        return redirect("report:run", run_id) if opened is None else view(request, opened, *args, **kwargs)

    return open_page


def results_page(view: RunView[P]) -> StaffView[P]:
    """Make a view a staff page of a run's results that only allows reading."""
    return staff_page(require_safe(of_results(view)))


def results_file(view: RunView[P]) -> StaffView[P]:
    """Make a view send a file of a run with results, to browsers and to programs with a token.

    Raises
    ------
    SurveyError
        ``not_over``, ``no_result`` or ``withheld``: the run has no results, or they may not be shown.
    """

    @staff_file
    @wraps(view)
    def send(request: HttpRequest, run_id: int, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        run = get_run_for_report(request.user, run_id)
        open_run = opened_run(run)
        if open_run is None:
            raise _refusal(run)
        return view(request, open_run, *args, **kwargs)

    return send


def why_not_shown(run: Run) -> str | None:
    """Return why the figures of a finished run are withheld; None if they are shown or there are none."""
    if run.job.state != Job.State.FINISHED or has_results(run):
        return None
    return "outdated" if is_outdated(run) else "earlier" if is_withheld_whole(run) else "few"


def _refusal(run: Run) -> SurveyError:
    if not run.job.is_over:
        return SurveyError("not_over.run", run.job.state)
    if run.job.state != Job.State.FINISHED:
        return SurveyError("no_result.run", run.job.state)
    reason = why_not_shown(run)
    if reason == "outdated":
        return SurveyError("withheld.outdated")
    if reason == "earlier":
        return SurveyError("withheld.earlier")
    return SurveyError("withheld.few", least=LEAST_PROTECTED)


def opened_run(run: Run) -> OpenedRun | None:
    """Return a run with its labels; None if it has no results."""
    return OpenedRun(run, labels_of(run.version, run.design)) if has_results(run) else None
