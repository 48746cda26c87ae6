"""The design of a survey from its definition file: what decides figures, without the texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from privacy.coins import SCALE
from privacy.errors import PrivacyError
from privacy.planning.light_strength import lighter, proposed_light
from privacy.scales.number_specification import stated_number
from privacy.survey.anchors import anchor_of
from privacy.survey.block import Block
from privacy.survey.booklets import Rotation
from privacy.survey.condition import JOINS, Condition, Conditions, GroupPolicy
from privacy.survey.design import Design
from privacy.survey.question import Question

__all__ = ["defined_design"]

_KINDS: Final = ("yes_no", "single", "multi", "number", "arm")
_NUMBER: Final = ("mechanism", "epsilon", "low", "high", "bin", "decimals", "calendar")


def defined_design(document: Mapping[str, Any]) -> Design:
    """Return the design of a definition.

    Parameters
    ----------
    document : mapping
        The JSON of a definition file, as docs/definition.md has it.

    Raises
    ------
    PrivacyError
        ``definition``: a part is missing; or it asks for places, whose designs are made
        by a server. What a design refuses.
    """
    try:
        group = document["group"]
        design = Design(
            blocks=tuple(_block(block) for block in document["blocks"]),
            group=GroupPolicy(policy=group["policy"], direct_share=group.get("direct_share")),
            use="live",
            rotations=tuple(Rotation(**entry) for entry in document.get("rotations", ())),
        )
        if group.get("light"):
            design = _with_light(design, document["blocks"])
        return replace(design, invited=document.get("invited", ""), mechanism=0)
    except (KeyError, TypeError, AttributeError) as error:
        raise PrivacyError("definition.missing", str(error)) from error


def _block(block: Mapping[str, Any]) -> Block:
    anchor = anchor_of(block)
    questions = tuple(
        replace(_question(question, protected=block["protected"]), anchor=anchor)
        for question in block["questions"]
    )
    is_scale = any(question.is_scale for question in questions)
    if is_scale and block.get("refusal") is not None:
        raise PrivacyError("definition.server", "refusal")
    return Block(
        key=block["key"],
        protected=block["protected"],
        truth_probability=0 if is_scale else block.get("truth_probability", SCALE),
        refusal=block.get("refusal"),
        asked_if=_condition(block.get("asked_if")),
        questions=questions,
        questions_per_person=block.get("questions_per_person"),
        booklets=block.get("booklets"),
    )


def _with_light(design: Design, stated: Sequence[Mapping[str, Any]]) -> Design:
    """Return a design with the light strengths that its blocks state, and those proposed for the others."""
    proposal = proposed_light(design)
    lights = proposal.lights if proposal else (None,) * len(design.blocks)
    blocks = []
    for block, document, proposed in zip(design.blocks, stated, lights, strict=True):
        own = document.get("light")
        if own is not None and block.is_scale:
            own = lighter(block.disguise, own["epsilon"])
        light = proposed if own is None else own
        if block.protected and light is None:
            raise PrivacyError("light.missing", None, key=block.key)
        blocks.append(replace(block, light=light))
    return replace(design, blocks=tuple(blocks), mechanism=0)


def _question(question: Mapping[str, Any], *, protected: bool) -> Question:
    key, kind = question["key"], question["kind"]
    if kind not in _KINDS:
        raise PrivacyError("definition.server", kind)
    if kind == "number":
        own = {name: value for name, value in question["number"].items() if name in _NUMBER}
        if items := question.get("options"):
            own["items"] = [{name: item[name] for name in ("key", "from", "to")} for item in items]
        stated = stated_number(own)
        return Question(key=key, kind=kind, options=stated.options, unrelated=(), disguise=stated.disguise)
    options = tuple(option["key"] for option in question.get("options", ()))
    if kind == "arm":
        shares = tuple(option["share"] for option in question["options"])
        return Question(key=key, kind="single", options=options, unrelated=(), shares=shares)
    unrelated = tuple(question["unrelated"]) if protected else ()
    return Question(key=key, kind=kind, options=options, unrelated=unrelated)


def _condition(document: Mapping[str, Any] | None) -> Condition | Conditions | None:
    if document is None:
        return None
    for joined in JOINS:
        if joined in document:
            terms = tuple(
                Condition(question=own["question"], options=own["options"]) for own in document[joined]
            )
            return Conditions(joined=joined, terms=terms)
    return Condition(question=document["question"], options=document["options"])
