"""The JSON form of a design, for databases and browsers.

Its keys are the field names of the parts. Every design has exactly one JSON form and so one digest: empty
optional fields are omitted, and refused if present.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

from privacy import validation
from privacy.errors import PrivacyError
from privacy.scales.skips import Disguise
from privacy.survey import composite_json
from privacy.survey.block import Block
from privacy.survey.composite import Composite
from privacy.survey.conditions import JOINS, Condition, Conditions
from privacy.survey.group_policy import GroupPolicy
from privacy.survey.json_members import EMPTY, JsonShape, members_of
from privacy.survey.light import Light
from privacy.survey.question import KINDS, Question
from privacy.survey.rotation import Rotation

_SHAPES: Final[Mapping[str, JsonShape]] = {
    "design": JsonShape(("mechanism", "use", "group", "blocks"), ("rotations", "invited")),
    "group": JsonShape(("policy", "direct_share")),
    "rotation": JsonShape(("blocks", "parts_per_person"), ("blanks",)),
    "block": JsonShape(
        ("key", "protected", "truth_probability", "refusal", "asked_if", "questions"),
        ("light", "questions_per_person", "booklets"),
    ),
    "question": JsonShape(
        ("key", "kind", "options", "unrelated"), ("disguise", "shares", "anchor", "computed")
    ),
    "asked_if": JsonShape(("question", "options")),
}

_DEFAULTS: Final[Mapping[str, object]] = {"blanks": 0}
"""Optional members that are omitted if they have this value."""

_SHAPE_NAMES: Final[Mapping[type, str]] = {
    GroupPolicy: "group",
    Rotation: "rotation",
    Block: "block",
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
        if key not in shape.optional or (value not in EMPTY and value != _DEFAULTS.get(key))
    }


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(entry) for entry in value]
    if isinstance(value, Composite):
        return composite_json.write(value)
    if isinstance(value, Conditions):
        return {value.joined: _plain(value.terms)}
    if isinstance(value, Question):
        return _part(value, "question")
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
    return KINDS[kind].read_disguise(document)


def _members(document: object, name: str) -> dict[str, Any]:
    members = members_of(document, name, _SHAPES[name])
    for key, default in _DEFAULTS.items():
        if key in members and members[key] == default:
            raise PrivacyError("malformed.absent", members[key], name=key)
    return members
