"""Risk of re-identification: prosecutor, journalist, marketer, uniques, unicity."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np

from privacy.arrays import Whole
from privacy.errors import PrivacyError
from privacy.policy import RECORD_AT_RISK
from privacy.sdc.generalisation_cost import distinct_rows
from privacy.sdc.table import Column

__all__ = ["Risk", "Unicity", "risk", "unicity"]


@dataclass(frozen=True, kw_only=True)
class Risk:
    """Chances that a record is linked to its owner.

    Parameters
    ----------
    prosecutor_highest, prosecutor_mean : float
        The attacker knows that the person is in the table: 1/|E|, the largest and the mean over records.
    journalist_highest : float or None
        The attacker has a population register: 1 / (matching people there); None without one.
    marketer : float
        Share of records linked rightly when all are linked at random: classes / n, or the mean of 1 /
        (matching people) with a register.
    at_risk : float
        Share of records whose chance exceeds `threshold`.
    threshold : float
        The bound for `at_risk`.
    sample_uniques : int
        Records that are alone in their class.
    """

    prosecutor_highest: float
    prosecutor_mean: float
    journalist_highest: float | None
    marketer: float
    at_risk: float
    threshold: float
    sample_uniques: int


def risk(sizes: Whole, *, population: Whole | None = None, threshold: float = RECORD_AT_RISK) -> Risk:
    """Measure the three attackers.

    Parameters
    ----------
    sizes : int64 array
        Sizes of the classes.
    population : int64 array or None
        For each class the people of a register that match it, at least 1 each; a class that matches fewer
        people than it has records shows that the register is not a population, and is refused.
    threshold : float
        A record is at risk when its prosecutor chance (journalist with a register) is above it.

    Examples
    --------
    >>> risk(np.array([2, 2, 2, 3, 2])).marketer
    0.45454545454545453
    """
    if not 0 < threshold <= 1:
        raise PrivacyError("threshold", threshold)
    n = int(sizes.sum())
    if population is not None and (population < sizes).any():
        worst = int(np.argmax(sizes - population))
        raise PrivacyError("population", int(population[worst]), sizes=int(sizes[worst]))
    chance = 1 / (sizes if population is None else population)
    return Risk(
        prosecutor_highest=float(1 / sizes.min()),
        prosecutor_mean=len(sizes) / n,
        journalist_highest=None if population is None else float(chance.max()),
        marketer=float((sizes * chance).sum() / n),
        at_risk=float(sizes[chance > threshold].sum() / n),
        threshold=threshold,
        sample_uniques=int((sizes == 1).sum()),
    )


@dataclass(frozen=True, kw_only=True)
class Unicity:
    """Share of records that are alone when `points` quasi-identifiers are known.

    Parameters
    ----------
    points : int
        Number of columns known.
    mean, highest : float
        Over subsets of that many columns.
    worst : tuple of str
        The subset of `highest`.
    subsets : int
        Subsets looked at.
    """

    points: int
    mean: float
    highest: float
    worst: tuple[str, ...]
    subsets: int


def unicity(
    columns: Sequence[Column],
    points: int,
    *,
    most_subsets: int = 2000,
    rng: np.random.Generator | None = None,
) -> Unicity:
    """Measure unicity over all subsets of columns, or over a sample when there are too many.

    Parameters
    ----------
    columns : sequence of Column
        Of the quasi-identifiers.
    points : int
        Columns that an adversary knows.
    most_subsets : int, optional
        Above which a sample of subsets is taken.
    rng : numpy.random.Generator, optional
        Draws the sample.

    Raises
    ------
    PrivacyError
        When `points` lies outside 1 .. columns, or a sample is needed and no generator given.
    """
    if not 1 <= points <= len(columns):
        raise PrivacyError("points.columns", points, count=len(columns))
    total = comb(len(columns), points)
    if total <= most_subsets:
        subsets = list(combinations(range(len(columns)), points))
    elif rng is None:
        raise PrivacyError("generator.subsets", total)
    else:
        drawn: set[tuple[int, ...]] = set()
        while len(drawn) < most_subsets:
            drawn.add(tuple(sorted(rng.choice(len(columns), size=points, replace=False).tolist())))
        subsets = sorted(drawn)
    shares = []
    for subset in subsets:
        _, number = distinct_rows([columns[position].codes for position in subset])
        shares.append(float((np.bincount(number) == 1).sum()) / len(number))
    worst = int(np.argmax(shares))
    return Unicity(
        points=points,
        mean=float(np.mean(shares)),
        highest=shares[worst],
        worst=tuple(columns[position].name for position in subsets[worst]),
        subsets=len(subsets),
    )
