"""The pages of numbers and places in a run's report, and their files."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render

from privacy.errors import PrivacyError
from surveys.errors.core_refusals import sentences
from surveys.figures.scales.density_cache import density_of
from surveys.figures.scales.files import density_csv, histogram_csv, number_json, place_geojson, regions_csv
from surveys.figures.scales.place_suppression import releasable_map
from surveys.figures.scales.question import Kind, ScaleQuestion, scale_of, skips_of
from surveys.formats.attachments import csv_file, json_file, streamed_file
from surveys.report.run_page import OpenedRun, only_if_fitting, results_file, results_page
from surveys.report.scales.number_page import number_context
from surveys.report.scales.place_page import place_context


@results_page
@only_if_fitting("scales")
def scale_page(request: HttpRequest, opened: OpenedRun, question: str, kind: Kind) -> HttpResponse:
    """Show the distribution of a number question, or the density of a place question."""
    run = opened.run
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


@results_file
def scale_file(
    request: HttpRequest, opened: OpenedRun, question: str, kind: Kind, file: str
) -> HttpResponseBase:
    """Send a file of a number or a place question."""
    scale = scale_of(opened.run, question, kind)
    name = f"sottovoce-run-{opened.run.pk}-{question}"
    if kind == "number" and file == "histogram.csv":
        return csv_file(histogram_csv(scale), f"{name}.csv")
    if kind == "number" and file == "figures.json":
        return json_file(number_json(scale), f"{name}.json")
    if kind == "place":
        return _of_place(scale, file, name, smooth=_smooth(request))
    raise Http404


def _of_place(scale: ScaleQuestion, file: str, name: str, *, smooth: bool) -> HttpResponseBase:
    density = density_of(scale, smooth=smooth)
    released = releasable_map(scale, density)
    if file == "cells.csv":
        return csv_file(density_csv(scale, released, smooth=smooth), f"{name}-cells.csv")
    if file == "regions.csv":
        return csv_file(regions_csv(scale, released.regions), f"{name}-regions.csv")
    if file == "map.geojson":
        parts = place_geojson(scale, density, released, smooth=smooth)
        return streamed_file(parts, "application/geo+json", f"{name}.geojson")
    raise Http404


def _smooth(request: HttpRequest) -> bool:
    """Whether the address asks for a smoothed reconstruction."""
    return request.GET.get("smoothing") == "on"
