"""Exact finite channels: randomised response, the scores that invert it, and its privacy bounds.

A channel's amplification gamma bounds what Bayes' rule can infer from a report; epsilon is its logarithm. The
mean of a score over reports is unbiased for a mean over true values. A retention channel, K = p I + (1 - p) q
1', keeps an answer with probability p and otherwise draws it from q. All classical forms of randomised
response are such channels, even if a partition coarsens their letters, because the score of an event only
needs its probability under q. Exact channels need no arrays, so numpy and scipy are imported in functions.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Final, TypeVar

from privacy import validation
from privacy.errors import PrivacyError
from privacy.policy import EPSILON_HIGHEST, EPSILON_LOWEST

if TYPE_CHECKING:
    from privacy.arrays import Array


_SCALE: Final = 1 << 20

Number = TypeVar("Number", Fraction, float)


def largest_ratio(rows: Iterable[Sequence[Number]]) -> Number | Fraction | None:
    """Return gamma, the largest ratio of two entries in one row of a channel; None if it is infinite.

    Parameters
    ----------
    rows : iterable of sequence of Fraction, or of float
        For each observed value, its probabilities given each true value (distinct ones are enough). Rows of
        zeros are ignored.

    References
    ----------
    Evfimievski, Gehrke and Srikant 2003, definition of gamma-amplifying.

    Examples
    --------
    >>> largest_ratio([[Fraction(3, 4), Fraction(1, 4)], [Fraction(1, 4), Fraction(3, 4)], [Fraction(0)]])
    Fraction(3, 1)
    >>> largest_ratio([[Fraction(1), Fraction(0)]])
    """
    worst: Number | Fraction = Fraction(1)
    for row in rows:
        high, low = max(row), min(row)
        if high == 0:
            continue
        if low == 0:
            return None
        worst = max(worst, high / low)
    return worst


def retention_gamma(p: Fraction, decoy: Fraction) -> Fraction | None:
    """Return gamma of a value kept with probability p, otherwise shown with probability q: 1 + p/((1 - p) q).

    Parameters
    ----------
    p : Fraction
        Retention probability; below 0 for a design that lies more often than it tells the truth.
    decoy : Fraction
        q, the probability of the value if the answer is not kept. The smallest q gives the channel's gamma.

    Examples
    --------
    >>> retention_gamma(Fraction(1, 2), Fraction(1, 8)), retention_gamma(Fraction(-1, 2), Fraction(1, 2))
    (Fraction(9, 1), Fraction(3, 1))
    """
    by_decoy = (1 - p) * decoy
    return largest_ratio([(by_decoy, p + by_decoy)])


def amplification_below(epsilon: float) -> Fraction:
    """Return e^epsilon, rounded down to a fraction of 2^20.

    Parameters
    ----------
    epsilon : float, 0.01 to 20

    Returns
    -------
    Fraction
        floor(e^epsilon 2^20 (1 - 2^-40)) / 2^20. The factor (1 - 2^-40) compensates for upward rounding of
        the power. So the logarithm of the fraction, which a design publishes, never exceeds epsilon.

    Raises
    ------
    PrivacyError
        ``epsilon``.

    Examples
    --------
    >>> amplification_below(1.0)
    Fraction(2850325, 1048576)
    >>> 0 < 1 - effective_epsilon(amplification_below(1.0)) < 1e-6
    True
    """
    epsilon = validation.real_number(
        epsilon, "epsilon", low=EPSILON_LOWEST, high=EPSILON_HIGHEST, code="epsilon"
    )
    return Fraction(math.floor(math.exp(epsilon) * _SCALE * (1 - 2.0**-40)), _SCALE)


def effective_epsilon(amplification: Fraction | None) -> float:
    """Return ln gamma; infinity for None.

    Parameters
    ----------
    amplification : Fraction or None
        Largest ratio gamma of two probabilities of one report; None if it is infinite.
    """
    if amplification is None:
        return math.inf
    try:
        return math.log(amplification)
    except OverflowError:
        # Gamma of a very long block exceeds the largest float.
        return math.log(amplification.numerator) - math.log(amplification.denominator)


@dataclass(frozen=True, kw_only=True)
class Channel:
    """A matrix ``channel[observed, true]`` whose columns sum to 1.

    Parameters
    ----------
    matrix : tuple of tuple of Fraction, shape (observed, true)
        Each entry in [0, 1], each column sums to 1 exactly.

    Raises
    ------
    PrivacyError
        ``shape``, ``out_of_range`` or ``column_sum``.

    Examples
    --------
    Warner's design with a true report in 3 of 4 cases:

    >>> warner = Channel.of([[Fraction(3, 4), Fraction(1, 4)], [Fraction(1, 4), Fraction(3, 4)]])
    >>> warner.amplification()
    Fraction(3, 1)
    >>> from privacy.posterior import bayes
    >>> bayes((Fraction(1, 10), Fraction(9, 10)), warner.row(0))[0]
    Fraction(1, 4)
    """

    matrix: tuple[tuple[Fraction, ...], ...]

    def __post_init__(self) -> None:
        if not self.matrix or not self.matrix[0] or len({len(row) for row in self.matrix}) != 1:
            shape = [len(row) for row in self.matrix]
            raise PrivacyError("shape.matrix", shape)
        for row in self.matrix:
            for entry in row:
                if not 0 <= entry.numerator <= entry.denominator:
                    raise PrivacyError("out_of_range.chance", entry)
        for true in range(self.n_true):
            column = [row[true] for row in self.matrix]
            # Add integers over a common denominator, because adding fractions reduces every sum.
            whole = math.lcm(*(entry.denominator for entry in column))
            total = sum(entry.numerator * (whole // entry.denominator) for entry in column)
            if total != whole:
                raise PrivacyError("column_sum.column", Fraction(total, whole), true=true)

    @classmethod
    def of(cls, rows: Sequence[Sequence[Fraction | int]]) -> Channel:
        """Build a channel from nested sequences of fractions."""
        return cls(matrix=tuple(tuple(Fraction(entry) for entry in row) for row in rows))

    @property
    def n_true(self) -> int:
        """Number of true values."""
        return len(self.matrix[0])

    def __getitem__(self, entry: tuple[int, int]) -> Fraction:
        observed, true = entry
        return self.matrix[observed][true]

    def row(self, report: int) -> tuple[Fraction, ...]:
        """Return the probabilities of one observed value given each true value."""
        return self.matrix[report]

    def as_array(self) -> Array:
        """Return the matrix as floats, shape (observed, true)."""
        import numpy as np

        return np.array([[float(entry) for entry in row] for row in self.matrix])

    def amplification(self) -> Fraction | None:
        """Return gamma, the largest ratio of two entries in one row; None if it is infinite."""
        return largest_ratio(self.matrix)


def numerator(event: Array, p: Array | float, q: Array | float) -> Array:
    """Return p times the score of events, f - (1 - p) q.f, which needs no division and so allows p = 0.

    Parameters
    ----------
    event : ndarray
        f for each reported letter.
    p : float or ndarray
    q : float or ndarray
        q.f, the probability of the event under the unrelated distribution.
    """
    values: Array = event - (1 - p) * q
    return values


def adjoint(values: Array, p: Array | float, q: Array) -> Array:
    """Return the expected value of the reported letter given each true letter, K'v, along the last axis.

    Parameters
    ----------
    values : ndarray
        A value for each reported letter.
    p : ndarray or float
        Retention probability, in (0, 1].
    q : ndarray
        Distribution of decoys over the letters.
    """
    result: Array = p * values + (1 - p) * (q * values).sum(axis=-1, keepdims=True)
    return result


@dataclass(frozen=True, kw_only=True)
class Retention:
    """A channel that reports the true letter with probability p, and otherwise an unrelated one.

    Parameters
    ----------
    retention_probability : Fraction
        p; below 0 for a design that lies more often than it tells the truth.
    unrelated : tuple of Fraction
        q, the probability of each letter if the true one is not kept.

    Raises
    ------
    PrivacyError
        ``out_of_range`` (an entry of the channel), ``column_sum``.

    References
    ----------
    Warner 1965; Greenberg et al. 1969; Kuk 1990; Mangat 1994; Agrawal and Haritsa 2005 (FRAPP).

    Examples
    --------
    A die forces "yes" for one of its six numbers, and "no" for another:

    >>> channel = Retention.forced_response(yes=Fraction(1, 6), no=Fraction(1, 6))
    >>> channel.retention_probability, channel.unrelated
    (Fraction(2, 3), (Fraction(1, 2), Fraction(1, 2)))
    >>> channel.amplification
    Fraction(5, 1)
    >>> import numpy as np
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
        """Return the channel of direct questions: every answer is kept."""
        return cls.generalised_rr(letters, Fraction(1))

    @classmethod
    def warner(cls, truth: Fraction) -> Retention:
        """Return Warner's model: respond to "I have A" with probability `truth`, else "I do not have A"."""
        return cls.generalised_rr(2, 2 * truth - 1)

    @classmethod
    def crosswise(cls, innocuous: Fraction) -> Retention:
        """Return the crosswise model: report whether the answers to A and an innocuous question agree."""
        return cls.warner(innocuous)

    @classmethod
    def unrelated_question(cls, p: Fraction, theta: Fraction) -> Retention:
        """Return the unrelated-question model: with probability 1 - p, say "yes" with probability theta."""
        return cls(retention_probability=p, unrelated=(1 - theta, theta))

    @classmethod
    def forced_response(cls, *, yes: Fraction, no: Fraction) -> Retention:
        """Return forced response: "yes" and "no" are forced with these probabilities, whatever is true."""
        if not 0 < yes + no <= 1:
            raise PrivacyError("out_of_range.chance", yes + no)
        return cls.unrelated_question(1 - yes - no, yes / (yes + no))

    @classmethod
    def mangat(cls, truth: Fraction) -> Retention:
        """Return Mangat's design: people with A say "yes", others are truthful with this probability."""
        return cls.unrelated_question(truth, Fraction(1))

    @classmethod
    def kuk(cls, carriers: Fraction, others: Fraction) -> Retention:
        """Return Kuk's design: two decks with these shares of red cards; "red" is the second letter."""
        p = carriers - others
        return cls.unrelated_question(p, Fraction(1, 2) if p == 1 else others / (1 - p))

    @classmethod
    def generalised_rr(cls, letters: int, p: Fraction) -> Retention:
        """Return k-ary randomised response: if the true letter is not kept, all are equally likely."""
        return cls(retention_probability=p, unrelated=(Fraction(1, letters),) * letters)

    @classmethod
    def grouping(
        cls, p: Fraction, unrelated: Iterable[Fraction], *, skip_probability: Fraction | None = None
    ) -> Retention:
        """Return the channel of rows of questions that share one coin; a skip is an additional letter.

        Parameters
        ----------
        p : Fraction
        unrelated : iterable of Fraction
            Probability of each row of answers among decoys without a skip.
        skip_probability : Fraction, optional
        """
        rows = tuple(unrelated)
        if skip_probability is not None:
            rows = (*((1 - skip_probability) * probability for probability in rows), skip_probability)
        return cls(retention_probability=p, unrelated=rows)

    @property
    def inputs(self) -> int:
        """Number of true letters."""
        return len(self.unrelated)

    @property
    def matrix(self) -> Channel:
        """The full exact matrix."""
        p, rows = self.retention_probability, []
        for letter, share in enumerate(self.unrelated):
            row = [(1 - p) * share] * self.inputs
            row[letter] += p
            rows.append(tuple(row))
        return Channel(matrix=tuple(rows))

    def score(self, event: Array) -> Array:
        """Return the unique s with E[s(report) | true] = event(true): (f - (1 - p) q.f) / p.

        Raises
        ------
        PrivacyError
            ``no_score``: p = 0.
        """
        p = float(self.retention_probability)
        if p == 0:
            raise PrivacyError("no_score.channel", 0)
        import numpy as np

        q = np.array([float(share) for share in self.unrelated])
        return numerator(event, p, float(q @ event)) / p

    @property
    def amplification(self) -> Fraction | None:
        """gamma, the largest ratio of two probabilities of one reported letter; None if it is infinite."""
        if self.inputs == 1:
            return Fraction(1)
        return retention_gamma(self.retention_probability, min(self.unrelated))
