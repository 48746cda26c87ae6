"""Compare the promises of a plan with simulated surveys."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import norm

from privacy.errors import PrivacyError
from privacy.estimation.empirical_likelihood import likelihood_ratio
from privacy.planning.power import (
    POWER,
    AskedItem,
    AskedPair,
    Plan,
    detectable_difference,
    detectable_lift,
    detectable_support,
    half_width,
    itemset_error,
    people_needed,
    power_for_difference,
    power_of_rule,
    standard_error,
)

ONE = Plan(p=0.5, theta_a=0.5, theta_b=0.4)
TWO = Plan(p=0.6, theta_a=0.5, theta_b=0.5, one_block=False, k=0.2)
REPETITIONS = 20_000


def drawn(plan: Plan, n: int, a: float, b: float, both: float, seed: int) -> tuple[np.ndarray, ...]:
    chance, z_a, z_b, z_both = plan.distribution(a, b, both)
    rows = np.random.default_rng(seed).multinomial(n, chance, size=REPETITIONS)
    return rows, z_a, z_b, z_both


@pytest.mark.parametrize("plan", [ONE, TWO, replace(ONE, p=1.0)])
def test_scores_have_the_true_shares_as_means_and_the_error_that_is_promised(plan: Plan) -> None:
    chance, z_a, z_b, z_both = plan.distribution(0.3, 0.4, 0.15)
    assert chance.sum() == pytest.approx(1)
    assert (chance @ z_a, chance @ z_b, chance @ z_both) == pytest.approx((0.3, 0.4, 0.15))
    rows, z_a, _, _ = drawn(plan, 1000, 0.3, 0.4, 0.15, seed=1)
    # The spread of 20,000 estimates has a relative error of .5%.
    assert (rows @ z_a / 1000).std() == pytest.approx(standard_error(plan, 0.3, 1000), rel=0.03)


def found(rows: np.ndarray, h: np.ndarray, tests: int) -> float:
    """Share of the surveys in which the one-sided test of "mean h = 0" is passed."""
    root = np.sign(rows @ h) * np.sqrt(likelihood_ratio(rows, h[None, :]))
    return float((norm.sf(root) <= 0.05 / tests).mean())


@pytest.mark.slow
@pytest.mark.parametrize("plan", [ONE, TWO])
@pytest.mark.parametrize("tests", [1, 312])
def test_what_is_called_detectable_is_found_four_times_in_five(plan: Plan, tests: int) -> None:
    n = 4000
    support = detectable_support(plan, n)
    assert support is not None
    rows, z_a, _, _ = drawn(plan, n, support, 0.0, 0.0, seed=2)
    assert found(rows, z_a, 1) == pytest.approx(POWER, abs=0.03)

    lift = detectable_lift(plan, n, first=0.3, second=0.4, tests=tests)
    assert lift is not None
    rows, z_a, z_b, z_both = drawn(plan, n, 0.3, 0.4, 0.12 * lift, seed=4)
    n_rows = rows.sum(axis=1)
    hits = []
    for part in np.array_split(np.arange(REPETITIONS), 20):
        some = rows[part]
        a, b = some @ z_a / n, some @ z_b / n
        h = z_both - a[:, None] * z_b - b[:, None] * z_a + (a * b)[:, None]
        root = np.sign((some * h).sum(axis=1)) * np.sqrt(likelihood_ratio(some, h))
        hits.append((norm.sf(root) <= 0.05 / tests).mean())
    assert n_rows.min() == n
    assert np.mean(hits) == pytest.approx(POWER, abs=0.03)


def test_more_tests_need_more_and_more_disguise_needs_more() -> None:
    for plan in (ONE, TWO):
        one, many = (detectable_lift(plan, 4000, first=0.3, second=0.4, tests=tests) for tests in (1, 312))
        weaker = detectable_lift(replace(plan, p=0.3), 4000, first=0.3, second=0.4)
        assert one is not None
        assert many is not None
        assert weaker is not None
        assert 1 < one < min(many, weaker)
    assert power_of_rule(ONE, 4000, first=0.3, second=0.4, lift=1.0) == pytest.approx(0.05, abs=1e-9)
    assert detectable_support(replace(ONE, p=1.0), 4000) == pytest.approx(0.0, abs=2e-3)


def test_with_few_people_no_effect_is_large_enough() -> None:
    assert detectable_lift(ONE, 20, first=0.3, second=0.4) is None
    assert detectable_support(replace(ONE, p=0.1), 20) is None


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: Plan(p=0, theta_a=0.5), "p = 0 carries no information"),
        (lambda: Plan(p=0.5, theta_a=1.5), "theta_a = 1.5 is outside"),
        (lambda: standard_error(ONE, 1.2, 100), "support = 1.2 is outside"),
        (lambda: standard_error(ONE, 0.2, 0), "n = 0 is outside"),
        (lambda: detectable_lift(ONE, 2000, first=0.3, second=0.4, tests=0), "number of tests = 0"),
    ],
)
def test_what_cannot_be_planned_is_refused_with_its_value(make, said) -> None:
    with pytest.raises(PrivacyError, match=said):
        make()


@pytest.mark.parametrize("sizes", [(1,), (2,), (1, 1), (2, 1)])
@pytest.mark.parametrize("k", [0.0, 0.3])
def test_the_error_of_an_itemset_is_that_of_all_rows_written_out(sizes: tuple[int, ...], k: float) -> None:
    p, theta, share = 0.4, 0.3, 0.2

    def scores(size: int) -> tuple[list[float], list[float]]:
        """Probabilities and values of a block's score, for independent items."""
        decoy = (1 - p) * theta**size
        shown = p * share**size + decoy
        return [1 - shown, shown], [-decoy / p, (1 - decoy) / p]

    chance, value = np.ones(1), np.ones(1)
    for size in sizes:
        one, two = scores(size)
        chance, value = np.kron(chance, one), np.kron(value, two)
    support = share ** sum(sizes)
    chance = np.concatenate([[k * (1 - support), k * support], (1 - k) * chance])
    value = np.concatenate([[0, 1], value])
    assert chance @ value == pytest.approx(support)
    expected = math.sqrt(float(chance @ value**2) - support**2)
    assert itemset_error(p, theta, k, [(size, share) for size in sizes], 1) == pytest.approx(expected)


