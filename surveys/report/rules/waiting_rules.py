"""The rules that wait for a verdict, in the newest finished run of each survey."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from django.db.models import Max, QuerySet

from surveys.models import Job, Run, Survey
from surveys.questionnaire.packed_items import unpack_items
from surveys.report.rules.rows_or_counts import listing_of
from surveys.report.rules.rule_query import RuleQuery
from surveys.runs.planned_sides import planned_sides
from surveys.runs.shown_of_run import has_results, shown_rules
from surveys.runs.withheld import is_withheld_whole

MOST_WAITING: Final = 2_000
"""Most rules of a run that are searched for rules without a verdict."""

# Smallest adjusted p-value first; a limit leaves out rules without a confidence.
_HOLDING: Final = RuleQuery(holds="yes", redundant="no", limits=(("confidence_from", -math.inf),))


@dataclass(frozen=True, kw_only=True)
class Waiting:
    """The newest finished run of a survey and its rules without a verdict.

    Attributes
    ----------
    run : Run
    rules : tuple of int
        Keys of the rules that wait for a verdict, smallest p-value first; none if the run is unreadable.
    """

    run: Run
    rules: tuple[int, ...]


def waiting_rules(surveys: QuerySet[Survey]) -> list[Waiting]:
    """Return the rules that wait for a verdict, in the newest finished run of each survey.

    A rule waits if its test passed, no shorter rule explains it, and no rule with the same items has a
    verdict. Of several rules with the same items only one waits: the one in the planned direction, or else
    the one with the smallest p-value. In practice surveys, and if an earlier version of the program
    withheld all figures, none do.
    """
    newest = (
        Run.objects.filter(survey__in=surveys, survey__practice=False, job__state=Job.State.FINISHED)
        .order_by()
        .values("survey")
        .annotate(newest=Max("pk"))
        .values("newest")
    )
    runs = Run.objects.select_related("survey", "version__survey", "job").filter(pk__in=newest)
    return [
        Waiting(run=run, rules=() if run.unreadable or is_withheld_whole(run) else tuple(_waiting(run)))
        for run in runs.order_by("survey__slug")
        if run.unreadable or has_results(run) or is_withheld_whole(run)
    ]


def _waiting(run: Run) -> Iterator[int]:
    rules, plan_sides = shown_rules(run), planned_sides(run)
    done_sides = rules.filter(verdicts__isnull=False).values_list("antecedent", "consequent")
    done = {_itemset_of(sides) for sides in done_sides}
    lines = listing_of(run).sides(_HOLDING, MOST_WAITING)
    for key, *sides in sorted(lines, key=lambda line: line[1:] != plan_sides):
        items = _itemset_of(sides)
        if items not in done:
            done.add(items)
            yield key


def _itemset_of(sides: Sequence[str]) -> frozenset[int]:
    return frozenset(item for side in sides for item in unpack_items(side))
