"""Breaches of privacy from rho1 to rho2: of any property, upward and downward, with background knowledge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from privacy.channels.amplification import bayes
from privacy.errors import PrivacyError
from privacy.risk.breach_search import Search

__all__ = [
    "Property",
    "least_property",
    "no_breach",
    "posterior_of",
    "property_of",
    "worst_property",
]

MOST_NODES: Final = 20_000


@dataclass(frozen=True, kw_only=True)
class Property:
    """A property Q of true values, before and after one value is observed.

    Parameters
    ----------
    members : tuple of int
        The true values that have it, ascending.
    prior, posterior : Fraction
        P(Q), P(Q | y).
    bound : Fraction
        No property with such a prior has a posterior beyond it: above the posterior for the worst property,
        below it for the least.
    exact : bool
        Whether no property at all goes further than this one; else the search was given up, and only the
        bound is sure.
    """

    members: tuple[int, ...]
    prior: Fraction
    posterior: Fraction
    bound: Fraction
    exact: bool


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

    References
    ----------
    Source 000, definitions 1 and 2: upward from rho1 to rho2 where the prior is at most rho1 and the
    posterior at least rho2; downward where the prior is at least rho2 and the posterior at most rho1.
    """
    after = posterior_of(members, prior, likelihood)
    return sum((prior[value] for value in members), Fraction(0)), after


def worst_property(
    prior: Sequence[Fraction],
    likelihood: Sequence[Fraction],
    rho1: Fraction,
    *,
    most_nodes: int = MOST_NODES,
) -> Property:
    """Return the property with a prior of at most rho1 whose posterior is largest.

    There is an upward breach from rho1 to rho2 exactly if its posterior is at least rho2.

    Parameters
    ----------
    prior, likelihood : sequence of Fraction
        As in `posterior_of`.
    rho1 : Fraction, in [0, 1)
    most_nodes : int
        Steps after which the search is given up. The bound takes none.

    Returns
    -------
    Property

    Raises
    ------
    PrivacyError
        ``prior``, ``shape``, ``impossible``, ``rho1``.

    Notes
    -----
    None of the 2^|V| properties is listed. Let F take the values by falling likelihood until it has mass
    rho1, the last one, of likelihood t, in part. For any Q with P(Q) <= rho1

        sum_F P l - sum_Q P l = sum_(F less Q) P l - sum_(Q less F) P l >= t (P(F) - P(Q)) >= 0,

    because l >= t on F and l <= t outside it. So the posterior of F bounds that of every property, and
    where F takes no value in part, F is the worst property. Where it does, values are taken or left in
    this order, and a branch is left once its own F promises no more than what was found: the search ends
    with the worst property. Values alike in prior and likelihood are taken together; who they are makes no
    difference.

    Examples
    --------
    Three values, the first one shown four times as likely as the others.

    >>> prior = [Fraction(1, 10), Fraction(4, 10), Fraction(5, 10)]
    >>> worst = worst_property(prior, [Fraction(4, 6), Fraction(1, 6), Fraction(1, 6)], Fraction(1, 2))
    >>> worst.members, worst.prior, worst.posterior, worst.exact  # (.4 + .4)/(.4 + .4 + .5)
    ((0, 1), Fraction(1, 2), Fraction(8, 13), True)
    """
    if not 0 <= rho1 < 1:
        raise PrivacyError("rho1", rho1)
    total = _checked(prior, likelihood)
    search = Search(prior, likelihood, rho1)
    search.run(most_nodes)
    bound = search.bound / search.value_scale / total
    posterior = posterior_of(search.members, prior, likelihood)
    return Property(
        members=search.members,
        prior=sum((prior[value] for value in search.members), Fraction(0)),
        posterior=posterior,
        bound=posterior if search.finished else bound,
        exact=search.finished,
    )


def least_property(
    prior: Sequence[Fraction],
    likelihood: Sequence[Fraction],
    rho2: Fraction,
    *,
    most_nodes: int = MOST_NODES,
) -> Property:
    """Return the property with a prior of at least rho2 whose posterior is smallest.

    There is a downward breach from rho2 to rho1 exactly if its posterior is at most rho1. It is the
    complement of the worst property for 1 - rho2.

    Parameters
    ----------
    prior, likelihood, most_nodes
        As in `worst_property`.
    rho2 : Fraction, in (0, 1]
    """
    other = worst_property(prior, likelihood, 1 - rho2, most_nodes=most_nodes)
    inside = set(other.members)
    return Property(
        members=tuple(value for value in range(len(prior)) if value not in inside),
        prior=1 - other.prior,
        posterior=1 - other.posterior,
        bound=1 - other.bound,
        exact=other.exact,
    )


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
    from rho2 to rho1, also for whoever knows Z, as long as Z has no part in the drawing: p[x -> y] is the
    same for every z. In the source's proof x2 must be the value outside Q with the *smallest* p[x -> y];
    it prints the largest for both.

    References
    ----------
    Source 000, conditions (a) and (b); Evfimievski, Gehrke and Srikant 2003.

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
