"""Sample size and power of a survey, and the variance of supports where each person is asked some questions.

The variance is at uniform truth (all answers to m yes/no questions are equally likely) and per respondent:
divide by n. A support of k items is 2^-k times a signed sum of the Fourier coefficients of its subsets. A
design measures the coefficient of a questions with variance 1 / (f_a b_a^2): f_a is the share of people who
are asked all of them, b_a the factor by which the disguise shrinks it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Final

import numpy as np
import scipy

from privacy import validation
from privacy.arrays import Array
from privacy.levels import normal_quantile
from privacy.policy import LEAST_COMPLETE_ROWS, USELESS_WIDTH

POWER: Final = 0.8


def smallest(power: Callable[[float], float], least: float, most: float) -> float | None:
    """Return the smallest effect that is found with power .8; None where the largest is not.

    Parameters
    ----------
    power : callable
        Power of an effect; it grows with it.
    least, most : float
        An effect that is found less often, and the largest that there can be.
    """
    if power(most) < POWER:
        return None
    return float(scipy.optimize.brentq(lambda effect: power(effect) - POWER, least, most, xtol=1e-9))


def spread(chance: Array, h: Array) -> float:
    """Return the standard deviation of an influence value.

    Parameters
    ----------
    chance, h : float array, shape (kinds of rows,)
        Probability of each kind of row, and its influence value.
    """
    mean = float(chance @ h)
    return math.sqrt(max(0.0, float(chance @ h**2) - mean**2))


_NEVER: Final = 10**12
"""More people than any survey asks: what is needed where no number of people is enough."""


@dataclass(frozen=True, kw_only=True)
class AskedItem:
    """One item as it is asked: the channel of its answer, and a guess of its share.

    Parameters
    ----------
    truth : float, in (0, 1]
        p of its part; 1 where its answers are sent as they are.
    decoy : float
        theta (1 - r): the probability that a decoy shows it, r that of a skipped decoy.
    share : float, in (0, 1)
        Guess of the share of people of whom it is true.
    share_asked : Fraction or float, in (0, 1]
        Share of people who are asked it.
    """

    truth: float
    decoy: float
    share: float
    share_asked: Fraction | float = 1.0


@dataclass(frozen=True, kw_only=True)
class AskedPair:
    """Two items that may go together, of yes/no questions or options of two questions.

    Parameters
    ----------
    first, second : AskedItem
        A, and B whose share among those with A is compared with that among the others.
    skipped : float or None
        r of decoys where both stand in one part and share its coin, 0 without a skip; None in two parts.
    together : Fraction or float
        Share of people who are asked both.
    """

    first: AskedItem
    second: AskedItem
    skipped: float | None
    together: Fraction | float = 1.0

    def channel(self) -> Array:
        """Return P(shown | true) over (neither, B, A, both), shape (4, 4), columns the truth.

        A skipped decoy shows neither.
        """
        if self.skipped is None:
            return np.asarray(np.kron(*map(_channel, self.items)), dtype=float)
        answered = 1 - self.skipped
        first, second = (np.array([answered - item.decoy, item.decoy]) / answered for item in self.items)
        shown = answered * np.kron(first, second)
        shown[0] += self.skipped
        p = self.first.truth
        return np.asarray(p * np.eye(4) + (1 - p) * shown[:, None], dtype=float)

    @property
    def items(self) -> tuple[AskedItem, AskedItem]:
        """Both items."""
        return self.first, self.second

    def largest_difference(self) -> float:
        """Return the largest P(B | A) - P(B | not A) that the two guessed shares allow."""
        a, b = self.first.share, self.second.share
        return (min(a, b) - a * b) / (a * (1 - a))


def _channel(item: AskedItem) -> Array:
    shown = np.array([1 - item.decoy, item.decoy])
    return np.asarray(item.truth * np.eye(2) + (1 - item.truth) * shown[:, None], dtype=float)


def half_width(item: AskedItem, n: int) -> float:
    """Return half the length of a 95% interval of the share of an item.

    Parameters
    ----------
    item : AskedItem
    n : int
        Respondents, of whom `AskedItem.share_asked` are asked it.

    Notes
    -----
    1.96 sqrt(lambda (1 - lambda) / (n f)) / p with lambda = p pi + (1 - p) theta the share that shows it.

    References
    ----------
    Greenberg et al. 1969 (variance of the unrelated question model).

    Examples
    --------
    400 people at p = .6 and an even share: 1.96 (1/2) / (.6 20).

    >>> round(half_width(AskedItem(truth=.6, decoy=.5, share=.5), 400), 4)
    0.0817
    """
    return _half_width_of_one(item) / math.sqrt(validation.number_of_rows(n) * item.share_asked)


def _half_width_of_one(item: AskedItem) -> float:
    shown = item.truth * item.share + (1 - item.truth) * item.decoy
    return normal_quantile(0.95) * math.sqrt(shown * (1 - shown)) / item.truth


def people_needed(n: int, *, widths: Collection[float], asked: Collection[float]) -> int:
    """Return the fewest people with whom every figure can be shown, within 25 points.

    Parameters
    ----------
    n : int
        People for whom the half-widths hold.
    widths : collection of float
        Half-widths of all intervals. They fall with the root of the number of people.
    asked : collection of float
        Shares of people who are asked each question, and both of a starred pair. Of each, 100 people are
        needed.

    Examples
    --------
    A third of the people are asked a question, and ±30 points become ±25 with 44% more people.

    >>> people_needed(400, widths=[.3, .1], asked=[1, 1 / 3]), people_needed(100, widths=[.3], asked=[1])
    (576, 144)
    """
    least = min(asked, default=1.0)
    if least <= 0:
        return _NEVER
    shown = LEAST_COMPLETE_ROWS / least
    narrow = n * (max(widths, default=0.0) / USELESS_WIDTH) ** 2
    return min(_NEVER, math.ceil(max(LEAST_COMPLETE_ROWS, shown, narrow) - 1e-6))


def power_for_difference(pair: AskedPair, difference: float, n: int) -> float:
    """Return the probability that a test at 5% finds B more frequent among those with A than among others.

    Parameters
    ----------
    pair : AskedPair
    difference : float
        P(B | A) - P(B | not A), at most `AskedPair.largest_difference`; both shares stay as guessed.
    n : int
        Respondents, of whom `AskedPair.together` are asked both.

    Notes
    -----
    Wald's test of d = P(B | A) - P(B | not A) with scores z of A, B and both, unbiased under the channel:
    its influence value is (z_AB - r_1 z_A) / a - (z_B - z_AB - r_0 (1 - z_A)) / (1 - a), r_1 and r_0 the
    two conditional shares.

    References
    ----------
    Hampel 1974 (influence).

    Examples
    --------
    400 people, p = .6, both of one half: 24 points are found 8 times in 10.

    >>> item = AskedItem(truth=.6, decoy=.5, share=.5)
    >>> pair = AskedPair(first=item, second=item, skipped=0)
    >>> [power_for_difference(pair, points / 100, 400) > .8 for points in (23, 24)]
    [False, True]
    """
    most = pair.largest_difference()
    validation.real_number(difference, "difference", low=0, high=most, code="share")
    error = _error_of_difference(pair, difference)
    if error < 1e-12:
        # Undisguised answers of which one follows from the other show no other difference by chance.
        return 1.0 if difference > 0 else 0.0
    root = math.sqrt(validation.number_of_rows(n) * pair.together) * difference / error
    return float(scipy.special.ndtr(root - normal_quantile(0.95)))


def detectable_difference(pair: AskedPair, n: int) -> float | None:
    """Return the smallest difference that is found 8 times in 10; None where the guesses allow none so large.

    Parameters
    ----------
    pair : AskedPair
        The two answers, and how they are asked.
    n : int
        People, 1 or more.

    Examples
    --------
    1,000 people, p = .8, both of one half.

    >>> item = AskedItem(truth=.8, decoy=.5, share=.5)
    >>> round(detectable_difference(AskedPair(first=item, second=item, skipped=0), 1000), 3)
    0.11
    """
    return smallest(
        lambda difference: power_for_difference(pair, difference, n), 0.0, pair.largest_difference()
    )


@lru_cache(maxsize=4096)
def _error_of_difference(pair: AskedPair, difference: float) -> float:
    """Return sqrt(n) times the standard error of the difference among people who are asked both."""
    a, b = pair.first.share, pair.second.share
    both = a * b + difference * a * (1 - a)
    truth = np.array([1 - a - b + both, b - both, a - both, both])
    channel = pair.channel()
    events = np.array([[0.0, 0, 1, 1], [0, 1, 0, 1], [0, 0, 0, 1]])
    z_a, z_b, z_both = events @ np.linalg.inv(channel)
    with_a, without_a = both / a, (b - both) / (1 - a)
    influence = (z_both - with_a * z_a) / a - (z_b - z_both - without_a * (1 - z_a)) / (1 - a)
    return spread(channel @ truth, influence)


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
