"""Layouts of disguised questions in blocks, and the precision that each gives."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any, Final, Literal

from privacy import validation
from privacy.coins import SCALE
from privacy.planning.power import (
    REACH,
    AskedItem,
    AskedPair,
    people_for_power,
    power_for_difference,
    sought_difference,
)
from privacy.planning.precision import half_width, people_needed
from privacy.policy import USEFUL_POWER, USEFUL_WIDTH, USELESS_POWER
from privacy.survey.booklets import Booklet

Kind = Literal["alone", "rotating", "unstarred", "in_turn", "numbers"]


@dataclass(frozen=True, kw_only=True)
class AskedQuestion:
    """A question whose answers are disguised by a coin.

    Parameters
    ----------
    items : int
        1 for yes/no, otherwise the number of options.
    exclusive : bool
        Whether exactly one option is true, as in a single choice.

    Examples
    --------
    With three options, a single choice has three answers and a multi-select eight.

    >>> AskedQuestion(items=3, exclusive=True).patterns, AskedQuestion(items=3).patterns
    (3, 8)
    """

    items: int = 1
    exclusive: bool = False

    @cached_property
    def patterns(self) -> int:
        """Number of possible answers."""
        return self.items if self.exclusive else 2**self.items

    @cached_property
    def rarest(self) -> Fraction:
        """Smallest probability of a random answer; 10,000 does not always divide evenly."""
        return Fraction(SCALE // self.items, SCALE) if self.exclusive else Fraction(1, self.patterns)

    @cached_property
    def log_rarest(self) -> float:
        """Logarithm of the smallest probability of a random answer."""
        return math.log(self.rarest)

    @cached_property
    def share(self) -> float:
        """Share of each item if all answers are equally likely."""
        return 1 / self.items if self.exclusive else 0.5


NumberLevels = tuple[tuple[Fraction, float], ...]
"""A disguised number at several levels of protection. Each level is the largest odds of a report (ascending)
and the standard error of the mean with one respondent, as a share of the number's range."""


@dataclass(frozen=True, kw_only=True)
class Whole:
    """Questions of which each person is asked all or none, because one of them refers to the others.

    Parameters
    ----------
    questions : tuple
        Their positions in a layout, or their keys in a design.
    has_one_coin : bool
        Whether they must also share a block.
    """

    questions: tuple[Any, ...]
    has_one_coin: bool = False


@dataclass(frozen=True, kw_only=True)
class LayoutGoal:
    """Aim of a survey: what to find out, and from how many people.

    Parameters
    ----------
    n : int
        Number of respondents.
    questions : tuple of int
        Positions of the starred questions: one for its share, two for their association; none if all shares
        count equally.
    shares : tuple of float
        A share for each question, for the margins.
    pair_shares : tuple of float, optional
        Shares of the two starred questions, for power (`privacy.planning.use.Goal.share_for_power`); by
        default, those of `shares`.
    numbers : tuple of int, optional
        Positions of the starred numbers.
    wholes : tuple of Whole, optional
        Questions of which each person is asked all or none.
    plain_shares : tuple of float, optional
        A share for each question in the plan without stars, where a choice counts by its first option; by
        default, those of `shares`.
    """

    n: int
    questions: tuple[int, ...]
    shares: tuple[float, ...]
    pair_shares: tuple[float, ...] = ()
    numbers: tuple[int, ...] = ()
    wholes: tuple[Whole, ...] = ()
    plain_shares: tuple[float, ...] = ()

    @cached_property
    def plain(self) -> LayoutGoal:
        """The same aim, if all figures counted equally."""
        return LayoutGoal(n=self.n, questions=(), shares=self.plain_shares or self.shares, wholes=self.wholes)

    @cached_property
    def starred(self) -> tuple[int, ...]:
        """Positions of the starred questions, and of those that belong together with them."""
        more = {
            number
            for whole in self.wholes
            if not set(whole.questions).isdisjoint(self.questions)
            for number in whole.questions
        }
        return tuple(sorted(more.union(self.questions)))


_ALL: Final = Fraction(1)

_Asked = tuple[tuple[float, float], float]
"""A question's share among random answers and among people, and the share of people who are asked it."""


