"""Pairs shrink to what they should in the limits, and their intervals are those of normal laws."""

import itertools
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy.linalg import block_diag
from scipy.stats import multivariate_normal, norm

from privacy.estimation import borrowed_pairs
from privacy.estimation.borrowed_pairs import PairFigures, PooledCorrelation, borrow, publishable_pairs
from privacy.survey.design import Block, Design, GroupPolicy, Question

M = 8
PAIRS = np.array(list(itertools.combinations(range(M), 2)))
SHARES = np.linspace(0.1, 0.6, M)


def survey(*, questions: int = 2, p: int = 6000, blocks: int = 1, theta: int = 5000) -> Design:
    size = M // blocks
    return Design(
        group=GroupPolicy(),
        use="live",
        blocks=tuple(
            Block(
                key=f"b{number}",
                protected=True,
                truth_probability=p,
                questions_per_person=questions if blocks == 1 and questions < size else None,
                questions=tuple(
                    Question(key=f"q{number * size + at}", kind="yes_no", options=(), unrelated=(theta,))
                    for at in range(size)
                ),
            )
            for number in range(blocks)
        ),
    )


def figures(
    estimates: np.ndarray, *, n: int = 4000, both: int = 143, asked: int = 1000, design: Design | None = None
) -> PairFigures:
    return PairFigures(
        design=design or survey(),
        items=np.arange(M),
        pairs=PAIRS,
        n=n,
        shares=SHARES,
        n_asked=np.tile([0, asked], (M, 1)),
        estimates=estimates,
        asked_both=np.tile([0, both], (len(PAIRS), 1)),
        all_rows=True,
    )


def products() -> np.ndarray:
    return SHARES[PAIRS].prod(axis=1)


def noisy(seed: int, size: float = 0.04) -> np.ndarray:
    return products() + np.random.default_rng(seed).normal(0.03, size, len(PAIRS))


def test_predicted_pairs_are_quadrants_of_a_normal_distribution() -> None:
    predicted, slope = borrowed_pairs._predict(figures(products()), 0.6)
    for at in (0, 7, 20):
        first, second = norm.ppf(SHARES[PAIRS[at]])
        law = multivariate_normal([0, 0], [[1, 0.6], [0.6, 1]])
        assert predicted[at] == pytest.approx(law.cdf([first, second]), abs=2e-5)
        assert slope[at] == pytest.approx(law.pdf([first, second]), rel=1e-9)


def test_slopes_are_the_changes_of_predicted_pairs_with_each_share() -> None:
    own, step = figures(products()), 1e-6
    for at, slopes in enumerate(zip(*borrowed_pairs._slopes(own, 0.3), strict=True)):
        for item, slope in zip(PAIRS[at], slopes, strict=True):
            ends = [
                borrowed_pairs._predict(replace(own, shares=SHARES + sign * step * np.eye(M)[item]), 0.3)[0][
                    at
                ]
                for sign in (-1, 1)
            ]
            assert (ends[1] - ends[0]) / (2 * step) == pytest.approx(slope, abs=1e-6)


@pytest.mark.parametrize("blocks", [1, 4])
@pytest.mark.parametrize("theta", [5000, 3000])
def test_errors_match_enumerated_reports(blocks: int, theta: int) -> None:
    """All four truths, coins and decoys of a pair, once by hand, against the module."""
    design, p, q = survey(blocks=blocks, questions=8, theta=theta), 0.6, theta / 10_000
    own = figures(products(), n=500, both=500, asked=500, design=design)
    a, b = SHARES[[0, 1]]
    both = a * b + 0.02
    errors = borrowed_pairs._errors_by_design(own, SHARES, np.full(len(PAIRS), both))
    coins = [(p, (1, 1)), (1 - p, (0, 0))]
    for at, (i, j) in enumerate(PAIRS):
        if (i, j) == (0, 1) or (blocks == 4 and (i, j) == (0, 2)):
            a, b = SHARES[[i, j]]
            alike = (i, j) == (0, 1)
            turns = (
                coins
                if alike
                else [(p * p, (1, 1)), (p * (1 - p), (1, 0)), (p * (1 - p), (0, 1)), ((1 - p) ** 2, (0, 0))]
            )
            law = {}
            for (x, y), (chance, kept), u, v in itertools.product(
                itertools.product((1, 0), repeat=2), turns, (1, 0), (1, 0)
            ):
                truth = {(1, 1): both, (1, 0): a - both, (0, 1): b - both, (0, 0): 1 - a - b + both}[x, y]
                decoy = (q if u else 1 - q) * (q if v else 1 - q)
                seen = (x if kept[0] else u, y if kept[1] else v)
                law[seen] = law.get(seen, 0) + truth * chance * decoy
            z = {}
            for x, y in law:
                za, zb = (x - (1 - p) * q) / p, (y - (1 - p) * q) / p
                z[x, y] = (za, zb, (x * y - (1 - p) * q * q) / p if alike else za * zb)
            chance = np.array([law[seen] for seen in law])
            scores = np.array([z[seen] for seen in law])
            covariance = np.cov(scores.T, aweights=chance, ddof=0) / 500
            found = [errors.aa, errors.bb, errors.ee, errors.ab, errors.ae, errors.be]
            wanted = covariance[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]
            assert [own[at] for own in found] == pytest.approx(wanted, abs=1e-12)


