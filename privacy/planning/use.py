"""Expected results of a design with guessed shares: precision of shares, power for a pair of items."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TypeVar

from privacy import validation
from privacy.coins import SCALE
from privacy.planning.power import (
    REACH,
    AskedItem,
    AskedPair,
    detectable_difference,
    people_for_power,
    power_for_difference,
    sought_difference,
)
from privacy.planning.precision import change_half_width, half_width, people_needed
from privacy.planning.protection import MEDIUM, PROTECTIONS, Protection
from privacy.policy import SHARE_FOR_POWER, USEFUL_DIFFERENCE, USELESS_POWER
from privacy.scales.decoded_numbers import variance_of_mean
from privacy.scales.window import WindowChannel
from privacy.survey.design import Block, Design, Item, Question

Strengths = TypeVar("Strengths", Block, Design)


@dataclass(frozen=True, kw_only=True)
class Goal:
    """Aim of a survey: what to estimate, from how many people, and the protection of their answers.

    Parameters
    ----------
    people : int
        Expected number of respondents.
    wanted : tuple of str
        Keys of at most two starred items or numbers. With two items, the aim is their association; without
        any, all estimates count equally.
    shares : mapping of str to int, ten-thousandths
        Guessed shares of items; without guesses, all answers are assumed equally likely. Power is an
        exception, see `share_for_power`.
    strength : {"light", "medium", "strong"}
    waves : int, optional
        Number of surveys of the same people that share the limits of this strength.
    """

    people: int
    wanted: tuple[str, ...] = ()
    shares: Mapping[str, int] = field(default_factory=dict)
    strength: str = MEDIUM
    waves: int = 1

    @property
    def protection(self) -> Protection:
        """The limits of its strength, or their root if several waves share them."""
        whole = PROTECTIONS[self.strength]
        return whole if self.waves == 1 else whole.root(self.waves)

    def shares_of(self, question: Question) -> tuple[float, ...]:
        """Return the guessed shares of a question's items; items without a guess are equally common."""
        guesses = [self.shares.get(key) for key in question.item_keys]
        fractions = [guess / SCALE for guess in guesses if guess is not None]
        left = max(1 - math.fsum(fractions), 0.0) / max(len(guesses) - len(fractions), 1)
        rest = left if question.is_exhaustive else 0.5
        return tuple(rest if guess is None else guess / SCALE for guess in guesses)

    def is_assumed(self, question: Question, option: int, *, protected: bool) -> bool:
        """Return whether power assumes a share of an item, because there is no guess of it.

        Parameters
        ----------
        question : Question
        option : int
            Position of the item among the question's items.
        protected : bool
            Whether the question's block is disguised.
        """
        return protected and not question.is_exhaustive and question.item_keys[option] not in self.shares

    def share_for_power(self, question: Question, option: int, *, protected: bool) -> float:
        """Return the share of an item of the starred pair with which power is computed.

        Parameters
        ----------
        question, option, protected
            As for `is_assumed`.

        Returns
        -------
        float
            The guess. Without one, 20% for a protected yes or no answer, because few people do what needs
            protection; for others, that of equally likely answers.

        Examples
        --------
        >>> asked = Question(key="a", kind="yes_no", options=(), unrelated=(5000,))
        >>> goals = Goal(people=400), Goal(people=400, shares={"a": 1000})
        >>> [goal.share_for_power(asked, 0, protected=True) for goal in goals], goals[0].shares_of(asked)
        ([0.2, 0.1], (0.5,))
        """
        if self.is_assumed(question, option, protected=protected):
            return SHARE_FOR_POWER
        return self.shares_of(question)[option]

    def wanted_items(self, design: Design) -> tuple[str, ...]:
        """Return the starred items of a design, without numbers, which have no share."""
        items = {item.key for item in design.items}
        return tuple(key for key in self.wanted if key in items)


