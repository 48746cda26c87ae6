"""Columns of the rows of itemsets and rules, from figures: for storing rows, and for computing them later."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from mining.inference import Inference
from mining.itemset_table import ItemsetTable
from mining.rules import NO_RULE, Pair
from privacy.arrays import Array, Flags, Whole
from privacy.estimation.array_tables import MeasuredArray
from privacy.estimation.counts import Columns, SupportCounts
from privacy.estimation.estimates import estimates
from privacy.estimation.estimating_equation import MEASURES
from privacy.estimation.rule_tables import RuleTable as Measures
from privacy.policy import FEW_ROWS
from privacy.survey.design import Design
from surveys.questionnaire.packed_items import pack_items


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


EXPECTED_ERROR: Final = math.sqrt(2 / math.pi)
"""Mean absolute value of a standard normal variable: the expected error, in standard errors."""


def itemset_columns(
    table: ItemsetTable,
    counts: SupportCounts,
    design: Design,
    *,
    least_direct: int,
    truth: Mapping[Columns, float],
) -> dict[str, Sequence[object]]:
    """Return the columns of `ItemsetRow` without the run.

    Parameters
    ----------
    table : ItemsetTable
    counts : SupportCounts
        Counts of the run.
    design : Design
    least_direct : int
        Least number of direct rows that were asked everything in an itemset, for comparing the groups.
    truth : mapping of Columns to float
        True supports, if they are known.
    """
    supports, interval = table.estimates, table.interval
    error = supports.standard_error
    true = [truth.get(items) for items in table.itemsets]
    matching = supports.observed_share * supports.n
    return {
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
        **_groups(table, counts, design, least_direct),
    }


def _errors(values: Array, errors: Array, true: Sequence[float | None]) -> list[float | None]:
    """Return each estimate's distance from the truth if it is known, else the expected distance."""
    expected = or_null(EXPECTED_ERROR * errors)
    return [
        abs(value - share) if share is not None else otherwise
        for value, share, otherwise in zip(values.tolist(), true, expected, strict=True)
    ]


def shows_groups(table: ItemsetTable, least_direct: int) -> Flags:
    """Return, for each itemset, whether both groups are large enough to show."""
    supports = table.estimates
    return np.asarray((supports.n_direct >= least_direct) & (supports.n_protected > 0))


def _groups(
    table: ItemsetTable, counts: SupportCounts, design: Design, least_direct: int
) -> dict[str, list[float | None]]:
    """Estimate with both estimators and from each group alone, if both groups are large enough to show."""
    places = np.flatnonzero(shows_groups(table, least_direct)).tolist()
    visible = [table.itemsets[index] for index in places]
    requests = list(counts) if visible else []
    rows = counts.table(requests)
    direct, protected = (
        SupportCounts.from_array(requests, rows * np.array(group), all_rows=counts.all_rows)
        for group in ((1, 0), (0, 1))
    )
    tables = {
        "stratified": estimates(counts, visible, design, estimator="stratified"),
        "pooled": estimates(counts, visible, design, estimator="pooled"),
        "direct": estimates(direct, visible, design),
        "protected": estimates(protected, visible, design),
    }
    columns: dict[str, list[float | None]] = {}
    for name, group_estimates in tables.items():
        for end, values in (("", group_estimates.value), ("_se", group_estimates.standard_error)):
            column: list[float | None] = [None] * len(table)
            for index, value in zip(places, or_null(values), strict=True):
                column[index] = value
            columns[name + end] = column
    return columns


