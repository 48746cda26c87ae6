"""Predicted supports of itemsets, as a run stores and shows them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

from mining.forged_predictions import prediction_shifts
from mining.predicted_itemsets import LEVEL_OF_PREDICTIONS, BorrowedItemset, borrowed_itemsets
from mining.three_way import three_way
from mining.thresholds import Thresholds
from privacy.estimation.counts import Columns
from privacy.policy import SIGNIFICANCE_LEVEL
from privacy.printed import Origin
from surveys.models import Run
from surveys.questionnaire.labels import Labels
from surveys.questionnaire.packed_items import unpack_items
from surveys.runs.ledger import floor_of, is_of_the_ledger
from surveys.runs.p_values import methods_in_files, three_way_p_value
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
        effective_n=float(run.n or 0),
        level=0.95,
        possible=(0.0, 1.0),
        method=record["basis"],
        shift=record.get("shift") if withheld_of(run) else 0.0,
        origin=origin,
        rare=record["rare"],
    )


def _labelled(run: Run) -> list[dict[str, Any]]:
    """Return the records of predictions; those of older runs with rare answers are labelled.

    The label follows from the run's stored shares, so runs that finished before it existed have it, too.
    """
    records = _predicted(run)
    if not records:
        return []
    if run.summary.get("prediction_method") == PREDICTION_METHOD:
        return [record | {"rare": False} for record in records]
    unlisted = (
        (prediction["items"], prediction["support"])
        for prediction in (run.summary["results"] or {}).get("unlisted", ())
    )
    listed = run.itemsets.filter(size=1).values_list("items", "support")
    common = {item for items, share in (*listed, *unlisted) if share >= _RARE for item in unpack_items(items)}
    return [record | {"rare": not common.issuperset(record["items"])} for record in records]


def _predicted(run: Run) -> list[dict[str, Any]]:
    """Return the stored predictions that may be shown: a run from before the ledger stored others, too."""
    records = run.summary.get("predicted", ())
    if not records or is_of_the_ledger(run):
        return list(records)
    floor = floor_of(run)
    return [record for record in records if floor.may_name(run.design, record["items"])]


def three_way_summary(rows: ReleasableRows) -> dict[str, Any] | None:
    """Test the assumption behind completed itemsets; return None if nothing is predicted.

    The assumption is that three answers go together only as their pairs do. The record has the mean excess of
    people with all three over the prediction, with its interval and p-value (None if no one was asked three),
    the number of triples that enough people were asked, and each triple that differs after Holm's correction,
    with its excess and interval.
    """
    tests = three_way(rows.count_cache) if rows.design.rotates else None
    if tests is None:
        return None
    mean = tests.mean
    return {
        "excess": mean and mean.value,
        "excess_low": mean and mean.low,
        "excess_high": mean and mean.high,
        "n": mean and mean.n,
        "level": mean and mean.level,
        "p_value": mean and tests.p_value,
        "tested": len(tests.tested),
        "found": [
            [list(items), excess.value, excess.low, excess.high]
            for items, (excess, p_value) in tests.tested.items()
            if p_value < SIGNIFICANCE_LEVEL and rows.has_large_crosses(items)
        ],
    }


def three_way_of(run: Run) -> dict[str, Any] | None:
    """Return what `three_way_summary` stored, without triples that may not be shown.

    Earlier versions stored no intervals; their ends are None.
    """
    stored: dict[str, Any] | None = run.summary.get("three_way")
    if stored is None:
        return None
    no_ends = dict.fromkeys(("excess_low", "excess_high", "n", "level"))
    found = [(*triple, None, None)[:4] for triple in stored["found"]]
    record: dict[str, Any] = no_ends | stored | {"found": found}
    record["p_values"] = methods_in_files({"p_value": three_way_p_value(record, run)})
    if is_of_the_ledger(run):
        return record
    floor = floor_of(run)
    return record | {
        "found": [prediction for prediction in record["found"] if floor.may_name(run.design, prediction[0])]
    }


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
            "effective_n": own.effective_n,
            "level": own.level,
            "predicted_holds": LEVEL_OF_PREDICTIONS,
        }
        for record in _labelled(run)
        for own in [_prediction(record, run, origin)]
    ]
