"""Association rules between the itemsets found; all measures use estimates that are not clipped."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from typing import Final, TypeAlias

import numpy as np

from mining import AT_A_TIME, ProgressListener, chunks, ignore_progress
from mining.apriori import MLXTEND
from mining.columns.count_cache import CountCache
from mining.itemsets import ROUNDING, SearchResult
from mining.numbered_sides import NumberedSides
from mining.thresholds import Sides, Thresholds
from privacy.arrays import Flags, Whole
from privacy.errors import PrivacyError
from privacy.estimation.array_tables import concatenate, take
from privacy.estimation.counts import Columns, SupportCounts
from privacy.estimation.intervals import confidence_lows, measure_rules
from privacy.estimation.required_counts import required_counts
from privacy.estimation.rule_tables import RuleTable as Measures
from privacy.estimation.rule_values import RuleValues, rule_values
from privacy.survey.design import Design

Pair: TypeAlias = tuple[Columns, Columns]

MAX_RULES: Final = 1_000_000
"""Default limit on the rules of a run."""

_MOST_FOR_MLXTEND: Final = 100_000
"""Largest number of rules listed by mlxtend (100,000 per second); more are listed without a data frame."""


@dataclass(frozen=True, kw_only=True, eq=False)
class RuleTable:
    """Rules with their measures, in the order of their itemsets, then of their antecedents.

    Attributes
    ----------
    sides : tuple of (Columns, Columns)
        Antecedent and consequent of each rule.
    values : RuleValues
        Position i belongs to rule i. Not clipped: a confidence may be 1.2.
    counts : SupportCounts
    design : Design
    """

    sides: tuple[Pair, ...]
    values: RuleValues
    counts: SupportCounts = field(repr=False)
    design: Design = field(repr=False)

    def __len__(self) -> int:
        return len(self.sides)

    @cached_property
    def numbered(self) -> NumberedSides:
        """The sides as numbers, for comparisons of all rules at once."""
        return NumberedSides.of(self.sides)

    @cached_property
    def measures(self) -> Measures:
        """The same measures with their 95% intervals, which take ten times as long as the values."""
        return self.measured()

    def measured(self, positions: Sequence[int] | None = None, *, level: float = 0.95) -> Measures:
        """Return measures with intervals at a confidence level.

        Parameters
        ----------
        positions : sequence of int, optional
            Positions of rules; all rules by default.
        level : float
            In (0, 1).
        """
        sides = self.sides if positions is None else [self.sides[position] for position in positions]
        return concatenate(
            [
                measure_rules(self.counts, some, self.design, level=level)
                for some in chunks(sides, stage="intervals", progress=ignore_progress)
            ]
        )


def find_rules(search_result: SearchResult, sides: Sides, *, max_rules: int = MAX_RULES) -> tuple[Pair, ...]:
    """List every rule into which a listed itemset can be split.

    Parameters
    ----------
    search_result : SearchResult
    sides : Sides
        Items allowed on each side.
    max_rules : int
        Limit on listed rules, before sides are checked.

    Returns
    -------
    tuple of (Columns, Columns)
        Ordered by size and items of the itemset, then by antecedent, shorter ones first.

    Raises
    ------
    PrivacyError
        ``max_rules``.

    Notes
    -----
    mlxtend's ``association_rules`` splits the itemsets; its measures are not used. It receives the supports
    of `closed_table`, because it divides by supports and estimates may be 0 or negative.
    """
    itemsets = {items for items, on in zip(search_result.frequent, search_result.listed, strict=True) if on}
    many = sum((1 << len(items)) - 2 for items in itemsets)
    if many > max_rules:
        raise PrivacyError("max_rules", many, max_rules=max_rules)
    if not (MLXTEND and many <= _MOST_FOR_MLXTEND):
        in_order = split_rules(sorted(itemsets, key=lambda items: (len(items), items)))
        return tuple(in_order if sides == Sides() else (rule for rule in in_order if sides.allow(*rule)))
    rules = [
        (antecedent, consequent)
        for antecedent, consequent in _split_by_mlxtend(search_result)
        if sides.allow(antecedent, consequent) and tuple(sorted(antecedent + consequent)) in itemsets
    ]
    return tuple(sorted(rules, key=_order))


def _order(rule: Pair) -> tuple[int, Columns, int, Columns]:
    antecedent, consequent = rule
    return (
        len(antecedent) + len(consequent),
        tuple(sorted(antecedent + consequent)),
        len(antecedent),
        antecedent,
    )


def closed_table(search_result: SearchResult) -> dict[Columns, float]:
    """Give every listed itemset and each of its subsets a support that mlxtend can use.

    Parameters
    ----------
    search_result : SearchResult
        Result of the search.

    Returns
    -------
    dict of Columns to float
        Supports in (0, 1], none below that of a superset.

    Notes
    -----
    All subsets of a listed itemset were kept, so they were estimated.
    """
    values = dict(zip(search_result.frequent, search_result.estimates.value.tolist(), strict=True))
    table: dict[Columns, float] = {}
    itemsets = [items for items, on in zip(search_result.frequent, search_result.listed, strict=True) if on]
    for items in reversed(itemsets):
        table[items] = max(table.get(items, 0.0), _clamp_support(values[items]))
    for size in range(max(map(len, itemsets), default=0), 1, -1):
        for items in [items for items in table if len(items) == size]:
            for subset in combinations(items, size - 1):
                table[subset] = max(table.get(subset, _clamp_support(values[subset])), table[items])
    return table


def _clamp_support(support: float) -> float:
    # mlxtend divides by supports, so a support of 0 or less becomes the smallest normal number.
    return min(max(support, np.finfo(np.float64).tiny), 1.0)


def _split_by_mlxtend(search_result: SearchResult) -> Iterator[Pair]:
    table = closed_table(search_result)
    if not table:
        return
    # Imported here because the web process and the sweeper must not load pandas.
    import pandas as pd
    from mlxtend.frequent_patterns import association_rules

    frame = pd.DataFrame({"support": list(table.values()), "itemsets": [frozenset(items) for items in table]})
    rules = association_rules(frame, metric="support", min_threshold=0.0, return_metrics=["support"])
    for antecedent, consequent in zip(rules["antecedents"], rules["consequents"], strict=True):
        yield tuple(sorted(antecedent)), tuple(sorted(consequent))


def split_rules(itemsets: Iterable[Columns]) -> Iterator[Pair]:
    """Yield every antecedent and consequent into which each itemset can be split, shorter antecedents first.

    Parameters
    ----------
    itemsets : iterable of tuple of int
        Itemsets of two items or more.

    Examples
    --------
    >>> list(split_rules([(3, 5, 7)]))[:3]
    [((3,), (5, 7)), ((5,), (3, 7)), ((7,), (3, 5))]
    """
    for items in itemsets:
        for size in range(1, len(items)):
            # The complements of combinations in order are the other combinations in the reverse order.
            others = reversed(list(combinations(items, len(items) - size)))
            yield from zip(combinations(items, size), others, strict=True)


def measured_rules(
    count_cache: CountCache,
    design: Design,
    rules: Sequence[Pair],
    thresholds: Thresholds,
    *,
    progress: ProgressListener = ignore_progress,
) -> RuleTable:
    """Estimate rules and keep those that reach the confidence and lift thresholds.

    Parameters
    ----------
    count_cache : CountCache
        Counts of the rows. Missing counts are added, because all supports of one rule use the same rows.
    design : Design
    rules : sequence of (Columns, Columns)
    thresholds : Thresholds
        A confidence of 0 and a lift of None set no threshold.
    progress : callable
        Called after every few thousand rules.
    """
    sides: list[Pair] = []
    parts: list[RuleValues] = []
    counted = counted_in_chunks(count_cache, rules)
    for some in chunks(rules, stage="rules", progress=progress):
        values = rule_values(next(counted), some, design)
        places = np.flatnonzero(_meets_thresholds(values, thresholds))
        sides += [some[index] for index in places.tolist()]
        parts.append(take(values, places))
    return RuleTable(sides=tuple(sides), values=concatenate(parts), counts=count_cache.counts, design=design)


_CHUNKS_COUNTED_AT_ONCE: Final = 8
"""Counting and estimating plan the same events, and `privacy.estimation.required_counts` keeps 16 plans."""


def counted_in_chunks(count_cache: CountCache, events: Sequence[Pair]) -> Iterator[SupportCounts]:
    """Yield the counts of each chunk of events, together with those of all earlier ones.

    Parameters
    ----------
    count_cache : CountCache
    events : sequence of pair of itemset
    """
    for start in range(0, max(1, len(events)), _CHUNKS_COUNTED_AT_ONCE * AT_A_TIME):
        some = events[start : start + _CHUNKS_COUNTED_AT_ONCE * AT_A_TIME]
        counts = count_cache.need(required_counts(some, count_cache.matrix.design))
        for _ in range(0, max(1, len(some)), AT_A_TIME):
            yield counts


def _meets_thresholds(values: RuleValues, thresholds: Thresholds) -> Flags:
    passes = np.ones(len(values), dtype=bool)
    if thresholds.confidence > 0:
        passes &= values.confidence >= thresholds.confidence - ROUNDING
    if thresholds.lift is not None:
        passes &= values.lift >= thresholds.lift - ROUNDING
    return passes


NO_RULE: Final = -1


def explained_by(rules: RuleTable) -> Whole:
    """Find the shorter rule, if any, that makes each rule redundant.

    Parameters
    ----------
    rules : RuleTable

    Returns
    -------
    int array, shape (len(rules),)
        Position of the shortest and strongest such rule; `NO_RULE` (-1) if there is none.

    Notes
    -----
    A rule A -> B is redundant if a listed rule A' -> B, with only some items A' of A, has a confidence that
    reaches the lower 95% limit of A -> B: the further items then add nothing beyond the error. Comparing lift
    is equivalent, since both rules divide by the share of B. This makes more rules redundant than comparing
    the confidences alone. A rule that cannot be estimated is redundant whenever a shorter one is listed.
    """
    result = np.full(len(rules), NO_RULE, dtype=np.int64)
    confidence = rules.values.confidence
    shorter = _ShorterRules(rules)
    for number in range(1, int(shorter.lengths.max(initial=0))):
        left = np.flatnonzero((result == NO_RULE) & (shorter.lengths > number))
        strongest = shorter.strongest(left, number)
        positions, others = left[strongest != NO_RULE], strongest[strongest != NO_RULE]
        # An interval contains its estimate, so only a rule stronger than the shorter one needs its limit.
        enough = (confidence[others] >= confidence[positions]) & (confidence[positions] >= 0)
        unclear = np.flatnonzero(~enough).tolist()
        for places in chunks(unclear, stage="intervals", progress=ignore_progress):
            some = [rules.sides[position] for position in positions[places].tolist()]
            enough[places] = confidence[others[places]] >= confidence_lows(rules.counts, some, rules.design)
        result[positions[enough]] = others[enough]
    return result


class _ShorterRules:
    """Finds rules with the same consequent and fewer items before the arrow, without a loop over rules."""

    def __init__(self, rules: RuleTable) -> None:
        self._rules, self._sides = rules, rules.numbered
        self._numbers = {itemset: number for number, itemset in enumerate(self._sides.itemsets)}
        self.lengths = np.array([len(antecedent) for antecedent, _ in rules.sides], dtype=np.int64)
        codes = self._sides.codes(self._sides.antecedents, self._sides.consequents)
        self._order = np.argsort(codes)
        self._codes = codes[self._order]

    def strongest(self, positions: Whole, number: int) -> Whole:
        """Return, for rules, the listed one with `number` items of the antecedent and most confidence."""
        result = np.full(len(positions), NO_RULE, dtype=np.int64)
        antecedents, which = np.unique(self._sides.antecedents[positions], return_inverse=True)
        names = self._sides.itemsets
        for length in np.unique(self.lengths[positions]).tolist():
            of_length = np.flatnonzero(self.lengths[positions] == length)
            parts = np.full((len(antecedents), math.comb(length, number)), NO_RULE, dtype=np.int64)
            for row, antecedent in enumerate(antecedents.tolist()):
                if len(names[antecedent]) == length:
                    parts[row] = [
                        self._numbers.get(part, NO_RULE) for part in combinations(names[antecedent], number)
                    ]
            shorter = self._listed(
                parts[which[of_length]], self._sides.consequents[positions[of_length], None]
            )
            confidence = np.where(shorter == NO_RULE, np.nan, self._rules.values.confidence[shorter])
            # Of equal confidences the first counts.
            best = np.where(np.isnan(confidence), -np.inf, confidence).argmax(axis=1)[:, None]
            is_known = ~np.isnan(confidence).all(axis=1)
            result[of_length] = np.where(is_known, np.take_along_axis(shorter, best, axis=1)[:, 0], NO_RULE)
        return result

    def _listed(self, before: Whole, after: Whole) -> Whole:
        """Return the positions of the rules with these sides; `NO_RULE` for rules that are not listed."""
        codes = self._sides.codes(before, after)
        place = np.minimum(np.searchsorted(self._codes, codes), len(self._codes) - 1)
        is_listed = (before != NO_RULE) & (self._codes[place] == codes)
        return np.where(is_listed, self._order[place], NO_RULE)
