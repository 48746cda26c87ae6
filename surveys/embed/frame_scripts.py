"""The scripts that a frame needs."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from privacy.survey.design import Design, Question
from surveys.respondent.client_program import MODULES
from surveys.respondent.joined_modules import join_modules

ENTRANCE: Final = "embed"


@lru_cache(maxsize=1)
def _frame_modules() -> dict[str, str]:
    return join_modules(lambda name: (MODULES / f"{name}.js").read_text(encoding="utf-8"), ENTRANCE)


def frame_scripts(design: Design, *, has_boxes: bool = False, has_turns: bool = False) -> dict[str, bytes]:
    """Return the scripts that a frame needs for a design, by file name; the entry script comes first."""
    needed = {
        ENTRANCE: True,
        "drawing": design.rotates,
        "frame-turn": has_turns,
        "boxes": has_boxes or any(map(_asks_boxes, design.questions)),
        "frame-composites": any(question.computed for question in design.questions),
        "frame-number": any(question.has_mean or asks_numbers(question) for question in design.questions),
    }
    return {f"{name}.js": _frame_modules()[name].encode() for name, is_needed in needed.items() if is_needed}


def _asks_boxes(question: Question) -> bool:
    components = question.computed.components if question.computed else ()
    return question.is_several or any(component.is_several for component in components)


def asks_numbers(question: Question) -> bool:
    """Return whether a question has components that ask for a number."""
    return question.computed is not None and any(
        component.low is not None for component in question.computed.components
    )
