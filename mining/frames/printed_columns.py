"""Columns of itemsets and rules, with everything that is printed next to an estimate."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike

from mining.columns.count_cache import CountCache
from mining.itemset_table import ItemsetTable
from mining.multiple_testing import Decisions, itemset_selection_level
from privacy.arrays import Array, Whole
from privacy.estimation.intervals import support_intervals
from privacy.estimation.required_counts import required_counts
from privacy.estimation.rule_tables import RuleTable
from privacy.p_values import PValues
from privacy.policy import LEAST_EFFECTIVE_ROWS
from privacy.printed import CHECKED, PrintedEstimates, about_estimates
from privacy.survey.design import Design

_LEVEL: Final = 0.95
ABOUT_ITEMSETS: Final = about_estimates(["scores"], shift=0.0, origin=CHECKED)
ABOUT_RULES: Final = about_estimates(["scores", "ratio"], shift=0.0, origin=CHECKED)
MEASURES: Final = ("confidence", "lift", "leverage")
_POSSIBLE: Final = {"lift": (0, np.inf), "leverage": (-0.25, 0.25)}


def measure_columns(
    name: str, value: Array, low: Array, high: Array, effective_n: ArrayLike
) -> dict[str, Any]:
    """Return the columns of one measure of rules.

    Parameters
    ----------
    name : str
        "support" or one of `MEASURES`.
    value, low, high, effective_n : array_like, shape (rules,)
        As for `privacy.printed.PrintedEstimates`; 95% intervals.
    """
    rows = PrintedEstimates(
        value=value,
        standard_error=np.full(len(value), np.nan),
        low=low,
        high=high,
        n=effective_n,
        effective_n=effective_n,
        level=0.95,
        possible=_POSSIBLE.get(name, (0, 1)),
        method="ratio",  # `of_measure` does not print it
        shift=0.0,
        origin=CHECKED,
    )
    return rows.of_measure(name)


def rule_columns(measures: RuleTable) -> dict[str, Any]:
    """Return the columns of the measures of rules; 95% intervals.

    Parameters
    ----------
    measures : RuleTable
    """
    columns: dict[str, Any] = {}
    for name in ("support", *MEASURES):
        own = getattr(measures, name)
        columns |= measure_columns(name, own.value, own.low, own.high, measures.n)
    return columns | {"n": measures.n, "effective_n": measures.n, "level": np.full(len(measures), _LEVEL)}


def support_columns(
    table: ItemsetTable, count_cache: CountCache, design: Design, size: int
) -> dict[str, Any]:
    """Return the columns of itemsets, with intervals that allow for their selection.

    Parameters
    ----------
    table : ItemsetTable
    count_cache : CountCache
    design : Design
    size : int
        Largest number of items together.
    """
    columns = PrintedEstimates(
        value=table.estimates.value,
        standard_error=table.estimates.standard_error,
        low=table.interval.low,
        high=table.interval.high,
        n=table.estimates.n,
        effective_n=table.estimates.n,
        level=_LEVEL,
        possible=(0, 1),
        method="scores",
        shift=0.0,
        origin=CHECKED,
    ).columns("support")
    if not len(table):
        return columns | {"picked_low": np.empty(0), "picked_high": np.empty(0)}
    counts = count_cache.need(required_counts(table.itemsets, design))
    level = itemset_selection_level(len(table), design, size)
    picked = support_intervals(counts, table.itemsets, design, level=level)
    return columns | {"picked_low": picked.low, "picked_high": picked.high}


def tested_columns(
    tested: Decisions, n: Array | Whole, effective_n: Array | Whole, family: int
) -> dict[str, Any]:
    """Return the p-values of rules and their adjusted ones.

    Parameters
    ----------
    tested : Decisions
        Tests of "lift above 1".
    n, effective_n : ndarray, shape (rules,)
        Rows of each rule; fewer than 30 effective ones are no test.
    family : int
        Number of rules that could be listed.
    """
    alone = PValues(
        value=tested.p_values, test="lift above 1", n=n, estimable=effective_n >= LEAST_EFFECTIVE_ROWS,
        adjustment="none", family=1, origin=CHECKED,
    )  # fmt: skip
    return {
        "p_value": alone,
        "adjusted": replace(alone, value=tested.adjusted, adjustment="Benjamini-Yekutieli", family=family),
    }