@dataclass(frozen=True, kw_only=True)
class LaidPart:
    """Questions that share a coin; all of their random answers are equally likely.

    Parameters
    ----------
    questions : tuple of int
        Positions among all questions of the layout.
    truth : int, ten-thousandths
        p, the retention probability.
    refusal : int or None, ten-thousandths
        Probability that a random answer is a skip; None if the block cannot be skipped.
    booklets : tuple of tuple of int, optional
        Sets of positions within the block, from which each device draws one; None if everyone is asked all.
    ways : tuple, optional
        The different ways in which the questions are asked, see `ways_asked`.
    """

    questions: tuple[int, ...]
    truth: int
    refusal: int | None
    booklets: tuple[Booklet, ...] | None = None
    ways: tuple[_Asked, ...] = field(default=(), compare=False, repr=False)

    def share_asked(self, questions: Sequence[int]) -> Fraction:
        """Return the share of people who are asked all of these questions of the block."""
        if self.booklets is None:
            return _ALL
        return _share_asked(self.booklets, tuple(self.questions.index(question) for question in questions))


@lru_cache(maxsize=4096)
def _share_asked(booklets: tuple[Booklet, ...], positions: tuple[int, ...]) -> Fraction:
    return Fraction(sum(set(positions) <= set(booklet) for booklet in booklets), len(booklets))


@lru_cache(maxsize=4096)
def _shares_asked(booklets: tuple[Booklet, ...], count: int) -> tuple[float, ...]:
    """Return the share of people who are asked each of `count` questions."""
    positions = [position for booklet in booklets for position in booklet]
    return tuple(positions.count(position) / len(booklets) for position in range(count))


def ways_asked(
    questions: Sequence[int],
    booklets: tuple[Booklet, ...] | None,
    *,
    kinds: Sequence[AskedQuestion],
    shares: Sequence[float],
) -> tuple[_Asked, ...]:
    """Return the different ways in which a block's questions are asked; many are asked in the same way.

    Parameters
    ----------
    questions : sequence of int
        Positions among all questions of the layout.
    booklets : tuple of tuple of int or None
        As for `LaidPart`.
    kinds : sequence of AskedQuestion
    shares : sequence of float
        A share for each question, as for `LayoutGoal`.

    Examples
    --------
    Of three yes/no questions, each person is asked the first and one of the others.

    >>> ways_asked((0, 1, 2), ((0, 1), (0, 2)), kinds=(AskedQuestion(),) * 3, shares=(.5,) * 3)
    (((0.5, 0.5), 1.0), ((0.5, 0.5), 0.5))
    """
    count = len(questions)
    asked = (1.0,) * count if booklets is None else _shares_asked(booklets, count)
    return tuple(
        dict.fromkeys(
            ((kinds[number].share, shares[number]), share)
            for number, share in zip(questions, asked, strict=True)
        )
    )


def _is_at_most(figure: float, limit: float) -> bool:
    """Compare two figures; sums in another order differ by much less than the tolerance.

    >>> [_is_at_most(figure, 0.0) for figure in (1e-12, 1.1e-12)]
    [True, False]
    """
    return figure <= limit + 1e-12


@lru_cache(maxsize=4096)
def _has_all_sets(booklets: tuple[Booklet, ...], count: int, size: int) -> bool:
    sets = {each for booklet in booklets for each in itertools.combinations(booklet, size)}
    return len(sets) == math.comb(count, size)


_SET_SIZES: Final = (2, 3)
"""Sizes of the sets of questions that results relate, and that should be asked together of someone."""

_WORTH_OF_SETS: Final = 1.02
"""Factor by which variances may grow for a layout that asks all sets of one more of these sizes."""


