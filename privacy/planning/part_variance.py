"""Compute the variance of supports where each person is asked some of a part's questions.

At uniform truth (all answers to m yes/no questions are equally likely) and per respondent: divide by n. A
support of k items is 2^-k times a signed sum of the Fourier coefficients of its subsets. A design measures
the coefficient of a questions with variance 1 / (f_a b_a^2): f_a is the share of people who are asked all of
them, b_a the factor by which the disguise shrinks it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from privacy import validation


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
        j of the m, all sets of j equally likely; everyone is asked all where it is left out.

    Examples
    --------
    Two questions asked at p = 1/2: a share of 1/2 has the variance 1/4 / p^2.

    >>> variance_of_size([AskedPart(questions=2, truth=.5)], 1)
    1.0
    """

    questions: int
    truth: float
    per_person: int | None = None

    def __post_init__(self) -> None:
        """Refuse numbers outside their ranges."""
        validation.whole_number(self.questions, "number of questions", low=1, high=500)
        validation.real_number(self.truth, "truth probability", low=0, high=1, open_ends=False)
        if self.per_person is not None:
            validation.whole_number(
                self.per_person, "questions asked of a person", low=1, high=self.questions
            )

    def excess(self, size: int) -> float:
        """Return 1 / (f p^2) of so many questions, f the share of people who are asked them together."""
        per_person = self.questions if self.per_person is None else self.per_person
        if size > per_person:
            return math.inf
        sets = math.comb(self.questions, per_person)
        return sets / math.comb(self.questions - size, per_person - size) / self.truth**2

    def excesses(self, size: int) -> list[float]:
        """Return by size, from 0 on, E z^2 - mu^2 of a set of items with share mu; times 4 for each item.

        Notes
        -----
        It is the sum of C(k, a) / (f_a p^2) over numbers a of questions that are touched.
        """
        return [math.fsum(math.comb(k, a) * self.excess(a) for a in range(1, k + 1)) for k in range(size + 1)]


def variance_of_size(parts: Sequence[AskedPart], size: int) -> float:
    """Return n times the variance of a support of so many items, the mean over all sets of so many questions.

    Parameters
    ----------
    parts : sequence of AskedPart
    size : int

    Returns
    -------
    float
        Infinite where no one is asked some of these sets.

    Notes
    -----
    Parts draw independently, so variances of coefficients multiply over parts.

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
    # Sums over sets of k items of the product of mu^2 + excess, each 4^k.
    total = [1.0] + [0.0] * size
    for part in parts:
        sets = [math.comb(part.questions, k) for k in range(size + 1)]
        total = _times(
            total, [a * (1 + b) if a else 0.0 for a, b in zip(sets, part.excesses(size), strict=True)]
        )
    questions = sum(part.questions for part in parts)
    return (total[size] / math.comb(questions, size) - 1) / 4.0**size


def mean_variance(parts: Sequence[AskedPart], sizes: Sequence[int]) -> float:
    """Return the mean of `variance_of_size` over these sizes.

    Parameters
    ----------
    parts : sequence of AskedPart
        Of the design.
    sizes : sequence of int
        Sizes of itemsets, 1 or more each.
    """
    return math.fsum(variance_of_size(parts, size) for size in sizes) / len(sizes)


@dataclass(frozen=True, kw_only=True)
class SampledDesign:
    """Each person is asked j of m yes/no questions, which share a coin.

    Parameters
    ----------
    questions : int
        m.
    asked : int
        j, drawn by the device, all sets of j equally likely; m asks everything.
    epsilon : float

    Raises
    ------
    PrivacyError
        ``out_of_range``: a number outside its range.

    Notes
    -----
    What is sent is k-ary randomised response: b_a = p = (e^eps - 1)/(e^eps - 1 + 2^j), and
    f_a = C(m - a, j - a)/C(m, j).

    References
    ----------
    Warner 1965 (one question); Cormode, Kulkarni and Srivastava 2018 (sampling with the whole epsilon).

    Examples
    --------
    Two of three questions at e^eps = 5: b = 4/8, f = 2/3 and 1/3, so a share has variance
    1/4 / (2/3 x 1/4) = 3/2.

    >>> design = SampledDesign(questions=3, asked=2, epsilon=math.log(5))
    >>> round(design.part.truth, 12), round(design.variance(1), 12)
    (0.5, 1.5)
    """

    questions: int
    asked: int
    epsilon: float

    def __post_init__(self) -> None:
        """Refuse numbers outside their ranges."""
        validation.whole_number(self.questions, "number of questions", low=1, high=60)
        validation.whole_number(self.asked, "questions asked of a person", low=1, high=self.questions)

    @property
    def part(self) -> AskedPart:
        """The questions as one part with a coin."""
        weight = math.expm1(self.epsilon)
        return AskedPart(
            questions=self.questions,
            truth=weight / (weight + 2.0**self.asked),
            per_person=self.asked,
        )

    def variance(self, size: int) -> float:
        """Return n times the variance of the support of so many items; infinite where it is out of reach."""
        return variance_of_size([self.part], size)

    def mean_variance(self, sizes: Sequence[int]) -> float:
        """Return the mean of `variance` over these sizes."""
        return mean_variance([self.part], sizes)


def _times(first: Sequence[float], other: Sequence[float]) -> list[float]:
    """Return the product of two polynomials, as long as the first one is."""
    return [
        math.fsum(first[k - i] * other[i] for i in range(min(k + 1, len(other))) if first[k - i] and other[i])
        for k in range(len(first))
    ]
