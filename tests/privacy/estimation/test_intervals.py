import itertools
import math
from collections.abc import Sequence

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.stats import chi2

from privacy.estimation.counts import SupportCounts
from privacy.estimation.estimates import estimate
from privacy.estimation.estimating_equation import MEASURES
from privacy.estimation.intervals import inversion_intervals, measure_rules, support_intervals
from privacy.estimation.moments import Scores
from privacy.estimation.required_counts import contingency_tables, required_counts
from privacy.estimation.rule_sides import Rule
from privacy.survey.design import Design
from tests.fixtures.refusals import refused
from tests.privacy.estimation.designs import (
    CHOICES,
    MIXED,
    ONE_BLOCK,
    OPEN,
    SKIPPABLE,
    THREE_BLOCKS,
    TWO_BLOCKS,
    TWO_OF_THREE,
    design,
    protected,
    yes_no,
)
from tests.privacy.estimation.records import Row, count, itemsets, sample, scores
from tests.privacy.estimation.test_empirical_likelihood import CHI2, owen

RULES: list[tuple[Design, Rule]] = [
    (OPEN, ((0,), (1,))),
    (OPEN, ((0, 2), (1,))),
    (ONE_BLOCK, ((0,), (1,))),
    (ONE_BLOCK, ((0, 2), (1,))),
    (CHOICES, ((0,), (3,))),
    (SKIPPABLE, ((0,), (2,))),
    (TWO_BLOCKS, ((0,), (2,))),
    (TWO_BLOCKS, ((0, 2), (1,))),
    (THREE_BLOCKS, ((0,), (2, 4))),
    (MIXED, ((0,), (3,))),
    (MIXED, ((0, 3), (1,))),
    (MIXED, ((3, 4), (1, 5))),
]
FOUR_HUNDRED = {id(asked): sample(asked, 400, seed=31) for asked, _ in RULES}


class PerRecord:
    """A rule's scores for every record, and h of each measure by definition."""

    def __init__(self, asked: Design, rows: Sequence[Row], rule: Rule) -> None:
        union = tuple(sorted((*rule[0], *rule[1])))
        self.z = [scores(asked, rows, itemset) for itemset in (union, *rule)]
        self.share = [z.mean() for z in self.z]

    def h(self, measure: str, value: float) -> np.ndarray:
        (z, za, zb), (_, a, b) = self.z, self.share
        return {
            "support": lambda: z - value,
            "confidence": lambda: z - value * za,
            "lift": lambda: z - value * (b * za + a * zb - a * b),
            "leverage": lambda: z - a * zb - b * za + a * b - value,
            "conviction": lambda: (1 - b) * za - a * zb + a * b - value * (za - z),
        }[measure]()


RANGES = {"confidence": (0.0, 1.0), "lift": (0.0, math.inf), "conviction": (0.0, math.inf)}


@pytest.mark.parametrize("number", range(len(RULES)))
def test_intervals_match_the_row_level_likelihood(number: int) -> None:
    asked, rule = RULES[number]
    rows = FOUR_HUNDRED[id(asked)]
    oracle = PerRecord(asked, rows, rule)
    found = measure_rules(count(asked, rows, required_counts([rule], asked)), [rule], asked)[0]
    for measure in MEASURES:
        measured = getattr(found, measure)
        assert oracle.h(measure, measured.value).mean() == pytest.approx(0, abs=1e-12)
        for end in (measured.low, measured.high):
            if end not in RANGES.get(measure, ()):
                assert owen(oracle.h(measure, end)) == pytest.approx(CHI2, rel=1e-7)
        inside = np.linspace(measured.low, min(measured.high, 50.0), 9)[1:-1]
        for value in inside if measured.estimable else ():
            assert owen(oracle.h(measure, value)) < CHI2


# Without disguise, intervals are the well-known ones.


def binomial(matching: int, n: int, level: float = 0.95) -> tuple[float, float]:
    """Return the likelihood-ratio interval of a share."""
    threshold = chi2.ppf(level, 1)

    def excess(share: float) -> float:
        rest = n - matching
        first = matching * math.log(matching / n / share) if matching else 0.0
        return 2 * (first + (rest * math.log(rest / n / (1 - share)) if rest else 0.0)) - threshold

    middle = matching / n
    low = brentq(excess, 1e-12, middle, xtol=1e-15) if matching else 0.0
    high = brentq(excess, middle, 1 - 1e-12, xtol=1e-15) if matching < n else 1.0
    return low, high


