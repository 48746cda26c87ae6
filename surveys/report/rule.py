"""The page of one rule: its 2x2 table, measures, test, explanations, and what would reverse it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse

from privacy.arrays import Flags
from privacy.errors import PrivacyError
from privacy.estimation.counts import Columns
from privacy.estimation.design_index import index_of
from privacy.estimation.estimates import Measured, asked_columns
from privacy.estimation.events import Event, event_share
from privacy.estimation.patterns import pattern_terms
from surveys.accounts.permissions import may_judge
from surveys.errors.error import sentences
from surveys.models import RuleRow, Run
from surveys.questionnaire.labels import pack_items, unpack_items
from surveys.report.opened_run import OpenedRun, only_if_fitting, results_page
from surveys.report.rule_rows import (
    RuleQuery,
    further_measures,
    history_of,
    level_of,
    rule_keys,
    rules_by_key,
)
from surveys.report.rule_words import others_of, rule_text, selection_words
from surveys.report.rules import RuleFilterForm
from surveys.rows.releasable_rows import rows_behind


@dataclass(frozen=True, kw_only=True)
class TwoByTwo:
    """Shares of those asked everything in a rule.

    Attributes
    ----------
    cells : dict of str to Measured
        "both", "before" (the left side only), "after" (the right side only), "neither"; and the margins
        "all_before", "not_before", "all_after", "not_after".
    complete : int or None
        The rows of the table, where the rule's own figures count also those that were asked some of it.
    """

    cells: dict[str, Measured]
    complete: int | None

    @property
    def total(self) -> float:
        """Sum of the four cells: 1, or the share of those who skipped no part of it."""
        return sum(self.cells[name].value for name in ("both", "before", "after", "neither"))


def two_by_two(run: Run, row: RuleRow, *, level: float = 0.95) -> TwoByTwo:
    """Reconstruct the table from the rows behind the run's figures, with intervals of a level.

    Raises
    ------
    SurveyError
        The database holds other batches than the run read.
    """
    before, after = unpack_items(row.antecedent), unpack_items(row.consequent)
    rows = rows_behind(run)
    design, count_cache = rows.design, rows.count_cache
    within = asked_columns(tuple(sorted(before + after)), design)
    # A cell without an item is no itemset: only of complete rows is it known who is in it.
    all_rows = count_cache.all_rows and bool(index_of(design).is_drawn[[*before, *after]].any())
    wanted = _events(before, after)
    counts = count_cache.need(
        [
            within,
            *(
                terms
                for event in wanted.values()
                for terms in pattern_terms(event.items, design, within=within)
            ),
        ]
    )
    cells = {
        name: event_share(counts, event, design, within=within, level=level) for name, event in wanted.items()
    }
    # The rule's own support has the interval that is printed elsewhere.
    low, high = row.printed["support"]
    if not all_rows and row.support is not None and low is not None and high is not None:
        cells["both"] = Measured(
            value=row.support, low=low, high=high, standard_error=row.support_se, estimable=True
        )
    return TwoByTwo(
        cells=cells,
        complete=sum(counts[within]) if all_rows else None,
    )


def _events(before: Columns, after: Columns) -> dict[str, Event]:
    items = tuple(sorted(before + after))
    has = dict(zip(items, np.indices((2,) * len(items)).astype(bool), strict=True))
    first, other = (np.logical_and.reduce([has[item] for item in side]) for side in (before, after))
    return {
        "both": Event(items=items, holds=first & other),
        "before": Event(items=items, holds=first & ~other),
        "after": Event(items=items, holds=~first & other),
        "neither": Event(items=items, holds=~first & ~other),
        "all_before": Event(items=before, holds=_all_of(before)),
        "not_before": Event(items=before, holds=~_all_of(before)),
        "all_after": Event(items=after, holds=_all_of(after)),
        "not_after": Event(items=after, holds=~_all_of(after)),
    }


def _all_of(items: Columns) -> Flags:
    holds = np.zeros((2,) * len(items), dtype=np.bool_)
    holds[(1,) * len(items)] = True
    return holds


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
        table = two_by_two(run, row, level=level_of(run, row))
    except PrivacyError as error:
        problem = sentences(error)
    context = {
        "run": run,
        "rule": row,
        "labels": labels,
        "text": rule_text(row, labels, others_of(run, row)),
        "selection": selection_words(run),
        "query": query,
        "form": form,
        "place": position_of(run, query, row.pk),
        "table": table,
        "problem": problem,
        "family": run.summary["inference"]["family"]["lift"],
        "parents": parents_of(row),
        "further": [
            (measure, row.inference.interest.get(measure.name)) for measure in further_measures().values()
        ],
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
