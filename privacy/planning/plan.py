"""Plan a design: divide its questions into blocks for the expected respondents, within a privacy limit."""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from typing import Final

from privacy.errors import PrivacyError
from privacy.planning.layout_search import best_layout
from privacy.planning.layouts import AskedQuestion, LaidPart, Layout, LayoutGoal, Whole
from privacy.planning.protection import Protection
from privacy.planning.use import Goal, Use, number_error, strong, use_of
from privacy.risk.amplification import promise
from privacy.risk.promise import Promise
from privacy.scales.numeric_mechanisms import BY_EPSILON
from privacy.scales.skips import least_refusal
from privacy.survey.composed_block import is_tied
from privacy.survey.design import Block, Design, GroupPolicy, Question
from privacy.survey.rotation import Rotation

_NUMBER_EPSILONS: Final = (0.3, 0.45, 0.65, 0.95, 1.35)
"""Epsilons to try for a number, in addition to the largest that one answer may have."""

_Level = tuple[float, Fraction, Block]
"""Epsilon of a number, its odds, and its block."""


@dataclass(frozen=True, kw_only=True)
class PlannedDesign:
    """A design laid out for an aim, with its expected precision.

    Attributes
    ----------
    design : Design
        The design for strongly disguised respondents.
    aim : Goal
    use : Use
        Expected precision.
    promise : Promise or None
        Largest odds; None if nothing is disguised.
    layout_key : str
        `Layout.key` of the layout; empty if no question was laid out.
    per_person : int or None
        Number of laid-out questions that each person is asked, at least; None if all.
    epsilons : mapping of str to float
        Epsilon of each planned number, by block key.
    """

    design: Design
    aim: Goal
    use: Use
    promise: Promise | None
    layout_key: str = ""
    per_person: int | None = None
    epsilons: Mapping[str, float] = field(default_factory=dict)

    @property
    def is_useful(self) -> bool:
        """Whether nothing stops publishing; see `privacy.planning.shortfalls`."""
        return self.use.is_useful

    def in_all_waves(self) -> PlannedDesign:
        """Return the plan with a promise that also states the odds of all waves."""
        return replace(self, promise=self.promise and self.promise.in_waves(self.aim.waves))


def plan_design(
    design: Design,
    aim: Goal,
    *,
    spent: float = 0.0,
    old_key: str = "",
    wholes: Sequence[Whole] = (),
    all_parts: bool = False,
) -> PlannedDesign | None:
    """Lay out a design for an aim; return None if no layout meets its protection.

    Parameters
    ----------
    design : Design
    aim : Goal
    spent : float, optional
        Epsilon spent by earlier surveys of the same people.
    old_key : str, optional
        `PlannedDesign.layout_key` of the current plan, see `privacy.planning.layout_search.best_layout`.
    wholes : sequence of Whole, optional
        Keys of questions of which each person is asked all or none.
    all_parts : bool, optional
        As for `privacy.planning.layout_search.best_layout`.

    Notes
    -----
    Places, blocks with a condition, and blocks whose composite questions belong together remain unchanged,
    and their odds reduce the limit for the others.
    The order of all questions also remains, and whether skips are offered; their share among random answers
    is chosen anew. Random answers become equally likely.
    """
    whole, ceilings = strong(design), aim.protection
    coins, numbers = movable_blocks(whole), movable_numbers(whole)
    if not coins and not numbers:
        return _check(PlannedDesign(design=whole, aim=aim, use=use_of(whole, aim), promise=promise(whole)))
    levels = {block.key: _levels(block, ceilings) for block in numbers}
    if not all(levels.values()):
        return None
    layout = _layout(
        whole, coins, levels, aim, spent=spent, old_key=old_key, wholes=wholes, all_parts=all_parts
    )
    if layout is None:
        return None
    choice = {key: each[min(layout.number_level, len(each) - 1)] for key, each in levels.items()}
    laid = _laid_out(whole, coins, {key: block for key, (_epsilon, _odds, block) in choice.items()}, layout)
    return _check(
        PlannedDesign(
            design=laid,
            aim=aim,
            use=use_of(laid, aim),
            promise=promise(laid),
            layout_key=layout.key,
            per_person=_per_person(layout),
            epsilons={key: epsilon for key, (epsilon, _odds, _block) in choice.items()},
        )
    )


