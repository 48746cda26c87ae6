"""Tests of three-way dependence: their formulas, by enumeration, and their power."""

import itertools
from dataclasses import replace

import numpy as np
import pytest

from benchmarks.borrowing import design_of as rotating
from benchmarks.borrowing import disguised, rare_world
from mining import predicted_itemsets
from mining.columns.bitmatrix import BitMatrix
from mining.columns.count_cache import CountCache
from mining.frames.survey import Survey
from mining.predicted_itemsets import pair_figures
from mining.three_way import ThreeWay, _measured, _moments, _Rows, three_way
from privacy.estimation import borrowed_pairs
from privacy.estimation.borrowed_pairs import borrow, publishable_pairs
from privacy.printed import UNCHECKED, Measured
from privacy.survey.design import Design

NAMES = [f"q{number}" for number in range(6)]
TRIPLE = np.array([[0, 1, 2]])


def design_of(*, blocks: int = 1, asked: int | None = None, p: float = 0.5) -> Design:
    size = len(NAMES) // blocks
    named = {f"b{at}": NAMES[at * size : (at + 1) * size] for at in range(blocks)}
    drawn = {} if asked is None else {"b0": asked}
    return Survey(blocks=named, p=p, questions_per_person=drawn).design


def sent(truth: np.ndarray, design: Design, seed: int) -> CountCache:
    """Disguise true answers with one coin for each block, and draw the questions of a rotating block."""
    rng = np.random.default_rng(seed)
    reports, asked = truth.copy(), np.ones(truth.shape, dtype=bool)
    for number, block in enumerate(design.blocks):
        own = [item.index for item in design.items if item.block == number]
        decoy = rng.random(len(truth)) >= float(block.truth)
        reports[np.ix_(decoy, own)] = rng.random((decoy.sum(), len(own))) < 0.5
        if block.questions_per_person is not None:
            order = rng.random((len(truth), len(own))).argsort(axis=1)
            asked[:, own] = order < block.questions_per_person
    direct = np.zeros(len(truth), dtype=bool)
    return CountCache(BitMatrix.from_booleans(design, reports & asked, direct, is_asked=asked))


def tied(n: int, seed: int, *, third: float) -> np.ndarray:
    """Return six pairwise independent items; the third often tells whether the first two agree."""
    rng = np.random.default_rng(seed)
    truth = rng.random((n, 6)) < 0.4
    agrees = truth[:, 0] == truth[:, 1]
    truth[:, 2] = np.where(rng.random(n) < third, agrees, truth[:, 2])
    return truth


@pytest.mark.parametrize("blocks", [1, 3])
def test_scores_are_unbiased_for_central_moments(blocks: int) -> None:
    """Enumerates every report with its probability, for a truth with three dependent items."""
    design, law = design_of(blocks=blocks), np.array([3, 1, 1, 3, 1, 3, 3, 1]) / 16
    truths = np.array(list(itertools.product((0, 1), repeat=3)))
    rows = []
    for chance, truth in zip(law, truths, strict=True):
        coins = itertools.product((0, 1), repeat=3)
        for coin, decoy in itertools.product(coins, itertools.product((0, 1), repeat=3)):
            if blocks == 1 and len(set(coin)) > 1:
                continue
            if blocks == 3 and coin[0] != coin[1]:
                continue
            weight = chance * (4 if blocks == 1 else 2) * 16
            report = [own if kept else made for own, kept, made in zip(truth, coin, decoy, strict=True)]
            rows += [report] * round(weight)
    reports = np.concatenate([np.array(rows, dtype=bool), np.zeros((len(rows), 3), dtype=bool)], axis=1)
    matrix = BitMatrix.from_booleans(design, reports, np.zeros(len(rows), dtype=bool))
    shares = law @ truths
    scores = _Rows(matrix, np.arange(6), np.append(shares, np.full(3, 0.5)))
    off = truths - shares
    assert scores.score((0, 1, 2)).mean() == pytest.approx(law @ off.prod(axis=1), abs=1e-12)
    assert scores.score((0, 2)).mean() == pytest.approx(law @ (off[:, 0] * off[:, 2]), abs=1e-12)
    assert scores.score((1,)).mean() == pytest.approx(0, abs=1e-12)


def test_moments_and_derivatives_match_the_distribution() -> None:
    shares = np.array([0.3, 0.45, 0.6])
    excess = np.array([[0, 0.03, -0.02], [0.03, 0, 0.05], [-0.02, 0.05, 0]])
    (_, on_pairs, on_shares), step = _moments(shares, excess, TRIPLE), 1e-4
    for at, (i, j) in enumerate(((0, 1), (0, 2), (1, 2))):
        ends = []
        for sign in (1, -1):
            moved = excess.copy()
            moved[i, j] += sign * step
            moved[j, i] += sign * step
            ends.append(_moments(shares, moved, TRIPLE)[0][0])
        assert on_pairs[0, at] == pytest.approx((ends[0] - ends[1]) / (2 * step), abs=1e-5)
    for item, (j, k) in enumerate(((1, 2), (0, 2), (0, 1))):
        up, down = (_moments(shares + end * step * np.eye(3)[item], excess, TRIPLE)[0][0] for end in (1, -1))
        # The estimated share also changes the mean score, by the excess of the other two items.
        assert on_shares[0, item] - excess[j, k] == pytest.approx((up - down) / (2 * step), abs=1e-5)


