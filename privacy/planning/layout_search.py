"""Search for the best layout of disguised questions, under two ceilings on how sure an attacker can become.

Three kinds of layout are compared: the starred questions in a block of their own and the others in a second
one; all questions in one block of which each person is asked some, always with the starred ones; and a block
for each question, of which each person is asked some. Disguised numbers keep blocks of their own, and share
the odds with the layout at several levels.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final

from privacy import validation
from privacy.coins import SCALE
from privacy.errors import PrivacyError
from privacy.planning.layouts import (
    AskedNumber,
    AskedQuestion,
    Kind,
    LaidPart,
    Layout,
    Protection,
    Wanted,
    largest_truth,
)
from privacy.survey.booklets import MOST_TOGETHER, Booklet, balanced_booklets

__all__ = ["best_layout"]

_FEW_SETS: Final = 20
"""Largest number of question sets: the set drawn is sent in the clear, and a rare one identifies people."""

_LEVELS: Final = 12
"""Shares of the odds that are tried for the block of the starred questions."""


def best_layout(
    kinds: Sequence[AskedQuestion],
    *,
    wanted: Wanted,
    protection: Protection,
    skips: bool,
    numbers: Sequence[AskedNumber] = (),
    held: str = "",
) -> Layout | None:
    """Return the best layout within two ceilings; None where the ceilings leave no room for one.

    A layout of which every figure can be shown, within 25 points, comes before any other. Then the starred
    questions decide until they are useful: a share within 10 points, or a difference of 30 points found 8
    times in 10. From there on variances decide, the mean over the starred questions counting as much as the
    mean over the others.

    Parameters
    ----------
    kinds : sequence of AskedQuestion
    wanted : Wanted
    protection : Protection
        What the rest of the survey leaves of the odds.
    skips : bool
        Whether each block may be skipped.
    numbers : sequence of AskedNumber, optional
    held : str, optional
        `Layout.key` of the layout so far. It is replaced only where no starred figure and not the worst of
        the others becomes worse, unless it leaves a figure that cannot be shown.

    Raises
    ------
    PrivacyError
        ``out_of_range``: neither questions nor numbers, or too many; ``ceilings``: odds of 1 or less.

    Examples
    --------
    Eight yes/no questions, 400 people, 80% and 95%: each person is asked four of them at p = .529, and each
    share is known within 13.1 points.

    >>> both = Protection(everything=Fraction(19), answer=Fraction(4))
    >>> wanted = Wanted(n=400, questions=(), shares=(.5,) * 8)
    >>> best = best_layout([AskedQuestion()] * 8, wanted=wanted, protection=both, skips=False)
    >>> best.kind, best.per_person, best.parts[0].truth, best.people_needed
    ('rotating', 4, 5294, 200)
    >>> round(100 * best.half_widths[0], 1)
    13.1
    """
    validation.whole_number(len(kinds) + len(numbers), "number of questions", low=1, high=60)
    if protection.everything <= 1 or protection.answer <= 1:
        raise PrivacyError("ceilings", float(min(protection.everything, protection.answer)))
    search = _Search(
        kinds=tuple(kinds), wanted=wanted, protection=protection, skips=skips, numbers=tuple(numbers)
    )
    found = list(search.layouts())
    useful = [layout for layout in found if layout.is_useful]
    among = useful or found
    former = next((layout for layout in among if layout.is_as(held)), None)
    return min(
        (layout for layout in among if former is None or layout.is_no_worse(former)),
        key=lambda layout: layout.rank,
        default=None,
    )


@dataclass(frozen=True, kw_only=True)
class _Search:
    """The questions that are laid out, and the ceilings."""

    kinds: tuple[AskedQuestion, ...]
    wanted: Wanted
    protection: Protection
    skips: bool
    numbers: tuple[AskedNumber, ...]
    _shapes: dict[tuple[Booklet, Booklet, int], _Shape | None] = field(default_factory=dict)

    def layouts(self) -> Iterator[Layout]:
        """Yield every layout that is compared."""
        for level in range(max((len(number.levels) for number in self.numbers), default=1)):
            spent = math.prod(
                (number.levels[min(level, len(number.levels) - 1)][0] for number in self.numbers),
                start=Fraction(1),
            )
            left = self.protection.everything / spent
            if not self.kinds and left >= 1:
                yield self._made("numbers", (), number_level=level)
            elif self.kinds and left > 1:
                yield from self._laid_out(left, level)

    def _laid_out(self, left: Fraction, number_level: int) -> Iterator[Layout]:
        total, starred = len(self.kinds), self.wanted.questions
        for per_person in range(max(len(starred), 1), total + 1):
            shape = self._shape(tuple(range(total)), starred, per_person)
            if shape is not None and (part := shape.part(left)) is not None:
                yield self._made("rotating", (part,), per_person=per_person, number_level=number_level)
        others = tuple(number for number in range(total) if number not in starred)
        if starred and others:
            yield from self._alone(starred, others, left, number_level)
        for per_person in range(1, total + 1):
            if total > 1 and math.comb(total, per_person) <= _FEW_SETS:
                yield from self._in_turn(per_person, left, number_level)

    def _alone(
        self, starred: tuple[int, ...], others: tuple[int, ...], odds: Fraction, number_level: int
    ) -> Iterator[Layout]:
        own_shape = self._shape(starred, starred, len(starred))
        shapes = {each: self._shape(others, (), each) for each in range(1, len(others) + 1)}
        for level in range(_LEVELS, 0, -1):
            share = Fraction(_root(odds, level / _LEVELS)).limit_denominator(10**6)
            own = own_shape.part(share) if own_shape else None
            if own is None or own_shape is None:
                continue
            left = odds / own_shape.odds(own.truth)
            for per_person, shape in shapes.items():
                rest = shape.part(left) if shape and left > 1 else None
                if rest is not None:
                    yield self._made(
                        "alone", (own, rest), per_person=per_person, level=level, number_level=number_level
                    )

    def _in_turn(self, per_person: int, odds: Fraction, number_level: int) -> Iterator[Layout]:
        each = Fraction(_root(odds, 1 / per_person)).limit_denominator(10**6)
        shapes = [self._shape((number,), (), 1) for number in range(len(self.kinds))]
        parts = [shape.part(each) if shape else None for shape in shapes]
        whole = tuple(part for part in parts if part is not None)
        if len(whole) == len(parts):
            yield self._made(
                "in_turn",
                whole,
                per_person=per_person,
                parts_per_person=per_person if per_person < len(parts) else None,
                number_level=number_level,
            )

    def _made(self, kind: Kind, parts: tuple[LaidPart, ...], **stated: Any) -> Layout:
        return Layout(
            kind=kind, kinds=self.kinds, parts=parts, wanted=self.wanted, numbers=self.numbers, **stated
        )

    def _shape(self, questions: tuple[int, ...], always: tuple[int, ...], per_person: int) -> _Shape | None:
        """Return a block of which each person is asked so many questions; None without a list of sets."""
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
        rarest = min(math.prod((kinds[at].rarest for at in each), start=Fraction(1)) for each in sets)
        refusal = None
        if self.skips:
            rows = min(math.prod(kinds[at].patterns for at in each) for each in sets)
            refusal = -(-SCALE // (1 + rows))
            skipped = Fraction(refusal, SCALE)
            rarest = min(skipped, (1 - skipped) * rarest)
        return _Shape(
            questions=questions,
            booklets=booklets,
            refusal=refusal,
            rarest=rarest,
            most=self.protection.truth_of_one(min(kind.rarest for kind in kinds), refusal=refusal or 0),
        )


@dataclass(frozen=True, kw_only=True)
class _Shape:
    """A block before odds are spent on it.

    `rarest` is the probability of its least likely random row, a skip included; `most` the largest p, in
    ten-thousandths, that one answer allows.
    """

    questions: tuple[int, ...]
    booklets: tuple[Booklet, ...] | None
    refusal: int | None
    rarest: Fraction
    most: int

    def part(self, odds: Fraction) -> LaidPart | None:
        """Return the block with the largest p within odds; None where that is less than a ten-thousandth."""
        truth = min(largest_truth(max((odds - 1) * self.rarest, Fraction(0))), self.most)
        if truth < 1:
            return None
        return LaidPart(questions=self.questions, truth=truth, refusal=self.refusal, booklets=self.booklets)

    def odds(self, truth: int) -> Fraction:
        """Return the largest odds of one report, 1 + p / ((1 - p) q), q the least likely random row's."""
        p = Fraction(truth, SCALE)
        return 1 + p / (1 - p) / self.rarest


def _root(odds: Fraction, share: float) -> float:
    """Return odds to a power, rounded down so that a product of them stays below."""
    return math.exp(share * math.log(odds)) * (1 - 1e-12)


@lru_cache(maxsize=1024)
def _booklets(
    questions: tuple[int, ...], always: tuple[int, ...], per_person: int
) -> tuple[Booklet, ...] | None:
    """Return sets of the starred questions and some others, each other equally often; None without a list."""
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
