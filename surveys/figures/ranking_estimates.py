"""Rankings estimated from the rows behind a run."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from mining.itemsets import releasable_itemsets
from mining.open_crosses import disguised_rows
from privacy.estimation.rankings import RankingEstimate, estimate_ranking, ranking_terms
from surveys.errors.error import SurveyError
from surveys.models import Run
from surveys.policy import LEAST_PROTECTED
from surveys.rows.disclosure import rounded_count
from surveys.rows.releasable_rows import rows_behind

__all__ = ["ranking_of_run"]

MOST_CACHED: Final = 64
"""Figures of so many questions stay in memory, a few kilobytes each."""


def ranking_of_run(run: Run, question: int) -> RankingEstimate:
    """Estimate a ranking from the rows behind a run's figures.

    Parameters
    ----------
    run : Run
        Finished.
    question : int
        Number of a ranking in the run's design.

    Raises
    ------
    SurveyError
        ``too_few``: not enough disguised answers to it.
        The batches changed.

    Notes
    -----
    Stratified, for the population that these people come from, whatever the run's own estimator. It is made
    of the counts of single answers to one question, and told where each of these may be.
    """
    return _estimated(run.pk, run.design_id, run.snapshot_digest, question)


@lru_cache(maxsize=MOST_CACHED)
def _estimated(run_id: int, design_id: str, digest: str, question: int) -> RankingEstimate:
    """Estimate once: the digests name the rows and how they are read, and no row of them ever changes."""
    run = Run.objects.select_related("survey", "version").get(
        pk=run_id, design_id=design_id, snapshot_digest=digest
    )
    rows = rows_behind(run)
    design, cache, shown = rows.matrix.design, rows.count_cache(), rows.shown
    orders = [(item.index,) for item in design.items if item.question == question]
    releasable = releasable_itemsets(
        cache, orders, least_protected=shown.least_protected, least_cross=shown.least_cross
    )
    terms = ranking_terms(question, design)
    counts = cache.need(terms)
    if not shown.results or len(releasable) < len(orders):
        n = rounded_count(disguised_rows(design, *counts[terms[0]]))
        key = design.questions[question].key
        raise SurveyError("too_few.question", n, question=key, least=LEAST_PROTECTED)
    return estimate_ranking(counts, question, design)
