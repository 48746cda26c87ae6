"""Rotations in a definition: how many of which parts each person gets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from privacy.errors import PrivacyError
from privacy.survey.booklets import Rotation
from privacy.survey.design import MOST_BLOCKS, Design
from surveys.questionnaire.node import Node

__all__ = ["read_rotations", "with_rotations"]

_MEMBERS = {
    "questions_per_person": "parts_per_person",
    "rotation": "blocks",
    "bad_key": "blocks",
    "duplicate_key": "blocks",
}


def read_rotations(stated: Node) -> list[tuple[Node, Rotation]]:
    """Return the stated rotations with their nodes; note invalid ones."""
    rotations = []
    for entry in stated.entries(most=MOST_BLOCKS):
        if not entry.has_members(("blocks", "parts_per_person")) or entry.has_problems():
            continue
        try:
            rotations.append((entry, Rotation(**entry.value)))
        except PrivacyError as error:
            entry.note_refusal(error, _MEMBERS)
    return rotations


def with_rotations(design: Design, rotations: Sequence[tuple[Node, Rotation]]) -> Design | None:
    """Return a design whose parts rotate, or None after noting the problem.

    Conflicts with parts and between rotations are found by adding one rotation after another.
    """
    for entry, rotation in rotations:
        try:
            design = replace(design, rotations=(*design.rotations, rotation), mechanism=0)
        except PrivacyError as error:
            entry.note_refusal(error, _MEMBERS)
            return None
    return design
