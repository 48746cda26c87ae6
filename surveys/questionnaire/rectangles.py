"""The rectangles of a place question, checked one by one, so that a message names the one it concerns."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Final

from django.utils.translation import gettext as _

from privacy.errors import PrivacyError
from privacy.scales.area import DEGREE, Area
from privacy.scales.place_specification import EDGES, cells_of
from surveys.errors.error import shown
from surveys.questionnaire.geojson import around, corners_of, features_of, is_geojson, is_number, name_of
from surveys.questionnaire.node import Node
from surveys.questionnaire.problems import DefinitionError, Problems

__all__ = ["check_rectangles", "rectangles_read"]

MOST: Final = 500
"""Most rectangles read from one file."""

_LIMITS: Final = {"west": 180, "east": 180, "south": 90, "north": 90}


def check_rectangles(question: Node, area: Area) -> None:
    """Note problems of each sensitive rectangle of a place, and of each rectangle of a region."""
    sensitive = question.at("place").at("sensitive")
    is_list = sensitive.value is None or isinstance(sensitive.value, list)
    if not is_list and not is_geojson(sensitive.value):
        sensitive.wrong(_("%(value)s is no list of areas"), _("list rectangles, or levels with theirs"))
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
        problems.add(_("the text"), _("it is no JSON: %(error)s") % {"error": error}, _("give GeoJSON"))
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
        _("it is no rectangle along the axes"),
        _("cut it into rectangles, or take the one around it: %(written)s") % {"written": written},
    )
