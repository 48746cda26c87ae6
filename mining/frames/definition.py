"""The design of a survey from its definition file: what decides figures, without the texts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from privacy.coins import SCALE
from privacy.errors import PrivacyError
from privacy.scales.number_specification import stated_number
from privacy.survey.block import Block
from privacy.survey.booklets import Rotation
from privacy.survey.condition import JOINS, Condition, Conditions, GroupPolicy
from privacy.survey.design import Design
from privacy.survey.question import Question

__all__ = ["defined_design"]

_KINDS: Final = ("yes_no", "single", "multi", "number")
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
        ``definition``: a part is missing; or it asks for places, rankings or two strengths, whose designs
        are made by a server. What a design refuses.
    """
    try:
        group = document["group"]
        if group.get("light"):
            raise PrivacyError("definition.server", "light")
        return Design(
            blocks=tuple(_block(block) for block in document["blocks"]),
            group=GroupPolicy(policy=group["policy"], direct_share=group.get("direct_share")),
            use="live",
            rotations=tuple(Rotation(**entry) for entry in document.get("rotations", ())),
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise PrivacyError("definition.missing", str(error)) from error


def _block(block: Mapping[str, Any]) -> Block:
    questions = tuple(_question(question, protected=block["protected"]) for question in block["questions"])
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
        radius=block.get("radius"),
    )


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
