"""The JSON form of a design: what a database keeps and a browser reads."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final, cast

from privacy.errors import PrivacyError
from privacy.scales.skipping import Disguise
from privacy.survey.block import Block
from privacy.survey.booklets import Rotation
from privacy.survey.condition import JOINS, Condition, Conditions, GroupPolicy
from privacy.survey.question import SCALE_KINDS, Question
from privacy.survey.strengths import Light

if TYPE_CHECKING:
    from privacy.scales.planar_level import PlanarLevel

__all__ = ["NEAR_TRUTH", "read", "read_disguise", "write"]

_OPTIONAL: Final = ("light", "questions_per_person", "booklets", "mechanism", "radius")
"""Keys of a block that are left out where they say nothing."""

NEAR_TRUTH: Final = "near_truth"
"""Name of the disguise of a block that sends rows near the true one; it goes with a radius."""

_WEIGHT: Final = re.compile(r"0|[1-9][0-9]{0,400}", re.ASCII)


def write(
    *,
    blocks: Iterable[Block],
    group: GroupPolicy,
    use: str,
    rotations: Sequence[Rotation],
    invited: str,
    mechanism: int,
) -> dict[str, Any]:
    """Return the parts of a design as nested dictionaries and lists.

    Parameters
    ----------
    blocks : iterable of Block
        In the order of the survey.
    group : GroupPolicy
        Who is disguised how strongly.
    use : str
        "live" or "study".
    rotations : sequence of Rotation
        Parts of which a device draws some.
    invited : str
        What an invitation decides: the key of a question of arms, "group", or nothing.
    mechanism : int
        Number of the protocol.
    """
    design: dict[str, Any] = {
        "mechanism": mechanism,
        "use": use,
        "group": {"policy": group.policy, "direct_share": group.direct_share},
        "blocks": [_write_block(block) for block in blocks],
    }
    if rotations:
        design["rotations"] = [
            {"blocks": list(rotation.blocks), "parts_per_person": rotation.parts_per_person}
            for rotation in rotations
        ]
    if invited:
        design["invited"] = invited
    return design


def _write_block(block: Block) -> dict[str, Any]:
    written = {
        "key": block.key,
        "protected": block.protected,
        "truth_probability": block.truth_probability,
        "refusal": block.refusal,
        "asked_if": _write_condition(block.asked_if),
        "questions": [
            {
                "key": question.key,
                "kind": question.kind,
                "options": list(question.options),
                "unrelated": list(question.unrelated),
            }
            | ({} if question.disguise is None else {"disguise": question.disguise.to_json()})
            | ({"shares": list(question.shares)} if question.is_arm else {})
            | ({"anchor": question.anchor} if question.anchor else {})
            for question in block.questions
        ],
    }
    if block.light is not None:
        written["light"] = block.light if isinstance(block.light, int) else block.light.to_json()
    if block.is_rotating:
        written["questions_per_person"] = block.questions_per_person
    if block.booklets is not None:
        written["booklets"] = [list(booklet) for booklet in block.booklets]
    if block.radius is not None:
        written |= {"mechanism": NEAR_TRUTH, "radius": block.radius}
    return written


def read(document: object) -> dict[str, Any]:
    """Return the parts of the design that `document` describes, by the names of its fields.

    Parameters
    ----------
    document : object
        As it was decoded from JSON.

    Raises
    ------
    PrivacyError
        ``malformed`` when a part is missing, unknown or of another shape; else what the parts refuse.
    """
    more = [name for name in ("rotations", "invited") if isinstance(document, dict) and name in document]
    names = ("mechanism", "use", "group", "blocks", *more)
    design = _parts(document, "design", names)
    group = _parts(design["group"], "group", ("policy", "direct_share"))
    return {
        "blocks": tuple(_read_block(block) for block in _list(design["blocks"], "blocks")),
        "group": GroupPolicy(policy=group["policy"], direct_share=group["direct_share"]),
        "use": design["use"],
        "rotations": _read_rotations(design["rotations"]) if "rotations" in more else (),
        "invited": _read_invited(design["invited"]) if "invited" in more else "",
        "mechanism": design["mechanism"],
    }


def _read_invited(document: object) -> str:
    if not document or not isinstance(document, str):
        # One design has one JSON, and so one digest.
        raise PrivacyError("malformed.absent", document, name="invited")
    return document


def _read_rotations(document: object) -> tuple[Rotation, ...]:
    if not document:
        # One design has one JSON, and so one digest.
        raise PrivacyError("malformed.rotations", document)
    entries = (
        _parts(entry, "rotation", ("blocks", "parts_per_person")) for entry in _list(document, "rotations")
    )
    return tuple(
        Rotation(blocks=entry["blocks"], parts_per_person=entry["parts_per_person"]) for entry in entries
    )


def _read_block(document: object) -> Block:
    names: tuple[str, ...] = (
        "key",
        "protected",
        "truth_probability",
        "refusal",
        "asked_if",
        "questions",
    )
    more = [name for name in _OPTIONAL if isinstance(document, dict) and name in document]
    block = _parts(document, "block", (*names, *more))
    has_light = "light" in more
    for name in _OPTIONAL[1:]:
        if name in more and block[name] is None:
            # One design has one JSON, and so one digest.
            raise PrivacyError("malformed.absent", None, name=name)
    if ("mechanism" in more) != ("radius" in more) or block.get("mechanism", NEAR_TRUTH) != NEAR_TRUTH:
        raise PrivacyError("malformed.near_truth", block.get("mechanism"), key=block["key"])
    questions = []
    for entry in _list(block["questions"], "questions"):
        is_scale = isinstance(entry, dict) and entry.get("kind") in SCALE_KINDS
        stated = [name for name in ("shares", "anchor") if isinstance(entry, dict) and name in entry]
        more = [*(["disguise"] if is_scale else []), *stated]
        parts = _parts(entry, "question", ("key", "kind", "options", "unrelated", *more))
        for name in stated:
            if not parts[name]:
                # One design has one JSON, and so one digest.
                raise PrivacyError("malformed.absent", None, name=name)
        questions.append(
            Question(
                key=parts["key"],
                kind=parts["kind"],
                options=parts["options"],
                unrelated=parts["unrelated"],
                disguise=read_disguise(parts["kind"], parts["disguise"]) if is_scale else None,
                shares=parts.get("shares", ()),
                anchor=parts.get("anchor", ""),
            )
        )
    return Block(
        key=block["key"],
        protected=block["protected"],
        truth_probability=block["truth_probability"],
        refusal=block["refusal"],
        asked_if=_read_condition(block["asked_if"]),
        questions=tuple(questions),
        light=_read_light(block["light"], questions) if has_light else None,
        questions_per_person=block.get("questions_per_person"),
        booklets=block.get("booklets"),
        radius=block.get("radius"),
    )


def _write_condition(condition: Condition | Conditions | None) -> dict[str, Any] | None:
    if isinstance(condition, Conditions):
        return {condition.joined: [_write_condition(term) for term in condition.terms]}
    if condition is None:
        return None
    return {"question": condition.question, "options": list(condition.options)}


def _read_condition(document: object) -> Condition | Conditions | None:
    if document is None:
        return None
    for joined in JOINS:
        if isinstance(document, dict) and joined in document:
            terms = _list(_parts(document, "asked_if", (joined,))[joined], f"{joined} of asked_if")
            return Conditions(joined=joined, terms=tuple(_read_term(term) for term in terms))
    return _read_term(document)


def _read_term(document: object) -> Condition:
    parts = _parts(document, "asked_if", ("question", "options"))
    return Condition(question=parts["question"], options=parts["options"])


def _read_light(document: object, questions: Sequence[Question]) -> Light:
    if document is None:
        # One design has one JSON, and so one digest.
        raise PrivacyError("malformed.light", document)
    if isinstance(document, dict) and questions and questions[0].is_scale:
        return read_disguise(questions[0].kind, document)
    return cast(int, document)  # What is no number is refused by the block.


def read_disguise(kind: str, document: object) -> Disguise:
    """Build the disguise of a number or a place that `document` describes.

    Parameters
    ----------
    kind : str
        "number" or "place".
    document : object
        As it was decoded from JSON.
    """
    # The readers import the tables of numbers and maps: without such questions numpy is not loaded.
    if kind == "number":
        return _read_window_channel(document)
    return _read_planar_channel(document)


def _read_window_channel(document: object) -> Disguise:
    from privacy.scales.number_range import NumberRange
    from privacy.scales.window import WindowChannel

    names = ("mechanism", "range", "window", "cyclic", "floor", "peak", "coin", "lean", "step", "spans")
    parts = _parts(document, "disguise", names)
    dated = isinstance(parts["range"], dict) and "calendar" in parts["range"]
    ends = ("low", "high", "decimals", "bin", *(["calendar"] if dated else []))
    ticks = _parts(parts["range"], "range", ends)
    if dated and ticks["calendar"] is None:
        # One design has one JSON, and so one digest.
        raise PrivacyError("malformed.calendar", ticks["calendar"])
    weights = {name: _weight(parts[name], name) for name in ("floor", "peak", "coin", "lean", "step")}
    return WindowChannel(
        mechanism=parts["mechanism"],
        range=NumberRange(**ticks),
        window=parts["window"],
        cyclic=parts["cyclic"],
        spans=parts["spans"],
        **weights,
    )


def _read_planar_channel(document: object) -> Disguise:
    from privacy.scales.area import Area
    from privacy.scales.planar_window import PlanarWindowChannel

    parts = _parts(document, "disguise", ("mechanism", "area", "levels", "regions"))
    area = _parts(parts["area"], "area", ("west", "south", "east", "north", "columns", "rows"))
    levels = tuple(_read_level(level) for level in _list(parts["levels"], "levels"))
    return PlanarWindowChannel(
        mechanism=parts["mechanism"], area=Area(**area), levels=levels, regions=parts["regions"]
    )


def _read_level(document: object) -> PlanarLevel:
    from privacy.scales.planar_level import PlanarLevel

    tiled = isinstance(document, dict) and "tiles" in document
    keys = ("numerator", "denominator", "rectangles", "frames", "snap", *(["tiles"] if tiled else []))
    level = _parts(document, "level", keys)
    if tiled and not level["tiles"]:
        # One design has one JSON, and so one digest.
        raise PrivacyError("malformed.tiles", level["tiles"])
    return PlanarLevel(
        numerator=_weight(level["numerator"], "numerator"),
        denominator=_weight(level["denominator"], "denominator"),
        rectangles=level["rectangles"],
        frames=level["frames"],
        snap=level["snap"],
        tiles=level.get("tiles", ()),
    )


def _weight(text: object, name: str) -> int:
    """Read a decimal text: JSON's numbers do not hold large whole numbers everywhere."""
    if not isinstance(text, str) or _WEIGHT.fullmatch(text) is None:
        raise PrivacyError("malformed.decimal", text, name=name)
    return int(text)


def _parts(document: object, name: str, keys: tuple[str, ...]) -> dict[str, Any]:
    if not isinstance(document, dict) or set(document) != set(keys):
        raise PrivacyError("malformed.keys", document, name=name, keys=", ".join(keys))
    return document


def _list(document: object, name: str) -> list[object]:
    if not isinstance(document, list):
        raise PrivacyError("malformed.list", document, name=name)
    return document
