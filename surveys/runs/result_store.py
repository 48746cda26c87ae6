"""Store the result of a run: itemsets, rules and their tests."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import repeat
from typing import Any, Final

import numpy as np
from django.db import connection, models
from numpy.typing import ArrayLike

from mining.inference import Inference
from mining.pipeline import MiningResult
from mining.rules import NONE
from privacy.arrays import Array
from privacy.estimation.counts import Columns, SupportCounts
from privacy.estimation.estimates import MeasuredArray, estimates
from privacy.estimation.homogeneity import HomogeneityTest
from privacy.estimation.intervals import MEASURES
from privacy.policy import FEW_ROWS
from surveys.models import ItemsetInference, ItemsetRow, RuleInference, RuleRow, Run
from surveys.questionnaire.packed_items import pack_items


def columns_insert(model: type[models.Model], columns: Mapping[str, Sequence[object]]) -> None:
    """Insert new rows, in the caller's transaction.

    Parameters
    ----------
    model : type of Model
        Its columns must be JSON, or numbers, texts, booleans and foreign keys, which Django need not convert.
    columns : mapping of str to sequence
        Plain Python values by attribute name ("run_id"), all of one length. A column that is left out gets
        its default in every row.

    Notes
    -----
    ``bulk_create`` resolves every value of every row as an expression and builds one statement with thousands
    of parameters. With it, storing a run's rows took longer than finding them.
    """
    # The database assigns primary keys; a key that is also a foreign key comes from the caller.
    fields = [field for field in model._meta.concrete_fields if not isinstance(field, models.AutoField)]
    size = len(next(iter(columns.values()), ()))
    values = [
        _database_values(field, columns[field.attname])
        if field.attname in columns
        else repeat(field.get_default(), size)
        for field in fields
    ]
    quote = connection.ops.quote_name
    names = ", ".join(quote(str(field.column)) for field in fields)
    marks = ", ".join(["%s"] * len(fields))
    # The names come from our own models, and every value is a parameter.
    statement = f"INSERT INTO {quote(model._meta.db_table)} ({names}) VALUES ({marks})"  # noqa: S608
    with connection.cursor() as cursor:
        cursor.executemany(statement, list(zip(*values, strict=True)))


def _database_values(field: models.Field[Any, Any], values: Sequence[object]) -> Sequence[object]:
    if not isinstance(field, models.JSONField):
        return values
    return [field.get_db_prep_save(value, connection) for value in values]


def or_null(values: ArrayLike, is_known: ArrayLike | None = None) -> list[float | None]:
    """Return floats with None for NaN, which each database would store differently.

    Parameters
    ----------
    values : array_like of float
    is_known : array_like of bool, optional
        A value that is not known becomes None too.

    Examples
    --------
    >>> or_null([0.5, float("nan"), 2.0], [True, True, False])
    [0.5, None, None]
    """
    array = np.asarray(values, dtype=np.float64)
    is_null = np.isnan(array) if is_known is None else np.isnan(array) | ~np.asarray(is_known)
    floats: list[float | None] = array.tolist()
    for position in np.flatnonzero(is_null).tolist():
        floats[position] = None
    return floats


def conclusions_store(
    run: Run, *, result: MiningResult, inference: Inference, groups: Mapping[Columns, HomogeneityTest]
) -> None:
    """Store the tests of a run's stored rules and itemsets, in the caller's transaction."""
    table = result.itemsets
    rules = {
        (antecedent, consequent): pk
        for pk, antecedent, consequent in RuleRow.objects.filter(run=run).values_list(
            "pk", "antecedent", "consequent"
        )
    }
    maximal = {items for items, on in zip(table.itemsets, inference.maximal, strict=True) if on}
    columns_insert(
        RuleInference,
        {
            "rule_id": [rules[_pack_sides(sides)] for sides in result.rules.sides],
            "maximal": [tuple(sorted(before + after)) in maximal for before, after in result.rules.sides],
            **_rule_inference_columns(result, inference),
        },
    )
    itemsets = dict(ItemsetRow.objects.filter(run=run).values_list("items", "pk"))
    estimable = inference.itemsets.estimable
    columns_insert(
        ItemsetInference,
        {
            "itemset_id": [itemsets[pack_items(items)] for items in table.itemsets],
            "low": or_null(inference.itemsets.low, estimable),
            "high": or_null(inference.itemsets.high, estimable),
            "maximal": inference.maximal.tolist(),
            "closed": inference.closed.tolist(),
            "groups_p_value": [test and test.p_value for test in map(groups.get, table.itemsets)],
        },
    )


def conclusions_summary(inference: Inference) -> dict[str, Any]:
    """Summarise the tests of a whole run as plain numbers and texts."""
    families = inference.families
    return {
        "family": {
            "lift": families.lift.total,
            "lift_by_size": {str(size): number for size, number in families.lift.by_size},
            "confidence": families.confidence.total,
        },
        "tested": "lift",
        "passing": int(inference.lift.passes.sum()),
        "redundant": int((inference.explained_by != NONE).sum()),
        "passing_confidence": None
        if inference.confidence is None
        else int(inference.confidence.passes.sum()),
        "rule_level": inference.rule_level,
        "itemset_level": inference.itemset_level,
        "itemset_family": families.itemsets.total,
        "maximal": int(inference.maximal.sum()),
        "closed": int(inference.closed.sum()),
    }


def _rule_inference_columns(result: MiningResult, inference: Inference) -> dict[str, Sequence[object]]:
    lift, confidence, measures = inference.lift, inference.confidence, inference.rules
    nothing: list[object] = [None] * len(result.rules)
    return {
        "p_value": lift.p_values.tolist(),
        "p_adjusted": lift.adjusted.tolist(),
        "passes": lift.passes.tolist(),
        "confidence_p_value": nothing if confidence is None else confidence.p_values.tolist(),
        "confidence_p_adjusted": nothing if confidence is None else confidence.adjusted.tolist(),
        "confidence_low": or_null(measures.confidence.low, measures.confidence.estimable),
        "confidence_high": or_null(measures.confidence.high, measures.confidence.estimable),
        "lift_low": or_null(measures.lift.low, measures.lift.estimable),
        "lift_high": or_null(measures.lift.high, measures.lift.estimable),
        "redundant_by": [
            "" if shorter == NONE else pack_items(result.rules.sides[shorter][0])
            for shorter in inference.explained_by.tolist()
        ],
        "flips": [number if number >= 0 else None for number in inference.fragility.tolist()],
        "interest": _by_rule(
            {name: or_null(values, np.isfinite(values)) for name, values in inference.interest.items()},
            len(result.rules),
        ),
    }


def _by_rule(columns: Mapping[str, Sequence[Any]], n_rules: int) -> list[dict[str, Any]]:
    """Return for each rule the values of all columns."""
    return [{name: values[place] for name, values in columns.items()} for place in range(n_rules)]


def _pack_sides(sides: tuple[tuple[int, ...], tuple[int, ...]]) -> tuple[str, str]:
    return pack_items(sides[0]), pack_items(sides[1])


EXPECTED_ERROR: Final = math.sqrt(2 / math.pi)
"""Mean absolute value of a standard normal variable: the expected error, in standard errors."""


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
    """Store a result, in the caller's transaction.

    Parameters
    ----------
    run : Run
    result : MiningResult
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
    error = supports.standard_error
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
    """Return each estimate's distance from the truth if it is known, else the expected distance."""
    expected = or_null(EXPECTED_ERROR * errors)
    return [
        abs(value - share) if share is not None else otherwise
        for value, share, otherwise in zip(values.tolist(), true, expected, strict=True)
    ]


