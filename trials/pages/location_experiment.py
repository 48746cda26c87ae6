"""The experiment of the utility-optimised square mechanism's source, in kind: tables and pictures."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np

from privacy.arrays import Array
from surveys.charts.curves import Series, curves_svg
from surveys.errors.error import SurveyError
from trials.pages.experiments import BAR, BARS
from trials.studies.places_study import (
    HALF,
    MECHANISMS,
    central_region,
    cluster_points,
    corner_regions,
    mechanism_errors,
    random_regions,
    uniform_points,
    whole,
)
from trials.studies.square import Part, Plane, best_width

Say: TypeAlias = Callable[[str], None]

WIDTHS_AT: Final = tuple(range(1, 21))
CENTRAL_AT: Final = tuple(range(5, 21))
RANDOM_AT: Final = tuple(range(10, 21))
COUNTS: Final = (2, 4, 6)
PLACES: Final = {"uniform": "uniform places", "clusters": "clustered places", "file": "places of a file"}
BUDGET: Final = "privacy budget ε"
EARTH: Final = 6_371_008.8
HIGHEST_LATITUDE: Final = 80.0
LABELS: Final = {
    "square": "square mechanism",
    "utility_square": "utility-optimised square, width of the square mechanism",
    "utility_square_own_width": "utility-optimised square, own width",
    "utility_square_prior_width": "utility-optimised square, width of a prior",
    "grid": "randomised response on tiles",
    "utility_grid": "utility-optimised response on tiles",
    "piecewise": "piecewise mechanism for each axis",
    "planar_laplace": "planar Laplace mechanism",
}
PICTURES: Final = {
    "baselines": ("planar_laplace", "piecewise", "square", "utility_square"),
    "best": ("square", "grid", "utility_square_own_width", "utility_grid"),
}

SQUARES: Final = ("square", "utility_square", "utility_square_own_width")


@dataclass(frozen=True, kw_only=True)
class Places:
    """Where people are: drawn anew for each repetition, or those of a file."""

    name: str
    draw: Callable[[np.random.Generator], tuple[Array, Array]]
    """Places to disguise, and others that stand for public knowledge."""


def drawn_places(n: int) -> list[Places]:
    """Return uniform places and clusters, n of each."""
    return [
        Places(name="uniform", draw=lambda rng: (uniform_points(n, rng=rng), uniform_points(n, rng=rng))),
        Places(name="clusters", draw=lambda rng: (cluster_points(n, rng=rng), cluster_points(n, rng=rng))),
    ]


def file_places(degrees: Array) -> Places:
    """Return the places of a file: half of them, drawn by lot, stand for public knowledge about the others.

    Parameters
    ----------
    degrees : ndarray, shape (n, 2)
        Latitude and longitude.

    Raises
    ------
    PrivacyError
        ``points``: fewer than ten, one that is no place, one beyond 80 degrees, or all on one spot.
    """
    if degrees.ndim != 2 or len(degrees) < 10:
        raise SurveyError("points.few", len(degrees))
    finite = np.isfinite(degrees).all(axis=1)
    if not finite.all():
        first = int(finite.argmin()) + 1
        raise SurveyError("points.pair", first, count=len(degrees))
    latitude, longitude = degrees.T
    if np.abs(latitude).max() > HIGHEST_LATITUDE or np.abs(longitude).max() > 180:
        raise SurveyError(
            "points.degrees",
            float(np.abs(latitude).max()),
            latitude=np.abs(latitude).max(),
            longitude=np.abs(longitude).max(),
        )
    if np.ptp(longitude) > 180:
        raise SurveyError("points.antimeridian")
    middle = (latitude.min() + latitude.max()) / 2, (longitude.min() + longitude.max()) / 2
    east = EARTH * np.cos(np.radians(middle[0])) * np.radians(longitude - middle[1])
    north = EARTH * np.radians(latitude - middle[0])
    metres = np.stack([east, north], axis=1)
    extent = float(np.abs(metres).max())
    if extent == 0:
        raise SurveyError("points.one", 0)
    scaled = np.clip(metres * (HALF / extent), -HALF, HALF)

    def draw(rng: np.random.Generator) -> tuple[Array, Array]:
        order = rng.permutation(len(scaled))
        return scaled[order[::2]], scaled[order[1::2]]

    return Places(name="file", draw=draw)


def write_location_experiment(
    out: Path, places: Sequence[Places], *, seed: int, repetitions: int, say: Say
) -> None:
    """Run everything and write it; the same seed writes the same tables, byte by byte."""
    document: dict[str, Any] = {
        "seed": seed,
        "repetitions": repetitions,
        "half_side": HALF,
        "mechanisms": LABELS,
        "figures": {"width": _widths(out)},
    }
    for number, source in enumerate(places):
        say(f"{source.name}: one central region")
        rows = _rows(source, {"centre": central_region()}, CENTRAL_AT, [seed, number, 0], repetitions)
        document["figures"][f"central-{source.name}"] = rows
        _write(out / f"central-{source.name}.csv", rows)
        for picture, names in PICTURES.items():
            title = f"One central region, {PLACES[source.name]}"
            _picture(out / f"central-{source.name}-{picture}.svg", rows, names, title, repetitions)
        say(f"{source.name}: regions in the corners")
        rows = _rows(source, corner_regions(), CENTRAL_AT, [seed, number, 1], repetitions)
        document["figures"][f"corners-{source.name}"] = rows
        _write(out / f"corners-{source.name}.csv", rows)
        for corner in corner_regions():
            own = [row for row in rows if row["regions"] == corner]
            title = f"Region in the {corner}, {PLACES[source.name]}"
            _picture(out / f"corners-{source.name}-{corner}.svg", own, SQUARES, title, repetitions)
        say(f"{source.name}: random regions")
        rows = []
        for count in COUNTS:
            own = _random_rows(source, count, [seed, number, 2, count], repetitions)
            rows += own
            title = f"{count} random regions, {PLACES[source.name]}"
            _picture(out / f"random-{source.name}-{count}.svg", own, SQUARES, title, repetitions)
        document["figures"][f"random-{source.name}"] = rows
        _write(out / f"random-{source.name}.csv", rows)
    (out / "location.json").write_text(_text(document), encoding="utf-8")


def _text(document: dict[str, Any]) -> str:
    """The document as JSON, a row of a figure to the line."""
    head = {name: value for name, value in document.items() if name != "figures"}
    figures = []
    for name, rows in document["figures"].items():
        lines = ",\n".join(f"   {json.dumps(_short(row), allow_nan=False)}" for row in rows)
        figures.append(f"  {json.dumps(name)}: [\n{lines}\n  ]")
    inner = ",\n".join(figures)
    return f'{json.dumps(head)[:-1]},\n "figures": {{\n{inner}\n }}\n}}\n'


def _short(row: dict[str, Any]) -> dict[str, Any]:
    return {name: float(f"{v:.6g}") if isinstance(v, float) else v for name, v in row.items()}


def _widths(out: Path) -> list[dict[str, Any]]:
    rows = []
    for epsilon in WIDTHS_AT:
        plane = Plane(half_sides=(HALF, HALF), parts=whole(), epsilon=epsilon)
        width, area, growth = best_width(plane), plane.area, plane.growth
        plain = math.sqrt((-area + math.sqrt(area**2 + 8 * growth * area * HALF**2)) / growth)
        rows.append(
            {
                "epsilon": epsilon,
                "width": width,
                "width_without_borders": plain,
                "beta": plane.beta(width),
                "error": plane.mean_square_error(width),
            }
        )
    _write(out / "width.csv", rows)
    at = [float(row["epsilon"]) for row in rows]
    series = [
        Series(label="best width", x=at, y=[row["width"] for row in rows]),
        Series(label="best width without borders", x=at, y=[row["width_without_borders"] for row in rows]),
    ]
    picture = curves_svg(
        series, title="Best width of the square, half side 1,000 m", x_label=BUDGET, y_label="width, m"
    )
    (out / "width.svg").write_text(picture + "\n", encoding="utf-8")
    return rows


def _rows(
    source: Places,
    regions: dict[str, tuple[Part, ...]],
    epsilons: Sequence[int],
    seed: list[int],
    repetitions: int,
) -> list[dict[str, Any]]:
    errors: dict[tuple[str, int, str], list[float]] = {}
    for repetition in range(repetitions):
        rng = np.random.default_rng([*seed, repetition])
        points, prior = source.draw(rng)
        for name, parts in regions.items():
            for epsilon in epsilons:
                for error in mechanism_errors(points, parts, epsilon, rng=rng, prior=prior):
                    errors.setdefault((name, epsilon, error.mechanism), []).append(error.error)
    return _summed(errors)


def _random_rows(source: Places, count: int, seed: list[int], repetitions: int) -> list[dict[str, Any]]:
    errors: dict[tuple[str, int, str], list[float]] = {}
    for repetition in range(repetitions):
        rng = np.random.default_rng([*seed, repetition])
        points, prior = source.draw(rng)
        parts = random_regions(count, rng=rng)
        for epsilon in RANDOM_AT:
            for error in mechanism_errors(points, parts, epsilon, rng=rng, prior=prior):
                errors.setdefault((str(count), epsilon, error.mechanism), []).append(error.error)
    return _summed(errors)


def _summed(by_point: dict[tuple[str, int, str], list[float]]) -> list[dict[str, Any]]:
    rows = []
    for (name, epsilon, mechanism), errors in by_point.items():
        spread = float(np.std(errors, ddof=1)) / math.sqrt(len(errors))
        rows.append(
            {
                "regions": name,
                "epsilon": epsilon,
                "mechanism": mechanism,
                "error": float(np.mean(errors)),
                "error_se": spread,
            }
        )
    order = {mechanism: position for position, mechanism in enumerate(MECHANISMS)}
    return sorted(rows, key=lambda row: (row["regions"], row["epsilon"], order[row["mechanism"]]))


def _picture(
    path: Path, rows: Sequence[dict[str, Any]], names: Sequence[str], title: str, repetitions: int
) -> None:
    series = []
    for name in names:
        own = [row for row in rows if row["mechanism"] == name]
        series.append(
            Series(
                label=LABELS[name],
                x=[float(row["epsilon"]) for row in own],
                y=[row["error"] for row in own],
                errors=[BAR * row["error_se"] for row in own],
            )
        )
    bars = BARS.format(repetitions=repetitions)
    picture = curves_svg(
        series, title=title, x_label=BUDGET, y_label="mean square error, m²", bars=bars, log_y=True
    )
    path.write_text(picture + "\n", encoding="utf-8")


def _write(path: Path, rows: Sequence[dict[str, Any]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(rows[0])
        for row in rows:
            writer.writerow([f"{v:.6g}" if isinstance(v, float) else v for v in row.values()])