def test_score_variance_matches_reports_of_independent_items() -> None:
    design = design_of(blocks=2)
    cache = sent(np.random.default_rng(1).random((200_000, 6)) < 0.3, design, 2)
    rows = _Rows(cache.matrix, np.arange(6), np.full(6, 0.3))
    for triple in ((0, 1, 2), (0, 1, 4)):
        # The mean of 200,000 squares has a standard error of about .5%, so 3% are six of them.
        assert rows.variance(triple) == pytest.approx(float((rows.score(triple) ** 2).mean()), rel=0.03)


@pytest.mark.parametrize("refusal", [None, 2000])
def test_score_variance_is_the_mean_square_over_all_reports(refusal: int | None) -> None:
    """Three independent items of one coin with p = 1/2; perhaps a fifth of the random answers are skips."""
    design = design_of()
    design = replace(design, blocks=(replace(design.blocks[0], refusal=refusal),))
    reports = np.array(list(itertools.product((0, 1), repeat=3)), dtype=bool)
    matrix = BitMatrix.from_booleans(
        design, np.hstack([reports, np.zeros_like(reports)]), np.zeros(8, dtype=bool)
    )
    shares = np.array([0.1, 0.3, 0.6])
    rows = _Rows(matrix, np.arange(6), np.append(shares, np.full(3, 0.5)))
    skipped = (refusal or 0) / 10_000
    true = np.where(reports, shares, 1 - shares).prod(axis=1)
    law = (true + (1 - skipped) / 8 + skipped * ~reports.any(axis=1)) / 2
    assert law.sum() == pytest.approx(1)
    assert rows.variance((0, 1, 2)) == pytest.approx(law @ rows.score((0, 1, 2)) ** 2, rel=1e-9)
    assert law @ rows.score((0, 1, 2)) == pytest.approx(0, abs=1e-12)


def found(third: float, **design: object) -> ThreeWay:
    result = three_way(sent(tied(20_000, 3, third=third), design_of(**design), 4))  # type: ignore[arg-type]
    assert result is not None
    return result


@pytest.mark.parametrize("design", [{"asked": 4, "p": 0.7}, {"blocks": 3, "p": 0.7}])
def test_only_the_strong_triple_is_found(design: dict[str, object]) -> None:
    """Its excess is about ten standard errors; missing it, or finding another triple, is below 1e-6."""
    strong, none = found(0.8, **design), found(0.0, **design)
    assert strong.tested[(0, 1, 2)][1] < 1e-6
    assert strong.tested[(0, 1, 2)][0].low > 0.05
    assert min(p for items, (_, p) in strong.tested.items() if items != (0, 1, 2)) > 1e-6
    assert min(p for _, p in none.tested.values()) > 1e-6
    assert none.p_value > 1e-6
    assert none.mean is not None
    assert abs(none.mean.value) < 6 * none.mean.standard_error


def test_pairs_of_100_people_enter_the_tests_unshrunk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shrunken pairs biased the mean, so that 6.8% of 1,600 surveys with independent items were rejected."""
    cache = sent(tied(2_000, 3, third=0.0), design_of(asked=4), 4)
    own = three_way(cache)
    monkeypatch.setattr(
        predicted_itemsets, "borrow", lambda kept: replace(pairs := borrow(kept), value=pairs.value / 2)
    )
    assert own is not None
    assert three_way(cache) == own


def test_three_way_tests_need_three_questions_per_respondent() -> None:
    result = found(0.8, asked=2)
    assert np.isnan(result.p_value)
    assert result.tested == {}


def test_triples_of_fewer_than_100_people_are_not_tested() -> None:
    result = three_way(sent(tied(450, 3, third=0.0), design_of(asked=3), 4))
    assert result is not None
    assert result.tested == {}
    assert result.mean is not None
    assert result.mean.low < result.mean.value < result.mean.high


def test_three_way_tests_need_borrowed_estimates() -> None:
    design = Survey(blocks={"b": ["x", "y"]}, p=0.5).design
    rows = np.random.default_rng(1).random((500, 2)) < 0.5
    cache = CountCache(BitMatrix.from_booleans(design, rows, np.zeros(500, dtype=bool)))
    assert three_way(cache) is None


@pytest.mark.parametrize("epsilon", [2, 4])
@pytest.mark.soak
def test_the_error_of_the_pooled_correlation_is_its_standard_deviation(
    epsilon: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pairs of one row are dependent. The standard deviation of 200 surveys has an error of 5%."""
    found, stated = [], []

    def record(total: float, weight: np.ndarray, a: np.ndarray, b: np.ndarray) -> float:
        found.append(total / (weight @ borrowed_pairs._density(a, b, 0.0)))
        return 0.0

    monkeypatch.setattr(borrowed_pairs, "_solve_correlation", record)
    rng, shares, design = np.random.default_rng(8), np.linspace(0.05, 0.6, 18), rotating(18, epsilon)
    for _ in range(200):
        own = pair_figures(disguised(rng.random((4000, 18)) < shares, design, rng))
        assert own is not None
        pool = publishable_pairs(own).pool
        assert pool is not None
        stated.append(pool.rho_error)
    assert np.std(found) == pytest.approx(np.mean(stated), rel=0.2)


