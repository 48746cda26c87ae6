"""Rankings estimated from the rows behind a run."""

from __future__ import annotations

from typing import Final

from mining.open_crosses import disguised_rows
from privacy.estimation.rankings import RankingEstimate, estimate_ranking, ranking_terms
from surveys.errors.error import SurveyError
from surveys.models import Run
from surveys.policy import LEAST_PROTECTED
from surveys.rows.disclosure import rounded_count
from surveys.rows.releasable_rows import rows_behind
from surveys.rows.snapshot import once_per_snapshot

__all__ = ["ranking_of_run"]

MOST_CACHED: Final = 64
"""Figures of so many questions stay in memory, a few kilobytes each."""


@once_per_snapshot(MOST_CACHED)
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
    rows = rows_behind(run)
    design = rows.design
    orders = [(item.index,) for item in design.items if item.question == question]
    terms = ranking_terms(question, design)
    counts = rows.count_cache.need(terms)
    if not rows.shown.results or len(rows.releasable(orders)) < len(orders):
        n = rounded_count(disguised_rows(design, *counts[terms[0]]))
        key = design.questions[question].key
        raise SurveyError("too_few.question", n, question=key, least=LEAST_PROTECTED)
    return estimate_ranking(counts, question, design)