def rule_columns(
    sides: Sequence[Pair], measures: Measures, truth: Mapping[Columns, float]
) -> dict[str, Sequence[object]]:
    """Return the columns of `RuleRow` without the run.

    Parameters
    ----------
    sides : sequence of (Columns, Columns)
    measures : Measures
        With 95% intervals.
    truth : mapping of Columns to float
        True supports, if they are known.
    """
    true = (
        [truth.get(tuple(sorted(before + after))) for before, after in sides]
        if truth
        else [None] * len(sides)
    )
    columns: dict[str, Sequence[object]] = {
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


@dataclass(frozen=True, kw_only=True, eq=False)
class RuleTests:
    """Tests of some listed rules, for their stored columns.

    Attributes
    ----------
    p_values, adjusted : float array, shape (R,)
    passes : bool array, shape (R,)
    confidence_p_values, confidence_adjusted : float array or None
        None without a confidence threshold.
    measures : Measures
        With intervals at the level for listed rules.
    shorter : sequence of Columns or None
        Antecedent of the rule that explains each rule.
    flips : int array, shape (R,)
    interest : dict of str to float array
    maximal : sequence of bool
    """

    p_values: Array
    adjusted: Array
    passes: Flags
    confidence_p_values: Array | None
    confidence_adjusted: Array | None
    measures: Measures
    shorter: Sequence[Columns | None]
    flips: Whole
    interest: Mapping[str, Array]
    maximal: Sequence[bool]

    @classmethod
    def of(cls, inference: Inference) -> RuleTests:
        """Return the tests of all rules of a run."""
        sides, table = inference.result.rules.sides, inference.result.itemsets
        maximal = {items for items, on in zip(table.itemsets, inference.maximal, strict=True) if on}
        confidence = inference.confidence
        return cls(
            p_values=inference.lift.p_values,
            adjusted=inference.lift.adjusted,
            passes=inference.lift.passes,
            confidence_p_values=None if confidence is None else confidence.p_values,
            confidence_adjusted=None if confidence is None else confidence.adjusted,
            measures=inference.rules,
            shorter=[
                None if shorter == NO_RULE else sides[shorter][0]
                for shorter in inference.explained_by.tolist()
            ],
            flips=inference.fragility,
            interest=inference.interest,
            maximal=[tuple(sorted(before + after)) in maximal for before, after in sides],
        )


def rule_test_columns(tests: RuleTests) -> dict[str, Sequence[object]]:
    """Return the columns of `RuleInference` without the rule."""
    size, measures = len(tests.p_values), tests.measures
    nothing: list[object] = [None] * size
    p_values, adjusted = tests.confidence_p_values, tests.confidence_adjusted
    interest = {name: or_null(values, np.isfinite(values)) for name, values in tests.interest.items()}
    return {
        "p_value": tests.p_values.tolist(),
        "p_adjusted": tests.adjusted.tolist(),
        "passes": tests.passes.tolist(),
        "confidence_p_value": nothing if p_values is None else p_values.tolist(),
        "confidence_p_adjusted": nothing if adjusted is None else adjusted.tolist(),
        "confidence_low": or_null(measures.confidence.low, measures.confidence.estimable),
        "confidence_high": or_null(measures.confidence.high, measures.confidence.estimable),
        "lift_low": or_null(measures.lift.low, measures.lift.estimable),
        "lift_high": or_null(measures.lift.high, measures.lift.estimable),
        "redundant_by": ["" if shorter is None else pack_items(shorter) for shorter in tests.shorter],
        "flips": [number if number >= 0 else None for number in tests.flips.tolist()],
        "maximal": list(tests.maximal),
        "interest": [{name: values[place] for name, values in interest.items()} for place in range(size)],
    }


def itemset_test_columns(
    interval: MeasuredArray, maximal: Flags, closed: Flags, groups: Sequence[float | None]
) -> dict[str, Sequence[object]]:
    """Return the columns of `ItemsetInference` without the itemset.

    Parameters
    ----------
    interval : MeasuredArray
        At the level for listed itemsets.
    maximal, closed : bool array
    groups : sequence of float or None
        p-values of the comparison of the groups.
    """
    return {
        "low": or_null(interval.low, interval.estimable),
        "high": or_null(interval.high, interval.estimable),
        "maximal": maximal.tolist(),
        "closed": closed.tolist(),
        "groups_p_value": list(groups),
    }
