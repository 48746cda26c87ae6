"""A design of randomised response: a finite channel with exact chances, and the names of its answers."""

from __future__ import annotations

import contextlib
import itertools
import math
from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, TypeAlias

import numpy as np

from privacy import validation
from privacy.arrays import Array, Whole
from privacy.channels.channel import Channel
from privacy.channels.retention import Retention
from privacy.errors import PrivacyError
from privacy.estimation.fit_check import Reported

__all__ = [
    "MOST_JOINT",
    "YES_NO",
    "Chance",
    "ResponseDesign",
    "checked_design",
    "exact",
    "scores_of",
    "shared_row",
    "written",
]

Chance: TypeAlias = float | Fraction | str
"""A share: 2/3 as a float is read as the fraction two thirds, and so is the text "2/3"."""

YES_NO: Final = ("no", "yes")
MOST_JOINT: Final = 64
"""Different rows of questions that share a coin; their channel has the square of it as entries."""

_SIMPLE: Final = 10_000
_CLOSE: Final = 1e-12


@dataclass(frozen=True, kw_only=True, repr=False)
class ResponseDesign:
    """Channel of the report to one question, and the names of its answers.

    Parameters
    ----------
    name : str
        Of its constructor.
    parameters : tuple of (str, Fraction)
    retention : Retention
        The channel from the true answers to the reports, in the order of `values` and of `reports`.
    values : tuple
        True answers.
    reports : tuple
        What can be reported.
    shared_coin : bool
        Whether all questions that it is given for are reported as they are or as decoys *together*.
    block : str or None
        Then the name of the block of questions that share the coin; None where one block is all there is.

    Raises
    ------
    PrivacyError
        ``designs``: the report does not depend on the true answer.

    Examples
    --------
    >>> from privacy.library.designs import forced_response
    >>> forced_response(yes=1/6, no=1/6)
    forced_response(yes=1/6, no=1/6)
    >>> forced_response(yes=1/6, no=1/6).channel[1, 1]  # the truth in four cases of six, forced in one
    Fraction(5, 6)
    """

    name: str
    parameters: tuple[tuple[str, Fraction], ...]
    retention: Retention
    values: tuple[Hashable, ...] = YES_NO
    reports: tuple[Hashable, ...] = YES_NO
    shared_coin: bool = False
    block: str | None = None

    def __post_init__(self) -> None:
        if self.retention.retention_probability == 0:
            raise PrivacyError("designs.constant", repr(self))

    def __repr__(self) -> str:
        stated = [f"{key}={written(value)}" for key, value in self.parameters]
        if self.block is not None:
            stated.append(f"block={self.block!r}")
        return f"{self.name}({', '.join(stated)})"

    @property
    def channel(self) -> Channel:
        """``channel[report, true answer]``."""
        return self.retention.matrix

    def reported(self, key: str, counts: Whole, coin: Hashable = None) -> Reported:
        """Return counts of reports as the fit check takes them.

        Parameters
        ----------
        key : str
            Name of the column.
        counts : int array, shape (reports,)
        coin : hashable, optional
            Of the block that it shares a coin with.
        """
        p = float(self.retention.retention_probability)
        # Of a design that turns answers round p is the probability of the likelier report.
        stated = (1 + abs(p)) / 2 if self.name in ("warner", "crosswise") else p
        return Reported.of(key, counts, self.channel.as_array(), p=stated, coin=coin)

    def row_of(self, questions: int) -> Retention:
        """Return the channel of a row of several questions that share one coin, the first slowest.

        Raises
        ------
        PrivacyError
            ``too_large``: more than 64 different rows.

        Examples
        --------
        >>> from privacy.library.designs import grouping
        >>> grouping(p=.5, theta=.5).row_of(2).matrix[0, 0]  # .5 + .5 / 4
        Fraction(5, 8)
        """
        rows = len(self.reports) ** questions
        if rows > MOST_JOINT:
            raise PrivacyError("too_large.joint", rows, questions=questions, most=MOST_JOINT)
        decoys = itertools.product(self.retention.unrelated, repeat=questions)
        unrelated = [math.prod(row, start=Fraction(1)) for row in decoys]
        return Retention.grouping(self.retention.retention_probability, unrelated)

    def amplification(self, questions: int = 1) -> Fraction | None:
        """Return gamma, the largest ratio of two chances of one report to all questions; None if unbounded.

        Examples
        --------
        >>> from privacy.library.designs import grouping, unrelated_question
        >>> grouping(p=.5, theta=.5).amplification(3)  # 1 + p/((1 - p) q), q = 1/8
        Fraction(9, 1)
        >>> unrelated_question(p=.5, theta=.5).amplification(3)  # 3 for each coin
        Fraction(27, 1)
        """
        count = validation.whole_number(questions, "number of questions", low=1, high=1000, code="questions")
        single = self.retention.amplification
        if single is None or not self.shared_coin:
            return None if single is None else single**count
        # Of a row the decoys' chances multiply, the coin's does not.
        return 1 + (single - 1) / min(self.retention.unrelated) ** (count - 1)


