"""Figures of both groups together for the itemsets of a run, where there are two groups."""

from __future__ import annotations

from dataclasses import dataclass

from mining.columns.count_cache import CountCache
from mining.pipeline import MiningResult
from mining.progress import ProgressListener, chunks, ignore_progress
from privacy.errors import PrivacyError
from privacy.estimation import Columns, required_counts
from privacy.estimation.design_index import index_of
from privacy.estimation.maximum_likelihood import (
    LikelihoodEstimate,
    maximum_likelihood,
    maximum_likelihood_terms,
)
from privacy.estimation.stratum_homogeneity import HomogeneityTest, stratum_homogeneity_test

__all__ = ["GroupFigures", "group_figures"]

_AT_A_TIME = 512
"""Itemsets between two reports of progress: about half a second."""


@dataclass(frozen=True, kw_only=True)
class GroupFigures:
    """Stratum homogeneity test and maximum-likelihood estimate; None where there is none."""

    agreement: HomogeneityTest
    combined: LikelihoodEstimate | None


def group_figures(
    result: MiningResult,
    count_cache: CountCache,
    *,
    least_direct: int,
    progress: ProgressListener = ignore_progress,
) -> dict[Columns, GroupFigures]:
    """Compare the groups, and estimate from both, for every listed itemset that both contain.

    Parameters
    ----------
    result : MiningResult
    count_cache : CountCache
        Of the same rows; counts what is still missing.
    least_direct : int
        Direct rows from which on the groups of an itemset may be told apart.
    progress : callable
    """
    design = result.design
    index = index_of(design)
    shown = [
        itemset.items
        for itemset in result.itemsets
        if itemset.estimate.n_direct >= least_direct
        and itemset.estimate.n_protected
        # p = 0: the protected group says nothing of its own.
        and all(index.truth[1, block] for block in index.split_by_block(itemset.items).blocks)
    ]
    counts = count_cache.need((*required_counts(shown, design), *maximum_likelihood_terms(shown, design)))
    figures: dict[Columns, GroupFigures] = {}
    for some in chunks(shown, stage="groups", progress=progress, size=_AT_A_TIME):
        both = zip(
            stratum_homogeneity_test(counts, some, design),
            maximum_likelihood(counts, some, design),
            strict=True,
        )
        for items, (agreement, likely) in zip(some, both, strict=True):
            # Too few rows for the normal law: the stratified estimate stands alone.
            offered = None if isinstance(likely, PrivacyError) else likely
            figures[items] = GroupFigures(agreement=agreement, combined=offered)
    return figures
