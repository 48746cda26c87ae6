"""From a promise back to a design: the block of least variance that keeps rho1 from becoming rho2."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from privacy import validation
from privacy.channels.amplification import retained
from privacy.coins import SCALE
from privacy.errors import PrivacyError
from privacy.risk.breach import odds_ratio

__all__ = [
    "BlockConstruction",
    "allowed_amplification",
    "construct_block",
    "largest_block",
    "largest_truth_probability",
    "last_below",
]


@dataclass(frozen=True, kw_only=True)
class BlockConstruction:
    """A block of yes/no questions that keeps a promise.

    Parameters
    ----------
    limit : Fraction
        The amplification that must not be reached.
    largest : Fraction
        The truth probability that would reach it.
    truth_probability, unrelated : int, ten-thousandths
        p, the last one below `largest`, and theta of every question.
    amplification : Fraction or None
        gamma of the block with this p.
    standard_error : float
        Of one item's support with one respondent, the root of its mean square over the questions; divide by
        sqrt(n).
    """

    limit: Fraction
    largest: Fraction
    truth_probability: int
    unrelated: int
    amplification: Fraction | None
    standard_error: float


def allowed_amplification(rho1: Fraction, rho2: Fraction, background: Sequence[Fraction] = ()) -> Fraction:
    """Return the gamma that a channel must stay below, so that no rho1 becomes rho2.

    Parameters
    ----------
    rho1, rho2 : Fraction, 0 < rho1 < rho2 < 1
    background : sequence of Fraction
        P(Q | Z = z) of the property to be kept, for each z that an attacker may know. Without it rho1 is
        taken to hold given whatever is known, which protects all the same against every such Z.

    Raises
    ------
    PrivacyError
        ``rho``: not in order. ``background``: who knows Z is as sure as rho2 already, and no design can
        undo it.

    Notes
    -----
    gamma = rho2 (1 - rho1)/(rho1 (1 - rho2)), rho1 being the largest prior given any z. At gamma itself a
    prior of rho1 on one value becomes rho2 exactly, which is a breach: stay below.

    Examples
    --------
    >>> allowed_amplification(Fraction(1, 20), Fraction(1, 2))
    Fraction(19, 1)
    >>> allowed_amplification(Fraction(1, 20), Fraction(1, 2), background=[Fraction(1, 10), Fraction(1, 50)])
    Fraction(9, 1)
    """
    for known in background:
        if not 0 <= known < rho2:
            raise PrivacyError("background", known, known=float(known), rho2=float(rho2))
    return odds_ratio(max([rho1, *background]), rho2)


def largest_truth_probability(gamma: Fraction, least_decoy: Fraction) -> Fraction:
    """Return the largest p of a block whose rows amplify by at most gamma.

    Parameters
    ----------
    gamma : Fraction, at least 1
    least_decoy : Fraction, in (0, 1]
        q of the least likely decoy.

    Notes
    -----
    From 1 + p/((1 - p) q) <= gamma: p = (gamma - 1) q/(1 + (gamma - 1) q).

    Examples
    --------
    Five yes/no questions with theta = 1/2.

    >>> largest_truth_probability(Fraction(19), Fraction(1, 32))
    Fraction(9, 25)
    """
    if gamma < 1:
        raise PrivacyError("gamma", gamma)
    if not 0 < least_decoy <= 1:
        raise PrivacyError("decoy", least_decoy)
    odds = (gamma - 1) * least_decoy
    return odds / (1 + odds)


def largest_block(gamma: Fraction, truth_probability: int, unrelated: int) -> int:
    """Return how many yes/no questions a block can have whose rows amplify by at most gamma; 0 if not one.

    Parameters
    ----------
    gamma : Fraction
        Largest ratio of two chances of one row that is allowed, above 1.
    truth_probability : int
        Ten-thousandths.
    unrelated : int
        Decoy's "yes" of each question, in ten-thousandths.

    Examples
    --------
    >>> largest_block(Fraction(33), 5000, 5000)  # gamma 3, 5, 9, 17, 33, 65
    5
    """
    validation.whole_number(truth_probability, "truth probability", low=0, high=SCALE - 1)
    theta = validation.whole_number(unrelated, "unrelated probability", low=1, high=SCALE - 1)
    truth = Fraction(truth_probability, SCALE)
    odds, least = truth / (1 - truth), Fraction(min(theta, SCALE - theta), SCALE)
    if odds == 0:
        raise PrivacyError("truth_probability.no_bound", 0)
    count = 0
    while odds / least ** (count + 1) <= gamma - 1:
        count += 1
    return count


def construct_block(
    rho1: Fraction,
    rho2: Fraction,
    *,
    prevalences: Sequence[float],
    unrelated: int | None = None,
    background: Sequence[Fraction] = (),
) -> BlockConstruction:
    """Return the block of least variance among those that keep a promise.

    Parameters
    ----------
    rho1, rho2, background
        As in `allowed_amplification`.
    prevalences : sequence of float
        Expected share of "yes", one per question of the block.
    unrelated : int, ten-thousandths, optional
        theta of every question; the best one is looked for where it is left out.

    Raises
    ------
    PrivacyError
        ``rho``, ``background``, ``prevalences``, ``too_strict``: p would be below a ten-thousandth.

    Notes
    -----
    For a theta the variance lambda (1 - lambda)/p^2, lambda = p pi + (1 - p) theta, falls with p, so the
    largest p is best. Over theta every ten-thousandth is tried: .5 allows the largest p, a smaller theta
    makes fewer rows say "yes" by chance.

    Examples
    --------
    Five questions, theta = .5, from 5 % to 50 %: gamma 19, p below .36.

    >>> block = construct_block(Fraction(1, 20), Fraction(1, 2), prevalences=[.2] * 5, unrelated=5000)
    >>> block.largest, block.truth_probability
    (Fraction(9, 25), 3599)
    """
    shares = np.array(
        [
            validation.real_number(share, "prevalence", low=0, high=1, code="prevalences")
            for share in prevalences
        ]
    )
    if not len(shares):
        raise PrivacyError("prevalences", ())
    limit = allowed_amplification(rho1, rho2, background)
    if unrelated is None:
        thetas = np.arange(1, SCALE)
    else:
        thetas = np.array(
            [validation.whole_number(unrelated, "unrelated probability", low=1, high=SCALE - 1)]
        )
    least = (np.minimum(thetas, SCALE - thetas) / SCALE) ** len(shares)
    odds = float(limit - 1) * least
    # Largest whole ten-thousandth below: in floats first, to choose theta, then exactly.
    p = np.ceil(odds / (1 + odds) * SCALE - 1e-6) - 1
    with np.errstate(divide="ignore", invalid="ignore"):
        shown = p[:, None] / SCALE * shares + (1 - p[:, None] / SCALE) * thetas[:, None] / SCALE
        variance = (shown * (1 - shown)).mean(axis=1) / (p / SCALE) ** 2
    theta = int(thetas[int(np.argmin(np.where(p > 0, variance, np.inf)))])
    decoy = Fraction(min(theta, SCALE - theta), SCALE) ** len(shares)
    largest = largest_truth_probability(limit, decoy)
    truth = last_below(largest)
    chance = truth / SCALE
    lam = chance * shares + (1 - chance) * theta / SCALE
    return BlockConstruction(
        limit=limit,
        largest=largest,
        truth_probability=truth,
        unrelated=theta,
        amplification=retained(Fraction(truth, SCALE), decoy),
        standard_error=math.sqrt(float((lam * (1 - lam)).mean())) / chance,
    )


def last_below(largest: Fraction) -> int:
    """Return the last whole ten-thousandth below a share.

    Parameters
    ----------
    largest : Fraction
        A share that must not be reached, in (0, 1].

    Raises
    ------
    PrivacyError
        ``too_strict``: there is none above 0.
    """
    largest_below = -(-largest * SCALE // 1) - 1
    if largest_below < 1:
        raise PrivacyError("too_strict", largest, largest=float(largest))
    return int(largest_below)
