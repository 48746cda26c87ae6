"""Read the map of a place question: its outline, which is only displayed, and the areas on it."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from typing import Any, Final, TypeGuard

from django.utils.translation import gettext as _

from privacy.errors import PrivacyError
from privacy.scales.area import DEGREE, Area
from privacy.scales.planar_mechanisms import EDGES, cells_of
from surveys.errors.error import shown
from surveys.questionnaire.document import DefinitionError, Node, Problems

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
            _("not a polygon of longitudes and latitudes: %(value)s"),
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


MOST: Final = 500
"""Most rectangles read from one file."""

_LIMITS: Final = {"west": 180, "east": 180, "south": 90, "north": 90}


def check_rectangles(question: Node, area: Area) -> None:
    """Note problems of each sensitive rectangle of a place, and of each rectangle of a region."""
    sensitive = question.at("place").at("sensitive")
    is_list = sensitive.value is None or isinstance(sensitive.value, list)
    if not is_list and not is_geojson(sensitive.value):
        sensitive.wrong(_("not a list of areas: %(value)s"), _("list rectangles, or levels with theirs"))
    for rectangle, name in _named(question):
        if is_geojson(rectangle.value):
            _refuse_geojson(rectangle)
        else:
            _check(rectangle, name, area)


def rectangles_read(text: str, area: Area | None, *, widen: bool) -> list[dict[str, float]]:
    """Return the rectangles of GeoJSON; with `widen`, replace other shapes by their bounding rectangle.

    Raises
    ------
    DefinitionError
        Lists the first twenty problems; each path names the feature.
    """
    problems = Problems()
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        problems.add(_("the text"), _("not valid JSON: %(error)s") % {"error": error}, _("give GeoJSON"))
        raise DefinitionError(problems.listed) from None
    features = list(features_of(document))
    if not 0 < len(features) <= MOST:
        problems.add(
            _("the text"),
            _("it has %(count)s features") % {"count": len(features)},
            _("give GeoJSON of one to %(most)s") % {"most": MOST},
        )
    rectangles = []
    for number, feature in enumerate(features[:MOST], start=1):
        name = name_of(feature, number)
        corners = corners_of(feature)
        if (corners is None or len(corners) != 4) and widen:
            corners = around(feature)
        if corners is None or len(corners) != 4:
            problems.add(name, *_no_rectangle(feature))
            continue
        rectangle = dict(zip(EDGES, corners, strict=True))
        if area is not None:
            _check(Node(value=rectangle, path=name, problems=problems), name, area)
        rectangles.append(rectangle)
    if problems.listed:
        raise DefinitionError(problems.listed[:20])
    return rectangles


def _named(question: Node) -> Iterator[tuple[Node, str]]:
    """Yield each rectangle with its name for messages."""
    stated = question.at("place")
    sensitive = stated.at("sensitive")
    if is_geojson(sensitive.value):
        yield sensitive, ""
    for number, entry in enumerate(_listed(sensitive), start=1):
        if stated.value.get("mechanism") != "levels":
            yield entry, _("rectangle %(number)s") % {"number": number}
            continue
        for which, rectangle in enumerate(_listed(entry.at("rectangles")), start=1):
            yield rectangle, _("rectangle %(number)s of level %(level)s") % {"number": which, "level": number}
    for option in _listed(question.at("options")):
        key = shown(option.at("key").value)
        for which, rectangle in enumerate(_listed(option.at("rectangles")), start=1):
            yield rectangle, _("rectangle %(number)s of the region %(key)s") % {"number": which, "key": key}


def _listed(node: Node) -> list[Node]:
    return [node.at(number) for number in range(len(node.value))] if isinstance(node.value, list) else []


def _check(rectangle: Node, name: str, area: Area) -> None:
    given = rectangle.value
    if not isinstance(given, Mapping) or set(given) != set(EDGES):
        rectangle.wrong(
            _("%(name)s is %(value)s"), _("give west, south, east and north in degrees"), name=name
        )
        return
    words = {"west": _("west"), "south": _("south"), "east": _("east"), "north": _("north")}
    for edge in EDGES:
        if not is_number(given[edge]) or abs(given[edge]) > _LIMITS[edge]:
            rectangle.wrong(
                _("the edge %(edge)s of %(name)s is %(value)s"),
                _("give a number of degrees from −%(limit)s to %(limit)s"),
                edge=words[edge],
                name=name,
                value=shown(given[edge]),
                limit=_LIMITS[edge],
            )
            return
    west, south, east, north = (round(given[edge] * DEGREE) for edge in EDGES)
    if west >= east or south >= north:
        rectangle.wrong(
            _("the edges of %(name)s are in the wrong order"),
            _("make west smaller than east, and south smaller than north"),
            name=name,
        )
    elif west >= area.east or east <= area.west or south >= area.north or north <= area.south:
        rectangle.wrong(
            _("%(name)s lies outside the map"), _("move it onto the map, or enlarge the map"), name=name
        )
    else:
        try:
            cells_of(area, given)
        except PrivacyError as error:
            _too_small(rectangle, name, area, error)


def _too_small(rectangle: Node, name: str, area: Area, error: PrivacyError) -> None:
    """Note a rectangle that is valid and on the map, but too small."""
    if error.code != "rectangle":
        rectangle.note_refusal(error)
        return
    across, up = area.cell_metres
    rectangle.wrong(
        _("%(name)s is smaller than a cell of %(across)s × %(up)s metres"),
        _("make it larger, or use smaller cells"),
        name=name,
        across=f"{across:.0f}",
        up=f"{up:.0f}",
    )


def _refuse_geojson(stated: Node) -> None:
    """Note for each feature how to write the rectangle that it is, or its bounding rectangle."""
    for number, feature in enumerate(list(features_of(stated.value))[:MOST], start=1):
        name = name_of(feature, number)
        corners = corners_of(feature)
        if corners is not None and len(corners) == 4:
            written = json.dumps(dict(zip(EDGES, corners, strict=True)))
            message, remedy = _("it is GeoJSON"), _("write it as %(written)s") % {"written": written}
        else:
            message, remedy = _no_rectangle(feature)
        stated.problems.add(stated.path, f"{name}: {message}", remedy)


def _no_rectangle(feature: object) -> tuple[str, str]:
    corners = around(feature)
    if corners is None:
        return _("it has no area"), _("draw a rectangle around it")
    written = json.dumps(dict(zip(EDGES, corners, strict=True)))
    return (
        _("not a rectangle along the axes"),
        _("split it into rectangles, or use the surrounding one: %(written)s") % {"written": written},
    )
