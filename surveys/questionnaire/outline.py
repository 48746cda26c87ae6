"""The outline of a place question's map: a GeoJSON polygon that is only displayed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from django.utils.translation import gettext as _

from privacy.scales.area import DEGREE
from surveys.questionnaire.geojson import is_number
from surveys.questionnaire.node import Node

# Part of every page of the survey: enough for a coastline, small enough for a phone.
MOST_POINTS: Final = 400

Ring = list[list[int]]


def read_outline(stated: Node) -> list[Ring]:
    """Return the rings of a GeoJSON geometry, feature or collection, in 10^-7 degrees; note problems."""
    rings: list[Ring] = []
    try:
        for ring in _rings(stated.value):
            rings.append([_point(point) for point in ring])
    except (KeyError, TypeError, ValueError):
        rings = []
    if not rings or any(len(ring) < 3 for ring in rings):
        stated.wrong(
            _("%(value)s is no polygon of longitudes and latitudes"),
            _("give a GeoJSON Polygon or MultiPolygon in WGS 84, or leave it out"),
        )
        return []
    count = sum(map(len, rings))
    if count > MOST_POINTS:
        stated.wrong(
            _("it has %(count)s points"),
            _("simplify it to at most %(most)s"),
            count=count,
            most=MOST_POINTS,
        )
        return []
    return rings


def bounds_of(rings: list[Ring]) -> dict[str, float]:
    """Return west, south, east and north of an outline, in degrees.

    Examples
    --------
    >>> bounds_of([[[0, 0], [20_000_000, 0], [10_000_000, 5_000_000]]])
    {'west': 0.0, 'south': 0.0, 'east': 2.0, 'north': 0.5}
    """
    along = [point[0] / DEGREE for ring in rings for point in ring]
    up = [point[1] / DEGREE for ring in rings for point in ring]
    return {"west": min(along), "south": min(up), "east": max(along), "north": max(up)}


def _rings(document: Any) -> Iterator[Any]:
    kind = document["type"]
    if kind == "FeatureCollection":
        for feature in document["features"]:
            yield from _rings(feature)
    elif kind == "Feature":
        yield from _rings(document["geometry"])
    elif kind == "Polygon":
        yield from document["coordinates"]
    elif kind == "MultiPolygon":
        for polygon in document["coordinates"]:
            yield from polygon
    else:
        raise ValueError(kind)


def _point(point: Any) -> list[int]:
    degrees = []
    for value, limit in zip(point[:2], (180, 90), strict=True):
        if not is_number(value) or abs(value) > limit:
            raise ValueError(value)
        degrees.append(round(value * DEGREE))
    return degrees
