"""The reviewer's queue: which rules hold and wait for a verdict."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from django.db.models import F, Max, QuerySet

from surveys.figures.rules import planned_sides
from surveys.figures.run_summary import has_results, misfit_of
from surveys.models import Job, RuleRow, Run, Survey
from surveys.questionnaire.labels import unpack_items

MOST_WAITING: Final = 2_000
"""Rules of a run that are searched for those that wait."""


@dataclass(frozen=True, kw_only=True)
class Waiting:
    """The newest result of a survey.

    Attributes
    ----------
    run : Run
    rules : tuple of int
        Keys of the rules that wait for a verdict, the clearest first.
    """

    run: Run
    rules: tuple[int, ...]


def waiting_rules(surveys: QuerySet[Survey]) -> list[Waiting]:
    """Return which rules of some surveys wait for a verdict, in the newest result of each.

    A rule waits if it holds, no shorter rule explains it, and no rule of the same items has a verdict. Of
    several rules of the same items one waits: that of the planned direction, else the clearest. Practice
    surveys have none, nor has a result whose reports contradict the design.
    """
    newest = (
        Run.objects.filter(survey__in=surveys, survey__practice=False, job__state=Job.State.FINISHED)
        .order_by()
        .values("survey")
        .annotate(newest=Max("pk"))
        .values("newest")
    )
    runs = Run.objects.select_related("survey", "version", "job").filter(pk__in=newest)
    return [
        Waiting(run=run, rules=() if misfit_of(run) else tuple(_waiting(run)))
        for run in runs.order_by("survey__slug")
        if has_results(run)
    ]


def _waiting(run: Run) -> Iterator[int]:
    rules, planned = RuleRow.objects.filter(run=run), planned_sides(run)
    judged = rules.filter(verdicts__isnull=False).values_list("antecedent", "consequent")
    done = {_itemset_of(sides) for sides in judged}
    holding = rules.filter(inference__passes=True, inference__redundant_by="", confidence__isnull=False)
    ordered = holding.order_by("inference__p_adjusted", F("lift").desc(nulls_last=True), "pk")
    lines = list(ordered.values_list("pk", "antecedent", "consequent")[:MOST_WAITING])
    for pk, *sides in sorted(lines, key=lambda line: line[1:] != planned):
        items = _itemset_of(sides)
        if items not in done:
            done.add(items)
            yield pk


def _itemset_of(sides: Sequence[str]) -> frozenset[int]:
    return frozenset(item for side in sides for item in unpack_items(side))
