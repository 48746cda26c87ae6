"""The pages and files of number and place questions: CSV, JSON and GeoJSON with the run's method."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Sequence
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
from privacy.scales.area import DEGREE, Area, Rectangle
from privacy.scales.em import GAIN, MOST_STEPS, Pieces
from privacy.scales.planar_mechanisms import degrees_of
from privacy.scales.planar_report_error import map_parts
from privacy.scales.planar_window import PlanarWindowChannel, Resolution, alike, reveals_nothing
from privacy.scales.skipping import Disguise
from privacy.scales.window import WindowChannel
from surveys.errors.error import sentences
from surveys.formats.figures import share_text
from surveys.formats.files import csv_file, finite, json_file, streamed_file
from surveys.formats.histogram import Bar, density_svg, histogram_svg, step_bounds, tile_side
from surveys.models import Run
from surveys.questionnaire.languages import text_in
from surveys.report.export.downloads import run_csv, run_record
from surveys.report.opened_run import OpenedRun, results_file, results_page
from surveys.report.sentences.frequencies import epsilon_text, gamma_text, known_error, number_text
from surveys.runs.density_cache import density_of
from surveys.runs.look import file_mark
from surveys.runs.numbers import (
    NO_ERROR,
    NumberFigures,
    NumberSummary,
    ScaleQuestion,
    band_of,
    figures_of,
    scale_of,
    skips_of,
    spans_of,
    summary_of,
)
from surveys.runs.places import (
    Density,
    NamedRegion,
    ReleasableMap,
    most_steps,
    place_mean,
    releasable_map,
    windows_of,
)
from surveys.runs.withheld import withheld_of

BAR_COLUMNS: Final = (
    "question", "from", "to", "share", "share_se", "share_low", "share_high", "share_shift", "shape", "n",
)  # fmt: skip
CELL_COLUMNS: Final = (
    "question", "column", "row", "side", "longitude", "latitude", "share", "n",
)  # fmt: skip
REGION_COLUMNS: Final = (
    "question", "region", "name", "hidden", "share", "share_se", "share_low", "share_high", "share_shift",
    "summed", "n",
)  # fmt: skip

NUMBER_METHOD: Final = (
    "Shares of bars and the mean are unbiased; quantiles follow from the unbiased running sum of shares. "
    "Intervals of shares and quantiles contain all values that a test of the running sum accepts, with the "
    "variance at the tested value, so they are not symmetric about the estimate. The interval of the mean is "
    "normal. The shape is estimated by expectation-maximisation, smoothed by [1, 2, 1] / 4 after each step. "
    "It blurs true edges and has no errors."
)
STORED_NUMBER_METHOD: Final = (
    "Answers are stored as given. Shares of bars, the mean and the quantiles are those of the answers. "
    "Intervals of shares and quantiles contain all values that a test of the running sum accepts, with the "
    "variance at the tested value, so they are not symmetric about the estimate. The interval of the mean is "
    "normal. There is no shape: nothing was disguised, so nothing needs smoothing."
)
OPEN_METHOD: Final = (
    "Answers are stored as given. Each bar has enough people, or none. The bars were made once, from all "
    "answers of the settled survey, and every figure depends only on the number of people in each: mean and "
    "quantiles are those of people spread evenly over their bar. Intervals of shares and quantiles contain "
    "all values that a test of the running sum accepts, with the variance at the tested value. The interval "
    "of the mean is normal. There is no shape: nothing was disguised, so nothing needs smoothing."
)
PLACE_METHOD: Final = (
    "Shares of cells are estimated by expectation-maximisation from the disguised places. They have no "
    "errors. If replicates of the counts do not distinguish a cell from an empty one, it is merged with its "
    "neighbours: side is the number of cells along a side of the square, and column and row are those of its "
    "south-western cell. Shares of regions are unbiased. They have the standard error of the population, and "
    "their interval contains all values that a test accepts, with the variance at the tested value. The "
    "design alone divides the map into parts; answers do not affect them. The mean place can be off by "
    "off_east and off_north, however many people answer, and also by its standard errors."
)


def histogram_csv(scale: ScaleQuestion) -> Iterator[str]:
    """Yield the lines of the histogram's CSV file, the header first."""
    return run_csv(scale.run, BAR_COLUMNS, _bars(scale))


