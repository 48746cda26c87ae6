"""Figures of numbers and places as files: CSV for a spreadsheet, JSON and GeoJSON with the run's method."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator
from typing import Any, Final

import numpy as np

from privacy.scales.area import DEGREE, Area, Rectangle
from privacy.scales.em import GAIN, MOST_STEPS
from privacy.scales.planar_mechanisms import degrees_of
from surveys.report.downloads import run_csv, run_record
from surveys.report.frequencies import epsilon_text, gamma_text, known_error
from surveys.runs.numbers import NO_ERROR, ScaleQuestion, band_of, bars_of, figures_of, skips_of
from surveys.runs.places import Density, NamedRegion, ReleasableMap, most_steps, place_mean, windows_of

BAR_COLUMNS: Final = (
    "question", "from", "to", "share", "share_se", "share_low", "share_high", "shape", "n",
)  # fmt: skip
CELL_COLUMNS: Final = (
    "question", "column", "row", "side", "longitude", "latitude", "share", "share_se", "n",
)  # fmt: skip
REGION_COLUMNS: Final = (
    "question", "region", "name", "hidden", "share", "share_se", "share_low", "share_high", "summed", "n",
)  # fmt: skip

NUMBER_METHOD: Final = (
    "Shares of bars, the mean and quantiles are unbiased. Intervals of shares and quantiles hold what a test "
    "of the running sum accepts, with the variance at the hypothesis; they need not lie evenly about the "
    "estimate. That of the mean is normal. The shape is by expectation and maximisation, smoothed by "
    "[1, 2, 1] / 4 after each step: it blurs true edges and has no errors."
)
PLACE_METHOD: Final = (
    "Shares of cells by expectation and maximisation from the disguised places: a shape that explains what "
    "was sent, without errors. A cell that replicates of the counts do not tell from an empty one is told "
    "together with its neighbours: side is the number of cells along a side of the square, column and row "
    "those of its south-western cell. Shares of regions are unbiased, with the standard error of the "
    "population and an interval that a test with the variance at the hypothesis accepts; "
    "parts of the map are cut by the design alone, never by answers. The mean place may be off "
    "by off_east and off_north whatever the number of answers, and by its standard errors."
)


def histogram_csv(scale: ScaleQuestion) -> Iterator[str]:
    """Yield the lines of the histogram's CSV file, the header first."""
    return run_csv(scale.run, BAR_COLUMNS, _bars(scale))


def number_json(scale: ScaleQuestion) -> dict[str, Any]:
    """Return the releasable figures of a number question."""
    channel, figures = band_of(scale), figures_of(scale)
    mean, bins = figures.mean, figures.bins

    def written(value: float) -> float | str:
        return channel.range.value_text(value) or value

    return _about(scale, NUMBER_METHOD) | {
        "range": channel.range.to_json(),
        "stops": {"gain_per_answer_below": GAIN, "steps_at_most": MOST_STEPS},
        "shape": bins and {"steps": bins.shape.fit.steps, "reason": bins.shape.fit.reason},
        "mean": mean
        and {
            "value": written(mean.value),
            "standard_error": known_error(mean.standard_error),
            "low": written(mean.low) if known_error(mean.standard_error) else None,
            "high": written(mean.high) if known_error(mean.standard_error) else None,
        },
        "quantiles": [
            {
                "share": quantile.share,
                "value": written(quantile.value),
                "low": written(quantile.low),
                "high": written(quantile.high),
                "parts": [[written(end) for end in part] for part in quantile.parts],
                "estimable": quantile.estimable,
                "gaps": len(quantile.parts) > 1,
            }
            for quantile in (bins.quantiles if bins else ())
        ],
        "histogram": list(_bars(scale)),
    }


def density_csv(scale: ScaleQuestion, released: ReleasableMap) -> Iterator[str]:
    """Yield the lines of the density's CSV file: the cells that may be published, some of them together."""
    area, n = windows_of(scale).area, scale.sent.n
    rows = (
        {"question": scale.question.key}
        | dict(zip(("longitude", "latitude"), _middle(area, cell), strict=True))
        | cell
        | {"n": n}
        for cell in _cells(scale, released)
    )
    return run_csv(scale.run, CELL_COLUMNS, rows)


def middle_in(area: Area, column: int, row: int, side: int) -> tuple[float, float]:
    """Return longitude and latitude of the middle of a square of cells, of what of it lies on the map."""
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
    return run_csv(scale.run, REGION_COLUMNS, (_region(scale, named) for named in regions))


