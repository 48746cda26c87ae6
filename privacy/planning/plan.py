"""Plan a design: divide its questions into blocks for the expected respondents, within a privacy limit."""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final

from privacy.coins import SCALE
from privacy.errors import PrivacyError
from privacy.planning.coin_choice import best_coin
from privacy.planning.layouts import AskedQuestion, Kind, LaidPart, Layout, LayoutGoal, NumberLevels, Whole
from privacy.planning.protection import Protection
from privacy.planning.use import Goal, Use, number_error, strong, use_of
from privacy.policy import EPSILON_LOWEST
from privacy.risk.amplification import promise
from privacy.risk.promise import Promise
from privacy.scales.numeric_mechanisms import BY_EPSILON
from privacy.scales.skipping import least_refusal
from privacy.survey.balanced_booklets import MOST_TOGETHER, balanced_booklets
from privacy.survey.booklets import Booklet, Rotation
from privacy.survey.composed_block import is_tied
from privacy.survey.design import Block, Design, GroupPolicy, Question

_MOST_QUESTIONS: Final = 60

_FEW_SETS: Final = 20
"""Largest number of question sets. Devices send the drawn set undisguised; a rare one identifies people."""

_LEVELS: Final = 12
"""Number of shares of the odds to try for the block of the starred questions."""


@lru_cache(maxsize=256)
def best_layout(
    kinds: tuple[AskedQuestion, ...],
    *,
    target: LayoutGoal,
    protection: Protection,
    skips: bool,
    numbers: tuple[NumberLevels, ...] = (),
    old_key: str = "",
) -> Layout | None:
    """Return the best layout within two limits; None if no layout meets them, or with too many questions.

    Layouts come first that nothing stops from being published: every figure within 25 points, and the power
    to detect a difference of 30 points in a starred pair at least 30%. If there are none, layouts come first
    that show every figure within 25 points. Among these, layouts that make the starred questions useful come
    first: a share within 10 points, or a power of 80%. Then variances decide, with equal weights for the mean
    over the starred questions and the mean over the others.

    Parameters
    ----------
    kinds : tuple of AskedQuestion
    target : LayoutGoal
    protection : Protection
        Limits on odds that remain after the rest of the survey.
    skips : bool
        Whether each block may be skipped.
    numbers : tuple of NumberLevels, optional
    old_key : str, optional
        `Layout.key` of the current layout. If nothing stops its publishing, another one replaces it only if
        neither a starred figure nor the worst of the others gets worse.

    Examples
    --------
    Eight yes/no questions, 400 people, limits of 80% and 95%: each person is asked four questions at
    p = .529, and each share is known within 13.1 points.

    >>> both = Protection(everything=Fraction(19), answer=Fraction(4))
    >>> wanted = LayoutGoal(n=400, questions=(), shares=(.5,) * 8)
    >>> best = best_layout((AskedQuestion(),) * 8, target=wanted, protection=both, skips=False)
    >>> best.kind, best.per_person, best.parts[0].truth, best.people_needed
    ('rotating', 4, 5294, 200)
    >>> round(100 * best.half_widths[0], 1)
    13.1
    """
    if len(kinds) + len(numbers) > _MOST_QUESTIONS or protection.everything <= 1:
        return None
    search = _Search(kinds=kinds, target=target, protection=protection, skips=skips, numbers=numbers)
    found = list(search.layouts())
    former = next((layout for layout in found if layout.is_as(old_key) and layout.is_useful), None)
    better = [layout for layout in found if former is None or layout.is_no_worse(former)]
    best = [layout for layout in better if layout.is_useful]
    if not best:
        # Then rank layouts that show each figure, or else those that do so with the fewest people.
        fewest = min((layout.people_to_show for layout in better), default=0)
        best = [layout for layout in better if layout.people_to_show <= max(fewest, target.n)]
    return min(best, key=lambda layout: layout.rank, default=None)


