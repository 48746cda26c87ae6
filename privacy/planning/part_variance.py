"""Compute the variance of supports where questions are asked in parts, some of them in turn.

At uniform truth and per respondent, as in `privacy.planning.efficiency`: divide by n.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from privacy import validation

__all__ = ["AskedPart", "mean_variance", "variance_of_size"]

Turns = tuple[tuple[int, ...], int]
"""Parts by their numbers, and how many of them each person is asked."""


@dataclass(frozen=True, kw_only=True)
class AskedPart:
    """Yes/no questions that share a coin, and how many of them each person is asked.

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

    Examples
    --------
    Two questions asked at p = 1/2: a share of 1/2 has the variance 1/4 / p^2.

    >>> variance_of_size([AskedPart(questions=2, truth=.5)], 1)
    1.0
    """

    questions: int
    truth: float
    per_person: int | None = None
    unrelated: float = 0.5
    inverse_shares: tuple[float, ...] | None = None

    def __post_init__(self) -> None:
        """Refuse numbers outside their ranges."""
        validation.whole_number(self.questions, "number of questions", low=1, high=500)
        validation.real_number(self.truth, "truth probability", low=0, high=1, open_ends=False)
        if self.per_person is not None:
            validation.whole_number(
                self.per_person, "questions asked of a person", low=1, high=self.questions
            )

    @property
    def together(self) -> int:
        """Number of questions that one person is asked."""
        return self.per_person or self.questions

    def inverse_share(self, size: int) -> float:
        """Return 1 / f of so many questions, f the share of people who are asked them together."""
        if self.inverse_shares is not None:
            return self.inverse_shares[size - 1] if size <= len(self.inverse_shares) else math.inf
        per_person = self.questions if self.per_person is None else self.per_person
        if size > per_person:
            return math.inf
        return math.comb(self.questions, per_person) / math.comb(self.questions - size, per_person - size)

    def excesses(self, size: int) -> list[float]:
        """Return by size, from 0 on, E z^2 - mu^2 of a set of items with share mu; times 4 for each item.

        Notes
        -----
        Where all are asked z = ([all shown] - d)/p with d = (1 - p) theta^k for k items, and
        p^2 E z^2 = p mu + (1 - p) theta^k - 2 p (1 - p) mu theta^k - ((1 - p) theta^k)^2, mu = 2^-k.
        Where questions rotate it is the sum of C(k, a) / (f_a p^2) over numbers a of questions that are
        touched.
        """
        if self.per_person is not None:
            return [
                math.fsum(math.comb(k, a) * self.excess(a) for a in range(1, k + 1)) for k in range(size + 1)
            ]
        p, excesses = self.truth, [0.0]
        for k in range(1, size + 1):
            mu, theta = 0.5**k, self.unrelated**k
            square = p * mu + (1 - p) * theta - 2 * p * (1 - p) * mu * theta - ((1 - p) * theta) ** 2
            excesses.append(4.0**k * square / p**2 - 1)
        return excesses

    def excess(self, size: int) -> float:
        """Return 1 / (f p^2) of so many questions with fair coins; infinite where they are out of reach."""
        return self.inverse_share(size) / self.truth**2 if size <= self.together else math.inf


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
    turns = {
        number: position for position, (numbers, _per_person) in enumerate(rotations) for number in numbers
    }
    # Sums over sets of k items of the product of mu^2 + excess, each 4^k: outside of rotations, and of each
    # rotation by how many of its parts a coefficient touches.
    total = nothing = [1.0] + [0.0] * size
    touched: list[list[list[float]]] = [[nothing] for _rotation in rotations]
    for number, part in enumerate(parts):
        plain = [float(math.comb(part.questions, k)) for k in range(size + 1)]
        excess = [a * b if a else 0.0 for a, b in zip(plain, part.excesses(size), strict=True)]
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
    questions = sum(part.questions for part in parts)
    return (total[size] / math.comb(questions, size) - 1) / 4.0**size


def mean_variance(parts: Sequence[AskedPart], sizes: Sequence[int]) -> float:
    """Return the mean of `variance_of_size` over these sizes.

    Parameters
    ----------
    parts : sequence of AskedPart
        Of the design.
    sizes : sequence of int
        Of itemsets, 1 or more each.
    """
    return math.fsum(variance_of_size(parts, size) for size in sizes) / len(sizes)


def _times(first: Sequence[float], other: Sequence[float]) -> list[float]:
    """Return the product of two polynomials, as long as the first one is."""
    return [
        math.fsum(first[k - i] * other[i] for i in range(min(k + 1, len(other))) if first[k - i] and other[i])
        for k in range(len(first))
    ]
