"""Retention channels, K = p I + (1 - p) q 1': an answer is kept with probability p, else drawn from q.

Randomised response in all its classical forms is one of them, and so is it coarsened by any partition of its
letters: the score of an event needs its probability under q alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from privacy.arrays import Array
from privacy.channels.amplification import retained
from privacy.channels.channel import Channel
from privacy.errors import PrivacyError


def forward(shares: Array, p: Array | float, q: Array, *, axis: int = -1) -> Array:
    """Return the shares of the shown letters, K x, along an axis; `p` and `q` broadcast against `shares`.

    Parameters
    ----------
    shares : ndarray
        Shares of the true letters, which lie along `axis`.
    p : ndarray or float
        Retention probability, in (0, 1].
    q : ndarray
        Decoy's distribution of the letters along `axis`.
    axis : int, optional
        Along which the letters lie.
    """
    sent: Array = p * shares + (1 - p) * q * shares.sum(axis=axis, keepdims=True)
    return sent


def adjoint(values: Array, p: Array | float, q: Array, *, axis: int = -1) -> Array:
    """Return the expected value of the shown letter given each true letter, K'v, along an axis.

    Parameters
    ----------
    values : ndarray
        A value of each shown letter, along `axis`.
    p : ndarray or float
        Retention probability, in (0, 1].
    q : ndarray
        Decoy's distribution of the letters along `axis`.
    axis : int, optional
        Along which the letters lie.
    """
    pulled: Array = p * values + (1 - p) * (q * values).sum(axis=axis, keepdims=True)
    return pulled


def numerator(event: Array, p: Array | float, q: Array | float) -> Array:
    """Return p times the score of events, f - (1 - p) q.f, which needs no division and so allows p = 0.

    Parameters
    ----------
    event : ndarray
        f for each shown letter.
    p : float or ndarray
    q : float or ndarray
        q.f, the probability of the event under the unrelated distribution.
    """
    values: Array = event - (1 - p) * q
    return values


@dataclass(frozen=True, kw_only=True)
class Retention:
    """A channel that keeps the true letter with probability p, and else shows an unrelated one.

    Parameters
    ----------
    retention_probability : Fraction
        p; below 0 for a design that lies more often than it tells the truth.
    unrelated : tuple of Fraction
        q, probability of each letter given that the true one is not kept.

    Raises
    ------
    PrivacyError
        ``out_of_range`` (an entry of the channel), ``column_sum``.

    References
    ----------
    Warner 1965; Greenberg et al. 1969; Kuk 1990; Mangat 1994; Agrawal and Haritsa 2005 (FRAPP).

    Examples
    --------
    A die forces one "yes" and one "no" in six:

    >>> channel = Retention.forced_response(yes=Fraction(1, 6), no=Fraction(1, 6))
    >>> channel.retention_probability, channel.unrelated
    (Fraction(2, 3), (Fraction(1, 2), Fraction(1, 2)))
    >>> channel.amplification
    Fraction(5, 1)
    >>> channel.score(np.array([0.0, 1.0])).round(9).tolist()  # (y - 1/6) / (2/3)
    [-0.25, 1.25]
    """

    retention_probability: Fraction
    unrelated: tuple[Fraction, ...]

    def __post_init__(self) -> None:
        if sum(self.unrelated) != 1:
            raise PrivacyError("column_sum.column", sum(self.unrelated), true=0)
        p = self.retention_probability
        for share in self.unrelated:
            for entry in ((1 - p) * share, p + (1 - p) * share):
                if not 0 <= entry <= 1:
                    raise PrivacyError("out_of_range.chance", entry)

    @classmethod
    def truthful(cls, letters: int) -> Retention:
        """Return direct asking: every answer is kept."""
        return cls.generalised_rr(letters, Fraction(1))

    @classmethod
    def warner(cls, truth: Fraction) -> Retention:
        """Return related questions: "I have A" with probability `truth`, else "I do not have A"."""
        return cls.generalised_rr(2, 2 * truth - 1)

    @classmethod
    def crosswise(cls, innocuous: Fraction) -> Retention:
        """Return the crosswise model: whether the answers to A and to an innocuous question are the same."""
        return cls.warner(innocuous)

    @classmethod
    def unrelated_question(cls, p: Fraction, theta: Fraction) -> Retention:
        """Return an unrelated question whose "yes" has probability theta, asked with probability 1 - p."""
        return cls(retention_probability=p, unrelated=(1 - theta, theta))

    @classmethod
    def forced_response(cls, *, yes: Fraction, no: Fraction) -> Retention:
        """Return forced answers: "yes" and "no" with these probabilities, whatever is true."""
        if not 0 < yes + no <= 1:
            raise PrivacyError("out_of_range.chance", yes + no)
        return cls.unrelated_question(1 - yes - no, yes / (yes + no))

    @classmethod
    def mangat(cls, truth: Fraction) -> Retention:
        """Return Mangat's design: carriers say "yes", others are truthful with this probability."""
        return cls.unrelated_question(truth, Fraction(1))

    @classmethod
    def kuk(cls, carriers: Fraction, others: Fraction) -> Retention:
        """Return two decks of cards, of which these shares are red; "red" is the second letter."""
        p = carriers - others
        return cls.unrelated_question(p, Fraction(1, 2) if p == 1 else others / (1 - p))

    @classmethod
    def generalised_rr(cls, letters: int, p: Fraction) -> Retention:
        """Return k-ary randomised response: letters are equally likely if the true one is not kept."""
        return cls(retention_probability=p, unrelated=(Fraction(1, letters),) * letters)

    @classmethod
    def grouping(
        cls, p: Fraction, unrelated: Iterable[Fraction], *, skip_probability: Fraction | None = None
    ) -> Retention:
        """Return one coin for several questions; a skip, if offered, is one more letter of q.

        Parameters
        ----------
        p : Fraction
        unrelated : iterable of Fraction
            Probability of each row of answers among decoys that are not skipped.
        skip_probability : Fraction, optional
        """
        rows = tuple(unrelated)
        if skip_probability is not None:
            rows = (*((1 - skip_probability) * chance for chance in rows), skip_probability)
        return cls(retention_probability=p, unrelated=rows)

    @property
    def inputs(self) -> int:
        """Number of true letters."""
        return len(self.unrelated)

    @property
    def matrix(self) -> Channel:
        """The channel in full, exact."""
        p, rows = self.retention_probability, []
        for shown, share in enumerate(self.unrelated):
            row = [(1 - p) * share] * self.inputs
            row[shown] += p
            rows.append(tuple(row))
        return Channel(matrix=tuple(rows))

    def score(self, event: Array) -> Array:
        """Return s with E[s(shown) | true] = event(true): (f - (1 - p) q.f) / p, the only one there is.

        Raises
        ------
        PrivacyError
            ``no_score``: p = 0.
        """
        p = float(self.retention_probability)
        if p == 0:
            raise PrivacyError("no_score.channel", 0)
        q = np.array([float(share) for share in self.unrelated])
        return numerator(event, p, float(q @ event)) / p

    @property
    def amplification(self) -> Fraction | None:
        """gamma, the largest ratio of two probabilities of one shown letter; None where it is infinite."""
        if self.inputs == 1:
            return Fraction(1)
        return retained(self.retention_probability, min(self.unrelated))
