"""Inference on a run: tests, selection, redundancy and fragility of its rules.

Figures of both groups together for the itemsets of a run, where there are two groups.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np

from mining.columns.count_cache import CountCache
from mining.family import Decisions, Family, decisions, itemset_family, rule_family, selection_level
from mining.interest import interest
from mining.pipeline import MiningResult
from mining.progress import Progress, ProgressListener, chunks, ignore_progress
from mining.rules import closed_itemsets, closed_terms, explained_by, maximal_itemsets
from mining.thresholds import Thresholds, concatenate
from privacy.arrays import Array, Flags, Whole
from privacy.estimation.counts import Columns, SupportCounts
from privacy.estimation.design_index import index_of
from privacy.estimation.equations import Equation
from privacy.estimation.estimates import MeasuredArray, RuleTable
from privacy.estimation.fit_check import HomogeneityTest, stratum_homogeneity_test
from privacy.estimation.intervals import (
    Hypothesis,
    Rule,
    measure_rules,
    p_values,
    p_values_of_cells,
    support_intervals,
)
from privacy.estimation.moments import ContingencyTables, Scores
from privacy.estimation.required_counts import contingency_tables, required_counts
from privacy.survey.design import Design

_Passes: TypeAlias = Callable[[Whole], Flags]

NEVER: Final = -1
"""No number of such rows turns the test."""


def fragility(
    counts: SupportCounts,
    rules: Sequence[Rule],
    design: Design,
    cut_off: Array,
) -> Whole:
    """Count the all-yes rows that turn the test "lift above 1" of each rule.

    Parameters
    ----------
    counts : SupportCounts
        Holds at least `required_counts(rules, design)`.
    rules : sequence of (Columns, Columns)
    design : Design
    cut_off : float array, shape (len(rules),)
        The p-value that each rule has to meet; held as it is.

    Returns
    -------
    int array, shape (len(rules),)
        A rule that fails would pass with so many more rows of the protected group that show all its items. A
        rule that passes would fail without so many of those that were received: if that many of them were
        sent to make it pass, it is worth nothing. `NEVER` (-1) where no number does it.

    Notes
    -----
    A row that shows all items of both sides has the influence (1-P(A))(1-P(B)) > 0 on the leverage, so such
    rows can make a rule but never break one. Where devices draw questions, a forged row says it was asked
    those that help most, and yes to all of them. A row of the protected group is disguised more than a direct
    one, so it scores more and weighs more. The search doubles the number and then halves the interval.

    Examples
    --------
    >>> from privacy.survey.design import Block, GroupPolicy, Question
    >>> ask = tuple(Question(key=key, kind="yes_no", options=(), unrelated=(5000,)) for key in "ab")
    >>> design = Design(group=GroupPolicy(), use="live", blocks=(Block(key="b", protected=True,
    ...     truth_probability=5000, refusal=None, asked_if=None, questions=ask),))
    >>> even = SupportCounts({(): (0, 1000), (0,): (0, 500), (1,): (0, 500), (0, 1): (0, 250)})
    >>> fragility(even, [((0,), (1,))], design, np.array([0.05])).tolist()
    [61]
    """
    result = np.full(len(rules), NEVER, dtype=np.int64)
    for part in contingency_tables(counts, rules, design):
        limit, cell = cut_off[part.positions], _cell(part)

        def passes(
            change: Whole,
            part: ContingencyTables = part,
            cell: Whole = cell,
            limit: Array = limit,
        ) -> Flags:
            changed = _changed(part, cell, change)
            return np.asarray(p_values_of_cells(changed, hypothesis="lift", above=1.0) <= limit)

        rows = part.groups[1].rows
        result[part.positions] = _search(part, rows[np.arange(len(rows)), cell], passes)
    return result


def _changed(part: ContingencyTables, cell: Whole, change: Whole) -> ContingencyTables:
    """Return the cells with so many more of these rows."""
    rows = part.groups[1].rows.copy()
    rows[np.arange(len(rows)), cell] += change
    return part.with_rows(rows)


def _cell(part: ContingencyTables) -> Whole:
    """Return the cell of forged rows: of those that match all they were asked the one that helps most."""
    constant, _ = Equation(measure="leverage", scores=Scores.of(part)).cells
    own = constant[:, part.groups[0].rows.shape[1] :]
    best: Whole = np.where(part.all_yes, own, -np.inf).argmax(axis=1)
    return best


def _search(part: ContingencyTables, received: Whole, passes: _Passes) -> Whole:
    start = passes(np.zeros(len(part.positions), dtype=np.int64))
    sign = np.where(start, -1, 1)
    # As many as there are can be taken away; ten times as many as all rows can be put in.
    most = np.where(start, received, 10 * part.n + 10)
    # Nothing is left to estimate from without rows.
    most = np.where(start & (most >= part.n), most - 1, most)
    low, high = np.zeros_like(most), np.minimum(1, most)
    turned = passes(sign * high) != start
    # Doubling, because far too many rows drive the estimates beyond 1, where the test turns back.
    while (growing := ~turned & (high < most)).any():
        low = np.where(growing, high, low)
        high = np.where(growing, np.minimum(2 * high, most), high)
        turned |= growing & (passes(sign * high) != start)
    while (open_ones := turned & (high - low > 1)).any():
        middle = np.where(open_ones, (low + high) // 2, high)
        other = passes(sign * middle) != start
        high = np.where(open_ones & other, middle, high)
        low = np.where(open_ones & ~other, middle, low)
    return np.where(turned & (most > 0), high, NEVER)


MOST_FLIPS: Final = 500
"""Flips are searched for that many rules, those with the smallest p-values: each takes some thirty tests."""

NOT_SEARCHED: Final = NEVER - 1


@dataclass(frozen=True, kw_only=True)
class Families:
    """The families of a run, known before its first row is read."""

    lift: Family
    confidence: Family
    itemsets: Family


def families(design: Design, thresholds: Thresholds) -> Families:
    """Count the hypotheses that a design and the thresholds of a run permit.

    Parameters
    ----------
    design : Design
        Design of the rows that are searched.
    thresholds : Thresholds
        Of the run.
    """
    size = thresholds.max_size
    return Families(
        lift=rule_family(design, thresholds.sides, size, ordered=False),
        confidence=rule_family(design, thresholds.sides, size, ordered=True),
        itemsets=itemset_family(design, size),
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class Inference:
    """Inference on a run's listed itemsets and rules.

    Attributes
    ----------
    families : Families
    lift : Decisions
        Of "lift above 1", rule by rule.
    confidence : Decisions or None
        Of "confidence above the run's threshold"; None without one.
    rule_level, itemset_level : float
        Levels of the intervals below: 1 - .05 R/M, for the R listed of M possible.
    rules : RuleTable
        Measures of the listed rules with such intervals.
    itemsets : MeasuredArray
        Supports of the listed itemsets with such intervals.
    explained_by : int array
        Position of a shorter rule that makes a rule redundant, or -1.
    fragility : int array
        Number of all-yes rows that turn the test of lift; -1 for none, -2 where it was not searched.
    interest : dict of str to float array
    maximal, closed : bool array
        Of the listed itemsets.
    """

    families: Families
    lift: Decisions
    confidence: Decisions | None
    rule_level: float
    itemset_level: float
    rules: RuleTable
    itemsets: MeasuredArray
    explained_by: Whole
    fragility: Whole
    interest: dict[str, Array]
    maximal: Flags
    closed: Flags


def infer(
    result: MiningResult,
    count_cache: CountCache,
    *,
    progress: ProgressListener = ignore_progress,
) -> Inference:
    """Test the rules and itemsets of a run.

    Parameters
    ----------
    result : MiningResult
    count_cache : CountCache
        Of the same rows; counts what is still missing.
    progress : callable

    Notes
    -----
    An interval of the run holds for a rule that was named in advance. For those the run lists, intervals at
    level 1 - .05 R/M miss on average at most one truth in twenty among the listed.
    """
    design, thresholds, sides = result.design, result.thresholds, result.rules.sides
    own_families = families(design, thresholds)
    sizes = [len(antecedent) + len(consequent) for antecedent, consequent in sides]
    progress(Progress(stage="tests", done=0, total=len(sides)))
    unordered = [frozenset(pair) for pair in sides]
    lift = decisions(_p_values(result, progress), unordered, sizes, own_families.lift)
    confidence = None
    if thresholds.confidence > 0:
        raw = _p_values(result, progress, "confidence", thresholds.confidence)
        confidence = decisions(raw, sides, sizes, own_families.confidence)
    rule_level = selection_level(len(set(unordered)), own_families.lift.total)
    itemset_level = selection_level(len(result.itemsets), own_families.itemsets.total)
    measures = result.rules.measures
    listed = [
        measure_rules(result.counts, some, design, level=rule_level)
        for some in chunks(sides, stage="intervals", progress=progress)
    ]
    supports = [
        support_intervals(result.counts, some, design, level=itemset_level)
        for some in chunks(result.itemsets.itemsets, stage="intervals", progress=progress)
    ]
    counts = result.counts.merge(count_cache.need(closed_terms(result.itemsets, design)))
    # A rare itemset may have no share to divide by: then it has no such measure.
    with np.errstate(divide="ignore", invalid="ignore"):
        antecedent = measures.support.value / measures.confidence.value
        consequent = measures.confidence.value / measures.lift.value
    return Inference(
        families=own_families,
        lift=lift,
        confidence=confidence,
        rule_level=rule_level,
        itemset_level=itemset_level,
        rules=concatenate(listed),
        itemsets=concatenate(supports),
        explained_by=explained_by(result.rules),
        fragility=_fragility(result, lift, progress),
        interest=interest(measures.support.value, antecedent, consequent),
        maximal=maximal_itemsets(result.itemsets.itemsets),
        closed=closed_itemsets(result.itemsets, counts, design),
    )


def _p_values(
    result: MiningResult, progress: ProgressListener, hypothesis: Hypothesis = "lift", above: float = 1.0
) -> Array:
    return np.concatenate(
        [
            p_values(result.counts, some, result.design, hypothesis=hypothesis, above=above)
            for some in chunks(result.rules.sides, stage="tests", progress=progress)
        ]
    )


def _fragility(result: MiningResult, lift: Decisions, progress: ProgressListener) -> Whole:
    numbers = np.full(len(result.rules), NOT_SEARCHED, dtype=np.int64)
    promising = np.argsort(lift.p_values, kind="stable")[:MOST_FLIPS].tolist()
    progress(Progress(stage="flips", done=0, total=len(promising)))
    for places in chunks(promising, stage="flips", progress=progress):
        numbers[places] = fragility(
            result.counts,
            [result.rules.sides[index] for index in places],
            result.design,
            lift.cut_off[places],
        )
    return numbers


_AT_A_TIME = 512
"""Itemsets between two reports of progress: about half a second."""


def group_tests(
    result: MiningResult,
    count_cache: CountCache,
    *,
    least_direct: int,
    progress: ProgressListener = ignore_progress,
) -> dict[Columns, HomogeneityTest]:
    """Test whether the groups agree, for every listed itemset that both contain.

    Parameters
    ----------
    result : MiningResult
    count_cache : CountCache
        Of the same rows; counts what is still missing.
    least_direct : int
        Direct rows from which on the groups of an itemset may be distinguished.
    progress : callable
    """
    design = result.design
    index = index_of(design)
    shown = [
        itemset.items
        for itemset in result.itemsets
        if itemset.estimate.n_direct >= least_direct
        and itemset.estimate.n_protected
        # p = 0: the protected group says nothing of its own.
        and all(index.is_open[item] or index.truth[1, index.block[item]] for item in itemset.items)
    ]
    counts = count_cache.need(required_counts(shown, design))
    tests: dict[Columns, HomogeneityTest] = {}
    for some in chunks(shown, stage="groups", progress=progress, size=_AT_A_TIME):
        tests |= dict(zip(some, stratum_homogeneity_test(counts, some, design), strict=True))
    return tests
