"""Measures of a rule, and inference on a run: tests, selection, redundancy and fragility of its rules.

If there are two groups, the estimates of a run's itemsets combine both.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

import numpy as np
import scipy
from numpy.typing import ArrayLike

from mining import Progress, ProgressListener, chunks, ignore_progress
from mining.columns.counting import CountCache
from mining.family import Decisions, Family, decisions, itemset_family, rule_family, selection_level
from mining.itemset_table import concatenate
from mining.pipeline import MiningResult
from mining.rules import closed_itemsets, closed_terms, explained_by, maximal_itemsets
from mining.thresholds import Thresholds
from privacy.arrays import Array, Flags, Whole
from privacy.estimation.counts import Columns, SupportCounts
from privacy.estimation.design_index import index_of
from privacy.estimation.estimates import MeasuredArray, RuleTable
from privacy.estimation.fit_check import HomogeneityTest, stratum_homogeneity_test
from privacy.estimation.intervals import (
    Equation,
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

_RESIDUE: Final = 1e-12


class Supports:
    """Inputs of measures: shares of rows, and their usual combinations.

    Parameters
    ----------
    support, first, second : array_like of float
        P(AB), P(A), P(B), not clipped to [0, 1].

    Attributes
    ----------
    both, a, b, either : float array
        P(AB), P(A), P(B), P(A or B).
    only_a, only_b, neither : float array
        The other three cells of the table of A and B.
    leverage, forward, backward, other : float array
        P(AB) - P(A)P(B), P(B|A), P(A|B), P(B|no A).
    gain, odds : float array
        P(B|A) - P(B), and the odds ratio.
    """

    def __init__(self, support: ArrayLike, first: ArrayLike, second: ArrayLike) -> None:
        both, a, b = (np.asarray(value, dtype=np.float64) for value in (support, first, second))
        self.both, self.a, self.b = both, a, b
        self.leverage = both - a * b
        self.only_a, self.only_b = _round_off(a - both), _round_off(b - both)
        self.neither = _round_off(1 - a - b + both)
        self.forward, self.backward, self.other = both / a, both / b, self.only_b / (1 - a)
        self.either = a + b - both
        # Odds are meaningless if an estimated cell is below 0.
        cells = np.array([both, self.only_a, self.only_b, self.neither])
        self.odds = np.where(
            (cells >= 0).all(axis=0), both * self.neither / (self.only_a * self.only_b), np.nan
        )
        self.gain = self.forward - b


Formula: TypeAlias = Callable[[Supports], Array]


@dataclass(frozen=True)
class Measure:
    """A measure: its formula as text (for files and the list of columns), its function, and its kind."""

    words: str
    compute: Formula
    kind: Literal["share", "difference", "ratio", "other"] = "other"


def interest(support: ArrayLike, first: ArrayLike, second: ArrayLike) -> dict[str, Array]:
    """Return the measures other than support, confidence, lift, leverage and conviction.

    Parameters
    ----------
    support, first, second : array_like of float
        P(AB), P(A), P(B), not clipped to [0, 1].

    Returns
    -------
    dict of str to float array
        By the names of `INTEREST`; NaN for 0/0 and if an estimate is outside a measure's domain.

    References
    ----------
    Tan, Kumar and Srivastava 2004; names as in R's arules (``interestMeasure``).

    Examples
    --------
    P(A) = .4, P(B) = .5, P(AB) = .3, so leverage .1:

    >>> measures = interest(.3, .4, .5)
    >>> {name: round(float(measures[name]), 4) for name in ("phi", "jaccard", "odds_ratio", "added_value")}
    {'phi': 0.4082, 'jaccard': 0.5, 'odds_ratio': 6.0, 'added_value': 0.25}
    """
    return _measures(INTEREST, support, first, second)


def true_measures(support: float, first: float, second: float) -> dict[str, float]:
    """Return the measures of `WITH_INTERVALS` for known shares, except those that divide by 0.

    Parameters
    ----------
    support, first, second : float
        P(AB), P(A), P(B).

    Examples
    --------
    >>> true_measures(.1, .2, 0)
    {'support': 0.1, 'confidence': 0.5, 'leverage': 0.1, 'conviction': 2.0}
    """
    found = {name: float(value) for name, value in _measures(WITH_INTERVALS, support, first, second).items()}
    return {name: value for name, value in found.items() if np.isfinite(value)}


def _measures(
    measures: Mapping[str, Measure], support: ArrayLike, first: ArrayLike, second: ArrayLike
) -> dict[str, Array]:
    with np.errstate(divide="ignore", invalid="ignore"):
        supports = Supports(support, first, second)
        return {name: measure.compute(supports) for name, measure in measures.items()}


def _round_off(cell: Array) -> Array:
    """Set shares within rounding error of 0 to 0, so that 0/0 does not give an arbitrary ratio."""
    return np.where(np.abs(cell) < _RESIDUE, 0.0, cell)


def _certainty(s: Supports) -> Array:
    return np.where(s.gain == 0, 0.0, np.where(s.gain > 0, s.gain / (1 - s.b), s.gain / s.b))


def _zhang(s: Supports) -> Array:
    scale = np.maximum(s.both * (1 - s.a), s.a * (s.b - s.both))
    return np.where(s.leverage == 0, 0.0, s.leverage / scale)


def _yule(ratio: Array) -> Array:
    """Return (ratio - 1) / (ratio + 1); an infinite ratio is perfect association, 1."""
    return np.where(np.isinf(ratio), 1.0, (ratio - 1) / (ratio + 1))


def _j_measure(s: Supports) -> Array:
    information: Array = scipy.special.xlogy(s.both, s.forward / s.b)
    information = information + scipy.special.xlogy(s.only_a, s.only_a / s.a / (1 - s.b))
    return information


def _gini(s: Supports) -> Array:
    with_a = s.a * (s.forward**2 + (1 - s.forward) ** 2)
    return with_a + (1 - s.a) * (s.other**2 + (1 - s.other) ** 2) - s.b**2 - (1 - s.b) ** 2


def _collective_strength(s: Supports) -> Array:
    agree, expected = s.both + s.neither, s.a * s.b + (1 - s.a) * (1 - s.b)
    return agree / expected * (1 - expected) / (1 - agree)


WITH_INTERVALS: Final[dict[str, Measure]] = {
    "support": Measure("P(AB)", lambda s: s.both, "share"),
    "confidence": Measure("P(B|A)", lambda s: s.forward, "share"),
    "lift": Measure("P(AB) / (P(A)P(B))", lambda s: s.forward / s.b, "ratio"),
    "leverage": Measure("P(AB) - P(A)P(B)", lambda s: s.leverage, "difference"),
    "conviction": Measure("P(A)P(no B) / P(A no B)", lambda s: s.a * (1 - s.b) / s.only_a, "ratio"),
}
"""Measures that also have intervals and errors: columns of every table and file of rules."""

INTEREST: Final[dict[str, Measure]] = {
    "coverage": Measure("P(A)", lambda s: s.a),
    "added_value": Measure("P(B|A) - P(B)", lambda s: s.gain),
    "certainty": Measure("(P(B|A) - P(B)) / (1 - P(B)), below 0 divided by P(B)", _certainty),
    "zhang": Measure("leverage / max(P(AB)(1-P(A)), P(A)(P(B)-P(AB)))", _zhang),
    "jaccard": Measure("P(AB) / P(A or B)", lambda s: s.both / s.either),
    "cosine": Measure("P(AB) / sqrt(P(A)P(B))", lambda s: s.both / np.sqrt(s.a * s.b)),
    "kulczynski": Measure("(P(B|A) + P(A|B)) / 2", lambda s: (s.forward + s.backward) / 2),
    "all_confidence": Measure("min(P(B|A), P(A|B))", lambda s: np.minimum(s.forward, s.backward)),
    "max_confidence": Measure("max(P(B|A), P(A|B))", lambda s: np.maximum(s.forward, s.backward)),
    "imbalance": Measure("|P(A) - P(B)| / P(A or B)", lambda s: np.abs(s.a - s.b) / s.either),
    "phi": Measure(
        "leverage / sqrt(P(A)(1-P(A))P(B)(1-P(B)))",
        lambda s: s.leverage / np.sqrt(s.a * (1 - s.a) * s.b * (1 - s.b)),
    ),
    "kappa": Measure(
        "2 leverage / (P(A)(1-P(B)) + P(B)(1-P(A)))",
        lambda s: 2 * s.leverage / (s.a * (1 - s.b) + s.b * (1 - s.a)),
    ),
    "odds_ratio": Measure("P(AB)P(no A, no B) / (P(A no B)P(B no A))", lambda s: s.odds),
    "yule_q": Measure("(odds ratio - 1) / (odds ratio + 1)", lambda s: _yule(s.odds)),
    "yule_y": Measure("the same of the root of the odds ratio", lambda s: _yule(np.sqrt(s.odds))),
    "j_measure": Measure("P(AB) ln(P(B|A)/P(B)) + P(A no B) ln(P(no B|A)/P(no B))", _j_measure),
    "rule_power": Measure("P(AB) P(B|A)", lambda s: s.both * s.forward),
    "relative_risk": Measure("P(B|A) / P(B|no A)", lambda s: s.forward / s.other),
    "gini": Measure("P(A)(P(B|A)^2 + P(no B|A)^2) + P(no A)(...) - P(B)^2 - P(no B)^2", _gini),
    "collective_strength": Measure(
        "(P(AB)+P(neither)) / expected * (1 - expected) / (1 - observed)", _collective_strength
    ),
}
"""Further measures, by the names that files use. An entry is a column of files and a choice on pages."""


NEVER: Final = -1
"""Result if no number of rows changes a test."""


def fragility(counts: SupportCounts, rules: Sequence[Rule], design: Design, cut_off: Array) -> Whole:
    """Count the all-yes rows that change the result of each rule's test "lift above 1".

    Parameters
    ----------
    counts : SupportCounts
        Holds at least `required_counts(rules, design)`.
    rules : sequence of (Columns, Columns)
    design : Design
    cut_off : float array, shape (len(rules),)
        The p-value threshold of each rule, kept fixed.

    Returns
    -------
    int array, shape (len(rules),)
        Number of protected rows with all items of the rule that a failing rule needs to pass, or that a
        passing rule could lose before it fails, so that forging this many rows would explain the result.
        `NEVER` (-1) if no number does.

    Notes
    -----
    A row with all items of both sides has the influence (1-P(A))(1-P(B)) > 0 on the leverage, so such rows
    can make a rule pass but never fail. If devices draw questions, a forged row claims to have been asked the
    most helpful ones, with yes to all. Protected rows are disguised more than direct ones, so their scores
    are larger. The search doubles the number and then halves the interval.

    Examples
    --------
    >>> from privacy.survey.design import Block, GroupPolicy, Question
    >>> ask = tuple(Question(key=key, kind="yes_no", options=(), unrelated=(5000,)) for key in "ab")
    >>> design = Design(group=GroupPolicy(), use="live", blocks=(Block(key="b", protected=True,
    ...     truth_probability=5000, questions=ask),))
    >>> even = SupportCounts({(): (0, 1000), (0,): (0, 500), (1,): (0, 500), (0, 1): (0, 250)})
    >>> fragility(even, [((0,), (1,))], design, np.array([0.05])).tolist()
    [61]
    """
    result = np.full(len(rules), NEVER, dtype=np.int64)
    for part in contingency_tables(counts, rules, design):
        result[part.positions] = _search(part, cut_off[part.positions])
    return result


def _cell(part: ContingencyTables) -> Whole:
    """Return the cell of forged rows: the most helpful one of rows with yes to everything they were asked."""
    constant, _ = Equation(measure="leverage", scores=Scores.of(part)).cells
    own = constant[:, part.groups[0].rows.shape[1] :]
    return np.asarray(np.where(part.matching_cells, own, -np.inf).argmax(axis=1))


def _search(part: ContingencyTables, limit: Array) -> Whole:
    rows, cell, every = part.groups[1].rows, _cell(part), np.arange(len(part.positions))

    def passes(which: Whole, change: Whole) -> Flags:
        again = np.tile(which, len(change))
        forged = rows[again]
        forged[np.arange(len(again)), cell[again]] += change.ravel()
        p_values = p_values_of_cells(part.with_rows(forged, again), hypothesis="lift", above=1.0)
        return np.asarray(p_values <= limit[again]).reshape(change.shape)

    start = passes(every, np.zeros((1, len(every)), dtype=np.int64))[0]
    sign = np.where(start, -1, 1)
    # At most all matching rows can be removed, and at most ten times the number of rows added. Keep at least
    # one row, because nothing can be estimated without rows.
    most = np.where(start, np.minimum(rows[every, cell], part.n - 1), 10 * part.n + 10)
    low, high, has_flipped = np.zeros_like(most), np.zeros_like(most), np.zeros_like(start)
    # Double step by step: far too many rows would push the estimates beyond 1, where the result reverts.
    doubled = 1 << np.arange(int(most.max()).bit_length() + 1)
    at_once = max(1, _CELLS_AT_ONCE // rows.size)
    for numbers in np.array_split(doubled, range(at_once, len(doubled), at_once)):
        if len(left := np.flatnonzero(~has_flipped & (high < most))):
            tries = np.minimum(numbers[:, None], most[left])
            found = passes(left, sign[left] * tries) != start[left]
            has_flipped[left] = found.any(axis=0)
            end = np.where(has_flipped[left], found.argmax(axis=0), len(tries) - 1)
            ends, column = np.vstack([high[left], tries]), np.arange(len(left))
            low[left], high[left] = ends[end, column], ends[end + 1, column]
    while len(left := np.flatnonzero(has_flipped & (high - low > 1))):
        middle = (low[left] + high[left]) // 2  # halve twice
        tries = np.stack([(low[left] + middle) // 2, middle, (middle + high[left]) // 2])
        before, half, after = passes(left, sign[left] * tries) != start[left]
        end = np.where(half, 1 - before, 3 - after)
        ends, column = np.vstack([low[left], tries, high[left]]), np.arange(len(left))
        low[left], high[left] = ends[end, column], ends[end + 1, column]
    return np.where(has_flipped & (most > 0), high, NEVER)


_CELLS_AT_ONCE: Final = 8_192  # enough to hide Python's overhead

MOST_FLIPS: Final = 500
"""Number of rules, by smallest p-value, whose fragility is computed; each needs about thirty tests."""

NOT_SEARCHED: Final = NEVER - 1


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
    rules : RuleTable
        Measures of the listed rules with intervals at `rule_level`.
    itemsets : MeasuredArray
        Supports of the listed itemsets with intervals at `itemset_level`.
    explained_by : int array
        Position of a shorter rule that makes a rule redundant, or -1.
    fragility : int array
        Number of all-yes rows that change the result of the lift test; -1 if none does, -2 if not searched.
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
    pairs = [min(pair, pair[::-1]) for pair in sides]
    lift = decisions(_p_values(result, pairs, ("lift", 1.0), progress), pairs, sizes, own_families.lift)
    confidence = None
    if thresholds.confidence > 0:
        raw = _p_values(result, sides, ("confidence", thresholds.confidence), progress)
        confidence = decisions(raw, sides, sizes, own_families.confidence)
    rule_level = selection_level(len(set(pairs)), own_families.lift.total)
    itemset_level = selection_level(len(result.itemsets), own_families.itemsets.total)
    measures = result.rules.measures
    intervals = [
        measure_rules(result.counts, some, design, level=rule_level)
        for some in chunks(sides, stage="intervals", progress=progress)
    ]
    supports = [
        support_intervals(result.counts, some, design, level=itemset_level)
        for some in chunks(result.itemsets.itemsets, stage="intervals", progress=progress)
    ]
    counts = result.counts.merge(count_cache.need(closed_terms(result.itemsets, design)))
    # The estimate of a rare itemset may be 0, and measures that divide by it are then undefined.
    with np.errstate(divide="ignore", invalid="ignore"):
        antecedent = measures.support.value / measures.confidence.value
        consequent = measures.confidence.value / measures.lift.value
    return Inference(
        families=own_families,
        lift=lift,
        confidence=confidence,
        rule_level=rule_level,
        itemset_level=itemset_level,
        rules=concatenate(intervals),
        itemsets=concatenate(supports),
        explained_by=explained_by(result.rules),
        fragility=_fragility(result, lift, progress),
        interest=interest(measures.support.value, antecedent, consequent),
        maximal=maximal_itemsets(result.itemsets.itemsets),
        closed=closed_itemsets(result.itemsets, counts, design),
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
    selection = [
        itemset.items
        for itemset in result.itemsets
        if itemset.estimate.n_direct >= least_direct
        and itemset.estimate.n_protected
        # With p = 0, the protected group reveals nothing.
        and all(index.is_open[item] or index.truth[1, index.block[item]] for item in itemset.items)
    ]
    counts = count_cache.need(required_counts(selection, design))
    tests: dict[Columns, HomogeneityTest] = {}
    for some in chunks(selection, stage="groups", progress=progress, size=_AT_A_TIME):
        tests |= dict(zip(some, stratum_homogeneity_test(counts, some, design), strict=True))
    return tests
