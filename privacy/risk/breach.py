"""Breaches of privacy from rho1 to rho2: of any property, upward and downward, with background knowledge."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from privacy.channels.amplification import bayes
from privacy.errors import PrivacyError

__all__ = ["no_breach", "posterior_of", "property_of"]


def posterior_of(
    members: Sequence[int], prior: Sequence[Fraction], likelihood: Sequence[Fraction]
) -> Fraction:
    """Return P(Q | y) for the property that these true values have, by Bayes.

    Parameters
    ----------
    members : sequence of int
    prior : sequence of Fraction
        P of each true value, together 1.
    likelihood : sequence of Fraction
        p[x -> y] of each true value x, a row of the channel.

    Raises
    ------
    PrivacyError
        ``prior``, ``shape``, ``impossible``.
    """
    _checked(prior, likelihood)
    after = bayes(prior, likelihood)
    return sum((after[value] for value in members), Fraction(0))


def property_of(
    members: Sequence[int], prior: Sequence[Fraction], likelihood: Sequence[Fraction]
) -> tuple[Fraction, Fraction]:
    """Return prior and posterior of a property, to be held against rho1 and rho2.

    Parameters
    ----------
    members : sequence of int
        Positions of the true values that have the property.
    prior : sequence of Fraction
        Chance of each true value; they sum to 1.
    likelihood : sequence of Fraction
        Chance of the report, for each true value.

    References
    ----------
    Li and others, definitions 1 and 2: upward from rho1 to rho2 where the prior is at most rho1 and the
    posterior at least rho2; downward where the prior is at least rho2 and the posterior at most rho1.
    """
    after = posterior_of(members, prior, likelihood)
    return sum((prior[value] for value in members), Fraction(0)), after


def no_breach(gamma: Fraction | None, rho1: Fraction, rho2: Fraction) -> bool:
    """Return whether a gamma-amplifying channel can have no breach from rho1 to rho2, whatever the prior.

    Parameters
    ----------
    gamma : Fraction or None
        None where it is infinite.
    rho1, rho2 : Fraction, 0 < rho1 < rho2 < 1

    Notes
    -----
    rho2 (1 - rho1)/(rho1 (1 - rho2)) > gamma excludes upward breaches from rho1 to rho2 and downward ones
    from rho2 to rho1, also for an adversary who knows Z, as long as Z has no part in the drawing: p[x -> y]
    is the same for every z. In the source's proof x2 must be the value outside Q with the *smallest* p[x ->
    y]; it prints the largest for both.

    References
    ----------
    Li and others, conditions (a) and (b); Evfimievski, Gehrke and Srikant 2003.

    Examples
    --------
    >>> no_breach(1 + Fraction(1001, 201), Fraction(1, 7), Fraction(1, 2))  # 6 > 5.98
    True
    """
    return gamma is not None and odds_ratio(rho1, rho2) > gamma


def odds_ratio(rho1: Fraction, rho2: Fraction) -> Fraction:
    """Return rho2 (1 - rho1)/(rho1 (1 - rho2)), which gamma has to stay below."""
    if not 0 < rho1 < rho2 < 1:
        raise PrivacyError("rho.order", (rho1, rho2), rho1=rho1, rho2=rho2)
    return rho2 * (1 - rho1) / (rho1 * (1 - rho2))


def _checked(prior: Sequence[Fraction], likelihood: Sequence[Fraction]) -> Fraction:
    """Return P(y), after looking at the arguments."""
    if len(prior) != len(likelihood):
        raise PrivacyError("shape.priors", len(prior), count=len(likelihood))
    if min(prior) < 0 or sum(prior) != 1:
        raise PrivacyError("prior.sum", prior, total=float(sum(prior)), least=float(min(prior)))
    total = sum((share * chance for share, chance in zip(prior, likelihood, strict=True)), Fraction(0))
    if total == 0:
        raise PrivacyError("impossible.observed", likelihood)
    return total
