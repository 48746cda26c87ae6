"""Association rules between itemsets that were found; every measure from raw estimates."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final, TypeAlias

import numpy as np

from mining.candidates import MLXTEND
from mining.columns.count_cache import CountCache
from mining.itemset_table import concatenate, take
from mining.itemsets import ROUNDING, SearchResult
from mining.progress import ProgressListener, chunks, ignore_progress
from mining.thresholds import Sides, Thresholds
from privacy.arrays import Flags
from privacy.errors import PrivacyError
from privacy.estimation import Columns, required_counts
from privacy.estimation.intervals import measure_rules
from privacy.estimation.measures import RuleTable as Measures
from privacy.survey.design import Design

__all__ = [
    "MAX_RULES",
    "Pair",
    "RuleTable",
    "closed_table",
    "find_rules",
    "measured_rules",
    "split_rules",
]

Pair: TypeAlias = tuple[Columns, Columns]

MAX_RULES: Final = 1_000_000
"""Most rules of a run, unless the caller allows more."""

_MOST_FOR_MLXTEND: Final = 100_000
"""Beyond, the same rules are listed without a data frame: mlxtend makes some 100,000 a second."""


@dataclass(frozen=True, kw_only=True, eq=False)
class RuleTable:
    """Rules with their measures, in the order of their itemsets, then of their antecedents.

    Attributes
    ----------
    sides : tuple of (Columns, Columns)
        Antecedent and consequent of each rule.
    measures : Measures
        Position i belongs to rule i. Raw: a confidence may come out as 1.2.
    """

    sides: tuple[Pair, ...]
    measures: Measures

    def __len__(self) -> int:
        return len(self.sides)


def find_rules(search_result: SearchResult, sides: Sides, *, max_rules: int = MAX_RULES) -> tuple[Pair, ...]:
    """List every rule that a listed itemset can be split into.

    Parameters
    ----------
    search_result : SearchResult
    sides : Sides
        What may stand on which side.
    max_rules : int
        Refuse to list more, before sides are looked at.

    Returns
    -------
    tuple of (Columns, Columns)
        By size and items of the itemset, then by antecedent: shorter ones first.

    Raises
    ------
    PrivacyError
        ``max_rules``.

    Notes
    -----
    mlxtend's ``association_rules`` splits the itemsets; what it computes from the table is not used. It gets
    the table of `closed_table`, because raw estimates would make it divide by what may be 0 or negative.
    """
    listed = {items for items, on in zip(search_result.frequent, search_result.listed, strict=True) if on}
    many = sum((1 << len(items)) - 2 for items in listed)
    if many > max_rules:
        raise PrivacyError("max_rules", many, max_rules=max_rules)
    by_mlxtend = MLXTEND and many <= _MOST_FOR_MLXTEND
    made = _split_by_mlxtend(search_result) if by_mlxtend else split_rules(listed)
    wanted = [
        (antecedent, consequent)
        for antecedent, consequent in made
        if sides.allow(antecedent, consequent) and tuple(sorted(antecedent + consequent)) in listed
    ]
    return tuple(sorted(wanted, key=_order))


def _order(rule: Pair) -> tuple[int, Columns, int, Columns]:
    antecedent, consequent = rule
    return (
        len(antecedent) + len(consequent),
        tuple(sorted(antecedent + consequent)),
        len(antecedent),
        antecedent,
    )


def closed_table(search_result: SearchResult) -> dict[Columns, float]:
    """Give every listed itemset and each of its subsets a support that mlxtend can work with.

    Parameters
    ----------
    search_result : SearchResult
        Itemsets that the search left.

    Returns
    -------
    dict of Columns to float
        Supports in (0, 1], none below that of a longer itemset that holds it.

    Notes
    -----
    The subsets of a listed itemset were kept, so all of them were estimated.
    """
    values = dict(zip(search_result.frequent, search_result.estimates.value.tolist(), strict=True))
    table: dict[Columns, float] = {}
    listed = [items for items, on in zip(search_result.frequent, search_result.listed, strict=True) if on]
    for items in reversed(listed):
        table[items] = max(table.get(items, 0.0), _clamped(values[items]))
    for size in range(max(map(len, listed), default=0), 1, -1):
        for items in [items for items in table if len(items) == size]:
            for subset in combinations(items, size - 1):
                table[subset] = max(table.get(subset, _clamped(values[subset])), table[items])
    return table


def _clamped(support: float) -> float:
    # The smallest normal number represents "not above 0": mlxtend divides by supports.
    return min(max(support, np.finfo(np.float64).tiny), 1.0)


def _split_by_mlxtend(search_result: SearchResult) -> Iterator[Pair]:
    table = closed_table(search_result)
    if not table:
        return
    # Loaded where it is used: web and sweeper start, and stay, without it.
    import pandas as pd
    from mlxtend.frequent_patterns import association_rules

    frame = pd.DataFrame({"support": list(table.values()), "itemsets": [frozenset(items) for items in table]})
    rules = association_rules(frame, metric="support", min_threshold=0.0, return_metrics=["support"])
    for antecedent, consequent in zip(rules["antecedents"], rules["consequents"], strict=True):
        yield tuple(sorted(antecedent)), tuple(sorted(consequent))


def split_rules(itemsets: Iterable[Columns]) -> Iterator[Pair]:
    """Yield every antecedent and consequent that each itemset can be split into.

    Parameters
    ----------
    itemsets : iterable of tuple of int
        Of two items or more.
    """
    for items in itemsets:
        for size in range(1, len(items)):
            for antecedent in combinations(items, size):
                yield antecedent, tuple(item for item in items if item not in antecedent)


def measured_rules(
    count_cache: CountCache,
    design: Design,
    rules: Sequence[Pair],
    thresholds: Thresholds,
    *,
    progress: ProgressListener = ignore_progress,
) -> RuleTable:
    """Measure rules and keep those that reach the thresholds of confidence and lift.

    Parameters
    ----------
    count_cache : CountCache
        Counts what is still missing: all supports of one rule use the same rows.
    design : Design
    rules : sequence of (Columns, Columns)
    thresholds : Thresholds
        A confidence of 0 and a lift of None set no threshold.
    progress : callable
        Called after every few thousand rules.
    """
    counts = count_cache.need(required_counts(rules, design))
    sides: list[Pair] = []
    parts: list[Measures] = []
    for some in chunks(rules, stage="rules", progress=progress):
        measures = measure_rules(
            counts, some, design, estimator=thresholds.estimator, target=thresholds.target
        )
        places = np.flatnonzero(_reached(measures, thresholds))
        sides += [some[index] for index in places.tolist()]
        parts.append(take(measures, places))
    return RuleTable(sides=tuple(sides), measures=concatenate(parts))


def _reached(measures: Measures, thresholds: Thresholds) -> Flags:
    reached = np.ones(len(measures), dtype=bool)
    if thresholds.confidence > 0:
        reached &= measures.confidence.value >= thresholds.confidence - ROUNDING
    if thresholds.lift is not None:
        reached &= measures.lift.value >= thresholds.lift - ROUNDING
    return reached
