"""Bayes' rule: beliefs after an observation, and the largest that a bound of a channel allows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import reduce
from operator import add
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from privacy.arrays import Array
from privacy.channels import Number

Probability = TypeVar("Probability", Fraction, float, "Array")


def bayes(prior: Sequence[Probability], likelihood: Sequence[Probability]) -> tuple[Probability, ...]:
    """Return the posterior of each true value: its prior times its likelihood, over the sum of all of them.

    Parameters
    ----------
    prior : sequence of Fraction, float, or float array
        Probabilities of the true values, or anything proportional to them; arrays hold many cases.
    likelihood : likewise
        Probability of the observation given each true value: a row of a channel.

    Raises
    ------
    ZeroDivisionError
        The observation has probability 0 under this prior.

    Examples
    --------
    >>> bayes((Fraction(1, 10), Fraction(9, 10)), (Fraction(3, 4), Fraction(1, 4)))
    (Fraction(1, 4), Fraction(3, 4))
    """
    joint = [share * probability for share, probability in zip(prior, likelihood, strict=True)]
    total = reduce(add, joint)
    return tuple(conditional(part, total) for part in joint)


def conditional(joint: Probability, report: Probability) -> Probability:
    """Divide the joint probability by that of the observation; array elements are 0 where the latter is 0.

    Parameters
    ----------
    joint : float or ndarray
        Joint probability of the event and the observation.
    report : float or ndarray
        Probability of the observation; an array must broadcast to the shape of `joint`.

    Examples
    --------
    >>> import numpy as np
    >>> conditional(0.25, 0.5), conditional(np.array([0.25, 0.0]), np.array([0.5, 0.0])).tolist()
    (0.5, [0.5, 0.0])
    """
    if isinstance(report, Fraction | float):
        return joint / report
    import numpy as np

    posterior = np.zeros(np.broadcast_shapes(np.shape(joint), report.shape))
    return np.divide(joint, report, out=posterior, where=report > 0)


def retention_posterior(
    truthful: Probability, likelihood: Probability | int, prior: Probability
) -> Probability:
    """Return the posterior of an event given a report of a retention channel: c f + (1 - c) P.

    Parameters
    ----------
    truthful : Fraction, float, or float array
        c, the truthful posterior: the probability that the report is the retained truth.
    likelihood, prior : likewise
        f, the probability of the event if the report is the truth; P, its prior, which a decoy leaves
        unchanged.

    Examples
    --------
    >>> retention_posterior(Fraction(1, 3), 1, Fraction(1, 10))
    Fraction(2, 5)
    """
    return truthful * likelihood + (1 - truthful) * prior


def posterior_bound(gamma: Number, prior: Number) -> Number:
    """Return the largest posterior of any property with this prior: gamma P / (1 + (gamma - 1) P).

    Parameters
    ----------
    gamma : Fraction or float
        Largest ratio of two probabilities of one report, 1 or more.
    prior : Fraction or float
        Probability of the property before the report, in [0, 1].

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
    """Return `posterior_bound` of gamma = exp(epsilon), without overflow for large epsilon.

    Parameters
    ----------
    epsilon : float
        ln gamma, 0 or more; may be infinite.
    prior : float, optional
        Probability of the property before the report, in [0, 1].

    Examples
    --------
    >>> posterior_at(math.log(4)), posterior_at(2000.0), posterior_at(math.inf, 0.1)
    (0.8, 1.0, 1.0)
    """
    return bayes((prior, 1 - prior), (1.0, math.exp(-epsilon)))[0] if prior else 0.0