def even(truth: float, share: float = 0.5, *, skipped: float = 0.0, asked: float = 1.0) -> AskedItem:
    return AskedItem(truth=truth, decoy=0.5 * (1 - skipped), share=share, share_asked=asked)


def pair(truth: float, share: float = 0.5, *, skipped: float = 0.0, together: float = 1.0) -> AskedPair:
    return AskedPair(
        first=even(truth, share, skipped=skipped),
        second=even(truth, skipped=skipped),
        skipped=skipped,
        together=together,
    )


@pytest.mark.parametrize(("truth", "points"), [(0.4, 12.2), (0.6, 8.2), (0.8, 6.1)])
def test_two_wanted_questions_alone_have_these_half_widths_with_400_people(
    truth: float, points: float
) -> None:
    assert round(100 * half_width(even(truth), 400), 1) == points


@pytest.mark.parametrize(
    ("truth", "n", "points"),
    [
        (0.6, 400, (24, 28, 36)),
        (0.8, 400, (18, 20, 24)),
        (0.6, 1000, (15, 18, 23)),
        (0.8, 1000, (12, 13, 16)),
    ],
)
def test_the_smallest_difference_that_is_found_where_50_30_or_20_of_100_have_the_first(
    truth: float, n: int, points: tuple[int, ...]
) -> None:
    found = [detectable_difference(pair(truth, share), n) for share in (0.5, 0.3, 0.2)]
    assert [math.ceil(100 * each) for each in found if each is not None] == list(points)


def test_a_half_width_is_that_of_a_plan() -> None:
    error = itemset_error(0.6, 0.5, 0, [(1, 0.3)], 250)
    assert half_width(even(0.6, 0.3, asked=0.25), 1000) == pytest.approx(1.959963984540054 * error)


def test_so_many_people_are_enough_and_one_less_is_not() -> None:
    item = even(0.4, 0.2, asked=0.5)
    n = people_needed(100, widths=[half_width(item, 100)], asked=[0.5])
    assert half_width(item, n) <= 0.25
    assert n == 200 or half_width(item, n - 1) > 0.25
    wide = even(0.2, 0.2)
    n = people_needed(100, widths=[half_width(wide, 100)], asked=[1])
    assert half_width(wide, n) <= 0.25 < half_width(wide, n - 1)
    assert people_needed(100, widths=[], asked=[1, 0]) > 10**9


def test_the_channel_of_a_pair_is_that_of_its_coin_or_coins() -> None:
    one = Plan(p=0.6, theta_a=0.5, one_block=True).distribution(0.4, 0.5, 0.3)[0][4:]
    two = Plan(p=0.6, theta_a=0.5, one_block=False).distribution(0.4, 0.5, 0.3)[0][4:]
    truth = np.array([0.4, 0.2, 0.1, 0.3])
    together = pair(0.6, 0.4)
    apart = AskedPair(first=together.first, second=together.second, skipped=None)
    assert together.channel() @ truth == pytest.approx(one)
    assert apart.channel() @ truth == pytest.approx(two)
    assert pair(0.6, 0.4, skipped=0.2).channel().sum(axis=0) == pytest.approx(1)


def test_power_at_no_difference_is_the_tests_own_alarm_on_one_side() -> None:
    assert power_for_difference(pair(0.6), 0, 400) == pytest.approx(0.025)


def test_who_is_asked_one_of_them_only_finds_nothing_of_both() -> None:
    asked = pair(0.6, together=0.25)
    assert power_for_difference(asked, 0.3, 1600) == pytest.approx(power_for_difference(pair(0.6), 0.3, 400))


def test_rare_answers_allow_no_large_difference() -> None:
    rare = AskedPair(first=even(0.6, 0.5), second=even(0.6, 0.02), skipped=0)
    assert rare.largest_difference() == pytest.approx(0.04)
    assert detectable_difference(rare, 400) is None
    with pytest.raises(PrivacyError, match="difference"):
        power_for_difference(rare, 0.3, 400)


@pytest.mark.parametrize(
    "changes", [{"truth": 0}, {"truth": 1.1}, {"decoy": -0.1}, {"share": 0}, {"share": 1}]
)
def test_what_no_item_can_be_is_refused(changes: dict[str, float]) -> None:
    with pytest.raises(PrivacyError):
        AskedItem(**{"truth": 0.5, "decoy": 0.5, "share": 0.5} | changes)


@pytest.mark.parametrize("n", [0, -1, 1.5])
def test_people_are_counted(n: int) -> None:
    with pytest.raises(PrivacyError):
        half_width(even(0.5), n)
    with pytest.raises(PrivacyError):
        power_for_difference(pair(0.5), 0.1, n)
