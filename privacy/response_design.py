"""A design of randomised response: a finite channel with exact chances, and the names of its answers."""

from __future__ import annotations

import itertools
import math
from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from typing import Final, TypeAlias

from privacy import validation
from privacy.channels.channel import Channel
from privacy.errors import PrivacyError

__all__ = [
    "MOST_JOINT",
    "YES_NO",
    "Chance",
    "ResponseDesign",
    "checked_design",
    "exact",
    "kronecker",
    "written",
]

Chance: TypeAlias = float | Fraction
"""A share: 2/3 as a float is read as the fraction two thirds."""

YES_NO: Final = ("no", "yes")
MOST_JOINT: Final = 64
"""Different reports of questions taken together; their channel has the square of it as entries."""

_SIMPLE: Final = 10_000
_CLOSE: Final = 1e-12


@dataclass(frozen=True, kw_only=True, repr=False)
class ResponseDesign:
    """What is reported of one question, and the law of it.

    Parameters
    ----------
    name : str
        Of its constructor.
    parameters : tuple of (str, Fraction)
    values : tuple
        True answers, in the order of the channel's columns.
    reports : tuple
        What can be reported, in the order of the channel's rows.
    channel : Channel
        ``channel[report, true answer]``.
    shared_coin : bool
        Whether all questions that it is given for are reported as they are or as decoys *together*.

    Raises
    ------
    PrivacyError
        ``designs``: the report does not depend on the true answer.

    Examples
    --------
    >>> from privacy.designs import forced_response
    >>> forced_response(yes=1/6, no=1/6)
    forced_response(yes=1/6, no=1/6)
    >>> forced_response(yes=1/6, no=1/6).channel[1, 1]  # the truth in four cases of six, forced in one
    Fraction(5, 6)
    """

    name: str
    parameters: tuple[tuple[str, Fraction], ...]
    values: tuple[Hashable, ...] = YES_NO
    reports: tuple[Hashable, ...] = YES_NO
    channel: Channel
    shared_coin: bool = False

    def __post_init__(self) -> None:
        if any(len(set(row)) > 1 for row in self.channel.matrix):
            return
        raise PrivacyError("designs.constant", repr(self))

    def __repr__(self) -> str:
        return f"{self.name}({', '.join(f'{key}={written(value)}' for key, value in self.parameters)})"

    def joint(self, questions: int) -> Channel:
        """Return the channel of several questions, the first slowest on both sides.

        Parameters
        ----------
        questions : int
            Each with a coin of its own (a Kronecker product), or all with one: p I + (1 - p) q 1', q the
            product of the decoys' chances.

        Raises
        ------
        PrivacyError
            ``too_large``: more than 64 different reports.

        Examples
        --------
        >>> from privacy.designs import grouping, unrelated_question
        >>> grouping(p=.5, theta=.5).joint(2)[0, 0], unrelated_question(p=.5, theta=.5).joint(2)[0, 0]
        (Fraction(5, 8), Fraction(9, 16))
        """
        reports = len(self.reports) ** questions
        if reports > MOST_JOINT:
            raise PrivacyError("too_large.joint", reports, questions=questions, most=MOST_JOINT)
        if not self.shared_coin:
            return reduce(kronecker, [self.channel] * questions)
        truth = self.channel[1, 1] - self.channel[1, 0]
        # Where p = 1 no decoy is ever reported, and its chances do not matter.
        rest = 1 if truth == 1 else 1 - truth
        decoys = self.channel[0, 1] / rest, self.channel[1, 0] / rest
        chances = [Fraction(math.prod(row)) for row in itertools.product(decoys, repeat=questions)]
        return Channel.of(
            [
                [(1 - truth) * chance + truth * (report == true) for true in range(reports)]
                for report, chance in enumerate(chances)
            ]
        )

    def amplification(self, questions: int = 1) -> Fraction | None:
        """Return gamma, the largest ratio of two chances of one report to all questions; None if unbounded.

        Examples
        --------
        >>> from privacy.designs import grouping, unrelated_question
        >>> grouping(p=.5, theta=.5).amplification(3)  # 1 + p/((1 - p) q), q = 1/8
        Fraction(9, 1)
        >>> unrelated_question(p=.5, theta=.5).amplification(3)  # 3 for each coin
        Fraction(27, 1)
        """
        count = validation.whole_number(questions, "number of questions", low=1, high=1000, code="questions")
        if not self.shared_coin:
            one = self.channel.amplification()
            return None if one is None else one**count
        truth = self.channel[1, 1] - self.channel[1, 0]
        if truth == 1:
            return None
        least = min(self.channel[0, 1], self.channel[1, 0]) / (1 - truth)
        return None if least == 0 else 1 + truth / ((1 - truth) * least**count)


def checked_design(design: object) -> ResponseDesign:
    """Return a design, or refuse what is none."""
    if not isinstance(design, ResponseDesign):
        raise PrivacyError("designs.kind", design)
    return design


def kronecker(first: Channel, second: Channel) -> Channel:
    """Return the channel of two values that are reported independently, the first slowest."""
    return Channel.of(
        [
            [one * other for one in above for other in below]
            for above in first.matrix
            for below in second.matrix
        ]
    )


def exact(value: Chance, name: str) -> Fraction:
    """Return a share as the fraction that was meant.

    Parameters
    ----------
    value : float, Fraction, int or Decimal, in [0, 1]
        A float within 1e-12 of a fraction with a denominator of at most 10,000 is read as that one: two such
        fractions lie at least 1e-8 apart. Any other is read as the shortest decimal that it prints as.
    name : str
        For the refusal.

    Raises
    ------
    PrivacyError
        ``chance``: no number in [0, 1].

    Examples
    --------
    >>> exact(1 - 2/3, "p"), exact(.3, "p"), exact(.123456789, "p")
    (Fraction(1, 3), Fraction(3, 10), Fraction(123456789, 1000000000))
    """
    number = validation.real_number(value, name, low=0, high=1, code="chance")
    if isinstance(value, int | Fraction):
        return Fraction(value)
    simple = Fraction(number).limit_denominator(_SIMPLE)
    return simple if abs(simple - Fraction(number)) <= _CLOSE else Fraction(repr(number))


def written(share: Fraction) -> str:
    """Write a fraction as a decimal where that ends soon.

    >>> written(Fraction(3, 10)), written(Fraction(2, 3))
    ('0.3', '2/3')
    """
    text = f"{float(share):.6g}"
    return text if Fraction(text) == share else str(share)
