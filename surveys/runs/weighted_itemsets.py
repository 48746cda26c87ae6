"""Weight a run to known margins."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from privacy.estimation.counts import Columns
from privacy.estimation.design_index import asked_columns
from privacy.estimation.margin_cells import Weighted, reweight, weighting_terms
from privacy.estimation.margins import JOIN, Margin
from surveys.errors.error import SurveyError
from surveys.formats.figures import SHARES, file_columns
from surveys.questionnaire.labels import Labels
from surveys.runs.releasable_rows import ReleasableRows


@dataclass(frozen=True, kw_only=True)
class WeightedItemset:
    """An itemset's weighted support; None if too few rows are in a cell or share some open answers.

    `lifting` is the number of forged rows that show its cross with the margins, if anyone can send them.
    """

    items: Columns
    estimate: Weighted | None
    lifting: int | None = None


def weighted_itemsets(
    rows: ReleasableRows, itemsets: Iterable[Columns], margins: Sequence[Margin]
) -> tuple[WeightedItemset, ...]:
    """Weight supports to margins.

    Raises
    ------
    PrivacyError
        As `privacy.estimation.margin_cells.reweight`.
    SurveyError
        ``small_cell``: a cell of the margins has too few rows for a result of its own.
    """
    _check_cells(rows, margins)
    lines = []
    for items in itemsets:
        if not rows.withheld.permits(rows.design.items[item].question for item in items):
            continue
        if not rows.asked_enough(asked_columns(items, rows.design)):
            continue
        counts = rows.count_cache.need(weighting_terms(items, margins, rows.design))
        estimate = reweight(counts, items, margins, rows.design, forged=rows.withheld.rows)
        is_large = estimate.least_protected >= rows.disclosure.least_protected and _has_large_crosses(
            rows, items, margins
        )
        lines.append(WeightedItemset(items=items, estimate=estimate if is_large else None))
    return tuple(lines)


def weight_records(itemsets: Iterable[WeightedItemset], labels: Labels) -> list[dict[str, Any]]:
    """Return records of plain numbers for exported files, without itemsets in cells that are too small."""
    return [
        {
            "items": labels.keys(itemset.items),
            "raw": itemset.estimate.unweighted.value,
            "raw_standard_error": itemset.estimate.unweighted.standard_error,
            "raw_low": itemset.estimate.interval.low,
            "raw_high": itemset.estimate.interval.high,
            **file_columns("weighted", itemset.estimate.value, _ends(itemset.estimate), SHARES),
            "weighted_low": itemset.estimate.low,
            "weighted_high": itemset.estimate.high,
            "level": 0.95,
            "weighted_standard_error": itemset.estimate.standard_error,
            "weighted_shift": itemset.estimate.shift,
            "design_effect": itemset.estimate.design_effect,
            "effective_n": itemset.estimate.effective_n,
            "n": itemset.estimate.n,
            "n_used": itemset.estimate.n_used,
        }
        for itemset in itemsets
        if itemset.estimate is not None
    ]


def _ends(estimate: Weighted) -> tuple[float | None, float | None]:
    return (estimate.low, estimate.high) if estimate.estimable else (None, None)


def _has_large_crosses(rows: ReleasableRows, items: Columns, margins: Sequence[Margin]) -> bool:
    """Whether enough people give each combination of answers to the questions of an itemset and of margins.

    Weighted supports are linear in the margins, so they reveal each cell.
    """
    questions = {margin.question for margin in margins}
    beside = (item.index for item in rows.design.items if item.question in questions)
    return rows.has_large_crosses(tuple(sorted({*items, *beside})))


def _check_cells(rows: ReleasableRows, margins: Sequence[Margin]) -> None:
    """Refuse margins before all rows have arrived, or with a cell that is too small if all are counted."""
    if not rows.disclosure.open_floor.crosses:
        raise rows.small_cross()
    # The empty itemset has support 1 in each cell, so this gives only the number of rows.
    whole = reweight(
        rows.count_cache.need(weighting_terms((), margins, rows.design)), (), margins, rows.design
    )
    if whole.least_protected < rows.disclosure.least_protected:
        raise SurveyError(
            "small_cell", rows.disclosure.least_protected, least=rows.disclosure.least_protected, join=JOIN
        )
