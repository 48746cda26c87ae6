"""Itemsets and rules of a run, stored as rows or computed from counts. Only this module knows which.

Runs that list few itemsets and rules, and all runs of earlier versions, have a row for each. Other runs have
counts. Both give the same figures in the same order.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final, Protocol, TypeAlias

from surveys.models import ItemsetRow, RuleInference, RuleRow, Run
from surveys.questionnaire.packed_items import pack_items, unpack_items
from surveys.report.rules.counted_positions import (
    itemset_positions,
    most_significant,
    rule_positions,
)
from surveys.report.rules.itemset_query import ItemsetQuery, itemsets_matching
from surveys.report.rules.rule_query import RuleQuery, rule_keys, rules_matching
from surveys.runs.counted_result import CountedResult, counted_result
from surveys.runs.result_columns import or_null
from surveys.runs.shown_of_run import shown_itemsets, shown_rules

Interval: TypeAlias = tuple[float | None, float | None]
PackedSides: TypeAlias = tuple[str, str]
_ROWS_AT_A_TIME: Final = 2_000


class Listing(Protocol):
    """What pages and files read of a run's itemsets and rules. Keys number rules in addresses."""

    def has(self, key: int) -> bool:
        """Whether a rule with this key may be shown."""

    def key_of(self, rule: RuleRow) -> int:
        """Return the key of a rule that someone judged."""

    def count(self, query: RuleQuery) -> int:
        """Return the number of rules that match."""

    def keys(self, query: RuleQuery, start: int = 0, stop: int | None = None) -> list[int]:
        """Return the keys of matching rules in the query's order, from `start` to before `stop`."""

    def sides(self, query: RuleQuery, most: int | None = None) -> list[tuple[int, str, str]]:
        """Return the keys and packed sides of the first matching rules."""

    def most_significant(self, most: int) -> list[int]:
        """Return the keys of the rules with the smallest adjusted p-values."""

    def rules(self, keys: Sequence[int]) -> list[RuleRow]:
        """Return rules in this order, each with its test."""

    def rules_of(self, sides: Sequence[PackedSides]) -> list[RuleRow]:
        """Return the rules with these packed sides, each with its test."""

    def itemset_count(self, query: ItemsetQuery) -> int:
        """Return the number of itemsets that match."""

    def itemsets(self, query: ItemsetQuery, start: int, stop: int) -> list[ItemsetRow]:
        """Return matching itemsets in the query's order, each with its inference."""

    def itemset_names(self, query: ItemsetQuery, most: int) -> list[str]:
        """Return the first matching itemsets, packed."""

    def listed(self, itemsets: Collection[str]) -> set[str]:
        """Return which of these packed itemsets the run lists."""

    def intervals(self, itemsets: Collection[str]) -> dict[str, Interval]:
        """Return the intervals of packed listed itemsets, at the level for picked itemsets."""

    @property
    def shows_groups(self) -> bool:
        """Whether the groups of any itemset may be compared."""


def listing_of(run: Run) -> Listing:
    """Return the itemsets and rules of a finished run.

    Raises
    ------
    SurveyError
        ``stored_format``: a later program stored it.
    """
    result = counted_result(run)
    return RowListing(run) if result is None else CountedListing(run, result)


def all_itemsets(run: Run, query: ItemsetQuery | None = None) -> Iterator[ItemsetRow]:
    """Yield the itemsets of a run with their inference; by default all, the most frequent first."""
    listing, query = listing_of(run), query or ItemsetQuery()
    for start in range(0, listing.itemset_count(query), _ROWS_AT_A_TIME):
        yield from listing.itemsets(query, start, start + _ROWS_AT_A_TIME)


