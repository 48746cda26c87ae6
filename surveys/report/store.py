"""From a mining result to rows of the database."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Final

from mining.pipeline import MiningResult
from mining.rules import Rule
from privacy.reconstruct import Columns, Estimate, SupportCounts, estimates
from privacy.reconstruct.intervals import FEW
from privacy.reconstruct.measures import Measured
from surveys.models import ItemsetRow, RuleRow, Run
from surveys.report.insert import rows_insert
from surveys.report.labels import pack_items

EXPECTED_ERROR: Final = math.sqrt(2 / math.pi)
"""Mean of |X| in standard errors where X is normal with mean 0: the expected W."""


def result_store(
    run: Run,
    *,
    result: MiningResult,
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
    run.n, run.n_direct, run.n_protected = result.n, result.n_direct, result.n_protected
    run.duration_seconds, run.code_version, run.summary = duration_seconds, code_version, summary
    run.save(
        update_fields=[
            "engine", "n", "n_direct", "n_protected", "duration_seconds", "code_version", "summary",
        ]
    )  # fmt: skip
    rows_insert(ItemsetRow, _itemset_rows(run, result, least_direct, truth))
    rows_insert(RuleRow, _rule_rows(run, result, truth))


def _itemset_rows(
    run: Run, result: MiningResult, least_direct: int, truth: Mapping[Columns, float]
) -> Iterator[ItemsetRow]:
    groups = _groups(result, least_direct)
    for itemset in result.itemsets:
        found = itemset.estimate
        error = _error_of(found, result)
        true = truth.get(itemset.items)
        matching = found.observed_share * found.n
        yield ItemsetRow(
            run=run,
            items=pack_items(itemset.items),
            size=len(itemset.items),
            n=found.n,
            support=found.value,
            support_se=error,
            support_low=itemset.interval.low if itemset.interval.estimable else None,
            support_high=itemset.interval.high if itemset.interval.estimable else None,
            few_rows=min(matching, found.n - matching) < FEW,
            truth=true,
            error=EXPECTED_ERROR * error if true is None else abs(found.value - true),
            **groups.get(itemset.items, {}),
        )


def _groups(result: MiningResult, least_direct: int) -> dict[Columns, dict[str, float | None]]:
    """Estimate by both estimators, and from each group alone, where both groups are large enough to show."""
    shown = [
        itemset.items
        for itemset in result.itemsets
        if itemset.estimate.n_direct >= least_direct and itemset.estimate.n_protected
    ]
    direct = SupportCounts({columns: (pair[0], 0) for columns, pair in result.counts.items()})
    protected = SupportCounts({columns: (0, pair[1]) for columns, pair in result.counts.items()})
    tables = {
        "stratified": estimates(result.counts, shown, result.design, estimator="stratified"),
        "pooled": estimates(result.counts, shown, result.design, estimator="pooled"),
        "direct": estimates(direct, shown, result.design),
        "protected": estimates(protected, shown, result.design),
    }
    return {
        items: {
            name + end: _number(value)
            for name, table in tables.items()
            for end, value in (("", table[place].value), ("_se", _error_of(table[place], result)))
        }
        for place, items in enumerate(shown)
    }


def _rule_rows(run: Run, result: MiningResult, truth: Mapping[Columns, float]) -> Iterator[RuleRow]:
    for rule in result.rules:
        measures = rule.measures
        true, true_before, true_after = _truths(rule, truth)
        yield RuleRow(
            run=run,
            antecedent=pack_items(rule.antecedent),
            consequent=pack_items(rule.consequent),
            antecedent_size=len(rule.antecedent),
            consequent_size=len(rule.consequent),
            n=measures.n,
            few_rows=measures.few_rows,
            truth=true,
            truth_antecedent=true_before,
            truth_consequent=true_after,
            error=_rule_error(measures.support, true),
            **_columns("support", measures.support),
            **_columns("confidence", measures.confidence),
            **_columns("lift", measures.lift),
            **_columns("leverage", measures.leverage),
            **_columns("conviction", measures.conviction),
        )


def _truths(rule: Rule, truth: Mapping[Columns, float]) -> tuple[float | None, float | None, float | None]:
    both = tuple(sorted(rule.antecedent + rule.consequent))
    return truth.get(both), truth.get(rule.antecedent), truth.get(rule.consequent)


def _rule_error(support: Measured, true: float | None) -> float | None:
    if true is not None:
        return abs(support.value - true)
    return None if support.standard_error is None else EXPECTED_ERROR * support.standard_error


def _columns(name: str, measured: Measured) -> dict[str, float | None]:
    """Columns of one measure; without an interval where it is not estimable."""
    low, high = (measured.low, measured.high) if measured.estimable else (None, None)
    return {
        name: _number(measured.value),
        f"{name}_low": _number(low),
        f"{name}_high": _number(high),
        f"{name}_se": _number(measured.standard_error),
    }


def _number(value: float | None) -> float | None:
    """NaN is no number; the databases would each make something else of it."""
    return None if value is None or math.isnan(value) else value


def _error_of(found: Estimate, result: MiningResult) -> float:
    if result.thresholds.target == "respondents":
        return found.standard_error_respondents
    return found.standard_error