def number_json(scale: ScaleQuestion) -> dict[str, Any]:
    """Return the releasable figures of a number question."""
    channel, figures = band_of(scale), figures_of(scale)
    mean, bins = figures.mean, figures.bins

    def write(value: float) -> float | str:
        return channel.range.value_text(value) or value

    is_stored = channel.is_as_answered
    stored_method = OPEN_METHOD if scale.spans else STORED_NUMBER_METHOD
    return _scale_record(scale, stored_method if is_stored else NUMBER_METHOD) | {
        "range": channel.range.to_json(),
        "stops": None if is_stored else {"gain_per_answer_below": GAIN, "steps_at_most": MOST_STEPS},
        "shape": None
        if is_stored
        else bins and {"steps": bins.shape.fit.steps, "reason": bins.shape.fit.reason},
        "mean": mean
        and {
            "value": write(mean.value),
            "standard_error": known_error(mean.standard_error),
            "low": write(mean.low) if known_error(mean.standard_error) else None,
            "high": write(mean.high) if known_error(mean.standard_error) else None,
            "shift": finite(mean.shift),
        },
        "quantiles": [
            {
                "share": quantile.share,
                "value": write(quantile.value),
                "low": write(quantile.low),
                "high": write(quantile.high),
                "parts": [[write(end) for end in part] for part in quantile.parts],
                "estimable": quantile.estimable,
                "gaps": len(quantile.parts) > 1,
                "shift": finite(quantile.shift),
            }
            for quantile in (bins.quantiles if bins else ())
        ],
        "histogram": list(_bars(scale)),
    }


def density_csv(scale: ScaleQuestion, place_map: ReleasableMap) -> Iterator[str]:
    """Yield the lines of the density's CSV file: the publishable cells, some merged into squares."""
    area, n = windows_of(scale).area, scale.reports.n
    rows = (
        {"question": scale.question.key}
        | dict(zip(("longitude", "latitude"), _middle(area, cell), strict=True))
        | cell
        | {"n": n}
        for cell in _cells(place_map)
    )
    return run_csv(scale.run, CELL_COLUMNS, rows)


def middle_in(area: Area, column: int, row: int, side: int) -> tuple[float, float]:
    """Return longitude and latitude of the middle of a square of cells, cut off at the map's edge."""
    across = column + (min(column + side, area.columns) - column) / 2
    up = row + (min(row + side, area.rows) - row) / 2
    return (
        (area.west + across * (area.east - area.west) / area.columns) / DEGREE,
        (area.south + up * (area.north - area.south) / area.rows) / DEGREE,
    )


def _middle(area: Area, cell: dict[str, Any]) -> Iterator[float]:
    return (round(edge, 7) for edge in middle_in(area, cell["column"], cell["row"], cell["side"]))


def regions_csv(scale: ScaleQuestion, regions: Iterable[NamedRegion]) -> Iterator[str]:
    """Yield the lines of the regions' CSV file, the header first."""
    return run_csv(scale.run, REGION_COLUMNS, (_region(scale, region) for region in regions))


def place_geojson(scale: ScaleQuestion, density: Density, place_map: ReleasableMap) -> Iterator[str]:
    """Yield the parts of a GeoJSON collection: regions, then publishable cells."""
    windows = windows_of(scale)
    middle = place_mean(windows, scale.reports, forged=withheld_of(scale.run).rows)
    about = _scale_record(scale, PLACE_METHOD) | {
        "exact_outside_the_sensitive_places": windows.exact_outside,
        "stops": {"gain_per_answer_below": GAIN, "steps_at_most": most_steps(windows)},
        "steps": density.fit.steps,
        "reason": density.fit.reason,
        "seed": scale.seed,
        "replicates": density.spread.replicates,
        "mean_place": middle
        and {
            "longitude": round(middle.longitude, 7),
            "latitude": round(middle.latitude, 7),
            "error_east_metres": middle.error_east,
            "error_north_metres": middle.error_north,
            "off_east_metres": round(middle.off_east, 1),
            "off_north_metres": round(middle.off_north, 1),
            "shift_east_metres": finite(middle.shift_east),
            "shift_north_metres": finite(middle.shift_north),
        },
    }
    head = {"type": "FeatureCollection", "about": about}
    yield json.dumps(head, ensure_ascii=False, allow_nan=False)[:-1] + ', "features": ['
    first = True
    for feature in _features(scale, windows.area, place_map):
        yield ("\n" if first else ",\n") + json.dumps(feature, ensure_ascii=False, allow_nan=False)
        first = False
    yield "\n]}\n"


