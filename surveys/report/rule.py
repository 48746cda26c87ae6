"""The page of one rule: its 2x2 table, measures, test, and what would reverse it."""

from __future__ import annotations

from dataclasses import dataclass

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
from surveys.questionnaire.labels import unpack_items
from surveys.report.opened_run import OpenedRun, only_if_fitting, results_page
from surveys.report.rule_rows import (
    further_measures,
    history_of,
    level_of,
    rules_by_key,
)
from surveys.report.rule_words import others_of, rule_text, selection_words
from surveys.report.rules import RuleFilterForm
from surveys.runs.releasable_rows import rows_behind


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


@results_page
@only_if_fitting("rules")
def rule(request: HttpRequest, opened: OpenedRun, rule_id: int) -> HttpResponse:
    """Show one rule; the filter in the address leads back to the list."""
    run, labels = opened
    row = rule_of(run, rule_id)
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
        "query": RuleFilterForm.of_run(request.GET, run, labels).query(),
        "table": table,
        "problem": problem,
        "family": run.summary["inference"]["family"]["lift"],
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
