"""A place question as a definition states it: its mechanism, area, sensitive rectangles and items."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from privacy import validation
from privacy.errors import PrivacyError
from privacy.scales.area import Area
from privacy.scales.planar_degrees import EDGES, cells_of
from privacy.scales.planar_mechanisms import EVERYWHERE, UTILITY, build_levels
from privacy.scales.planar_rectangles import Box, overlap
from privacy.scales.planar_unions import components, disjoint
from privacy.scales.planar_window import PlanarWindowChannel

MECHANISMS: Final = (*EVERYWHERE, *UTILITY, "levels")


@dataclass(frozen=True, kw_only=True)
class StatedPlace:
    """A question of kind ``"place"``: its disguise, and the keys of its items as options."""

    disguise: PlanarWindowChannel
    options: tuple[str, ...]


def stated_place(document: object) -> StatedPlace:
    """Read the disguise and the options of a place question from a statement.

    Parameters
    ----------
    document : mapping
        ``mechanism``: one of `MECHANISMS`. ``area``: west, south, east, north in degrees. ``cell``: metres.
        ``epsilon``: a number, omitted for ``"levels"``. ``sensitive``: list of rectangles in degrees, for the
        utility-optimised mechanisms; for ``"levels"``, a list of {"epsilon", "rectangles"}, the most
        sensitive first. ``items``, optional: list of {"key", "rectangles"}. Inside the sensitive cells, an
        item is widened to all connected parts that its rectangles touch, because only whole parts follow the
        channel of items.

    Returns
    -------
    StatedPlace

    Raises
    ------
    PrivacyError
        ``malformed``: a part is missing or unknown; and the errors of the parts.

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
    windows = _windows_of_level(mechanism, area, document)
    items = validation.as_tuple(document.get("items", []), "items")
    sensitive = [box for level in windows.levels for box in level.rectangles]
    regions, options = [], []
    for entry in items:
        parts = _parts(entry, "item", ("key", "rectangles"))
        options.append(validation.key(parts["key"], "key of an item"))
        boxes = [cells_of(area, box) for box in validation.as_tuple(parts["rectangles"], "rectangles")]
        regions.append(_widen_boxes(boxes, sensitive))
    return StatedPlace(disguise=replace(windows, regions=tuple(regions)), options=tuple(options))


def _area(document: object, cell: object) -> Area:
    edges = _parts(document, "area", EDGES)
    return Area.of_cell_size(**edges, metres=cell)  # type: ignore[arg-type]  # it checks its arguments


def _windows_of_level(mechanism: str, area: Area, document: Mapping[str, Any]) -> PlanarWindowChannel:
    if mechanism == "levels":
        levels = []
        for entry in validation.as_tuple(document.get("sensitive"), "sensitive"):
            parts = _parts(entry, "level", ("epsilon", "rectangles"))
            boxes = [cells_of(area, box) for box in validation.as_tuple(parts["rectangles"], "rectangles")]
            levels.append((boxes, parts["epsilon"]))
        return build_levels(area, levels)
    epsilon = document.get("epsilon")
    if mechanism in EVERYWHERE:
        if document.get("sensitive"):
            raise PrivacyError("malformed.sensitive", document["sensitive"], mechanism=mechanism)
        return EVERYWHERE[mechanism](area, epsilon)
    boxes = [cells_of(area, box) for box in validation.as_tuple(document.get("sensitive"), "sensitive")]
    return UTILITY[mechanism](area, boxes, epsilon)


def _widen_boxes(boxes: list[Box], sensitive: list[Box]) -> tuple[Box, ...]:
    """Add to the rectangles every connected sensitive part that shares a cell with one of them."""
    whole = list(boxes)
    for component in components(sensitive):
        if any(overlap(box, part) for box in boxes for part in component):
            whole += component
    return disjoint(whole)


def _parts(document: object, name: str, keys: tuple[str, ...]) -> dict[str, Any]:
    if not isinstance(document, Mapping) or set(document) != set(keys):
        raise PrivacyError("malformed.parts", document, name=name, keys=", ".join(keys))
    return dict(document)