def _features(scale: ScaleQuestion, area: Area, place_map: ReleasableMap) -> Iterator[dict[str, Any]]:
    for entry in place_map.regions:
        shape: dict[str, Any] = {
            "type": "MultiPolygon",
            "coordinates": [[_ring(area, box)] for box in entry.region],
        }
        yield {"type": "Feature", "geometry": shape, "properties": _region(scale, entry) | {"is": "region"}}
    for cell in _cells(place_map):
        column, row, side = cell["column"], cell["row"], cell["side"]
        box = (column, row, min(side, area.columns - column), min(side, area.rows - row))
        shape = {"type": "Polygon", "coordinates": [_ring(area, box)]}
        what = {"is": "cell" if side == 1 else "cells", "side": side, "share": cell["share"]}
        yield {"type": "Feature", "geometry": shape, "properties": what}


def _ring(area: Area, box: Rectangle) -> list[list[float]]:
    edges = {name: round(edge, 7) for name, edge in degrees_of(area, box).items()}
    west, south, east, north = (edges[name] for name in ("west", "south", "east", "north"))
    return [[west, south], [east, south], [east, north], [west, north], [west, south]]


def _cells(place_map: ReleasableMap) -> Iterator[dict[str, Any]]:
    pieces = place_map.pieces
    for position in np.flatnonzero(~pieces.hidden).tolist():
        yield {
            "column": int(pieces.column[position]),
            "row": int(pieces.row[position]),
            "side": int(pieces.side[position]),
            "share": float(pieces.share[position]),
        }


def _bars(scale: ScaleQuestion) -> Iterator[dict[str, Any]]:
    channel, figures = band_of(scale), figures_of(scale)
    if figures.bins is None:
        return
    bars, ticks = figures.bins.bars, channel.range
    shares = {
        "share": bars.shares,
        "share_se": np.where(bars.standard_errors > NO_ERROR, bars.standard_errors, np.inf),
        "share_low": bars.low,
        "share_high": bars.high,
        "share_shift": bars.shift,
        "shape": figures.bins.shape.shares,
    }
    for position, (first, last) in enumerate(spans_of(scale)):
        yield {
            "question": scale.question.key,
            "from": ticks.text(ticks.low + first * ticks.bin),
            "to": ticks.text(ticks.low + (last + 1) * ticks.bin - 1),
            **{name: finite(float(figures_of_name[position])) for name, figures_of_name in shares.items()},
            **({"shape": None} if channel.is_as_answered else {}),
            "n": scale.reports.n,
        }


def _region(scale: ScaleQuestion, region: NamedRegion) -> dict[str, Any]:
    figure, is_hidden = region.figure, region.hidden
    share = figure.share
    return {
        "question": scale.question.key,
        "region": region.key,
        "name": region.name,
        "hidden": int(is_hidden),
        "share": None if is_hidden else figure.total if share is None else share.value,
        "share_se": None if is_hidden or share is None else known_error(share.standard_error),
        "share_low": None if is_hidden or share is None else finite(share.low),
        "share_high": None if is_hidden or share is None else finite(share.high),
        "share_shift": None if is_hidden or share is None else finite(share.shift),
        "summed": int(share is None),
        "n": scale.reports.n,
    }


def _scale_record(scale: ScaleQuestion, method: str) -> dict[str, Any]:
    disguise = cast(Disguise, scale.question.disguise)
    return run_record(scale.run) | {
        "question": scale.question.key,
        "text": scale.text,
        "mechanism": disguise.mechanism,
        # A number that is stored as answered has no privacy bound.
        "amplification": None if disguise.is_as_answered else gamma_text(disguise),
        "epsilon_of_the_question": None if disguise.is_as_answered else epsilon_text(disguise),
        "n_of_the_question": scale.reports.n,
        "cells_hidden_below": scale.least_people,
        "method": method,
        **skips_json(scale),
    }


def skips_json(scale: ScaleQuestion) -> dict[str, Any]:
    """Return the share of skips for a file; empty if the question cannot be skipped."""
    skips = skips_of(scale)
    if skips is None:
        return {}
    share = {
        "value": skips.value,
        "standard_error": known_error(skips.standard_error),
        "low": skips.low,
        "high": skips.high,
    }
    return {"share_who_skip": share, "shares_are_of": "those who answer"}


