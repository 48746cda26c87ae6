"""Plan a design: lay out its questions for the expected respondents, within a privacy limit."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from typing import Final

from privacy.errors import PrivacyError
from privacy.planning.layout_search import best_layout
from privacy.planning.layouts import AskedNumber, AskedQuestion, LaidPart, Layout, Protection, Wanted
from privacy.planning.light_strength import lighter
from privacy.planning.use import Goal, Use, number_error, strong, use_of
from privacy.policy import EPSILON_LOWEST
from privacy.risk.posterior import even_shares
from privacy.risk.promise import Promise, promise
from privacy.scales.numeric_mechanisms import BY_EPSILON
from privacy.scales.skipping import least_refusal
from privacy.scales.window import WindowChannel
from privacy.survey.booklets import Rotation
from privacy.survey.design import Block, Design, GroupPolicy, Question

__all__ = ["PlannedDesign", "free_key", "movable_blocks", "movable_numbers", "plan_design"]

_NUMBER_EPSILONS: Final = (0.3, 0.45, 0.65, 0.95, 1.35)
"""Epsilons at which a number is priced, beside the largest that one answer may have."""

_Level = tuple[float, Fraction, Block]
"""Epsilon of a number, its odds, and the block that has it."""


@dataclass(frozen=True, kw_only=True)
class PlannedDesign:
    """A design laid out for an aim, with its expected precision.

    Attributes
    ----------
    design : Design
        As everyone who is strongly disguised has it.
    aim : Goal
    use : Use
        Its figures.
    promise : Promise or None
        Its largest odds; None where nothing is disguised.
    held : str
        `Layout.key` of its layout; empty where no question is laid out.
    per_person : int or None
        How many of the laid-out questions each person is asked; None where that is all of them.
    epsilons : mapping of str to float
        Epsilon of each number that shares the odds, by its block.
    """

    design: Design
    aim: Goal
    use: Use
    promise: Promise | None
    held: str = ""
    per_person: int | None = None
    epsilons: Mapping[str, float] = field(default_factory=dict)

    @property
    def is_useful(self) -> bool:
        """Whether every disguised question can be shown, within 25 points."""
        return self.use.is_useful


def plan_design(design: Design, aim: Goal, *, spent: float = 0.0, held: str = "") -> PlannedDesign | None:
    """Return a design laid out for an aim; None where no layout keeps its protection.

    Parameters
    ----------
    design : Design
    aim : Goal
    spent : float, optional
        Epsilon that earlier surveys of the same people have spent.
    held : str, optional
        `PlannedDesign.held` so far: see `privacy.planning.layout_search.best_layout`.

    Notes
    -----
    Places, and blocks with a condition, remain unchanged: their odds are deducted from the limit of the
    others. Skips, and the order of questions that can move, also remain. Random answers become equally
    likely.
    """
    whole, ceilings = strong(design), aim.protection
    coins, numbers = movable_blocks(whole), movable_numbers(whole)
    if not coins and not numbers:
        return _kept(PlannedDesign(design=whole, aim=aim, use=use_of(whole, aim), promise=promise(whole)))
    levels = {block.key: _levels(block, ceilings) for block in numbers}
    if not all(levels.values()):
        return None
    layout = _layout(whole, coins, levels, aim, spent=spent, held=held)
    if layout is None:
        return None
    chosen = {key: each[min(layout.number_level, len(each) - 1)] for key, each in levels.items()}
    laid = _laid_out(whole, coins, {key: block for key, (_epsilon, _odds, block) in chosen.items()}, layout)
    return _kept(
        PlannedDesign(
            design=laid,
            aim=aim,
            use=use_of(laid, aim),
            promise=promise(laid),
            held=layout.key,
            per_person=_per_person(layout),
            epsilons={key: epsilon for key, (epsilon, _odds, _block) in chosen.items()},
        )
    )


def _kept(made: PlannedDesign) -> PlannedDesign | None:
    """Return a plan; None where it breaks a ceiling."""
    return made if made.promise is None or _keeps(made.promise, made.aim.protection) else None


def _keeps(made: Promise, ceilings: Protection) -> bool:
    return made.everything <= ceilings.everything and made.answer <= ceilings.answer


def movable_blocks(design: Design) -> list[Block]:
    """Return the blocks that are laid out: disguised by a coin, and for everyone.

    Anchors are not: they have the probabilities of the block that they check.

    Parameters
    ----------
    design : Design
        Design of one strength.
    """
    return [
        block
        for block in design.blocks
        if block.protected and block.asked_if is None and not block.is_scale and not block.is_anchor
    ]


def movable_numbers(design: Design) -> list[Block]:
    """Return the blocks of disguised numbers that everyone is asked, and that an epsilon makes.

    Parameters
    ----------
    design : Design
        Design of one strength.
    """
    return [
        block
        for block in design.blocks
        if block.protected
        and block.asked_if is None
        and not design.in_rotation(block.key)
        and block.is_scale
        and isinstance(block.disguise, WindowChannel)
        and block.disguise.mechanism in BY_EPSILON
    ]


@lru_cache(maxsize=256)
def _levels(block: Block, protection: Protection) -> tuple[_Level, ...]:
    """Return the levels of protection at which a number is priced; none where no epsilon keeps it."""
    largest = math.log(protection.answer)
    levels: dict[float, _Level] = {}
    for stated in [*(each for each in _NUMBER_EPSILONS if each < largest), largest]:
        # A skip can cost a little more than the number's own epsilon.
        for epsilon in (each / 100 for each in range(math.floor(100 * stated + 1e-9), 0, -1)):
            made = _with_epsilon(block, epsilon) if epsilon >= EPSILON_LOWEST else None
            odds = None if made is None else promise(Design(blocks=(made,), group=GroupPolicy(), use="live"))
            if made is None or odds is None:
                break
            if _keeps(odds, protection):
                levels[epsilon] = epsilon, odds.everything, made
                break
    return tuple(levels[epsilon] for epsilon in sorted(levels))


def _with_epsilon(block: Block, epsilon: float) -> Block | None:
    """Return the block of a number with another epsilon; None where a skip cannot hide under it."""
    try:
        disguise = lighter(block.disguise, epsilon)
        refusal = None if block.refusal is None else least_refusal(disguise)
        return replace(
            block, questions=(replace(block.questions[0], disguise=disguise),), refusal=refusal, light=None
        )
    except PrivacyError:
        return None


def _layout(
    design: Design,
    coins: Sequence[Block],
    levels: Mapping[str, Sequence[_Level]],
    aim: Goal,
    *,
    spent: float,
    held: str,
) -> Layout | None:
    """Return the layout of questions and numbers within the limit left by the other blocks."""
    questions = [question for block in coins for question in block.questions]
    moved = {*levels, *(block.key for block in coins)}
    rest = tuple(block for block in design.blocks if block.key not in moved)
    others = promise(replace(design, blocks=rest, rotations=(), mechanism=0)) if rest else None
    left = aim.protection.everything / (others.everything if others else 1)
    if spent:
        left *= Fraction(math.exp(-spent))
    starred = [number for key in aim.wanted for number, each in enumerate(questions) if key in each.item_keys]
    try:
        return best_layout(
            [AskedQuestion(items=each.n_items, exclusive=each.kind == "single") for each in questions],
            wanted=Wanted(
                n=aim.people,
                questions=tuple(dict.fromkeys(starred)),
                shares=tuple(_share(question, aim) for question in questions),
                numbers=tuple(
                    number
                    for number, ((_epsilon, _odds, block), *_more) in enumerate(levels.values())
                    if block.questions[0].key in aim.wanted
                ),
            ),
            protection=replace(aim.protection, everything=left),
            skips=any(block.refusal is not None for block in coins),
            numbers=[
                AskedNumber(levels=tuple((odds, number_error(block)) for _epsilon, odds, block in priced))
                for priced in levels.values()
            ],
            held=held,
        )
    except PrivacyError:
        # The other blocks leave nothing.
        return None


def _share(question: Question, aim: Goal) -> float:
    """Return the guess of a question's starred item, else of its first one."""
    keys = question.item_keys
    item = next((key for key in aim.wanted if key in keys), keys[0])
    return aim.share(item, len(keys) if question.kind == "single" else 2)


