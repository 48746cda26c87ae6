"""The JSON form of a design, for databases and browsers.

Its keys are the field names of the parts. Every design has exactly one JSON form and so one digest: empty
optional fields are omitted, and refused if present.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from privacy import validation
from privacy.errors import PrivacyError
from privacy.scales.skipping import Disguise
from privacy.survey import composite_json
from privacy.survey.block import JOINS, Block, Condition, Conditions, GroupPolicy
from privacy.survey.booklets import Rotation
from privacy.survey.composite import Composite
from privacy.survey.question import KINDS, Light, Question

if TYPE_CHECKING:
    from privacy.scales.planar_level import PlanarLevel


_WEIGHT: Final = re.compile(r"0|[1-9][0-9]{0,400}", re.ASCII)

_EMPTY: Final[tuple[object, ...]] = (None, "", (), [])
"""Values with which optional fields are omitted."""


class _Shape(NamedTuple):
    """Required keys of a part, and optional keys, which are omitted if empty."""

    keys: tuple[str, ...]
    optional: tuple[str, ...] = ()


_SHAPES: Final[Mapping[str, _Shape]] = {
    "design": _Shape(("mechanism", "use", "group", "blocks"), ("rotations", "invited")),
    "group": _Shape(("policy", "direct_share")),
    "rotation": _Shape(("blocks", "parts_per_person")),
    "block": _Shape(
        ("key", "protected", "truth_probability", "refusal", "asked_if", "questions"),
        ("light", "questions_per_person", "booklets"),
    ),
    "question": _Shape(("key", "kind", "options", "unrelated"), ("disguise", "shares", "anchor", "computed")),
    "asked_if": _Shape(("question", "options")),
    "number": _Shape(
        ("mechanism", "range", "window", "cyclic", "floor", "peak", "coin", "lean", "step", "spans")
    ),
    "range": _Shape(("low", "high", "decimals", "bin"), ("calendar",)),
    "place": _Shape(("mechanism", "area", "levels", "regions")),
    "area": _Shape(("west", "south", "east", "north", "columns", "rows")),
    "level": _Shape(("numerator", "denominator", "rectangles", "frames", "snap"), ("tiles",)),
}

_SHAPE_NAMES: Final[Mapping[type, str]] = {
    GroupPolicy: "group",
    Rotation: "rotation",
    Block: "block",
    **dict.fromkeys(KINDS.values(), "question"),
    Condition: "asked_if",
}


def write(design: object) -> dict[str, Any]:
    """Return a design as nested dictionaries and lists.

    Parameters
    ----------
    design : Design
        Typed as object because its module imports this one.
    """
    return _part(design, "design")


def _part(part: object, name: str) -> dict[str, Any]:
    shape = _SHAPES[name]
    values = {key: getattr(part, key) for key in (*shape.keys, *shape.optional)}
    return {
        key: _plain(value)
        for key, value in values.items()
        if key not in shape.optional or value not in _EMPTY
    }


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(entry) for entry in value]
    if isinstance(value, Composite):
        return composite_json.write(value)
    if isinstance(value, Conditions):
        return {value.joined: _plain(value.terms)}
    if type(value) in _SHAPE_NAMES:
        return _part(value, _SHAPE_NAMES[type(value)])
    return value if isinstance(value, int | str | None) else value.to_json()


def read(document: object) -> dict[str, Any]:
    """Return the fields of the design that a JSON document describes.

    Parameters
    ----------
    document : object
        Decoded JSON.

    Raises
    ------
    PrivacyError
        ``malformed`` if a part is missing, unknown or of the wrong shape; otherwise the errors of the parts.
    """
    design = _members(document, "design")
    return design | {
        "blocks": tuple(_block(block) for block in validation.as_tuple(design["blocks"], "blocks")),
        "group": GroupPolicy(**_members(design["group"], "group")),
        "rotations": tuple(
            Rotation(**_members(rotation, "rotation"))
            for rotation in validation.as_tuple(design.get("rotations", []), "rotations")
        ),
    }


def _block(document: object) -> Block:
    block = _members(document, "block")
    questions = tuple(_question(entry) for entry in validation.as_tuple(block["questions"], "questions"))
    block |= {"questions": questions, "asked_if": _condition(block["asked_if"])}
    if "light" in block:
        block["light"] = _light(block["light"], questions)
    return Block(**block)


def _question(document: object) -> Question:
    question = _members(document, "question")
    if "disguise" in question:
        question["disguise"] = read_disguise(question["kind"], question["disguise"])
    if "computed" in question:
        question["computed"] = composite_json.read(question["computed"])
    return Question(**question)


def _condition(document: object) -> Condition | Conditions | None:
    if document is None:
        return None
    for operator in JOINS:
        if isinstance(document, dict) and set(document) == {operator}:
            terms = validation.as_tuple(document[operator], f"{operator} of asked_if")
            return Conditions(
                joined=operator, terms=tuple(Condition(**_members(term, "asked_if")) for term in terms)
            )
    return Condition(**_members(document, "asked_if"))


def _light(document: object, questions: Sequence[Question]) -> Light:
    if isinstance(document, dict) and questions and questions[0].is_scale:
        return read_disguise(questions[0].kind, document)
    return cast(int, document)  # The block refuses values that are not numbers.


def read_disguise(kind: str, document: object) -> Disguise:
    """Build the disguise of a number or a place from JSON.

    Parameters
    ----------
    kind : str
        "number" or "place".
    document : object
        Decoded JSON.

    Raises
    ------
    PrivacyError
        ``kind``: no such kind of question. The errors of the disguise.
    """
    validation.one_of(kind, "kind of a question with a disguise", allowed=tuple(KINDS), code="kind")
    # The readers import numpy, so that designs without numbers and places load without it.
    return _window_channel(document) if kind == "number" else _planar_channel(document)


def _window_channel(document: object) -> Disguise:
    from privacy.scales.window import NumberRange, WindowChannel

    channel = _members(document, "number")
    weights = {name: _weight(channel[name], name) for name in ("floor", "peak", "coin", "lean", "step")}
    return WindowChannel(**channel | weights | {"range": NumberRange(**_members(channel["range"], "range"))})


def _planar_channel(document: object) -> Disguise:
    from privacy.scales.area import Area
    from privacy.scales.planar_window import PlanarWindowChannel

    channel = _members(document, "place")
    levels = tuple(_level(level) for level in validation.as_tuple(channel["levels"], "levels"))
    return PlanarWindowChannel(
        **channel | {"area": Area(**_members(channel["area"], "area")), "levels": levels}
    )


def _level(document: object) -> PlanarLevel:
    from privacy.scales.planar_level import PlanarLevel

    level = _members(document, "level")
    weights = {name: _weight(level[name], name) for name in ("numerator", "denominator")}
    return PlanarLevel(**level | weights)


def _weight(text: object, name: str) -> int:
    """Parse a weight, which is stored as text because not every JSON reader keeps large integers exact."""
    if not isinstance(text, str) or _WEIGHT.fullmatch(text) is None:
        raise PrivacyError("malformed.decimal", text, name=name)
    return int(text)


def _members(document: object, name: str) -> dict[str, Any]:
    """Return a copy of a part's members; refuse missing, unknown and empty optional keys."""
    shape = _SHAPES[name]
    members = document if isinstance(document, dict) else {}
    extra_keys = [key for key in shape.optional if key in members]
    keys = (*shape.keys, *extra_keys)
    if set(members) != set(keys):
        raise PrivacyError("malformed.keys", document, name=name, keys=", ".join(keys))
    for key in extra_keys:
        if members[key] in _EMPTY:
            raise PrivacyError("malformed.absent", members[key], name=key)
    return dict(members)