@pytest.mark.parametrize("level", [0.9, 0.95, 0.999])
@pytest.mark.parametrize("groups", [(0.0, 1.0), (0.4, 0.6), (1.0, 0.0)])
def test_open_questions_alone_give_a_likelihood_interval_for_shares(
    groups: tuple[float, float], level: float
) -> None:
    # 200 rows were asked; 80 have a, 60 have b, 35 have both.
    keys = required_counts([((0,), (1,))], OPEN)
    sizes = dict(zip(keys, (200, 60, 80, 35), strict=True))
    assert [sum(column < 3 for column in key) for key in keys] == [0, 1, 1, 2]
    counts = SupportCounts({key: tuple(round(part * size) for part in groups) for key, size in sizes.items()})  # type: ignore[misc]  # two groups
    found = measure_rules(counts, [((0,), (1,))], OPEN, level=level)[0]
    assert (found.support.low, found.support.high) == pytest.approx(binomial(35, 200, level), rel=1e-9)
    assert (found.confidence.low, found.confidence.high) == pytest.approx(binomial(35, 80, level), rel=1e-9)


def test_a_rule_without_exceptions_has_no_upper_bound_on_conviction() -> None:
    keys = required_counts([((0,), (1,))], OPEN)
    sizes = dict(zip(keys, (200, 60, 40, 40), strict=True))
    found = measure_rules(
        SupportCounts({key: (0, size) for key, size in sizes.items()}), [((0,), (1,))], OPEN
    )[0]
    assert (found.confidence.low, found.confidence.high) == pytest.approx((math.exp(-CHI2 / 80), 1.0))
    assert found.confidence.estimable
    assert (found.conviction.value, found.conviction.high) == (math.inf, math.inf)
    assert found.conviction.low > 5
    assert found.conviction.standard_error is None


def test_a_rule_whose_antecedent_never_occurs_is_not_estimable() -> None:
    keys = required_counts([((0,), (1,))], OPEN)
    counts = SupportCounts({key: (0, size) for key, size in zip(keys, (50, 20, 0, 0), strict=True)})
    found = measure_rules(counts, [((0,), (1,))], OPEN)[0]
    assert math.isnan(found.confidence.value)
    assert (found.confidence.low, found.confidence.high, found.confidence.estimable) == (0, 1, False)
    assert not found.lift.estimable
    assert found.support.estimable


# Properties of intervals.


@pytest.mark.slow
def test_measuring_rules_in_bulk_matches_measuring_them_singly() -> None:
    rows = FOUR_HUNDRED[id(MIXED)]
    sets = list(itemsets(MIXED, 2))
    rules = [
        (first, second)
        for first, second in itertools.product(sets, sets)
        if not set(first) & set(second) and tuple(sorted((*first, *second))) in set(itemsets(MIXED, 4))
    ][::5]
    counts = count(MIXED, rows, required_counts(rules, MIXED))
    table = measure_rules(counts, rules, MIXED)
    assert len(table) == len(rules) > 20
    for place, rule in enumerate(rules):
        alone = measure_rules(counts, [rule], MIXED)[0]
        assert table[place].few_rows == alone.few_rows
        assert (table[place].n, table[place].n_direct, table[place].n_protected) == (
            alone.n,
            alone.n_direct,
            alone.n_protected,
        )
        for measure in MEASURES:
            mine, other = getattr(table[place], measure), getattr(alone, measure)
            assert (mine.low, mine.high) == pytest.approx((other.low, other.high), rel=1e-9)
            assert (mine.value, mine.estimable) == (pytest.approx(other.value, rel=1e-12), other.estimable)
            assert (mine.standard_error is None) == (other.standard_error is None)
            if other.standard_error is not None:
                assert mine.standard_error == pytest.approx(other.standard_error, rel=1e-9, abs=1e-15)
    assert len(measure_rules(counts, [], MIXED)) == 0


def test_a_rules_support_equals_its_itemsets_support() -> None:
    rows = FOUR_HUNDRED[id(TWO_BLOCKS)]
    rule: Rule = ((0,), (1, 2))
    counts = count(TWO_BLOCKS, rows, required_counts([rule], TWO_BLOCKS))
    found = measure_rules(counts, [rule], TWO_BLOCKS)[0].support
    alone = support_intervals(counts, [(0, 1, 2)], TWO_BLOCKS)[0]
    assert (found.low, found.high) == pytest.approx((alone.low, alone.high), rel=1e-9)
    of_itemset = estimate(counts, (0, 1, 2), TWO_BLOCKS)
    assert alone.value == pytest.approx(of_itemset.value, abs=1e-14)
    error = of_itemset.standard_error
    assert alone.standard_error == pytest.approx(error, rel=1e-9)
    # With this many rows, the interval is close to the normal one.
    assert (alone.high - alone.low) / (2 * 1.96 * error) == pytest.approx(1, abs=0.1)


def test_only_a_support_is_a_mean_of_scores() -> None:
    tables = contingency_tables(COUNTS, [((0,), (1,))], ONE_BLOCK)
    found = inversion_intervals(MEASURES, Scores.of(next(iter(tables))), 0.95)
    methods = {measure: own.method for measure, own in found.items()}
    assert methods == dict.fromkeys(MEASURES, "ratio") | {"support": "scores"}


def test_support_intervals_are_not_clipped() -> None:
    found = support_intervals(SupportCounts({(): (0, 200), (0,): (0, 80)}), [(0,)], ONE_BLOCK)[0]
    assert found.value < 0
    assert found.low < found.value < found.high
    assert found.estimable