def _per_person(layout: Layout) -> int | None:
    asked = (
        layout.parts_per_person
        if layout.parts_per_person is not None
        else sum(len(part.booklets[0]) if part.booklets else len(part.questions) for part in layout.parts)
    )
    return asked if asked < len(layout.kinds) else None


def _laid_out(design: Design, coins: Sequence[Block], numbers: Mapping[str, Block], layout: Layout) -> Design:
    """Return a design with the blocks of a layout where the first of the replaced blocks was."""
    moved = {block.key for block in coins}
    placed = [(block.key, question) for block in coins for question in block.questions]
    taken = {block.key for block in design.blocks if block.key not in moved}
    parts = []
    for part in layout.parts:
        parts.append(_block(part, placed, taken))
        taken.add(parts[-1].key)
    blocks: list[Block] = []
    for block in design.blocks:
        if block.key in moved:
            blocks += parts if block is coins[0] else ()
        elif block.is_anchor:
            blocks.append(_checking(block, blocks))
        else:
            blocks.append(numbers.get(block.key, block))
    rotations = tuple(each for each in design.rotations if not moved & set(each.blocks))
    if layout.parts_per_person is not None:
        keys = tuple(part.key for part in parts)
        rotations += (Rotation(blocks=keys, parts_per_person=layout.parts_per_person),)
    return replace(design, blocks=tuple(blocks), rotations=rotations, mechanism=0)


def _block(part: LaidPart, placed: Sequence[tuple[str, Question]], taken: Collection[str]) -> Block:
    questions = [placed[number][1] for number in part.questions]
    return Block(
        key=free_key(placed[part.questions[0]][0], taken),
        protected=True,
        truth_probability=part.truth,
        refusal=part.refusal,
        asked_if=None,
        questions=tuple(replace(question, unrelated=even_shares(question)) for question in questions),
        questions_per_person=None if part.booklets is None else len(part.booklets[0]),
        booklets=part.booklets,
    )


def _checking(anchor: Block, before: Sequence[Block]) -> Block:
    """Return an anchor with the probabilities of the block before it."""
    checked = next(
        (
            block
            for block in reversed(before)
            if block.protected and not block.is_scale and not block.is_anchor
        ),
        None,
    )
    if checked is None:
        return anchor
    question = anchor.questions[0]
    alike = next((each for each in checked.questions if each.kind == "yes_no"), question)
    return replace(
        anchor,
        truth_probability=checked.truth_probability,
        refusal=checked.refusal,
        questions=(replace(question, unrelated=alike.unrelated),),
    )


def free_key(key: str, taken: Collection[str]) -> str:
    """Return an unused key: this one, or the same with a number appended.

    Parameters
    ----------
    key : str
    taken : collection of str

    Examples
    --------
    >>> free_key("work", {"work", "work-2"}), free_key("home", {"work"})
    ('work-3', 'home')
    """
    if key not in taken:
        return key
    # Bisect between a used and an unused number, to an unused one that follows a used one.
    low, high = 1, 2
    while f"{key}-{high}" in taken:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if f"{key}-{middle}" in taken else (low, middle)
    return f"{key}-{high}"
