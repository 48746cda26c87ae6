"""Rules of a run, each with its test and the intervals that pages show."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from surveys.models import RuleRow, Run
from surveys.questionnaire.packed_items import pack_items, unpack_items
from surveys.report.rules.measures import MAIN
from surveys.report.rules.rows_or_counts import listing_of
from surveys.report.rules.rule_query import RuleQuery
from surveys.runs.planned_sides import planned_sides
from surveys.runs.rule_levels import PLANNED_LEVEL

_ROWS_AT_A_TIME = 2_000


def rules_by_key(run: Run, keys: Sequence[int]) -> list[RuleRow]:
    """Return these rules of a run in this order, each with its test and the intervals that pages show.

    Notes
    -----
    A rule that the run picked has wider intervals, at the level for picked rules, like its itemset; those
    of leverage and conviction are computed on its page alone (`corrected_intervals`). The pair that was
    planned before the first answer keeps 95% intervals, in the planned direction.
    """
    listing = listing_of(run)
    rows, plan_sides = listing.rules(keys), planned_sides(run)
    itemsets = [itemset_of(row) for row in rows]
    supports = listing.intervals(set(itemsets))
    for row, items in zip(rows, itemsets, strict=True):
        _set_intervals(run, row, plan_sides)
        row.intervals = {"support": supports.get(items, (None, None)), **row.intervals}
    return rows


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
    plan_sides, rows = planned_sides(run), listing_of(run).rules_of(sides)
    for row in rows:
        _set_intervals(run, row, plan_sides)
    return rows


def itemset_of(row: RuleRow) -> str:
    """Return the items of both sides, packed."""
    return pack_items(sorted(unpack_items(row.antecedent) + unpack_items(row.consequent)))


def all_rules(run: Run, query: RuleQuery) -> Iterator[RuleRow]:
    """Yield all rules that match a query, without keeping them all in memory."""
    keys = listing_of(run).keys(query)
    for start in range(0, len(keys), _ROWS_AT_A_TIME):
        yield from rules_by_key(run, keys[start : start + _ROWS_AT_A_TIME])
