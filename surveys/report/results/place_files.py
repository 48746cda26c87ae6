"""Downloads of a place question."""

from __future__ import annotations

from django.http import Http404
from django.http.response import HttpResponseBase

from surveys.formats.file_responses import csv_file, streamed_file
from surveys.report.results.places import density_csv, place_geojson, regions_csv
from surveys.runs.density_cache import density_of
from surveys.runs.places import releasable_map
from surveys.runs.scale_question import ScaleQuestion


def place_file(scale: ScaleQuestion, file: str, name: str) -> HttpResponseBase:
    """Send a file of a map: its cells, its regions, or both as GeoJSON."""
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
