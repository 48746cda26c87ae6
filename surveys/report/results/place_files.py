"""Downloads of a place question."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, Final

import numpy as np
from django.http import Http404
from django.http.response import HttpResponseBase

from privacy.scales.area import Area
from privacy.scales.em import GAIN
from privacy.scales.planar_degrees import degrees_of, middle_in
from privacy.scales.planar_mean import MeanPlace
from privacy.scales.planar_rectangles import Rectangle
from surveys.formats.figures import SHARES, file_columns, known_error
from surveys.formats.file_responses import csv_file, streamed_file
from surveys.formats.json_numbers import finite
from surveys.report.results.scale_record import scale_record
from surveys.report.run_facts import run_csv
from surveys.runs.density_cache import density_of
from surveys.runs.places import Density, most_steps, place_mean, windows_of
from surveys.runs.releasable_map import NamedRegion, ReleasableMap, releasable_map
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


CELL_COLUMNS: Final = (
    "question", "column", "row", "side", "longitude", "latitude", "share", "n",
)  # fmt: skip
REGION_COLUMNS: Final = (
    "question", "region", "name", "hidden", "share", "share_se", "share_low", "share_high", "share_basis",
    "share_unclipped", "level", "share_shift", "summed", "n",
)  # fmt: skip
PLACE_METHOD: Final = (
    "Shares of cells are estimated by expectation-maximisation from the disguised places. They have no "
    "errors. If replicates of the counts do not distinguish a cell from an empty one, it is merged with its "
    "neighbours: side is the number of cells along a side of the square, and column and row are those of its "
    "south-western cell. Shares of regions are unbiased. They have the standard error of the population, and "
    "their interval contains all values that a test accepts, with the variance at the tested value. The "
    "design alone divides the map into parts; answers do not affect them. The mean place can be off by "
    "off_east and off_north, however many people answer, and also by its standard errors."
)


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


def _middle(area: Area, cell: dict[str, Any]) -> Iterator[float]:
    return (round(edge, 7) for edge in middle_in(area, cell["column"], cell["row"], cell["side"]))


def regions_csv(scale: ScaleQuestion, regions: Iterable[NamedRegion]) -> Iterator[str]:
    """Yield the lines of the regions' CSV file, the header first."""
    return run_csv(scale.run, REGION_COLUMNS, (_region(scale, region) for region in regions))


def place_geojson(scale: ScaleQuestion, density: Density, place_map: ReleasableMap) -> Iterator[str]:
    """Yield the parts of a GeoJSON collection: regions, then publishable cells."""
    windows = windows_of(scale)
    middle = place_mean(scale)
    about = scale_record(scale, PLACE_METHOD) | {
        "exact_outside_the_sensitive_places": windows.exact_outside,
        "stops": {"gain_per_answer_below": GAIN, "steps_at_most": most_steps(windows)},
        "steps": density.fit.steps,
        "reason": density.fit.reason,
        "seed": scale.seed,
        "replicates": density.spread.replicates,
        "mean_place": middle and _mean_place(middle),
    }
    head = {"type": "FeatureCollection", "about": about}
    yield json.dumps(head, ensure_ascii=False, allow_nan=False)[:-1] + ', "features": ['
    first = True
    for feature in _features(scale, windows.area, place_map):
        yield ("\n" if first else ",\n") + json.dumps(feature, ensure_ascii=False, allow_nan=False)
        first = False
    yield "\n]}\n"


def _mean_place(mean: MeanPlace) -> dict[str, Any]:
    """Return the mean place for a file: degrees with the ends of their intervals, and lengths in metres."""
    record: dict[str, Any] = {}
    for name, own in (("longitude", mean.longitude), ("latitude", mean.latitude)):
        columns = file_columns(name, own.value, (own.low, own.high), own.possible)
        columns |= {f"{name}_low": own.low, f"{name}_high": own.high}
        record |= {
            key: round(value, 7) if isinstance(value, float) else value for key, value in columns.items()
        }
    lengths = {"error": mean.errors, "off": (mean.off_east, mean.off_north), "reach": mean.reach}
    for name, (east, north) in lengths.items():
        record |= {f"{name}_east_metres": round(east, 1), f"{name}_north_metres": round(north, 1)}
    shift_east, shift_north = map(finite, mean.shifts)
    return record | {
        "level": mean.longitude.level,
        "n": mean.longitude.n,
        "effective_n": mean.longitude.effective_n,
        "shift_east_metres": shift_east,
        "shift_north_metres": shift_north,
    }


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


def _region(scale: ScaleQuestion, region: NamedRegion) -> dict[str, Any]:
    figure = region.figure
    share = None if region.hidden else figure.share
    columns = {"share": None if region.hidden else figure.total, "share_basis": None, "share_unclipped": None}
    if share is not None:
        columns = file_columns("share", share.value, (share.low, share.high), SHARES)
    return {
        "question": scale.question.key,
        "region": region.key,
        "name": region.name,
        "hidden": int(region.hidden),
        **columns,
        "share_se": share and known_error(share.standard_error),
        "share_low": share and finite(share.low),
        "share_high": share and finite(share.high),
        "level": share and share.level,
        "share_shift": None if share is None or share.shift is None else finite(share.shift),
        "summed": int(figure.share is None),
        "n": scale.reports.n,
    }
