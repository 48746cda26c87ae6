"""Designs between distortion and leakage: the frontier, and the best point under either limit or both."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from privacy import validation
from privacy.coins import SCALE
from privacy.errors import PrivacyError
from privacy.planning.power import Plan, standard_error
from privacy.risk.budget import block_budget
from privacy.risk.constrained_prior import independent
from privacy.risk.leakage import distortion, entropy_bound, mutual_information
from privacy.risk.row_distribution import row_distribution
from privacy.survey.block import Block
from privacy.survey.question import Question

__all__ = ["TRUTHS", "UNRELATEDS", "DesignPoint", "design_points", "frontier", "optimise"]

TRUTHS: Final = tuple(range(500, 10_000, 500))
UNRELATEDS: Final = tuple(range(1000, 10_000, 1000))
MOST_QUESTIONS: Final = 60


@dataclass(frozen=True, kw_only=True)
class DesignPoint:
    """One way to ask some yes/no questions.

    Parameters
    ----------
    truth_probability, unrelated : int, ten-thousandths
        p of every block and theta of every question.
    block_size : int
        Questions that share a coin; the last block may have fewer.
    distortion : float
        D: mean share of answers sent otherwise than they are.
    leakage : float
        L: mean bits that a person's rows tell, I(V; E) summed over the blocks.
    epsilon : float
        Sum over the blocks.
    standard_error : float
        Of one item's support with one respondent, root of its mean square; divide by sqrt(n).
    """

    truth_probability: int
    unrelated: int
    block_size: int
    distortion: float
    leakage: float
    epsilon: float
    standard_error: float


def design_points(
    prevalences: Sequence[int],
    *,
    truths: Sequence[int] = TRUTHS,
    unrelateds: Sequence[int] = UNRELATEDS,
    block_sizes: Sequence[int] | None = None,
) -> tuple[DesignPoint, ...]:
    """Work out all designs of a grid.

    Parameters
    ----------
    prevalences : sequence of int, ten-thousandths
        Expected share of "yes" of each question, at most 60.
    truths, unrelateds : sequence of int, ten-thousandths, each 1 to 9,999
        p and theta to be tried.
    block_sizes : sequence of int, optional
        Default: 1, 2, 3, 5, 10, 20 and all, as far as there are questions.

    Raises
    ------
    PrivacyError
        ``prevalence``, ``truth_probability``, ``unrelated_probability``, ``block_size``.

    Examples
    --------
    >>> point, = design_points([2000] * 10, truths=[5000], unrelateds=[5000], block_sizes=[10])
    >>> point.distortion, round(point.leakage, 2), round(point.epsilon, 2)
    (0.25, 3.12, 6.93)
    """
    if not 1 <= len(prevalences) <= MOST_QUESTIONS:
        raise PrivacyError("prevalence.number", len(prevalences), most=MOST_QUESTIONS)
    shares = [
        validation.whole_number(share, "prevalence", low=0, high=SCALE, code="prevalence")
        for share in prevalences
    ]
    for name, values in (("truth probability", truths), ("unrelated probability", unrelateds)):
        for value in values:
            validation.whole_number(value, name, low=1, high=SCALE - 1, code=name.replace(" ", "_"))
    sizes = (1, 2, 3, 5, 10, 20, len(shares)) if block_sizes is None else block_sizes
    for size in sizes:
        validation.whole_number(size, "block size", low=1, high=MOST_QUESTIONS, code="block_size")
    within = sorted({min(size, len(shares)) for size in sizes})

    measured = cache(_measured)
    points = []
    for truth in truths:
        for unrelated in unrelateds:
            error = _error(truth, unrelated, shares)
            for size in within:
                parts = [tuple(sorted(shares[at : at + size])) for at in range(0, len(shares), size)]
                figures = [measured(truth, unrelated, part) for part in parts]
                weights = [len(part) / len(shares) for part in parts]
                points.append(
                    DesignPoint(
                        truth_probability=truth,
                        unrelated=unrelated,
                        block_size=size,
                        distortion=math.fsum(
                            weight * figure[0] for weight, figure in zip(weights, figures, strict=True)
                        ),
                        leakage=math.fsum(figure[1] for figure in figures),
                        epsilon=math.fsum(figure[2] for figure in figures),
                        standard_error=error,
                    )
                )
    return tuple(points)


def _measured(truth: int, unrelated: int, shares: tuple[int, ...]) -> tuple[float, float, float]:
    questions = tuple(
        Question(key=f"q{number}", kind="yes_no", options=(), unrelated=(unrelated,))
        for number in range(len(shares))
    )
    block = Block(
        key="block", protected=True, truth_probability=truth, refusal=None, asked_if=None, questions=questions
    )
    prevalence = {question.key: [share] for question, share in zip(questions, shares, strict=True)}
    distribution = row_distribution(independent(block, prevalence))
    information = mutual_information(distribution) if distribution.exact else entropy_bound(block, prevalence)
    return float(distortion(block, prevalence)), information, block_budget(block).epsilon


def _error(truth: int, unrelated: int, shares: Sequence[int]) -> float:
    plan = Plan(p=truth / SCALE, theta_a=unrelated / SCALE)
    squares = {share: standard_error(plan, share / SCALE, 1) ** 2 for share in set(shares)}
    return math.sqrt(math.fsum(squares[share] for share in shares) / len(shares))


def frontier(points: Iterable[DesignPoint]) -> tuple[DesignPoint, ...]:
    """Return the points that no other one beats in both distortion and leakage, by rising distortion.

    Of points that are equal in both the one with the smaller standard error stays.

    Parameters
    ----------
    points : iterable of DesignPoint
        Each with its distortion and leakage.
    """
    order = sorted(
        points,
        key=lambda point: (round(point.distortion, 9), point.leakage, point.standard_error, point.epsilon),
    )
    frontier_points: list[DesignPoint] = []
    for point in order:
        if not frontier_points or point.leakage < frontier_points[-1].leakage - 1e-12:
            frontier_points.append(point)
    return tuple(frontier_points)


def optimise(
    points: Iterable[DesignPoint],
    *,
    most_distortion: float | None = None,
    most_leakage: float | None = None,
    most_epsilon: float = math.inf,
) -> DesignPoint:
    """Return the best design under a limit D0, a limit L0, or both.

    Parameters
    ----------
    points : iterable of DesignPoint
    most_distortion, most_leakage : float, optional
        D0 and L0, at least one.
    most_epsilon : float
        A limit of ours: mean bits are kept low by designs that give a few people away for sure, with a small
        p and a small theta, and only epsilon sees those.

    Returns
    -------
    DesignPoint
        Under D0 alone the least leakage; under L0 alone the least distortion; under both, where the source
        asks for any, the smallest standard error.

    Raises
    ------
    PrivacyError
        ``limits``: neither is given. ``out_of_reach``: no design of these keeps them.

    References
    ----------
    Yu 2016.
    """
    if most_distortion is None and most_leakage is None:
        raise PrivacyError("limits")
    d0 = math.inf if most_distortion is None else _limit(most_distortion, "D0")
    l0 = math.inf if most_leakage is None else _limit(most_leakage, "L0")
    ceiling = _limit(most_epsilon, "epsilon")
    listed = [point for point in points if point.epsilon <= ceiling]
    allowed = [point for point in listed if point.distortion <= d0 and point.leakage <= l0]
    if not allowed:
        limits = (most_distortion, most_leakage)
        raise PrivacyError("out_of_reach", limits, limits=_limits(*limits), nearest=_nearest(listed, d0))
    if most_leakage is None:
        return min(allowed, key=lambda point: (point.leakage, point.standard_error))
    if most_distortion is None:
        return min(allowed, key=lambda point: (point.distortion, point.standard_error))
    return min(allowed, key=lambda point: (point.standard_error, point.leakage))


def _limits(most_distortion: float | None, most_leakage: float | None) -> str:
    limits = [] if most_distortion is None else [f"distortion at most {most_distortion:g}"]
    return " and ".join(
        limits if most_leakage is None else [*limits, f"leakage at most {most_leakage:g} bits"]
    )


def _limit(value: float, name: str) -> float:
    return validation.real_number(value, name, low=0, high=math.inf, code="limits")


def _nearest(points: Sequence[DesignPoint], d0: float) -> str:
    within = [point.leakage for point in points if point.distortion <= d0]
    if within:
        return f"{'with this distortion ' if d0 < math.inf else ''}allow at least {_up(min(within)):.3g} bits"
    if not points:
        return "allow a larger epsilon"
    least = min(point.distortion for point in points)
    return f"allow a distortion of at least {_up(least):.3g}"


def _up(value: float) -> float:
    """Round up to three digits, so that what is offered is in reach."""
    if value <= 0:
        return value
    unit: float = 10.0 ** (math.floor(math.log10(value)) - 2)
    return math.ceil(value / unit) * unit
