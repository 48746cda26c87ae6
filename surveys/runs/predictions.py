"""Predicted supports of itemsets, as a run stores and shows them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

from mining.forged_predictions import prediction_shifts
from mining.predicted_itemsets import LEVEL_OF_PREDICTIONS, BorrowedItemset, borrowed_itemsets
from mining.thresholds import Thresholds
from privacy.estimation.counts import Columns
from privacy.printed import Origin
from surveys.models import Run
from surveys.questionnaire.labels import Labels
from surveys.questionnaire.packed_items import unpack_items
from surveys.runs.ledger import floor_of, is_of_the_ledger
from surveys.runs.releasable_rows import ReleasableRows
from surveys.runs.run_figures import origin_of
from surveys.runs.withheld import withheld_of

PREDICTION_METHOD: Final = 2
"""Number that runs store with their predictions. Those without it have upper ends that follow from slopes,
which held for as few as 56 of 100 pairs if an answer was rare."""
_RARE: Final = 1 / 8

MOST_STORED: Final = 200
"""Most predicted itemsets that a run stores, by largest predicted support."""


@dataclass(frozen=True, kw_only=True)
class Prediction(BorrowedItemset):
    """One predicted itemset of a run; not estimable if an earlier version stored it without an interval.

    Attributes
    ----------
    rare : bool
        Whether the run is older than `PREDICTION_METHOD` and the share of an item is below `_RARE` or
        unknown: such upper ends are too low.
    """

    rare: bool


def predicted_summary(rows: ReleasableRows, thresholds: Thresholds) -> list[dict[str, Any]]:
    """Predict itemsets for a run's summary, the most frequent first; return none unless questions rotate.

    Parameters
    ----------
    rows : ReleasableRows
        The run's rows.
    thresholds : Thresholds
    """
    if not rows.design.rotates:
        return []
    found = borrowed_itemsets(rows.count_cache, least=thresholds.support, size=thresholds.max_size)
    stored = list(
        islice(
            (own for own in sorted(found, key=lambda own: -own.value) if rows.has_large_crosses(own.items)),
            MOST_STORED,
        )
    )
    forged, shifts = rows.withheld.rows, dict[Columns, float]()
    if forged:
        shifts = prediction_shifts(rows.count_cache, [own.items for own in stored], forged=forged)
    return [
        {
            "items": list(own.items),
            "support": own.value,
            "low": None if math.isnan(own.low) else own.low,
            "high": None if math.isnan(own.high) else own.high,
            "asked": own.n,
            "effective_n": own.effective_n,
            "basis": own.method,
        }
        | ({"shift": shifts.get(own.items)} if forged else {})
        for own in stored
    ]


def predicted_of(run: Run) -> list[Prediction]:
    """Return the predictions that a run stored."""
    records = _labelled(run)
    return [_prediction(record, run, origin_of(run)) for record in records] if records else []


def _prediction(record: dict[str, Any], run: Run, origin: Origin) -> Prediction:
    has_interval = record["low"] is not None
    return Prediction(
        items=tuple(record["items"]),
        value=record["support"],
        low=record["low"] if has_interval else 0.0,
        high=record["high"] if has_interval else 1.0,
        standard_error=None,
        estimable=has_interval,
        n=record["asked"],
        effective_n=record["effective_n"],
        level=0.95,
        possible=(0.0, 1.0),
        method=record["basis"],
        shift=record.get("shift") if withheld_of(run) else 0.0,
        origin=origin,
        rare=record["rare"],
    )


def _labelled(run: Run) -> list[dict[str, Any]]:
    """Return the records of predictions; those of older runs with rare answers are labelled.

    The label and the effective n follow from the run's stored shares, so runs that finished before these
    existed have them, too. The effective n is NaN if a run stored no share of an item.
    """
    records = _predicted(run)
    if not records:
        return []
    is_newest = run.summary.get("prediction_method") == PREDICTION_METHOD
    if is_newest and all("effective_n" in record for record in records):
        return [record | {"rare": False} for record in records]
    unlisted = (
        (share["items"], share["support"], share["n"])
        for share in (run.summary["results"] or {}).get("unlisted", ())
    )
    listed = run.itemsets.filter(size=1).values_list("items", "support", "n")
    shares = {unpack_items(items)[0]: (share, n) for items, share, n in (*listed, *unlisted)}

    def label(record: dict[str, Any]) -> dict[str, Any]:
        found = [shares.get(item, (math.nan, math.nan)) for item in record["items"]]
        is_common = all(share >= _RARE for share, _n in found)
        asked_one = math.nan if any(math.isnan(n) for _share, n in found) else min(n for _share, n in found)
        return {"effective_n": float(asked_one)} | record | {"rare": not (is_newest or is_common)}

    return [label(record) for record in records]


def _predicted(run: Run) -> list[dict[str, Any]]:
    """Return the stored predictions that may be shown: a run from before the ledger stored others, too."""
    records = run.summary.get("predicted", ())
    if not records or is_of_the_ledger(run):
        return list(records)
    floor = floor_of(run)
    return [record for record in records if floor.may_name(run.design, record["items"])]


def predicted_records(run: Run, labels: Labels) -> list[dict[str, Any]]:
    """Return the predictions of a run as records for exported files."""
    origin = origin_of(run)
    return [
        record
        | {
            "items": [labels.items[item].key for item in own.items],
            "support": own.value if own.basis == "estimate" else None,
            "unclipped": own.value,
            "n": own.n,
            "effective_n": None if math.isnan(own.effective_n) else own.effective_n,
            "level": own.level,
            "predicted_holds": LEVEL_OF_PREDICTIONS,
        }
        for record in _labelled(run)
        for own in [_prediction(record, run, origin)]
    ]