@dataclass(frozen=True, kw_only=True)
class Use:
    """Precision and power of a design, as if everyone were strongly disguised.

    Attributes
    ----------
    aim : Goal
    half_widths : dict of str to float
        Half-width of the 95% interval of each disguised or starred item.
    numbers : dict of str to float
        Half-width for the mean of each disguised or starred number, as a share of the number's range.
    ranges : dict of str to float
        Length of the range of each of these numbers, in its unit.
    people_asked : dict of str to float
        Number of people who are asked each disguised question.
    difference : float or None
        Smallest difference of the starred pair that is detected 8 times in 10; None without a pair, or if the
        guesses do not allow such a difference.
    power : float or None
        Probability of detecting `difference_sought`; None without a pair.
    difference_sought : float or None
        30 points, or the largest difference that the guesses allow.
    asked_together : float or None
        Share of people who are asked both questions of the pair.
    for_power : int
        Number of people with whom `difference_sought` is found 3 times in 10; 0 without a pair.
    assumed : tuple of str
        Items of the pair for which power assumes a share of 20%, because there is no guess; none if no one is
        asked both.
    change : float or None
        Half-width of the net change if the starred pair asks one thing for two times; None unless one part
        disguises both.
    """

    aim: Goal
    half_widths: dict[str, float]
    numbers: dict[str, float] = field(default_factory=dict)
    ranges: dict[str, float] = field(default_factory=dict)
    people_asked: dict[str, float] = field(default_factory=dict)
    difference: float | None = None
    power: float | None = None
    difference_sought: float | None = None
    asked_together: float | None = None
    for_power: int = 0
    assumed: tuple[str, ...] = ()
    change: float | None = None

    @property
    def widths(self) -> dict[str, float]:
        """Half-widths of all items and means."""
        return self.half_widths | self.numbers

    @property
    def wanted_half_width(self) -> float | None:
        """Half-width of the starred share, or the largest of all unless exactly one share is starred."""
        if len(self.aim.wanted) == 1 and self.aim.wanted[0] in self.half_widths:
            return self.half_widths[self.aim.wanted[0]]
        return max(self.half_widths.values(), default=None)

    @property
    def people_needed(self) -> int:
        """Smallest number of people with whom nothing stops publishing."""
        shares = [count / self.aim.people for count in self.people_asked.values()]
        if self.asked_together is not None:
            shares.append(self.asked_together)
        to_show = people_needed(self.aim.people, widths=self.widths.values(), rates=shares)
        return max(to_show, self.for_power)

    @property
    def is_useful(self) -> bool:
        """Whether nothing stops publishing; see `privacy.planning.shortfalls`."""
        return self.people_needed <= self.aim.people

    @property
    def order(self) -> tuple[float, ...]:
        """Sort key, smaller is better: power, the starred figures, the other shares, the other numbers."""
        priority = self.aim.wanted
        return (
            *self.starred_order,
            max((width for key, width in self.half_widths.items() if key not in priority), default=0.0),
            max((width for key, width in self.numbers.items() if key not in priority), default=0.0),
        )

    @property
    def starred_order(self) -> tuple[float, float]:
        """Sort key for the starred figures alone, smaller is better."""
        return -(self.power or 0.0), max((self.widths[key] for key in self.aim.wanted), default=0.0)

    def narrower(self, than: Use) -> bool:
        """Return whether some figure is better than another use's by half a point, and no figure is worse."""
        pairs = list(zip(self.order, than.order, strict=True))
        return all(error <= other + 1e-9 for error, other in pairs) and any(
            error < other - 0.005 for error, other in pairs
        )


def use_of(design: Design, aim: Goal) -> Use:
    """Return the expected precision of a design for an aim.

    Parameters
    ----------
    design : Design
    aim : Goal
        Starred items and numbers must be in the design.

    Notes
    -----
    For a place, the result only has the number of people who are asked it. The share of people who meet the
    condition of a block is unknown, so n counts the people who reach the block.
    """
    targets = [design.item(key) for key in aim.wanted_items(design)]
    selection = [item for item in design.items if design.blocks[item.block].has_coin or item in targets]
    numbers = _numbers(design, aim)
    use = Use(
        aim=aim,
        half_widths={item.key: half_width(asked_item(design, item, aim), aim.people) for item in selection},
        numbers={
            key: REACH * number_error(block) / math.sqrt(validation.number_of_rows(aim.people) * portion)
            for key, (block, portion) in numbers.items()
        },
        ranges={key: _range_length(block) for key, (block, _portion) in numbers.items()},
        people_asked=_people_asked(design, aim.people),
    )
    if len(targets) != 2:
        return use
    pair = pair_of(design, aim)
    if not pair.together:
        return replace(use, power=0.0, difference_sought=USEFUL_DIFFERENCE, asked_together=0.0)
    sought = sought_difference(pair)
    return replace(
        use,
        assumed=tuple(item.key for item in targets if _is_assumed(design, item, aim)),
        difference=detectable_difference(pair, aim.people),
        power=power_for_difference(pair, sought, aim.people),
        difference_sought=sought,
        asked_together=float(pair.together),
        for_power=people_for_power(pair, sought, USELESS_POWER),
        change=None if pair.skipped is None else change_half_width(pair, aim.people),
    )


def _people_asked(design: Design, people: int) -> dict[str, float]:
    """Return how many people are asked each disguised question, except anchors."""
    return {
        question.key: people * float(design.drawn_together([number]))
        for number, question in enumerate(design.questions)
        if (block := design.blocks[design.block_of(number)]).protected and not block.is_anchor
    }


def _numbers(design: Design, aim: Goal) -> dict[str, tuple[Block, float]]:
    """Return the block of each disguised or starred number, and the share of people who are asked it."""
    numbers = {}
    for number, question in enumerate(design.questions):
        block = strong(design.blocks[design.block_of(number)])
        if question.has_mean and (block.protected or question.key in aim.wanted):
            numbers[question.key] = block, float(design.drawn_together([number]))
    return numbers