def test_with_many_rows_a_pair_keeps_its_own_estimate() -> None:
    own = figures(noisy(1, 0.01), n=10**9, both=10**8, asked=3 * 10**8)
    pairs = borrow(publishable_pairs(own))
    assert pairs is not None
    assert pairs.is_shrunk.all()
    assert pairs.value == pytest.approx(own.estimates, abs=1e-6)


def test_without_spread_a_pair_equals_the_common_mean(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(borrowed_pairs, "_SPREADS", np.zeros(1))
    monkeypatch.setattr(borrowed_pairs, "_HUB", 0.0)
    own = replace(figures(noisy(2)), pool=PooledCorrelation(0.3, 0.01, -0.01, 1e-9))
    pairs = borrow(own)
    assert pairs is not None
    predicted, _ = borrowed_pairs._predict(own, 0.3)
    inside = (
        np.abs(
            borrowed_pairs._distances(own, 0.3, borrowed_pairs._errors_by_design(own, SHARES, predicted))[0]
        )
        < 1e9
    )
    assert inside.all()
    kept = pairs.weight < 1
    assert kept.sum() > len(kept) - 5
    assert np.abs(pairs.value - predicted)[kept].max() < np.abs(own.estimates - predicted)[kept].max() / 5


def learnt(own: PairFigures, pooled: PooledCorrelation, used: np.ndarray) -> borrowed_pairs._Learnt:
    predicted, _ = borrowed_pairs._predict(own, pooled.rho)
    errors = borrowed_pairs._errors_by_design(own, SHARES, predicted)
    return borrowed_pairs._learn_from_all_pairs(own, errors, pooled, own.estimates - predicted, used)


def test_steps_are_means_over_all_models_by_their_likelihood(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each model is a normal law of all distances at once, here with its whole covariance."""
    spreads = (0.0, 0.03)
    monkeypatch.setattr(borrowed_pairs, "_SPREADS", np.array(spreads))
    own, pooled = figures(noisy(8, 0.04)), PooledCorrelation(0.3, 0.01, 0.03, 1e-4)
    predicted, scale = borrowed_pairs._predict(own, 0.3)
    errors = borrowed_pairs._errors_by_design(own, SHARES, predicted)
    found = learnt(own, pooled, np.ones(len(PAIRS), dtype=bool))
    of_shares, on_estimate, by = (
        np.zeros((M, M)),
        np.zeros((len(PAIRS), 2 * M + 1)),
        np.zeros((len(PAIRS), 2 * M + 1)),
    )
    left = np.zeros(len(PAIRS))
    for at, (i, j) in enumerate(PAIRS):
        of_shares[i, j] = of_shares[j, i] = errors.ab[at]
        of_shares[i, i], of_shares[j, j] = errors.aa[at], errors.bb[at]
        common = np.array([errors.ae[at], errors.be[at]])
        shared = np.linalg.solve(of_shares[np.ix_((i, j), (i, j))], common)
        left[at] = errors.ee[at] - common @ shared
        by[at, [i, j]] = shared - np.array(borrowed_pairs._slopes(own, 0.3))[:, at]
        by[at, [M + i, M + j]], on_estimate[at, [i, j]] = scale[at], shared
    raised = (1 - SHARES[PAIRS]).prod(axis=1)
    by[:, -1] = raised - scale * np.linalg.lstsq((scale / left**0.5)[:, None], raised / left**0.5)[0]
    gap = own.estimates - predicted
    logs, steps, kept = [], [], []
    says_all = (0.0, borrowed_pairs._YES_TO_ALL)
    for effects, spread, says, hub in itertools.product(spreads, spreads, says_all, range(-1, M)):
        variances = np.full(M, effects) + (np.arange(M) == hub) * borrowed_pairs._HUB
        prior = block_diag(of_shares, np.diag(variances), says)
        law = by @ prior @ by.T + np.diag(left + spread * scale**2)
        positive = 0.0
        if says:
            # A share of people is not negative: twice the probability that it is above 0 if there is no hub.
            plain = block_diag(of_shares, np.diag(np.full(M, effects)), says)
            inverse = plain @ by.T @ np.linalg.inv(by @ plain @ by.T + np.diag(left + spread * scale**2))
            deviation = np.sqrt((plain - inverse @ by @ plain)[-1, -1])
            positive = np.log(2) + norm.logcdf((inverse @ gap)[-1] / deviation)
        prior_log = (
            positive - np.log(16) * ((effects > 0) + (spread > 0) + (says > 0)) - np.log(M) * (hub >= 0)
        )
        logs.append(prior_log + multivariate_normal(cov=law).logpdf(gap))
        steps.append(prior @ by.T @ np.linalg.solve(law, gap))
        kept.append([effects, spread])
    chances = np.exp(np.array(logs) - max(logs))
    chances /= chances.sum()
    step, (effects, spread) = chances @ np.array(steps), chances @ np.array(kept)
    assert 0.05 < chances.max() < 0.95
    assert found.step == pytest.approx(step, abs=1e-9)
    assert found.estimate == pytest.approx(on_estimate @ step, abs=1e-9)
    assert found.prediction == pytest.approx((on_estimate - by) @ step, abs=1e-9)
    error = np.sqrt(chances @ (np.array(kept)[:, 1] - spread) ** 2)
    assert found.spreads == pytest.approx((effects, spread, spread + 1.5 * error))
    # The full error of shares is kept, as if nothing had been learnt, and half of each step.
    assert found.covariance[1, 1] == pytest.approx(errors.ee + on_estimate**2 @ step**2 / 4, rel=1e-9)


def test_deviating_items_are_detected_only_with_rows() -> None:
    effects = np.array([0.2, -0.2] * (M // 2))
    exact = figures(products(), n=10**8, both=10**7, asked=3 * 10**7)
    predicted, scale = borrowed_pairs._predict(exact, 0.3)
    own = replace(exact, estimates=predicted + scale * effects[PAIRS].sum(axis=1))
    found = learnt(own, PooledCorrelation(0.3, 0.001, 0.08, 1e-6), np.ones(len(PAIRS), dtype=bool))
    # A fifth of the spread remains in single pairs, so effects are shrunk.
    of_items = found.step[M : 2 * M]
    assert ((of_items / effects > 0.7) & (of_items / effects < 1)).all()
    assert np.abs(found.step[:M]).max() < 1e-3
    unused = learnt(own, PooledCorrelation(0.3, 0.001, 0.08, 1e-6), np.zeros(len(PAIRS), dtype=bool))
    assert not unused.step.any()
    assert unused.spreads == pytest.approx((0, 0.08, 0.08 + 1e-6))


def test_people_who_say_yes_to_everything_raise_pairs_by_their_shape() -> None:
    """Of 5% who do, while all other answers are independent: the excess of a pair is c (1-a)(1-b)/(1-c)."""
    c, others = 0.05, (SHARES - 0.05) / 0.95
    pairs = c + (1 - c) * others[PAIRS].prod(axis=1)
    raised = c * (1 - SHARES[PAIRS]).prod(axis=1) / (1 - c)
    assert pairs - products() == pytest.approx(raised)
    own = figures(pairs, n=10**7, both=10**6, asked=3 * 10**6)
    found = learnt(own, PooledCorrelation(0.0, 0.001, 0.0, 1e-6), np.ones(len(PAIRS), dtype=bool))
    assert found.step[-1] == pytest.approx(c / (1 - c), rel=0.1)
    value = borrow(publishable_pairs(figures(pairs, n=40_000, both=1430, asked=10_000)))
    assert value is not None
    # Without them, the correlation misses a pair of rare answers by a quarter.
    assert value.value == pytest.approx(pairs, rel=0.05)


@pytest.mark.parametrize("item", [0, 3, 7])
def test_one_item_that_goes_with_all_others_keeps_its_effect(item: int) -> None:
    """The effect has its own variance, because that of all effects is far too small for it."""
    own = figures(products(), n=10_000, both=650, asked=2700)
    predicted, scale = borrowed_pairs._predict(own, 0.0)
    own = replace(own, estimates=predicted + 0.4 * scale * np.any(item == PAIRS, axis=1))
    found = learnt(own, PooledCorrelation(0.0, 0.01, 0.004, 0.01), np.ones(len(PAIRS), dtype=bool))
    assert 0.75 * 0.4 < found.step[M + item] < 0.4
    assert np.abs(np.delete(found.step[M:], item)).max() < 0.05


def test_errors_of_shares_do_not_bias_the_pooled_correlation(monkeypatch: pytest.MonkeyPatch) -> None:
    """Items are independent; estimates have only the errors of their shares, each once with either sign."""
    own = figures(products(), n=600, both=20, asked=150, design=survey(p=3000))
    errors = borrowed_pairs._errors_by_design(own, SHARES, products())
    (first, second), sizes = PAIRS.T, np.zeros(M)
    sizes[first], sizes[second] = np.sqrt(errors.aa), np.sqrt(errors.bb)
    found = []

    def record(total: float, weight: np.ndarray, a: np.ndarray, b: np.ndarray) -> float:
        found.append(total / (weight @ borrowed_pairs._density(a, b, 0.0)))
        return 0.0

    monkeypatch.setattr(borrowed_pairs, "_solve_correlation", record)
    for step in sizes * np.random.default_rng(1).normal(size=(200, M)):
        for move in (step, -step):
            shift = errors.ae / errors.aa * move[first] + errors.be / errors.bb * move[second]
            publishable_pairs(replace(own, shares=SHARES + move, estimates=own.estimates + shift))
    assert np.mean(found) == pytest.approx(0, abs=0.01)


def test_pairs_use_minimum_variance_weights_and_conservative_intervals() -> None:
    own, pooled = (
        figures(noisy(8, 0.03), n=20_000, both=714, asked=5000),
        PooledCorrelation(0.3, 0.01, 0.01, 0.002),
    )
    pairs = borrow(replace(own, pool=pooled))
    assert pairs is not None
    predicted, scale = borrowed_pairs._predict(own, 0.3)
    errors = borrowed_pairs._errors_by_design(own, SHARES, predicted)
    found = learnt(own, pooled, np.ones(len(PAIRS), dtype=bool))
    distance, v = borrowed_pairs._distances(own, 0.3, errors)
    weights = np.linspace(0, 1, 20_001)[:, None]

    def variances(spread: float) -> np.ndarray:
        (ahead, common), (_, alone) = found.covariance
        ahead = ahead + spread * scale**2
        return (1 - weights) ** 2 * ahead + 2 * weights * (1 - weights) * common + weights**2 * alone

    _, spread, most_spread = found.spreads
    assert most_spread > spread > 0
    best = variances(spread).argmin(axis=0)
    inner = (distance < 0.4 * np.sqrt(v + spread)) & (pairs.low > 0.01) & (pairs.high < 0.2)
    assert inner.sum() >= 5
    assert pairs.weight[inner] == pytest.approx(weights[best[inner], 0], abs=6e-4)
    error = np.sqrt(variances(most_spread)[best, np.arange(len(PAIRS))])
    below = borrowed_pairs._errors_below(pairs.value)
    assert {1.959964} < set(below[inner].round(6))
    assert (pairs.high - pairs.low)[inner] == pytest.approx(((below + 1.959964) * error)[inner], rel=1e-4)


def test_lower_ends_of_the_ten_largest_pairs_allow_for_their_selection() -> None:
    """Of m pairs, that of rank R has a one-sided level of 1 - .025 R/m (Benjamini and Yekutieli 2005)."""
    value = np.random.default_rng(1).permutation(153) / 200
    below = borrowed_pairs._errors_below(value)[np.argsort(-value)]
    assert below[:10] == pytest.approx(norm.isf(0.025 * np.arange(1, 11) / 153))
    assert below[10:] == pytest.approx(norm.isf(0.025))
    # The last of a list of ten pairs is not selected, and equal pairs are treated alike.
    assert borrowed_pairs._errors_below(value[:10]).min() == pytest.approx(norm.isf(0.025))
    assert len(set(borrowed_pairs._errors_below(np.full(153, 0.2)))) == 1


@pytest.mark.parametrize("length", [1, 3, 10])
def test_the_largest_of_estimates_with_one_true_value_hold(length: int) -> None:
    """All truths are equal, so the largest estimates are those that chance made largest.

    With 1.96 errors, about .62 of the ten largest of 153 hold; with the wider ends, .95 at least. The mean of
    400 surveys has an error of at most .011.
    """
    rng, held = np.random.default_rng(2), {True: [], False: []}
    for _ in range(400):
        value = 0.3 + 0.02 * rng.normal(size=153)
        first = np.argsort(-value)[:length]
        for is_wider in held:
            errors = borrowed_pairs._errors_below(value) if is_wider else 1.959964
            held[is_wider].append((value - errors * 0.02 <= 0.3)[first].mean())
    assert np.mean(held[False]) < 0.75
    assert np.mean(held[True]) > 0.93


def test_an_outlying_pair_keeps_its_own_estimate_and_interval() -> None:
    estimates = products() + 0.001 * np.arange(len(PAIRS)) % 0.003
    estimates[5] = 0.95 * SHARES[PAIRS[5]].min()
    own = publishable_pairs(figures(estimates, n=40_000, both=1430, asked=10_000))
    pairs = borrow(own)
    assert pairs is not None
    assert pairs.weight[5] == 1
    assert pairs.value[5] == pytest.approx(estimates[5])


def test_intervals_and_estimates_stay_within_the_shares_bounds() -> None:
    pairs = borrow(publishable_pairs(figures(noisy(3, 0.3))))
    assert pairs is not None
    first, second = SHARES[PAIRS].T
    assert (pairs.value <= np.minimum(first, second) + 1e-12).all()
    assert (pairs.value >= np.maximum(0, first + second - 1) - 1e-12).all()
    assert ((pairs.low >= 0) & (pairs.low <= pairs.value) & (pairs.value <= pairs.high)).all()
    assert (pairs.high <= 1).all()


def test_fewer_than_twenty_pairs_of_100_people_are_all_pooled() -> None:
    own = figures(noisy(4))
    both = own.asked_both.copy()
    both[:9, 1] = 99
    pairs = borrow(publishable_pairs(replace(own, asked_both=both)))
    assert pairs is not None
    assert not pairs.is_shrunk.any()
    assert (pairs.weight == 0).all()
    both[8, 1] = 100
    pairs = borrow(publishable_pairs(replace(own, asked_both=both)))
    assert pairs is not None
    assert pairs.is_shrunk.sum() == 20
    # Answers without a disguise do not count.
    both[8] = 100, 99
    pairs = borrow(publishable_pairs(replace(own, asked_both=both)))
    assert pairs is not None
    assert not pairs.is_shrunk.any()


def test_the_choice_of_shrinking_does_not_depend_on_answers() -> None:
    for seed in range(5):
        pairs = borrow(publishable_pairs(figures(noisy(seed, 0.2))))
        assert pairs is not None
        assert pairs.is_shrunk.all()


def test_pairs_below_the_floor_enter_only_pooled() -> None:
    own = figures(noisy(5))
    both = own.asked_both.copy()
    both[:2, 1] = 99
    two = replace(own, asked_both=both)
    other = replace(two, estimates=np.where(np.arange(len(PAIRS)) == 0, 0.5, two.estimates))
    # Two of them are not even pooled.
    assert publishable_pairs(two).pool == publishable_pairs(other).pool
    both = own.asked_both.copy()
    both[:3, 1] = 99
    three = replace(own, asked_both=both)
    other = replace(three, estimates=np.where(np.arange(len(PAIRS)) == 0, 0.9, three.estimates))
    assert publishable_pairs(three).pool != publishable_pairs(other).pool
    both[:3, 1] = 20
    few = replace(own, asked_both=both)
    assert publishable_pairs(few).pool == publishable_pairs(replace(few, estimates=other.estimates)).pool


def test_borrowing_needs_at_least_three_pairs() -> None:
    own = figures(noisy(6))
    assert borrow(publishable_pairs(replace(own, asked_both=own.asked_both * 0))) is None


@pytest.mark.parametrize(("distance", "holds"), [(0.4, False), (0.5, True)])
def test_a_pair_above_its_prediction_reaches_above_its_own_estimate(
    distance: float, holds: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(borrowed_pairs, "_SPREADS", np.array([0.0025]))
    monkeypatch.setattr(borrowed_pairs, "_HUB", 0.0)
    own = replace(figures(products()), pool=PooledCorrelation(0.3, 0.01, 0.0025, 1e-4))
    predicted, scale = borrowed_pairs._predict(own, 0.3)
    errors = borrowed_pairs._errors_by_design(own, SHARES, predicted)
    _, v = borrowed_pairs._distances(own, 0.3, errors)
    estimates = predicted.copy()
    estimates[20] += distance * scale[20] * np.sqrt(v[20] + 3 * 0.0025)
    pairs = borrow(replace(own, estimates=estimates))
    assert pairs is not None
    half = 1.35 * np.sqrt(errors.ee[20])
    most = SHARES[PAIRS[20]].min() + 2.5758293 * np.sqrt(errors.bb[20])
    # The upper end is 1.35 errors above the pair's own estimate, if its shares allow.
    assert (pairs.high[20] >= min(estimates[20] + half, most) - 1e-6) == holds
    assert pairs.low[20] < predicted[20] < estimates[20]
    assert pairs.weight[20] < 1


def rise(a: float, b: float, error: tuple[float, float], rho: float, rho_error: float) -> float:
    found = borrowed_pairs._largest_rise(
        np.array([[a], [b]]), np.array(error)[:, None], rho, np.array([rho_error])
    )
    return float(found[0])


@pytest.mark.parametrize(("first", "second"), [(0.01, 0.02), (0.001, 0.0001)])
def test_without_association_a_prediction_rises_as_its_product_does(first: float, second: float) -> None:
    """The product of .02 and .05: two squared steps of 1.96 errors, or both shares by one error each."""
    alone = 1.959964 * np.hypot(first * 0.05, second * 0.02)
    together = (0.02 + first) * (0.05 + second) - 0.02 * 0.05
    assert rise(0.02, 0.05, (first, second), 0.0, 0.0) == pytest.approx(max(alone, together), rel=1e-6)


def test_of_rare_answers_all_three_errors_together_can_be_the_larger_step() -> None:
    """Two shares of .001 with errors of .02: one moves their product by .00004, both by .00044."""
    assert rise(0.001, 0.001, (0.02, 0.02), 0.0, 0.0) == pytest.approx(0.021**2 - 0.001**2, rel=1e-9)


@pytest.mark.parametrize(("rho", "rho_error"), [(0.0, 0.1), (0.3, 0.2), (-0.4, 0.3), (0.0, 3.0)])
def test_of_halves_a_prediction_rises_by_the_arc_sine(rho: float, rho_error: float) -> None:
    """Both of two halves are given by 1/4 + asin(rho) / 2 pi (Sheppard 1899); the correlation ends at .95."""
    end = min(rho + 1.959964 * rho_error, 0.95)
    wanted = (np.arcsin(end) - np.arcsin(rho)) / (2 * np.pi)
    assert rise(0.5, 0.5, (0.0, 0.0), rho, rho_error) == pytest.approx(wanted, abs=1e-4)


def test_certain_figures_do_not_rise_and_larger_errors_rise_further() -> None:
    assert rise(0.03, 0.2, (0.0, 0.0), 0.4, 0.0) == 0
    rng = np.random.default_rng(1)
    for a, b, e, f, r in rng.uniform(0.001, 0.3, (50, 5)):
        least = rise(a, b, (e, f), r, r)
        for more in (((1.1 * e, f), r, r), ((e, 1.1 * f), r, r), ((e, f), r, 1.1 * r)):
            assert rise(a, b, *more) > least > 0


def with_and_without_rise(
    own: PairFigures, monkeypatch: pytest.MonkeyPatch
) -> tuple[borrowed_pairs.BorrowedPairs, borrowed_pairs.BorrowedPairs]:
    """Return predictions, and those whose upper ends follow from slopes alone."""
    found = borrow(own)
    with monkeypatch.context() as patched:
        patched.setattr(borrowed_pairs, "_largest_rise", lambda shares, *_figures: np.zeros(shares.shape[1]))
        before = borrow(own)
    assert found is not None
    assert before is not None
    return found, before


@pytest.mark.parametrize("rho_error", [0.01, 0.2, 0.3, 1.5])
@pytest.mark.parametrize("both", [20, 143])
def test_ends_contain_those_of_slopes_up_to_what_shares_allow(
    both: int, rho_error: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = replace(
        figures(noisy(4), both=both, asked=600),
        pool=PooledCorrelation(0.0, rho_error, 0.02, 0.01),
        shares=SHARES / 5,
    )
    estimates = np.where(both < 100, np.nan, own.estimates / 20)
    found, before = with_and_without_rise(replace(own, estimates=estimates), monkeypatch)
    assert found.is_shrunk.all() == (both >= 100)
    assert found.value == pytest.approx(before.value, abs=0)
    assert found.low == pytest.approx(before.low, abs=0)
    assert (found.high >= before.high).all()
    errors = borrowed_pairs._errors_by_design(
        own, borrowed_pairs._inner_shares(own), borrowed_pairs._predict(own, 0.0)[0]
    )
    most = np.minimum(*(own.shares[PAIRS].T + 2.5758293 * np.sqrt([errors.aa, errors.bb])))
    assert (found.high <= np.maximum(most, found.value) + 1e-9).all()
    # Without rows of its own, the whole rise is added to the value, up to that end.
    if both < 100:
        # A correlation of up to 2 errors became 0.
        moved = (2 * rho_error / 1.959964) ** 2
        of_rho = np.full(len(PAIRS), np.sqrt(rho_error**2 + moved + 0.02 + 0.01))
        shares, sizes = borrowed_pairs._inner_shares(own)[PAIRS].T, np.sqrt([errors.aa, errors.bb])
        wanted = np.minimum(found.value + borrowed_pairs._largest_rise(shares, sizes, 0.0, of_rho), most)
        assert found.high == pytest.approx(np.maximum(wanted, before.high))
        assert (found.high > 1.05 * before.high).sum() > 20


def test_an_outlying_interval_contains_its_own_and_the_predicted_one(monkeypatch: pytest.MonkeyPatch) -> None:
    estimates = products() + 0.001 * np.arange(len(PAIRS)) % 0.003
    estimates[5] = 0.95 * SHARES[PAIRS[5]].min()
    own = publishable_pairs(figures(estimates, n=40_000, both=1430, asked=10_000))
    found = borrow(own)
    monkeypatch.setattr(borrowed_pairs, "normal_quantile", lambda level: 1.959964 if level == 0.95 else 1e9)
    inlier = borrow(own)
    assert found is not None
    assert inlier is not None
    assert found.weight[5] == 1 > inlier.weight[5]
    half = 1.959964 * np.sqrt(
        borrowed_pairs._errors_by_design(own, SHARES, borrowed_pairs._predict(own, own.pool.rho)[0]).ee[5]
    )  # type: ignore[union-attr]
    assert found.low[5] <= min(inlier.low[5], estimates[5] - half) + 1e-9
    assert found.low[5] < found.value[5] < found.high[5]
    assert found.high[5] >= inlier.high[5]


@pytest.mark.parametrize(("rho_error", "known"), [(0.25, True), (0.2501, False)])
def test_an_association_with_an_error_above_a_quarter_is_not_determined(
    rho_error: float, known: bool
) -> None:
    found = borrow(replace(figures(noisy(4)), pool=PooledCorrelation(0.0, rho_error, 0.5, 0.1)))
    assert found is not None
    assert found.is_determined == known


def test_undetermined_associations_use_the_larger_of_both_spreads(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []

    def record(shares: np.ndarray, errors: np.ndarray, rho: float, rho_error: np.ndarray) -> np.ndarray:
        seen.append(rho_error)
        return np.zeros(shares.shape[1])

    monkeypatch.setattr(borrowed_pairs, "_largest_rise", record)
    for rho_error in (0.25, 0.26):
        borrow(replace(figures(noisy(4)), pool=PooledCorrelation(0.0, rho_error, 0.5, 0.1)))
    known, unknown = seen
    assert (known**2 < 0.25**2 + 0.5).all()
    assert (unknown**2 >= 0.26**2 + 0.5 - 1e-12).all()


def test_an_outlier_below_its_prediction_reaches_up_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    predicted, _ = borrowed_pairs._predict(figures(products()), 0.6)
    estimates = np.where(np.arange(len(PAIRS)) == 0, 0.0, predicted)
    own = publishable_pairs(figures(estimates, n=40_000, both=1430, asked=10_000))
    found = borrow(own)
    monkeypatch.setattr(borrowed_pairs, "normal_quantile", lambda level: 1.959964 if level == 0.95 else 1e9)
    inlier = borrow(own)
    assert found is not None
    assert inlier is not None
    assert found.weight[0] == 1 > inlier.weight[0]
    assert found.value[0] == found.low[0] == 0
    assert found.high[0] == pytest.approx(inlier.high[0], rel=1e-6)
    assert inlier.low[0] > 0.02


def test_the_error_of_a_prediction_consists_of_those_of_shares_and_of_the_correlation(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    own, pooled = figures(noisy(8, 0.04)), PooledCorrelation(0.3, 0.01, 0.03, 1e-4)
    predicted, scale = borrowed_pairs._predict(own, 0.3)
    errors, slopes = (
        borrowed_pairs._errors_by_design(own, SHARES, predicted),
        borrowed_pairs._slopes(own, 0.3),
    )
    found = learnt(own, pooled, np.ones(len(PAIRS), dtype=bool))
    monkeypatch.setattr(borrowed_pairs, "_YES_TO_ALL", 0.0)
    without = learnt(own, pooled, np.ones(len(PAIRS), dtype=bool))
    first, second = without.step[PAIRS].T ** 2 / 4
    of_shares = slopes[0] ** 2 * (errors.aa + first) + slopes[1] ** 2 * (errors.bb + second)
    of_shares += 2 * slopes[0] * slopes[1] * errors.ab + errors.aa * errors.bb
    assert without.covariance[0, 0] - of_shares == pytest.approx(scale**2 * without.of_rho, rel=1e-9)
    # People who say yes to everything add an error of their own.
    assert found.covariance[0, 0].sum() > without.covariance[0, 0].sum()
    assert (found.of_rho > 2 * pooled.rho_error**2).all()


def test_shares_stay_a_quarter_of_a_row_from_0_and_1() -> None:
    """100 rows: .0025; no row: as for one."""
    figures = SimpleNamespace(
        n_asked=np.array([[0, 100], [50, 50], [20, 80], [0, 0]]), shares=np.array([-0.1, 0.5, 1.0, 1.2])
    )
    found = borrowed_pairs._inner_shares(figures)  # type: ignore[arg-type]
    assert found.tolist() == pytest.approx([0.0025, 0.5, 0.9975, 0.75])


def test_pooled_figures_are_rounded_to_a_power_of_two_below_a_sixteenth_of_the_error() -> None:
    """An error of .16 allows steps of .01, so they are 1/128. A sixteenth of 4.8 is .3: a quarter."""
    assert borrowed_pairs._round_to_step(0.3, 0.16) == 38 / 128
    assert borrowed_pairs._round_to_step(-0.3, 0.16) == -38 / 128
    assert borrowed_pairs._round_to_step(0.3, 1.0) == 5 / 16
    assert [borrowed_pairs._round_to_step(1.37, error) for error in (4.0, 4.8, 8.0)] == [1.25, 1.25, 1.5]


def test_the_variance_of_a_product_is_exact_for_independent_and_for_normal_errors() -> None:
    """A is 0 or 2, B is 1 or 5, independent: A B is 0, 0, 2 or 10, with variance 104/4 - 9 = 17.

    The derivatives of a b at the means 1 and 3 are 3 and 1. The estimate covaries by 3 (.02) + .03. Normal
    errors with the covariance c add c^2.
    """
    of = {"aa": 1.0, "bb": 4.0, "ab": 0.0, "ae": 0.02, "be": 0.03, "ee": 1.0}
    errors = borrowed_pairs._Errors(**{name: np.array([value]) for name, value in of.items()})
    variance, with_estimate = errors.of_mean(np.array([3.0]), np.array([1.0]))
    assert (variance.tolist(), with_estimate.tolist()) == ([17.0], [pytest.approx(0.09)])
    related = replace(errors, ab=np.array([0.5]))
    assert related.of_mean(np.array([3.0]), np.array([2.0]))[0].tolist() == [9 + 16 + 6 + 4 + 0.25]


def test_a_pair_is_limited_by_what_the_99_percent_intervals_of_its_shares_allow() -> None:
    """At least what both shares exceed 1 by, at most the smaller of them."""
    pairs = [(0, 1), (0, 2), (3, 4), (5, 6)]
    shares = np.array([0.6, 0.7, 0.1, 0.3, 0.35, 0.98, 0.99])
    figures: Any = SimpleNamespace(shares=shares, pairs=np.array(pairs))
    errors: Any = SimpleNamespace(
        aa=np.array([0.02, 0.02, 0.05, 0.02]) ** 2, bb=np.array([0.01, 0.05, 0.01, 0.01]) ** 2
    )
    z = norm.isf(0.005)
    low, high = borrowed_pairs._ends_from_shares(figures, errors)
    assert low == pytest.approx([0.3 - 0.03 * z, 0, 0, 0.97 - 0.03 * z])
    # The smaller share of the third pair is less certain than the larger, which limits the pair.
    assert high == pytest.approx([0.6 + 0.02 * z, 0.1 + 0.05 * z, 0.35 + 0.01 * z, 1])


def test_without_association_a_distance_is_that_from_the_product_of_the_shares() -> None:
    """A step of the latent correlation is the density at both thresholds; slopes are the other share."""
    figures: Any = SimpleNamespace(
        shares=np.array([0.3, 0.6]), pairs=np.array([[0, 1]]), n_asked=np.full((2, 2), 500),
        estimates=np.array([0.25]),
    )  # fmt: skip
    errors = borrowed_pairs._Errors(
        **{name: np.array([value]) for name, value in
           {"aa": 4e-4, "bb": 9e-4, "ab": 1e-4, "ae": 2e-4, "be": 1e-4, "ee": 5e-4}.items()}
    )  # fmt: skip
    distance, variance = borrowed_pairs._distances(figures, 0.0, errors)
    step = norm.pdf(norm.ppf(0.3)) * norm.pdf(norm.ppf(0.6))
    assert distance == pytest.approx([(0.25 - 0.18) / step])
    of_product = 0.36 * 4e-4 + 0.09 * 9e-4 + 2 * 0.18 * 1e-4 + 4e-4 * 9e-4 + 1e-8
    covariance = 0.6 * 2e-4 + 0.3 * 1e-4
    assert variance == pytest.approx([(5e-4 + of_product - 2 * covariance) / step**2])
