"""From a mining result to rows of the database."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from mining.pipeline import MiningResult
from privacy.arrays import Array
from privacy.estimation import Columns, Estimates, MeasuredArray, SupportCounts, estimates
from privacy.estimation.equations import MEASURES
from privacy.policy import FEW_ROWS
from surveys.models import ItemsetRow, RuleRow, Run
from surveys.questionnaire.labels import pack_items
from surveys.runs.insert import columns_insert, or_null

EXPECTED_ERROR: Final = math.sqrt(2 / math.pi)
"""Mean of |X| in standard errors where X is normal with mean 0: the expected W."""


def result_store(
    run: Run,
    *,
    result: MiningResult,
    n_direct: int,
    least_direct: int,
    truth: Mapping[Columns, float],
    duration_seconds: float,
    code_version: str,
    summary: dict[str, object],
) -> None:
    """Store a result; the caller's transaction decides whether it happened.

    Parameters
    ----------
    run : Run
    result : MiningResult
    n_direct : int
        Rows whose group is the direct one, also where they count as the others do.
    least_direct : int
        Direct answers, of those asked everything in an itemset, from which on the groups may be told apart.
        Below, what tells them apart is not even stored.
    truth : mapping of Columns to float
        True supports, where they are known.
    duration_seconds : float
    code_version : str
    summary : dict
    """
    run.engine = result.engine
    run.n = result.n
    run.n_direct, run.n_protected = n_direct, result.n - n_direct
    run.duration_seconds, run.code_version, run.summary = duration_seconds, code_version, summary
    run.save(
        update_fields=[
            "engine", "n", "n_direct", "n_protected", "duration_seconds", "code_version", "summary",
        ]
    )  # fmt: skip
    columns_insert(ItemsetRow, _itemset_columns(run, result, least_direct, truth))
    columns_insert(RuleRow, _rule_columns(run, result, truth))


def _itemset_columns(
    run: Run, result: MiningResult, least_direct: int, truth: Mapping[Columns, float]
) -> dict[str, Sequence[object]]:
    table = result.itemsets
    supports, interval, size = table.estimates, table.interval, len(table)
    error = _error_of(supports, result)
    true = [truth.get(items) for items in table.itemsets]
    matching = supports.observed_share * supports.n
    return {
        "run_id": [run.pk] * size,
        "items": [pack_items(items) for items in table.itemsets],
        "size": [len(items) for items in table.itemsets],
        "n": supports.n.tolist(),
        "support": supports.value.tolist(),
        "support_se": error.tolist(),
        "support_low": or_null(interval.low, interval.estimable),
        "support_high": or_null(interval.high, interval.estimable),
        "few_rows": (np.minimum(matching, supports.n - matching) < FEW_ROWS).tolist(),
        "truth": true,
        "error": _errors(supports.value, error, true),
        **_groups(result, least_direct),
    }


def _errors(values: Array, errors: Array, true: Sequence[float | None]) -> list[float | None]:
    """Distance from the truth where it is known, else what it is on average."""
    expected = or_null(EXPECTED_ERROR * errors)
    return [
        abs(value - share) if share is not None else otherwise
        for value, share, otherwise in zip(values.tolist(), true, expected, strict=True)
    ]


def _groups(result: MiningResult, least_direct: int) -> dict[str, list[float | None]]:
    """Estimate by both estimators, and from each group alone, where both groups are large enough to show."""
    supports, size = result.itemsets.estimates, len(result.itemsets)
    places = np.flatnonzero((supports.n_direct >= least_direct) & (supports.n_protected > 0)).tolist()
    shown = [result.itemsets.itemsets[index] for index in places]
    requests = list(result.counts)
    table = result.counts.table(requests)
    direct, protected = (
        SupportCounts.from_array(requests, table * np.array(group), all_rows=result.counts.all_rows)
        for group in ((1, 0), (0, 1))
    )
    tables = {
        "stratified": estimates(result.counts, shown, result.design, estimator="stratified"),
        "pooled": estimates(result.counts, shown, result.design, estimator="pooled"),
        "direct": estimates(direct, shown, result.design),
        "protected": estimates(protected, shown, result.design),
    }
    columns: dict[str, list[float | None]] = {}
    for name, own in tables.items():
        for end, values in (("", own.value), ("_se", _error_of(own, result))):
            column: list[float | None] = [None] * size
            for index, value in zip(places, or_null(values), strict=True):
                column[index] = value
            columns[name + end] = column
    return columns


def _rule_columns(
    run: Run, result: MiningResult, truth: Mapping[Columns, float]
) -> dict[str, Sequence[object]]:
    sides, measures = result.rules.sides, result.rules.measures
    true = (
        [truth.get(tuple(sorted(before + after))) for before, after in sides]
        if truth
        else [None] * len(sides)
    )
    columns: dict[str, Sequence[object]] = {
        "run_id": [run.pk] * len(sides),
        "antecedent": [pack_items(before) for before, _ in sides],
        "consequent": [pack_items(after) for _, after in sides],
        "antecedent_size": [len(before) for before, _ in sides],
        "consequent_size": [len(after) for _, after in sides],
        "n": measures.n.tolist(),
        "few_rows": measures.few_rows.tolist(),
        "truth": true,
        "truth_antecedent": [truth.get(before) for before, _ in sides],
        "truth_consequent": [truth.get(after) for _, after in sides],
        "error": _errors(measures.support.value, measures.support.standard_error, true),
    }
    for name in MEASURES:
        measured: MeasuredArray = getattr(measures, name)
        # A measure without an interval is not estimable.
        columns |= {
            name: or_null(measured.value),
            f"{name}_low": or_null(measured.low, measured.estimable),
            f"{name}_high": or_null(measured.high, measured.estimable),
            f"{name}_se": or_null(measured.standard_error),
        }
    return columns


def _error_of(supports: Estimates, result: MiningResult) -> Array:
    if result.thresholds.target == "respondents":
        return supports.standard_error_respondents
    return supports.standard_error
