"""Inference on a run: tests, selection, redundancy and fragility of its rules.

Figures of both groups together for the itemsets of a run, where there are two groups.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from mining.columns.count_cache import CountCache
from mining.family import Family, itemset_family, rule_family
from mining.fragility import NEVER, fragility
from mining.interest import interest
from mining.itemset_table import concatenate
from mining.pipeline import MiningResult
from mining.progress import Progress, ProgressListener, chunks, ignore_progress
from mining.redundancy import closed_itemsets, closed_terms, explained_by, maximal_itemsets
from mining.significance import Decisions, decisions, selection_level
from mining.thresholds import Thresholds
from privacy.arrays import Array, Flags, Whole
from privacy.estimation import Columns, required_counts, support_intervals
from privacy.estimation.design_index import index_of
from privacy.estimation.intervals import measure_rules
from privacy.estimation.measures import MeasuredArray, RuleTable
from privacy.estimation.one_sided_tests import Hypothesis, p_values
from privacy.estimation.stratum_homogeneity import HomogeneityTest, stratum_homogeneity_test
from privacy.survey.design import Design

__all__ = [
    "MOST_FLIPS",
    "NOT_SEARCHED",
    "Families",
    "Inference",
    "families",
    "group_tests",
    "infer",
]


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
    estimator, target = thresholds.estimator, thresholds.target
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
        measure_rules(result.counts, some, design, level=rule_level, estimator=estimator, target=target)
        for some in chunks(sides, stage="intervals", progress=progress)
    ]
    supports = [
        support_intervals(
            result.counts, some, design, level=itemset_level, estimator=estimator, target=target
        )
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
        closed=closed_itemsets(result.itemsets, counts, design, estimator),
    )


def _p_values(
    result: MiningResult, progress: ProgressListener, hypothesis: Hypothesis = "lift", above: float = 1.0
) -> Array:
    thresholds = result.thresholds
    return np.concatenate(
        [
            p_values(
                result.counts,
                some,
                result.design,
                estimator=thresholds.estimator,
                target=thresholds.target,
                hypothesis=hypothesis,
                above=above,
            )
            for some in chunks(result.rules.sides, stage="tests", progress=progress)
        ]
    )


def _fragility(result: MiningResult, lift: Decisions, progress: ProgressListener) -> Whole:
    numbers = np.full(len(result.rules), NOT_SEARCHED, dtype=np.int64)
    promising = np.argsort(lift.p_values, kind="stable")[:MOST_FLIPS].tolist()
    thresholds = result.thresholds
    progress(Progress(stage="flips", done=0, total=len(promising)))
    for places in chunks(promising, stage="flips", progress=progress):
        numbers[places] = fragility(
            result.counts,
            [result.rules.sides[index] for index in places],
            result.design,
            lift.cut_off[places],
            estimator=thresholds.estimator,
            target=thresholds.target,
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
