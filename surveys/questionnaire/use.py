"""Figures of a design at the guessed shares and so many people: precision of shares, power for a pair."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TypeVar

from privacy.coins import SCALE
from privacy.levels import normal_quantile
from privacy.planning.precision import (
    AskedItem,
    AskedPair,
    detectable_difference,
    half_width,
    people_for_half_width,
    power_for_difference,
)
from privacy.policy import LEAST_COMPLETE_ROWS, USEFUL_DIFFERENCE, USELESS_WIDTH
from privacy.scales.decoding import expected_variance
from privacy.scales.window import WindowChannel
from privacy.survey.design import Block, Design, Item
from surveys.questionnaire.aim import MOST_PEOPLE, Aim

__all__ = ["Use", "asked_item", "number_error", "pair_of", "people_for", "strong", "use_of"]

Strengths = TypeVar("Strengths", Block, Design)


@dataclass(frozen=True, kw_only=True)
class Use:
    """Precision and power of a design, as if everyone were strongly disguised.

    Attributes
    ----------
    aim : Aim
    half_widths : dict of str to float
        Half of the 95% interval by item, of the disguised items and of the starred ones.
    numbers : dict of str to float
        The same of each disguised number's mean, as a share of its range.
    ranges : dict of str to float
        Length of each of these numbers' range, in the unit of its answers.
    asked : dict of str to float
        How many people are asked each disguised question.
    difference : float or None
        The smallest difference of the starred pair that is found 8 times in 10; None without a pair, and
        where the guesses allow no difference so large.
    power : float or None
        Chance of finding 30 points, or the largest difference that the guesses allow.
    difference_sought : float or None
        That difference.
    asked_together : Fraction or None
        Share of people who are asked both.
    """

    aim: Aim
    half_widths: dict[str, float]
    numbers: dict[str, float] = field(default_factory=dict)
    ranges: dict[str, float] = field(default_factory=dict)
    asked: dict[str, float] = field(default_factory=dict)
    difference: float | None = None
    power: float | None = None
    difference_sought: float | None = None
    asked_together: Fraction | None = None

    @property
    def wanted_half_width(self) -> float | None:
        """Half-width of the starred share; where there is none, or a pair, the largest of all."""
        if len(self.aim.wanted) == 1:
            return self.half_widths[self.aim.wanted[0]]
        return max(self.half_widths.values(), default=None)

    @property
    def people_needed(self) -> int:
        """The fewest people with whom each disguised question can be shown, within 25 points."""
        n = self.aim.people
        widths = [*self.half_widths.values(), *self.numbers.values()]
        shares = [count / n for count in self.asked.values()]
        if self.asked_together is not None:
            shares.append(float(self.asked_together))
        if not all(shares):
            return MOST_PEOPLE + 1
        shown = max((LEAST_COMPLETE_ROWS / share for share in shares), default=0)
        narrow = max((n * (width / USELESS_WIDTH) ** 2 for width in widths), default=0)
        return math.ceil(max(LEAST_COMPLETE_ROWS, shown, narrow) - 1e-6)

    @property
    def is_useful(self) -> bool:
        """Whether each disguised question can be shown, within 25 points."""
        return self.people_needed <= self.aim.people

    @property
    def too_few(self) -> list[str]:
        """Questions that fewer than 100 people are asked."""
        return [key for key, count in self.asked.items() if count < LEAST_COMPLETE_ROWS - 1e-9]

    @property
    def too_wide(self) -> list[str]:
        """Items and numbers that are known within more than 25 points only."""
        widths = self.half_widths | self.numbers
        return [key for key, width in widths.items() if width > USELESS_WIDTH + 1e-9]

    @property
    def order(self) -> tuple[float, ...]:
        """Order of preference, smaller first: power, the starred shares, the other shares, the numbers."""
        starred = self.aim.wanted
        return (
            -(self.power or 0.0),
            max((self.half_widths[key] for key in starred), default=0.0),
            max((width for key, width in self.half_widths.items() if key not in starred), default=0.0),
            max(self.numbers.values(), default=0.0),
        )

    def narrower(self, than: Use) -> bool:
        """Return whether it is better than another use by half a point somewhere, and worse nowhere."""
        pairs = list(zip(self.order, than.order, strict=True))
        return all(own <= other + 1e-9 for own, other in pairs) and any(
            own < other - 0.005 for own, other in pairs
        )


def use_of(design: Design, aim: Aim) -> Use:
    """Return what a design can find for an aim.

    Parameters
    ----------
    design : Design
    aim : Aim
        Its items are those of the design: see `Aim.within`.

    Notes
    -----
    Places are left out. How many people a condition sends past a block is not guessed: n counts the people
    who reach it.
    """
    wanted = [design.item(key) for key in aim.wanted]
    shown = [item for item in design.items if _is_disguised(design, item) or item in wanted]
    use = Use(
        aim=aim,
        half_widths={item.key: half_width(asked_item(design, item, aim), aim.people) for item in shown},
        numbers=_number_widths(design, aim.people),
        ranges={
            question.key: _range_length(question.disguise)
            for question in design.questions
            if isinstance(question.disguise, WindowChannel)
        },
        asked=_asked(design, aim.people),
    )
    if len(wanted) != 2:
        return use
    pair = pair_of(design, aim)
    if not pair.together:
        return replace(use, power=0.0, difference_sought=USEFUL_DIFFERENCE, asked_together=Fraction(0))
    sought = min(USEFUL_DIFFERENCE, pair.largest_difference())
    return replace(
        use,
        difference=detectable_difference(pair, aim.people),
        power=power_for_difference(pair, sought, aim.people),
        difference_sought=sought,
        asked_together=Fraction(pair.together),
    )


def _asked(design: Design, people: int) -> dict[str, float]:
    """Return how many people are asked each disguised question, places and anchors left out."""
    return {
        question.key: people * float(design.drawn_together([number]))
        for number, question in enumerate(design.questions)
        if (block := design.blocks[design.block_of(number)]).protected
        and question.kind != "place"
        and not block.is_anchor
    }


def _number_widths(design: Design, people: int) -> dict[str, float]:
    """Return half of the 95% interval of each disguised number's mean, as a share of its range."""
    widths = {}
    for number, question in enumerate(design.questions):
        block = strong(design.blocks[design.block_of(number)])
        if block.protected and question.kind == "number":
            asked = people * float(design.drawn_together([number]))
            widths[question.key] = normal_quantile(0.95) * number_error(block) / math.sqrt(asked)
    return widths


def number_error(block: Block) -> float:
    """Return the standard error of a disguised number's mean with one respondent, as a share of its range.

    Notes
    -----
    All bins are taken to be equally likely: the variance of t(Y), averaged over people, and that of the
    answers themselves, (range)^2/12.
    """
    disguise = block.questions[0].disguise
    if not isinstance(disguise, WindowChannel):
        raise TypeError(block.key)
    own = expected_variance(disguise, skipping=block.skipping) / _range_length(disguise) ** 2
    return math.sqrt(own + 1 / 12)


def _range_length(disguise: WindowChannel) -> float:
    return float(disguise.range.middle(disguise.inputs - 1) - disguise.range.middle(0))


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
