"""Search the best design of yes/no questions under limits of distortion, leakage, epsilon and odds."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any, Final

from privacy.planning.efficiency import SampledDesign, best_split, least_variance, sampled_designs
from privacy.planning.frontier import TRUTHS, DesignPoint, design_points, frontier, optimise
from privacy.risk.row_distribution import MOST_NEAR_ASKED
from surveys.errors.error import SurveyError

__all__ = ["LISTED", "Wanted", "found_rotations", "rotating_saves", "search_coins", "search_rotations"]

LISTED: Final = 10
"""Designs of which each person is asked some: so many of the most precise are kept."""

_LEAST_SAVED: Final = 0.1
"""Share of people from which on one is proposed: a few people less do not pay for a change to explain."""


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """What is searched for.

    Parameters
    ----------
    questions : int
        Yes/no questions.
    prevalence : int, ten-thousandths
        Expected share of "yes" of each.
    rotating : bool
        Whether each person is asked some of them; else everybody is asked all.
    distortion, leakage : float, optional
        D0, the mean share of answers sent otherwise than they are, and L0, in bits.
    epsilon : float, optional
        Ceiling of the sum.
    odds : float, optional
        Ceiling of the odds of one question, where each person is asked some.
    items : int
        Largest itemset, where each person is asked some.
    """

    questions: int
    prevalence: int
    rotating: bool = False
    distortion: float | None = None
    leakage: float | None = None
    epsilon: float | None = None
    odds: float | None = None
    items: int = 2

    @property
    def is_limited(self) -> bool:
        """Whether there is a best design, and not the frontier alone."""
        return self.distortion is not None or self.leakage is not None


@dataclass(frozen=True, kw_only=True)
class Rotations:
    """Designs that ask each person some, the most precise first; the best split, and what no design can beat.

    All of them keep the ceilings; among the designs is the one that asks everybody all, where it does.
    """

    designs: list[SampledDesign]
    split: list[int]
    split_variance: float
    bound: float


def search_coins(wanted: Wanted) -> tuple[DesignPoint | None, tuple[DesignPoint, ...]]:
    """Return the best design under the limits, None without any, and those that no other one beats.

    Raises
    ------
    PrivacyError
        ``out_of_reach``, ``limits``.
    SurveyError
        ``plan``: no design keeps the ceiling of epsilon.
    """
    shares = [wanted.prevalence] * wanted.questions
    points: list[DesignPoint] = []
    for truth in TRUTHS:
        points += design_points(shares, truths=[truth])
    ceiling = math.inf if wanted.epsilon is None else wanted.epsilon
    best = None
    if wanted.is_limited:
        best = optimise(
            points,
            most_distortion=wanted.distortion,
            most_leakage=wanted.leakage,
            most_epsilon=ceiling,
        )
    edge = frontier(point for point in points if point.epsilon <= ceiling)
    if not edge:
        raise SurveyError("optimise.out_of_reach", ceiling, ceiling=ceiling)
    return best, edge


def search_rotations(wanted: Wanted) -> Rotations:
    """Return the designs that ask each person some of the questions, under the ceilings.

    Raises
    ------
    SurveyError
        ``plan``: no ceiling of epsilon, fewer questions than items, or no design that keeps the ceilings.
    """
    if wanted.epsilon is None or wanted.items > wanted.questions:
        raise SurveyError(
            "optimise.rotating", wanted.questions, questions=wanted.questions, items=wanted.items
        )
    sizes = range(1, wanted.items + 1)
    odds = math.inf if wanted.odds is None else wanted.odds
    designs = sampled_designs(wanted.questions, wanted.epsilon, sizes=sizes, most_odds=odds)
    if not designs:
        raise SurveyError("optimise.out_of_reach", wanted.epsilon, ceiling=wanted.epsilon)
    split, variance = best_split(wanted.questions, wanted.epsilon, sizes=sizes, most_odds=odds)
    bound = least_variance(wanted.questions, wanted.epsilon, sizes=sizes)
    return Rotations(designs=list(designs), split=split, split_variance=variance, bound=bound)


def found_rotations(rotations: Rotations, *, items: int) -> dict[str, Any]:
    """Return what is kept of a search, as JSON: the designs with their odds and mean variances."""
    sizes = range(1, items + 1)
    return {
        "designs": [
            asdict(design) | {"odds": design.odds, "variance": design.mean_variance(sizes)}
            for design in rotations.designs[:LISTED]
        ],
        "split": rotations.split,
        "split_variance": rotations.split_variance,
        "bound": rotations.bound,
    }


def rotating_saves(record: dict[str, Any], *, near: bool = True) -> dict[str, Any] | None:
    """Return the most precise design worth a change; None where asking all questions does as well.

    Parameters
    ----------
    record : dict
        Of `found_rotations`.
    near : bool
        Whether rows near the true one can be sent.
    """
    fits = (
        design
        for design in record["designs"]
        if (
            near and design["asked"] <= MOST_NEAR_ASKED
            if design["radius"]
            else design["asked"] < design["questions"]
        )
        and design["variance"] <= (1 - _LEAST_SAVED) * record["split_variance"]
    )
    return next(fits, None)
