"""The rectangles of a place question, checked one by one: a message names the one that is meant."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from django.utils.translation import gettext as _

from privacy.errors import PrivacyError
from privacy.scales.area import DEGREE, Area
from privacy.scales.place_specification import EDGES, cells_of
from surveys.errors.core_refusals import in_words
from surveys.errors.error import shown
from surveys.questionnaire.geojson import around, corners_of, features_of, is_geojson, is_number, name_of
from surveys.questionnaire.problems import DefinitionError, Problems, joined

__all__ = ["check_rectangles", "rectangles_read"]

MOST: Final = 500
"""Rectangles that are taken out of one file."""

_LIMITS: Final = {"west": 180, "east": 180, "south": 90, "north": 90}


def check_rectangles(
    location: Mapping[str, Any], options: object, area: Area, path: str, problems: Problems
) -> None:
    """Note what is wrong with each sensitive rectangle, and with each rectangle of a region.

    Parameters
    ----------
    location : mapping
        The member ``location`` of a question.
    options : object
        Its member ``options``.
    area : Area
    path : str
        Of the question.
    problems : Problems
    """
    sensitive = location.get("sensitive")
    if sensitive is not None and not isinstance(sensitive, list) and not is_geojson(sensitive):
        problems.add(
            joined(path, "place.sensitive"),
            _("%(value)s is no list of areas") % {"value": shown(sensitive)},
            _("list rectangles, or levels with theirs"),
        )
    for here, name, given in _named(location, options, path):
        if is_geojson(given):
            _refuse_geojson(given, here, problems)
        else:
            _check(given, here, name, area, problems)


def rectangles_read(text: str, area: Area | None, *, widen: bool) -> list[dict[str, float]]:
    """Return the rectangles of GeoJSON; with `widen` of another shape the rectangle around it.

    Raises
    ------
    DefinitionError
        What is wrong, the first twenty; each path names the feature.
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
            _check(rectangle, name, name, area, problems)
        rectangles.append(rectangle)
    if problems.listed:
        raise DefinitionError(problems.listed[:20])
    return rectangles


def _named(location: Mapping[str, Any], options: object, path: str) -> Iterator[tuple[str, str, object]]:
    """Yield where each rectangle stands, what messages call it, and what is given."""
    here, given = joined(path, "place.sensitive"), location.get("sensitive")
    if is_geojson(given):
        yield here, "", given
        given = None
    for number, entry in enumerate(given if isinstance(given, list) else (), start=1):
        within = entry.get("rectangles") if isinstance(entry, Mapping) else None
        if location.get("mechanism") != "levels":
            yield f"{here}[{number - 1}]", _("rectangle %(number)s") % {"number": number}, entry
        elif isinstance(within, list):
            for which, inner in enumerate(within, start=1):
                name = _("rectangle %(number)s of level %(level)s") % {"number": which, "level": number}
                yield f"{here}[{number - 1}].rectangles[{which - 1}]", name, inner
    for number, entry in enumerate(options if isinstance(options, list) else ()):
        within = entry.get("rectangles") if isinstance(entry, Mapping) else None
        for which, inner in enumerate(within if isinstance(within, list) else (), start=1):
            name = _("rectangle %(number)s of the region %(key)s") % {
                "number": which,
                "key": shown(entry.get("key")),
            }
            yield f"{joined(path, 'options')}[{number}].rectangles[{which - 1}]", name, inner


def _check(given: object, here: str, name: str, area: Area, problems: Problems) -> None:
    if not isinstance(given, Mapping) or set(given) != set(EDGES):
        problems.add(
            here,
            _("%(name)s is %(value)s") % {"name": name, "value": shown(given)},
            _("give west, south, east and north in degrees"),
        )
        return
    for edge in EDGES:
        value = given[edge]
        if not is_number(value) or abs(value) > _LIMITS[edge]:
            problems.add(
                here,
                _("the edge %(edge)s of %(name)s is %(value)s")
                % {"edge": _edge_word(edge), "name": name, "value": shown(value)},
                _("give a number of degrees from −%(limit)s to %(limit)s") % {"limit": _LIMITS[edge]},
            )
            return
    west, south, east, north = (round(given[edge] * DEGREE) for edge in EDGES)
    if west >= east or south >= north:
        problems.add(
            here,
            _("the edges of %(name)s are in the wrong order") % {"name": name},
            _("give west below east and south below north"),
        )
    elif west >= area.east or east <= area.west or south >= area.north or north <= area.south:
        problems.add(
            here,
            _("%(name)s lies outside the map") % {"name": name},
            _("move it onto the map, or enlarge the map"),
        )
    else:
        try:
            cells_of(area, given)
        except PrivacyError as error:
            _too_small(name, here, area, error, problems)


def _edge_word(edge: str) -> str:
    return {"west": _("west"), "south": _("south"), "east": _("east"), "north": _("north")}[edge]


def _too_small(name: str, here: str, area: Area, error: PrivacyError, problems: Problems) -> None:
    """What is in order and on the map can only be too small."""
    if error.code != "rectangle":
        problems.add(here, *in_words(error))
        return
    across, up = area.cell_metres
    problems.add(
        here,
        _("%(name)s is smaller than a cell of %(across)s × %(up)s metres")
        % {"name": name, "across": f"{across:.0f}", "up": f"{up:.0f}"},
        _("enlarge it, or choose smaller cells"),
    )


def _refuse_geojson(given: object, here: str, problems: Problems) -> None:
    """Say of each feature how the rectangle that it is, or the one around it, is written."""
    for number, feature in enumerate(list(features_of(given))[:MOST], start=1):
        name = name_of(feature, number)
        corners = corners_of(feature)
        if corners is not None and len(corners) == 4:
            written = json.dumps(dict(zip(EDGES, corners, strict=True)))
            message, remedy = _("it is GeoJSON"), _("write it as %(written)s") % {"written": written}
        else:
            message, remedy = _no_rectangle(feature)
        problems.add(here, f"{name}: {message}", remedy)


def _no_rectangle(feature: object) -> tuple[str, str]:
    corners = around(feature)
    if corners is None:
        return _("it has no area"), _("draw a rectangle around it")
    written = json.dumps(dict(zip(EDGES, corners, strict=True)))
    return (
        _("it is no rectangle along the axes"),
        _("cut it into rectangles, or take the one around it: %(written)s") % {"written": written},
    )
