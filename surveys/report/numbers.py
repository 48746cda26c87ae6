"""The pages of number and place questions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, cast

import numpy as np
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from privacy.errors import PrivacyError
from privacy.scales.area import Area
from privacy.scales.em import Pieces
from privacy.scales.planar_report_error import map_parts
from privacy.scales.planar_window import Alike, PlanarWindowChannel, alike, tells_nothing
from privacy.scales.window import WindowChannel
from surveys.errors.error import sentences
from surveys.formats.figures import share_text
from surveys.formats.files import csv_file, json_file, streamed_file
from surveys.formats.histogram import Bar, density_svg, histogram_svg, step_bounds, tile_side
from surveys.models import Run
from surveys.questionnaire.languages import text_in
from surveys.report.frequencies import known_error, typed
from surveys.report.opened_run import OpenedRun, only_if_fitting, results_file, results_page
from surveys.report.scale_files import (
    density_csv,
    histogram_csv,
    middle_in,
    number_json,
    place_geojson,
    regions_csv,
)
from surveys.runs.numbers import (
    Kind,
    NumberSummary,
    ScaleQuestion,
    figures_of,
    scale_of,
    skips_of,
    summary_of,
)
from surveys.runs.places import ReleasableMap, density_of, place_mean, releasable_map, windows_of


def bar_names(channel: WindowChannel, spans: Sequence[tuple[int, int]]) -> list[str]:
    """Return what each bar holds: "20 – 29".

    >>> from privacy.scales.window import NumberRange
    >>> from privacy.scales.numeric_mechanisms import generalised_rr_below
    >>> bar_names(generalised_rr_below(NumberRange(low=0, high=19, bin=10), 1.0), [(0, 0), (1, 1)])
    ['0 – 9', '10 – 19']
    >>> months = NumberRange(low=24300, high=24305, bin=3, calendar="month")
    >>> bar_names(generalised_rr_below(months, 1.0), [(0, 0), (1, 1)])
    ['2025-01 – 2025-03', '2025-04 – 2025-06']
    """
    names = []
    for first, last in spans:
        low = channel.range.low + first * channel.range.bin
        high = channel.range.low + (last + 1) * channel.range.bin - 1
        names.append(
            channel.range.text(low)
            if low == high
            else f"{channel.range.text(low)} – {channel.range.text(high)}"
        )
    return names


def number_context(scale: ScaleQuestion) -> dict[str, Any]:
    """Return the context of the page; no bars where the answers carry none."""
    figures, summary, words = figures_of(scale), summary_of(scale), NumberWords.of(scale.run, scale.number)
    return {
        "figures": figures,
        "mean_error": known_error(figures.mean.standard_error) if figures.mean else None,
        "unit": words.unit,
        "bars": words.bars(summary),
        "sentence": words.sentence(summary),
        "drawing": words.picture(summary),
    }


@dataclass(frozen=True, kw_only=True)
class NumberWords:
    """Words for the figures of a number question, in sentences and pictures."""

    channel: WindowChannel
    key: str
    text: str
    unit: str

    @classmethod
    def of(cls, run: Run, number: int) -> NumberWords:
        """Return the words for a question of a run, in the language of the page."""
        question, language = run.design.questions[number], get_language() or "en"
        wordings = [entry for block in run.version.wording["blocks"] for entry in block["questions"]]
        return cls(
            channel=cast("WindowChannel", question.disguise),
            key=question.key,
            text=text_in(wordings[number]["text"], language),
            unit=text_in(wordings[number].get("unit") or {}, language),
        )

    def bars(self, summary: NumberSummary) -> list[Bar]:
        """Return the bars of the picture, as many as the answers carry; none where they carry none."""
        ticks = self.channel.range
        spans = [(int(first), int(last)) for first, last, *_shares in summary.bars]
        names = bar_names(self.channel, spans)
        return [
            Bar(
                name=name,
                begin=ticks.text(ticks.low + first * ticks.bin),
                share=share,
                low=low,
                high=high,
                shape=shape,
            )
            for name, (first, _last), (_f, _l, share, low, high, shape) in zip(
                names, spans, summary.bars, strict=True
            )
        ]

    def picture(self, summary: NumberSummary) -> SafeString | None:
        """Draw the histogram; None where the answers carry no bar."""
        if not summary.bars:
            return None
        return histogram_svg(
            self.bars(summary),
            title=self.text,
            end=self.channel.range.text(self.channel.range.high),
            unit=self.unit or self.key,
            share=_("share of people"),
        )

    def sentence(self, summary: NumberSummary) -> str:
        """Write the mean and the median with their intervals."""
        said = (
            (_("Mean %(value)s (%(low)s to %(high)s)"), summary.mean),
            (_("median %(value)s (%(low)s to %(high)s)"), summary.median),
        )
        sentences = [
            words
            % {
                name: typed(end, self.channel)
                for name, end in zip(("value", "low", "high"), ends, strict=True)
            }
            for words, ends in said
            if ends is not None
        ]
        if not sentences:
            return _("Too few people to show the mean or the median.")
        text = "; ".join(sentences)
        return _("%(figures)s, %(unit)s") % {"figures": text, "unit": self.unit} if self.unit else text


MOST_LINES: Final = 50
"""Cells in the page's table; the file has them all."""


