"""Search the best design under limits: by the command at once, for the page by a worker."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Final

from django.contrib.auth.models import User
from django.db import transaction

from privacy.planning import DesignPoint, design_points, frontier, optimise
from privacy.planning.efficiency import SampledDesign, best_split, least_variance, sampled_designs
from privacy.planning.frontier import TRUTHS
from privacy.policy import LEAST_SAVED
from privacy.risk.row_distribution import MOST_NEAR_ASKED
from surveys.errors.error import SurveyError
from surveys.jobs import lease
from surveys.models import DesignSearch, Job, Survey
from surveys.questionnaire.definition import Definition
from surveys.questionnaire.joined_part import joinable, with_joined_part

__all__ = [
    "Wanted",
    "design_search_ask",
    "design_taken",
    "found_rotations",
    "rotating_saves",
    "search_coins",
    "search_designs",
    "search_rotations",
]

LISTED: Final = 10
"""Designs of which each person is asked some: so many of the most precise are kept."""

MOST_LISTED: Final = 10
"""Searches of one member of the staff; older ones that are over are forgotten."""

DESIGNS, SPLITS = "designs", "splits"


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


def _quiet(_stage: str, _done: int, _total: int) -> None:
    """Report no progress."""


def search_coins(
    wanted: Wanted, report: lease.Report = _quiet
) -> tuple[DesignPoint | None, tuple[DesignPoint, ...]]:
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
    for done, truth in enumerate(TRUTHS):
        report(DESIGNS, done, len(TRUTHS))
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
        raise SurveyError("plan.out_of_reach", ceiling, ceiling=ceiling)
    return best, edge


def search_rotations(wanted: Wanted, report: lease.Report = _quiet) -> Rotations:
    """Return the designs that ask each person some of the questions, under the ceilings.

    Raises
    ------
    SurveyError
        ``plan``: no ceiling of epsilon, fewer questions than items, or no design that keeps the ceilings.
    """
    if wanted.epsilon is None or wanted.items > wanted.questions:
        raise SurveyError("plan.rotating", wanted.questions)
    sizes = range(1, wanted.items + 1)
    report(DESIGNS, 0, 0)
    odds = math.inf if wanted.odds is None else wanted.odds
    designs = sampled_designs(wanted.questions, wanted.epsilon, sizes=sizes, most_odds=odds)
    if not designs:
        raise SurveyError("plan.out_of_reach", wanted.epsilon, ceiling=wanted.epsilon)
    report(SPLITS, 0, 0)
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
        and design["variance"] <= (1 - LEAST_SAVED) * record["split_variance"]
    )
    return next(fits, None)


@transaction.atomic
def design_search_ask(wanted: Wanted, *, survey: Survey | None, by: User, now: datetime) -> DesignSearch:
    """Enqueue a search; the requester's oldest searches are deleted."""
    job = lease.enqueue(kind=Job.Kind.SEARCH, requested_by=by, now=now)
    made = DesignSearch.objects.create(job=job, survey=survey, asked=asdict(wanted))
    mine = Job.objects.filter(kind=Job.Kind.SEARCH, requested_by=by).order_by("-pk")
    unfinished = (Job.State.QUEUED, Job.State.RUNNING)
    newest = list(mine.values_list("pk", flat=True)[:MOST_LISTED])
    mine.exclude(pk__in=newest).exclude(state__in=unfinished).delete()
    return made


def search_designs(job_id: int, report: lease.Report) -> Callable[[], None]:
    """Search for the page that asked with this job; what is returned stores what was found."""
    wanted_record = DesignSearch.objects.filter(job=job_id).values_list("asked", flat=True).first()
    if wanted_record is None:
        # Its survey was deleted meanwhile.
        return lambda: None
    wanted = Wanted(**wanted_record)
    record: dict[str, Any]
    if wanted.rotating:
        record = found_rotations(search_rotations(wanted, report), items=wanted.items)
    else:
        best, edge = search_coins(wanted, report)
        record = {"best": best and asdict(best), "frontier": [asdict(point) for point in edge]}

    def store() -> None:
        DesignSearch.objects.filter(job=job_id).update(found=record)

    return store


def design_taken(definition: Definition, search: DesignSearch) -> dict[str, Any] | None:
    """Return the document of a draft with the design that was found; None where the figures would not hold.

    The design is one of yes/no questions, as many as were searched for. Where everybody is asked all of them,
    the parts have to be as large as the design's and without skips, which would tell more.
    """
    design, wanted = definition.design, Wanted(**search.asked)
    blocks = joinable(design)
    questions = [question for block in blocks for question in block.questions]
    if search.found is None or len(questions) != wanted.questions:
        return None
    if any(question.kind != "yes_no" for question in questions) or any(block.is_rotating for block in blocks):
        return None
    keys = [block.key for block in blocks]
    if wanted.rotating:
        # Near-truth rows include impossible ones, and offer no skip.
        entries = [entry for entry in definition.document["blocks"] if entry["key"] in keys]
        near = not any(entry.get("refusal") or entry.get("exclusive") for entry in entries)
        best = rotating_saves(search.found, near=near)
        if best is None:
            return None
        return with_joined_part(
            definition,
            keys,
            per_person=best["asked"],
            epsilon=best["epsilon"],
            largest=wanted.items,
            radius=best["radius"] or None,
        ).document
    best = search.found["best"]
    if best is None or any(block.refusal is not None for block in blocks):
        return None
    size = min(best["block_size"], len(questions))
    sizes = [min(size, len(questions) - at) for at in range(0, len(questions), size)]
    if sorted(sizes) != sorted(len(block.questions) for block in blocks):
        return None
    document = copy.deepcopy(definition.document)
    for entry in document["blocks"]:
        if entry["key"] in keys:
            entry.pop("light", None)
            entry["truth_probability"] = best["truth_probability"]
            for question in entry["questions"]:
                question["unrelated"] = [best["unrelated"]]
    return document
