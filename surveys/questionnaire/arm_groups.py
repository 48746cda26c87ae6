"""Random divisions of a survey's respondents: arms of an experiment, drawn strengths of the disguise."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Final

from privacy.coins import SCALE
from privacy.survey.design import STRENGTH, Design
from surveys.questionnaire.ready_parts import TRUST_ITEM

__all__ = ["ArmGroup", "choices_of_arms"]

MOST_GROUPS: Final = 8
_JOIN: Final = " × "


@dataclass(frozen=True, kw_only=True)
class ArmGroup:
    """Respondents of one arm, or of one arm in each of two questions of arms.

    Attributes
    ----------
    name : str
        Keys of the options.
    items : tuple of int
        Items of the arms.
    direct : bool or None
        Whether they have the light strength; None for both.
    drawn : float
        Share of respondents whom devices assign to the group.
    """

    name: str
    items: tuple[int, ...]
    direct: bool | None
    drawn: float

    @property
    def strata(self) -> tuple[bool, bool]:
        """Whether direct rows can belong to it, and whether protected ones can."""
        return self.direct is not False, self.direct is not True


def choices_of_arms(design: Design) -> dict[str, tuple[ArmGroup, ...]]:
    """Return the random divisions of a survey's respondents by key; empty if it holds no experiment.

    Two divisions together form one, of at most 8 groups.
    """
    single = {
        design.questions[number].key: _arms(design, number)
        for number in design.arms
        # The statement of trust that is drawn cannot affect answers given before it.
        if design.questions[number].key != TRUST_ITEM
    }
    share = design.group.direct_share
    if any(block.protected for block in design.blocks) and share is not None and 0 < share < SCALE:
        weaker = "light" if design.has_two_strengths else "direct"
        single[STRENGTH] = tuple(
            ArmGroup(name=name, items=(), direct=direct, drawn=drawn / SCALE)
            for name, direct, drawn in (("strong", False, SCALE - share), (weaker, True, share))
        )
    crossed = {
        _JOIN.join((first, second)): _crossed(single[first], single[second])
        for first, second in itertools.combinations(single, 2)
        if len(single[first]) * len(single[second]) <= MOST_GROUPS
    }
    return single | crossed


def _arms(design: Design, number: int) -> tuple[ArmGroup, ...]:
    question = design.questions[number]
    items = [item.index for item in design.items if item.question == number]
    return tuple(
        ArmGroup(name=option, items=(item,), direct=None, drawn=share / SCALE)
        for option, item, share in zip(question.options, items, question.shares, strict=True)
    )


def _crossed(first: tuple[ArmGroup, ...], second: tuple[ArmGroup, ...]) -> tuple[ArmGroup, ...]:
    return tuple(
        ArmGroup(
            name=f"{left.name}, {right.name}",
            items=tuple(sorted((*left.items, *right.items))),
            direct=left.direct if right.direct is None else right.direct,
            drawn=left.drawn * right.drawn,
        )
        for left, right in itertools.product(first, second)
    )
