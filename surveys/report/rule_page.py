"""The page of one rule: its 2x2 table, measures, test, explanations, and what would reverse it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse

from privacy.errors import PrivacyError
from surveys.access.permissions import may_judge
from surveys.errors.core_refusals import sentences
from surveys.figures.rule_query import RuleQuery, rule_keys
from surveys.figures.rules import picked_level, rules_by_key
from surveys.figures.verdicts import history_of
from surveys.models import RuleRow, Run
from surveys.questionnaire.labels import pack_items, unpack_items
from surveys.report.forms import RuleFilterForm
from surveys.report.pictures.two_by_two import two_by_two
from surveys.report.rule_words import rule_text, selection_words
from surveys.report.run_page import OpenedRun, only_if_fitting, results_page


@dataclass(frozen=True, kw_only=True)
class Position:
    """Position of a rule in the filtered list, which may not contain it.

    Attributes
    ----------
    rank : int or None
        From 1.
    previous, next : int or None
        Keys of the neighbours.
    """

    rank: int | None
    matching: int
    previous: int | None = None
    next: int | None = None


@results_page
@only_if_fitting("rules")
def rule(request: HttpRequest, opened: OpenedRun, rule_id: int) -> HttpResponse:
    """Show one rule; the filter in the address says which rules come before and after it."""
    run, labels = opened
    row = rule_of(run, rule_id)
    form = RuleFilterForm.of_run(request.GET, run, labels)
    query = form.query()
    table, problem = None, ""
    try:
        table = two_by_two(run, row, level=picked_level(run))
    except PrivacyError as error:
        problem = sentences(error)
    summary = run.summary.get("inference")
    context = {
        "run": run,
        "rule": row,
        "labels": labels,
        "text": rule_text(run, row, labels),
        "selection": selection_words(run),
        "query": query,
        "form": form,
        "place": position_of(run, query, row.pk),
        "table": table,
        "problem": problem,
        "family": summary["family"]["lift"] if summary else None,
        "parents": parents_of(row),
        "questions": [labels.items[item] for item in unpack_items(row.antecedent + row.consequent[1:])],
        "permalink": request.build_absolute_uri(reverse("report:rule", args=[run.pk, row.pk])),
        "history": history_of(row),
        "may_judge": may_judge(request.user),
    }
    return render(request, "report/run_rule.html", context)


def rule_of(run: Run, rule_id: int) -> RuleRow:
    """Return a rule of a run, with the intervals that pages print; 404 where the run has no such rule."""
    rule = get_object_or_404(RuleRow, pk=rule_id, run=run)
    return rules_by_key(run, [rule.pk])[0]


def position_of(run: Run, query: RuleQuery, key: int) -> Position:
    """Return the position of a rule in the list of the query."""
    keys = rule_keys(run, query)
    if key not in keys:
        return Position(rank=None, matching=len(keys))
    at = keys.index(key)
    return Position(
        rank=at + 1,
        matching=len(keys),
        previous=keys[at - 1] if at else None,
        next=keys[at + 1] if at + 1 < len(keys) else None,
    )


def parents_of(row: RuleRow) -> list[tuple[RuleRow, bool]]:
    """Return the listed rules that a rule extends, and whether each explains it; those that do first."""
    items = unpack_items(row.antecedent)
    shorter = [pack_items(part) for size in range(1, len(items)) for part in combinations(items, size)]
    keys = RuleRow.objects.filter(run=row.run_id, consequent=row.consequent, antecedent__in=shorter)
    rows = rules_by_key(row.run, list(keys.order_by("pk").values_list("pk", flat=True)))
    low = -math.inf if row.confidence_low is None else row.confidence_low
    parents = [(row, row.confidence is not None and row.confidence >= low) for row in rows]
    return sorted(parents, key=lambda parent: not parent[1])
