"""The pages and downloads of number and place questions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render

from privacy.errors import PrivacyError
from surveys.errors.error import sentences
from surveys.report.opened_run import OpenedRun, results_file, results_page
from surveys.report.results.number_files import number_file
from surveys.report.results.numbers import number_context
from surveys.report.results.place_files import place_file
from surveys.report.results.places import place_context
from surveys.runs.look_words import file_mark
from surveys.runs.scale_question import ScaleQuestion, scale_of, skips_of


class ScalePages(NamedTuple):
    """The page and the files of one kind of question."""

    context: Callable[[ScaleQuestion], dict[str, Any]]
    """The context of its template, ``report/results/scales/<kind>.html``."""
    send: Callable[[ScaleQuestion, str, str], HttpResponseBase]
    """Send a file, by its name in addresses and the first part of its name on disk; 404 if there is none."""


PAGES: Final[Mapping[str, ScalePages]] = {
    "number": ScalePages(number_context, number_file),
    "place": ScalePages(place_context, place_file),
}
"""By kind."""


@results_page
def scale_page(request: HttpRequest, open_run: OpenedRun, question: str, kind: str) -> HttpResponse:
    """Show the distribution of a number question, or the density of a place question."""
    run = open_run.run
    context: dict[str, object] = {"run": run, "question": question}
    try:
        scale = scale_of(run, question, kind)
        context |= {"scale": scale, "disguise": scale.question.disguise, "skips": skips_of(scale)}
        context |= PAGES[kind].context(scale)
    except PrivacyError as error:
        unknown = error.code in ("question", "kind")
        context["problem"] = sentences(error)
        return render(request, "report/results/scales/refused.html", context, status=404 if unknown else 200)
    return render(request, f"report/results/scales/{kind}.html", context)


@results_file
def scale_file(
    request: HttpRequest, open_run: OpenedRun, question: str, kind: str, file: str
) -> HttpResponseBase:
    """Send a file of a number or a place question."""
    scale = scale_of(open_run.run, question, kind)
    name = f"sottovoce-run-{open_run.run.pk}{file_mark(open_run.run)}-{question}"
    return PAGES[kind].send(scale, file, name)
