"""What both groups say together about the itemsets of a run, where there are two groups to compare."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from mining.pipeline import MiningResult
from mining.tally import Tally
from privacy.errors import ParameterError
from privacy.reconstruct import Columns, SupportCounts, pattern_terms, terms
from privacy.reconstruct.agreement import Agreement, groups_agree
from privacy.reconstruct.combined import Combined, combined

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
    figures = {}
    for place, items in enumerate(shown):
        counts = tally.need((*terms(items, design), *pattern_terms(items, design)))
        try:
            agreement = groups_agree(counts, items, design)
        except ParameterError:
            # p = 0: the protected group says nothing of its own.
            continue
        figures[items] = GroupFigures(
            agreement=agreement,
            combined=_combined(counts, items, result) if place < MOST_COMBINED else None,
        )
    return figures


def _combined(counts: SupportCounts, items: Columns, result: MiningResult) -> Combined | None:
    try:
        return combined(counts, items, result.design)
    except ParameterError:
        # Too few rows for the normal law: the stratified estimate stands alone.
        return None
