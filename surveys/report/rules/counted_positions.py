"""Which rules and itemsets of a run with counts match a query, in its order, without a database.

`surveys.report.rules.rule_query` and `surveys.report.rules.itemset_query` do the same with rows.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mining.rules import NO_RULE
from privacy.arrays import Array, Flags, Whole
from privacy.estimation.estimating_equation import MEASURES
from surveys.models import RuleRow, Run
from surveys.questionnaire.packed_items import unpack_items
from surveys.report.rules.itemset_query import ItemsetQuery, items_with_word
from surveys.report.rules.rule_query import LIMITS, RuleQuery
from surveys.report.rules.verdicts import WITHOUT_VERDICT as NO_VERDICT
from surveys.report.rules.verdicts import with_verdict
from surveys.runs.counted_result import CountedResult


def rule_positions(run: Run, result: CountedResult, query: RuleQuery) -> Whole:
    """Return the positions of the rules that match a query, in its order."""
    matches = np.ones(len(result), dtype=np.bool_)
    itemset = result.arrays["itemset"]
    if query.item is not None:
        matches &= _have_any(result, [query.item], query.side)
    for word in query.text.split():
        matches &= _have_any(result, items_with_word(run, word), query.side)
    if query.length is not None:
        matches &= result.sizes[itemset] == query.length
    if query.holds:
        matches &= result.passes == (query.holds == "yes")
    if query.maximal:
        matches &= result.arrays["maximal"][itemset] == (query.maximal == "yes")
    if query.redundant:
        matches &= (result.arrays["explained_by"] != NO_RULE) == (query.redundant == "yes")
    if query.verdict:
        matches &= _with_verdict(run, result, query.verdict)
    for name, value in query.limits:
        of, end = LIMITS[name]
        column = _column(result, of)
        matches &= column >= value if end == "from" else column <= value
    positions = np.flatnonzero(matches)
    return positions[_order(result, query, positions)]


def _have_any(result: CountedResult, items: Sequence[int], side: str) -> Flags:
    """Return whether each rule has one of these items on a side; for "not", none of them on either."""
    if side in ("either", "not"):
        has: Flags = result.having(items)[result.arrays["itemset"]]
        return ~has if side == "not" else has
    found = np.zeros(len(result), dtype=np.bool_)
    for item in items:
        found |= result.rules_with(item, side)
    return found


def most_significant(result: CountedResult) -> Whole:
    """Return the positions of all rules, smallest adjusted p-value first, then smallest p-value."""
    return np.lexsort((result.arrays["p_value"], result.arrays["p_adjusted"]))


def itemset_positions(run: Run, result: CountedResult, query: ItemsetQuery) -> Whole:
    """Return the positions of the itemsets that match a query, in its order."""
    matches = np.ones(len(result.itemsets), dtype=np.bool_)
    for word in query.text.split():
        matches &= result.having(items_with_word(run, word))
    if query.item is not None:
        matches &= result.having([query.item])
    if query.size is not None:
        matches &= result.sizes == query.size
    if query.least is not None:
        matches &= result.supports.estimates.value >= query.least
    columns = {
        "support": lambda: result.supports.estimates.value,
        "size": lambda: result.sizes,
        "error": lambda: result.itemset_errors,
        "n": lambda: result.supports.estimates.n,
    }
    positions = np.flatnonzero(matches)
    values = columns[query.sort.removeprefix("-")]()[positions]
    return positions[np.argsort(-values if query.sort.startswith("-") else values, kind="stable")]


def _with_verdict(run: Run, result: CountedResult, opinion: str) -> Flags:
    """Return which rules have this newest verdict; rules without a row have no verdict."""
    judged = RuleRow.objects.filter(run=run, verdicts__isnull=False)
    rows = judged if opinion == NO_VERDICT else with_verdict(judged, opinion)
    found = np.zeros(len(result), dtype=np.bool_)
    for sides in rows.values_list("antecedent", "consequent").distinct():
        position = result.find(*(unpack_items(side) for side in sides))
        if position is not None:
            found[position] = True
    return ~found if opinion == NO_VERDICT else found


def _column(result: CountedResult, name: str) -> Array:
    """Return the values by which tables sort and filter; NaN for none."""
    if name in MEASURES:
        return result.values.measure(name)
    if name == "n":
        return result.values.n.astype(np.float64)
    if name == "flips":
        flips = result.arrays["flips"]
        return np.where(flips >= 0, flips, np.nan)
    return result.errors if name == "error" else np.asarray(result.arrays["p_adjusted"])


def _order(result: CountedResult, query: RuleQuery, positions: Whole) -> Whole:
    """Return the order of some rules: by the column, without a value last; ties as listed."""
    name, falling = query.sort.removeprefix("-"), query.sort.startswith("-")
    if name == "order":
        return np.arange(len(positions))[:: -1 if falling else 1]
    values = _column(result, name)[positions]
    first = -values if falling else values
    if name != "p_adjusted":
        return np.argsort(first, kind="stable")
    return np.lexsort((-result.values.lift[positions], first))
