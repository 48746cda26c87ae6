"""Named designs of randomised response: one constructor for each.

Probabilities may be floats: see `privacy.library.probabilities`.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final, Protocol, TypeAlias, runtime_checkable

import numpy as np

from privacy import validation
from privacy.arrays import Array, Whole
from privacy.channels import Channel, Retention
from privacy.errors import PrivacyError
from privacy.estimation.fit_check import RowGroups
from privacy.library.probabilities import Probability, exact, format_share

__all__ = [
    "MOST_JOINT",
    "YES_NO",
    "ResponseDesign",
    "checked_design",
    "checked_levels",
    "crosswise",
    "forced_levels",
    "forced_response",
    "generalised_rr",
    "grouping",
    "kuk",
    "mangat",
    "scores_of",
    "shared_row",
    "triangular",
    "truthful",
    "undisguised",
    "unrelated_question",
    "warner",
]


YES_NO: Final = ("no", "yes")
MOST_JOINT: Final = 64
"""Largest number of distinct rows of questions that share a coin; their channel has its square of entries."""


@dataclass(frozen=True, kw_only=True, repr=False)
class ResponseDesign:
    """Channel of the report to one question, and the names of its answers.

    Parameters
    ----------
    name : str
        Name of the constructor.
    parameters : tuple of (str, Fraction)
    retention : Retention
        The channel from the true answers to the reports, in the order of `values` and of `reports`.
    values : tuple
        True answers.
    reports : tuple
        Possible reports.
    shared_coin : bool
        Whether one coin decides for all questions with this design: all true answers, or all decoys.
    block : str or None
        Name of the block of questions that share the coin; None if all questions do.

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
        if self.block is not None and not isinstance(self.block, str):
            raise PrivacyError("designs.block", self.block)
        if self.retention.retention_probability == 0:
            raise PrivacyError("designs.constant", repr(self))

    def __repr__(self) -> str:
        arguments = [f"{key}={format_share(value)}" for key, value in self.parameters]
        if self.block is not None:
            arguments.append(f"block={self.block!r}")
        return f"{self.name}({', '.join(arguments)})"

    @property
    def channel(self) -> Channel:
        """``channel[report, true answer]``."""
        return self.retention.matrix

    def counts_of(self, key: str, counts: Whole, coin: Hashable = None) -> RowGroups:
        """Return counts of reports in the form that the fit check needs.

        Parameters
        ----------
        key : str
            Name of the column.
        counts : int array, shape (reports,)
        coin : hashable, optional
            Identifies the coin; columns with equal values share it.
        """
        p = float(self.retention.retention_probability)
        # For a design that flips answers, the fit check needs the probability of the likelier report.
        likelier_p = (1 + abs(p)) / 2 if self.name in ("warner", "crosswise") else p
        return RowGroups.of(key, counts, self.channel.as_array(), p=likelier_p, coin=coin)

    def row_of(self, questions: int) -> Retention:
        """Return the channel of a row of questions that share one coin; the last question varies fastest.

        Raises
        ------
        PrivacyError
            ``too_large``: more than 64 distinct rows.

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
        decoy_shares = [math.prod(row, start=Fraction(1)) for row in decoys]
        return Retention.grouping(self.retention.retention_probability, decoy_shares)

    def amplification(self, questions: int = 1) -> Fraction | None:
        """Return gamma, the largest probability ratio of one report to all questions; None if unbounded.

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
        # Decoys of a row are independent, so their probabilities multiply; the coin counts once.
        return 1 + (single - 1) / min(self.retention.unrelated) ** (count - 1)


def checked_levels(levels: object) -> tuple[Hashable, ...]:
    """Return the possible answers of a design: 2 or more, each once, in an order.

    Parameters
    ----------
    levels : object
        The value passed as levels; only lists, tuples, Series and arrays have an order.

    Examples
    --------
    >>> checked_levels(["never", "once"])
    ('never', 'once')
    """
    if isinstance(levels, (str, bytes, Mapping, Set)) or not isinstance(levels, Iterable):
        raise PrivacyError("designs.no_list", levels)
    names = tuple(levels)
    if unhashable := [name for name in names if not isinstance(name, Hashable)]:
        raise PrivacyError("designs.level", unhashable[0])
    if len(names) < 2:
        raise PrivacyError("designs.levels", len(names))
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise PrivacyError("designs.twice", twice[0])
    validation.visibly_distinct(names, "level")
    return names


