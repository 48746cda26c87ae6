"""Near-truth disguise of yes/no answers: with chance p a row near the true one is sent, else fair coins.

What is sent is the true row with some answers turned. How likely a set of turned answers is depends on their
number alone. So the disguise of any of its questions is of the same kind, and each product of signs
(-1)^answer is shrunk by a factor that its number of answers decides.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, reduce
from operator import add

from privacy import validation
from privacy.channels.amplification import Chance, largest_ratio
from privacy.channels.channel import Channel
from privacy.errors import PrivacyError

__all__ = ["NearTruth", "ball_size", "krawtchouk", "near_scores"]

_MOST_ROWS = 1024


def ball_size(length: int, radius: int) -> int:
    """Return how many rows of `length` bits have at most `radius` ones, sum_{w <= r} C(n, w).

    Parameters
    ----------
    length : int
        Bits of a row.
    radius : int
        Most ones, in 0..length.

    Examples
    --------
    >>> ball_size(10, 1), ball_size(3, 3), ball_size(4, 0)
    (11, 8, 1)
    """
    return sum(math.comb(length, weight) for weight in range(min(radius, length) + 1))


def krawtchouk(weight: int, size: int, length: int) -> int:
    """Return K_w(a; n), the sum of (-1)^|C and s| over all sets s of w of n positions, for a set C of a.

    Parameters
    ----------
    weight : int
        Positions of a set s, in 0..length.
    size : int
        Positions of the given set C, in 0..length.
    length : int
        Positions in all.

    Notes
    -----
    K_w(a; n) = sum_i (-1)^i C(a, i) C(n - a, w - i).

    References
    ----------
    MacWilliams and Sloane 1977, chapter 5.

    Examples
    --------
    One of three positions: for one given position 1 + 1 - 1.

    >>> krawtchouk(1, 1, 3)
    1
    """
    return sum(
        (1 - 2 * (i % 2)) * math.comb(size, i) * math.comb(length - size, weight - i)
        for i in range(min(size, weight) + 1)
    )


def near_scores(inverse_factors: Sequence[Chance], size: int) -> tuple[Chance, ...]:
    """Return z by how many of `size` answers are not the wanted ones, from 1/b_0, 1/b_1 and on.

    Parameters
    ----------
    inverse_factors : sequence of Fraction, or of float array
        Arrays hold those of many channels.
    size : int
        k; more factors than k + 1 do no harm.

    Notes
    -----
    z_B(t) = 2^-|B| sum_{C in B} (-1)^|C| (-1)^{sum_C t} / b_|C|, which for u unwanted answers is
    2^-k sum_a K_a(u; k) / b_a.

    Examples
    --------
    >>> near_scores([Fraction(1), Fraction(2)], 1)
    (Fraction(3, 2), Fraction(-1, 2))
    """
    return tuple(
        reduce(add, (inverse_factors[a] * krawtchouk(a, unwanted, size) for a in range(size + 1))) / 2**size
        for unwanted in range(size + 1)
    )


@dataclass(frozen=True, kw_only=True)
class NearTruth:
    """What is sent is with chance p uniform among rows within a distance of the true one, else fair coins.

    Parameters
    ----------
    questions : int, at least 1
        j, yes/no questions that are answered together.
    radius : int, 0 to j - 1
        r: so many answers at most are turned where fair coins are not sent. 0 is k-ary randomised response.
    truth : Fraction, in [0, 1]
        p.

    Raises
    ------
    PrivacyError
        ``radius``, ``out_of_range``.

    Notes
    -----
    P(y | x) = p [|x xor y| <= r] / |B| + (1 - p) / 2^j with |B| = sum_{w <= r} C(j, w), so that a row within
    the radius is e^eps times as likely as one beyond it, e^eps = 1 + p 2^j / ((1 - p) |B|).

    Examples
    --------
    Three questions, radius 1 and e^eps = 5: p = 4 x 4 / (4 x 4 + 8). A pair of answers cannot be estimated.

    >>> channel = NearTruth(questions=3, radius=1, truth=Fraction(2, 3))
    >>> channel.amplification, channel.factor(1), channel.factor(2)
    (Fraction(5, 1), Fraction(1, 3), Fraction(0, 1))
    """

    questions: int
    radius: int
    truth: Fraction

    def __post_init__(self) -> None:
        validation.whole_number(self.questions, "questions", low=1, high=10_000)
        validation.whole_number(self.radius, "radius", low=0, high=self.questions - 1, code="radius")
        if not 0 <= self.truth <= 1:
            raise PrivacyError("out_of_range.chance", self.truth)

    @cached_property
    def ball(self) -> int:
        """|B|, number of rows within the radius of a row."""
        return ball_size(self.questions, self.radius)

    def chance(self, distance: int) -> Fraction:
        """Return P(y | x) of a row y that differs from the true one in so many answers."""
        near = self.truth / self.ball if distance <= self.radius else 0
        return Fraction(near + (1 - self.truth) / 2**self.questions)

    @property
    def amplification(self) -> Fraction | None:
        """gamma = e^eps, chance of a row within the radius by that of one beyond it; None for p = 1."""
        return largest_ratio([(self.chance(0), self.chance(self.questions))])

    def factor(self, size: int) -> Fraction:
        """Return b_a, by which the mean of a product of `size` signs is shrunk.

        Notes
        -----
        b_0 = 1; else b_a = p / |B| sum_{w <= r} K_w(a; j).
        """
        if size == 0:
            return Fraction(1)
        signed = sum(krawtchouk(weight, size, self.questions) for weight in range(self.radius + 1))
        return self.truth * Fraction(signed, self.ball)

    def reach(self, least: float) -> int:
        """Return the largest k for which no factor of 1 to k answers lies below `least` in size."""
        sizes = range(1, self.questions + 1)
        return sum(1 for _size in itertools.takewhile(lambda size: abs(self.factor(size)) >= least, sizes))

    def turned(self, number: int) -> tuple[int, ...]:
        """Return a set of turned answers, ascending, by its number from 0 to `ball` - 1.

        Notes
        -----
        Sets go as binary numbers, the first answer the highest bit: of those with the same answers before,
        the sets without the next answer come first. Twin of ``near.js``.

        Examples
        --------
        >>> channel = NearTruth(questions=3, radius=1, truth=Fraction(1, 2))
        >>> [channel.turned(number) for number in range(channel.ball)]
        [(), (2,), (1,), (0,)]
        """
        positions: list[int] = []
        rest = range(self.ball)[number]
        for position in range(self.questions):
            without = ball_size(self.questions - position - 1, self.radius - len(positions))
            if rest >= without:
                positions.append(position)
                rest -= without
        return tuple(positions)

    def around(self, chances: Iterable[Fraction]) -> Fraction:
        """Return the chance that a row lies within the radius of another, its answers being independent.

        Parameters
        ----------
        chances : iterable of Fraction
            For each answer, that it is the same as there.

        Examples
        --------
        Two answers and radius 1: all but the opposite row, 1 - .8 x .7.

        >>> channel = NearTruth(questions=2, radius=1, truth=Fraction(1, 2))
        >>> channel.around([Fraction(1, 5), Fraction(3, 10)])
        Fraction(11, 25)
        """
        differing = [Fraction(1), *[Fraction(0)] * self.radius]
        for same in chances:
            shifted = [Fraction(0), *differing]
            differing = [
                same * chance + (1 - same) * one_less
                for chance, one_less in zip(differing, shifted, strict=False)
            ]
        return sum(differing, Fraction(0))

    def margin(self, size: int) -> tuple[Fraction, ...]:
        """Return the chance that given `size` answers are turned in one set of 0, 1, ... of them, exactly.

        Notes
        -----
        The disguise of some of the questions: P(y_B | x_B) depends on how many answers differ alone.
        """
        rest = self.questions - size
        return tuple(
            self.truth * Fraction(ball_size(rest, self.radius - turned), self.ball)
            + (1 - self.truth) / 2**size
            if turned <= self.radius
            else (1 - self.truth) / 2**size
            for turned in range(size + 1)
        )

    def score(self, size: int) -> tuple[Fraction, ...]:
        """Return z by how many of `size` answers are not the wanted ones: its mean is 1 of who has all.

        Raises
        ------
        PrivacyError
            ``no_score``: a factor is 0.

        Examples
        --------
        One question with b = 1/2: (1 + 2)/2 and (1 - 2)/2.

        >>> NearTruth(questions=1, radius=0, truth=Fraction(1, 2)).score(1)
        (Fraction(3, 2), Fraction(-1, 2))
        """
        factors = [self.factor(a) for a in range(size + 1)]
        if 0 in factors:
            raise PrivacyError("no_score.channel", 0)
        return near_scores([1 / factor for factor in factors], size)

    @property
    def matrix(self) -> Channel:
        """The channel in full, exact, over rows of answers with the first question slowest.

        Raises
        ------
        PrivacyError
            ``too_large``: of more than 10 questions.
        """
        rows = 2**self.questions
        if rows > _MOST_ROWS:
            raise PrivacyError("too_large.scores", rows, rows=rows, columns=rows)
        chances = [self.chance(distance) for distance in range(self.questions + 1)]
        return Channel(
            matrix=tuple(
                tuple(chances[(sent ^ true).bit_count()] for true in range(rows)) for sent in range(rows)
            )
        )