@dataclass(frozen=True, kw_only=True)
class Layout:
    """Disguised questions in blocks, and the resulting figures.

    Parameters
    ----------
    kind : {"alone", "rotating", "unstarred", "in_turn", "numbers"}
        "unstarred": rotating, as without stars. "numbers": only numbers.
    per_person : int
        Number of questions that each person is asked; if `kind` is "alone", in the block of the others; if it
        is "in_turn", number of blocks.
    kinds : tuple of AskedQuestion
        The questions disguised by coins.
    parts : tuple of LaidPart
    target : LayoutGoal
    parts_per_person : int, optional
        Number of blocks that each person is asked; all by default.
    level : int, optional
        Twelfths of the odds spent on the block of the starred questions, if `kind` is "alone".
    numbers : tuple of NumberLevels, optional
    number_level : int, optional
        Levels of the numbers.
    """

    kind: Kind
    kinds: tuple[AskedQuestion, ...]
    parts: tuple[LaidPart, ...]
    target: LayoutGoal
    per_person: int = 0
    parts_per_person: int | None = None
    level: int = 0
    numbers: tuple[NumberLevels, ...] = ()
    number_level: int = 0

    @property
    def key(self) -> str:
        """Name by which `best_layout` recognises the layout if people or questions change."""
        count = f"{self.per_person}{'+' if self._asks_all else ''}"
        return f"{self.kind}-{count}-{self.level}-{self.number_level}"

    @property
    def _asks_all(self) -> bool:
        if self.kind == "in_turn":
            return self.per_person == len(self.parts)
        total = len(self.kinds) - (len(self.target.starred) if self.kind == "alone" else 0)
        return self.per_person == total

    def is_as(self, old_key: str) -> bool:
        """Return whether the layout matches this `key`: the same number of questions per person, or all."""
        parts, other = self.key.split("-"), old_key.split("-")
        if len(other) != len(parts) or parts[0] != other[0] or parts[2:] != other[2:]:
            return False
        return other[1].rstrip("+") == str(self.per_person) or (self._asks_all and other[1].endswith("+"))

    @cached_property
    def items(self) -> tuple[AskedItem, ...]:
        """How each question is asked; for a choice, its first option."""
        p_drawn, items = float(self._share_drawn(1)), dict[int, AskedItem]()
        # Reuse items, because most questions are asked in the same way.
        alike: dict[tuple[float, float, float], AskedItem] = {}
        for part in self.parts:
            answering = 1 - (part.refusal or 0) / SCALE
            count = len(part.questions)
            shares = (1.0,) * count if part.booklets is None else _shares_asked(part.booklets, count)
            alike.clear()
            for number, fraction in zip(part.questions, shares, strict=True):
                key = self.kinds[number].share, self.target.shares[number], fraction * p_drawn
                if key not in alike:
                    decoy, share, share_asked = key
                    alike[key] = AskedItem(
                        truth=part.truth / SCALE,
                        decoy=decoy * answering,
                        share=share,
                        share_asked=share_asked,
                    )
                items[number] = alike[key]
        return tuple(items[number] for number in range(len(self.kinds)))

    def pair(self, first: int, second: int) -> AskedPair:
        """Return how two questions are asked together."""
        part, other = self._part_of(first), self._part_of(second)
        return AskedPair(
            first=self._item(first, self.target.shares[first]),
            second=self._item(second, self.target.shares[second]),
            skipped=(part.refusal or 0) / SCALE if part is other else None,
            together=self._share_together(first, second),
        )

    def _share_together(self, first: int, second: int) -> Fraction:
        """Return the share of people who are asked both questions."""
        part, other = self._part_of(first), self._part_of(second)
        if part.booklets is None and other.booklets is None:
            return self._share_drawn(1 if part is other else 2)
        if part is other:
            return part.share_asked([first, second]) * self._share_drawn(1)
        return part.share_asked([first]) * other.share_asked([second]) * self._share_drawn(2)

    def _different_items(self) -> Iterator[AskedItem]:
        """Yield how questions are asked, at least once each way."""
        p_drawn = float(self._share_drawn(1))
        for part in self.parts:
            answering = 1 - (part.refusal or 0) / SCALE
            ways = part.ways or ways_asked(
                part.questions, part.booklets, kinds=self.kinds, shares=self.target.shares
            )
            for (decoy, share), asked in ways:
                yield AskedItem(
                    truth=part.truth / SCALE,
                    decoy=decoy * answering,
                    share=share,
                    share_asked=asked * p_drawn,
                )

    def _item(self, number: int, share: float) -> AskedItem:
        """Return how one question is asked, if this is the share of people who have its answer."""
        part = self._part_of(number)
        return AskedItem(
            truth=part.truth / SCALE,
            decoy=self.kinds[number].share * (1 - (part.refusal or 0) / SCALE),
            share=share,
            share_asked=float(part.share_asked([number])) * float(self._share_drawn(1)),
        )

    @cached_property
    def _starred_pair(self) -> AskedPair:
        first, second = self.target.questions
        pair = self.pair(first, second)
        if not self.target.pair_shares:
            return pair
        items = map(self._item, self.target.questions, self.target.pair_shares)
        return AskedPair(first=next(items), second=next(items), skipped=pair.skipped, together=pair.together)

    def _part_of(self, question: int) -> LaidPart:
        return next(part for part in self.parts if question in part.questions)

    def _share_drawn(self, parts: int) -> Fraction:
        """Return the share of people who are asked all of `parts` given blocks."""
        count, each = len(self.parts), self.parts_per_person
        if each is None:
            return _ALL
        return (
            Fraction(math.comb(count - parts, each - parts), math.comb(count, each))
            if parts <= each
            else Fraction(0)
        )

    @cached_property
    def half_widths(self) -> tuple[float, ...]:
        """Half-widths of the 95% interval of each question's share."""
        widths = {id(item): item for item in self.items}
        by_item = {name: half_width(item, self.target.n) for name, item in widths.items()}
        return tuple(by_item[id(item)] for item in self.items)

    @cached_property
    def number_half_widths(self) -> tuple[float, ...]:
        """Half-widths of the 95% interval of each number's mean, as shares of its range."""
        errors = (levels[min(self.number_level, len(levels) - 1)][1] for levels in self.numbers)
        return tuple(REACH * error / math.sqrt(validation.number_of_rows(self.target.n)) for error in errors)

    @cached_property
    def power(self) -> float | None:
        """Power for the target difference; None unless two questions are starred."""
        if len(self.target.questions) != 2:
            return None
        pair = self._starred_pair
        if not pair.together:
            return 0.0
        return power_for_difference(pair, sought_difference(pair), self.target.n)

    @property
    def shortfall(self) -> float:
        """Distance of the starred questions from their target; 0 if they meet it."""
        if self.power is not None:
            return max(0.0, USEFUL_POWER - self.power)
        return max((width - USEFUL_WIDTH for width in self._starred_widths), default=0.0)

    @cached_property
    def people_needed(self) -> int:
        """Smallest number of people with whom nothing stops publishing; see `privacy.planning.shortfalls`."""
        if len(self.target.questions) != 2:
            return self.people_to_show
        pair = self._starred_pair
        return max(self.people_to_show, people_for_power(pair, sought_difference(pair), USELESS_POWER))

    @cached_property
    def people_to_show(self) -> int:
        """Smallest number of people with whom every figure can be shown within 25 points."""
        items = list(self._different_items())
        rates = [float(item.share_asked) for item in items]
        if len(self.target.questions) == 2:
            rates.append(float(self._share_together(*self.target.questions)))
        widths = [half_width(item, self.target.n) for item in items]
        return people_needed(self.target.n, widths=[*widths, *self.number_half_widths], rates=rates)

    @property
    def is_useful(self) -> bool:
        """Whether these people are enough; see `people_needed`."""
        # Power takes longer to compute than margins, so they decide first.
        return self.people_to_show <= self.target.n and self.people_needed <= self.target.n

    @property
    def rank(self) -> tuple[float, float, int]:
        """Sort key, smaller is better: starred questions, then all variances, then the number of blocks."""
        groups = [self._starred_widths, self._other_widths]
        # Give the starred questions the same weight as all others together.
        total = math.fsum(
            math.fsum(width**2 for width in widths) / len(widths) for widths in groups if widths
        )
        total *= _WORTH_OF_SETS ** sum(not self.asks_all(size) for size in _SET_SIZES)
        return max(0.0, round(self.shortfall, 9)), total, len(self.parts)

    def asks_all(self, size: int) -> bool:
        """Return whether every set of so many questions is asked together of someone."""
        if self.parts_per_person is not None and self.parts_per_person < min(size, len(self.parts)):
            return False
        return all(
            part.booklets is None or _has_all_sets(part.booklets, len(part.questions), size)
            for part in self.parts
        )

    @cached_property
    def _starred_widths(self) -> list[float]:
        return [
            *(
                half_width(self._item(number, self.target.shares[number]), self.target.n)
                for number in self.target.questions
            ),
            *(self.number_half_widths[number] for number in self.target.numbers),
        ]

    @cached_property
    def _other_widths(self) -> list[float]:
        coins, numbers = set(self.target.questions), set(self.target.numbers)
        return [
            *(width for number, width in enumerate(self.half_widths) if number not in coins),
            *(width for number, width in enumerate(self.number_half_widths) if number not in numbers),
        ]

    def is_no_worse(self, than: Layout) -> bool:
        """Return whether no starred figure and not the worst other figure is worse than in another layout."""
        pairs = zip(self._starred_widths, than._starred_widths, strict=True)
        return (
            all(_is_at_most(width, other) for width, other in pairs)
            and _is_at_most(than.power or 0.0, self.power or 0.0)
            and _is_at_most(max(self._other_widths, default=0.0), max(than._other_widths, default=0.0))
        )

    def keeps_stars(self, plain: Layout) -> bool:
        """Return whether the stars of this layout do not harm their own figures.

        Parameters
        ----------
        plain : Layout
            The layout that would be chosen without stars, for the same target.

        Returns
        -------
        bool
            Whether no starred figure is wider than in `plain`. With two stars their link is the aim: if
            `plain` does not find it 8 times in 10, a layout that finds it more often may widen their shares.
        """
        if self.power is not None and plain.power is not None:
            if plain.power < USEFUL_POWER and not _is_at_most(self.power, plain.power):
                return True
            if not _is_at_most(min(plain.power, USEFUL_POWER), self.power):
                return False
        pairs = zip(self._starred_widths, plain._starred_widths, strict=True)
        return all(_is_at_most(width, other) for width, other in pairs)