def bar_names(channel: WindowChannel, spans: Sequence[tuple[int, int]]) -> list[str]:
    """Return the name of each bar, such as "20 – 29".

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
    """Return the context of a number question's page, without bars if there are too few answers."""
    figures, summary, words = figures_of(scale), summary_of(scale), NumberWords.of(scale.run, scale.number)
    return {
        "figures": figures,
        "mean_error": known_error(figures.mean.standard_error) if figures.mean else None,
        "unit": words.unit,
        "bars": (bars := words.bars(summary)),
        "lines": list(zip(bars, _shifts_of(figures, len(bars)), strict=True)),
        "sentence": words.sentence(summary),
        "drawing": words.picture(summary),
    }


def _shifts_of(figures: NumberFigures, count: int) -> list[float]:
    """Return how far forged rows could have moved each bar of the picture; zeros without any."""
    chart = figures.bins.chart if figures.bins else None
    return chart.bars.shift.tolist() if chart else [0.0] * count


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
        """Return the bars of the picture; as many as the number of answers supports, possibly none."""
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
                shape=None if self.channel.is_as_answered else shape,
            )
            for name, (first, _last), (_f, _l, share, low, high, shape) in zip(
                names, spans, summary.bars, strict=True
            )
        ]

    def picture(self, summary: NumberSummary) -> SafeString | None:
        """Draw the histogram; return None if there are too few answers for a bar."""
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
        """Return a sentence with the mean, the median and their intervals."""
        templates = (
            (_("Mean %(value)s (%(low)s to %(high)s)"), summary.mean),
            (_("median %(value)s (%(low)s to %(high)s)"), summary.median),
        )
        sentences = [
            words
            % {
                name: number_text(end, self.channel)
                for name, end in zip(("value", "low", "high"), ends, strict=True)
            }
            for words, ends in templates
            if ends is not None
        ]
        if not sentences:
            return _("Too few people to show the mean or the median.")
        if summary.mean is not None and summary.shift is not None:
            shift = number_text(summary.shift, self.channel) if math.isfinite(summary.shift) else "∞"
            sentences.insert(1, _("forged rows: mean up to ±%(shift)s") % {"shift": shift})
        text = "; ".join(sentences)
        return _("%(figures)s, %(unit)s") % {"figures": text, "unit": self.unit} if self.unit else text


MOST_LINES: Final = 50
"""Most cells in the page's table; the file has all cells."""


def place_context(scale: ScaleQuestion) -> dict[str, Any]:
    """Return the context of a place question's page."""
    windows = windows_of(scale)
    density = density_of(scale)
    side = tile_side(windows.area)
    shown_map = releasable_map(scale, density)
    pieces = shown_map.pieces
    return {
        "density": density,
        "drawing": _picture(scale, shown_map),
        "darkest": list(_densest_pieces(windows.area, pieces)),
        "seen": int((~pieces.hidden).sum()),
        "merged": int((pieces.side > side).sum()),
        "largest": int(pieces.side.max()),
        "hidden": int(pieces.hidden.sum()),
        "side": side,
        "has_windows": any(level.window > 1 for level in windows.levels),
        "regions": shown_map.regions,
        "hidden_regions": any(region.hidden for region in shown_map.regions),
        "parts": len(map_parts(windows)),
        "alike": _cached_resolution(windows),
        "says_nothing": reveals_nothing(windows),
        "mean": place_mean(windows, scale.reports, forged=withheld_of(scale.run).rows),
    }


def place_picture(scale: ScaleQuestion) -> SafeString:
    """Draw the map."""
    return _picture(scale, releasable_map(scale, density_of(scale)))


def _picture(scale: ScaleQuestion, place_map: ReleasableMap) -> SafeString:
    windows, pieces = windows_of(scale), place_map.pieces
    steps = [
        _("up to %(share)s") % {"share": share_text(high)} for _low, high in step_bounds(pieces, windows.area)
    ]
    # Mark sensitive areas only if the rest of the map is not sensitive.
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


def _densest_pieces(area: Area, pieces: Pieces) -> Iterator[tuple[float, float, int, int, float]]:
    """Yield longitude and latitude of the middle, columns, rows and share of each piece, darkest first."""
    per_cell = pieces.share / pieces.cells((area.rows, area.columns))
    for piece in np.argsort(np.where(pieces.hidden, np.inf, -per_cell), kind="stable")[:MOST_LINES].tolist():
        if pieces.hidden[piece]:
            return
        column, row, side = (int(values[piece]) for values in (pieces.column, pieces.row, pieces.side))
        wide, high = min(side, area.columns - column), min(side, area.rows - row)
        yield *middle_in(area, column, row, side), wide, high, float(pieces.share[piece])


@lru_cache(maxsize=64)
def _cached_resolution(windows: PlanarWindowChannel) -> Resolution:
    return alike(windows)


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