def place_context(scale: ScaleQuestion) -> dict[str, Any]:
    """Return the context of the page."""
    windows = windows_of(scale)
    density = density_of(scale)
    side = tile_side(windows.area)
    released = releasable_map(scale, density)
    pieces = released.pieces
    return {
        "density": density,
        "drawing": _picture(scale, released),
        "darkest": list(_darkest(windows.area, pieces)),
        "seen": int((~pieces.hidden).sum()),
        "merged": int((pieces.side > side).sum()),
        "largest": int(pieces.side.max()),
        "hidden": int(pieces.hidden.sum()),
        "side": side,
        "has_windows": any(level.window > 1 for level in windows.levels),
        "regions": released.regions,
        "hidden_regions": any(named.hidden for named in released.regions),
        "parts": len(map_parts(windows)),
        "alike": _alike(windows),
        "says_nothing": tells_nothing(windows),
        "mean": place_mean(windows, scale.sent),
    }


def place_picture(scale: ScaleQuestion) -> SafeString:
    """Draw the map."""
    return _picture(scale, releasable_map(scale, density_of(scale)))


def _picture(scale: ScaleQuestion, released: ReleasableMap) -> SafeString:
    windows, pieces = windows_of(scale), released.pieces
    steps = [
        _("up to %(share)s") % {"share": share_text(high)} for _low, high in step_bounds(pieces, windows.area)
    ]
    # A map that is sensitive everywhere needs no marks on it.
    sensitive = [box for level in windows.levels for box in level.rectangles] if windows.exact_outside else []
    return density_svg(
        pieces,
        windows.area,
        title=scale.text,
        steps=steps,
        hidden=_("not shown") if scale.least_people else "",
        sensitive=sensitive,
        sensitive_word=_("sensitive places"),
        outline=scale.wording.get("outline") or (),
    )


def _darkest(area: Area, pieces: Pieces) -> Iterator[tuple[float, float, int, int, float]]:
    """Yield middle (longitude, latitude), columns, rows and share of the pieces, the darkest first."""
    per_cell = pieces.share / pieces.cells((area.rows, area.columns))
    for piece in np.argsort(np.where(pieces.hidden, np.inf, -per_cell), kind="stable")[:MOST_LINES].tolist():
        if pieces.hidden[piece]:
            return
        column, row, side = (int(given[piece]) for given in (pieces.column, pieces.row, pieces.side))
        wide, high = min(side, area.columns - column), min(side, area.rows - row)
        yield *middle_in(area, column, row, side), wide, high, float(pieces.share[piece])


@lru_cache(maxsize=64)
def _alike(windows: PlanarWindowChannel) -> Alike:
    return alike(windows)


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
    context |= number_context(scale) if kind == "number" else place_context(scale)
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
        return _of_place(scale, file, name)
    raise Http404


def _of_place(scale: ScaleQuestion, file: str, name: str) -> HttpResponseBase:
    density = density_of(scale)
    released = releasable_map(scale, density)
    if file == "cells.csv":
        return csv_file(density_csv(scale, released), f"{name}-cells.csv")
    if file == "regions.csv":
        return csv_file(regions_csv(scale, released.regions), f"{name}-regions.csv")
    if file == "map.geojson":
        parts = place_geojson(scale, density, released)
        return streamed_file(parts, "application/geo+json", f"{name}.geojson")
    raise Http404