@pytest.mark.parametrize(
    ("people", "epsilon", "rho"), [(500, 4, 0.7), (2000, 2, 0.7), (10_000, 2, 0.7), (10_000, 4, 0.5)]
)
@pytest.mark.soak
def test_intervals_of_rare_pairs_contain_what_the_model_itself_makes_true(
    people: int, epsilon: float, rho: float
) -> None:
    """Of ten surveys by one seed. With upper ends from slopes, .58 to .76 of these intervals held."""
    draw, true = rare_world(0.02, 0.1, rho)
    rng, design, held = np.random.default_rng(1), rotating(len(true), epsilon), []
    for _ in range(10):
        cache = disguised(draw(people, rng), design, rng)
        figures = pair_figures(cache)
        assert figures is not None
        pairs = borrow(publishable_pairs(figures))
        assert pairs is not None
        first, second = figures.items[figures.pairs].T
        held.append((pairs.low <= true[first, second]) & (true[first, second] <= pairs.high))
    assert np.mean(held) >= 0.93


def test_triples_with_a_pair_less_certain_than_it_is_frequent_are_not_tested() -> None:
    """Independent items of 2 to 10%: the mean over triples rejected in 16 of 60 such surveys."""
    rng = np.random.default_rng(5)
    rare = rng.random((2000, 12)) < np.linspace(0.02, 0.1, 12)
    found = three_way(disguised(rare, rotating(12, 4), rng))
    assert found is not None
    assert found.mean is None
    assert np.isnan(found.p_value)
    assert not found.tested
    common = rng.random((2000, 8)) < 0.4
    assert three_way(disguised(common, rotating(8, 4), rng)).p_value > 1e-4


def test_the_error_of_the_mean_is_at_least_that_of_the_design(monkeypatch: pytest.MonkeyPatch) -> None:
    """With 100 and 400 times the variance by design, the error follows the design: it doubles."""
    cache, usual, errors = sent(tied(3_000, 3, third=0.0), design_of(asked=3), 4), _Rows.variance, {}
    for factor in (0.0, 1.0, 100.0, 400.0):
        monkeypatch.setattr(
            _Rows,
            "variance",
            lambda rows, items, by=factor: usual(rows, items) * (by if len(items) == 3 else 1.0),
        )
        result = three_way(cache)
        assert result is not None
        assert result.mean is not None
        errors[factor] = result.mean.standard_error
    assert 0 < errors[0.0] <= errors[1.0] < errors[100.0]
    assert errors[400.0] == pytest.approx(2 * errors[100.0])


@pytest.mark.soak
def test_the_mean_finds_a_small_class_among_rare_answers() -> None:
    """A class of 3% says yes to nine in ten of ten items of 4 to 11%: 15.7 errors on average of 8 surveys."""
    rng = np.random.default_rng(8103)
    is_inside = rng.random((100_000, 1)) < 0.03
    truth = rng.random((100_000, 10)) < np.where(is_inside, 0.9, np.linspace(0.01, 0.085, 10))
    found = three_way(disguised(truth, rotating(10, 4), rng))
    assert found is not None
    assert found.mean is not None
    # With a standard deviation of 1.2 between surveys, the false-alarm rate is far below 1e-6.
    assert found.mean.value > 8 * found.mean.standard_error
    assert found.p_value < 1e-12


def test_p_values_name_their_test_their_rows_and_their_correction() -> None:
    nothing = ThreeWay(mean=None, p_value=1.0, tested={})
    assert (nothing.test.n, nothing.test.estimable, nothing.adjusted) == (0, False, {})
    mean = Measured(
        value=0.1, standard_error=0.02, low=0.06, high=0.14, estimable=True, n=700, effective_n=700,
        level=0.95, possible=(-1, 1), method="ratio", shift=0.0, origin=UNCHECKED,
    )  # fmt: skip
    found = ThreeWay(mean=mean, p_value=0.03, tested={(0, 1, 2): (replace(mean, n=400), 0.06)})
    assert (found.test.value, found.test.n, found.test.estimable) == (0.03, 700, True)
    assert (found.test.test, found.test.adjustment, found.test.family) == ("three answers", "none", 1)
    (adjusted,) = found.adjusted.values()
    assert (adjusted.value, adjusted.n, adjusted.adjustment, adjusted.family) == (0.06, 400, "Holm", 1)


def test_an_excess_has_a_normal_interval() -> None:
    found = _measured(0.03, 0.01, 400)
    assert (found.low, found.high) == (pytest.approx(0.03 - 0.01959964), pytest.approx(0.03 + 0.01959964))
    assert (found.basis, found.n, found.possible) == ("estimate", 400, (-1, 1))
