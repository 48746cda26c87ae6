"""Sample size and power of a survey."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import scipy

from privacy import validation
from privacy.arrays import Array
from privacy.channels.retention import forward, numerator
from privacy.errors import PrivacyError

__all__ = [
    "POWER",
    "Plan",
    "detectable_lift",
    "detectable_support",
    "itemset_error",
    "power_of_rule",
    "smallest",
    "spread",
    "standard_error",
]

POWER: Final = 0.8
LEVEL: Final = 0.05


@dataclass(frozen=True, kw_only=True)
class Plan:
    """The design of a rule A -> B, as far as its errors depend on it.

    Parameters
    ----------
    p : float, in (0, 1]
        Truth probability of the blocks.
    light : float, p to 1
        That of the direct group; 1 where it answers without a disguise.
    theta_a, theta_b : float
        Probability that a decoy shows A, and B: the product over the items of a side.
    one_block : bool
        Whether A and B share a coin.
    k : float
        Direct share; the groups are assumed to have the same distribution.
    """

    p: float
    theta_a: float
    theta_b: float = 0.5
    one_block: bool = True
    k: float = 0.0
    light: float = 1.0

    def __post_init__(self) -> None:
        for name in ("p", "theta_a", "theta_b", "k", "light"):
            validation.real_number(getattr(self, name), name, low=0, high=1, code=name)
        if self.p == 0:
            raise PrivacyError("p", 0)
        if self.light < self.p:
            raise PrivacyError("light.plan", self.light, p=self.p)

    def distribution(self, a: float, b: float, both: float) -> tuple[Array, Array, Array, Array]:
        """Return probability, z(A), z(B) and z(AB) of each kind of row, direct ones first, shape (8,) each.

        Notes
        -----
        As in `privacy.estimation.moments`: ([match] - (1-p) q)/p with the p of the row's group, [match] where
        that is 1, and for two blocks the product of both.
        """
        direct, protected = (self._distribution_at(p, a, b, both) for p in (self.light, self.p))
        chance = np.concatenate([self.k * direct[0], (1 - self.k) * protected[0]])
        z_a, z_b, z_both = (np.concatenate(scores) for scores in zip(direct[1:], protected[1:], strict=True))
        return chance, z_a, z_b, z_both

    def _distribution_at(
        self, p: float, a: float, b: float, both: float
    ) -> tuple[Array, Array, Array, Array]:
        """Return probability and scores of each kind of row of a group with this p, shape (4,) each."""
        true = np.array([1 - a - b + both, b - both, a - both, both])
        shows_a, shows_b = np.array([0.0, 0.0, 1.0, 1.0]), np.array([0.0, 1.0, 0.0, 1.0])
        first_unrelated, second_unrelated = (
            np.array([1 - self.theta_a, self.theta_a]),
            np.array([1 - self.theta_b, self.theta_b]),
        )
        if self.one_block:
            shown = forward(true, p, np.kron(first_unrelated, second_unrelated))
        else:
            channels = (
                forward(np.eye(2), p, q[:, None], axis=0) for q in (first_unrelated, second_unrelated)
            )
            shown = np.asarray(np.kron(*channels)) @ true
        z_a, z_b = (
            numerator(shows, p, theta) / p
            for shows, theta in ((shows_a, self.theta_a), (shows_b, self.theta_b))
        )
        together = numerator(shows_a * shows_b, p, self.theta_a * self.theta_b) / p
        z_both = together if self.one_block else z_a * z_b
        return shown, z_a, z_b, z_both


def itemset_error(
    p: float, theta: float, k: float, touched: Sequence[tuple[int, float]], n: int, *, light: float = 1.0
) -> float:
    """Return the standard error of the support of independent items about the population, stratified.

    Parameters
    ----------
    p, theta, k : float
    light : float
        p of the direct group; 1 where it answers without a disguise.
    touched : sequence of (int, float)
        For each block that has some of them, how many, and their prevalence.
    n : int

    Notes
    -----
    E z^2 of a row is a product over blocks of lambda ((1 - d)/p)^2 + (1 - lambda) (d/p)^2 with the p of its
    group, d = (1 - p) theta^m, lambda = p pi^m + d; a row that is not disguised has z^2 = z.

    Examples
    --------
    p = .5, theta = .5, support .3: .4 of the rows say yes, sqrt(.4 * .6/1000)/.5.

    >>> round(itemset_error(.5, .5, 0, [(1, .3)], 1000), 4)
    0.031
    """
    support = math.prod(share**size for size, share in touched)
    direct, protected = (_square(truth, theta, touched) for truth in (light, p))
    return math.sqrt(max(0.0, k * direct + (1 - k) * protected - support**2) / n)


def _square(p: float, theta: float, touched: Sequence[tuple[int, float]]) -> float:
    """Return E z^2 of a row."""
    square = 1.0
    for size, share in touched:
        true, decoy = share**size, theta**size
        shown = forward(np.array([1 - true, true]), p, np.array([1 - decoy, decoy]))
        square *= float(shown @ (numerator(np.array([0.0, 1.0]), p, decoy) / p) ** 2)
    return square


def standard_error(plan: Plan, support: float, n: int) -> float:
    """Return the standard error of the support of A: `itemset_error` of one item.

    Parameters
    ----------
    plan : Plan
        Retention probability and decoys.
    support : float
        Share of the people who have A, in [0, 1].
    n : int
        People, 1 or more.

    Examples
    --------
    >>> round(standard_error(Plan(p=.5, theta_a=.5), .3, 1000), 4)
    0.031
    """
    return _error_of_one(plan, support) / math.sqrt(validation.number_of_rows(n))


def detectable_support(plan: Plan, n: int) -> float | None:
    """Return the smallest support of A that is found to exceed 0 with power .8; None with too few people.

    Parameters
    ----------
    plan : Plan
        Retention probability and decoys.
    n : int
        People, 1 or more; the one-sided level is .05.
    """

    def power(support: float) -> float:
        chance, z, _, _ = plan.distribution(support, 0.0, 0.0)
        return _power(chance, z, n, 1)

    return smallest(power, 0.0, 1.0 - 1e-9)


def detectable_lift(plan: Plan, n: int, *, first: float, second: float, tests: int = 1) -> float | None:
    """Return the smallest lift of A -> B that is found to exceed 1 with power .8; None with too few people.

    Parameters
    ----------
    plan : Plan
        Retention probability and decoys.
    n : int
        People, 1 or more.
    first, second : float
        P(A) and P(B).
    tests : int, optional
        Rules among which the level is divided.

    Examples
    --------
    The disguise needs more: undisguised, then p = .5 in one block.

    >>> [round(detectable_lift(Plan(p=p, theta_a=.5), 2000, first=.3, second=.4), 2) for p in (1, .5)]
    [1.1, 1.23]
    """
    a, b = _share(first, "P(A)"), _share(second, "P(B)")
    return smallest(
        lambda lift: power_of_rule(plan, n, first=a, second=b, lift=lift, tests=tests),
        1.0,
        min(1 / a, 1 / b) - 1e-9,
    )


def power_of_rule(plan: Plan, n: int, *, first: float, second: float, lift: float, tests: int = 1) -> float:
    """Return the probability that "lift above 1" is found at one-sided level .05 / tests.

    Parameters
    ----------
    plan : Plan
        Retention probability and decoys.
    n : int
        People, 1 or more.
    first, second : float
        Shares of the people who have A and who have B, in (0, 1).
    lift : float
        Planned for, above 1.
    tests : int, optional
        Rules among which the level is divided.

    Notes
    -----
    The test's root is about normal with mean sqrt(n) E h / sd h, h the influence value of the leverage, both
    under the distribution planned for.
    """
    both = first * second * lift
    chance, z_a, z_b, z_both = plan.distribution(first, second, both)
    h = z_both - first * z_b - second * z_a + first * second
    return _power(chance, h, n, tests)


def _error_of_one(plan: Plan, support: float) -> float:
    """Return the standard error of the support of A with one respondent."""
    share = _share(support, "support")
    return itemset_error(plan.p, plan.theta_a, plan.k, [(1, share)], 1, light=plan.light)


def _power(chance: Array, h: Array, n: int, tests: int) -> float:
    count = validation.number_of_rows(tests, "number of tests", code="tests")
    deviation = spread(chance, h)
    if deviation == 0:
        # All rows are equal only if all people are, at the bound itself or beyond it: nothing is above.
        return 0.0
    root = math.sqrt(validation.number_of_rows(n)) * float(chance @ h) / deviation
    return float(scipy.special.ndtr(root + scipy.special.ndtri(LEVEL / count)))


def smallest(power: Callable[[float], float], least: float, most: float) -> float | None:
    """Return the smallest effect that is found with power .8; None where the largest is not.

    Parameters
    ----------
    power : callable
        Power of an effect; it grows with it.
    least, most : float
        An effect that is found less often, and the largest that there can be.
    """
    if power(most) < POWER:
        return None
    return float(scipy.optimize.brentq(lambda effect: power(effect) - POWER, least, most, xtol=1e-9))


def spread(chance: Array, h: Array) -> float:
    """Return the standard deviation of an influence value.

    Parameters
    ----------
    chance, h : float array, shape (kinds of rows,)
        Probability of each kind of row, and its influence value.
    """
    mean = float(chance @ h)
    return math.sqrt(max(0.0, float(chance @ h**2) - mean**2))


def _share(value: float, name: str) -> float:
    return validation.real_number(value, name, low=0, high=1, code="share")
