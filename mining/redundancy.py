"""Redundant rules, and itemsets that others imply."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Final, TypeAlias

import numpy as np

from mining.itemset_table import ItemsetTable
from mining.rules import RuleTable
from privacy.arrays import Flags, Whole
from privacy.estimation import Columns, SupportCounts, required_counts
from privacy.estimation.moments import Scores
from privacy.estimation.required_counts import contingency_tables
from privacy.estimation.shapes import FIRST, SECOND
from privacy.survey.design import Design

__all__ = ["NONE", "closed_itemsets", "closed_terms", "explained_by", "maximal_itemsets"]

Pair: TypeAlias = tuple[Columns, Columns]

NONE: Final = -1
_NORMAL: Final = 1.959963984540054


def explained_by(rules: RuleTable) -> Whole:
    """Say which shorter rule, if any, makes a rule redundant.

    Parameters
    ----------
    rules : RuleTable

    Returns
    -------
    int array, shape (len(rules),)
        Position of the shortest and strongest such rule, `NONE` (-1) where there is none.

    Notes
    -----
    A rule A -> B is redundant if a listed rule A' -> B with fewer items A' of A has a confidence that reaches
    the lower 95% limit of this one's: the further items add nothing beyond the error. With lift it is the
    same question, both rules having the share of B below them. More rules are redundant than by a plain
    comparison of confidences; one that is not estimable always is, if a shorter one is listed.
    """
    position_of = {sides: position for position, sides in enumerate(rules.sides)}
    confidence = rules.measures.confidence
    result = np.full(len(rules), NONE, dtype=np.int64)
    for position, (antecedent, consequent) in enumerate(rules.sides):
        for size in range(1, len(antecedent)):
            shorter = [position_of.get((part, consequent), NONE) for part in combinations(antecedent, size)]
            enough = [
                other
                for other in shorter
                if other != NONE and confidence.value[other] >= confidence.low[position]
            ]
            if enough:
                result[position] = max(enough, key=lambda other: confidence.value[other])
                break
    return result


def maximal_itemsets(itemsets: Sequence[Columns]) -> Flags:
    """Say which itemsets have no listed itemset above them.

    Parameters
    ----------
    itemsets : sequence of tuple of int
        That are listed, each with its items ascending.

    Examples
    --------
    >>> maximal_itemsets([(0,), (1,), (2,), (0, 1)]).tolist()
    [False, False, True, True]
    """
    # Raw estimates may list a set without all its subsets, so every subset is looked at, not the longest.
    below = {
        part for items in itemsets for size in range(1, len(items)) for part in combinations(items, size)
    }
    return np.array([items not in below for items in itemsets], dtype=bool)


def _covers(table: ItemsetTable) -> list[Pair]:
    """Listed itemsets with the listed itemsets of one item more."""
    return [
        (part, items)
        for items in table.itemsets
        if len(items) > 1
        for part in combinations(items, len(items) - 1)
        if part in table.position_of
    ]


def closed_terms(table: ItemsetTable, design: Design) -> tuple[Columns, ...]:
    """Return the sets of columns whose counts `closed_itemsets` needs.

    Parameters
    ----------
    table : ItemsetTable
        That are listed.
    design : Design
        Design of the rows.
    """
    return required_counts(_covers(table), design)


def closed_itemsets(table: ItemsetTable, counts: SupportCounts, design: Design, estimator: str) -> Flags:
    """Say which listed itemsets lose rows, beyond the error, with any item added.

    Parameters
    ----------
    table : ItemsetTable
        That are listed.
    counts : SupportCounts
        Counts of what `closed_terms` names.
    design : Design
        Design of the rows.
    estimator : str
        "stratified" or "pooled".

    Notes
    -----
    An itemset is closed if no listed set of one item more is as frequent. On disguised rows "as frequent"
    means that the difference of both supports is at most 1.96 times its standard error about these
    respondents, from the covariance of the two; on open rows that error is 0: the usual definition.
    """
    pairs = _covers(table)
    result = np.ones(len(table), dtype=bool)
    for part in contingency_tables(counts, pairs, design):
        scores = Scores.of(part, estimator)  # type: ignore[arg-type]  # Scores checks it
        covariance = scores.respondents_covariance
        variance = covariance[FIRST, FIRST] + covariance[SECOND, SECOND] - 2 * covariance[FIRST, SECOND]
        error = np.sqrt(np.maximum(variance, 0.0))
        same = scores.value[FIRST] - scores.value[SECOND] <= _NORMAL * error + 1e-12
        for position in part.positions[same].tolist():
            result[table.position_of[pairs[position][0]]] = False
    return result
