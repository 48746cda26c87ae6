"""Posteriors given one disguised row, which ``odds.js`` shows to respondents.

A row that was sent, and the two ways in which it comes about: as a truth, or as a decoy.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from privacy import validation
from privacy.arrays import Whole
from privacy.channels.amplification import bayes, conditional, retained
from privacy.coins import SCALE
from privacy.errors import PrivacyError
from privacy.survey.block import Block
from privacy.survey.grouping import BlockPattern, pattern_probability, unrelated_probability
from privacy.survey.question import Question


@dataclass(frozen=True, kw_only=True)
class SentRow:
    """The probabilities of one row.

    Parameters
    ----------
    truth : Fraction
        p of its block.
    prior, decoy : Fraction
        P(y), its probability as a truth; q(y), its probability as a decoy.

    Examples
    --------
    p = .6, P = .16, q = .25: sent with .6 * .16 + .4 * .25.

    >>> row = SentRow(truth=Fraction(6, 10), prior=Fraction(16, 100), decoy=Fraction(1, 4))
    >>> row.sent, row.coin, row.even
    (Fraction(49, 250), Fraction(24, 49), Fraction(7, 8))
    """

    truth: Fraction
    prior: Fraction
    decoy: Fraction

    @cached_property
    def truthful(self) -> Fraction:
        """Probability of "truth, and this row": p P."""
        return self.truth * self.prior

    @cached_property
    def drawn(self) -> Fraction:
        """Probability of "decoy, and this row": (1 - p) q."""
        return (1 - self.truth) * self.decoy

    @cached_property
    def sent(self) -> Fraction:
        """Probability that it is sent; 0 for an impossible row, which has no posterior."""
        return self.truthful + self.drawn

    @property
    def coin(self) -> Fraction:
        """Truthful posterior: p P / (p P + (1 - p) q)."""
        return conditional(self.truthful, self.sent)

    @property
    def answer(self) -> Fraction:
        """Answer posterior, a decoy may hit the truth: P (p + (1 - p) q) / (p P + (1 - p) q)."""
        return conditional(self.prior * (self.truth + self.drawn), self.sent)

    @property
    def even(self) -> Fraction:
        """Answer posterior at an even prior: gamma / (1 + gamma)."""
        return bayes((Fraction(1, 2), Fraction(1, 2)), (self.truth + self.drawn, self.drawn))[0]

    @property
    def amplification(self) -> Fraction | None:
        """gamma: 1 + p / ((1 - p) q); None where it is infinite."""
        return retained(self.truth, self.decoy)


Prevalence: TypeAlias = Mapping[str, Sequence[int]]
"""``{question key: ten-thousandths per item}``, as stated by the researcher for protected questions."""


def check_prevalence(questions: Sequence[Question], prevalence: Prevalence) -> None:
    """Refuse statements that omit a question or give it an invalid distribution.

    Parameters
    ----------
    questions : sequence of Question
        The questions that need one.
    prevalence : mapping of question key to sequence of int, ten-thousandths, 0 to 10,000
        One per item; those of a single choice sum to 10,000. Further keys do not matter.

    Raises
    ------
    PrivacyError
        ``prevalence`` or ``shares_sum``.
    """
    for question in questions:
        shares = prevalence.get(question.key)
        if not isinstance(shares, list | tuple) or len(shares) != question.n_items:
            raise PrivacyError("prevalence.question", shares, question=question.key, n_items=question.n_items)
        for share in shares:
            validation.whole_number(
                share, f"prevalence of {question.key}", low=0, high=SCALE, code="prevalence"
            )
        if question.is_exhaustive and sum(shares) != SCALE:
            raise PrivacyError("shares_sum", sum(shares), key=question.key, scale=SCALE)


def prior_probability(block: Block, prevalence: Prevalence, row: BlockPattern) -> Fraction:
    """Return the prior probability P of a true row: the product of the stated prevalences.

    No prevalence of skipping is stated: a skip, if offered, is assumed as frequent as in decoys.

    Parameters
    ----------
    block : Block
        A protected block.
    prevalence : mapping
        See `check_prevalence`.
    row : "skipped", or sequence of (value or None), one per question
        None where any answer will do.
    """
    check_prevalence(block.questions, prevalence)
    return pattern_probability(block, prevalence, row)


def sent_row(block: Block, row: BlockPattern, prior: Fraction) -> SentRow:
    """Return a row that was sent, with its probabilities.

    Parameters
    ----------
    block : Block
        Protected.
    row : "skipped", or sequence of (value or None)
        The sent row; None for questions that are ignored.
    prior : Fraction
        P of the row. An adversary who knows some answers, and sees them match before inspecting the rest,
        has P = 1 for the known part.
    """
    truth, decoy = Fraction(block.truth_probability, SCALE), unrelated_probability(block, row)
    return SentRow(truth=truth, prior=prior, decoy=decoy)


Bits: TypeAlias = NDArray[np.uint8]


def by_question(columns: NDArray[Any], questions: Sequence[Question]) -> list[NDArray[Any]]:
    """Divide columns of items among their questions.

    Parameters
    ----------
    columns : ndarray, shape (..., items)
        One column an item, in the order of the questions.
    questions : sequence of Question
        At least one.
    """
    ends = np.cumsum([question.n_items for question in questions])
    return np.split(columns, ends[:-1], axis=-1)


@dataclass(frozen=True, kw_only=True, eq=False)
class ObservedBlock:
    """Rows that one group sent for one protected block, under its strength.

    Parameters
    ----------
    rows : uint8 array, shape (distinct, items of the block)
        Distinct complete answers.
    counts : int64 array, shape (distinct + 1,)
        How many rows sent each, "skipped" last. Respondents who were not asked are in no count.
    is_asked : uint8 array, shape (distinct, questions of the block), or None
        For a rotating block, the questions that each row was asked; rows with different questions are
        distinct.
    """

    rows: Bits
    counts: Whole
    is_asked: Bits | None = None


@dataclass(frozen=True, kw_only=True, eq=False)
class Observed:
    """All rows of one design, counted.

    Parameters
    ----------
    n_direct, n_protected : int
    open : int64 array, shape (cells, 2)
        Rows of the direct and of the protected group by their open answers: one row per distinct combination.
    blocks : dict of str to ObservedBlock
        Rows of the protected group by block key, for every protected block except numbers and places.
    light : dict of str to ObservedBlock
        Rows of the direct group by block key, if they are disguised too; otherwise empty.
    own : int or None
        For a design with rotation, the number of rows whose combination of asked questions and open answers
        is unique.
    """

    n_direct: int
    n_protected: int
    open: Whole
    blocks: dict[str, ObservedBlock]
    light: dict[str, ObservedBlock] = field(default_factory=dict)
    own: int | None = None
