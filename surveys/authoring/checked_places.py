"""The places of a source that the import report asks to check, because they may be misread."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from surveys.authoring.accounted_lines import source_lines
from surveys.authoring.import_differences import EXAMPLES
from surveys.imports.conditions.stated_conditions import READ
from surveys.imports.drafts.questionnaire import MISREAD, Note, Questionnaire
from surveys.imports.roles.lead_ins import LEAD_IN
from surveys.imports.roles.outline import UNKNOWN_LABEL


@dataclass(frozen=True, kw_only=True)
class Place:
    """A line of a source that needs a check."""

    line: int
    row: int
    """Line of the question whose row shows it; 0 for other lines."""
    where: str
    """The place in words, if it is not a line."""
    text: str
    """Text of the place; empty if many places have the same note."""


def places_to_check(survey: Questionnaire, pasted: str, row_of: Mapping[int, int]) -> list[dict[str, Any]]:
    """Return the notes on lines that may be misread, by their remedy: each message with its lines.

    Parameters
    ----------
    survey : Questionnaire
    pasted : str
        The text; empty if it was not read from one.
    row_of : mapping of int to int
        By line, the line of the question whose row shows it.

    Returns
    -------
    list of dict
        ``remedy``, and ``notes``: pairs of a message and its places.
    """
    remedies: dict[str, dict[str, list[Note]]] = {}
    for note in survey.notes:
        if note.cause in (MISREAD, READ, LEAD_IN, UNKNOWN_LABEL):
            remedies.setdefault(note.remedy, {}).setdefault(note.message, []).append(note)
    lines = dict(enumerate(source_lines(pasted), start=1))
    lines |= {each.line: each.source.split("\n")[0] for each in survey.questions if each.where}

    def places(notes: Sequence[Note]) -> list[Place]:
        return [
            Place(
                line=note.line,
                row=row_of.get(note.line, 0),
                where=note.where,
                text=lines.get(note.line, "").strip() if len(notes) <= EXAMPLES else "",
            )
            for note in notes
        ]

    return [
        {"remedy": remedy, "notes": [(message, places(own)) for message, own in messages.items()]}
        for remedy, messages in remedies.items()
    ]