def _check(plan: PlannedDesign) -> PlannedDesign | None:
    """Return the plan if it is within both limits, else None."""
    return plan if plan.promise is None or plan.aim.protection.allows(plan.promise) else None


def movable_blocks(design: Design) -> list[Block]:
    """Return the blocks to lay out, which have a coin and no condition.

    Anchors are excluded, because they copy the probabilities of the block that they check. So are blocks
    whose composite questions belong together (`privacy.survey.composed_block.is_tied`).

    Parameters
    ----------
    design : Design
        Design of one strength.
    """
    return [
        block
        for block in design.blocks
        if block.has_coin and block.asked_if is None and not block.is_anchor and not is_tied(block)
    ]


def movable_numbers(design: Design) -> list[Block]:
    """Return the blocks of disguised numbers that everyone is asked and that have an adjustable epsilon.

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
        and block.questions[0].has_mean
        and block.disguise.mechanism in BY_EPSILON
    ]


@lru_cache(maxsize=256)
def _levels(block: Block, protection: Protection) -> tuple[_Level, ...]:
    """Return the levels of protection to try for a number; empty if no epsilon is within the limit."""
    largest = math.log(protection.answer)
    levels: dict[float, _Level] = {}
    for target in [*(each for each in _NUMBER_EPSILONS if each < largest), largest]:
        # Step down from the target, because a skip can cost a little more than the number's own epsilon.
        for epsilon in (each / 100 for each in range(math.floor(100 * target + 1e-9), 0, -1)):
            new = _with_epsilon(block, epsilon)
            odds = None if new is None else promise(Design(blocks=(new,), group=GroupPolicy(), use="live"))
            if new is None or odds is None:
                break
            if protection.allows(odds):
                levels[epsilon] = epsilon, odds.everything, new
                break
    return tuple(levels[epsilon] for epsilon in sorted(levels))


def _with_epsilon(block: Block, epsilon: float) -> Block | None:
    """Return the block of a number with a different epsilon; None if that is too small, or hides no skip."""
    try:
        disguise = block.lighter(epsilon)
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
    old_key: str,
    wholes: Sequence[Whole],
    all_parts: bool,
) -> Layout | None:
    """Return the best layout of questions and numbers within the odds that other blocks leave."""
    questions = [question for block in coins for question in block.questions]
    keys = {*levels, *(block.key for block in coins)}
    rest = tuple(block for block in design.blocks if block.key not in keys)
    odds_of_rest = promise(replace(design, blocks=rest, rotations=(), mechanism=0)) if rest else None
    left = aim.protection.everything / (odds_of_rest.everything if odds_of_rest else 1)
    if spent:
        left *= Fraction(math.exp(-spent))
    starred = (number for key in aim.wanted for number, each in enumerate(questions) if key in each.item_keys)
    first = tuple(dict.fromkeys(starred))
    return best_layout(
        tuple(AskedQuestion(items=each.n_items, exclusive=each.is_exhaustive) for each in questions),
        target=LayoutGoal(
            n=aim.people,
            questions=first,
            shares=tuple(aim.shares_of(each)[_starred_option(each, aim)] for each in questions),
            plain_shares=tuple(aim.shares_of(each)[0] for each in questions),
            pair_shares=tuple(
                aim.share_for_power(
                    questions[number], _starred_option(questions[number], aim), protected=True
                )
                for number in first
            )
            if len(first) == 2
            else (),
            numbers=tuple(
                number
                for number, ((_epsilon, _odds, block), *_more) in enumerate(levels.values())
                if block.questions[0].key in aim.wanted
            ),
            wholes=_positions(wholes, questions),
        ),
        protection=replace(aim.protection, everything=left),
        skips=any(block.refusal is not None for block in coins),
        numbers=tuple(
            tuple((odds, number_error(block)) for _epsilon, odds, block in costs) for costs in levels.values()
        ),
        runs=tuple(sum(len(block.questions) for block in run) for run in _runs(design, coins)),
        old_key=old_key,
        all_parts=all_parts,
    )


def _runs(design: Design, coins: Sequence[Block]) -> list[list[Block]]:
    """Return the blocks to lay out, those that follow each other without another block together."""
    keys = {block.key for block in coins}
    groups = itertools.groupby(design.blocks, key=lambda block: block.key in keys)
    return [list(blocks) for is_coin, blocks in groups if is_coin]


def _positions(wholes: Sequence[Whole], questions: Sequence[Question]) -> tuple[Whole, ...]:
    """Return the positions of questions that belong together, among those that are laid out."""
    keys = [question.key for question in questions]
    found = (
        replace(each, questions=tuple(at for at, key in enumerate(keys) if key in each.questions))
        for each in wholes
    )
    return tuple(each for each in found if len(each.questions) > 1)


def _starred_option(question: Question, aim: Goal) -> int:
    """Return the position of a question's starred item, or else 0."""
    keys = question.item_keys
    return next((keys.index(key) for key in aim.wanted if key in keys), 0)


