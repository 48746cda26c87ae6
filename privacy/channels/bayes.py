"""Bayes' rule: posteriors of true values given an observed one; exactly, or in floats."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import reduce
from operator import add
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["bayes", "conditional", "posterior_at", "posterior_bound", "retention_posterior"]

Chance = TypeVar("Chance", Fraction, float, "npt.NDArray[np.float64]")
Number = TypeVar("Number", Fraction, float)


def bayes(prior: Sequence[Chance], likelihood: Sequence[Chance]) -> tuple[Chance, ...]:
    """Return the posterior of each true value: its prior times its likelihood, over the sum of all of them.

    Parameters
    ----------
    prior : sequence of Fraction, float, or float array
        Chances of the true values, or anything proportional to them; arrays hold those of many cases.
    likelihood : likewise
        Chance of what was observed from each true value: a row of a channel.

    Raises
    ------
    ZeroDivisionError
        It is never observed under this prior.

    Examples
    --------
    >>> bayes((Fraction(1, 10), Fraction(9, 10)), (Fraction(3, 4), Fraction(1, 4)))
    (Fraction(1, 4), Fraction(3, 4))
    """
    joint = [share * chance for share, chance in zip(prior, likelihood, strict=True)]
    total = reduce(add, joint)
    return tuple(conditional(part, total) for part in joint)


def conditional(joint: Chance, observed: Chance) -> Chance:
    """Return the chance of both over that of what was observed; of arrays 0 where it never is.

    Examples
    --------
    >>> import numpy as np
    >>> conditional(0.25, 0.5), conditional(np.array([0.25, 0.0]), np.array([0.5, 0.0])).tolist()
    (0.5, [0.5, 0.0])
    """
    if isinstance(observed, Fraction | float):
        return joint / observed
    # Exact channels, and designs that have them, need no arrays.
    import numpy as np

    posterior = np.zeros(np.broadcast_shapes(np.shape(joint), observed.shape))
    return np.divide(joint, observed, out=posterior, where=observed > 0)


def retention_posterior(retained: Chance, shown: Chance | int, prior: Chance) -> Chance:
    """Return the posterior of an event given a report of a retention channel: c f + (1 - c) P.

    Parameters
    ----------
    retained : Fraction, float, or float array
        c, the truthful posterior: the chance that the report is the retained truth.
    shown, prior : likewise
        f, the chance of the event where the report is the truth; P, its prior, which a decoy leaves as it is.

    Examples
    --------
    >>> retention_posterior(Fraction(1, 3), 1, Fraction(1, 10))
    Fraction(2, 5)
    """
    return retained * shown + (1 - retained) * prior


def posterior_bound(gamma: Number, prior: Number) -> Number:
    """Return the largest posterior of any property with this prior: gamma P / (1 + (gamma - 1) P).

    References
    ----------
    Evfimievski, Gehrke and Srikant 2003 (rho1-to-rho2 breach).

    Examples
    --------
    >>> posterior_bound(Fraction(7), Fraction(1, 2))
    Fraction(7, 8)
    """
    return bayes((prior, 1 - prior), (gamma, gamma**0))[0]


def posterior_at(epsilon: float, prior: float = 0.5) -> float:
    """Return `posterior_bound` of gamma = exp(epsilon), which may be beyond all floats.

    Examples
    --------
    >>> posterior_at(math.log(4)), posterior_at(2000.0), posterior_at(math.inf, 0.1)
    (0.8, 1.0, 1.0)
    """
    return bayes((prior, 1 - prior), (1.0, math.exp(-epsilon)))[0]
