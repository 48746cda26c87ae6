"""The run of a page of results."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Concatenate, NamedTuple, ParamSpec

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import get_language

from surveys.access.permissions import get_run_for_report
from surveys.analysis.run_summary import has_results
from surveys.models import Run, Version
from surveys.questionnaire.labels import Labels, labels_of
from surveys.questionnaire.languages import text_in

P = ParamSpec("P")


class OpenedRun(NamedTuple):
    """A run whose results may be shown."""

    run: Run
    labels: Labels


def with_results(run: Run) -> OpenedRun:
    """Return a run, that came through a door, if its results may be shown; 404 else."""
    opened = _opened(run)
    if opened is None:
        raise Http404
    return opened


def results_page(
    view: Callable[Concatenate[HttpRequest, OpenedRun, P], HttpResponse],
) -> Callable[Concatenate[HttpRequest, int, P], HttpResponse]:
    """Give a view the run whose results it shows; where there are none, lead to the run's own page."""

    @wraps(view)
    def led(request: HttpRequest, run_id: int, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        opened = _opened(get_run_for_report(request.user, run_id))
        return redirect("report:run", run_id) if opened is None else view(request, opened, *args, **kwargs)

    return led


def _opened(run: Run) -> OpenedRun | None:
    return OpenedRun(run, labels_of(run.version, run.design)) if has_results(run) else None


@dataclass(frozen=True, kw_only=True)
class Surveyed:
    """Target population and frame; empty where nobody stated them."""

    population: str
    frame: str


def surveyed_of(version: Version) -> Surveyed:
    """Return what a version states, in the language of the page."""
    about, language = version.wording["about"], get_language() or "en"
    return Surveyed(
        population=text_in(about.get("population", {}), language),
        frame=text_in(about.get("frame", {}), language),
    )