def place_geojson(scale: ScaleQuestion, density: Density, released: ReleasableMap) -> Iterator[str]:
    """Yield the parts of a GeoJSON collection: regions, then the cells that may be published."""
    windows = windows_of(scale)
    middle = place_mean(windows, scale.sent)
    about = _about(scale, PLACE_METHOD) | {
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
        },
    }
    head = {"type": "FeatureCollection", "about": about}
    yield json.dumps(head, ensure_ascii=False, allow_nan=False)[:-1] + ', "features": ['
    first = True
    for feature in _features(scale, windows.area, released):
        yield ("\n" if first else ",\n") + json.dumps(feature, ensure_ascii=False, allow_nan=False)
        first = False
    yield "\n]}\n"


def _features(scale: ScaleQuestion, area: Area, released: ReleasableMap) -> Iterator[dict[str, Any]]:
    for named in released.regions:
        shape: dict[str, Any] = {
            "type": "MultiPolygon",
            "coordinates": [[_ring(area, box)] for box in named.region],
        }
        yield {"type": "Feature", "geometry": shape, "properties": _region(scale, named) | {"is": "region"}}
    for cell in _cells(scale, released):
        column, row, side = cell["column"], cell["row"], cell["side"]
        box = (column, row, min(side, area.columns - column), min(side, area.rows - row))
        shape = {"type": "Polygon", "coordinates": [_ring(area, box)]}
        what = {
            "is": "cell" if side == 1 else "cells",
            **{name: cell[name] for name in ("side", "share", "share_se")},
        }
        yield {"type": "Feature", "geometry": shape, "properties": what}


def _ring(area: Area, box: Rectangle) -> list[list[float]]:
    edges = {name: round(edge, 7) for name, edge in degrees_of(area, box).items()}
    west, south, east, north = (edges[name] for name in ("west", "south", "east", "north"))
    return [[west, south], [east, south], [east, north], [west, north], [west, south]]


def _cells(scale: ScaleQuestion, released: ReleasableMap) -> Iterator[dict[str, Any]]:
    pieces = released.pieces
    for position in np.flatnonzero(~pieces.hidden).tolist():
        yield {
            "column": int(pieces.column[position]),
            "row": int(pieces.row[position]),
            "side": int(pieces.side[position]),
            "share": float(pieces.share[position]),
            # A shape has no errors; who reads the file by its columns finds them as they were.
            "share_se": None,
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
        "shape": figures.bins.shape.shares,
    }
    for position, (first, last) in enumerate(bars_of(channel)):
        yield {
            "question": scale.question.key,
            "from": ticks.text(ticks.low + first * ticks.bin),
            "to": ticks.text(ticks.low + (last + 1) * ticks.bin - 1),
            **{name: _finite(float(figures_of_name[position])) for name, figures_of_name in shares.items()},
            "n": scale.sent.n,
        }


def _region(scale: ScaleQuestion, named: NamedRegion) -> dict[str, Any]:
    figure, hidden = named.figure, named.hidden
    share = figure.share
    return {
        "question": scale.question.key,
        "region": named.key,
        "name": named.name,
        "hidden": int(hidden),
        "share": None if hidden else figure.summed if share is None else share.value,
        "share_se": None if hidden or share is None else known_error(share.standard_error),
        "share_low": None if hidden or share is None else _finite(share.low),
        "share_high": None if hidden or share is None else _finite(share.high),
        "summed": int(share is None),
        "n": scale.sent.n,
    }


def _about(scale: ScaleQuestion, method: str) -> dict[str, Any]:
    disguise = band_of(scale) if scale.question.kind == "number" else windows_of(scale)
    return run_record(scale.run) | {
        "question": scale.question.key,
        "text": scale.text,
        "mechanism": disguise.mechanism,
        # A number that is stored as answered has no bound.
        "amplification": None if disguise.is_as_answered else gamma_text(disguise),
        "epsilon_of_the_question": None if disguise.is_as_answered else epsilon_text(disguise),
        "n_of_the_question": scale.sent.n,
        "cells_hidden_below": scale.least_people,
        "method": method,
        **skips_json(scale),
    }


def skips_json(scale: ScaleQuestion) -> dict[str, Any]:
    """Return the same for a file; nothing where the question cannot be skipped."""
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


def _finite(share: float) -> float | None:
    return share if math.isfinite(share) else None
