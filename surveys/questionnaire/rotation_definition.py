"""Rotations in a definition: of which parts each person gets how many."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from privacy.errors import PrivacyError
from privacy.survey.booklets import Rotation
from privacy.survey.design import MOST_BLOCKS, Design
from surveys.errors.core_refusals import in_words
from surveys.questionnaire.problems import Problems, joined

__all__ = ["MEMBER", "read_rotations", "with_rotations"]

MEMBER = "rotations"
_MEMBERS = {
    "questions_per_person": "parts_per_person",
    "rotation": "blocks",
    "bad_key": "blocks",
    "duplicate_key": "blocks",
}


def read_rotations(document: object, problems: Problems) -> list[tuple[str, Rotation]]:
    """Return the rotations that are stated, with their paths; note what is none."""
    rotations = []
    for number, entry in enumerate(problems.entries(document, MEMBER, most=MOST_BLOCKS)):
        path = f"{MEMBER}[{number}]"
        stated = problems.members(entry, path, needed=("blocks", "parts_per_person"))
        if stated is None or problems.below(path):
            continue
        try:
            rotation = Rotation(blocks=stated["blocks"], parts_per_person=stated["parts_per_person"])
        except PrivacyError as error:
            _note(error, path, problems)
        else:
            rotations.append((path, rotation))
    return rotations


def with_rotations(
    design: Design, rotations: Sequence[tuple[str, Rotation]], problems: Problems
) -> Design | None:
    """Return a design whose parts rotate, or None after noting why there is none.

    What rotations refuse about the parts and about each other is found by adding one after another.
    """
    for path, rotation in rotations:
        try:
            design = replace(design, rotations=(*design.rotations, rotation), mechanism=0)
        except PrivacyError as error:
            _note(error, path, problems)
            return None
    return design


def _note(error: PrivacyError, path: str, problems: Problems) -> None:
    member = _MEMBERS.get(error.code)
    problems.add(joined(path, member) if member else path, *in_words(error))
