"""Figures of a planned survey: its privacy and its precision, side by side."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Final

from privacy import validation
from privacy.coins import SCALE
from privacy.planning.calibration import largest_block
from privacy.planning.planned_survey import PlannedSurvey
from privacy.planning.power import (
    Plan,
    detectable_lift,
    detectable_support,
    itemset_error,
    needed_n,
    standard_error,
)
from privacy.risk.report import Audit

__all__ = ["Alternative", "ItemsetPrecision", "PlanFigures", "figures_of"]

TRUTHS: Final = tuple(range(500, 10_000, 500))
LARGEST_ITEMSET: Final = 4


@dataclass(frozen=True, kw_only=True)
class ItemsetPrecision:
    """Error of the support of the first items of the survey, which are taken to be independent.

    Parameters
    ----------
    size : int
        Number of items, in design order.
    support : float
        Their expected support.
    standard_error : float
        Stratified, about the population, with n respondents.
    """

    size: int
    support: float
    standard_error: float


@dataclass(frozen=True, kw_only=True)
class Alternative:
    """Another way to ask the same questions of as many people.

    Parameters
    ----------
    name : {"independent_coins", "direct"}
        A coin for each question with the same epsilon in sum; asking without any disguise.
    truth_probability : float
    epsilon : float
        ``inf`` for asking directly.
    errors : tuple of ItemsetPrecision
    """

    name: str
    truth_probability: float
    epsilon: float
    errors: tuple[ItemsetPrecision, ...]


@dataclass(frozen=True, kw_only=True)
class PlanFigures:
    """A planned survey in figures.

    Parameters
    ----------
    survey : PlannedSurvey
    audit : Audit
    errors : tuple of ItemsetPrecision
        For one item, two, ... up to four.
    needed_n : int
        Respondents for the wanted standard error of every item.
    detectable_support : float or None
        Smallest support of an item found to exceed 0 with power .8; None where n does not suffice for any.
    detectable_lift : float or None
        Smallest lift of a rule between the first two items found to exceed 1; None likewise.
    frontier : tuple of (float, float, float)
        p, epsilon in sum and largest standard error of an item for p = .05, .1, ... .95, and the survey's own
        p.
    alternatives : tuple of Alternative
    best_truth_probability : int or None
        Largest p in ten-thousandths at which the blocks together have at most `most_epsilon`.
    largest_block : int or None
        Most questions of the largest block at the survey's p, the other blocks as they are, with at most that
        epsilon together; 0 where not even one is left.
    """

    survey: PlannedSurvey
    audit: Audit
    errors: tuple[ItemsetPrecision, ...]
    needed_n: int
    detectable_support: float | None
    detectable_lift: float | None
    frontier: tuple[tuple[float, float, float], ...]
    alternatives: tuple[Alternative, ...]
    best_truth_probability: int | None
    largest_block: int | None


# A page, the part of it that follows the form, and the page of a draft ask for one plan after each other.
@lru_cache(maxsize=64, typed=True)
def figures_of(survey: PlannedSurvey, *, most_epsilon: float | None = None) -> PlanFigures:
    """Work out the figures of a planned survey.

    Parameters
    ----------
    survey : PlannedSurvey
    most_epsilon : float, optional
        Ceiling of a person, over all blocks, above 0 and at most 700: asks for the best p and the largest
        block under it.

    Raises
    ------
    PrivacyError
        ``epsilon``.

    Examples
    --------
    >>> plan = figures_of(PlannedSurvey(truth_probability=5000, unrelated=5000, block_sizes=(5,),
    ...                                 prevalence=2000, n=1000), most_epsilon=3.5)
    >>> plan.audit.blocks[0].amplification, plan.best_truth_probability, plan.largest_block
    (33.0, 5009, 5)
    """
    best = most_questions = None
    theta = min(survey.unrelated, SCALE - survey.unrelated)
    if most_epsilon is not None:
        ceiling = validation.real_number(
            most_epsilon, "epsilon", low=0, high=700, open_ends=True, code="epsilon"
        )
        gamma = Fraction(math.exp(ceiling))
        truths = range(1, SCALE)
        best = bisect_left(
            truths, True, key=lambda truth: _amplification(survey.block_sizes, truth, theta) > gamma
        )
        *others, _largest = sorted(survey.block_sizes)
        left = gamma / _amplification(others, survey.truth_probability, theta)
        most_questions = largest_block(left, survey.truth_probability, survey.unrelated)
    plan = _plan(survey)
    shares = _shares(survey)
    items = [share for size, share in zip(survey.block_sizes, shares, strict=True) for _ in range(size)]
    return PlanFigures(
        survey=survey,
        audit=survey.audit(),
        errors=_errors(survey, survey.truth_probability / SCALE, survey.direct_truth),
        needed_n=max(needed_n(plan, share, survey.error) for share in set(shares)),
        detectable_support=detectable_support(plan, survey.n),
        detectable_lift=detectable_lift(plan, survey.n, first=items[0], second=items[1])
        if len(items) > 1
        else None,
        frontier=tuple(_point(survey, truth) for truth in sorted({*TRUTHS, survey.truth_probability})),
        alternatives=(_independent(survey), _direct(survey)),
        best_truth_probability=best or None,
        largest_block=most_questions,
    )


def _amplification(sizes: Sequence[int], truth: int, theta: int) -> Fraction:
    """Return gamma of blocks together, of p and the rarer decoy answer in ten-thousandths."""
    odds, least = Fraction(truth, SCALE - truth), Fraction(theta, SCALE)
    return math.prod((1 + odds / least**size for size in sizes), start=Fraction(1))


def _shares(survey: PlannedSurvey) -> tuple[float, ...]:
    return tuple(share / SCALE for share in survey.prevalences)


def _errors(
    survey: PlannedSurvey, p: float, light: float, *, own_coins: bool = False
) -> tuple[ItemsetPrecision, ...]:
    """Return the errors of the first one, two, ... items, in the survey's blocks or with a coin for each."""
    blocks = list(zip(survey.block_sizes, _shares(survey), strict=True))
    if own_coins:
        blocks = [(1, share) for size, share in blocks for _ in range(size)]
    errors = []
    for size in range(1, min(LARGEST_ITEMSET, sum(survey.block_sizes)) + 1):
        touched, left = [], size
        for block, share in blocks:
            touched.append((min(block, left), share))
            left -= touched[-1][0]
            if left == 0:
                break
        theta, k = survey.unrelated / SCALE, survey.direct_share
        error = itemset_error(p, theta, k, touched, survey.n, light=light)
        support = math.prod(share**count for count, share in touched)
        errors.append(ItemsetPrecision(size=size, support=support, standard_error=error))
    return tuple(errors)