@dataclass(frozen=True, kw_only=True)
class _Search:
    """The questions to lay out, and the limits."""

    kinds: tuple[AskedQuestion, ...]
    target: LayoutGoal
    protection: Protection
    skips: bool
    numbers: tuple[NumberLevels, ...]
    _shapes: dict[tuple[Booklet, Booklet, int], _Shape | None] = field(default_factory=dict)

    def layouts(self) -> Iterator[Layout]:
        """Yield every layout to compare."""
        for level in range(max(map(len, self.numbers), default=1)):
            spent = math.prod(
                (levels[min(level, len(levels) - 1)][0] for levels in self.numbers), start=Fraction(1)
            )
            left = self.protection.everything / spent
            if not self.kinds and left >= 1:
                yield self._layout("numbers", (), number_level=level)
            elif self.kinds and left > 1:
                yield from self._laid_out(left, level)

    def _laid_out(self, left: Fraction, number_level: int) -> Iterator[Layout]:
        total, starred = len(self.kinds), self._with_wholes(self.target.questions)
        always = self._always(range(total))
        for per_person in range(max(len(always), 1), total + 1):
            shape = self._shape(tuple(range(total)), always, per_person)
            if shape is not None and (part := shape.part(left)) is not None:
                yield self._layout("rotating", (part,), per_person=per_person, number_level=number_level)
        others = tuple(number for number in range(total) if number not in starred)
        if starred and others:
            yield from self._alone(starred, others, left, number_level)
        units = self._units(self.target.wholes)
        for per_person in range(1, len(units) + 1):
            if len(units) > 1 and math.comb(len(units), per_person) <= _FEW_SETS:
                yield from self._in_turn(units, per_person, left, number_level)
        # Where everyone is asked everything, only questions that need one coin stay in one block.
        single = self._units([whole for whole in self.target.wholes if whole.has_one_coin])
        if len(single) > len(units):
            yield from self._in_turn(single, len(single), left, number_level)

    def _with_wholes(self, questions: Collection[int]) -> tuple[int, ...]:
        """Return these positions, with those of which each person is asked all or none."""
        more = {
            number
            for whole in self.target.wholes
            if not set(whole.questions).isdisjoint(questions)
            for number in whole.questions
        }
        return tuple(sorted(more.union(questions))) if more else tuple(questions)

    def _always(self, questions: Collection[int]) -> tuple[int, ...]:
        """Return the positions, among these, that a block of rotating questions asks everyone.

        Sets of drawn questions have one size, so they all contain the questions that belong together.
        """
        wholes = (number for whole in self.target.wholes for number in whole.questions)
        return tuple(dict.fromkeys(each for each in (*self.target.questions, *wholes) if each in questions))

    def _units(self, wholes: Sequence[Whole]) -> list[tuple[int, ...]]:
        """Return the blocks of a layout in turn: one for each whole, and one for each other question."""
        first = {whole.questions[0]: whole.questions for whole in wholes}
        later = {number for whole in wholes for number in whole.questions[1:]}
        return [first.get(number, (number,)) for number in range(len(self.kinds)) if number not in later]

    def _alone(
        self, pair: tuple[int, ...], others: tuple[int, ...], odds: Fraction, number_level: int
    ) -> Iterator[Layout]:
        pair_shape = self._shape(pair, pair, len(pair))
        always = self._always(others)
        shapes = {each: self._shape(others, always, each) for each in range(1, len(others) + 1)}
        for level in range(_LEVELS, 0, -1):
            share = Fraction(_root(odds, level / _LEVELS)).limit_denominator(10**6)
            pair_part = pair_shape.part(share) if pair_shape else None
            if pair_part is None or pair_shape is None:
                continue
            left = odds / pair_shape.odds(pair_part)
            for per_person, shape in shapes.items():
                rest = shape.part(left) if shape and left > 1 else None
                if rest is not None:
                    yield self._layout(
                        "alone",
                        (pair_part, rest),
                        per_person=per_person,
                        level=level,
                        number_level=number_level,
                    )

    def _in_turn(
        self, units: Sequence[tuple[int, ...]], per_person: int, odds: Fraction, number_level: int
    ) -> Iterator[Layout]:
        each = Fraction(_root(odds, 1 / per_person)).limit_denominator(10**6)
        shapes = [self._shape(unit, (), len(unit)) for unit in units]
        parts = [shape.part(each) if shape else None for shape in shapes]
        whole = tuple(part for part in parts if part is not None)
        if len(whole) == len(parts):
            yield self._layout(
                "in_turn",
                whole,
                per_person=per_person,
                parts_per_person=per_person if per_person < len(parts) else None,
                number_level=number_level,
            )

    def _layout(self, kind: Kind, parts: tuple[LaidPart, ...], **members: Any) -> Layout:
        return Layout(
            kind=kind, kinds=self.kinds, parts=parts, target=self.target, numbers=self.numbers, **members
        )

    def _shape(self, questions: tuple[int, ...], always: tuple[int, ...], per_person: int) -> _Shape | None:
        """Return a block that asks each person `per_person` questions; None if no list of sets exists."""
        key = questions, always, per_person
        if key not in self._shapes:
            self._shapes[key] = self._new_shape(*key)
        return self._shapes[key]

    def _new_shape(
        self, questions: tuple[int, ...], always: tuple[int, ...], per_person: int
    ) -> _Shape | None:
        booklets = _booklets(questions, always, per_person)
        if per_person < len(questions) and booklets is None:
            return None
        kinds = [self.kinds[number] for number in questions]
        sets = booklets or [tuple(range(len(kinds)))]
        return _Shape(
            questions=questions,
            booklets=booklets,
            row=_rarest_row([kind.rarest for kind in kinds], sets),
            one=min(kind.rarest for kind in kinds),
            skips=self.skips,
            protection=self.protection,
        )


