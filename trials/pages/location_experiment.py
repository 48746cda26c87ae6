"""The experiment on places (Feng and Zhu, figures 2 to 6), in kind: tables and pictures."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from privacy.arrays import Array
from surveys.charts.curves import Series, curves_svg
from surveys.errors.error import SurveyError
from trials.pages.experiments import bars_said, measured
from trials.pages.paper import Number, Paper, Parameters, Progress, Row, Tables, counted
from trials.pages.reported_facts import location_facts
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

WIDTHS_AT: Final = tuple(range(1, 21))
CENTRAL_AT: Final = tuple(range(5, 21))
RANDOM_AT: Final = tuple(range(10, 21))
COUNTS: Final = (2, 4, 6)
PLACES: Final = {
    "uniform": gettext_lazy("uniform places"),
    "clusters": gettext_lazy("clustered places"),
    "file": gettext_lazy("places of a file"),
}
CORNERS: Final = {
    "south-west": gettext_lazy("south-west"),
    "north-west": gettext_lazy("north-west"),
    "south-east": gettext_lazy("south-east"),
    "north-east": gettext_lazy("north-east"),
}
EARTH: Final = 6_371_008.8
HIGHEST_LATITUDE: Final = 80.0
LABELS: Final = {
    "square": gettext_lazy("square mechanism"),
    "utility_square": gettext_lazy("utility-optimised square, width of the square mechanism"),
    "utility_square_own_width": gettext_lazy("utility-optimised square, own width"),
    "grid": gettext_lazy("randomised response on tiles"),
    "utility_grid": gettext_lazy("utility-optimised response on tiles"),
    "piecewise": gettext_lazy("piecewise mechanism for each axis"),
    "planar_laplace": gettext_lazy("planar Laplace mechanism"),
}
PICTURES: Final = {
    "baselines": ("planar_laplace", "piecewise", "square", "utility_square"),
    "best": ("square", "grid", "utility_square_own_width", "utility_grid"),
}
SQUARES: Final = ("square", "utility_square", "utility_square_own_width")

Regions = Mapping[str, tuple[Part, ...]]


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


def location_run(
    parameters: Parameters, progress: Progress, places: Sequence[Places] | None = None
) -> Tables:
    """Return the best widths, and the errors with a region in the centre, in a corner, and at random."""
    seed, repetitions = parameters["seed"], parameters["repetitions"]
    places = drawn_places(parameters["n"]) if places is None else places
    step = counted(progress, len(places) * repetitions * (2 + len(COUNTS)))
    tables: Tables = {"width": _widths()}
    for number, source in enumerate(places):
        kinds: list[tuple[str, Sequence[int], list[int], Callable[[np.random.Generator], Regions]]] = [
            ("central", CENTRAL_AT, [0], lambda _rng: {"centre": central_region()}),
            ("corners", CENTRAL_AT, [1], lambda _rng: corner_regions()),
            *(("random", RANDOM_AT, [2, count], partial(_scattered, count)) for count in COUNTS),
        ]
        for kind, epsilons, stream, regions in kinds:
            errors: dict[tuple[str, int, str], list[float]] = {}
            for repetition in range(repetitions):
                step()
                rng = np.random.default_rng([seed, number, *stream, repetition])
                points, prior = source.draw(rng)
                for name, parts in regions(rng).items():
                    for epsilon in epsilons:
                        for error in mechanism_errors(points, parts, epsilon, rng=rng, prior=prior):
                            errors.setdefault((name, epsilon, error.mechanism), []).append(error.error)
            tables.setdefault(f"{kind}-{source.name}", []).extend(_summed(errors))
    return tables


def _scattered(count: int, rng: np.random.Generator) -> Regions:
    return {str(count): random_regions(count, rng=rng)}


def _widths() -> list[Row]:
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
    return rows


def _summed(by_point: Mapping[tuple[str, int, str], Sequence[float]]) -> list[Row]:
    rows = [
        {
            "regions": name,
            "epsilon": epsilon,
            "mechanism": mechanism,
            "error": float(np.mean(errors)),
            "error_se": float(np.std(errors, ddof=1)) / math.sqrt(len(errors)),
        }
        for (name, epsilon, mechanism), errors in by_point.items()
    ]
    order = {mechanism: position for position, mechanism in enumerate(MECHANISMS)}
    return sorted(rows, key=lambda row: (row["regions"], row["epsilon"], order[row["mechanism"]]))


def location_pictures(tables: Tables, parameters: Parameters, paper: bool) -> dict[str, SafeString]:
    """Draw the widths, and the errors by epsilon for each kind of places and regions."""
    budget, bars = _("privacy budget ε"), bars_said(parameters)
    pictures = {
        name: curves_svg(
            [
                measured(
                    str(LABELS[mechanism]),
                    [row for row in rows if row["mechanism"] == mechanism],
                    "epsilon",
                )
                for mechanism in mechanisms
            ],
            title=title, x_label=budget, y_label=_("mean square error, m²"), bars=bars, log_y=True,
            paper=paper,
        )
        for name, title, rows, mechanisms in _drawn(tables)
    }  # fmt: skip
    at = [float(row["epsilon"]) for row in tables["width"]]
    pictures["width"] = curves_svg(
        [
            Series(label=_("best width"), x=at, y=[row["width"] for row in tables["width"]]),
            Series(
                label=_("best width without borders"),
                x=at,
                y=[row["width_without_borders"] for row in tables["width"]],
            ),
        ],
        title=_("Best width of the square, half side 1,000 m"), x_label=budget, y_label=_("width, m"),
        paper=paper,
    )  # fmt: skip
    return pictures


def _drawn(tables: Tables) -> Iterator[tuple[str, str, list[Row], Sequence[str]]]:
    """Yield name, title, rows and mechanisms of each picture of errors."""
    for kind, named in PLACES.items():
        if f"central-{kind}" not in tables:
            continue
        for name, mechanisms in PICTURES.items():
            title = _("One central region, %(places)s") % {"places": named}
            if name == "best":
                title = _("%(title)s: the best mechanisms") % {"title": title}
            yield f"central-{kind}-{name}", title, tables[f"central-{kind}"], mechanisms
        rows = tables[f"corners-{kind}"]
        for corner, said in CORNERS.items():
            title = _("Region in the %(corner)s, %(places)s") % {"corner": said, "places": named}
            yield (
                f"corners-{kind}-{corner}",
                title,
                [row for row in rows if row["regions"] == corner],
                SQUARES,
            )
        rows = tables[f"random-{kind}"]
        for count in sorted({row["regions"] for row in rows}):
            title = _("%(count)s random regions, %(places)s") % {"count": count, "places": named}
            yield f"random-{kind}-{count}", title, [row for row in rows if row["regions"] == count], SQUARES


LOCATION: Final = Paper(
    name="experiment-location",
    title=gettext_lazy("Places, exact where nothing is sensitive"),
    claim=gettext_lazy(
        "People who are in no sensitive place may send where they are; those who are in one stay as well "
        "hidden as before, and the map of all becomes more accurate."
    ),
    source=gettext_lazy("Feng Ligang and Zhu Youwen, The utility-optimised square mechanism"),
    numbers=(
        Number(name="seed", full=8, least=0, most=2**31 - 1),
        Number(name="repetitions", full=10, least=2, most=100),
        Number(name="n", full=2_000, least=100, most=20_000),
    ),
    run=location_run,
    pictures=location_pictures,
    facts=location_facts,
)
