import math

import numpy as np
import pytest

from privacy.estimation import SupportCounts, required_counts
from privacy.estimation.moments import Estimator, Scores, check_estimator, check_target
from privacy.estimation.required_counts import Pair, contingency_tables
from privacy.estimation.shapes import BOTH, FIRST, SECOND
from tests.fixtures.refusals import refused
from tests.privacy.estimation.designs import MIXED, TWO_BLOCKS, design, protected, yes_no
from tests.privacy.estimation.records import count, sample

BOTH_ESTIMATORS: tuple[Estimator, ...] = ("stratified", "pooled")


def scored(estimator: Estimator) -> Scores:
    pair: Pair = ((0,), (1, 2))
    rows = sample(TWO_BLOCKS, 100, seed=51)
    counts = count(TWO_BLOCKS, rows, required_counts([pair], TWO_BLOCKS))
    (part,) = contingency_tables(counts, [pair], TWO_BLOCKS)
    return Scores.of(part, estimator)


@pytest.mark.parametrize("estimator", BOTH_ESTIMATORS)
def test_weights_add_up_to_the_number_of_rows(estimator: Estimator) -> None:
    scores = scored(estimator)
    total = (scores.weights * scores.n_by_group[:, None]).sum(axis=0)
    assert total == pytest.approx(np.full((3, 1), 100.0))


def test_pooled_mixes_the_groups_with_w_k_by_a() -> None:
    scores = scored("pooled")
    k = scores.shares[0, 0]
    for which, p in ((BOTH, 0.6 * 0.45), (FIRST, 0.6), (SECOND, 0.6 * 0.45)):
        w = k / (k + (1 - k) * p)
        direct, protected = scores.value_by_group[:, which, 0]
        mixed = w * direct + (1 - w) * protected
        assert scores.value[which, 0] == pytest.approx(mixed, abs=1e-12)


def test_stratified_mixes_the_groups_as_they_are() -> None:
    scores = scored("stratified")
    mixed = (scores.shares[:, None] * scores.value_by_group).sum(axis=0)
    assert scores.value == pytest.approx(mixed, abs=1e-12)


def test_the_stratified_variance_holds_the_difference_of_the_groups() -> None:
    # k s0^2/n + (1-k) s1^2/n + k(1-k) (P0-P1)^2/n
    one = design(protected("b", 6000, yes_no("a", 5000)))
    (part,) = contingency_tables(SupportCounts({(): (200, 800), (0,): (60, 400)}), [(0,)], one)
    scores = Scores.of(part, "stratified")
    first, second = 0.3, (0.5 - 0.2) / 0.6
    within = 0.2 * 0.3 * 0.7 + 0.8 * 0.25 / 0.36
    expected = (within + 0.2 * 0.8 * (first - second) ** 2) / 1000
    assert scores.population_covariance[0, 0, 0] == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("estimator", BOTH_ESTIMATORS)
def test_covariances_are_symmetric_and_those_of_the_population_positive(estimator: Estimator) -> None:
    scores = scored(estimator)
    for matrix in (scores.population_covariance[:, :, 0], scores.respondents_covariance[:, :, 0]):
        assert matrix == pytest.approx(matrix.T, abs=1e-15)
    assert np.linalg.eigvalsh(scores.population_covariance[:, :, 0]).min() > 0


def test_a_covariance_has_a_target() -> None:
    scores = scored("stratified")
    assert (scores.covariance("population") == scores.population_covariance).all()
    assert (scores.covariance("respondents") == scores.respondents_covariance).all()
    with refused("target", "'sample'"):
        scores.covariance("sample")  # type: ignore[arg-type]  # refused


def test_names_are_checked() -> None:
    check_estimator("pooled")
    check_target("respondents")
    with refused("estimator", "None"):
        check_estimator(None)
    with refused("target", "''"):
        check_target("")


def test_open_answers_score_0_or_1() -> None:
    pair: Pair = ((0,), (1,))
    counts = count(MIXED, sample(MIXED, 50, seed=52), required_counts([pair], MIXED))
    (part,) = contingency_tables(counts, [pair], MIXED)
    scores = Scores.of(part, "pooled")
    assert set(np.unique(scores.by_group[1])) == {0.0, 1.0}
    assert math.isclose(scores.mean_truth[BOTH, 0], 1.0)
    assert not scores.respondents_covariance.any()
