"""Downloads of a number question."""

from __future__ import annotations

from django.http import Http404
from django.http.response import HttpResponseBase

from surveys.formats.file_responses import csv_file, json_file
from surveys.report.results.numbers import histogram_csv, number_json
from surveys.runs.numbers import ScaleQuestion


def number_file(scale: ScaleQuestion, file: str, name: str) -> HttpResponseBase:
    """Send a file of a number: its bars, or all its figures."""
    if file == "histogram.csv":
        return csv_file(histogram_csv(scale), f"{name}.csv")
    if file == "figures.json":
        return json_file(number_json(scale), f"{name}.json")
    raise Http404
