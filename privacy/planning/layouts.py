"""Lay out sensitive questions in parts: what is wanted most as exactly as two ceilings of certainty let it.

Three kinds of layout are compared, all under both ceilings: what is wanted in a part of its own that
everybody is asked, the others in another part; all in one part of which each person is asked some, what is
wanted in every set; and every question in a part of its own, the parts taking turns.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Final, Literal

from privacy import validation
from privacy.coins import SCALE
from privacy.errors import PrivacyError
from privacy.planning.precision import (
    AskedItem,
    AskedPair,
    half_width,
    power_for_difference,
)
from privacy.policy import USEFUL_DIFFERENCE, USEFUL_POWER, USEFUL_WIDTH
from privacy.survey.balanced_booklets import MOST_TOGETHER, balanced_booklets
from privacy.survey.booklets import Booklet

__all__ = ["AskedQuestion", "LaidPart", "Layout", "Protection", "Wanted", "best_layouts"]

Kind = Literal["alone", "rotating", "in_turn"]

_FEW_SETS: Final = 20
"""More sets of questions would single people out: the set that somebody is asked is sent as it is."""

_LEVELS: Final = 12
"""Shares of the whole ceiling that are tried for the part of what is wanted."""


@dataclass(frozen=True, kw_only=True)
class AskedQuestion:
    """The items of a question with a coin: one of a yes/no question, else one of each option.

    Parameters
    ----------
    items : int
        1, or the number of options.
    exclusive : bool
        Whether exactly one of the options is the answer, as of a choice of one.

    Examples
    --------
    A choice of one among three options has three answers, of several among three eight.

    >>> AskedQuestion(items=3, exclusive=True).patterns, AskedQuestion(items=3).patterns
    (3, 8)
    """

    items: int = 1
    exclusive: bool = False

    def __post_init__(self) -> None:
        """Refuse numbers outside their ranges."""
        validation.whole_number(self.items, "number of items", low=1 + self.exclusive, high=500)

    @property
    def patterns(self) -> int:
        """Number of answers that it can have."""
        return self.items if self.exclusive else 2**self.items

    @property
    def rarest(self) -> Fraction:
        """Smallest probability of a random answer: whole ten-thousandths are not always divided evenly."""
        return Fraction(SCALE // self.items, SCALE) if self.exclusive else Fraction(1, self.patterns)

    @property
    def share(self) -> float:
        """Share of each item where all answers are equally likely."""
        return 1 / self.items if self.exclusive else 0.5


@dataclass(frozen=True, kw_only=True)
class Protection:
    """Two ceilings of odds, of which certainty at an even chance is O / (1 + O).

    Parameters
    ----------
    everything : Fraction
        Of all that one device sends.
    answer : Fraction
        Of one answer, without the others.

    Examples
    --------
    95 % by everything, 80 % by one answer: of a yes/no question p / (1 - p) <= (4 - 1) / 2.

    >>> Protection(everything=Fraction(19), answer=Fraction(4)).truth_of_one(Fraction(1, 2))
    6000
    """

    everything: Fraction
    answer: Fraction

    def truth_of_one(self, rarest: Fraction, *, refusal: int = 0) -> int:
        """Return the largest p, in ten-thousandths, of a question with this smallest random probability."""
        answered = 1 - Fraction(refusal, SCALE)
        return _truth((self.answer - 1) * answered * rarest)


def _truth(ratio: Fraction) -> int:
    """Return the largest p, in ten-thousandths, with p / (1 - p) at most a ratio."""
    return min(SCALE - 1, math.floor(SCALE * ratio / (1 + ratio)))


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """What is most wanted to be known, and of how many people it will be learnt.

    Parameters
    ----------
    n : int
        Respondents.
    questions : tuple of int
        One question for its share, two for whether they go together; none: all shares count alike.
    shares : tuple of float
        Guesses, one of each question of the survey.
    """

    n: int
    questions: tuple[int, ...]
    shares: tuple[float, ...]


@dataclass(frozen=True, kw_only=True)
class LaidPart:
    """Questions that share a coin, all of their answers drawn equally often.

    Parameters
    ----------
    questions : tuple of int
        By their positions among all that are laid out.
    truth : int, ten-thousandths
        p.
    refusal : int or None, ten-thousandths
        Chance of a skipped decoy; None where no skip is offered.
    booklets : tuple of tuple of int, optional
        Sets of positions within the part of which each device draws one; None where everybody is asked all.
    """

    questions: tuple[int, ...]
    truth: int
    refusal: int | None
    booklets: tuple[Booklet, ...] | None = None

    def share_asked(self, questions: Sequence[int]) -> Fraction:
        """Return the share of those who come to the part that are asked all of these questions of it."""
        if self.booklets is None:
            return Fraction(1)
        wanted = {self.questions.index(question) for question in questions}
        return Fraction(sum(wanted <= set(booklet) for booklet in self.booklets), len(self.booklets))


@dataclass(frozen=True, kw_only=True)
class Layout:
    """Sensitive questions in parts, with what that gives.

    Parameters
    ----------
    kind : {"alone", "rotating", "in_turn"}
    kinds : tuple of AskedQuestion
        The questions.
    parts : tuple of LaidPart
    parts_per_person : int, optional
        So many of the parts each person is asked; all of them where it is left out.
    wanted : Wanted
    """

    kind: Kind
    kinds: tuple[AskedQuestion, ...]
    parts: tuple[LaidPart, ...]
    wanted: Wanted
    parts_per_person: int | None = None

    def item(self, question: int) -> AskedItem:
        """Return how one question is asked; of a choice its first option."""
        part = self._part_of(question)
        answered = 1 - (part.refusal or 0) / SCALE
        return AskedItem(
            truth=part.truth / SCALE,
            decoy=self.kinds[question].share * answered,
            share=self.wanted.shares[question],
            share_asked=part.share_asked([question]) * self._drawn(1),
        )

    def pair(self, first: int, second: int) -> AskedPair:
        """Return how two questions are asked together."""
        part, other = self._part_of(first), self._part_of(second)
        is_shared = part is other
        together = (
            part.share_asked([first, second]) * self._drawn(1)
            if is_shared
            else part.share_asked([first]) * other.share_asked([second]) * self._drawn(2)
        )
        return AskedPair(
            first=self.item(first),
            second=self.item(second),
            skipped=(part.refusal or 0) / SCALE if is_shared else None,
            together=together,
        )

    def _part_of(self, question: int) -> LaidPart:
        return next(part for part in self.parts if question in part.questions)

    def _drawn(self, parts: int) -> Fraction:
        """Return the share of people who are asked so many given parts."""
        count, each = len(self.parts), self.parts_per_person
        if each is None:
            return Fraction(1)
        return (
            Fraction(math.comb(count - parts, each - parts), math.comb(count, each))
            if parts <= each
            else Fraction(0)
        )

    @cached_property
    def half_widths(self) -> tuple[float, ...]:
        """Half-widths of the share of each question."""
        return tuple(half_width(self.item(number), self.wanted.n) for number in range(len(self.kinds)))

    @cached_property
    def power(self) -> float | None:
        """Power for the difference that is to be found; None where no pair is wanted."""
        if len(self.wanted.questions) != 2:
            return None
        pair = self.pair(*self.wanted.questions)
        if not pair.together:
            return 0.0
        return power_for_difference(pair, min(USEFUL_DIFFERENCE, pair.largest_difference()), self.wanted.n)

    @property
    def shortfall(self) -> float:
        """By how much what is wanted misses its target, 0 where it meets it."""
        if self.power is not None:
            return max(0.0, USEFUL_POWER - self.power)
        return max((self.half_widths[number] - USEFUL_WIDTH for number in self.wanted.questions), default=0.0)

    @property
    def rank(self) -> tuple[float, float, int]:
        """Order of preference, smaller first: what is wanted, the others, and how many parts there are."""
        wanted = self.wanted.questions
        groups = [wanted, [number for number in range(len(self.kinds)) if number not in wanted]]
        variances = [[self.half_widths[number] ** 2 for number in group] for group in groups]
        # What is wanted counts as much as all the others together.
        total = math.fsum(math.fsum(group) / len(group) for group in variances if group)
        return max(0.0, round(self.shortfall, 9)), total, len(self.parts)


def best_layouts(
    kinds: Sequence[AskedQuestion], *, wanted: Wanted, protection: Protection, skips: bool
) -> tuple[Layout, ...]:
    """Return the best layout of each kind, the best of all first.

    What is wanted decides until it is of use: until the half-width of its share is at most 10 points, or a
    difference of 30 points is found 8 times in 10. From there on variances decide, the mean of what is wanted
    counting as much as the mean of the others.

    Parameters
    ----------
    kinds : sequence of AskedQuestion
    wanted : Wanted
    protection : Protection
        Of which other parts of the survey have taken their share already.
    skips : bool
        Whether each part may be skipped.

    Raises
    ------
    PrivacyError
        ``out_of_range``: no question; ``ceilings``: ceilings that leave nothing.

    Examples
    --------
    Eight yes/no questions, 400 people, 80 and 95 %: each is asked four of them at p = .529, and a share is
    known within 13.1 points.

    >>> both = Protection(everything=Fraction(19), answer=Fraction(4))
    >>> wanted = Wanted(n=400, questions=(), shares=(.5,) * 8)
    >>> best, *_ = best_layouts([AskedQuestion()] * 8, wanted=wanted, protection=both, skips=False)
    >>> best.kind, len(best.parts[0].booklets[0]), best.parts[0].truth, round(100 * best.half_widths[0], 1)
    ('rotating', 4, 5294, 13.1)
    """
    validation.whole_number(len(kinds), "number of questions", low=1, high=60)
    questions = tuple(kinds)
    if protection.everything <= 1 or protection.answer <= 1:
        raise PrivacyError("ceilings", float(min(protection.everything, protection.answer)))
    search = _Search(kinds=questions, wanted=wanted, protection=protection, skips=skips)
    best: dict[Kind, Layout] = {}
    for layout in search.layouts():
        if layout.kind not in best or layout.rank < best[layout.kind].rank:
            best[layout.kind] = layout
    if not best:
        raise PrivacyError("ceilings", float(protection.everything))
    return tuple(sorted(best.values(), key=lambda layout: layout.rank))


@dataclass(frozen=True, kw_only=True)
class _Search:
    """What is laid out, and within which ceilings."""

    kinds: tuple[AskedQuestion, ...]
    wanted: Wanted
    protection: Protection
    skips: bool

    def layouts(self) -> Iterator[Layout]:
        """Yield every layout that is compared."""
        everything = self.protection.everything
        total = len(self.kinds)
        always = self.wanted.questions
        for per_person in range(max(len(always), 1), total + 1):
            part = self._part(range(total), always, per_person, everything)
            yield from self._layout("rotating", [part])
        others = [number for number in range(total) if number not in always]
        if always and others:
            yield from self._alone(always, others)
        for per_person in range(1, total + 1):
            if total > 1 and math.comb(total, per_person) <= _FEW_SETS:
                yield from self._in_turn(per_person)

    def _alone(self, always: tuple[int, ...], others: Sequence[int]) -> Iterator[Layout]:
        for level in range(_LEVELS, 0, -1):
            share = Fraction(_root(self.protection.everything, level / _LEVELS)).limit_denominator(10**6)
            own = self._part(always, always, len(always), share)
            if own is None:
                continue
            left = self.protection.everything / self._amplification(own)
            for per_person in range(1, len(others) + 1):
                rest = self._part(others, (), per_person, left)
                yield from self._layout("alone", [own, rest])

    def _in_turn(self, per_person: int) -> Iterator[Layout]:
        each = Fraction(_root(self.protection.everything, 1 / per_person)).limit_denominator(10**6)
        parts = [self._part([number], (), 1, each) for number in range(len(self.kinds))]
        yield from self._layout("in_turn", parts, per_person if per_person < len(parts) else None)

    def _layout(
        self, kind: Kind, parts: Sequence[LaidPart | None], per_person: int | None = None
    ) -> Iterator[Layout]:
        whole = [part for part in parts if part is not None]
        if len(whole) < len(parts) or self._together(whole, per_person) > self.protection.everything:
            return
        yield Layout(
            kind=kind, kinds=self.kinds, parts=tuple(whole), parts_per_person=per_person, wanted=self.wanted
        )

    def _together(self, parts: Sequence[LaidPart], per_person: int | None) -> Fraction:
        """Return the largest product of amplifications that one device is asked."""
        largest = sorted(map(self._amplification, parts), reverse=True)
        return math.prod(largest[:per_person], start=Fraction(1))

    def _part(
        self, questions: Sequence[int], always: Sequence[int], per_person: int, most: Fraction
    ) -> LaidPart | None:
        """Return a part of which each is asked so many questions, with the largest p; None without any."""
        positions = tuple(questions)
        booklets = _booklets(positions, always, per_person)
        if per_person < len(positions) and booklets is None:
            return None
        rows = [math.prod(kind.patterns for kind in kinds) for kinds in self._sets(positions, booklets)]
        refusal = -(-SCALE // (1 + min(rows))) if self.skips else None
        ratio = (most - 1) * self._rarest(positions, booklets, refusal)
        answer = min(self.kinds[number].rarest for number in positions)
        truth = min(
            _truth(max(ratio, Fraction(0))), self.protection.truth_of_one(answer, refusal=refusal or 0)
        )
        if truth < 1:
            return None
        return LaidPart(questions=positions, truth=truth, refusal=refusal, booklets=booklets)

    def _sets(
        self, questions: Sequence[int], booklets: Sequence[Booklet] | None
    ) -> list[list[AskedQuestion]]:
        """Return the sets of questions that a device can be asked."""
        kinds = [self.kinds[number] for number in questions]
        return [
            [kinds[position] for position in booklet] for booklet in booklets or [tuple(range(len(kinds)))]
        ]

    def _rarest(
        self, questions: Sequence[int], booklets: Sequence[Booklet] | None, refusal: int | None
    ) -> Fraction:
        """Return the probability of the least likely random row, a skip included."""
        sets = self._sets(questions, booklets)
        rarest = min(math.prod((kind.rarest for kind in kinds), start=Fraction(1)) for kinds in sets)
        if refusal is None:
            return rarest
        skipped = Fraction(refusal, SCALE)
        return min(skipped, (1 - skipped) * rarest)

    def _amplification(self, part: LaidPart) -> Fraction:
        """Return gamma = 1 + p / ((1 - p) q) of a part, q the probability of its least likely random row."""
        truth = Fraction(part.truth, SCALE)
        return 1 + truth / (1 - truth) / self._rarest(part.questions, part.booklets, part.refusal)


def _root(odds: Fraction, share: float) -> float:
    """Return odds to a power, rounded down so that a product of them stays below."""
    return math.exp(share * math.log(odds)) * (1 - 1e-12)


def _booklets(questions: Sequence[int], always: Sequence[int], per_person: int) -> tuple[Booklet, ...] | None:
    """Return sets of what is always asked and of some others, equally often; None without such a list."""
    if per_person >= len(questions):
        return None
    first = [questions.index(number) for number in always if number in questions]
    rest = [position for position in range(len(questions)) if position not in first]
    drawn = per_person - len(first)
    if drawn <= 0:
        return None
    listed = _balanced(len(rest), drawn)
    return tuple(sorted(tuple(sorted([*first, *(rest[at] for at in chosen)])) for chosen in listed))


def _balanced(questions: int, drawn: int) -> Sequence[Booklet]:
    """Return sets that ask any three together equally often where few do, else any two, else any one."""
    for together in range(min(drawn, MOST_TOGETHER), 1, -1):
        listed = balanced_booklets(questions, drawn, together=together)
        if listed is not None and len(listed) <= _FEW_SETS:
            return listed if together == MOST_TOGETHER else _mirrored(listed, questions)
        if math.comb(questions, drawn) <= _FEW_SETS:
            return list(itertools.combinations(range(questions), drawn))
    shifts = range(questions)
    return [tuple(sorted((start + step) % questions for step in range(drawn))) for start in shifts]


def _mirrored(listed: Sequence[Booklet], questions: int) -> Sequence[Booklet]:
    """Return sets with those of the questions in the other order, where only so any three are asked together.

    Both lists ask any two together equally often, and so do both of them as one.
    """
    other = [tuple(sorted(questions - 1 - position for position in booklet)) for booklet in listed]
    both = [*listed, *other]
    threes = {three for booklet in both for three in itertools.combinations(booklet, MOST_TOGETHER)}
    return both if len(threes) == math.comb(questions, MOST_TOGETHER) and len(both) <= _FEW_SETS else listed
