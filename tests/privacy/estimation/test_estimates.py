import itertools
import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest

from privacy.estimation.counts import Columns, SupportCounts
from privacy.estimation.design_index import BLANK, asked_columns
from privacy.estimation.estimates import covariance, estimate, estimates, estimates_of
from privacy.estimation.moments import Estimator, Scores
from privacy.estimation.required_counts import Plan, PlannedEvent, contingency_tables, required_counts
from privacy.estimation.shapes import FIRST, SECOND
from privacy.survey.design import Design
from tests.fixtures.questionnaires import EVERYTHING
from tests.fixtures.refusals import refused
from tests.privacy.estimation.designs import (
    ENUMERATED,
    MIXED,
    ONE_BLOCK,
    ROUTED,
    TWO_BLOCKS,
    design,
    protected,
    yes_no,
)
from tests.privacy.estimation.records import (
    Row,
    count,
    disguises,
    groups_of,
    itemset_score,
    itemsets,
    matches,
    pooled_weights,
    sample,
    scores,
    true_rows,
)

BOTH_ESTIMATORS: tuple[Estimator, ...] = ("stratified", "pooled")


# Exact tests of the oracle's scores.


@pytest.mark.parametrize("name", ENUMERATED)
@pytest.mark.parametrize("direct", [False, True])
def test_the_mean_score_over_all_disguises_equals_the_true_match(name: str, direct: bool) -> None:
    asked_design = ENUMERATED[name]
    wanted = list(itemsets(asked_design))
    for row in true_rows(asked_design, direct=direct):
        sent = disguises(asked_design, row)
        assert sum(chance for _, chance in sent) == 1
        for itemset in wanted:
            mean = sum(chance * itemset_score(asked_design, record, itemset) for record, chance in sent)
            assert mean == matches(asked_design, row, dict.fromkeys(itemset, True))


# Estimates from counts agree with the oracle.


