"""Read the outline and the rectangles of a place in a definition."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any, Final, TypeGuard

from django.utils.translation import gettext as _

from privacy.errors import PrivacyError
from privacy.scales.area import DEGREE, Area
from privacy.scales.planar_degrees import cells_of
from surveys.errors.error import in_words, short_json
from surveys.questionnaire.document import Node


def is_number(value: object) -> TypeGuard[int | float]:
    """Return whether a JSON value is a number that a float can hold; JSON also allows longer numbers and NaN.

    >>> is_number(118.7), is_number(10**400), is_number(float("nan")), is_number(True)
    (True, False, False, False)
    """
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= sys.float_info.max


# Enough for a coastline, small enough for a phone: the outline is sent with every page of the survey.
MOST_POINTS: Final = 400

Ring = list[list[int]]


def read_outline(node: Node) -> list[Ring]:
    """Return the rings of a GeoJSON geometry, feature or collection, in 10^-7 degrees; note problems."""
    rings: list[Ring] = []
    try:
        for ring in _rings(node.value):
            rings.append([_point(point) for point in ring])
    except (KeyError, TypeError, ValueError):
        rings = []
    if not rings or any(len(ring) < 3 for ring in rings):
        node.wrong(
            _("not a polygon of longitudes and latitudes: %(value)s"),
            _("give a GeoJSON Polygon or MultiPolygon in WGS 84, or leave it out"),
        )
        return []
    count = sum(map(len, rings))
    if count > MOST_POINTS:
        node.wrong(
            _("it has %(count)s points"), _("simplify it to at most %(most)s"), count=count, most=MOST_POINTS
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


def check_rectangles(question: Node, area: Area) -> None:
    """Note problems of each sensitive rectangle of a place, and of each rectangle of a region."""
    sensitive = question.at("place").at("sensitive")
    if sensitive.value is not None and not isinstance(sensitive.value, list):
        sensitive.wrong(_("not a list of areas: %(value)s"), _("list rectangles, or levels with theirs"))
    for rectangle, name in _rectangles(question):
        _check(rectangle, name, area)


def _rectangles(question: Node) -> Iterator[tuple[Node, str]]:
    """Yield each rectangle with its name for messages."""
    place = question.at("place")
    sensitive = place.at("sensitive")
    for number, entry in enumerate(_child_nodes(sensitive), start=1):
        if place.value.get("mechanism") != "levels":
            yield entry, _("rectangle %(number)s") % {"number": number}
            continue
        for which, rectangle in enumerate(_child_nodes(entry.at("rectangles")), start=1):
            yield rectangle, _("rectangle %(number)s of level %(level)s") % {"number": which, "level": number}
    for option in _child_nodes(question.at("options")):
        key = short_json(option.at("key").value)
        for which, rectangle in enumerate(_child_nodes(option.at("rectangles")), start=1):
            yield rectangle, _("rectangle %(number)s of the region %(key)s") % {"number": which, "key": key}


def _child_nodes(node: Node) -> list[Node]:
    return [node.at(number) for number in range(len(node.value))] if isinstance(node.value, list) else []


def _check(rectangle: Node, name: str, area: Area) -> None:
    try:
        cells_of(area, rectangle.value)
    except PrivacyError as error:
        message, remedy = in_words(error)
        rectangle.problems.add(rectangle.path, f"{name}: {message}", remedy)
