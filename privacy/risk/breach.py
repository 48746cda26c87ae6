"""Breaches of privacy from rho1 to rho2: of any property, upward and downward, with background knowledge."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from privacy.channels.amplification import bayes
from privacy.errors import PrivacyError

__all__ = ["no_breach", "property_of"]


def property_of(
    members: Sequence[int], prior: Sequence[Fraction], likelihood: Sequence[Fraction]
) -> tuple[Fraction, Fraction]:
    """Return prior and posterior of a property, to be held against rho1 and rho2.

    Parameters
    ----------
    members : sequence of int
        Positions of the true values that have the property.
    prior : sequence of Fraction
        P of each true value, together 1.
    likelihood : sequence of Fraction
        p[x -> y] of each true value x, a row of the channel.

    Raises
    ------
    PrivacyError
        ``prior``, ``shape``, ``impossible``.

    References
    ----------
    Li and others, definitions 1 and 2: upward from rho1 to rho2 where the prior is at most rho1 and the
    posterior at least rho2; downward where the prior is at least rho2 and the posterior at most rho1.
    """
    if len(prior) != len(likelihood):
        raise PrivacyError("shape.priors", len(prior), count=len(likelihood))
    if min(prior) < 0 or sum(prior) != 1:
        raise PrivacyError("prior.sum", prior, total=float(sum(prior)), least=float(min(prior)))
    try:
        posterior = bayes(prior, likelihood)
    except ZeroDivisionError:
        raise PrivacyError("impossible.observed", likelihood) from None
    before, after = (sum((shares[value] for value in members), Fraction(0)) for shares in (prior, posterior))
    return before, after


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
