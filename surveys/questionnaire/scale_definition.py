"""Numbers and places of a definition: turn a researcher's statement into the exact design once."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final, Literal, TypeGuard

from django.utils.translation import gettext as _

from privacy.channels.amplification import amplification_below
from privacy.coins import SCALE
from privacy.errors import PrivacyError
from privacy.scales.area import Area
from privacy.scales.numeric_mechanisms import stated_number
from privacy.scales.planar_mechanisms import EDGES, stated_place
from privacy.scales.skipping import Disguise, least_refusal
from privacy.survey.question import MOST_OPTIONS, Question
from surveys.questionnaire.document import Node, joined
from surveys.questionnaire.places import bounds_of, check_rectangles, is_number, read_outline

MEMBERS: Final = {
    "number": ("mechanism", "epsilon", "low", "high", "bin"),
    "place": ("mechanism", "cell"),
}
ALLOWED: Final = {
    "number": ("decimals", "unit", "calendar"),
    "place": ("area", "outline", "epsilon", "sensitive"),
}
# The members that describe the disguise; a number of an open part has none of them.
DISGUISE: Final = ("mechanism", "epsilon")
# The location of a band or a region, in addition to its key and text.
ITEM_MEMBERS: Final = {"number": ("from", "to"), "place": ("rectangles",)}
SLIDER: Final = "slider"
"""The look of a number that can be set on a slider next to its field."""
# The member of the question that an error of the core concerns.
_PATHS: Final = {
    "number": {
        "mechanism": "number.mechanism",
        "epsilon": "number.epsilon",
        "too_large": "number.bin",
        "spans": "options",
        "disguise": "options",
        "bad_key": "options",
        "duplicate_key": "options",
    },
    "place": {
        "mechanism": "place.mechanism",
        "epsilon": "place.epsilon",
        "says_nothing": "place.mechanism",
        "area": "place.area",
        "antimeridian": "place.area",
        "latitude": "place.area",
        "too_large": "place.cell",
        "rectangle": "place.sensitive",
        "no_rectangle": "place.sensitive",
        "overlap": "place.sensitive",
        "regions": "options",
        "disguise": "options",
        "bad_key": "options",
        "duplicate_key": "options",
    },
}


# The end of a range that is reported if the error concerns both, or a value between them.
_RANGE_MEMBERS: Final = {"range.ends": "high", "range.bin": "bin", "range.bins": "bin"}


def _member(kind: str, error: PrivacyError, key: object) -> str:
    """Return the member of a question that an error of the core concerns."""
    if error.value == key:
        return "key"
    if error.code == "range":
        name = str(error.fields.get("name") or _RANGE_MEMBERS[error.case])
        return "options" if name in ITEM_MEMBERS[kind] else joined("number", name)
    return _PATHS[kind].get(error.code, kind)


def read_scale(question: Node, *, protected: bool) -> tuple[Question, dict[str, Any]] | None:
    """Return a question of kind number or place, with its wording; None after noting the problem."""
    kind: Literal["number", "place"] = "number" if question.value["kind"] == "number" else "place"
    if not question.has_members(("key", "kind", "text", kind), ("help", "options", "look")):
        return None
    key, stated = question.value["key"], question.at(kind)
    text, help_text = question.at("text").text(), question.at("help").text_or_none()
    if "look" in question.value:
        _check_look(question.at("look"), kind)
    is_whole = _has_members(stated, kind, protected=protected)
    items = read_options(question, ITEM_MEMBERS[kind])
    # Missing texts must not hide other problems.
    if not is_whole or stated.has_problems() or question.at("options").has_problems():
        return None
    wording: dict[str, Any] = {
        "key": key,
        "text": text,
        "help": help_text,
        "options": [{"key": item["key"], "text": item["text"]} for item in items],
        "prevalence": [],
        # Left out if empty, so that wordings older than this member keep their digests.
        **({"look": question.value["look"]} if "look" in question.value else {}),
    }
    core = {name: value for name, value in stated.value.items() if name not in ("unit", "outline")}
    if items:
        core["items"] = [{name: value for name, value in item.items() if name != "text"} for item in items]
    if kind == "number":
        unit = stated.at("unit").text_or_none()
        if unit and stated.value.get("calendar") is not None:
            stated.at("unit").wrong(_("a date has no unit"), _("leave it out"))
        wording |= {"unit": unit} if unit else {}
    elif stated.value.get("outline") is not None:
        wording["outline"] = read_outline(stated.at("outline"))
        if wording["outline"]:
            core["area"] = core.get("area") or bounds_of(wording["outline"])
    if kind == "place" and not stated.has_problems():
        _check_map(question, core)
    if stated.has_problems():
        return None
    try:
        disguise, keys = disguise_of(kind, core)
        design = Question(key=key, kind=kind, options=keys, unrelated=(), disguise=disguise)
    except PrivacyError as error:
        question.note_refusal(error, {error.code: _member(kind, error, key)})
        return None
    return None if question.has_problems() else (design, wording)


def _has_members(stated: Node, kind: str, *, protected: bool) -> bool:
    """Return whether a statement has all its members; note problems, and a disguise in an open part."""
    if protected or kind != "number":
        return stated.has_members(MEMBERS[kind], ALLOWED[kind])
    needed = tuple(name for name in MEMBERS[kind] if name not in DISGUISE)
    is_whole = stated.has_members(needed, (*ALLOWED[kind], *DISGUISE))
    for name in DISGUISE if is_whole else ():
        if name in stated.value:
            stated.at(name).wrong(
                _("%(value)s is given for a number that is stored as answered"),
                _("leave it out, or protect the part"),
            )
    return is_whole


def read_options(question: Node, members: Sequence[str] = ()) -> list[dict[str, Any]]:
    """Return the options that a question states, each with key, text and these members."""
    if "options" not in question.value:
        return []
    return [
        {name: entry.value[name] for name in ("key", *members)} | {"text": entry.at("text").text()}
        for entry in question.at("options").entries(most=MOST_OPTIONS)
        if entry.has_members(("key", "text", *members))
    ]


def _check_look(look: Node, kind: str) -> None:
    """Check how a number is shown, which changes no answer and no probability."""
    if kind != "number":
        look.wrong(_("a place is always shown on its map"), _("leave the look out"))
    elif look.value != SLIDER:
        look.wrong(
            _("unknown appearance of a number: %(value)s"), _("write %(look)s, or leave it out"), look=SLIDER
        )


def _check_map(question: Node, core: Mapping[str, Any]) -> None:
    """Note problems of a map's edges, cells and areas; the core limits the number of cells."""
    stated = question.at("place")
    area, cell = replace(stated.at("area"), value=core.get("area")), stated.at("cell")
    if not area.value:
        area.wrong(_("it is missing"), _("state its edges, or give an outline"))
    elif not isinstance(area.value, Mapping):
        area.wrong(_("%(value)s has no edges"), _("give west, south, east and north in degrees"))
    else:
        for edge in EDGES:
            if edge not in area.value:
                area.at(edge).wrong(_("it is missing"), _("state it"))
    if not is_number(cell.value) or cell.value <= 0:
        cell.wrong(_("not a cell size: %(value)s"), _("give metres, more than 0"))
    for disguised in _disguised(stated):
        epsilon = disguised.at("epsilon")
        if epsilon.value is None:
            epsilon.wrong(_("it is missing"), _("state it"))
            continue
        try:
            amplification_below(epsilon.value)
        except PrivacyError as error:
            epsilon.note_refusal(error)
    if (known := map_of(core)) is not None:
        check_rectangles(question, known)


