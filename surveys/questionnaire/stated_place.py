"""How a definition states a place on a map."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from privacy.channels import amplification_below
from privacy.errors import PrivacyError
from privacy.scales.area import Area
from privacy.scales.place_statement import stated_place
from privacy.scales.planar_degrees import EDGES
from privacy.scales.skips import Disguise
from surveys.questionnaire.document import Node
from surveys.questionnaire.kinds import MATRIX, RATING, SLIDER, StatedScale
from surveys.questionnaire.map_areas import bounds_of, check_rectangles, is_number, read_outline


class StatedPlace(StatedScale):
    """A place on a map, which is always disguised."""

    can_be_switched = False
    open_refusal = (
        gettext_lazy("a place is always disguised"),
        gettext_lazy("protect the part, or ask openly for one of several districts"),
    )
    looks = ()
    refused_looks = dict.fromkeys(
        (RATING, MATRIX, SLIDER),
        (gettext_lazy("a place is always shown on its map"), gettext_lazy("leave the look out")),
    )
    members = ("mechanism", "cell")
    allowed = ("area", "outline", "epsilon", "sensitive")
    item_members = ("rectangles",)
    paths = {
        "mechanism": "place.mechanism",
        "epsilon": "place.epsilon",
        "says_nothing": "place.mechanism",
        **dict.fromkeys(("area", "antimeridian", "latitude"), "place.area"),
        "too_large": "place.cell",
        **dict.fromkeys(("rectangle", "no_rectangle", "overlap"), "place.sensitive"),
    }

    def _own_wording(self, node: Node, own: Node, description: dict[str, Any]) -> dict[str, Any]:
        wording = {}
        if own.value.get("outline") is not None:
            wording["outline"] = read_outline(own.at("outline"))
            if wording["outline"]:
                description["area"] = description.get("area") or bounds_of(wording["outline"])
        if not own.has_problems():
            _check_map(node, description)
        return wording

    @staticmethod
    @lru_cache(maxsize=64)
    def _disguise(text: str) -> tuple[Disguise, tuple[str, ...]]:
        result = stated_place(json.loads(text))
        return result.disguise, result.options


def _check_map(question: Node, core: Mapping[str, Any]) -> None:
    """Note problems of a map's edges, cells and areas; the core limits the number of cells."""
    place = question.at("place")
    area, cell = replace(place.at("area"), value=core.get("area")), place.at("cell")
    if not area.value:
        area.wrong(_("the map has no edges"), _("state them, or give an outline"))
    elif not isinstance(area.value, Mapping):
        area.wrong(_("%(value)s has no edges"), _("give west, south, east and north in degrees"))
    else:
        area.has_members(EDGES)
    if not is_number(cell.value) or cell.value <= 0:
        cell.wrong(_("not a cell size: %(value)s"), _("give a number of metres above 0"))
    for node in _epsilon_nodes(place):
        epsilon = node.at("epsilon")
        if epsilon.value is None:
            epsilon.wrong(_("it is missing"), _("state it"))
            continue
        try:
            amplification_below(epsilon.value)
        except PrivacyError as error:
            epsilon.note_refusal(error)
    if (place_map := map_of(core)) is not None:
        check_rectangles(question, place_map)


def _epsilon_nodes(node: Node) -> list[Node]:
    """Return the nodes that state an epsilon: the place, or each of its levels."""
    if node.value["mechanism"] != "levels":
        return [node]
    levels = node.at("sensitive")
    entries = levels.value if isinstance(levels.value, list) else ()
    return [levels.at(number) for number, level in enumerate(entries) if isinstance(level, Mapping)]


def map_of(place: Mapping[str, Any]) -> Area | None:
    """Return the map of a place in a draft; None until it is complete."""
    area = place.get("area")
    if not isinstance(area, Mapping) or set(area) != set(EDGES):
        return None
    try:
        return Area.of_cell_size(**area, metres=place.get("cell"))  # type: ignore[arg-type]  # checked there
    except PrivacyError:
        return None
