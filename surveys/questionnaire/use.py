"""What a design can tell at the guessed shares and so many people: precision of shares, power for a pair."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

from privacy.coins import SCALE
from privacy.planning.precision import (
    AskedItem,
    AskedPair,
    detectable_difference,
    half_width,
    people_for_half_width,
    power_for_difference,
)
from privacy.policy import USEFUL_DIFFERENCE
from privacy.survey.design import Block, Design, Item
from surveys.questionnaire.aim import Aim

__all__ = ["Use", "asked_item", "pair_of", "people_for", "strong", "use_of"]

Strengths = TypeVar("Strengths", Block, Design)


@dataclass(frozen=True, kw_only=True)
class Use:
    """Precision and power of a design, as if everybody were strongly disguised.

    Attributes
    ----------
    aim : Aim
    half_widths : dict of str to float
        Half of the 95 % interval by item, of the items whose answers are disguised and of those wanted.
    difference : float or None
        The smallest difference of the wanted pair that is found 8 times in 10; None without a pair, and where
        the guesses allow none so large.
    power : float or None
        Chance of finding 30 points, or the largest difference that the guesses allow.
    difference_sought : float or None
        That difference.
    asked_together : Fraction or None
        Share of people who are asked both.
    """

    aim: Aim
    half_widths: dict[str, float]
    difference: float | None = None
    power: float | None = None
    difference_sought: float | None = None
    asked_together: Fraction | None = None

    @property
    def wanted_half_width(self) -> float | None:
        """Half-width of the wanted share; where none is wanted, or a pair, the largest of all."""
        if len(self.aim.wanted) == 1:
            return self.half_widths[self.aim.wanted[0]]
        return max(self.half_widths.values(), default=None)


def use_of(design: Design, aim: Aim) -> Use:
    """Return what a design can tell for an aim.

    Parameters
    ----------
    design : Design
    aim : Aim
        Its items are those of the design: see `Aim.within`.

    Notes
    -----
    Numbers and places have no share, and are left out. Whom a condition sends past a part is not guessed:
    n counts the people who come to it.
    """
    wanted = [design.item(key) for key in aim.wanted]
    shown = [item for item in design.items if _is_disguised(design, item) or item in wanted]
    widths = {item.key: half_width(asked_item(design, item, aim), aim.people) for item in shown}
    if len(wanted) != 2:
        return Use(aim=aim, half_widths=widths)
    pair = pair_of(design, aim)
    if not pair.together:
        return Use(
            aim=aim,
            half_widths=widths,
            power=0.0,
            difference_sought=USEFUL_DIFFERENCE,
            asked_together=Fraction(0),
        )
    sought = min(USEFUL_DIFFERENCE, pair.largest_difference())
    return Use(
        aim=aim,
        half_widths=widths,
        difference=detectable_difference(pair, aim.people),
        power=power_for_difference(pair, sought, aim.people),
        difference_sought=sought,
        asked_together=Fraction(pair.together),
    )


def people_for(design: Design, aim: Aim, width: float) -> int:
    """Return how many people give the share of what is wanted such a half-width, or all shares one."""
    items = [design.item(key) for key in aim.wanted] or [
        item for item in design.items if _is_disguised(design, item)
    ]
    return max(
        (people_for_half_width(asked_item(design, item, aim), width) for item in items), default=aim.people
    )


def asked_item(design: Design, item: Item, aim: Aim) -> AskedItem:
    """Return how an item is asked by a design."""
    block = strong(design.blocks[item.block])
    answered = 1 - (block.refusal or 0) / SCALE
    question = design.questions[item.question]
    disguised = block.protected
    return AskedItem(
        truth=float(block.truth_in(direct=False)) if disguised else 1.0,
        decoy=question.unrelated[item.option] / SCALE * answered if disguised else 0.0,
        share=aim.share(item.key, len(question.options) if question.kind == "single" else 2),
        share_asked=design.drawn_together([item.question]),
    )


def pair_of(design: Design, aim: Aim) -> AskedPair:
    """Return how the two wanted items are asked together."""
    first, second = (design.item(key) for key in aim.wanted)
    block = strong(design.blocks[first.block])
    is_one_part = first.block == second.block and block.protected
    return AskedPair(
        first=asked_item(design, first, aim),
        second=asked_item(design, second, aim),
        skipped=(block.refusal or 0) / SCALE if is_one_part else None,
        together=design.drawn_together([first.question, second.question]),
    )


def _is_disguised(design: Design, item: Item) -> bool:
    block = design.blocks[item.block]
    return block.protected and not block.is_scale


def strong(whole: Strengths) -> Strengths:
    """Return a part, or a design, as those who are strongly disguised have it."""
    return whole.in_group(direct=False) or whole