def _disguised(stated: Node) -> list[Node]:
    """Return the nodes that state an epsilon: the place, or each of its levels."""
    if stated.value["mechanism"] != "levels":
        return [stated]
    levels = stated.at("sensitive")
    entries = levels.value if isinstance(levels.value, list) else ()
    return [levels.at(number) for number, level in enumerate(entries) if isinstance(level, Mapping)]


def map_of(stated: Mapping[str, Any]) -> Area | None:
    """Return the map of a place that is being stated; None until it is complete."""
    area = stated.get("area")
    if not isinstance(area, Mapping) or set(area) != set(EDGES):
        return None
    try:
        return Area.of_cell_size(**area, metres=stated.get("cell"))  # type: ignore[arg-type]  # checked there
    except PrivacyError:
        return None


def area_of(stated: Mapping[str, Any]) -> Area | None:
    """Return the map of a place that is being stated, which an outline may give; None if it is incomplete."""
    if stated.get("area") or stated.get("outline") is None:
        return map_of(stated)
    rings = read_outline(Node(value=stated["outline"], path="outline"))
    return map_of({**stated, "area": bounds_of(rings)}) if rings else None


def disguise_of(kind: str, stated: Mapping[str, Any]) -> tuple[Disguise, tuple[str, ...]]:
    """Return the disguise described by a statement, and the keys of its items.

    The result is cached: a draft is read at every edit, and finding the best window of a large map is slow.

    Raises
    ------
    PrivacyError
        The statement is invalid.
    """
    return _made(kind, json.dumps(stated, sort_keys=True))


@lru_cache(maxsize=64)
def _made(kind: str, stated: str) -> tuple[Disguise, tuple[str, ...]]:
    document = json.loads(stated)
    stated_scale = stated_number(document) if kind == "number" else stated_place(document)
    return stated_scale.disguise, stated_scale.options


def is_scale(document: object) -> TypeGuard[dict[str, Any]]:
    """Return whether an entry of a definition is a question of kind number or place."""
    return isinstance(document, dict) and document.get("kind") in ("number", "place")


def refusal_of(stated: object, question: Question) -> Any:
    """Return the probability of a skip among decoys; if `true` is stated, the smallest sufficient one.

    Raises
    ------
    PrivacyError
        Under this disguise a skip cannot hide.
    """
    if stated is False or stated == 0:
        return None
    if stated is not True or question.disguise is None:
        return stated
    return least_refusal(question.disguise)


def refuse_company(block: Node) -> None:
    """Note members that a block of a number or a place cannot have: an open place, a p, more questions."""
    is_open = block.value["protected"] is False
    if is_open and any(is_scale(entry) and entry["kind"] == "place" for entry in block.value["questions"]):
        block.at("protected").wrong(
            _("a place is always disguised"),
            _("protect the part, or ask openly for one of several districts"),
        )
    for stated in (block.at("truth_probability"), block.at("exclusive")):
        if stated.value not in (None, 0, []) and not (is_open and stated.value == SCALE):
            stated.wrong(
                _("%(value)s is given for a number or a place"),
                _("leave it out: the question brings a disguise of its own"),
            )
    if len(block.value["questions"]) > 1:
        block.at("questions").wrong(_("a number or a place shares its part"), _("give it a part of its own"))