def _plan(survey: PlannedSurvey, p: float | None = None) -> Plan:
    theta = survey.unrelated / SCALE
    truth = survey.truth_probability / SCALE if p is None else p
    return Plan(
        p=truth,
        theta_a=theta,
        theta_b=theta,
        one_block=survey.block_sizes[0] > 1,
        k=survey.direct_share,
        # Where both meet there is one strength.
        light=max(truth, survey.direct_truth),
    )


def _point(survey: PlannedSurvey, truth: int) -> tuple[float, float, float]:
    p = truth / SCALE
    error = max(standard_error(_plan(survey, p), share, survey.n) for share in set(_shares(survey)))
    return p, _epsilon(survey, p), error


def _epsilon(survey: PlannedSurvey, p: float) -> float:
    """Return the sum over the blocks; infinite without a disguise."""
    if p == 1:
        return math.inf
    least = min(survey.unrelated, SCALE - survey.unrelated) / SCALE
    return math.fsum(math.log1p(p / (1 - p) / least**size) for size in survey.block_sizes)


def _independent(survey: PlannedSurvey) -> Alternative:
    """Return a coin of its own for each question, all with an equal part of the survey's epsilon."""
    epsilon = _epsilon(survey, survey.truth_probability / SCALE)
    p, light = (
        _coin_truth(survey, truth) for truth in (survey.truth_probability / SCALE, survey.direct_truth)
    )
    return Alternative(
        name="independent_coins",
        truth_probability=p,
        epsilon=epsilon,
        errors=_errors(survey, p, light, own_coins=True),
    )


def _coin_truth(survey: PlannedSurvey, truth: float) -> float:
    """Return p of a coin for each question that come to the epsilon of the survey's blocks at this p."""
    epsilon = _epsilon(survey, truth)
    if math.isinf(epsilon):
        return 1.0
    least = min(survey.unrelated, SCALE - survey.unrelated) / SCALE
    odds = math.expm1(epsilon / sum(survey.block_sizes)) * least
    return odds / (1 + odds)


def _direct(survey: PlannedSurvey) -> Alternative:
    errors = _errors(survey, 1.0, 1.0)
    return Alternative(name="direct", truth_probability=1.0, epsilon=math.inf, errors=errors)
