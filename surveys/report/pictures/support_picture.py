"""The picture that compares the pooled with the stratified estimate of supports."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.utils.safestring import SafeString

from surveys.charts import comparison
from surveys.models import ItemsetRow, Run
from surveys.questionnaire.labels import Labels, unpack_items

MOST_COMPARED: Final = 8


@dataclass(frozen=True, kw_only=True)
class SupportPicture:
    """Naive against robust as a picture, and the same figures as a table."""

    drawing: SafeString
    rows: tuple[comparison.Row, ...]


def support_picture(run: Run, labels: Labels) -> SupportPicture | None:
    """Draw naive against robust; None without two groups that are releasable apart."""
    rows = compared_itemsets(run, labels)
    if not rows:
        return None
    return SupportPicture(drawing=comparison.comparison_svg(rows), rows=tuple(rows))


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
