"""The pages and downloads of number and place questions."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render

from privacy.errors import PrivacyError
from surveys.errors.error import sentences
from surveys.formats.file_responses import csv_file, json_file, streamed_file
from surveys.report.opened_run import OpenedRun, results_file, results_page
from surveys.report.results.numbers import histogram_csv, number_context, number_json
from surveys.report.results.places import density_csv, place_context, place_geojson, regions_csv
from surveys.runs.density_cache import density_of
from surveys.runs.look import file_mark
from surveys.runs.numbers import ScaleQuestion, scale_of, skips_of
from surveys.runs.places import releasable_map


@results_page
def scale_page(request: HttpRequest, open_run: OpenedRun, question: str, kind: str) -> HttpResponse:
    """Show the distribution of a number question, or the density of a place question."""
    run = open_run.run
    context: dict[str, object] = {"run": run, "question": question}
    try:
        scale = scale_of(run, question, kind)
        context |= {"scale": scale, "disguise": scale.question.disguise, "skips": skips_of(scale)}
        context |= number_context(scale) if kind == "number" else place_context(scale)
    except PrivacyError as error:
        unknown = error.code in ("question", "kind")
        context["problem"] = sentences(error)
        return render(request, "report/scales/refused.html", context, status=404 if unknown else 200)
    return render(request, f"report/scales/{kind}.html", context)


@results_file
def scale_file(
    request: HttpRequest, open_run: OpenedRun, question: str, kind: str, file: str
) -> HttpResponseBase:
    """Send a file of a number or a place question."""
    scale = scale_of(open_run.run, question, kind)
    name = f"sottovoce-run-{open_run.run.pk}{file_mark(open_run.run)}-{question}"
    if kind == "number" and file == "histogram.csv":
        return csv_file(histogram_csv(scale), f"{name}.csv")
    if kind == "number" and file == "figures.json":
        return json_file(number_json(scale), f"{name}.json")
    if kind == "place":
        return _place_file(scale, file, name)
    raise Http404


def _place_file(scale: ScaleQuestion, file: str, name: str) -> HttpResponseBase:
    density = density_of(scale)
    shown_map = releasable_map(scale, density)
    if file == "cells.csv":
        return csv_file(density_csv(scale, shown_map), f"{name}-cells.csv")
    if file == "regions.csv":
        return csv_file(regions_csv(scale, shown_map.regions), f"{name}-regions.csv")
    if file == "map.geojson":
        parts = place_geojson(scale, density, shown_map)
        return streamed_file(parts, "application/geo+json", f"{name}.geojson")
    raise Http404
