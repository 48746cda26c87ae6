"""Shares of the answers that everybody knows: how people answer a run's anchors."""

from __future__ import annotations

from dataclasses import dataclass

from mining.itemsets import estimate_itemsets
from privacy.estimation.measures import Measured
from privacy.survey.question import Anchor
from surveys.models import Run
from surveys.rows.releasable_rows import rows_behind
from surveys.rows.snapshot import once_per_snapshot

__all__ = ["AnchorShare", "anchor_shares"]


@dataclass(frozen=True, kw_only=True)
class AnchorShare:
    """The share of "yes" to an anchor, by its item, with its interval; it should be 0 or 1."""

    item: int
    true_of: Anchor
    share: Measured


@once_per_snapshot(32)
def anchor_shares(run: Run) -> tuple[AnchorShare, ...]:
    """Return the share of "yes" to each anchor of a run, of those that may be published.

    Raises
    ------
    SurveyError
        ``snapshot``: its rows are gone.
    """
    if not any(question.anchor for question in run.version.to_design().questions):
        return ()
    rows = rows_behind(run)
    if not rows.shown.results:
        return ()
    design = rows.design
    true_of = {
        item.index: anchor for item in design.items if (anchor := design.questions[item.question].anchor)
    }
    itemsets = rows.releasable([(item,) for item in true_of])
    thresholds = run.thresholds
    table = estimate_itemsets(
        rows.count_cache, design, itemsets, estimator=thresholds.estimator, target=thresholds.target
    )
    return tuple(
        AnchorShare(item=itemset.items[0], true_of=true_of[itemset.items[0]], share=itemset.interval)
        for itemset in table
    )
