"""Named designs of randomised response, each one a constructor that states its channel.

Chances may be given as floats: 1/6 and .3 are read as the fractions that were meant.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction

from privacy.channels.retention import Retention
from privacy.errors import PrivacyError
from privacy.library.response_design import Chance, ResponseDesign, exact, written

__all__ = [
    "crosswise",
    "forced_levels",
    "forced_response",
    "generalised_rr",
    "grouping",
    "kuk",
    "mangat",
    "triangular",
    "truthful",
    "unrelated_question",
    "warner",
]


def truthful() -> ResponseDesign:
    """Return the design that reports every answer as it is."""
    return ResponseDesign(name="truthful", parameters=(), retention=Retention.truthful(2))


def warner(p: Chance) -> ResponseDesign:
    """Return Warner's design: "I have A" is to be judged with chance p, else "I do not have A".

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


def crosswise(p: Chance) -> ResponseDesign:
    """Return the crosswise design: report only whether the answers to two questions are the same.

    Parameters
    ----------
    p : float or Fraction, in [0, 1], not 1/2
        Known share of "yes" to the second, innocuous question.

    Notes
    -----
    Reports are "different" and "same" (both yes or both no); P(same | yes) = p, P(same | no) = 1 - p: the
    channel of Warner's design without a coin in anybody's hand.

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


def unrelated_question(p: Chance, theta: Chance) -> ResponseDesign:
    """Return the unrelated-question design: the sensitive question with chance p, else an unrelated one.

    Parameters
    ----------
    p : float or Fraction, in (0, 1]
    theta : float or Fraction, in [0, 1]
        Chance of "yes" to the unrelated question.

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


def forced_response(*, yes: Chance, no: Chance) -> ResponseDesign:
    """Return the forced-response design: "yes" and "no" are forced with known chances, else the truth.

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
        raise PrivacyError("designs.chances", written(up + down))
    forced = Retention.forced_response(yes=up, no=down) if up + down else Retention.truthful(2)
    return ResponseDesign(name="forced_response", parameters=(("yes", up), ("no", down)), retention=forced)


def mangat(p: Chance) -> ResponseDesign:
    """Return Mangat's design: those with A say yes, all others follow Warner's design.

    Parameters
    ----------
    p : float or Fraction, in (0, 1]
        Chance that who has not A is to judge "I have A", and says no.

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


def triangular(p: Chance) -> ResponseDesign:
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


def kuk(*, yes: Chance, no: Chance) -> ResponseDesign:
    """Return Kuk's design: the colour of a card is reported, drawn from one of two packs by the true answer.

    Parameters
    ----------
    yes, no : float or Fraction, in [0, 1], different
        Share of the colour that is counted as "yes" in the pack of those with, and without, A.

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


def generalised_rr(levels: Sequence[Hashable], p: Chance) -> ResponseDesign:
    """Return generalised (k-ary) randomised response: keep the level with chance p, else draw any of them.

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
    names = tuple(levels)
    if isinstance(levels, str) or len(names) < 2 or len(set(names)) != len(names):
        raise PrivacyError("designs.levels", len(names))
    retention = exact(p, "p")
    return ResponseDesign(
        name="generalised_rr",
        parameters=(("k", Fraction(len(names))), ("p", retention)),
        retention=Retention.generalised_rr(len(names), retention),
        values=names,
        reports=names,
    )


def forced_levels(forced: Mapping[Hashable, Chance]) -> ResponseDesign:
    """Return forced response with several answers: each is forced with a known chance, else the truth.

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
    names = tuple(forced)
    if len(names) < 2:
        raise PrivacyError("designs.levels", len(names))
    shares = [exact(share, f"the chance of {level!r}") for level, share in forced.items()]
    total = sum(shares, start=Fraction(0))
    if total >= 1:
        raise PrivacyError("designs.chances", written(total))
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


def grouping(p: Chance, theta: Chance, *, block: str | None = None) -> ResponseDesign:
    """Return the improved grouping design: one coin for all questions, and for each a decoy of its own.

    Parameters
    ----------
    p : float or Fraction, in (0, 1]
        Chance that all answers are reported as they are.
    theta : float or Fraction, in [0, 1]
        Chance of "yes" of each decoy.
    block : str, optional
        Name of the block of questions that share the coin: needed where columns have designs of their own.
        Columns of one block share a coin, those of two blocks have two.

    Notes
    -----
    The protected group of the model. One question by itself is an unrelated question.

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
