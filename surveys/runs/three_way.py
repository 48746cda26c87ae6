"""The test of three items of a run: whether completed itemsets leave something out."""

from __future__ import annotations

from typing import Any

from mining.three_way import three_way
from privacy.policy import SIGNIFICANCE_LEVEL
from surveys.models import Run
from surveys.runs.ledger import floor_of, is_of_the_ledger
from surveys.runs.p_values import methods_in_files, three_way_p_value
from surveys.runs.releasable_rows import ReleasableRows


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
