"""Three ways to disguise whole rows at equal privacy: blocks with theta, gamma-diagonal, bit by bit."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np

from privacy.arrays import Array, Flags, Whole
from privacy.channels.retention import numerator
from trials.studies.experiment import standard_error
from trials.studies.pattern_counts import bits, comonotone, decoys, itemsets_of, send, superset_sums

__all__ = ["GAMMA", "MECHANISMS", "MechanismPoint", "compare_mechanisms", "truth_probability"]

GAMMA: Final = 19.0
"""Allows no breach from 5 % to 50 % whatever the prior: .5 * .95 / (.05 * .5) = 19."""

MECHANISMS: Final = ("unrelated", "gamma-diagonal", "mask")
_PREVALENCES: Final = (0.2, 0.3, 0.4, 0.5)
_DEPENDENCE: Final = 0.3
_SUPPORT: Final = 0.05
_THETA: Final = 0.6


@dataclass(frozen=True, kw_only=True)
class MechanismPoint:
    """One mechanism at one number of rows.

    Attributes
    ----------
    mechanism : {"unrelated", "gamma-diagonal", "mask"}
    n, size, repetitions : int
        Size of the itemsets.
    error, error_se : float
        Mean |S - S'| over the frequent itemsets of the size.
    false_share, missed_share : float
        sigma+ and sigma- among itemsets of the size.
    """

    mechanism: str
    n: int
    size: int
    repetitions: int
    error: float
    error_se: float
    false_share: float
    missed_share: float


def truth_probability(mechanism: str, gamma: float, m: int, theta: float) -> float:
    """Return the largest p at which the amplification of a row of m items is at most `gamma`.

    Notes
    -----
    One coin for the row: gamma = 1 + p/((1-p) q), q the least likely decoy; with theta = 1/2 this is the
    gamma-diagonal matrix. MASK flips each bit with chance 1-p: gamma = (p/(1-p))^m.

    References
    ----------
    Evfimievski, Gehrke and Srikant 2003; Rizvi and Haritsa 2002; Agrawal and Haritsa 2005.

    Examples
    --------
    >>> [round(truth_probability(name, 19, 4, .6), 4) for name in MECHANISMS]
    [0.3154, 0.5294, 0.6761]
    """
    if mechanism == "mask":
        odds = math.pow(gamma, 1 / m)
        return odds / (1 + odds)
    share = 0.5 if mechanism == "gamma-diagonal" else theta
    odds = (gamma - 1) * min(share, 1 - share) ** m
    return odds / (1 + odds)


def compare_mechanisms(n: int, *, repetitions: int, rng: np.random.Generator) -> list[MechanismPoint]:
    """Disguise the same true rows by each mechanism, all protected, and compare what is found again."""
    m = len(_PREVALENCES)
    itemsets = itemsets_of(m, m)
    sizes = np.array([len(items) for items in itemsets])
    sums, joint = superset_sums(m, itemsets), comonotone(_PREVALENCES, _DEPENDENCE)
    errors: dict[str, list[Array]] = {name: [] for name in MECHANISMS}
    frequent: list[Flags] = []
    truth: list[Array] = []
    for _ in range(repetitions):
        true = rng.multinomial(n, joint)
        truth.append(sums @ true / n)
        frequent.append(truth[-1] >= _SUPPORT - 1e-12)
        for name in MECHANISMS:
            p = truth_probability(name, GAMMA, m, _THETA)
            errors[name].append(sums @ _estimated(name, true, p, _THETA, rng))
    supports, is_frequent = np.array(truth), np.array(frequent)
    points = []
    for name in MECHANISMS:
        estimates = np.array(errors[name])
        listed = estimates >= _SUPPORT - 1e-12
        for size in range(1, m + 1):
            own = sizes == size
            of_size = is_frequent[:, own]
            number = np.maximum(of_size.sum(axis=1), 1)
            error = np.where(of_size, np.abs(estimates - supports)[:, own], 0).sum(axis=1) / number
            error = error[of_size.any(axis=1)]
            points.append(
                MechanismPoint(
                    mechanism=name, n=n, size=size, repetitions=repetitions,
                    error=float(error.mean()) if len(error) else math.nan,
                    error_se=standard_error(error),
                    false_share=float(((listed[:, own] & ~of_size).sum(axis=1) / number).mean()),
                    missed_share=float(((~listed[:, own] & of_size).sum(axis=1) / number).mean()),
                )
            )  # fmt: skip
    return points


def _estimated(name: str, true: Whole, p: float, theta: float, rng: np.random.Generator) -> Array:
    """Raw estimates of the shares of all patterns."""
    m, n = int(math.log2(len(true))), int(true.sum())
    if name != "mask":
        q = decoys(m, 0.5 if name == "gamma-diagonal" else theta)
        return numerator(send(true, 0.0, p, q, rng).protected / n, p, q) / p
    flip = np.array([[p, 1 - p], [1 - p, p]])
    channel = np.ones((1, 1))
    for _ in range(m):
        channel = np.asarray(np.kron(channel, flip))
    sent = np.zeros(len(true), dtype=np.int64)
    for pattern in range(len(bits(m))):
        sent += rng.multinomial(true[pattern], channel[:, pattern])
    return np.asarray(np.linalg.solve(channel, sent / n))