def _groups(result: MiningResult, least_direct: int) -> dict[str, list[float | None]]:
    """Estimate with both estimators and from each group alone, if both groups are large enough to show."""
    supports, size = result.itemsets.estimates, len(result.itemsets)
    places = np.flatnonzero((supports.n_direct >= least_direct) & (supports.n_protected > 0)).tolist()
    visible = [result.itemsets.itemsets[index] for index in places]
    requests = list(result.counts)
    table = result.counts.table(requests)
    direct, protected = (
        SupportCounts.from_array(requests, table * np.array(group), all_rows=result.counts.all_rows)
        for group in ((1, 0), (0, 1))
    )
    tables = {
        "stratified": estimates(result.counts, visible, result.design, estimator="stratified"),
        "pooled": estimates(result.counts, visible, result.design, estimator="pooled"),
        "direct": estimates(direct, visible, result.design),
        "protected": estimates(protected, visible, result.design),
    }
    columns: dict[str, list[float | None]] = {}
    for name, group_estimates in tables.items():
        for end, values in (("", group_estimates.value), ("_se", group_estimates.standard_error)):
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
        estimate: MeasuredArray = getattr(measures, name)
        # A measure that is not estimable is stored without an interval.
        columns |= {
            name: or_null(estimate.value),
            f"{name}_low": or_null(estimate.low, estimate.estimable),
            f"{name}_high": or_null(estimate.high, estimate.estimable),
            f"{name}_se": or_null(estimate.standard_error),
        }
    return columns
