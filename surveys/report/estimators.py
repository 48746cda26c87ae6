"""The page of a run that sets estimators side by side, and answers expressions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from privacy.errors import PrivacyError
from privacy.estimation import Columns
from privacy.estimation.maximum_likelihood import Combined, combined_many, combined_terms
from privacy.survey.design import Design
from surveys.access.permissions import staff_page
from surveys.analysis.estimating import ExpressionEstimate, expression_of_run
from surveys.analysis.patterns import consistent_supports, pattern_table
from surveys.analysis.weighting import Rows, rows_of_run
from surveys.disclosure.disclosure import shown_count
from surveys.errors.core_refusals import sentences
from surveys.formats.figures import NORMAL, Figure, normal_figure, number, share_figure
from surveys.models import ItemsetInference, Run
from surveys.questionnaire.labels import Labels, unpack_items
from surveys.report.opened import OpenedRun, results_page

ROWS_PER_PAGE: Final = 60
LONGEST_EXPRESSION: Final = 500
LONGEST_ITEMSET: Final = 1_000

_WHY_NOT: Final = {
    "few_direct": gettext_lazy("fewer than 50 direct answers"),
    "few_expected": gettext_lazy("fewer than 10 with it, or without it, expected in a group"),
    "too_many_patterns": gettext_lazy("more than 256 patterns"),
}
"""By the codes of `privacy.estimation.maximum_likelihood`."""


@dataclass(frozen=True, kw_only=True)
class EstimatorLine:
    """One itemset by every estimator, ready to print.

    Attributes
    ----------
    not_combined : str
        Why there is no combined estimate.
    """

    items: str
    packed: str
    stratified: Figure
    within: str
    pooled: Figure | None
    combined: Figure | None
    not_combined: str
    groups_p_value: str
    consistent: str
    closed: bool
    maximal: bool


@dataclass(frozen=True, kw_only=True)
class ExpressionLine:
    """The answer to an expression."""

    text: str
    figure: Figure
    standard_error: str
    n: str


@staff_page
@require_safe
@results_page
def estimators(request: HttpRequest, opened: OpenedRun) -> HttpResponse:
    """Set pooled, stratified and combined side by side, raw and consistent; estimate an expression."""
    found, page, labels = opened
    text = request.GET.get("expression", "").strip()[:LONGEST_EXPRESSION]
    answer, problem = None, ""
    if text:
        try:
            answer = _answer(expression_of_run(found, text))
        except PrivacyError as refusal:
            problem = sentences(refusal)
    rows = _rows(found)
    whole = rows_of_run(found)
    listed = list(rows[:ROWS_PER_PAGE])
    # None is stored of older runs, and where it is not offered.
    bare = [unpack_items(row.itemset.items) for row in listed if row.combined is None]
    why = dict(zip(bare, combined_or_why(whole, bare), strict=True))
    itemsets = [unpack_items(row.itemset.items) for row in listed]
    within = consistent_supports(whole, itemsets)
    apart = None
    if named := request.GET.get("itemset", "")[:LONGEST_ITEMSET]:
        try:
            apart = pattern_table(whole, _named_items(named, found.version.to_design()), labels)
        except PrivacyError as refusal:
            problem = sentences(refusal)
    context = {
        "run": page,
        "lines": [
            _line(row, labels, share, why.get(items))
            for row, items, share in zip(listed, itemsets, within, strict=True)
        ],
        "apart": apart,
        "more": max(0, rows.count() - ROWS_PER_PAGE),
        "expression": text,
        "answer": answer,
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


def combined_or_why(rows: Rows, itemsets: Sequence[Columns]) -> list[Combined | str]:
    """Return the combined estimate of each itemset, or why it is not offered.

    A run stores its estimates; one that is older than they are for every itemset has them from here.
    """
    counts = rows.count_cache.need(combined_terms(itemsets, rows.design))
    return [
        str(_WHY_NOT[found.code]) if isinstance(found, PrivacyError) else found
        for found in combined_many(counts, itemsets, rows.design)
    ]


def _line(
    row: ItemsetInference, labels: Labels, within: float, likely: Combined | str | None
) -> EstimatorLine:
    itemset = row.itemset
    pooled = combined = None
    if itemset.pooled is not None and itemset.pooled_se is not None:
        pooled = normal_figure(itemset.pooled, itemset.pooled_se)
    if row.combined is not None:
        combined = share_figure(row.combined, row.combined_low, row.combined_high)
    elif isinstance(likely, Combined):
        combined = share_figure(likely.value, likely.low, likely.high)
    return EstimatorLine(
        items=labels.short(unpack_items(itemset.items)),
        packed=",".join(labels.items[item].key for item in unpack_items(itemset.items)),
        within=number(within),
        stratified=share_figure(itemset.support, itemset.support_low, itemset.support_high),
        pooled=pooled,
        combined=combined,
        not_combined=likely if isinstance(likely, str) else "",
        groups_p_value=number(row.groups_p_value, 4),
        consistent=number(row.consistent),
        closed=row.closed,
        maximal=row.maximal,
    )


def _answer(found: ExpressionEstimate) -> ExpressionLine:
    interval = found.interval
    low, high = (interval.low, interval.high) if interval and interval.estimable else (None, None)
    if interval is None:
        wide = NORMAL * found.estimate.standard_error
        low, high = found.estimate.value - wide, found.estimate.value + wide
    return ExpressionLine(
        text=found.text,
        figure=share_figure(found.estimate.value, low, high),
        standard_error=number(found.estimate.standard_error, 4),
        n=shown_count(found.estimate.n),
    )
