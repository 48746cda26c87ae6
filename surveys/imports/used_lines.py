"""Lines whose words became a condition, points, answers or a range: they are not reported as left out."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from surveys.imports.questionnaire import Questionnaire
from surveys.imports.source_lines import INSTRUCTION, LEFT, SourceLine

LEFT_OUT = "left"
"""The cause of notes on lines that are left out."""


def use_lines(
    survey: Questionnaire, source: Sequence[SourceLine], numbers: Collection[int], role: str
) -> None:
    """Give lines that are left out the role in which they were used, and remove the notes on them.

    Parameters
    ----------
    survey : Questionnaire
    source : sequence of SourceLine
        Lines that are not blank, with their roles.
    numbers : collection of int
        Numbers of the lines that were used; those with another role keep it.
    role : str
    """
    used = {line.number for line in source if line.number in numbers and line.role in (LEFT, INSTRUCTION)}
    if not used:
        return
    for line in source:
        if line.number in used:
            line.give(role)
    survey.lines = [
        replace(each, role=role, is_certain=True) if each.line in used else each for each in survey.lines
    ]
    survey.notes = [
        note for note in survey.notes if note.cause not in (LEFT_OUT, "uncertain") or note.line not in used
    ]