def checked_design(design: object) -> ResponseDesign:
    """Return the design, or refuse anything else.

    Parameters
    ----------
    design : object
        The value passed as a design.
    """
    if not isinstance(design, ResponseDesign):
        raise PrivacyError("designs.kind", design)
    return design


def shared_row(first: ResponseDesign, second: ResponseDesign) -> Retention | None:
    """Return the joint channel of two questions that share a coin; None if each has its own coin.

    Parameters
    ----------
    first, second : ResponseDesign
        The design of each question. The second question varies fastest.

    Raises
    ------
    PrivacyError
        ``crosstab``: a shared coin names no block, one block has two coins, or two unrelated-question designs
        with equal p leave open whether they share a coin.

    Notes
    -----
    Within a block, the report is the true pair with probability p, and a pair of independent decoys with
    probability 1 - p. Coins of different blocks, and of designs with a coin for each question, are
    independent.

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
    probabilities = [design.retention.retention_probability for design in (first, second)]
    if first.shared_coin and second.shared_coin and first.block == second.block:
        if probabilities[0] != probabilities[1]:
            raise PrivacyError(
                "crosstab.two_coins", first.block, chances=", ".join(map(format_share, probabilities))
            )
        decoys = itertools.product(first.retention.unrelated, second.retention.unrelated)
        return Retention.grouping(
            probabilities[0], [first_share * second_share for first_share, second_share in decoys]
        )
    if first.name == second.name == "unrelated_question" and probabilities[0] == probabilities[1]:
        raise PrivacyError("crosstab.coins", repr(first))
    return None


def scores_of(retention: Retention) -> Array:
    """Return the score of each report for each true answer; the mean score is unbiased for its share.

    Parameters
    ----------
    retention : Retention
        The channel to invert.

    Examples
    --------
    A respondent under Warner's design with p = 3/4 scores (y - 1/4) / (1/2):

    >>> scores_of(Retention.warner(Fraction(3, 4))).tolist()
    [[1.5, -0.5], [-0.5, 1.5]]
    """
    return np.array([retention.score(event) for event in np.eye(retention.inputs)])


def truthful(*answers: Hashable) -> ResponseDesign:
    """Return the design that reports every answer unchanged.

    Parameters
    ----------
    *answers : hashable
        2 or more, each once. Defaults to yes and no; `crosstab` then uses the answers of the column.

    Raises
    ------
    PrivacyError
        ``designs``: fewer than 2 answers, or one twice.
    """
    return undisguised(checked_levels(answers) if answers else YES_NO)


def undisguised(values: tuple[Hashable, ...]) -> ResponseDesign:
    """Return the design of a column that contains true answers, even if all are the same.

    Parameters
    ----------
    values : tuple of hashable
        The possible answers, each once.

    Examples
    --------
    >>> undisguised(("f", "m")) == truthful("f", "m")
    True
    """
    retention = Retention.truthful(len(values))
    return ResponseDesign(name="truthful", parameters=(), retention=retention, values=values, reports=values)


def warner(p: Probability) -> ResponseDesign:
    """Return Warner's design: "I have A" is asked with probability p, else "I do not have A".

    Parameters
    ----------
    p : float or Fraction, in [0, 1], not 1/2

    References
    ----------
    Warner 1965.

    Examples
    --------
    >>> warner(p=.7).channel.row(1)  # "yes" of those without, and with, A
    (Fraction(3, 10), Fraction(7, 10))
    """
    share = exact(p, "p")
    return ResponseDesign(name="warner", parameters=(("p", share),), retention=Retention.warner(share))


def crosswise(p: Probability) -> ResponseDesign:
    """Return the crosswise design: report only whether the answers to two questions are the same.

    Parameters
    ----------
    p : float or Fraction, in [0, 1], not 1/2
        Known share of "yes" to the second, innocuous question.

    Notes
    -----
    Reports are "different" and "same" (both yes or both no). P(same | yes) = p and P(same | no) = 1 - p, so
    this is the channel of Warner's design without a coin.

    References
    ----------
    Yu, Tian and Tang 2008.

    Examples
    --------
    >>> crosswise(p=1/4).reports, crosswise(p=1/4).channel.row(1)
    (('different', 'same'), (Fraction(3, 4), Fraction(1, 4)))
    """
    share = exact(p, "p")
    return ResponseDesign(
        name="crosswise",
        parameters=(("p", share),),
        retention=Retention.crosswise(share),
        reports=("different", "same"),
    )


def unrelated_question(p: Probability, theta: Probability) -> ResponseDesign:
    """Return the unrelated-question design: the sensitive question with probability p, else an unrelated one.

    Parameters
    ----------
    p : float or Fraction, in (0, 1]
    theta : float or Fraction, in [0, 1]
        Probability of "yes" to the unrelated question.

    References
    ----------
    Greenberg et al. 1969.

    Examples
    --------
    >>> unrelated_question(p=.6, theta=.3).channel.row(1)  # .4 * .3, and .6 more
    (Fraction(3, 25), Fraction(18, 25))
    """
    truth, yes = exact(p, "p"), exact(theta, "theta")
    return ResponseDesign(
        name="unrelated_question",
        parameters=(("p", truth), ("theta", yes)),
        retention=Retention.unrelated_question(truth, yes),
    )


def forced_response(*, yes: Probability, no: Probability) -> ResponseDesign:
    """Return the forced-response design: "yes" and "no" are forced with known probabilities, else the truth.

    Parameters
    ----------
    yes, no : float or Fraction, in [0, 1], below 1 together

    References
    ----------
    Boruch 1971.

    Examples
    --------
    A die whose 1 forces "yes" and whose 6 forces "no":

    >>> forced_response(yes=1/6, no=1/6).channel.row(1)
    (Fraction(1, 6), Fraction(5, 6))
    """
    up, down = exact(yes, "yes"), exact(no, "no")
    if up + down >= 1:
        raise PrivacyError("designs.chances", format_share(up + down))
    channel = Retention.forced_response(yes=up, no=down) if up + down else Retention.truthful(2)
    return ResponseDesign(name="forced_response", parameters=(("yes", up), ("no", down)), retention=channel)


def mangat(p: Probability) -> ResponseDesign:
    """Return Mangat's design: respondents with A say yes, all others follow Warner's design.

    Parameters
    ----------
    p : float or Fraction, in (0, 1]
        Probability that a respondent without A is asked to judge "I have A" and says no.

    References
    ----------
    Mangat 1994.

    Examples
    --------
    >>> mangat(p=.7).channel.row(1), mangat(p=.7).amplification() is None  # "no" is surely true
    ((Fraction(3, 10), Fraction(1, 1)), True)
    """
    share = exact(p, "p")
    return ResponseDesign(name="mangat", parameters=(("p", share),), retention=Retention.mangat(share))


def triangular(p: Probability) -> ResponseDesign:
    """Return the triangular design: report only whether both answers are "no", or at least one is "yes".

    Parameters
    ----------
    p : float or Fraction, in [0, 1)
        Known share of "yes" to the second, innocuous question.

    Notes
    -----
    The channel of Mangat's design with 1 - p: P(at least one yes | yes) = 1, P(at least one yes | no) = p.

    References
    ----------
    Yu, Tian and Tang 2008.

    Examples
    --------
    >>> triangular(p=1/4).channel.row(1), triangular(p=1/4).amplification() is None
    ((Fraction(1, 4), Fraction(1, 1)), True)
    """
    share = exact(p, "p")
    return ResponseDesign(
        name="triangular",
        parameters=(("p", share),),
        retention=Retention.mangat(1 - share),
        reports=("both no", "a yes"),
    )


def kuk(*, yes: Probability, no: Probability) -> ResponseDesign:
    """Return Kuk's design: report the colour of a card from one of two packs; the true answer picks the pack.

    Parameters
    ----------
    yes, no : float or Fraction, in [0, 1], different
        Share of cards that count as "yes" in the pack for respondents with, and without, A.

    Notes
    -----
    One card per respondent.

    References
    ----------
    Kuk 1990.

    Examples
    --------
    >>> kuk(yes=.8, no=.2).channel.row(1)
    (Fraction(1, 5), Fraction(4, 5))
    """
    up, down = exact(yes, "yes"), exact(no, "no")
    return ResponseDesign(
        name="kuk", parameters=(("yes", up), ("no", down)), retention=Retention.kuk(up, down)
    )


def generalised_rr(levels: Sequence[Hashable], p: Probability) -> ResponseDesign:
    """Return generalised (k-ary) randomised response: keep the level with probability p, else draw one.

    Parameters
    ----------
    levels : sequence
        The possible answers, 2 or more.
    p : float or Fraction, in (0, 1]

    References
    ----------
    Kairouz, Bonawitz and Ramage 2016.

    Examples
    --------
    >>> generalised_rr(["never", "once", "often"], p=.5).channel.row(0)
    (Fraction(2, 3), Fraction(1, 6), Fraction(1, 6))
    """
    names = checked_levels(levels)
    retention = exact(p, "p")
    return ResponseDesign(
        name="generalised_rr",
        parameters=(("k", Fraction(len(names))), ("p", retention)),
        retention=Retention.generalised_rr(len(names), retention),
        values=names,
        reports=names,
    )


def forced_levels(forced: Mapping[Hashable, Probability]) -> ResponseDesign:
    """Return forced response with several answers: each is forced with a known probability, else the truth.

    Parameters
    ----------
    forced : mapping of level to float or Fraction, in [0, 1], below 1 together
        The possible answers, 2 or more, and how often each is forced.

    References
    ----------
    Boruch 1971; Heck and Moshagen 2018.

    Examples
    --------
    >>> forced_levels({"never": 1/6, "once": 1/6, "often": 1/6}).channel.row(0)
    (Fraction(2, 3), Fraction(1, 6), Fraction(1, 6))
    """
    if not isinstance(forced, Mapping):
        raise PrivacyError("designs.forced", forced)
    names = checked_levels(tuple(forced))
    shares = [exact(share, f"the chance of {level!r}") for level, share in forced.items()]
    total = sum(shares, start=Fraction(0))
    if total >= 1:
        raise PrivacyError("designs.chances", format_share(total))
    if total:
        retention = Retention(
            retention_probability=1 - total, unrelated=tuple(share / total for share in shares)
        )
    else:
        retention = Retention.truthful(len(names))
    return ResponseDesign(
        name="forced_levels",
        parameters=tuple((str(level), share) for level, share in zip(names, shares, strict=True)),
        retention=retention,
        values=names,
        reports=names,
    )


def grouping(p: Probability, theta: Probability, *, block: str | None = None) -> ResponseDesign:
    """Return the improved grouping design: one coin for all questions, and an own decoy for each.

    Parameters
    ----------
    p : float or Fraction, in (0, 1]
        Probability that all answers are reported unchanged.
    theta : float or Fraction, in [0, 1]
        Probability that a decoy says "yes".
    block : str, optional
        Name of the block of questions that share the coin. Needed if columns have their own designs: columns
        share a coin if their blocks are the same.

    Notes
    -----
    This is the protected group of the grouping model. For a single question it is the unrelated-question
    design.

    References
    ----------
    Kan and Cao, section 3.

    Examples
    --------
    >>> grouping(p=.3, theta=.6).channel == unrelated_question(p=.3, theta=.6).channel
    True
    """
    truth, yes = exact(p, "p"), exact(theta, "theta")
    return ResponseDesign(
        name="grouping",
        parameters=(("p", truth), ("theta", yes)),
        retention=Retention.unrelated_question(truth, yes),
        shared_coin=True,
        block=block,
    )


RowDesigns: TypeAlias = ResponseDesign | Sequence[ResponseDesign]
"""One design for all rows, or one design per row."""


@runtime_checkable
class Designed(Protocol):
    """A survey that knows how each of its columns was disguised and can read a table of its reports."""

    @property
    def designs(self) -> Mapping[Hashable, RowDesigns]: ...

    def on(
        self,
        frame: Any,
        *,
        weights: Hashable | None,
        clusters: Hashable | None,
        strata: Hashable | None,
    ) -> Any: ...
