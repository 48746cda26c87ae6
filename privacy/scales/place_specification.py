"""A place question as a researcher states it, turned into the disguise that a design holds.

Rectangles in degrees, as people draw them, turned into cells of an area.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from privacy import validation
from privacy.errors import PrivacyError
from privacy.scales.area import DEGREE, Area, Box, components, disjoint, overlap
from privacy.scales.planar_mechanisms import EVERYWHERE, UTILITY, levelled
from privacy.scales.planar_window import PlanarWindowChannel

__all__ = ["EDGES", "MECHANISMS", "StatedPlace", "cells_of", "degrees_of", "stated_place"]


EDGES = ("west", "south", "east", "north")
_LIMITS = {"west": 180, "east": 180, "south": 90, "north": 90}


def cells_of(area: Area, rectangle: object) -> Box:
    """Return the cells that a rectangle in degrees touches: a cell that is partly sensitive is sensitive.

    Parameters
    ----------
    area : Area
    rectangle : mapping
        ``west``, ``south``, ``east``, ``north`` in degrees. What leaves the area is cut off.

    Raises
    ------
    PrivacyError
        ``rectangle``: an edge is missing or no number, edges are in the wrong order, the rectangle is smaller
        than a cell, or lies outside the area.

    Examples
    --------
    >>> area = Area(west=0, south=0, east=100_000, north=100_000, columns=10, rows=10)
    >>> cells_of(area, {"west": .0015, "south": .002, "east": .0041, "north": .005})
    (1, 2, 4, 3)
    """
    if not isinstance(rectangle, Mapping) or set(rectangle) != set(EDGES):
        raise PrivacyError("rectangle.edges", rectangle)
    edges = {
        name: round(
            DEGREE
            * validation.real_number(
                rectangle[name], f"{name} edge", low=-limit, high=limit, code="rectangle"
            )
        )
        for name, limit in _LIMITS.items()
    }
    x, width = _span(edges["west"], edges["east"], area.west, area.east, area.columns, rectangle)
    y, height = _span(edges["south"], edges["north"], area.south, area.north, area.rows, rectangle)
    return x, y, width, height


def _span(begin: int, end: int, low: int, high: int, count: int, rectangle: object) -> tuple[int, int]:
    if begin >= end:
        raise PrivacyError("rectangle.order", rectangle)
    if end <= low or begin >= high:
        raise PrivacyError("rectangle.outside", rectangle)
    if (end - begin) * count < high - low:
        raise PrivacyError("rectangle.small", rectangle)
    begin, end = max(begin, low), min(end, high)
    first = (begin - low) * count // (high - low)
    last = -(-(end - low) * count // (high - low))
    return first, last - first


def degrees_of(area: Area, box: Box) -> dict[str, float]:
    """Return the edges of a rectangle of cells, in degrees.

    Parameters
    ----------
    area : Area
        Of the map.
    box : Box
        First column, first row, columns, rows, in cells.

    Examples
    --------
    >>> area = Area(west=0, south=0, east=100_000, north=100_000, columns=10, rows=10)
    >>> degrees_of(area, (1, 2, 4, 3))
    {'west': 0.001, 'south': 0.002, 'east': 0.005, 'north': 0.005}
    """
    across, up = (area.east - area.west) / area.columns, (area.north - area.south) / area.rows
    x, y, width, height = box
    return {
        "west": (area.west + x * across) / DEGREE,
        "south": (area.south + y * up) / DEGREE,
        "east": (area.west + (x + width) * across) / DEGREE,
        "north": (area.south + (y + height) * up) / DEGREE,
    }


MECHANISMS: Final = (*EVERYWHERE, *UTILITY, "levels")


@dataclass(frozen=True, kw_only=True)
class StatedPlace:
    """What a question of kind ``"place"`` needs: its disguise, and the keys of its items as options."""

    disguise: PlanarWindowChannel
    options: tuple[str, ...]


def stated_place(document: object) -> StatedPlace:
    """Return the disguise that a statement describes.

    Parameters
    ----------
    document : mapping
        ``mechanism``: one of `MECHANISMS`. ``area``: west, south, east, north in degrees. ``cell``: metres.
        ``epsilon``: a number (for ``"levels"`` left out). ``sensitive``: list of rectangles in degrees, for
        the utility-optimised mechanisms; for ``"levels"`` a list of {"epsilon", "rectangles"}, the most
        sensitive first. ``items``, may be left out: list of {"key", "rectangles"}; inside the sensitive cells
        an item is widened to the whole connected places that its rectangles touch, since only these follow
        the channel of items.

    Returns
    -------
    StatedPlace

    Raises
    ------
    PrivacyError
        ``malformed`` where a part is missing or unknown, else what the parts refuse.

    Examples
    --------
    >>> question = stated_place({
    ...     "mechanism": "utility_square", "epsilon": 2, "cell": 50,
    ...     "area": {"west": 118.70, "south": 32.00, "east": 118.72, "north": 32.02},
    ...     "sensitive": [{"west": 118.702, "south": 32.002, "east": 118.706, "north": 32.006}],
    ...     "items": [{"key": "clinic", "rectangles": [
    ...         {"west": 118.703, "south": 32.003, "east": 118.704, "north": 32.004}]}]})
    >>> question.options, question.disguise.exact_outside
    (('clinic',), True)
    """
    needed = {"mechanism", "area", "cell"}
    allowed = needed | {"epsilon", "sensitive", "items"}
    if not isinstance(document, Mapping) or not needed <= set(document) <= allowed:
        raise PrivacyError(
            "malformed.place",
            document,
            needed=", ".join(sorted(needed)),
            allowed=", ".join(sorted(allowed - needed)),
        )
    mechanism = validation.one_of(document["mechanism"], "mechanism", allowed=MECHANISMS, code="mechanism")
    area = _area(document["area"], document["cell"])
    windows = _windows(mechanism, area, document)
    items = validation.listed(document.get("items", []), "items")
    sensitive = [box for level in windows.levels for box in level.rectangles]
    regions, options = [], []
    for entry in items:
        parts = _parts(entry, "item", ("key", "rectangles"))
        options.append(validation.key(parts["key"], "key of an item"))
        boxes = [cells_of(area, box) for box in validation.listed(parts["rectangles"], "rectangles")]
        regions.append(_widened(boxes, sensitive))
    return StatedPlace(disguise=replace(windows, regions=tuple(regions)), options=tuple(options))


def _area(document: object, cell: object) -> Area:
    edges = _parts(document, "area", EDGES)
    return Area.of_cell_size(**edges, metres=cell)  # type: ignore[arg-type]  # checked there


def _windows(mechanism: str, area: Area, document: Mapping[str, Any]) -> PlanarWindowChannel:
    if mechanism == "levels":
        levels = []
        for entry in validation.listed(document.get("sensitive"), "sensitive"):
            parts = _parts(entry, "level", ("epsilon", "rectangles"))
            boxes = [cells_of(area, box) for box in validation.listed(parts["rectangles"], "rectangles")]
            levels.append((boxes, parts["epsilon"]))
        return levelled(area, levels)
    epsilon = document.get("epsilon")
    if mechanism in EVERYWHERE:
        if document.get("sensitive"):
            raise PrivacyError("malformed.sensitive", document["sensitive"], mechanism=mechanism)
        return EVERYWHERE[mechanism](area, epsilon)
    boxes = [cells_of(area, box) for box in validation.listed(document.get("sensitive"), "sensitive")]
    return UTILITY[mechanism](area, boxes, epsilon)


def _widened(boxes: list[Box], sensitive: list[Box]) -> tuple[Box, ...]:
    """Return the rectangles with all of the connected sensitive parts that they share a cell with."""
    whole = list(boxes)
    for component in components(sensitive):
        if any(overlap(box, part) for box in boxes for part in component):
            whole += component
    return disjoint(whole)


def _parts(document: object, name: str, keys: tuple[str, ...]) -> dict[str, Any]:
    if not isinstance(document, Mapping) or set(document) != set(keys):
        raise PrivacyError("malformed.parts", document, name=name, keys=", ".join(keys))
    return dict(document)
