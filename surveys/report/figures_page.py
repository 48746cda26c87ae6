"""Pictures of a run to print: Results, a comparison, a regression, a number, a map, in millimetres."""

from __future__ import annotations

from typing import Final

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from privacy.errors import PrivacyError
from surveys.access.permissions import staff_page
from surveys.charts.intervals import IntervalRow, shares_svg
from surveys.charts.pdf import pdf_of
from surveys.charts.svg import in_millimetres
from surveys.figures.scales.question import scale_of
from surveys.formats.attachments import picture_file, whole_file
from surveys.report.comparison_page import comparison_of
from surveys.report.downloads import finished_run
from surveys.report.frequencies import share_said
from surveys.report.regression_page import forest, regression_of
from surveys.report.results_page import questions_of
from surveys.report.run_page import OpenedRun
from surveys.report.scales.number_page import number_picture
from surveys.report.scales.place_page import place_picture

__all__ = ["figure"]

MILLIMETRES: Final = 120
"""Wide; what a column and a half of a journal takes."""

NUMBER: Final = "number-"
MAP: Final = "place-"
"""Before the key of a question of that kind."""


@staff_page
@require_safe
def figure(request: HttpRequest, run_id: int, name: str, ending: str) -> HttpResponse:
    """Send a picture on white, so many millimetres wide."""
    picture = in_millimetres(_picture(request, finished_run(request, run_id), name), MILLIMETRES)
    file = f"sotto-run-{run_id}-{name}.{ending}"
    if ending == "svg":
        return picture_file(picture, file)
    if ending == "pdf":
        return whole_file(pdf_of(picture, millimetres=MILLIMETRES), "application/pdf", file)
    raise Http404


def _picture(request: HttpRequest, opened: OpenedRun, name: str) -> str:
    if name == "results":
        return _results(opened)
    if name == "comparison":
        return comparison_of(request, opened).drawing(paper=True)
    if name == "regression":
        response, odds, _fitted = regression_of(request, opened)
        return forest(response, odds, paper=True)
    return _scale(opened, name, smooth=request.GET.get("smoothing") == "on")


def _results(opened: OpenedRun) -> str:
    """Draw the share of every answer that the run lists."""
    rows = [
        IntervalRow(
            name=f"{label.text} {label.answer}",
            text=share_said(row.support, row.support_low, row.support_high),
            value=row.support,
            low=row.support_low,
            high=row.support_high,
        )
        for question in questions_of(opened)
        for label, row in question.answers
        if row is not None and row.support_low is not None and row.support_high is not None
    ]
    if not rows:
        raise Http404
    return shares_svg(rows, title=opened.run.survey.title_text, unit=_("people of 100"), paper=True)


def _scale(opened: OpenedRun, name: str, *, smooth: bool) -> str:
    """Draw the histogram of a number, or the map of a place."""
    prefixes = {"number": NUMBER, "place": MAP}
    keys = {
        f"{prefixes.get(question.kind)}{question.key}": question for question in opened.run.design.questions
    }
    if name not in keys or keys[name].kind not in prefixes:
        raise Http404
    try:
        scale = scale_of(opened.run, keys[name].key, keys[name].kind)
        picture = place_picture(scale, smooth=smooth) if name.startswith(MAP) else number_picture(scale)
    except PrivacyError as error:
        raise Http404 from error
    if picture is None:
        raise Http404
    return picture
