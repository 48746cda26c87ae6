"""Compute the variance of supports where questions are asked in parts, some of them in turn.

At uniform truth and per respondent, as in `privacy.planning.efficiency`: divide by n.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass

from privacy import validation
from privacy.channels.near_truth import ball_size, krawtchouk
from privacy.policy import LEAST_FACTOR

__all__ = ["AskedPart", "AskedQuestion", "mean_variance", "variance_of_size"]

Turns = tuple[tuple[int, ...], int]
"""Parts by their numbers, and how many of them each person is asked."""


@dataclass(frozen=True, kw_only=True)
class AskedQuestion:
    """The items of a question with a coin: one of a yes/no question, else one of each option.

    Parameters
    ----------
    items : int
        1, or the number of options.
    exclusive : bool
        Whether exactly one of the options is the answer, as of a choice of one.
    unrelated : tuple of float, optional
        Chance of each item among decoys; all answers are drawn equally often where it is left out.

    Examples
    --------
    A choice of one among three options has three answers, of several among three eight.

    >>> AskedQuestion(items=3, exclusive=True).patterns, AskedQuestion(items=3).patterns
    (3, 8)
    """

    items: int = 1
    exclusive: bool = False
    unrelated: tuple[float, ...] | None = None

    def __post_init__(self) -> None:
        """Refuse numbers outside their ranges."""
        validation.whole_number(self.items, "number of items", low=1 + self.exclusive, high=500)

    @property
    def patterns(self) -> int:
        """Number of answers that it can have."""
        return self.items if self.exclusive else 2**self.items

    @property
    def share(self) -> float:
        """Share of each item where all answers are equally likely."""
        return 1 / self.items if self.exclusive else 0.5

    @property
    def decoys(self) -> tuple[float, ...]:
        """Chance of each item among decoys."""
        return self.unrelated or (self.share,) * self.items

    @property
    def rarest(self) -> float:
        """Chance of the least likely answer among decoys."""
        if self.exclusive:
            return min(self.decoys)
        return math.prod(min(share, 1 - share) for share in self.decoys)

    def sets(self, weights: Sequence[float], size: int) -> list[float]:
        """Return by size the sum over sets of items that can be true together of the product of weights."""
        if self.exclusive:
            return [1.0, math.fsum(weights), *[0.0] * size][: size + 1]
        total = [1.0] + [0.0] * size
        for weight in weights:
            total = _times(total, [1.0, weight])
        return total


@dataclass(frozen=True, kw_only=True)
class AskedPart:
    """Questions that share a coin, and how many of them each person is asked.

    Parameters
    ----------
    questions : int
        m.
    truth : float, in (0, 1]
        p.
    per_person : int, optional
        j of the m, all sets of j equally likely; everybody is asked all where it is left out.
    unrelated : float
        theta, alike for all questions, with which a part is disguised of which everybody is asked all; where
        questions rotate decoys are taken to be fair coins.
    inverse_shares : tuple of float, optional
        Where the sets asked are a list: for 1, 2, ... questions the mean over all sets of so many of
        1 / share of people who are asked them together.
    kinds : tuple of AskedQuestion, optional
        What is asked; all are yes/no questions where it is left out, and then `unrelated` counts.
    radius : int, optional
        Of yes/no questions with fair coins: with chance p a row is sent that differs from the true one in at
        most so many answers; see `privacy.channels.near_truth`. 0, and None, send the true row.

    Examples
    --------
    A choice of one among three beside a yes/no question, all asked at p = 1/2: a share of 1/3 has the
    variance (1/3)(2/3) / p^2 = 8/9, one of 1/2 has 1, and their mean over the four items is 11/12.

    >>> kinds = AskedQuestion(items=3, exclusive=True), AskedQuestion()
    >>> part = AskedPart(questions=2, truth=.5, kinds=kinds)
    >>> round(12 * variance_of_size([part], 1), 12), part.patterns
    (11.0, 6)
    """

    questions: int
    truth: float
    per_person: int | None = None
    unrelated: float = 0.5
    inverse_shares: tuple[float, ...] | None = None
    kinds: tuple[AskedQuestion, ...] | None = None
    radius: int | None = None

    def __post_init__(self) -> None:
        """Refuse numbers outside their ranges."""
        validation.whole_number(self.questions, "number of questions", low=1, high=500)
        validation.real_number(self.truth, "truth probability", low=0, high=1, open_ends=False)
        if self.per_person is not None:
            validation.whole_number(
                self.per_person, "questions asked of a person", low=1, high=self.questions
            )
        if self.kinds is not None:
            validation.whole_number(
                len(self.kinds), "number of kinds", low=self.questions, high=self.questions
            )
        if self.radius is not None:
            validation.whole_number(self.radius, "radius", low=0, high=self.together - 1, code="radius")

    @property
    def asked_questions(self) -> tuple[AskedQuestion, ...]:
        """What is asked, question by question."""
        return self.kinds or (AskedQuestion(unrelated=(self.unrelated,)),) * self.questions

    @property
    def together(self) -> int:
        """Number of questions that one person is asked."""
        return self.per_person or self.questions

    @property
    def patterns(self) -> int:
        """Largest number of answers to the questions that one person is asked, a skip left aside."""
        largest = sorted((question.patterns for question in self.asked_questions), reverse=True)
        return math.prod(largest[: self.together])

    @property
    def ball(self) -> int:
        """Number of rows that are sent for one true row where it is not decoys: 1 but for rows near it."""
        return ball_size(self.together, self.radius or 0)

    def factor(self, size: int) -> float:
        """Return b_a, by which what so many questions tell together is shrunk; p where no row is near."""
        return self.truth * _shrinking(self.together, self.radius, size) if self.radius else self.truth

    def inverse_share(self, size: int) -> float:
        """Return 1 / f of so many questions, f the share of people who are asked them together."""
        if self.inverse_shares is not None:
            return self.inverse_shares[size - 1] if size <= len(self.inverse_shares) else math.inf
        per_person = self.questions if self.per_person is None else self.per_person
        if size > per_person:
            return math.inf
        return math.comb(self.questions, per_person) / math.comb(self.questions - size, per_person - size)

    def sums(self, size: int) -> tuple[list[float], list[float]]:
        """Return by size, over all sets of items of the part, sums of the truth's squares and of the excess.

        Returns
        -------
        tuple of list of float
            The sum of mu^2, mu the share of "all of them" at uniform truth; and that of E z^2 - mu^2. Both
            times 4 for each item.

        Notes
        -----
        Where all are asked z = ([all shown] - d)/p with d = (1 - p) theta, theta the chance of "all of them"
        among decoys, and p^2 E z^2 = p mu + (1 - p) theta - 2 p (1 - p) mu theta - ((1 - p) theta)^2.
        Where questions rotate E z^2 - mu^2 is the sum of v_A / (f_A b_A^2) over the sets A of questions that
        are touched, v the variance of their items within the truth times the squared shares of the others,
        b = p but for rows near the true one; these need fair coins, of which the same holds unrotated.
        """
        p = self.truth
        if self.per_person is None and not self.radius:
            squares, terms = _asked_all(self.asked_questions, size)
            shares = (p, 1 - p, -2 * p * (1 - p), -((1 - p) ** 2))
            seconds = [
                math.fsum(share * term[k] for share, term in zip(shares, terms, strict=True)) / p**2
                for k in range(1, size + 1)
            ]
            return squares, [0.0] + [a - b for a, b in zip(seconds, squares[1:], strict=True)]
        squares, *touched = _asked_some(self.asked_questions, size)
        weighted = [(poly, self.excess(count)) for count, poly in enumerate(touched, 1)]
        return squares, [
            math.fsum(poly[k] * excess for poly, excess in weighted if poly[k]) for k in range(size + 1)
        ]

    def excess(self, size: int) -> float:
        """Return 1 / (f b^2) of so many questions with fair coins; infinite where they are out of reach."""
        factor = self.factor(size) if size <= self.together else 0.0
        out = abs(factor) < LEAST_FACTOR if self.radius else not factor
        return math.inf if out else self.inverse_share(size) / factor**2

    def variance(self, size: int) -> float:
        """Return n times the variance of a support of so many of its yes/no questions, with fair coins.

        Notes
        -----
        4^-k sum_{a=1..k} C(k, a) / (f_a b_a^2) for k items.
        """
        return math.fsum(math.comb(size, a) * self.excess(a) for a in range(1, size + 1)) / 4.0**size

    def mean_variance(self, sizes: Sequence[int]) -> float:
        """Return the mean of `variance` over these sizes."""
        return math.fsum(map(self.variance, sizes)) / len(sizes)


def variance_of_size(parts: Sequence[AskedPart], size: int, *, rotations: Sequence[Turns] = ()) -> float:
    """Return n times the variance of a support of so many items, the mean over all sets of so many questions.

    Parameters
    ----------
    parts : sequence of AskedPart
    size : int
    rotations : sequence of (tuple of int, int)
        Parts by their numbers, and how many of these each person is asked, all sets alike. Numbers beyond the
        parts are slots of what has no items.

    Returns
    -------
    float
        Infinite where nobody is asked some of these sets.

    Notes
    -----
    A support is 2^-k times the signed sum of the coefficients of its subsets. Parts draw independently, so
    variances of coefficients multiply over parts, but for 1/f of parts that rotate: C(B, a)/C(B - t, a - t)
    for t of B parts of which a are asked.

    Examples
    --------
    Two parts of one question with p = 1/2: a share has 1/4 / p^2 = 1, their pair (1 + 4)(1 + 4)/16 - 1/16.

    >>> coins = [AskedPart(questions=1, truth=.5)] * 2
    >>> variance_of_size(coins, 1), variance_of_size(coins, 2)
    (1.0, 1.5)

    Two of three questions at e^eps = 5.

    >>> [round(variance_of_size([AskedPart(questions=3, truth=.5, per_person=2)], k), 12) for k in (1, 2, 3)]
    [1.5, 1.5, inf]
    """
    return _variances(parts, (size,), rotations)[0]


def mean_variance(
    parts: Sequence[AskedPart], sizes: Sequence[int], *, rotations: Sequence[Turns] = ()
) -> float:
    """Return the mean of `variance_of_size` over these sizes.

    Parameters
    ----------
    parts : sequence of AskedPart
        Of the design.
    sizes : sequence of int
        Of itemsets, 1 or more each.
    rotations : sequence of Turns, optional
        Parts of which a device asks some.
    """
    return math.fsum(_variances(parts, sizes, rotations)) / len(sizes)


def _variances(
    parts: Sequence[AskedPart], sizes: Sequence[int], rotations: Sequence[Turns]
) -> tuple[float, ...]:
    """Return `variance_of_size` of each size: the sums of the largest hold those of all smaller ones."""
    size = max(sizes)
    turns = {
        number: position for position, (numbers, _per_person) in enumerate(rotations) for number in numbers
    }
    squares, sets = _of_the_truth(tuple(part.asked_questions for part in parts), size)
    # Sums over sets of k items of the product of mu^2 + excess: outside of rotations, and of each rotation by
    # how many of its parts a coefficient touches.
    total = nothing = [1.0] + [0.0] * size
    touched: list[list[list[float]]] = [[nothing] for _rotation in rotations]
    # Many parts are one object.
    sums: dict[int, tuple[list[float], list[float]]] = {}
    for number, part in enumerate(parts):
        if id(part) not in sums:
            sums[id(part)] = part.sums(size)
        plain, excess = sums[id(part)]
        if number not in turns:
            total = _times(total, [a + b for a, b in zip(plain, excess, strict=True)])
            continue
        before = touched[turns[number]]
        after = [_times(poly, plain) for poly in before] + [[0.0] * (size + 1)]
        for count, poly in enumerate(before):
            after[count + 1] = [a + b for a, b in zip(after[count + 1], _times(poly, excess), strict=True)]
        # More parts than items are never touched.
        touched[turns[number]] = after[: size + 1]
    for (numbers, per_person), polys in zip(rotations, touched, strict=True):
        together = [0.0] * (size + 1)
        for count, poly in enumerate(polys):
            share = math.comb(len(numbers) - count, per_person - count) if count <= per_person else 0
            inverse = math.comb(len(numbers), per_person) / share if share else math.inf
            together = [a + (b * inverse if b else 0.0) for a, b in zip(together, poly, strict=True)]
        total = _times(total, together)
    return tuple((total[k] - squares[k]) / sets[k] / 4.0**k for k in sizes)


@functools.lru_cache(maxsize=256)
def _of_the_truth(parts: tuple[tuple[AskedQuestion, ...], ...], size: int) -> tuple[list[float], list[float]]:
    """Return by size the sum of mu^2 over sets of items, times 4 for each, and how many sets there are."""
    squares = sets = [1.0] + [0.0] * size
    for questions in parts:
        plain = [1.0] + [0.0] * size
        for question in questions:
            plain = _times(plain, question.sets([4 * question.share**2] * question.items, size))
            sets = _times(sets, question.sets([1.0] * question.items, size))
        squares = _times(squares, plain)
    return squares, sets


@functools.lru_cache(maxsize=4096)
def _shrinking(together: int, radius: int, size: int) -> float:
    """Return b_a / p of rows within a radius of the true one."""
    signed = sum(krawtchouk(weight, size, together) for weight in range(radius + 1))
    return signed / ball_size(together, radius)


@functools.lru_cache(maxsize=256)
def _asked_all(questions: tuple[AskedQuestion, ...], size: int) -> tuple[list[float], list[list[float]]]:
    """Return sums over sets of items, by size: of mu^2, and of mu, theta, mu theta, theta^2; each 4^size."""
    squares, terms = [1.0] + [0.0] * size, [[1.0] + [0.0] * size for _term in range(4)]
    for question in questions:
        mu, thetas = question.share, question.decoys
        weights = [mu] * len(thetas), thetas, [mu * each for each in thetas], [each**2 for each in thetas]
        squares = _times(squares, question.sets([4 * mu**2] * len(thetas), size))
        terms = [
            _times(term, question.sets([4 * weight for weight in each], size))
            for term, each in zip(terms, weights, strict=True)
        ]
    return squares, terms


@functools.lru_cache(maxsize=256)
def _asked_some(questions: tuple[AskedQuestion, ...], size: int) -> list[list[float]]:
    """Return sums over sets of items, by size, with 0, 1, ... questions of which a coefficient touches items.

    A question whose items are touched weighs mu - mu^2, the others mu^2; each 4^size.
    """
    polynomials = [[1.0] + [0.0] * size]
    for question in questions:
        whole = question.sets([4 * question.share] * question.items, size)
        plain = question.sets([4 * question.share**2] * question.items, size)
        varying = [a - b for a, b in zip(whole, plain, strict=True)]
        after = [_times(poly, plain) for poly in polynomials] + [[0.0] * (size + 1)]
        for count, poly in enumerate(polynomials):
            after[count + 1] = [a + b for a, b in zip(after[count + 1], _times(poly, varying), strict=True)]
        # More questions than items are never touched.
        polynomials = after[: size + 1]
    return polynomials


def _times(first: Sequence[float], other: Sequence[float]) -> list[float]:
    """Return the product of two polynomials, as long as the first one is."""
    return [
        math.fsum(first[k - i] * other[i] for i in range(min(k + 1, len(other))) if first[k - i] and other[i])
        for k in range(len(first))
    ]