def _per_person(layout: Layout) -> int | None:
    sizes = sorted(len(part.booklets[0]) if part.booklets else len(part.questions) for part in layout.parts)
    # Where blocks of different sizes take turns, the fewest.
    total = sum(sizes[: layout.parts_per_person])
    return total if total < len(layout.kinds) else None


def _laid_out(design: Design, coins: Sequence[Block], numbers: Mapping[str, Block], layout: Layout) -> Design:
    """Replace the blocks `coins` of a design by the blocks of a layout, in the places of their questions."""
    old_keys = {block.key for block in coins}
    pairs = [(block.key, question) for block in coins for question in block.questions]
    used_keys = {block.key for block in design.blocks if block.key not in old_keys}
    parts: dict[str, list[Block]] = {}
    for part in layout.parts:
        block = _block(part, pairs, used_keys)
        used_keys.add(block.key)
        parts.setdefault(pairs[part.questions[0]][0], []).append(block)
    blocks: list[Block] = []
    for block in design.blocks:
        if block.key in old_keys:
            # A part is where the block of its first question was.
            blocks += parts.get(block.key, ())
        elif block.is_anchor:
            blocks.append(_matched_anchor(block, blocks))
        else:
            blocks.append(numbers.get(block.key, block))
    rotations = tuple(each for each in design.rotations if not old_keys & set(each.blocks))
    if layout.parts_per_person is not None:
        keys = tuple(block.key for some in parts.values() for block in some)
        rotations += (Rotation(blocks=keys, parts_per_person=layout.parts_per_person),)
    return replace(design, blocks=tuple(blocks), rotations=rotations, mechanism=0)


def _block(part: LaidPart, entries: Sequence[tuple[str, Question]], keys: Collection[str]) -> Block:
    questions = [entries[number][1] for number in part.questions]
    return Block(
        key=free_key(entries[part.questions[0]][0], keys),
        protected=True,
        truth_probability=part.truth,
        refusal=part.refusal,
        questions=tuple(replace(question, unrelated=question.even_shares) for question in questions),
        questions_per_person=None if part.booklets is None else len(part.booklets[0]),
        booklets=part.booklets,
    )


def _matched_anchor(anchor: Block, before: Sequence[Block]) -> Block:
    """Return an anchor with the probabilities of the nearest block with a coin before it."""
    previous = next((block for block in reversed(before) if block.has_coin and not block.is_anchor), None)
    if previous is None:
        return anchor
    question = anchor.questions[0]
    alike = next((each for each in previous.questions if each.kind == question.kind), question)
    return replace(
        anchor,
        truth_probability=previous.truth_probability,
        refusal=previous.refusal,
        questions=(replace(question, unrelated=alike.unrelated),),
    )


def free_key(key: str, keys: Collection[str]) -> str:
    """Return an unused key: this one, or this one with a number appended.

    Parameters
    ----------
    key : str
    keys : collection of str

    Examples
    --------
    >>> free_key("work", {"work", "work-2"}), free_key("home", {"work"})
    ('work-3', 'home')
    """
    if key not in keys:
        return key
    # Double until a number is unused, then bisect to an unused number that follows a used one.
    low, high = 1, 2
    while f"{key}-{high}" in keys:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if f"{key}-{middle}" in keys else (low, middle)
    return f"{key}-{high}"
