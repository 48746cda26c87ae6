"""Rotations of a definition: parts of which each device asks some, drawn at random."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from privacy.errors import PrivacyError
from privacy.survey.design import MOST_BLOCKS, Design
from privacy.survey.rotation import Rotation
from surveys.questionnaire.document import Node

_MEMBERS: Final = {
    "questions_per_person": "parts_per_person",
    "rotation": "blocks",
    "bad_key": "blocks",
    "duplicate_key": "blocks",
}


def read_rotations(node: Node) -> list[tuple[Node, Rotation]]:
    """Return the stated rotations with their nodes; note invalid ones."""
    rotations = []
    for entry in node.entries(most=MOST_BLOCKS):
        if not entry.has_members(("blocks", "parts_per_person"), ("blanks",)) or entry.has_problems():
            continue
        try:
            rotations.append((entry, Rotation(**entry.value)))
        except PrivacyError as error:
            entry.note_refusal(error, _MEMBERS)
    return rotations


def stated_rotation(rotation: Rotation) -> dict[str, Any]:
    """Return a rotation as definitions state it.

    Examples
    --------
    >>> stated_rotation(Rotation(blocks=("money",), parts_per_person=1, blanks=1))
    {'blocks': ['money'], 'parts_per_person': 1, 'blanks': 1}
    """
    stated = {"blocks": list(rotation.blocks), "parts_per_person": rotation.parts_per_person}
    return stated | ({"blanks": rotation.blanks} if rotation.blanks else {})


def with_rotations(design: Design, rotations: Sequence[tuple[Node, Rotation]]) -> Design | None:
    """Return a design whose parts rotate, or None after noting the problem.

    Rotations are added one by one, to find the first that conflicts with parts or with earlier rotations.
    """
    for entry, rotation in rotations:
        try:
            design = replace(design, rotations=(*design.rotations, rotation), mechanism=0)
        except PrivacyError as error:
            entry.note_refusal(error, _MEMBERS)
            return None
    return design
