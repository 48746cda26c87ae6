"""Choose how many of some questions each person is asked: fewer people, or less epsilon, as precise.

Questions that are asked together share a coin; with its chance the true row is sent or, of yes/no questions
without a skip, a row near it. All is at uniform truth, for the mean over supports of one item up to the
largest that is wanted.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from privacy import validation
from privacy.coins import SCALE
from privacy.planning.efficiency import least_variance
from privacy.planning.part_variance import AskedPart, AskedQuestion, variance_of_size
from privacy.policy import LEAST_COMPLETE_ROWS, LEAST_FACTOR, LEAST_SAVED
from privacy.risk.row_distribution import MOST_NEAR_ASKED

__all__ = [
    "LARGEST_SIZE",
    "BetterDesign",
    "better_design",
    "least_epsilon",
    "odds_of_one",
    "people_for_complete_rows",
]

LARGEST_SIZE: Final = 3
_STEPS: Final = 100
"""Epsilon is searched in hundredths."""


@dataclass(frozen=True, kw_only=True)
class BetterDesign:
    """Parts as they are, beside the best design that asks each person some of their questions.

    Parameters
    ----------
    n : int
        Respondents whom the parts are planned for.
    epsilon : float
        Of the parts as they are.
    sizes : tuple of int
        Of the supports that count.
    variances, rotating_variances : tuple of float
        n times the variance of supports of one, two and three items: as it is, and of `rotating`; infinite
        where nobody is asked so many together.
    rotating : AskedPart or None
        All questions in one part at the same epsilon, or less where a ceiling is to be kept: the most precise
        of those for which n is enough; None where there is none within the ceilings.
    rotating_epsilon : float
        Its epsilon; infinite where there is none.
    equal : AskedPart or None
        The design that is for each size as precise as the parts are with the least epsilon, n being enough.
    equal_epsilon : float
        That epsilon, rounded up to hundredths.
    ceiling : float
        Epsilon that `rotating` may have: that of the parts, or the ceiling where that is less.
    bound : float
        n times the least mean variance of any design of that epsilon; 0 where no bound is known, as of
        choices.
    odds, rotating_odds : float
        How many times likelier the answer sent to one asked question is from those of whom it is true, at
        most, as it is and with `rotating`.
    near : bool
        Whether rows near the true one were searched.

    Notes
    -----
    Variances are per respondent, so that the ratio of two is the ratio of people for the same errors.
    """

    n: int
    epsilon: float
    sizes: tuple[int, ...]
    variances: tuple[float, ...]
    rotating_variances: tuple[float, ...]
    rotating: AskedPart | None
    rotating_epsilon: float
    equal: AskedPart | None
    equal_epsilon: float
    ceiling: float
    bound: float
    odds: float
    rotating_odds: float
    near: bool = False

    @property
    def mean(self) -> float:
        """n times the mean variance as it is."""
        return self._mean_of(self.variances)

    @property
    def rotating_mean(self) -> float:
        """n times the mean variance of `rotating`; infinite where there is none."""
        return self._mean_of(self.rotating_variances)

    def _mean_of(self, variances: tuple[float, ...]) -> float:
        return math.fsum(variances[size - 1] for size in self.sizes) / len(self.sizes)

    @property
    def is_capped(self) -> bool:
        """Whether `rotating` must have less epsilon than the parts as they are."""
        return self.ceiling < self.epsilon

    @property
    def saves(self) -> bool:
        """Whether enough people are saved, or enough epsilon, for the change to be worth while."""
        most = 1 - LEAST_SAVED
        return self.people <= most * self.n or self.equal_epsilon <= most * self.epsilon

    @property
    def people(self) -> float:
        """How many respondents `rotating` needs so that no size has larger errors than with the parts.

        At least as many as leave enough who were asked all items of the largest itemset; infinite where there
        is no such design.
        """
        if self.rotating is None:
            return math.inf
        needed = self.n * max(
            self.rotating_variances[size - 1] / self.variances[size - 1] for size in self.sizes
        )
        complete = people_for_complete_rows(self.rotating, max(self.sizes))
        return max(math.ceil(needed - 1e-9), complete) if math.isfinite(needed + complete) else math.inf

    @property
    def least_people(self) -> int:
        """Below how many respondents no design of this epsilon has the mean variance of the parts with n."""
        return max(1, math.ceil(self.n * self.bound / self.mean - 1e-9))


@dataclass(frozen=True, kw_only=True)
class _Shape:
    """What is asked of each person, its p left open, and what is needed to choose it quickly.

    Attributes
    ----------
    part : AskedPart
        With p = 1.
    rows : float
        Decoy rows for each row within the radius.
    most : float
        p that keeps the odds of one question, at most.
    weights : tuple of float
        The variance of each size at p = 1; that at p is it divided by p^2.
    least : float
        p below which some set of the sizes is out of reach.
    """

    part: AskedPart
    rows: float
    most: float
    weights: tuple[float, ...]
    least: float

    @classmethod
    def of(cls, part: AskedPart, sizes: Sequence[int], *, skips: bool, most_odds: float) -> _Shape:
        """Return the shape of a part with p = 1."""
        most = 1.0
        if math.isfinite(most_odds) and part.radius:
            most = (most_odds - 1) / (most_odds + 1) / part.factor(1)
        elif math.isfinite(most_odds):
            rest = (most_odds - 1) * _rarest(part)
            most = rest / (1 + rest)
        patterns = 2**part.together if part.kinds is None else part.patterns
        reach = range(1, max(sizes) + 1) if part.radius else ()
        least = min((abs(part.factor(size)) for size in reach), default=0.0)
        return cls(
            part=part,
            rows=(patterns + skips) / part.ball,
            most=most,
            weights=_by_size(part, sizes),
            least=LEAST_FACTOR / least if least else 0.0,
        )

    def truth(self, epsilon: float) -> float:
        """Return the largest p within an epsilon and the odds, rounded down to ten-thousandths."""
        gain = math.expm1(epsilon)
        return math.floor(min(gain / (gain + self.rows), self.most) * SCALE + 1e-9) / SCALE

    def variance(self, truth: float) -> float:
        """Return the mean variance at p."""
        weight = math.fsum(self.weights) / len(self.weights)
        return weight / truth**2 if self.is_in_reach(truth) else math.inf

    def is_in_reach(self, truth: float) -> bool:
        """Return whether p leaves no set of the sizes out of reach."""
        return truth > 0 and truth >= self.least

    def is_precise(self, truth: float, variances: Sequence[float]) -> bool:
        """Return whether no size has a larger variance at p than it may have."""
        return self.is_in_reach(truth) and all(
            weight <= most * truth**2 * (1 + 1e-12)
            for weight, most in zip(self.weights, variances, strict=True)
        )


def odds_of_one(part: AskedPart) -> float:
    """Return the largest likelihood ratio of one answer, true against not; skips aside.

    Notes
    -----
    1 + p / ((1 - p) q) with q the least likely decoy answer to one question: (1 + p)/(1 - p) of a yes/no
    question with fair decoys, and (1 + b)/(1 - b) with b = b_1 of rows near the true one.

    Examples
    --------
    >>> odds_of_one(AskedPart(questions=3, truth=.5))
    3.0
    """
    if part.radius:
        factor = abs(part.factor(1))
        return (1 + factor) / (1 - factor) if factor < 1 else math.inf
    return 1 + part.truth / (1 - part.truth) / _rarest(part) if part.truth < 1 else math.inf


def _rarest(part: AskedPart) -> float:
    """Return the chance of the least likely decoy answer to one question of a part."""
    evenly = part.per_person is not None
    if part.kinds is None:
        return 0.5 if evenly else min(part.unrelated, 1 - part.unrelated)
    return min(1 / question.patterns if evenly else question.rarest for question in part.asked_questions)


def better_design(
    parts: Sequence[AskedPart],
    epsilon: float,
    *,
    n: int,
    largest: int = 2,
    skips: bool = False,
    most_epsilon: float = math.inf,
    most_odds: float = math.inf,
    near: bool = True,
) -> BetterDesign:
    """Compare parts with the best design of one epsilon that asks each person some of their questions.

    Questions of several kinds stand in one part too, all of their answers drawn equally often.

    Parameters
    ----------
    parts : sequence of AskedPart
        As they are, of at most 60 questions together.
    epsilon : float
        Of all of them together.
    n : int
        Respondents.
    largest : int
        Supports of one item up to so many count alike, at most 3.
    skips : bool
        Whether the rotating part can be skipped.
    most_epsilon : float
        Of one person in the design that is proposed, whose questions all share a coin, at most; never more
        than `epsilon`.
    most_odds : float
        Of one question that somebody was asked, at most, for the design that is proposed.
    near : bool
        Whether rows near the true one are searched too; they go with yes/no questions and no skip only.

    Raises
    ------
    PrivacyError
        ``out_of_range``: there are fewer questions than the largest itemset has items, or more than 60.

    Examples
    --------
    Ten questions in five parts of two at a total epsilon of 3. Three of ten are the most precise. Of 6,366
    people 1,243 would be as precise of shares, and fewer of pairs, but a hundred must be asked each pair.

    >>> gain = math.expm1(3 / 5)
    >>> parts = [AskedPart(questions=2, truth=gain / (gain + 4))] * 5
    >>> for n in (1_000_000, 6_366):
    ...     better = better_design(parts, 3, n=n, near=False)
    ...     print(better.rotating.per_person, better.people, better.least_people, better.equal_epsilon)
    3 195159 35306 1.25
    3 1500 225 1.25

    Where one answer may have odds of 3 at most, six of ten with at most one of them changed are better.

    >>> better = better_design(parts, 3, n=1_000_000, most_odds=3)
    >>> better.rotating.per_person, better.rotating.radius, round(better.rotating_mean, 2)
    (6, 1, 2.46)
    """
    questions = sum(part.questions for part in parts)
    size = validation.whole_number(largest, "largest itemset", low=1, high=LARGEST_SIZE)
    validation.whole_number(questions, "number of questions", low=size, high=60)
    sizes = tuple(range(1, size + 1))
    own = [variance_of_size(parts, size) for size in sizes]
    ceiling = min(epsilon, most_epsilon)
    kinds = _kinds(parts)
    respondents = validation.number_of_rows(n)
    is_near = near and not skips and kinds is None
    shapes = [
        _Shape.of(part, sizes, skips=skips, most_odds=most_odds)
        for part in _parts(questions, size, respondents, kinds, near=is_near)
    ]

    def precise(most: float) -> list[_Shape]:
        return [shape for shape in shapes if shape.is_precise(shape.truth(most), own)]

    def is_precise(most: float) -> bool:
        return bool(precise(most))

    rotating, equal_epsilon = _most_precise(shapes, ceiling), least_epsilon(is_precise, ceiling)
    return BetterDesign(
        n=respondents,
        epsilon=epsilon,
        sizes=sizes,
        variances=_variances(parts),
        rotating_variances=_variances([rotating]) if rotating else (math.inf,) * LARGEST_SIZE,
        rotating=rotating,
        rotating_epsilon=_epsilon(rotating, skips=skips),
        equal=_most_precise(precise(equal_epsilon), equal_epsilon) if math.isfinite(equal_epsilon) else None,
        equal_epsilon=equal_epsilon,
        ceiling=ceiling,
        bound=0.0 if kinds else least_variance(questions, ceiling, sizes=sizes),
        odds=max(map(odds_of_one, parts)),
        rotating_odds=odds_of_one(rotating) if rotating else math.inf,
        near=is_near,
    )


def people_for_complete_rows(part: AskedPart, size: int) -> float:
    """Return how many people it takes until so many questions were asked together of enough of them.

    Examples
    --------
    >>> part = AskedPart(questions=10, truth=.5, per_person=4)
    >>> [people_for_complete_rows(part, size) for size in (2, 3)]
    [750, 3000]
    """
    inverse = part.inverse_share(size)
    return math.ceil(LEAST_COMPLETE_ROWS * inverse - 1e-6) if math.isfinite(inverse) else math.inf


def _parts(
    questions: int, size: int, n: int, kinds: tuple[AskedQuestion, ...] | None, *, near: bool
) -> list[AskedPart]:
    """Return what can be asked of so many people, with p = 1.

    Everybody is asked all only with rows near the true one: else that is the design of before.
    """
    rotating = [
        part
        for drawn in range(size, questions + 1)
        if people_for_complete_rows(
            part := AskedPart(questions=questions, truth=1.0, per_person=drawn, kinds=kinds), size
        )
        <= n
    ]
    auditable = (part for part in rotating if part.together <= MOST_NEAR_ASKED)
    radii = [
        replace(part, radius=radius) for part in auditable for radius in range(1, part.together // 2 + 1)
    ]
    reached = [part for part in radii if math.isfinite(max(map(part.excess, range(1, size + 1))))]
    return [*(part for part in rotating if part.together < questions), *(reached if near else ())]


def _kinds(parts: Sequence[AskedPart]) -> tuple[AskedQuestion, ...] | None:
    """Return the questions of parts, drawn evenly; None where all of them are yes/no questions."""
    questions = tuple(
        replace(question, unrelated=None) for part in parts for question in part.asked_questions
    )
    return None if all(question == AskedQuestion() for question in questions) else questions


def _most_precise(shapes: Sequence[_Shape], epsilon: float) -> AskedPart | None:
    """Return the most precise design with so much epsilon; None where nothing can be estimated."""
    truths = [shape.truth(epsilon) for shape in shapes]
    variances = [shape.variance(truth) for shape, truth in zip(shapes, truths, strict=True)]
    best = min(range(len(variances)), key=variances.__getitem__, default=None)
    if best is None or math.isinf(variances[best]):
        return None
    return replace(shapes[best].part, truth=truths[best])


def least_epsilon(is_precise: Callable[[float], bool], most: float) -> float:
    """Return the least epsilon in hundredths that is precise enough; infinite where `most` is not.

    More epsilon is never less precise, and none at all never precise enough.
    """
    steps = math.floor(most * _STEPS + 1e-9)
    if not is_precise(steps / _STEPS):
        return math.inf
    return bisect_left(range(steps), True, lo=1, key=lambda step: is_precise(step / _STEPS)) / _STEPS


def _variances(parts: Sequence[AskedPart]) -> tuple[float, ...]:
    questions = sum(part.questions for part in parts)
    return tuple(
        variance_of_size(parts, size) if size <= questions else math.inf
        for size in range(1, LARGEST_SIZE + 1)
    )


def _epsilon(part: AskedPart | None, *, skips: bool) -> float:
    if part is None or part.per_person is None:
        return math.inf
    return math.log1p(part.truth / (1 - part.truth) * (part.patterns + skips) / part.ball)


def _by_size(part: AskedPart, sizes: Sequence[int]) -> tuple[float, ...]:
    """Return the variance of each size of one part; of yes/no questions by the closed form."""
    if part.kinds is not None:
        return tuple(variance_of_size([part], size) for size in sizes)
    return tuple(map(part.variance, sizes))
