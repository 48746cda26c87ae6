"""What both groups say together about the itemsets of a run, where there are two groups to compare."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from mining.pipeline import MiningResult
from mining.tally import Tally
from privacy.disguise.design import Design
from privacy.errors import ParameterError
from privacy.reconstruct import Columns, SupportCounts, all_terms, pattern_terms
from privacy.reconstruct.agreement import Agreement, groups_agree_many
from privacy.reconstruct.combined import Combined, combined
from privacy.reconstruct.cut import cutter_of

__all__ = ["MOST_COMBINED", "MOST_COMPARED", "GroupFigures", "group_figures"]

MOST_COMPARED: Final = 200
MOST_COMBINED: Final = 12
"""The first itemsets only, the shortest ones: a combined interval takes up to a tenth of a second."""


@dataclass(frozen=True, kw_only=True)
class GroupFigures:
    """The test of P0 = P1, and the combined estimate where it is offered."""

    agreement: Agreement
    combined: Combined | None


def group_figures(result: MiningResult, tally: Tally, *, least_direct: int) -> dict[Columns, GroupFigures]:
    """Compare and combine the groups for the first listed itemsets.

    Parameters
    ----------
    result : MiningResult
    tally : Tally
        Of the same rows; counts what is still missing.
    least_direct : int
        Direct rows from which on the groups of an itemset may be told apart.
    """
    design = result.design
    shown = [
        itemset.items
        for itemset in result.itemsets
        if itemset.estimate.n_direct >= least_direct and itemset.estimate.n_protected
    ][:MOST_COMPARED]
    cutter = cutter_of(design)
    # p = 0: the protected group says nothing of its own.
    shown = [items for items in shown if all(cutter.truth[block] for block in cutter.cut(items).blocks)]
    counts = tally.need((*all_terms(shown, design), *_patterns_of(shown[:MOST_COMBINED], design)))
    return {
        items: GroupFigures(
            agreement=agreement,
            combined=_combined(counts, items, result) if place < MOST_COMBINED else None,
        )
        for place, (items, agreement) in enumerate(
            zip(shown, groups_agree_many(counts, shown, design), strict=True)
        )
    }


def _patterns_of(itemsets: Iterable[Columns], design: Design) -> Iterator[Columns]:
    for items in itemsets:
        yield from pattern_terms(items, design)


def _combined(counts: SupportCounts, items: Columns, result: MiningResult) -> Combined | None:
    try:
        return combined(counts, items, result.design)
    except ParameterError:
        # Too few rows for the normal law: the stratified estimate stands alone.
        return None