@lru_cache(maxsize=256)
def number_error(block: Block) -> float:
    """Return the standard error of a number's mean with one respondent, as a share of its range.

    Parameters
    ----------
    block : Block
        Block of the number, in one strength. An open block only has the sampling error of the answers.

    Notes
    -----
    All bins are assumed equally likely: `privacy.scales.decoded_numbers.variance_of_mean`. The answers alone
    to k bins have (k + 1) / (k - 1) / 12 of the squared range between the middles of the first and the last,
    as Var(1, ..., k) = (k^2 - 1) / 12.
    """
    disguise = _number_disguise(block)
    if not block.protected:
        return math.sqrt((disguise.inputs + 1) / (disguise.inputs - 1) / 12)
    return math.sqrt(variance_of_mean(disguise, skipping=block.skipping)) / _range_length(block)


def _range_length(block: Block) -> float:
    disguise = _number_disguise(block)
    return float(disguise.range.middle(disguise.inputs - 1) - disguise.range.middle(0))


def _number_disguise(block: Block) -> WindowChannel:
    if not isinstance(block.disguise, WindowChannel):
        raise TypeError(block.key)
    return block.disguise


def asked_item(design: Design, item: Item, aim: Goal) -> AskedItem:
    """Return how a design asks an item, with the probabilities of the strong disguise.

    Parameters
    ----------
    design : Design
    item : Item
    aim : Goal
        The aim, which may have a guess of the item's share.
    """
    block = strong(design.blocks[item.block])
    answering = 1 - (block.refusal or 0) / SCALE
    question = design.questions[item.question]
    is_disguised = block.protected
    return AskedItem(
        truth=float(block.truth_in(direct=False)) if is_disguised else 1.0,
        decoy=question.unrelated[item.option] / SCALE * answering if is_disguised else 0.0,
        share=aim.shares_of(question)[item.option],
        share_asked=design.drawn_together([item.question]),
    )


def _is_assumed(design: Design, item: Item, aim: Goal) -> bool:
    question, block = design.questions[item.question], design.blocks[item.block]
    return aim.is_assumed(question, item.option, protected=block.protected)


def pair_of(design: Design, aim: Goal) -> AskedPair:
    """Return how the two wanted items are asked together, with their shares for power.

    Parameters
    ----------
    design : Design
    aim : Goal
        With two starred items; `Goal.share_for_power` says which shares are assumed without guesses.
    """
    first, second = (design.item(key) for key in aim.wanted_items(design))
    block = strong(design.blocks[first.block])
    is_one_part = first.block == second.block and block.protected
    return AskedPair(
        first=_asked_for_power(design, first, aim),
        second=_asked_for_power(design, second, aim),
        skipped=(block.refusal or 0) / SCALE if is_one_part else None,
        together=design.drawn_together([first.question, second.question]),
    )


def times_half_width(design: Design, aim: Goal, times: tuple[str, str]) -> float:
    """Return the half-width of the 95% interval of the net change between two items, as a design asks them.

    Parameters
    ----------
    design : Design
    aim : Goal
        Its shares for power are those of the items.
    times : tuple of str
        Two items of different questions that ask one thing for two times, then and now.

    Notes
    -----
    Under one coin it is `privacy.planning.precision.change_half_width`. Otherwise the errors of both shares
    are independent, so the half-width is the root of the sum of their squares. Both assume unrelated answers.

    Examples
    --------
    p = .6 and theta = 1/2: 10 and 8 of 100 people have the items, so .26 and .248 of the reports do. With two
    coins and 1,000 people it is 1.96 sqrt((.26 .74 + .248 .752) / .36 / 1000), with one coin 1.96
    sqrt((.2984 / .36 - .02^2) / 1000).

    >>> from privacy.survey.group_policy import GroupPolicy
    >>> questions = [Question(key=key, kind="yes_no", options=(), unrelated=(5000,))
    ...              for key in ("then", "now")]
    >>> def parts(*sets):
    ...     blocks = [Block(key=f"b{number}", protected=True, truth_probability=6000, questions=tuple(each))
    ...               for number, each in enumerate(sets)]
    ...     return Design(blocks=tuple(blocks), group=GroupPolicy(), use="live")
    >>> aim = Goal(people=1000, shares={"then": 1000, "now": 800})
    >>> apart, together = parts(questions[:1], questions[1:]), parts(questions)
    >>> [round(times_half_width(each, aim, ("then", "now")), 4) for each in (apart, together)]
    [0.0636, 0.0564]
    """
    pair = pair_of(design, replace(aim, wanted=times))
    if pair.skipped is None or not pair.together:
        return math.hypot(*(half_width(item, aim.people) for item in pair.items))
    return change_half_width(pair, aim.people)


def _asked_for_power(design: Design, item: Item, aim: Goal) -> AskedItem:
    question, is_protected = design.questions[item.question], design.blocks[item.block].protected
    share = aim.share_for_power(question, item.option, protected=is_protected)
    return replace(asked_item(design, item, aim), share=share)


def strong(whole: Strengths) -> Strengths:
    """Return the block or design for strongly disguised respondents.

    Parameters
    ----------
    whole : Block or Design
        Returned unchanged if no respondents are strongly disguised.
    """
    return whole.in_group(direct=False) or whole
