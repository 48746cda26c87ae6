"""Read GeoJSON: features one by one, points and rectangles along the axes, without drawing anything."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from typing import Any, Final, TypeGuard

from django.utils.translation import gettext as _

__all__ = ["GEOMETRIES", "around", "corners_of", "features_of", "is_geojson", "is_number", "name_of"]

GEOMETRIES: Final = (
    "Point",
    "MultiPoint",
    "LineString",
    "MultiLineString",
    "Polygon",
    "MultiPolygon",
    "GeometryCollection",
)
_KINDS: Final = ("FeatureCollection", "Feature", *GEOMETRIES)
_DIGITS: Final = 7


def is_geojson(document: object) -> bool:
    """Return whether a JSON value claims to be GeoJSON."""
    return isinstance(document, Mapping) and document.get("type") in _KINDS


def features_of(document: Any) -> Iterator[Any]:
    """Yield the features of a collection, or the single feature; a geometry becomes a feature."""
    kind = document.get("type") if isinstance(document, Mapping) else None
    if kind == "FeatureCollection":
        features = document.get("features")
        yield from features if isinstance(features, list) else ()
    elif kind == "Feature":
        yield document
    elif kind in GEOMETRIES:
        yield {"type": "Feature", "geometry": document, "properties": {}}


def name_of(feature: object, number: int) -> str:
    """Return a feature's name for messages: its number, and its name if it has one.

    >>> name_of({"properties": {"name": "Clinic"}}, 2), name_of({}, 3)
    ('feature 2 “Clinic”', 'feature 3')
    """
    properties = feature.get("properties") if isinstance(feature, Mapping) else None
    name = properties.get("name") if isinstance(properties, Mapping) else None
    if isinstance(name, str) and name.strip():
        return _("feature %(number)s “%(name)s”") % {"number": number, "name": name.strip()[:60]}
    return _("feature %(number)s") % {"number": number}


def corners_of(feature: Any) -> list[float] | None:
    """Return the point, or the west, south, east and north of the rectangle, that a feature describes."""
    try:
        geometry = feature["geometry"]
        if geometry["type"] == "Point":
            points = [geometry["coordinates"]]
        elif geometry["type"] == "Polygon" and len(geometry["coordinates"]) == 1:
            points = geometry["coordinates"][0]
        else:
            return None
        places = [(point[0], point[1]) for point in points]
    except (TypeError, KeyError, IndexError):
        return None
    if not all(is_number(x) and is_number(y) for x, y in places):
        return None
    if geometry["type"] == "Point":
        return [float(places[0][0]), float(places[0][1])]
    xs, ys = {x for x, _y in places}, {y for _x, y in places}
    if len(xs) != 2 or len(ys) != 2 or len(set(places)) != 4:
        return None
    return [float(min(xs)), float(min(ys)), float(max(xs)), float(max(ys))]


def around(feature: Any) -> list[float] | None:
    """Return west, south, east and north of a shape's bounding rectangle; None for shapes without an area.

    >>> ring = [[0, 0], [2, 0], [1, 3], [0, 0]]
    >>> around({"geometry": {"type": "Polygon", "coordinates": [ring]}})
    [0.0, 0.0, 2.0, 3.0]
    >>> around({"geometry": {"type": "Point", "coordinates": [1, 1]}})
    """
    geometry = feature.get("geometry") if isinstance(feature, Mapping) else None
    coordinates = geometry.get("coordinates") if isinstance(geometry, Mapping) else None
    points = list(_points(coordinates, 5))
    if not points:
        return None
    xs, ys = zip(*points, strict=True)
    bounds = [min(xs), min(ys), max(xs), max(ys)]
    return (
        None
        if bounds[0] == bounds[2] or bounds[1] == bounds[3]
        else [round(edge, _DIGITS) for edge in bounds]
    )


def _points(given: object, depth: int) -> Iterator[tuple[float, float]]:
    if not isinstance(given, list) or depth == 0:
        return
    if len(given) >= 2 and all(is_number(number) for number in given[:2]):
        yield float(given[0]), float(given[1])
        return
    for part in given:
        yield from _points(part, depth - 1)


def is_number(value: object) -> TypeGuard[int | float]:
    """Return whether a JSON value is a number that a float can hold: JSON allows longer ones, and NaN.

    >>> is_number(118.7), is_number(10**400), is_number(float("nan")), is_number(True)
    (True, False, False, False)
    """
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= sys.float_info.max
