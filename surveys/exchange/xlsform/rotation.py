"""Rotating and near-truth parts in an XLSForm: columns of Sotto's own, which other programs leave alone.

``sotto_questions_per_person`` says 4, ``sotto_booklets`` lists sets of questions by their place in the group,
from 1 on: ``1 2 3 4 | 1 2 5 6``. ``sotto_radius`` says 1 where rows near the true one are sent.
In the settings ``sotto_rotations`` says ``2 of money health work``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import chain
from typing import Any, Final

from django.utils.translation import gettext as _

from privacy.survey.design_json import NEAR_TRUTH
from surveys.errors.error import shown
from surveys.exchange.xlsform.scale_questions import MOST_SIGNS
from surveys.exchange.xlsform.workbook import Notes, Row, cell_name

__all__ = [
    "BOOKLETS",
    "PER_PERSON",
    "RADIUS",
    "ROTATIONS",
    "are_booklets_kept",
    "rotation_cells",
    "rotation_members",
    "rotations_of",
    "rotations_text",
]

PER_PERSON: Final = "sotto_questions_per_person"
BOOKLETS: Final = "sotto_booklets"
RADIUS: Final = "sotto_radius"
ROTATIONS: Final = "sotto_rotations"
_COUNT: Final = re.compile(r"[0-9]{1,4}", re.ASCII)
_ROTATION: Final = re.compile(r"([0-9]{1,4}) of ([^|]+)", re.ASCII)


def rotation_cells(entry: Mapping[str, Any]) -> dict[str, str]:
    """Return the cells of a part of a definition: its radius, how many questions each is asked, which sets.

    Examples
    --------
    >>> rotation_cells({"questions_per_person": 2, "booklets": [[0, 1], [0, 2]]})
    {'sotto_questions_per_person': '2', 'sotto_booklets': '1 2 | 1 3'}
    """
    cells = {} if entry.get("radius") is None else {RADIUS: str(entry["radius"])}
    if entry.get("questions_per_person") is None:
        return cells
    cells |= {PER_PERSON: str(entry["questions_per_person"])}
    return cells | ({BOOKLETS: _listed(entry)} if entry.get("booklets") and are_booklets_kept(entry) else {})


def are_booklets_kept(entry: Mapping[str, Any]) -> bool:
    """Return whether a cell can hold the sets that a part lists; else they are left out."""
    return len(_listed(entry)) <= MOST_SIGNS


def rotation_members(row: Row, notes: Notes) -> dict[str, Any]:
    """Return what the row of a group says of radius and rotation, as members; note what cannot be read."""
    members: dict[str, Any] = {}

    def refuse(column: str, problem: str, remedy: str) -> None:
        said = problem % {"text": shown(row.cells[column])}
        notes.problems.add(cell_name("survey", row.number, column), said, remedy)

    radius, per_person = row.cells.get(RADIUS), row.cells.get(PER_PERSON)
    if radius is not None and _COUNT.fullmatch(radius):
        members |= {"mechanism": NEAR_TRUTH, "radius": int(radius)}
    elif radius is not None:
        refuse(
            RADIUS,
            _("%(text)s is no number of answers"),
            _("write how many answers of a row may be changed, such as 1"),
        )
    if per_person is not None and _COUNT.fullmatch(per_person):
        members["questions_per_person"] = int(per_person)
    elif per_person is not None:
        refuse(
            PER_PERSON,
            _("%(text)s is no number of questions"),
            _("write how many each person is asked, such as 4"),
        )
    booklets = [part.split() for part in row.cells.get(BOOKLETS, "").split("|")]
    if BOOKLETS in row.cells and all(map(_COUNT.fullmatch, chain.from_iterable(booklets))):
        members["booklets"] = [[int(number) - 1 for number in booklet] for booklet in booklets]
    elif BOOKLETS in row.cells:
        refuse(
            BOOKLETS,
            _("%(text)s lists no sets of questions"),
            _("write places of questions in the group, from 1 on: 1 2 3 4 | 1 2 5 6"),
        )
    return members


def rotations_text(rotations: object) -> str:
    """Return the rotations of a definition as a cell of the settings; empty where there are none.

    Examples
    --------
    >>> rotations_text([{"blocks": ["money", "health", "work"], "parts_per_person": 2}])
    '2 of money health work'
    """
    listed = rotations if isinstance(rotations, list) else []
    return " | ".join(
        f"{rotation['parts_per_person']} of {' '.join(rotation['blocks'])}" for rotation in listed
    )


def rotations_of(text: str, notes: Notes) -> list[dict[str, Any]]:
    """Return the rotations that a cell of the settings states; note what cannot be read."""
    rotations = []
    for part in text.split("|"):
        match = _ROTATION.fullmatch(" ".join(part.split()))
        if match is None:
            notes.problems.add(
                cell_name("settings", 2, ROTATIONS),
                _("%(text)s is no rotation of parts") % {"text": shown(part.strip())},
                _("write how many of which parts each person gets: 2 of money health work"),
            )
        else:
            rotations.append({"blocks": match[2].split(), "parts_per_person": int(match[1])})
    return rotations


def _listed(entry: Mapping[str, Any]) -> str:
    return " | ".join(
        " ".join(str(position + 1) for position in booklet) for booklet in entry.get("booklets") or ()
    )