class RowListing:
    """Itemsets and rules that are rows; a key is the primary key of a row."""

    def __init__(self, run: Run) -> None:
        self._run = run

    def has(self, key: int) -> bool:  # see Listing, as for all methods
        return shown_rules(self._run).filter(pk=key).exists()

    def key_of(self, rule: RuleRow) -> int:
        return int(rule.pk)

    def count(self, query: RuleQuery) -> int:
        return rules_matching(self._run, query).count()

    def keys(self, query: RuleQuery, start: int = 0, stop: int | None = None) -> list[int]:
        return rule_keys(self._run, query, start, stop)

    def sides(self, query: RuleQuery, most: int | None = None) -> list[tuple[int, str, str]]:
        rules = rules_matching(self._run, query)
        return list(rules.values_list("pk", "antecedent", "consequent")[:most])

    def most_significant(self, most: int) -> list[int]:
        tests = RuleInference.objects.filter(rule__in=shown_rules(self._run))
        ordered = tests.order_by("p_adjusted", "p_value", "pk")
        return list(ordered.values_list("rule_id", flat=True)[:most])

    def rules(self, keys: Sequence[int]) -> list[RuleRow]:
        rules = RuleRow.objects.select_related("inference").in_bulk(keys)
        return [rules[key] for key in keys]

    def rules_of(self, sides: Sequence[PackedSides]) -> list[RuleRow]:
        befores, afters = [before for before, _ in sides], [after for _, after in sides]
        found = shown_rules(self._run).filter(antecedent__in=befores, consequent__in=afters)
        rows = {(row.antecedent, row.consequent): row for row in found.select_related("inference")}
        return [rows[pair] for pair in sides]

    def itemset_count(self, query: ItemsetQuery) -> int:
        return itemsets_matching(self._run, query).count()

    def itemsets(self, query: ItemsetQuery, start: int, stop: int) -> list[ItemsetRow]:
        return list(itemsets_matching(self._run, query).select_related("inference")[start:stop])

    def itemset_names(self, query: ItemsetQuery, most: int) -> list[str]:
        return list(itemsets_matching(self._run, query).values_list("items", flat=True)[:most])

    def listed(self, itemsets: Collection[str]) -> set[str]:
        return set(shown_itemsets(self._run).filter(items__in=itemsets).values_list("items", flat=True))

    def intervals(self, itemsets: Collection[str]) -> dict[str, Interval]:
        rows = shown_itemsets(self._run).filter(items__in=itemsets)
        limits = rows.values_list("items", "inference__low", "inference__high")
        return {items: (low, high) for items, low, high in limits}

    @property
    def shows_groups(self) -> bool:
        return shown_itemsets(self._run).filter(pooled__isnull=False).exists()


class CountedListing:
    """Itemsets and rules that are computed from counts; keys number the rules of the run from 1."""

    def __init__(self, run: Run, result: CountedResult) -> None:
        self._run, self._result = run, result

    def has(self, key: int) -> bool:
        return 1 <= key <= len(self._result)

    def key_of(self, rule: RuleRow) -> int:
        return 1 + self._position((rule.antecedent, rule.consequent))

    def count(self, query: RuleQuery) -> int:
        return len(rule_positions(self._run, self._result, query))

    def keys(self, query: RuleQuery, start: int = 0, stop: int | None = None) -> list[int]:
        keys: list[int] = (1 + rule_positions(self._run, self._result, query)[start:stop]).tolist()
        return keys

    def sides(self, query: RuleQuery, most: int | None = None) -> list[tuple[int, str, str]]:
        sides = [(key, *self._result.sides(key - 1)) for key in self.keys(query, 0, most)]
        return [(key, pack_items(before), pack_items(after)) for key, before, after in sides]

    def most_significant(self, most: int) -> list[int]:
        keys: list[int] = (1 + most_significant(self._result)[:most]).tolist()
        return keys

    def rules(self, keys: Sequence[int]) -> list[RuleRow]:
        return self._with_rows([key - 1 for key in keys])

    def rules_of(self, sides: Sequence[PackedSides]) -> list[RuleRow]:
        return self._with_rows([self._position(pair) for pair in sides])

    def itemset_count(self, query: ItemsetQuery) -> int:
        return len(itemset_positions(self._run, self._result, query))

    def itemsets(self, query: ItemsetQuery, start: int, stop: int) -> list[ItemsetRow]:
        positions = itemset_positions(self._run, self._result, query)[start:stop]
        return self._result.itemset_rows(self._run, positions.tolist())

    def itemset_names(self, query: ItemsetQuery, most: int) -> list[str]:
        positions = itemset_positions(self._run, self._result, query)[:most]
        return [pack_items(self._result.itemsets[position]) for position in positions.tolist()]

    def listed(self, itemsets: Collection[str]) -> set[str]:
        return {items for items in itemsets if unpack_items(items) in self._result.position_of}

    def intervals(self, itemsets: Collection[str]) -> dict[str, Interval]:
        known = sorted(self.listed(itemsets))
        found = self._result.intervals([unpack_items(items) for items in known])
        ends = (or_null(end, found.estimable) for end in (found.low, found.high))
        return dict(zip(known, zip(*ends, strict=True), strict=True))

    @property
    def shows_groups(self) -> bool:
        return self._result.shows_groups

    def _position(self, sides: PackedSides) -> int:
        position = self._result.find(unpack_items(sides[0]), unpack_items(sides[1]))
        if position is None:
            raise KeyError(sides)
        return position

    def _with_rows(self, positions: Iterable[int]) -> list[RuleRow]:
        """Return the rules at these positions; those that someone judged have the key of their row."""
        rules = self._result.rules(self._run, list(positions))
        judged = RuleRow.objects.filter(run=self._run, antecedent__in={rule.antecedent for rule in rules})
        rows = {(row.antecedent, row.consequent): row.pk for row in judged}
        for rule in rules:
            rule.pk = rows.get((rule.antecedent, rule.consequent))
        return rules
