"""Sample size and power of a survey."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Final

import numpy as np
import scipy

from privacy import validation
from privacy.arrays import Array
from privacy.channels.retention import forward, numerator
from privacy.errors import PrivacyError
from privacy.policy import LEAST_COMPLETE_ROWS, USELESS_WIDTH

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


_NORMAL: Final = float(scipy.special.ndtri(0.975))
"""Intervals of 95% and two-sided tests at 5%."""

_NEVER: Final = 10**12
"""More people than any survey asks: what is needed where no number of people is enough."""


@dataclass(frozen=True, kw_only=True)
class AskedItem:
    """One item as it is asked: the channel of its answer, and a guess of its share.

    Parameters
    ----------
    truth : float, in (0, 1]
        p of its part; 1 where its answers are sent as they are.
    decoy : float
        theta (1 - r): the probability that a decoy shows it, r that of a skipped decoy.
    share : float, in (0, 1)
        Guess of the share of people of whom it is true.
    share_asked : Fraction or float, in (0, 1]
        Share of people who are asked it.
    """

    truth: float
    decoy: float
    share: float
    share_asked: Fraction | float = 1.0

    def __post_init__(self) -> None:
        """Refuse numbers outside their ranges."""
        validation.real_number(self.truth, "truth probability", low=0, high=1, open_ends=False, code="p")
        if self.truth == 0:
            raise PrivacyError("p", 0)
        validation.real_number(self.decoy, "decoy probability", low=0, high=1, code="share")
        validation.real_number(self.share, "share", low=0, high=1, open_ends=True, code="share")


@dataclass(frozen=True, kw_only=True)
class AskedPair:
    """Two items that may go together, of yes/no questions or options of two questions.

    Parameters
    ----------
    first, second : AskedItem
        A, and B whose share among those with A is compared with that among the others.
    skipped : float or None
        r of decoys where both stand in one part and share its coin, 0 without a skip; None in two parts.
    together : Fraction or float
        Share of people who are asked both.
    """

    first: AskedItem
    second: AskedItem
    skipped: float | None
    together: Fraction | float = 1.0

    def channel(self) -> Array:
        """Return P(shown | true) over (neither, B, A, both), shape (4, 4), columns the truth.

        A skipped decoy shows neither.
        """
        if self.skipped is None:
            return np.asarray(np.kron(*map(_channel, self.items)), dtype=float)
        answered = 1 - self.skipped
        first, second = (np.array([answered - item.decoy, item.decoy]) / answered for item in self.items)
        shown = answered * np.kron(first, second)
        shown[0] += self.skipped
        p = self.first.truth
        return np.asarray(p * np.eye(4) + (1 - p) * shown[:, None], dtype=float)

    @property
    def items(self) -> tuple[AskedItem, AskedItem]:
        """Both items."""
        return self.first, self.second

    def largest_difference(self) -> float:
        """Return the largest P(B | A) - P(B | not A) that the two guessed shares allow."""
        a, b = self.first.share, self.second.share
        return (min(a, b) - a * b) / (a * (1 - a))


def _channel(item: AskedItem) -> Array:
    shown = np.array([1 - item.decoy, item.decoy])
    return np.asarray(item.truth * np.eye(2) + (1 - item.truth) * shown[:, None], dtype=float)


def half_width(item: AskedItem, n: int) -> float:
    """Return half the length of a 95% interval of the share of an item.

    Parameters
    ----------
    item : AskedItem
    n : int
        Respondents, of whom `AskedItem.share_asked` are asked it.

    Notes
    -----
    1.96 sqrt(lambda (1 - lambda) / (n f)) / p with lambda = p pi + (1 - p) theta the share that shows it.

    References
    ----------
    Greenberg et al. 1969 (variance of the unrelated question model).

    Examples
    --------
    400 people at p = .6 and an even share: 1.96 (1/2) / (.6 20).

    >>> round(half_width(AskedItem(truth=.6, decoy=.5, share=.5), 400), 4)
    0.0817
    """
    return _half_width_of_one(item) / math.sqrt(validation.number_of_rows(n) * item.share_asked)


def _half_width_of_one(item: AskedItem) -> float:
    shown = item.truth * item.share + (1 - item.truth) * item.decoy
    return _NORMAL * math.sqrt(shown * (1 - shown)) / item.truth


def people_needed(n: int, *, widths: Collection[float], asked: Collection[float]) -> int:
    """Return the fewest people with whom every figure can be shown, within 25 points.

    Parameters
    ----------
    n : int
        People for whom the half-widths hold.
    widths : collection of float
        Half-widths of all intervals. They fall with the root of the number of people.
    asked : collection of float
        Shares of people who are asked each question, and both of a starred pair. Of each, 100 people are
        needed.

    Examples
    --------
    A third of the people are asked a question, and ±30 points become ±25 with 44% more people.

    >>> people_needed(400, widths=[.3, .1], asked=[1, 1 / 3]), people_needed(100, widths=[.3], asked=[1])
    (576, 144)
    """
    least = min(asked, default=1.0)
    if least <= 0:
        return _NEVER
    shown = LEAST_COMPLETE_ROWS / least
    narrow = n * (max(widths, default=0.0) / USELESS_WIDTH) ** 2
    return min(_NEVER, math.ceil(max(LEAST_COMPLETE_ROWS, shown, narrow) - 1e-6))


def power_for_difference(pair: AskedPair, difference: float, n: int) -> float:
    """Return the probability that a test at 5% finds B more frequent among those with A than among others.

    Parameters
    ----------
    pair : AskedPair
    difference : float
        P(B | A) - P(B | not A), at most `AskedPair.largest_difference`; both shares stay as guessed.
    n : int
        Respondents, of whom `AskedPair.together` are asked both.

    Notes
    -----
    Wald's test of d = P(B | A) - P(B | not A) with scores z of A, B and both, unbiased under the channel:
    its influence value is (z_AB - r_1 z_A) / a - (z_B - z_AB - r_0 (1 - z_A)) / (1 - a), r_1 and r_0 the
    two conditional shares.

    References
    ----------
    Hampel 1974 (influence).

    Examples
    --------
    400 people, p = .6, both of one half: 24 points are found 8 times in 10.

    >>> item = AskedItem(truth=.6, decoy=.5, share=.5)
    >>> pair = AskedPair(first=item, second=item, skipped=0)
    >>> [power_for_difference(pair, points / 100, 400) > .8 for points in (23, 24)]
    [False, True]
    """
    most = pair.largest_difference()
    validation.real_number(difference, "difference", low=0, high=most, code="share")
    error = _error_of_difference(pair, difference)
    if error < 1e-12:
        # Undisguised answers of which one follows from the other show no other difference by chance.
        return 1.0 if difference > 0 else 0.0
    root = math.sqrt(validation.number_of_rows(n) * pair.together) * difference / error
    return float(scipy.special.ndtr(root - _NORMAL))


def detectable_difference(pair: AskedPair, n: int) -> float | None:
    """Return the smallest difference that is found 8 times in 10; None where the guesses allow none so large.

    Parameters
    ----------
    pair : AskedPair
        The two answers, and how they are asked.
    n : int
        People, 1 or more.

    Examples
    --------
    1,000 people, p = .8, both of one half.

    >>> item = AskedItem(truth=.8, decoy=.5, share=.5)
    >>> round(detectable_difference(AskedPair(first=item, second=item, skipped=0), 1000), 3)
    0.11
    """
    return smallest(
        lambda difference: power_for_difference(pair, difference, n), 0.0, pair.largest_difference()
    )


@lru_cache(maxsize=4096)
def _error_of_difference(pair: AskedPair, difference: float) -> float:
    """Return sqrt(n) times the standard error of the difference among people who are asked both."""
    a, b = pair.first.share, pair.second.share
    both = a * b + difference * a * (1 - a)
    truth = np.array([1 - a - b + both, b - both, a - both, both])
    channel = pair.channel()
    events = np.array([[0.0, 0, 1, 1], [0, 1, 0, 1], [0, 0, 0, 1]])
    z_a, z_b, z_both = events @ np.linalg.inv(channel)
    with_a, without_a = both / a, (b - both) / (1 - a)
    influence = (z_both - with_a * z_a) / a - (z_b - z_both - without_a * (1 - z_a)) / (1 - a)
    return spread(channel @ truth, influence)