@pytest.mark.parametrize("direct", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("name", ENUMERATED)
def test_estimates_are_mean_scores_stratified_or_weighted(name: str, direct: float) -> None:
    asked_design = ENUMERATED[name]
    rows = sample(asked_design, 40, seed=1, direct=direct)
    for itemset in itemsets(asked_design):
        flags = groups_of(asked_design, rows, itemset)
        z = scores(asked_design, rows, itemset)
        counts = count(asked_design, rows, required_counts([itemset], asked_design))
        found = estimate(counts, itemset, asked_design)
        assert found.value == pytest.approx(z.mean(), abs=1e-12)
        assert found.standard_error == pytest.approx(z.std() / math.sqrt(40), abs=1e-12)
        assert (found.n, found.n_direct, found.n_protected) == (40, flags.sum(), 40 - flags.sum())
        assert found.direct_share == flags.mean()
        noise = (z * z - z).sum() / 40**2
        if noise < 0:  # replaced by a conservative variance
            hidden = ~flags | asked_design.has_two_strengths
            noise = (z[hidden] ** 2).sum() / 40**2
        assert found.standard_error_respondents == pytest.approx(math.sqrt(noise), abs=1e-9)
        assert found.observed_share == np.mean(
            [matches(asked_design, row, dict.fromkeys(itemset, True)) for row in rows]
        )
        for group, value in ((flags, found.direct), (~flags, found.protected)):
            assert value == (pytest.approx(z[group].mean(), abs=1e-12) if group.any() else None)
        weighted = pooled_weights(asked_design, rows, itemset) * z
        found = estimate(counts, itemset, asked_design, estimator="pooled")
        assert found.value == pytest.approx(weighted.mean(), abs=1e-12)
        within_groups = sum(
            ((weighted[group] - weighted[group].mean()) ** 2).sum()
            for group in (flags, ~flags)
            if group.any()
        )
        assert found.standard_error == pytest.approx(math.sqrt(within_groups) / 40, abs=1e-12)


def disguise_variance(
    counts: SupportCounts, event: PlannedEvent, asked_design: Design, estimator: Estimator = "stratified"
) -> float:
    """Return the variance of an itemset, or the covariance of a pair, due to the disguise only."""
    (part,) = contingency_tables(counts, [event], asked_design)
    covariances = Scores.of(part, estimator).respondents_covariance
    return float(covariances[0, 0, 0] if len(covariances) == 1 else covariances[FIRST, SECOND, 0])


@pytest.mark.slow
@pytest.mark.parametrize("name", ENUMERATED)
def test_covariances_match_the_row_scores(name: str) -> None:
    asked_design = ENUMERATED[name]
    rows = sample(asked_design, 30, seed=3)
    known = list(itemsets(asked_design, 3))
    for first, second in itertools.product(known[::4], known[::3]):
        counts = count(asked_design, rows, required_counts([(first, second)], asked_design))
        union = tuple(sorted({*first, *second}))
        one, other, both = (scores(asked_design, rows, itemset) for itemset in (first, second, union))
        population = (np.mean(one * other) - one.mean() * other.mean()) / 30
        disguise = (one * other - both).sum() / 30**2
        assert covariance(counts, first, second, asked_design) == pytest.approx(population, abs=1e-12)
        assert disguise_variance(counts, (first, second), asked_design) == pytest.approx(disguise, abs=1e-12)


@pytest.mark.parametrize("estimator", BOTH_ESTIMATORS)
def test_batch_estimates_match_single_estimates(estimator: Estimator) -> None:
    rows = sample(MIXED, 50, seed=4)
    wanted = list(itemsets(MIXED))
    counts = count(MIXED, rows, required_counts(wanted, MIXED))
    table = estimates(counts, wanted, MIXED, estimator=estimator)
    assert len(table) == len(wanted)
    for place, itemset in enumerate(wanted):
        assert table[place] == estimate(counts, itemset, MIXED, estimator=estimator)
    assert len(estimates(counts, [], MIXED, estimator=estimator)) == 0


# Means and variances of estimates, by enumerating every disguise of whole data sets.


def all_disguises(asked_design: Design, rows: Sequence[Row]) -> list[tuple[list[Row], Fraction]]:
    result = []
    for sent in itertools.product(*(disguises(asked_design, row) for row in rows)):
        chance = math.prod((share for _, share in sent), start=Fraction(1))
        result.append(([row for row, _ in sent], chance))
    return result


GROUPS_OF_ONE_QUESTION = pytest.mark.parametrize("light", [None, 8000])


def one_question(light: int | None) -> Design:
    return design(protected("b", 6000, yes_no("a", 5000), light=light))


@GROUPS_OF_ONE_QUESTION
def test_the_pooled_variance_for_these_respondents_is_exact(light: int | None) -> None:
    # Four true rows, two of which are randomly assigned to the direct group.
    asked_design = one_question(light)
    no, yes = sorted(
        true_rows(asked_design, direct=False), key=lambda row: matches(asked_design, row, {0: True})
    )
    people = [yes, no, no, no]
    n, k, p0, p, prevalence = 4, 0.5, (light or 10_000) / 10_000, 0.6, 0.25
    a = k * p0 + (1 - k) * p
    error_square = noise = 0.0
    groupings = list(itertools.combinations(range(n), 2))
    for chosen in groupings:
        rows = [Row(place in chosen, row.blocks, row.answered) for place, row in enumerate(people)]
        for sent, chance in all_disguises(asked_design, rows):
            share = float(chance) / len(groupings)
            counts = count(asked_design, sent, required_counts([(0,)], asked_design))
            found = estimate(counts, (0,), asked_design, estimator="pooled")
            error_square += share * (found.value - prevalence) ** 2
            own = disguise_variance(counts, (0,), asked_design, "pooled")
            # Subtract the grouping's part, in which the estimate replaces the prevalence.
            lot = k * (1 - k) * ((p0 - p) / a) ** 2 * found.value * (1 - found.value) / n
            noise += share * (own - lot)
    lot = k * (1 - k) * ((p0 - p) / a) ** 2 * prevalence * (1 - prevalence) / n
    # Without replacement, the factor is n/(n-1) instead of 1.
    assert error_square == pytest.approx(noise + lot * n / (n - 1), abs=1e-12)


# Equations of the source.

SOURCE_COUNTS = SupportCounts(
    {
        (): (200, 800), (0,): (30, 350), (1,): (60, 400), (2,): (20, 330),
        (0, 1): (12, 210), (0, 2): (5, 160), (1, 2): (9, 170), (0, 1, 2): (3, 100),
    }
)  # fmt: skip


@pytest.mark.parametrize("itemset", [(0,), (2,), (0, 1), (1, 2), (0, 1, 2)])
def test_the_pooled_estimate_is_equation_14_of_the_source(itemset: Columns) -> None:
    k, p, theta = 0.2, 0.3, 0.6
    observed = sum(SOURCE_COUNTS[itemset]) / 1000
    expected = (observed - (1 - k) * (1 - p) * theta ** len(itemset)) / (k + p * (1 - k))
    found = estimate(SOURCE_COUNTS, itemset, ONE_BLOCK, estimator="pooled")
    assert found.value == pytest.approx(expected, abs=1e-14)
    assert found.observed_share == observed


# Which counts and rows an estimate needs.


@pytest.mark.parametrize("name", ENUMERATED)
def test_estimates_need_one_count_per_subset_of_protected_blocks(name: str) -> None:
    asked_design = ENUMERATED[name]
    for itemset in itemsets(asked_design):
        blocks = {asked_design.items[item].block for item in itemset}
        hidden = [block for block in blocks if asked_design.blocks[block].protected]
        needed = required_counts([itemset], asked_design)
        opened = len(hidden) < len(blocks)
        assert len(needed) == 2 ** len(hidden) + opened
        assert asked_columns(itemset, asked_design) in needed


def test_only_rows_asked_every_question_are_used() -> None:
    affair = (ROUTED.item("affair").index,)
    married, single_, silent = ((0, frozenset({0})), (0, frozenset()), (0, frozenset()))
    rows = [
        Row(False, (married, (1, frozenset(affair)), (2, frozenset())), frozenset({0, 1, 2, 3})),
        Row(False, (married, (1, None), (2, frozenset())), frozenset({0, 1, 2, 3})),
        Row(False, (married, (1, frozenset()), (2, frozenset())), frozenset({0, 1, 2, 3})),
        Row(False, (single_, (2, frozenset())), frozenset({0, 1, 3})),
        Row(False, (silent, (2, frozenset())), frozenset({3})),
    ]
    assert asked_columns(affair, ROUTED) == (ROUTED.asked_column(2),)
    found = estimate(count(ROUTED, rows, required_counts([affair], ROUTED)), affair, ROUTED)
    assert found.n == 3  # a skipped question was asked
    assert found.value == pytest.approx((1 / 3 - 0.4 * 0.8 * 0.5) / 0.6, abs=1e-12)


def test_all_supports_of_a_rule_can_share_the_same_rows() -> None:
    within = asked_columns((ROUTED.item("affair").index, ROUTED.item("age=o0").index), ROUTED)
    other = (ROUTED.item("c").index,)
    needed = required_counts([other], ROUTED, within=within)
    assert needed == (within, tuple(sorted((*other, *within))))
    counts = SupportCounts({within: (0, 40), needed[1]: (0, 20)})
    assert estimate(counts, other, ROUTED, within=within).n == 40


def test_estimates_outside_0_and_1_are_not_clipped() -> None:
    low = estimate(SupportCounts({(): (0, 10), (0,): (0, 0)}), (0,), ONE_BLOCK)
    assert low.value == pytest.approx(-1.4)
    high = estimate(SupportCounts({(): (0, 10), (0,): (0, 10)}), (0,), ONE_BLOCK)
    assert high.value == pytest.approx((1 - 0.42) / 0.3)


def test_a_negative_variance_is_replaced_by_a_conservative_one() -> None:
    # One row without the item in either block: z = (.2/.6)(.275/.45) < 1, so z^2 - z < 0.
    counts = SupportCounts({(): (0, 1), (0,): (0, 0), (2,): (0, 0), (0, 2): (0, 0)})
    found = estimate(counts, (0, 2), TWO_BLOCKS)
    assert found.standard_error_respondents == pytest.approx(0.2 / 0.6 * 0.275 / 0.45)


def test_counts_of_a_hundred_million_rows_keep_full_precision() -> None:
    n = 10**8
    counts = SupportCounts({(): (0, n), (0,): (0, 42_000_001), (2,): (0, n // 2), (0, 2): (0, 21_000_000)})
    one = estimate(counts, (0,), ONE_BLOCK)
    assert one.value == pytest.approx(1 / n / 0.3, rel=1e-6)


# Refusals.

P_0 = design(protected("b", 0, yes_no("a", 5000)))


def test_stratified_estimates_refuse_p_0() -> None:
    with refused("truth_probability", "p = 0"):
        estimate(SupportCounts({(): (2, 8), (0,): (1, 4)}), (0,), P_0)


@pytest.mark.filterwarnings("error")
def test_the_pooled_estimator_accepts_p_0_with_direct_rows() -> None:
    counts = SupportCounts({(): (200, 800), (0,): (60, 410)})
    found = estimate(counts, (0,), P_0, estimator="pooled")
    assert found.value == pytest.approx((470 / 1000 - 0.8 * 0.5) / 0.2, abs=1e-12)  # equation 8
    assert found.protected is None
    with refused("truth_probability", "p = 0", "k = 0"):
        estimate(SupportCounts({(): (0, 800), (0,): (0, 410)}), (0,), P_0, estimator="pooled")


@pytest.mark.parametrize("estimator", BOTH_ESTIMATORS)
def test_estimating_without_rows_is_refused(estimator: Estimator) -> None:
    with refused("no_rows", "0 rows"):
        estimate(SupportCounts({(): (0, 0), (0,): (0, 0)}), (0,), ONE_BLOCK, estimator=estimator)


def test_unknown_estimators_are_refused() -> None:
    with refused("estimator", "'robust'"):
        estimate(SOURCE_COUNTS, (0,), ONE_BLOCK, estimator="robust")  # type: ignore[arg-type]  # refused
    with refused("estimator", "'robust'"):
        estimates(SOURCE_COUNTS, [], ONE_BLOCK, estimator="robust")  # type: ignore[arg-type]  # refused


def test_a_missing_count_is_named() -> None:
    with refused("missing_count", "(0,)"):
        estimate(SupportCounts({(): (0, 5)}), (0,), ONE_BLOCK)


@pytest.mark.filterwarnings("error")
def test_estimates_of_unasked_itemsets_are_nan() -> None:
    plan = Plan.of_itemsets(EVERYTHING, np.array([[0], [EVERYTHING.item("married").index]]))
    counts = np.zeros((len(plan.requests), 2), dtype=np.int64)
    counts[1] = counts[3] = 0, 4
    found = estimates_of(plan, counts)
    assert np.isnan(found.value).tolist() == [True, False]
    assert np.isnan(found.observed_share).tolist() == [True, False]


def test_the_estimates_of_a_plan_are_scores_of_its_counts() -> None:
    """60 of 100 disguised rows say yes; p = .5 and theta = .5: (.6 - .25)/.5, and its error .49/5."""
    one = design(protected("b", 5000, yes_no("a", 5000)))
    plan = Plan.of_itemsets(one, np.array([[0]]))
    assert plan.requests.tolist() == [[BLANK], [0]]
    found = estimates_of(plan, np.array([[0, 100], [0, 60]]))
    assert found.value.tolist() == pytest.approx([0.7])
    assert found.standard_error.tolist() == pytest.approx([(0.6 * 0.4 / 100) ** 0.5 / 0.5])
    assert found.n.tolist() == [100]


def test_a_single_row_has_an_observed_share() -> None:
    for matching, asked, share in ((1, 1, 1.0), (0, 1, 0.0), (1, 4, 0.25)):
        counts = SupportCounts({(): (0, asked), (0,): (0, matching)})
        assert estimate(counts, (0,), ONE_BLOCK).observed_share == share
