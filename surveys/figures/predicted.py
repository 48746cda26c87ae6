"""Itemsets of a run that are predicted from shares and pairs, stored in its summary beside its figures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from mining.borrowed import borrowed_itemsets
from mining.columns.count_cache import CountCache
from mining.thresholds import Thresholds
from privacy.policy import LEAST_COMPLETE_ROWS
from surveys.models import Run
from surveys.questionnaire.labels import Labels

__all__ = ["MOST_STORED", "Predicted", "predicted_of", "predicted_records", "predicted_summary"]

MOST_STORED: Final = 200
"""Predicted itemsets that a run keeps: those with the largest predicted support."""


@dataclass(frozen=True, kw_only=True)
class Predicted:
    """One predicted itemset.

    Attributes
    ----------
    items : tuple of int
    support : float
    low, high : float or None
        None where three items or more were completed.
    asked : int
        Answers of those asked everything.
    basis : {"shrunk", "pooled", "completed"}
    """

    items: tuple[int, ...]
    support: float
    low: float | None
    high: float | None
    asked: int
    basis: str


def predicted_summary(count_cache: CountCache, thresholds: Thresholds) -> list[list[Any]]:
    """Predict the itemsets of a run for its summary, the most frequent first; none unless questions rotate.

    Parameters
    ----------
    count_cache : CountCache
        Of its rows.
    thresholds : Thresholds
    """
    if not count_cache.matrix.design.rotates:
        return []
    found = borrowed_itemsets(count_cache, least=thresholds.support, size=thresholds.max_size)
    if found is None:
        return []
    # A pair that many were asked has a figure of its own, which is better than one from other pairs alone.
    alone = (np.array(found.basis) != "pooled") | (found.asked < LEAST_COMPLETE_ROWS)
    order = np.argsort(-found.value, kind="stable")
    order = order[alone[order]][:MOST_STORED]
    return [
        [
            list(found.itemsets[at]),
            float(found.value[at]),
            None if np.isnan(found.low[at]) else float(found.low[at]),
            None if np.isnan(found.high[at]) else float(found.high[at]),
            int(found.asked[at]),
            found.basis[at],
        ]
        for at in order.tolist()
    ]


def predicted_of(run: Run) -> list[Predicted]:
    """Return what a run predicted; nothing in runs whose design leaves nothing to borrow from."""
    return [
        Predicted(items=tuple(items), support=support, low=low, high=high, asked=asked, basis=basis)
        for items, support, low, high, asked, basis in run.summary.get("predicted", ())
    ]


def predicted_records(run: Run, labels: Labels) -> list[dict[str, Any]]:
    """Return what a run predicted, as files have it."""
    return [
        {
            "items": [labels.items[item].key for item in own.items],
            "support": own.support,
            "low": own.low,
            "high": own.high,
            "asked": own.asked,
            "basis": own.basis,
        }
        for own in predicted_of(run)
    ]