def _rarest_row(rarest: Sequence[Fraction], sets: Sequence[Booklet]) -> Fraction:
    """Return the smallest product of the probabilities of a set's questions.

    Many questions have equal probabilities, so few products differ, and each is reduced only once.
    """
    values = list(dict.fromkeys(rarest))
    numbers = [values.index(each) for each in rarest]
    alike = {tuple(sorted(numbers[at] for at in each)) for each in sets}
    return min(
        Fraction(
            math.prod(values[number].numerator for number in each),
            math.prod(values[number].denominator for number in each),
        )
        for each in alike
    )


@dataclass(frozen=True, kw_only=True)
class _Shape:
    """A block whose p and share of skips are not yet chosen.

    `row` and `one` are the probabilities of its least likely random row and of its least likely random
    answer, without skips.
    """

    questions: tuple[int, ...]
    booklets: tuple[Booklet, ...] | None
    row: Fraction
    one: Fraction
    skips: bool
    protection: Protection

    def part(self, odds: Fraction) -> LaidPart | None:
        """Return the block with the narrowest intervals within these odds; None if p would be below .0001."""
        truth, refusal = best_coin(
            self.protection, everything=odds, row=self.row, one=self.one, skips=self.skips
        )
        if truth < 1:
            return None
        return LaidPart(questions=self.questions, truth=truth, refusal=refusal, booklets=self.booklets)

    def odds(self, part: LaidPart) -> Fraction:
        """Return the largest odds of one report, 1 + p / ((1 - p) q); q is that of the rarest random row."""
        p, refusal = Fraction(part.truth, SCALE), Fraction(part.refusal or 0, SCALE)
        answered = (1 - refusal) * self.row
        return 1 + p / (1 - p) / (min(refusal, answered) if refusal else answered)


def _root(odds: Fraction, share: float) -> float:
    """Raise odds to a power, rounded down so that a product of such factors stays within the limit."""
    return math.exp(share * math.log(odds)) * (1 - 1e-12)


@lru_cache(maxsize=1024)
def _booklets(
    questions: tuple[int, ...], always: tuple[int, ...], per_person: int
) -> tuple[Booklet, ...] | None:
    """Return sets with all starred questions and, equally often, each other one; None if impossible."""
    if per_person >= len(questions):
        return None
    first = [questions.index(number) for number in always if number in questions]
    rest = [position for position in range(len(questions)) if position not in first]
    n_drawn = per_person - len(first)
    if n_drawn <= 0:
        return None
    sets = _balance_booklets(len(rest), n_drawn)
    return tuple(sorted(tuple(sorted([*first, *(rest[index] for index in subset)])) for subset in sets))


