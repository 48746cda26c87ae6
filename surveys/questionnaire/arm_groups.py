"""Groups of respondents by the arms that their devices drew."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Final

from privacy.coins import SCALE
from privacy.survey.design import STRENGTH, Design
from surveys.questionnaire.ready_parts import TRUST_ITEM

MOST_GROUPS: Final = 8
_JOIN: Final = " × "


@dataclass(frozen=True, kw_only=True)
class ArmGroup:
    """Respondents in one arm, or in a combination of two arms.

    Attributes
    ----------
    name : str
        Keys of the options.
    items : tuple of int
        Items of its arms.
    direct : bool or None
        Whether its respondents have the light strength; None for both strengths.
    share : float
        Expected share of respondents in the group.
    """

    name: str
    items: tuple[int, ...]
    direct: bool | None
    share: float

    @property
    def strata(self) -> tuple[bool, bool]:
        """Whether the group can contain direct rows, and whether it can contain protected rows."""
        return self.direct is not False, self.direct is not True


def choices_of_arms(design: Design) -> dict[str, tuple[ArmGroup, ...]]:
    """Return the random divisions of a survey's respondents by key; empty without an experiment.

    Pairs of divisions are included if they have at most 8 groups.
    """
    single = {
        design.questions[number].key: _arms(design, number)
        for number in design.arms
        # The trust statement is drawn last, so it cannot affect earlier answers.
        if design.questions[number].key != TRUST_ITEM
    }
    share = design.group.direct_share
    if any(block.protected for block in design.blocks) and share is not None and 0 < share < SCALE:
        weaker = "light" if design.has_two_strengths else "direct"
        single[STRENGTH] = tuple(
            ArmGroup(name=name, items=(), direct=direct, share=weight / SCALE)
            for name, direct, weight in (("strong", False, SCALE - share), (weaker, True, share))
        )
    products = {
        _JOIN.join((first, second)): _cross_groups(single[first], single[second])
        for first, second in itertools.combinations(single, 2)
        if len(single[first]) * len(single[second]) <= MOST_GROUPS
    }
    return single | products


def _arms(design: Design, number: int) -> tuple[ArmGroup, ...]:
    question = design.questions[number]
    items = [item.index for item in design.items if item.question == number]
    return tuple(
        ArmGroup(name=option, items=(item,), direct=None, share=share / SCALE)
        for option, item, share in zip(question.options, items, question.shares, strict=True)
    )


def _cross_groups(first: tuple[ArmGroup, ...], second: tuple[ArmGroup, ...]) -> tuple[ArmGroup, ...]:
    return tuple(
        ArmGroup(
            name=f"{left.name}, {right.name}",
            items=tuple(sorted((*left.items, *right.items))),
            direct=left.direct if right.direct is None else right.direct,
            share=left.share * right.share,
        )
        for left, right in itertools.product(first, second)
    )
