"""The pages of numbers and places in a run's report, and their files."""

from __future__ import annotations

from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
)
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from privacy.errors import PrivacyError
from surveys.access.permissions import get_run_for_report, staff_page
from surveys.errors.core_refusals import sentences
from surveys.figures.run_summary import has_results
from surveys.figures.scales.density_cache import density_of
from surveys.figures.scales.files import density_csv, histogram_csv, number_json, place_geojson, regions_csv
from surveys.figures.scales.place_suppression import releasable_map
from surveys.figures.scales.question import Kind, ScaleQuestion, scale_of, skips_of
from surveys.formats.attachments import csv_file, json_file, picture_file, streamed_file
from surveys.report.downloads import finished_run
from surveys.report.scales.number_page import number_context, number_picture
from surveys.report.scales.place_page import place_context, place_picture


@staff_page
@require_safe
def number(request: HttpRequest, run_id: int, question: str) -> HttpResponse:
    """Show the distribution, mean and quantiles of a number question."""
    return _page(request, run_id, question, "number")


@staff_page
@require_safe
def location(request: HttpRequest, run_id: int, question: str) -> HttpResponse:
    """Show the density, the regions and the mean place of a place question."""
    return _page(request, run_id, question, "place")


@staff_page
@require_safe
def number_csv_file(request: HttpRequest, run_id: int, question: str) -> HttpResponseBase:
    """Send the histogram for a spreadsheet."""
    scale = _scale(request, run_id, question, "number")
    return csv_file(histogram_csv(scale), f"{_name(scale)}.csv")


@staff_page
@require_safe
def number_json_file(request: HttpRequest, run_id: int, question: str) -> HttpResponse:
    """Send all figures of a number question."""
    scale = _scale(request, run_id, question, "number")
    return json_file(number_json(scale), f"{_name(scale)}.json")


@staff_page
@require_safe
def number_svg_file(request: HttpRequest, run_id: int, question: str) -> HttpResponse:
    """Send the histogram as a picture."""
    scale = _scale(request, run_id, question, "number")
    drawing = number_picture(scale)
    if drawing is None:
        raise Http404
    return picture_file(drawing, f"{_name(scale)}.svg")


@staff_page
@require_safe
def place_csv_file(request: HttpRequest, run_id: int, question: str) -> HttpResponseBase:
    """Send the density of the map for a spreadsheet."""
    scale, smooth = _scale(request, run_id, question, "place"), _smooth(request)
    density = density_of(scale, smooth=smooth)
    cells = density_csv(scale, releasable_map(scale, density), smooth=smooth)
    return csv_file(cells, f"{_name(scale)}-cells.csv")


@staff_page
@require_safe
def regions_csv_file(request: HttpRequest, run_id: int, question: str) -> HttpResponseBase:
    """Send the shares of the regions for a spreadsheet."""
    scale = _scale(request, run_id, question, "place")
    density = density_of(scale, smooth=_smooth(request))
    parts = regions_csv(scale, releasable_map(scale, density).regions)
    return csv_file(parts, f"{_name(scale)}-regions.csv")


@staff_page
@require_safe
def place_geojson_file(request: HttpRequest, run_id: int, question: str) -> HttpResponseBase:
    """Send regions and density for a map."""
    scale, smooth = _scale(request, run_id, question, "place"), _smooth(request)
    density = density_of(scale, smooth=smooth)
    parts = place_geojson(scale, density, releasable_map(scale, density), smooth=smooth)
    return streamed_file(parts, "application/geo+json", f"{_name(scale)}.geojson")


@staff_page
@require_safe
def place_svg_file(request: HttpRequest, run_id: int, question: str) -> HttpResponse:
    """Send the map as a picture."""
    scale = _scale(request, run_id, question, "place")
    drawing = place_picture(scale, smooth=_smooth(request))
    return picture_file(drawing, f"{_name(scale)}.svg")


def _page(request: HttpRequest, run_id: int, question: str, kind: Kind) -> HttpResponse:
    run = get_run_for_report(request.user, run_id)
    if not has_results(run):
        return redirect("report:run", run.pk)
    context: dict[str, object] = {"run": run, "question": question}
    try:
        scale = scale_of(run, question, kind)
    except PrivacyError as error:
        unknown = error.code in ("question", "kind")
        context["problem"] = sentences(error)
        return render(request, "report/scales/refused.html", context, status=404 if unknown else 200)
    context |= {"scale": scale, "disguise": scale.question.disguise, "skips": skips_of(scale)}
    context |= number_context(scale) if kind == "number" else place_context(scale, smooth=_smooth(request))
    return render(request, f"report/scales/{kind}.html", context)


def _scale(request: HttpRequest, run_id: int, question: str, kind: Kind) -> ScaleQuestion:
    """Return the question that a file is about; 404 where its page would refuse."""
    run, _labels = finished_run(request, run_id)
    try:
        return scale_of(run, question, kind)
    except PrivacyError as error:
        raise Http404(sentences(error)) from error


def _smooth(request: HttpRequest) -> bool:
    """Whether the address asks for a smoothed reconstruction."""
    return request.GET.get("smoothing") == "on"


def _name(scale: ScaleQuestion) -> str:
    return f"sotto-run-{scale.run.pk}-{scale.question.key}"
