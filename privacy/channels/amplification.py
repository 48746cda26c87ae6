"""Amplification gamma of a channel, exactly, and the epsilon that is its logarithm.

Bayes' rule: posteriors of true values given an observed one; exactly, or in floats.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import reduce
from operator import add
from typing import TYPE_CHECKING, Final, TypeVar

from privacy import validation
from privacy.policy import EPSILON_HIGHEST, EPSILON_LOWEST

if TYPE_CHECKING:
    from privacy.arrays import Array


_SCALE: Final = 1 << 20

Number = TypeVar("Number", Fraction, float)


def largest_ratio(rows: Iterable[Sequence[Number]]) -> Number | Fraction | None:
    """Return gamma, the largest ratio of two entries of one row of a channel; None where it is infinite.

    Parameters
    ----------
    rows : iterable of sequence of Fraction, or of float
        For each observed value, its probabilities given each true value; the distinct entries are enough.
        Rows of zeros are never observed and are ignored.

    References
    ----------
    Evfimievski, Gehrke and Srikant 2003, definition of gamma-amplifying.

    Examples
    --------
    >>> largest_ratio([[Fraction(3, 4), Fraction(1, 4)], [Fraction(1, 4), Fraction(3, 4)], [Fraction(0)]])
    Fraction(3, 1)
    >>> largest_ratio([[Fraction(1), Fraction(0)]])
    """
    worst: Number | Fraction = Fraction(1)
    for row in rows:
        high, low = max(row), min(row)
        if high == 0:
            continue
        if low == 0:
            return None
        worst = max(worst, high / low)
    return worst


def retained(p: Fraction, decoy: Fraction) -> Fraction | None:
    """Return gamma of a value kept with probability p, otherwise shown with probability q: 1 + p/((1 - p) q).

    Parameters
    ----------
    p : Fraction
        Retention probability; below 0 for a design that lies more often than it tells the truth.
    decoy : Fraction
        q, the probability of the value given that the answer is not kept. The smallest q gives gamma of the
        channel.

    Examples
    --------
    >>> retained(Fraction(1, 2), Fraction(1, 8)), retained(Fraction(-1, 2), Fraction(1, 2))
    (Fraction(9, 1), Fraction(3, 1))
    """
    drawn = (1 - p) * decoy
    return largest_ratio([(drawn, p + drawn)])


def amplification_below(epsilon: float) -> Fraction:
    """Return e^epsilon, rounded down to a fraction of 2^20.

    Parameters
    ----------
    epsilon : float, 0.01 to 20

    Returns
    -------
    Fraction
        floor(e^epsilon 2^20 (1 - 2^-40)) / 2^20. The factor compensates for upward rounding of the power: the
        logarithm of the fraction, which a design publishes, never exceeds epsilon.

    Raises
    ------
    PrivacyError
        ``epsilon``.

    Examples
    --------
    >>> amplification_below(1.0)
    Fraction(2850325, 1048576)
    >>> 0 < 1 - effective_epsilon(amplification_below(1.0)) < 1e-6
    True
    """
    epsilon = validation.real_number(
        epsilon, "epsilon", low=EPSILON_LOWEST, high=EPSILON_HIGHEST, code="epsilon"
    )
    return Fraction(math.floor(math.exp(epsilon) * _SCALE * (1 - 2.0**-40)), _SCALE)


def effective_epsilon(amplification: Fraction | None) -> float:
    """Return ln gamma; infinite where gamma is.

    Parameters
    ----------
    amplification : Fraction or None
        Largest ratio gamma of two probabilities of one report; None where no ratio bounds them.
    """
    if amplification is None:
        return math.inf
    try:
        return math.log(amplification)
    except OverflowError:
        # The least likely row of a very long block is beyond all floats.
        return math.log(amplification.numerator) - math.log(amplification.denominator)


Chance = TypeVar("Chance", Fraction, float, "Array")


def bayes(prior: Sequence[Chance], likelihood: Sequence[Chance]) -> tuple[Chance, ...]:
    """Return the posterior of each true value: its prior times its likelihood, over the sum of all of them.

    Parameters
    ----------
    prior : sequence of Fraction, float, or float array
        Probabilities of the true values, or anything proportional to them; arrays hold those of many cases.
    likelihood : likewise
        Probability of the observation given each true value: a row of a channel.

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
    """Divide the joint probability by that of the observation; in arrays, 0 where it has probability 0.

    Parameters
    ----------
    joint : float or ndarray
        Joint probability of the event and the observation.
    observed : float or ndarray
        Probability of the observation; an array of the shape of `joint`, or one that broadcasts to it.

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
        c, the truthful posterior: the probability that the report is the retained truth.
    shown, prior : likewise
        f, the probability of the event where the report is the truth; P, its prior, which a decoy leaves as
        it is.

    Examples
    --------
    >>> retention_posterior(Fraction(1, 3), 1, Fraction(1, 10))
    Fraction(2, 5)
    """
    return retained * shown + (1 - retained) * prior


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
    """Return `posterior_bound` of gamma = exp(epsilon), which may be beyond all floats.

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
    return bayes((prior, 1 - prior), (1.0, math.exp(-epsilon)))[0]