def _balance_booklets(questions: int, size: int) -> Sequence[Booklet]:
    """Return few sets that ask all triples equally often, or else all pairs, or else all questions."""
    for together in range(min(size, MOST_TOGETHER), 1, -1):
        booklets = balanced_booklets(questions, size, together=together)
        if booklets is not None and len(booklets) <= _FEW_SETS:
            return booklets if together == MOST_TOGETHER else _mirror_booklets(booklets, questions)
        if math.comb(questions, size) <= _FEW_SETS:
            return list(itertools.combinations(range(questions), size))
    shifts = range(questions)
    return [tuple(sorted((start + step) % questions for step in range(size))) for start in shifts]


def _mirror_booklets(booklets: Sequence[Booklet], questions: int) -> Sequence[Booklet]:
    """Add the sets with the questions in reverse order, if that makes the list ask all triples.

    Both lists ask all pairs equally often, and so does their union.
    """
    other = [tuple(sorted(questions - 1 - position for position in booklet)) for booklet in booklets]
    both = [*booklets, *other]
    threes = {three for booklet in both for three in itertools.combinations(booklet, MOST_TOGETHER)}
    return both if len(threes) == math.comb(questions, MOST_TOGETHER) and len(both) <= _FEW_SETS else booklets


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


def plan_design(
    design: Design, aim: Goal, *, spent: float = 0.0, old_key: str = "", wholes: Sequence[Whole] = ()
) -> PlannedDesign | None:
    """Lay out a design for an aim; return None if no layout meets its protection.

    Parameters
    ----------
    design : Design
    aim : Goal
    spent : float, optional
        Epsilon spent by earlier surveys of the same people.
    old_key : str, optional
        `PlannedDesign.layout_key` of the current plan, see `privacy.planning.plan.best_layout`.
    wholes : sequence of Whole, optional
        Keys of questions of which each person is asked all or none.

    Notes
    -----
    Places, blocks with a condition, and blocks whose composite questions belong together remain unchanged,
    and their odds reduce the limit for the others.
    The order of the other questions also remains, and whether skips are offered; their share among random
    answers is chosen anew. Random answers become equally likely.
    """
    whole, ceilings = strong(design), aim.protection
    coins, numbers = movable_blocks(whole), movable_numbers(whole)
    if not coins and not numbers:
        return _check(PlannedDesign(design=whole, aim=aim, use=use_of(whole, aim), promise=promise(whole)))
    levels = {block.key: _levels(block, ceilings) for block in numbers}
    if not all(levels.values()):
        return None
    layout = _layout(whole, coins, levels, aim, spent=spent, old_key=old_key, wholes=wholes)
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
            new = _with_epsilon(block, epsilon) if epsilon >= EPSILON_LOWEST else None
            odds = None if new is None else promise(Design(blocks=(new,), group=GroupPolicy(), use="live"))
            if new is None or odds is None:
                break
            if protection.allows(odds):
                levels[epsilon] = epsilon, odds.everything, new
                break
    return tuple(levels[epsilon] for epsilon in sorted(levels))


def _with_epsilon(block: Block, epsilon: float) -> Block | None:
    """Return the block of a number with a different epsilon; None if it could not hide a skip."""
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
        old_key=old_key,
    )


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
    """Replace the blocks `coins` of a design by the blocks of a layout."""
    old_keys = {block.key for block in coins}
    pairs = [(block.key, question) for block in coins for question in block.questions]
    used_keys = {block.key for block in design.blocks if block.key not in old_keys}
    parts = []
    for part in layout.parts:
        parts.append(_block(part, pairs, used_keys))
        used_keys.add(parts[-1].key)
    blocks: list[Block] = []
    for block in design.blocks:
        if block.key in old_keys:
            blocks += parts if block is coins[0] else ()
        elif block.is_anchor:
            blocks.append(_matched_anchor(block, blocks))
        else:
            blocks.append(numbers.get(block.key, block))
    rotations = tuple(each for each in design.rotations if not old_keys & set(each.blocks))
    if layout.parts_per_person is not None:
        keys = tuple(part.key for part in parts)
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
