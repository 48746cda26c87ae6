"""Measures of a rule, and inference on a run: tests, selection, redundancy and fragility of its rules.

If there are two groups, the estimates of a run's itemsets combine both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from mining import Progress, ProgressListener, chunks, ignore_progress
from mining.closed_itemsets import closed_itemsets, maximal_itemsets
from mining.columns.count_cache import CountCache
from mining.family import Family, itemset_family, rule_family
from mining.fragility import MOST_FLIPS, NOT_SEARCHED, fragility
from mining.interest import interest
from mining.itemsets import listed_supports
from mining.multiple_testing import Decisions, decisions, selection_level
from mining.pipeline import MiningResult
from mining.rules import explained_by
from mining.thresholds import Thresholds
from privacy.arrays import Array, Flags, Whole
from privacy.estimation.array_tables import MeasuredArray
from privacy.estimation.counts import Columns
from privacy.estimation.design_index import index_of
from privacy.estimation.homogeneity import HomogeneityTest, stratum_homogeneity_test
from privacy.estimation.required_counts import required_counts
from privacy.estimation.rule_sides import Rule
from privacy.estimation.rule_tables import RuleTable
from privacy.estimation.rule_tests import Hypothesis, p_values
from privacy.estimation.rule_values import RuleValues
from privacy.survey.design import Design


@dataclass(frozen=True, kw_only=True)
class Families:
    """The families of a run, fixed before its first row is read."""

    lift: Family
    confidence: Family
    itemsets: Family


def families(design: Design, thresholds: Thresholds) -> Families:
    """Count the hypotheses that a design and a run's thresholds allow.

    Parameters
    ----------
    design : Design
        Design of the rows that are searched.
    thresholds : Thresholds
        Thresholds of the run.
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
        Test of "lift above 1", rule by rule.
    confidence : Decisions or None
        Test of "confidence above the run's threshold"; None without a threshold.
    rule_level, itemset_level : float
        Levels of the intervals below: 1 - .05 R/M, with R listed of M possible.
    explained_by : int array
        Position of a shorter rule that makes a rule redundant, or -1.
    fragility : int array
        Number of all-yes rows that change the result of the lift test; -1 if none does, -2 if not searched.
    maximal, closed : bool array
        Of the listed itemsets.
    result : MiningResult
        The rules and itemsets.
    """

    families: Families
    lift: Decisions
    confidence: Decisions | None
    rule_level: float
    itemset_level: float
    explained_by: Whole
    fragility: Whole
    maximal: Flags
    closed: Flags
    result: MiningResult = field(repr=False)

    @cached_property
    def rules(self) -> RuleTable:
        """Measures of the listed rules with intervals at `rule_level`."""
        return self.result.rules.measured(level=self.rule_level)

    @cached_property
    def itemsets(self) -> MeasuredArray:
        """Supports of the listed itemsets with intervals at `itemset_level`."""
        result = self.result
        return listed_supports(
            result.counts, result.itemsets.itemsets, result.design, level=self.itemset_level
        )

    @cached_property
    def interest(self) -> dict[str, Array]:
        """Further measures of the listed rules, by the names of `mining.interest.INTEREST`."""
        return further_values(self.result.rules.values)


def further_values(values: RuleValues) -> dict[str, Array]:
    """Return the measures of `mining.interest.INTEREST` of rules.

    Parameters
    ----------
    values : RuleValues
    """
    # The estimate of a rare itemset may be 0, and measures that divide by it are then undefined.
    with np.errstate(divide="ignore", invalid="ignore"):
        antecedent = values.support / values.confidence
        consequent = values.confidence / values.lift
    return interest(values.support, antecedent, consequent)


def infer(
    result: MiningResult, count_cache: CountCache, *, progress: ProgressListener = ignore_progress
) -> Inference:
    """Test the rules and itemsets of a run.

    Parameters
    ----------
    result : MiningResult
    count_cache : CountCache
        Cache of the same rows; missing counts are added.
    progress : callable

    Notes
    -----
    A plain interval is valid for a rule chosen in advance. For listed rules, intervals at level 1 - .05 R/M
    miss on average at most one true value in twenty.
    """
    design, thresholds, sides = result.design, result.thresholds, result.rules.sides
    own_families = families(design, thresholds)
    sizes = [len(antecedent) + len(consequent) for antecedent, consequent in sides]
    progress(Progress(stage="tests", done=0, total=len(sides)))
    # A -> B and B -> A are one hypothesis, and one test.
    first, hypotheses = result.rules.numbered.undirected()
    directed = [sides[position] for position in first.tolist()]
    different = [min(rule, rule[::-1]) for rule in directed]
    tested = _p_values(result, different, ("lift", 1.0), progress)
    lift = decisions(tested[hypotheses], hypotheses.tolist(), sizes, own_families.lift)
    confidence = None
    if thresholds.confidence > 0:
        raw = _p_values(result, sides, ("confidence", thresholds.confidence), progress)
        confidence = decisions(raw, sides, sizes, own_families.confidence)
    return Inference(
        families=own_families,
        lift=lift,
        confidence=confidence,
        rule_level=selection_level(len(different), own_families.lift.total),
        itemset_level=selection_level(len(result.itemsets), own_families.itemsets.total),
        explained_by=explained_by(result.rules),
        fragility=_fragility(result, lift, progress),
        maximal=maximal_itemsets(result.itemsets.itemsets),
        closed=closed_itemsets(result.itemsets, count_cache, design),
        result=result,
    )


def _p_values(
    result: MiningResult, rules: Sequence[Rule], tested: tuple[Hypothesis, float], progress: ProgressListener
) -> Array:
    hypothesis, above = tested
    return np.concatenate(
        [
            p_values(result.counts, some, result.design, hypothesis=hypothesis, above=above)
            for some in chunks(rules, stage="tests", progress=progress)
        ]
    )


def _fragility(result: MiningResult, lift: Decisions, progress: ProgressListener) -> Whole:
    numbers = np.full(len(result.rules), NOT_SEARCHED, dtype=np.int64)
    promising = np.argsort(lift.p_values, kind="stable")[:MOST_FLIPS].tolist()
    progress(Progress(stage="flips", done=0, total=len(promising)))
    for places in chunks(promising, stage="flips", progress=progress):
        rules = [result.rules.sides[index] for index in places]
        numbers[places] = fragility(result.counts, rules, result.design, lift.cut_off[places])
    return numbers


_AT_A_TIME = 512
"""Itemsets per progress report: about half a second."""


def group_tests(
    result: MiningResult,
    count_cache: CountCache,
    *,
    least_direct: int,
    progress: ProgressListener = ignore_progress,
) -> dict[Columns, HomogeneityTest]:
    """Test for every listed itemset that both groups contain whether they agree.

    Parameters
    ----------
    result : MiningResult
    count_cache : CountCache
        Cache of the same rows; missing counts are added.
    least_direct : int
        Fewest direct rows with which the groups of an itemset may be compared.
    progress : callable
    """
    design = result.design
    index = index_of(design)
    supports = result.itemsets.estimates
    has_both = (supports.n_direct >= least_direct) & (supports.n_protected > 0)
    selection = [
        items
        for items in (result.itemsets.itemsets[position] for position in np.flatnonzero(has_both).tolist())
        # With p = 0, the protected group reveals nothing.
        if all(index.is_open[item] or index.truth[1, index.block[item]] for item in items)
    ]
    counts = count_cache.need(required_counts(selection, design))
    tests: dict[Columns, HomogeneityTest] = {}
    for some in chunks(selection, stage="groups", progress=progress, size=_AT_A_TIME):
        tests |= dict(zip(some, stratum_homogeneity_test(counts, some, design), strict=True))
    return tests
