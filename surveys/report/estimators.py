"""The page of a run that sets estimators side by side, and answers expressions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from privacy.disguise.design import Design
from privacy.errors import PrivacyError
from privacy.reconstruct import Columns
from surveys.core_refusals import sentences
from surveys.models import ItemsetInference, Run
from surveys.permissions import staff_page
from surveys.report.apart import consistent_supports, taken_apart
from surveys.report.disclosure import shown_count
from surveys.report.estimating import ExpressionEstimate, expression_of_run
from surveys.report.figures import NORMAL, Figure, normal_figure, number, share_figure
from surveys.report.labels import Labels, unpack_items
from surveys.report.opened import OpenedRun, results_page
from surveys.report.practice import rows_of_run

ROWS_PER_PAGE: Final = 60
LONGEST_EXPRESSION: Final = 500
LONGEST_ITEMSET: Final = 1_000


@dataclass(frozen=True, kw_only=True)
class EstimatorLine:
    """One itemset by every estimator, ready to print."""

    items: str
    packed: str
    stratified: Figure
    within: str
    pooled: Figure | None
    combined: Figure | None
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
    within = consistent_supports(whole, [unpack_items(row.itemset.items) for row in listed])
    apart = None
    if named := request.GET.get("itemset", "")[:LONGEST_ITEMSET]:
        try:
            apart = taken_apart(whole, _named_items(named, found.version.to_design()), labels)
        except PrivacyError as refusal:
            problem = sentences(refusal)
    context = {
        "run": page,
        "lines": [
            _line(row, labels, share, groups=page.shown.groups)
            for row, share in zip(listed, within, strict=True)
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


def _line(row: ItemsetInference, labels: Labels, within: float, *, groups: bool) -> EstimatorLine:
    itemset = row.itemset
    pooled = combined = None
    if groups and itemset.pooled is not None and itemset.pooled_se is not None:
        pooled = normal_figure(itemset.pooled, itemset.pooled_se)
    if groups and row.combined is not None:
        combined = share_figure(row.combined, row.combined_low, row.combined_high)
    return EstimatorLine(
        items=labels.short(unpack_items(itemset.items)),
        packed=",".join(labels.items[item].key for item in unpack_items(itemset.items)),
        within=number(within),
        stratified=share_figure(itemset.support, itemset.support_low, itemset.support_high),
        pooled=pooled,
        combined=combined,
        groups_p_value=number(row.groups_p_value, 4) if groups else "",
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
        n=shown_count(found.estimate.n, rounded=found.shown.rounded),
    )
