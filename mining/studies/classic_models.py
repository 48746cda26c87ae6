"""The models that the improved grouping model grew out of; for studies, never for live surveys.

Rows and answers are 0 and 1; probabilities are ten-thousandths.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from privacy import validation
from privacy.channels.channel import Channel
from privacy.coins import SCALE, Coins
from privacy.errors import PrivacyError

__all__ = ["OlderGrouping", "UnrelatedQuestion", "Warner"]

MOST_QUESTIONS: Final = 10


def _share(value: int, name: str) -> int:
    return validation.whole_number(value, name, low=0, high=SCALE)


def _answer(value: int) -> int:
    return validation.whole_number(value, "answer", low=0, high=1, code="answer")


@dataclass(frozen=True, kw_only=True)
class Warner:
    """Warner's related questions: "I have A" is answered with chance theta, else "I do not have A".

    Parameters
    ----------
    truth_probability : int, ten-thousandths, 0 to 10,000
        Chance theta of the first statement. At 5,000 the answers say nothing.

    References
    ----------
    Warner 1965; Kan and Cao, equation 1.

    Examples
    --------
    >>> model = Warner(truth_probability=7000)
    >>> model.observed_share(Fraction(1, 10))  # .1 * .7 + .9 * .3
    Fraction(17, 50)
    >>> model.disguise(1, coins=Coins([6999])), model.disguise(1, coins=Coins([7000]))
    (1, 0)
    """

    truth_probability: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "truth_probability", _share(self.truth_probability, "truth probability"))

    def channel(self) -> Channel:
        """Return ``channel[observed, true]`` over the answers 0 and 1."""
        theta = Fraction(self.truth_probability, SCALE)
        return Channel.of([[theta, 1 - theta], [1 - theta, theta]])

    def observed_share(self, prevalence: Fraction) -> Fraction:
        """Return the share of "yes" that is observed: pi theta + (1 - pi)(1 - theta)."""
        theta = Fraction(self.truth_probability, SCALE)
        return prevalence * theta + (1 - prevalence) * (1 - theta)

    def disguise(self, answer: int, *, coins: Coins) -> int:
        """Return the disguised answer; takes one draw."""
        true = _answer(answer)
        return true if coins.draw() < self.truth_probability else 1 - true


@dataclass(frozen=True, kw_only=True)
class UnrelatedQuestion:
    """One sensitive question, answered with chance p, else an unrelated one whose "yes" has chance theta.

    Parameters
    ----------
    truth_probability : int, ten-thousandths, 0 to 10,000
        p.
    unrelated_probability : int, ten-thousandths, 0 to 10,000
        theta.

    References
    ----------
    Greenberg et al. 1969; Kan and Cao, equation 2.

    Examples
    --------
    >>> model = UnrelatedQuestion(truth_probability=6000, unrelated_probability=3000)
    >>> model.observed_share(Fraction(1, 10))  # .6 * .1 + .4 * .3
    Fraction(9, 50)
    """

    truth_probability: int
    unrelated_probability: int

    def __post_init__(self) -> None:
        for name in ("truth_probability", "unrelated_probability"):
            object.__setattr__(self, name, _share(getattr(self, name), name.replace("_", " ")))

    def channel(self) -> Channel:
        """Return ``channel[observed, true]`` over the answers 0 and 1."""
        p, theta = Fraction(self.truth_probability, SCALE), Fraction(self.unrelated_probability, SCALE)
        no, yes = (1 - p) * (1 - theta), (1 - p) * theta
        return Channel.of([[p + no, no], [yes, p + yes]])

    def observed_share(self, prevalence: Fraction) -> Fraction:
        """Return the share of "yes" that is observed: p pi + (1 - p) theta."""
        p, theta = Fraction(self.truth_probability, SCALE), Fraction(self.unrelated_probability, SCALE)
        return p * prevalence + (1 - p) * theta

    def disguise(self, answer: int, *, coins: Coins) -> int:
        """Return the disguised answer; takes two draws, whatever the first one says."""
        true = _answer(answer)
        truthful = coins.draw() < self.truth_probability
        decoy = int(coins.draw() < self.unrelated_probability)
        return true if truthful else decoy


@dataclass(frozen=True, kw_only=True)
class OlderGrouping:
    """The grouping model before its improvement: one decoy answer for all questions of a row.

    Parameters
    ----------
    truth_probability : int, ten-thousandths, 0 to 10,000
        p, the chance that a protected row is reported as it is.
    unrelated_probability : int, ten-thousandths, 0 to 10,000
        theta, the chance that a decoy row is all "yes"; else it is all "no".
    n_questions : int, 1 to 10

    Notes
    -----
    q(all yes) = theta, q(all no) = 1 - theta, q(mixed) = 0: a row that mixes "yes" and "no" is
    surely true. The improved model of `privacy.survey.grouping` mends this.

    References
    ----------
    Kan and Cao, section 2, equations 3 to 6.

    Examples
    --------
    >>> model = OlderGrouping(truth_probability=3000, unrelated_probability=6000, n_questions=2)
    >>> model.disguise((1, 0), direct=False, coins=Coins([3000, 5999]))  # decoy: all yes
    (1, 1)
    >>> model.channel().amplification() is None  # without bound
    True
    """

    truth_probability: int
    unrelated_probability: int
    n_questions: int

    def __post_init__(self) -> None:
        for name in ("truth_probability", "unrelated_probability"):
            object.__setattr__(self, name, _share(getattr(self, name), name.replace("_", " ")))
        questions = validation.whole_number(
            self.n_questions, "number of questions", low=1, high=MOST_QUESTIONS
        )
        object.__setattr__(self, "n_questions", questions)

    def rows(self) -> tuple[tuple[int, ...], ...]:
        """Return all rows, the first question slowest; the order of the channel."""
        return tuple(itertools.product((0, 1), repeat=self.n_questions))

    def channel(self) -> Channel:
        """Return ``channel[observed, true]`` of the protected group, over `rows` on both sides."""
        p, theta = Fraction(self.truth_probability, SCALE), Fraction(self.unrelated_probability, SCALE)
        matrix = []
        for observed in self.rows():
            decoy = Fraction(0) if len(set(observed)) == 2 else theta if observed[0] else 1 - theta
            matrix.append([p * (observed == true) + (1 - p) * decoy for true in self.rows()])
        return Channel.of(matrix)

    def observed_share(self, prevalence: Fraction, direct_share: Fraction) -> Fraction:
        """Return the share of "yes" to one question: k pi + (1 - k) p pi + (1 - k)(1 - p) theta."""
        p, theta = Fraction(self.truth_probability, SCALE), Fraction(self.unrelated_probability, SCALE)
        k = direct_share
        return k * prevalence + (1 - k) * p * prevalence + (1 - k) * (1 - p) * theta

    def disguise(self, row: Sequence[int], *, direct: bool, coins: Coins) -> tuple[int, ...]:
        """Return the row that is sent; takes two draws, also from the direct group."""
        if len(row) != self.n_questions:
            raise PrivacyError("row", row, row=tuple(row), count=len(row), n_questions=self.n_questions)
        true = tuple(_answer(answer) for answer in row)
        truthful = coins.draw() < self.truth_probability
        decoy = int(coins.draw() < self.unrelated_probability)
        return true if direct or truthful else (decoy,) * self.n_questions
