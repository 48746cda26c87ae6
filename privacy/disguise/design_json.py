"""The JSON form of a design: what a database keeps and a browser reads."""

from __future__ import annotations

from typing import Any

from privacy.disguise.block import Block, Condition
from privacy.disguise.design import Design, GroupPolicy
from privacy.disguise.question import Question
from privacy.errors import DesignError

__all__ = ["read", "write"]


def write(design: Design) -> dict[str, Any]:
    """Return the design as nested dictionaries and lists."""
    return {
        "mechanism": design.mechanism,
        "use": design.use,
        "group": {"policy": design.group.policy, "direct_share": design.group.direct_share},
        "blocks": [_write_block(block) for block in design.blocks],
    }


def _write_block(block: Block) -> dict[str, Any]:
    condition = block.asked_if
    return {
        "key": block.key,
        "protected": block.protected,
        "truth_probability": block.truth_probability,
        "refusal": block.refusal,
        "asked_if": condition and {"question": condition.question, "options": list(condition.options)},
        "questions": [
            {
                "key": question.key,
                "kind": question.kind,
                "options": list(question.options),
                "unrelated": list(question.unrelated),
            }
            for question in block.questions
        ],
    }


def read(document: object) -> Design:
    """Build the design that `document` describes.

    Raises
    ------
    DesignError
        ``malformed`` when a part is missing, unknown or of another shape; else what the parts refuse.
    """
    design = _parts(document, "design", ("mechanism", "use", "group", "blocks"))
    group = _parts(design["group"], "group", ("policy", "direct_share"))
    return Design(
        blocks=tuple(_read_block(block) for block in _list(design["blocks"], "blocks")),
        group=GroupPolicy(policy=group["policy"], direct_share=group["direct_share"]),
        use=design["use"],
        mechanism=design["mechanism"],
    )


def _read_block(document: object) -> Block:
    block = _parts(
        document, "block", ("key", "protected", "truth_probability", "refusal", "asked_if", "questions")
    )
    condition = None
    if block["asked_if"] is not None:
        parts = _parts(block["asked_if"], "asked_if", ("question", "options"))
        condition = Condition(question=parts["question"], options=parts["options"])
    questions = []
    for entry in _list(block["questions"], "questions"):
        parts = _parts(entry, "question", ("key", "kind", "options", "unrelated"))
        questions.append(
            Question(
                key=parts["key"], kind=parts["kind"], options=parts["options"], unrelated=parts["unrelated"]
            )
        )
    return Block(
        key=block["key"],
        protected=block["protected"],
        truth_probability=block["truth_probability"],
        refusal=block["refusal"],
        asked_if=condition,
        questions=tuple(questions),
    )


def _parts(document: object, name: str, keys: tuple[str, ...]) -> dict[str, Any]:
    if not isinstance(document, dict) or set(document) != set(keys):
        raise DesignError(
            "malformed",
            f"{name} = {document!r} has another shape",
            document,
            f"give an object with exactly the keys {', '.join(keys)}",
        )
    return document


def _list(document: object, name: str) -> list[object]:
    if not isinstance(document, list):
        raise DesignError("malformed", f"{name} = {document!r} is not a list", document, "give a list")
    return document
