"""The page of a run that sets estimators side by side, and answers expressions."""

from __future__ import annotations

from typing import Final

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from privacy.errors import PrivacyError
from privacy.estimation import Columns, required_counts, support_intervals
from privacy.survey.design import Design
from surveys.errors.core_refusals import sentences
from surveys.figures.estimating import ExpressionEstimate, expression_of_run
from surveys.figures.patterns import consistent_supports, pattern_table
from surveys.formats.figures import Figure, ends_of, share_figure
from surveys.models import ItemsetInference, Run
from surveys.questionnaire.labels import unpack_items
from surveys.report.run_page import OpenedRun, results_page
from surveys.rows.releasable_rows import rows_behind

ROWS_PER_PAGE: Final = 60
LONGEST_EXPRESSION: Final = 500
LONGEST_ITEMSET: Final = 1_000


@results_page
def estimators(request: HttpRequest, opened: OpenedRun) -> HttpResponse:
    """Show pooled and stratified estimates side by side; estimate an expression."""
    run, labels = opened
    text = request.GET.get("expression", "").strip()[:LONGEST_EXPRESSION]
    answer, problem = None, ""
    if text:
        try:
            answer = expression_of_run(run, text)
        except PrivacyError as error:
            problem = sentences(error)
    rows = _rows(run)
    whole = rows_behind(run).with_results()
    listed = list(rows[:ROWS_PER_PAGE])
    itemsets = [unpack_items(row.itemset.items) for row in listed]
    within = consistent_supports(whole, itemsets)
    counts = whole.count_cache.need(required_counts(itemsets, whole.design))
    pooled = support_intervals(counts, itemsets, whole.design, estimator="pooled")
    patterns = None
    if named := request.GET.get("itemset", "")[:LONGEST_ITEMSET]:
        try:
            patterns = pattern_table(whole, _named_items(named, run.version.to_design()), labels)
        except PrivacyError as error:
            problem = sentences(error)
    context = {
        "run": run,
        # Each with its share within the itemset, and the pooled one where it may be told.
        "lines": [
            (
                row,
                ",".join(labels.items[item].key for item in items),
                share,
                None if row.itemset.pooled is None else pooled[position],
            )
            for position, (row, items, share) in enumerate(zip(listed, itemsets, within, strict=True))
        ],
        # Of runs of an earlier release.
        "has_combined": any(row.combined is not None for row in listed),
        "labels": labels,
        "pattern_table": patterns,
        "more": max(0, rows.count() - ROWS_PER_PAGE),
        "expression": text,
        "answer": answer,
        "figure": answer and _figure(answer),
        "problem": problem,
        "keys": [item.key for item in labels.items],
    }
    return render(request, "report/run_estimators.html", context, status=422 if problem else 200)


def _rows(run: Run) -> QuerySet[ItemsetInference]:
    rows = ItemsetInference.objects.filter(itemset__run=run).select_related("itemset")
    return rows.order_by("itemset__size", "itemset_id")


def _named_items(text: str, design: Design) -> Columns:
    """Read item keys with commas between them."""
    return tuple(sorted(design.item(key.strip()).index for key in text.split(",")))


def _figure(estimate: ExpressionEstimate) -> Figure:
    _value, low, high = ends_of(estimate.interval)
    return share_figure(estimate.estimate.value, low, high)
