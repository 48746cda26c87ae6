"""Rules of a run from the database, each with its test and the intervals that pages show."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import TypeAlias

from surveys.models import RuleRow, Run
from surveys.questionnaire.packed_items import pack_items, unpack_items
from surveys.report.rules.measures import MAIN
from surveys.report.rules.rule_query import RuleQuery, rule_keys
from surveys.runs.rule_levels import PLANNED_LEVEL, planned_sides
from surveys.runs.run_summary import shown_itemsets, shown_rules

Interval: TypeAlias = tuple[float | None, float | None]
_ROWS_AT_A_TIME = 2_000


def rules_by_key(run: Run, keys: Sequence[int]) -> list[RuleRow]:
    """Return these rules of a run in this order, each with its test and the intervals that pages show.

    Notes
    -----
    A rule that the run picked has wider intervals, at the level for picked rules, like its itemset; those
    of leverage and conviction are computed on its page alone (`corrected_intervals`). The pair that was
    planned before the first answer keeps 95% intervals, in the planned direction.
    """
    rules = RuleRow.objects.select_related("inference").in_bulk(keys)
    rows = [rules[key] for key in keys]
    itemsets, plan_sides = {row.pk: itemset_of(row) for row in rows}, planned_sides(run)
    supports = itemset_intervals(run, set(itemsets.values()))
    for row in rows:
        _set_intervals(run, row, plan_sides)
        row.intervals = {"support": supports.get(itemsets[row.pk], (None, None)), **row.intervals}
    return rows


def itemset_intervals(run: Run, itemsets: Collection[str]) -> dict[str, Interval]:
    """Return the intervals of listed itemsets by their packed items, at the level for picked itemsets."""
    rows = shown_itemsets(run).filter(items__in=itemsets)
    return {
        items: (low, high)
        for items, low, high in rows.values_list("items", "inference__low", "inference__high")
    }


def _set_intervals(run: Run, row: RuleRow, planned: tuple[str, ...]) -> None:
    """Set the intervals of a rule that pages show, and their level: wider ones if the run picked it."""
    test, is_planned = row.inference, (row.antecedent, row.consequent) == planned
    tests = run.summary.get("inference", {})
    row.interval_level = PLANNED_LEVEL if is_planned else float(tests.get("rule_level", PLANNED_LEVEL))
    if is_planned:
        row.intervals = {
            measure.name: (getattr(row, f"{measure.name}_low"), getattr(row, f"{measure.name}_high"))
            for measure in MAIN
        }
    else:
        row.intervals = {
            "confidence": (test.confidence_low, test.confidence_high),
            "lift": (test.lift_low, test.lift_high),
        }


def rules_by_sides(run: Run, sides: Sequence[tuple[str, str]]) -> list[RuleRow]:
    """Return the rules with these packed sides, in this order, without intervals for the support."""
    found = (
        shown_rules(run)
        .select_related("inference")
        .filter(antecedent__in=[before for before, _ in sides], consequent__in=[after for _, after in sides])
    )
    plan_sides, rows = planned_sides(run), {(row.antecedent, row.consequent): row for row in found}
    for row in rows.values():
        _set_intervals(run, row, plan_sides)
    return [rows[pair] for pair in sides]


def itemset_of(row: RuleRow) -> str:
    """Return the items of both sides, packed."""
    return pack_items(sorted(unpack_items(row.antecedent) + unpack_items(row.consequent)))


def all_rules(run: Run, query: RuleQuery) -> Iterator[RuleRow]:
    """Yield all rules that match a query, without keeping them all in memory."""
    keys = rule_keys(run, query)
    for start in range(0, len(keys), _ROWS_AT_A_TIME):
        yield from rules_by_key(run, keys[start : start + _ROWS_AT_A_TIME])
