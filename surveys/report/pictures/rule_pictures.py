"""From stored rows to pictures: which rules are drawn, in which panel, under which name."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from surveys.charts import comparison, scatter
from surveys.figures.rule_query import RuleQuery, rules_matching
from surveys.figures.rules import rules_by_key, true_measures
from surveys.models import ItemsetRow, RuleRow, Run
from surveys.questionnaire.labels import Labels, unpack_items

MOST_RULES: Final = 45
MOST_PANELS: Final = 4
MOST_COMPARED: Final = 8


@dataclass(frozen=True, kw_only=True)
class RulePictures:
    """The panels of the support-confidence picture, and the same rules as a table.

    `has_base` says whether a dashed line, the share of everybody, is drawn in any panel.
    """

    panels: tuple[SafeString, ...]
    rows: tuple[RuleRow, ...]
    has_base: bool


@dataclass(frozen=True, kw_only=True)
class SupportPicture:
    """Naive against robust as a picture, and the same figures as a table."""

    drawing: SafeString
    rows: tuple[comparison.Row, ...]


def rule_pictures(run: Run, query: RuleQuery, labels: Labels) -> RulePictures:
    """Draw the first rules that a query asks for."""
    rows = drawn_rules(run, query)
    panels = panels_of(rows, run, labels)
    return RulePictures(
        panels=tuple(scatter.panel_svg(panel) for panel in panels),
        has_base=any(panel.has_base for panel in panels),
        rows=tuple(rows),
    )


def support_pictures(run: Run, labels: Labels) -> SupportPicture | None:
    """Draw naive against robust; None without two groups that are releasable apart."""
    rows = compared_itemsets(run, labels)
    if not rows:
        return None
    return SupportPicture(drawing=comparison.comparison_svg(rows), rows=tuple(rows))


def drawn_rules(run: Run, query: RuleQuery) -> list[RuleRow]:
    """Return the rules a picture shows: the first of the query that have both measures."""
    rules = rules_matching(run, query).filter(support__isnull=False, confidence__isnull=False)
    return rules_by_key(list(rules.values_list("pk", flat=True)[:MOST_RULES]))


def panels_of(rows: Iterable[RuleRow], run: Run, labels: Labels) -> list[scatter.Panel]:
    """Return one panel per consequent, the one with most rules first; or one of all if there are many."""
    by_consequent: dict[str, list[scatter.Mark]] = {}
    everything: list[scatter.Mark] = []
    for rank, row in enumerate(rows, start=1):
        before = labels.short(unpack_items(row.antecedent))
        after = labels.short(unpack_items(row.consequent))
        by_consequent.setdefault(row.consequent, []).append(_mark(row, rank, before))
        everything.append(_mark(row, rank, f"{before} → {after}"))
    if len(by_consequent) > MOST_PANELS:
        return [scatter.Panel(title=_("several consequents"), marks=tuple(everything))]
    bases = dict(ItemsetRow.objects.filter(run=run, items__in=by_consequent).values_list("items", "support"))
    return [
        scatter.Panel(title=labels.short(unpack_items(packed)), marks=tuple(marks), base=bases.get(packed))
        for packed, marks in sorted(by_consequent.items(), key=lambda pair: -len(pair[1]))
    ]


def compared_itemsets(run: Run, labels: Labels) -> list[comparison.Row]:
    """Return the itemsets in which naive and robust estimate differ most, measured in standard errors."""
    rows = ItemsetRow.objects.filter(
        run=run, pooled__isnull=False, stratified__isnull=False, support_se__gt=0
    )
    ranked = sorted(
        rows.only("items", "pooled", "pooled_se", "stratified", "stratified_se", "truth", "support_se"),
        key=lambda row: -abs((row.pooled or 0) - (row.stratified or 0)) / row.support_se,
    )
    return [
        comparison.Row(
            label=labels.short(unpack_items(row.items)),
            naive=row.pooled or 0.0,
            naive_error=row.pooled_se or 0.0,
            robust=row.stratified or 0.0,
            robust_error=row.stratified_se or 0.0,
            truth=row.truth,
        )
        for row in ranked[:MOST_COMPARED]
    ]


def _mark(row: RuleRow, rank: int, label: str) -> scatter.Mark:
    true = true_measures(row)
    return scatter.Mark(
        rank=rank,
        label=label,
        support=row.support or 0.0,
        support_low=row.support_low,
        support_high=row.support_high,
        confidence=row.confidence or 0.0,
        confidence_low=row.confidence_low,
        confidence_high=row.confidence_high,
        truth=(true["support"], true["confidence"]) if "confidence" in true else None,
    )
