"""Breaches from a prior to a posterior belief."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from privacy.errors import PrivacyError
from privacy.posterior import bayes


def property_of(
    members: Sequence[int], prior: Sequence[Fraction], likelihood: Sequence[Fraction]
) -> tuple[Fraction, Fraction]:
    """Return the prior and posterior of a property, for comparison with rho1 and rho2.

    Parameters
    ----------
    members : sequence of int
        Positions of the true values that have the property.
    prior : sequence of Fraction
        P of each true value, with sum 1.
    likelihood : sequence of Fraction
        p[x -> y] of each true value x, a row of the channel.

    Raises
    ------
    PrivacyError
        ``prior``, ``impossible``.

    References
    ----------
    Li and others, definitions 1 and 2: a breach is upward from rho1 to rho2 if the prior is at most rho1 and
    the posterior at least rho2; downward if the prior is at least rho2 and the posterior at most rho1.
    """
    if min(prior) < 0 or sum(prior) != 1:
        raise PrivacyError("prior.sum", prior, total=float(sum(prior)), least=float(min(prior)))
    try:
        posterior = bayes(prior, likelihood)
    except ZeroDivisionError:
        raise PrivacyError("impossible.observed", likelihood) from None
    before, after = (sum((shares[value] for value in members), Fraction(0)) for shares in (prior, posterior))
    return before, after


def no_breach(gamma: Fraction | None, rho1: Fraction, rho2: Fraction) -> bool:
    """Return whether a gamma-amplifying channel excludes breaches from rho1 to rho2 for every prior.

    Parameters
    ----------
    gamma : Fraction or None
        None if it is infinite.
    rho1, rho2 : Fraction, 0 < rho1 < rho2 < 1

    Notes
    -----
    rho2 (1 - rho1)/(rho1 (1 - rho2)) > gamma excludes upward breaches from rho1 to rho2 and downward ones
    from rho2 to rho1. This also holds for an adversary who knows Z, if Z does not affect the draw: p[x -> y]
    is the same for every z. In the paper's proof, x2 must be the value outside Q with the *smallest*
    p[x -> y]; the paper prints the largest for both.

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
    """Return rho2 (1 - rho1)/(rho1 (1 - rho2)), the upper limit of gamma.

    Parameters
    ----------
    rho1, rho2 : Fraction
        As in `no_breach`.
    """
    if not 0 < rho1 < rho2 < 1:
        raise PrivacyError("rho.order", (rho1, rho2), rho1=rho1, rho2=rho2)
    return rho2 * (1 - rho1) / (rho1 * (1 - rho2))
