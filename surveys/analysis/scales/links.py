"""The tabs of a run that lead to its number and place questions."""

from __future__ import annotations

from dataclasses import dataclass

from privacy.survey.design import Design
from privacy.survey.question import LONE

__all__ = ["LoneLink", "lone_links"]


@dataclass(frozen=True, kw_only=True)
class LoneLink:
    """A question that has a page of its own in a run's report."""

    key: str
    is_place: bool


def lone_links(design: Design) -> tuple[LoneLink, ...]:
    """Return a link for each number and place of a design."""
    return tuple(
        LoneLink(key=question.key, is_place=question.kind == "place")
        for question in design.questions
        if question.kind in LONE
    )