def test_an_interval_covering_the_whole_range_is_not_estimable() -> None:
    found = support_intervals(SupportCounts({(): (0, 4), (0,): (0, 2)}), [(0,)], ONE_BLOCK)[0]
    assert found.low < 0
    assert found.high > 1
    assert not found.estimable


def test_rules_with_few_rows_are_labelled() -> None:
    def table(direct_both: int) -> SupportCounts:
        return SupportCounts({(): (100, 400), (0,): (30, 200), (1,): (40, 210), (0, 1): (direct_both, 120)})

    assert measure_rules(table(4), [((0,), (1,))], ONE_BLOCK)[0].few_rows
    assert not measure_rules(table(5), [((0,), (1,))], ONE_BLOCK)[0].few_rows
    single = SupportCounts({(): (1, 400), (0,): (1, 200), (1,): (1, 210), (0, 1): (1, 120)})
    assert measure_rules(single, [((0,), (1,))], ONE_BLOCK)[0].few_rows
    # A group without rows does not count as having few.
    nobody_direct = SupportCounts({(): (0, 400), (0,): (0, 200), (1,): (0, 210), (0, 1): (0, 120)})
    assert not measure_rules(nobody_direct, [((0,), (1,))], ONE_BLOCK)[0].few_rows


@pytest.mark.parametrize(("both", "few"), [(27, True), (28, False)])
def test_rotating_questions_expecting_under_five_full_matches_are_few(both: int, few: bool) -> None:
    """25 decoys in 200 rows show both, so 27 reports mean 4 people and 28 mean 6; no cell is small."""
    shown = {frozenset({0, 1}): both, frozenset({0}): 50, frozenset({1}): 50, frozenset(): 100 - both}
    rows = [
        Row(False, ((0, items),), frozenset({0, 1})) for items, times in shown.items() for _ in range(times)
    ]
    counts = count(TWO_OF_THREE, tuple(rows), required_counts([((0,), (1,))], TWO_OF_THREE))
    (rule,) = measure_rules(counts, [((0,), (1,))], TWO_OF_THREE)
    assert rule.support.value * 200 == pytest.approx((both - 25) / 0.5)
    assert rule.few_rows is few


def test_open_rows_of_both_groups_are_counted_together() -> None:
    keys = required_counts([((0,), (1,))], OPEN)
    counts = SupportCounts(dict(zip(keys, ((50, 50), (20, 20), (20, 20), (3, 3)), strict=True)))
    assert not measure_rules(counts, [((0,), (1,))], OPEN)[0].few_rows


# Refusals.

COUNTS = SupportCounts({(): (10, 40), (0,): (3, 20), (1,): (4, 21), (0, 1): (2, 12)})


def test_impossible_rules_and_counts_are_refused() -> None:
    nobody = SupportCounts(dict.fromkeys(COUNTS, (0, 0)))
    blind = design(protected("b", 0, yes_no("a", 5000), yes_no("b", 5000)))
    cases: list[tuple[tuple[object, ...], SupportCounts, Rule, Design]] = [
        (("rule", "empty side"), COUNTS, ((), (1,)), ONE_BLOCK),
        (("rule", "empty side"), COUNTS, ((0,), ()), ONE_BLOCK),
        (("rule", "both sides"), COUNTS, ((0, 1), (1,)), ONE_BLOCK),
        (("excluded_options", "s=o0", "s=o1"), COUNTS, ((0,), (1,)), CHOICES),
        (("missing_count", "(2,)"), COUNTS, ((0,), (2,)), ONE_BLOCK),
        (("no_rows", 0), nobody, ((0,), (1,)), ONE_BLOCK),
        (("truth_probability", "p = 0"), COUNTS, ((0,), (1,)), blind),
    ]
    for words, counted, rule, asked in cases:
        with refused(*words):  # type: ignore[arg-type]
            measure_rules(counted, [rule], asked)[0]


@pytest.mark.parametrize("level", [0, 1, -0.5, math.nan, "high"])
def test_the_level_must_lie_between_0_and_1(level: float) -> None:
    with refused("level", level):
        measure_rules(COUNTS, [((0,), (1,))], ONE_BLOCK, level=level)[0]


@pytest.mark.soak
@pytest.mark.slow
@pytest.mark.filterwarnings("error")
def test_intervals_stay_in_range_and_contain_the_estimate() -> None:
    cases = itertools.product(enumerate(RULES), (0.0, 0.3, 1.0), (1, 2, 5, 20))
    for (number, (asked, rule)), direct, n in cases:
        rows = sample(asked, n, seed=35 + number, direct=direct)
        counts = count(asked, rows, required_counts([rule], asked))
        found = measure_rules(counts, [rule], asked)[0]
        for measure in MEASURES:
            measured = getattr(found, measure)
            least, greatest = RANGES.get(measure, (-math.inf, math.inf))
            assert least <= measured.low <= measured.high <= greatest
            if measured.estimable and least <= measured.value <= greatest:
                assert measured.low <= measured.value <= measured.high
