"""Store the result of a run: itemsets, rules and their tests, as rows or as counts."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Final

from mining.inference import Inference
from mining.itemset_table import ItemsetTable
from mining.itemsets import listed_supports
from privacy.estimation.counts import Columns
from privacy.estimation.homogeneity import HomogeneityTest
from surveys.models import ItemsetInference, ItemsetRow, RuleInference, RuleRow, Run, RunCounts
from surveys.questionnaire.packed_items import pack_items
from surveys.runs.bulk_insert import columns_insert
from surveys.runs.counted_result import COUNTED, CountedResult
from surveys.runs.result_columns import (
    RuleTests,
    itemset_columns,
    itemset_test_columns,
    rule_columns,
    rule_test_columns,
)

MOST_ROWS: Final = 2_000
"""Most itemsets and rules that a run stores as rows (a kilobyte each); more are stored as counts."""


def result_store(
    run: Run,
    *,
    inference: Inference,
    groups: Mapping[Columns, HomogeneityTest],
    n_direct: int,
    least_direct: int,
    truth: Mapping[Columns, float],
    duration_seconds: float,
    code_version: str,
    summary: dict[str, object],
) -> None:
    """Store a result, in the caller's transaction: its rows, or if there are many, its counts.

    Parameters
    ----------
    run : Run
    inference : Inference
        Tests of the result, with the result.
    groups : mapping of Columns to HomogeneityTest
    n_direct : int
        Rows with the direct group bit, even if they count like the others.
    least_direct : int
        Least number of direct rows that were asked everything in an itemset, for comparing the groups.
        Below it, the comparison is not even stored.
    truth : mapping of Columns to float
        True supports, if they are known.
    duration_seconds : float
    code_version : str
    summary : dict
    """
    result = inference.result
    run.engine = result.engine
    run.n = result.n
    run.n_direct, run.n_protected = n_direct, result.n - n_direct
    is_counted = len(result.itemsets) + len(result.rules) > MOST_ROWS
    run.duration_seconds, run.code_version = duration_seconds, code_version
    run.summary = summary | {COUNTED: is_counted}
    run.save(
        update_fields=[
            "engine", "n", "n_direct", "n_protected", "duration_seconds", "code_version", "summary",
        ]
    )  # fmt: skip
    group_p_values = [
        groups[items].p_value if items in groups else None for items in result.itemsets.itemsets
    ]
    if is_counted:
        packed = CountedResult.of(
            inference, groups=group_p_values, least_direct=least_direct, truth=truth
        ).pack()
        RunCounts.objects.create(
            run=run, rules=len(result.rules), digest=hashlib.sha256(packed).hexdigest(), packed=packed
        )
        table = result.itemsets.part(single_items(result.itemsets.itemsets))
        group_p_values = group_p_values[: len(table)]
    else:
        table = result.itemsets
        _rules_store(run, inference, truth)
    _itemsets_store(run, table, inference, group_p_values, least_direct, truth)


def _rules_store(run: Run, inference: Inference, truth: Mapping[Columns, float]) -> None:
    rules = inference.result.rules
    columns = rule_columns(rules.sides, rules.measures, truth)
    columns_insert(RuleRow, {"run_id": [run.pk] * len(rules), **columns})
    keys = {
        (antecedent, consequent): pk
        for pk, antecedent, consequent in RuleRow.objects.filter(run=run).values_list(
            "pk", "antecedent", "consequent"
        )
    }
    sides = [(pack_items(before), pack_items(after)) for before, after in rules.sides]
    columns_insert(
        RuleInference,
        {"rule_id": [keys[pair] for pair in sides], **rule_test_columns(RuleTests.of(inference))},
    )


def _itemsets_store(
    run: Run,
    table: ItemsetTable,
    inference: Inference,
    groups: Sequence[float | None],
    least_direct: int,
    truth: Mapping[Columns, float],
) -> None:
    """Store the first itemsets of a run."""
    result, size = inference.result, len(table)
    columns = itemset_columns(table, result.counts, result.design, least_direct=least_direct, truth=truth)
    columns_insert(ItemsetRow, {"run_id": [run.pk] * size, **columns})
    keys = dict(ItemsetRow.objects.filter(run=run).values_list("items", "pk"))
    interval = listed_supports(result.counts, table.itemsets, result.design, level=inference.itemset_level)
    tests = itemset_test_columns(interval, inference.maximal[:size], inference.closed[:size], groups)
    columns_insert(
        ItemsetInference, {"itemset_id": [keys[pack_items(items)] for items in table.itemsets], **tests}
    )


def single_items(itemsets: Sequence[Columns]) -> range:
    """Return the positions of the single items of listed itemsets, which come first.

    >>> single_items([(0,), (2,), (0, 2)])
    range(0, 2)
    """
    return range(sum(len(items) == 1 for items in itemsets))
