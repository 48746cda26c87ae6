"""Power to detect a difference between two shares, if each person is asked only some questions."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Final

import numpy as np
import scipy

from privacy import validation
from privacy.arrays import Array
from privacy.policy import USEFUL_DIFFERENCE

POWER: Final = 0.8
REACH: Final = 1.959963984540054
"""Half-width of a 95% interval in standard errors; a constant, so that pages need not load scipy."""


NEVER_ENOUGH: Final = 10**12
"""The number of people needed if no number is enough: more than any survey asks."""


@dataclass(frozen=True, kw_only=True)
class AskedItem:
    """How an item is asked: the channel of its answer, and a guess of its share.

    Parameters
    ----------
    truth : float, in (0, 1]
        p of its block; 1 if its answers are sent undisguised.
    decoy : float
        theta (1 - r), the probability that a decoy shows the item; r is the probability of a skipped decoy.
    share : float, in [0, 1]
        Guessed share of people who have it.
    share_asked : Fraction or float, in (0, 1]
        Share of people who are asked its question.
    """

    truth: float
    decoy: float
    share: float
    share_asked: Fraction | float = 1.0


@dataclass(frozen=True, kw_only=True)
class AskedPair:
    """Two items of different questions that may be associated.

    Parameters
    ----------
    first, second : AskedItem
        A and B; the share of B is compared between people with and without A.
    skipped : float or None
        Probability of a skipped decoy if both items share a coin (0 without a skip); None if they do not.
    together : Fraction or float
        Share of people who are asked both.
    """

    first: AskedItem
    second: AskedItem
    skipped: float | None
    together: Fraction | float = 1.0

    def channel(self) -> Array:
        """Return P(report | truth) over (neither, B, A, both), shape (4, 4), with the truth in columns.

        A skipped decoy shows neither.
        """
        if self.skipped is None:
            return np.asarray(np.kron(*map(_channel, self.items)), dtype=float)
        answering = 1 - self.skipped
        first, second = (np.array([answering - item.decoy, item.decoy]) / answering for item in self.items)
        decoys = answering * np.kron(first, second)
        decoys[0] += self.skipped
        p = self.first.truth
        return np.asarray(p * np.eye(4) + (1 - p) * decoys[:, None], dtype=float)

    @property
    def items(self) -> tuple[AskedItem, AskedItem]:
        """Both items."""
        return self.first, self.second

    def largest_difference(self) -> float:
        """Return the largest P(B | A) - P(B | not A) that the two guessed shares allow; 0 if none."""
        a, b = self.first.share, self.second.share
        # If everyone or no one has A, there is no one to compare.
        return (min(a, b) - a * b) / (a * (1 - a)) if 0 < a < 1 else 0.0


def _channel(item: AskedItem) -> Array:
    decoys = np.array([1 - item.decoy, item.decoy])
    return np.asarray(item.truth * np.eye(2) + (1 - item.truth) * decoys[:, None], dtype=float)


def power_for_difference(pair: AskedPair, difference: float, n: int) -> float:
    """Return the power of a test at 5% that B is more frequent among people with A than among others.

    Parameters
    ----------
    pair : AskedPair
    difference : float
        P(B | A) - P(B | not A), at most `AskedPair.largest_difference`; both shares stay as guessed.
    n : int
        Number of respondents, of whom the share `AskedPair.together` is asked both questions.

    Notes
    -----
    `privacy.estimation.comparison.compare` tests that h = z_AB - b z_A - a z_B + a b has mean 0, with scores
    z of A, B and both that are unbiased under the channel. Its mean is m = a (1 - a) d. With s and s_0 the
    standard deviations of h at d and at 0, the power is Phi((sqrt(n) m - 1.96 s_0)/s): empirical likelihood
    weights the rows so that h has mean 0, so its limit depends on s_0.

    References
    ----------
    Owen 2001, chapter 2 (empirical likelihood of a mean).

    Examples
    --------
    Undisguised answers with both shares 1/2: h = +-1/4, m = d/4, s_0 = 1/4 and s^2 = (1 - d^2)/16. With 100
    people and d = .28, the power is Phi((2.8 - 1.96)/.96).

    >>> item = AskedItem(truth=1, decoy=0, share=.5)
    >>> pair = AskedPair(first=item, second=item, skipped=0)
    >>> round(power_for_difference(pair, .28, 100), 3), round(float(scipy.special.ndtr(.84 / .96)), 3)
    (0.809, 0.809)
    """
    most = pair.largest_difference()
    validation.real_number(difference, "difference", low=0, high=most, code="share")
    spread, limit = _deviation_of_test(pair, difference), REACH * _deviation_of_test(pair, 0.0)
    a = pair.first.share
    excess = math.sqrt(validation.number_of_rows(n) * pair.together) * a * (1 - a) * difference - limit
    if spread < 1e-12:
        # If one undisguised answer determines the other, the test may have no random error.
        return float(excess > 0)
    return float(scipy.special.ndtr(excess / spread))


def sought_difference(pair: AskedPair) -> float:
    """Return the difference that a survey should find: 30 points, or the most that the guesses allow.

    Parameters
    ----------
    pair : AskedPair
        The two items, with their guessed shares.

    Examples
    --------
    With guesses of 10% and 1%, at most 10 points are possible: a tenth of the people with A have B, and no
    one else.

    >>> first, second = (AskedItem(truth=1, decoy=0, share=share) for share in (.1, .01))
    >>> round(sought_difference(AskedPair(first=first, second=second, skipped=0)), 3)
    0.1
    """
    return min(USEFUL_DIFFERENCE, pair.largest_difference())


def people_for_power(pair: AskedPair, difference: float, power: float) -> int:
    """Return the smallest number of people with whom a difference is detected with a power.

    Parameters
    ----------
    pair, difference
        As for `power_for_difference`.
    power : float, in (0, 1)

    Returns
    -------
    int
        1 or more; 10**12 if no number is enough.

    Notes
    -----
    `power_for_difference` solved for n: sqrt(n f) >= (1.96 s_0 + s Phi^-1(power)) / (a (1 - a) d).

    Examples
    --------
    Undisguised answers with both shares 1/2 and d = .28: sqrt(n) = (1.96 + .96 * .8416) / .28 = 9.885.

    >>> item = AskedItem(truth=1, decoy=0, share=.5)
    >>> people_for_power(AskedPair(first=item, second=item, skipped=0), .28, .8)
    98
    """
    a, together = pair.first.share, float(pair.together)
    mean = a * (1 - a) * difference
    if mean <= 0 or together <= 0:
        return NEVER_ENOUGH
    spread, limit = _deviation_of_test(pair, difference), REACH * _deviation_of_test(pair, 0.0)
    root = (limit + spread * float(scipy.special.ndtri(power))) / mean
    n = max(1.0, math.copysign(root**2, root) / together)
    # Without random error, one person more than the limit is certain to be enough.
    return math.ceil(min(NEVER_ENOUGH, n + (1 if spread < 1e-12 else 0)) - 1e-6)


def detectable_difference(pair: AskedPair, n: int) -> float | None:
    """Return the smallest difference detected 8 times in 10; None if the guesses do not allow it.

    Parameters
    ----------
    pair : AskedPair
        The two items, and how they are asked.
    n : int
        Number of people, 1 or more.

    Examples
    --------
    1,000 people, p = .8, both shares one half.

    >>> item = AskedItem(truth=.8, decoy=.5, share=.5)
    >>> round(detectable_difference(AskedPair(first=item, second=item, skipped=0), 1000), 3)
    0.111
    """
    most = pair.largest_difference()
    if power_for_difference(pair, most, n) < POWER:
        return None
    return float(
        scipy.optimize.brentq(
            lambda difference: power_for_difference(pair, difference, n) - POWER, 0.0, most, xtol=1e-9
        )
    )


@lru_cache(maxsize=4096)
def _deviation_of_test(pair: AskedPair, difference: float) -> float:
    """Return the standard deviation of h at a difference, among people who are asked both."""
    a, b = pair.first.share, pair.second.share
    both = a * b + difference * a * (1 - a)
    truth = np.array([1 - a - b + both, b - both, a - both, both])
    channel, h = _scores_of_test(pair)
    shown = channel @ truth
    return math.sqrt(max(0.0, float(shown @ h**2) - float(shown @ h) ** 2))


@lru_cache(maxsize=1024)
def _scores_of_test(pair: AskedPair) -> tuple[Array, Array]:
    """Return the channel of a pair, and h less ab for each of its reports. Callers must not change them."""
    a, b = pair.first.share, pair.second.share
    channel = pair.channel()
    events = np.array([[0.0, 0, 1, 1], [0, 1, 0, 1], [0, 0, 0, 1]])
    z_a, z_b, z_both = events @ np.linalg.inv(channel)
    return channel, z_both - b * z_a - a * z_b