def checked_design(design: object) -> ResponseDesign:
    """Return a design, or refuse what is none.

    Parameters
    ----------
    design : object
        What a caller gave as a design.
    """
    if not isinstance(design, ResponseDesign):
        raise PrivacyError("designs.kind", design)
    return design


def shared_row(first: ResponseDesign, second: ResponseDesign) -> Retention | None:
    """Return the channel of two questions that share a coin, the first slowest; None where there are two.

    Parameters
    ----------
    first, second : ResponseDesign
        Each stated of its own question.

    Raises
    ------
    PrivacyError
        ``crosstab``: a coin that is shared does not say by which block, one block has two coins, or a coin is
        stated twice and may be one or two.

    Notes
    -----
    Reports of one block are p times the true pair and 1 - p times the product of both decoys. Coins of two
    blocks, and those of designs with a coin for each question, are independent.

    Examples
    --------
    >>> from privacy.library.designs import grouping
    >>> home = grouping(p=.5, theta=.5, block="home")
    >>> shared_row(home, home).matrix[0, 0]  # .5 + .5 / 4
    Fraction(5, 8)
    >>> shared_row(home, grouping(p=.5, theta=.5, block="work")) is None
    True
    """
    for design in (first, second):
        if design.shared_coin and design.block is None:
            raise PrivacyError("crosstab.block", repr(design), name=design.name)
    chances = [design.retention.retention_probability for design in (first, second)]
    if first.shared_coin and second.shared_coin and first.block == second.block:
        if chances[0] != chances[1]:
            raise PrivacyError("crosstab.two_coins", first.block, chances=", ".join(map(written, chances)))
        decoys = itertools.product(first.retention.unrelated, second.retention.unrelated)
        return Retention.grouping(
            chances[0], [first_share * second_share for first_share, second_share in decoys]
        )
    if first.name == second.name == "unrelated_question" and chances[0] == chances[1]:
        raise PrivacyError("crosstab.coins", repr(first))
    return None


def scores_of(retention: Retention) -> Array:
    """Return for each true letter the scores of what is shown: their mean is unbiased for its share.

    Parameters
    ----------
    retention : Retention
        Whose channel is inverted.

    Examples
    --------
    Who reports by Warner's design with p = 3/4 scores (y - 1/4) / (1/2):

    >>> scores_of(Retention.warner(Fraction(3, 4))).tolist()
    [[1.5, -0.5], [-0.5, 1.5]]
    """
    return np.array([retention.score(event) for event in np.eye(retention.inputs)])


def exact(value: Chance, name: str) -> Fraction:
    """Return a share as the fraction that was meant.

    Parameters
    ----------
    value : float, Fraction, int, Decimal or str, in [0, 1]
        A float within 1e-12 of a fraction with a denominator of at most 10,000 is read as that one: two such
        fractions lie at least 1e-8 apart. Any other is read as the shortest decimal that it prints as. A text
        is read as `fractions.Fraction` does.
    name : str
        For the refusal.

    Raises
    ------
    PrivacyError
        ``chance``: no number in [0, 1].

    Examples
    --------
    >>> exact(1 - 2/3, "p"), exact(.3, "p"), exact(.123456789, "p"), exact("1/6", "p")
    (Fraction(1, 3), Fraction(3, 10), Fraction(123456789, 1000000000), Fraction(1, 6))
    """
    if isinstance(value, str):
        # What is no fraction stays a text, which is refused.
        with contextlib.suppress(ValueError, ZeroDivisionError):
            value = Fraction(value)
    number = validation.real_number(value, name, low=0, high=1, code="chance")
    if isinstance(value, int | Fraction):
        return Fraction(value)
    simple = Fraction(number).limit_denominator(_SIMPLE)
    return simple if abs(simple - Fraction(number)) <= _CLOSE else Fraction(repr(number))


def written(share: Fraction) -> str:
    """Write a fraction as a decimal where that ends soon.

    Parameters
    ----------
    share : Fraction
        In [0, 1].

    Examples
    --------
    >>> written(Fraction(3, 10)), written(Fraction(2, 3))
    ('0.3', '2/3')
    """
    text = f"{float(share):.6g}"
    return text if Fraction(text) == share else str(share)
