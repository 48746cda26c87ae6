"""Two samples with different probabilities: the figures of R's packages, derivatives, and refusals."""

import numpy as np
import pytest
import scipy.stats

from privacy.library import (
    cheaters,
    extended_crosswise,
    item_sum,
    lie_detector,
    list_experiment,
    unrelated_unknown,
)
from privacy.library.two_samples import _list_tests
from tests.fixtures.published_studies import published
from tests.fixtures.refusals import refused


def figures(study, *names: str) -> list[tuple[float, float]]:
    return [(round(study[name].value, 6), round(study[name].standard_error, 6)) for name in names]


def test_unknown_prevalence_of_the_unrelated_question_is_estimated() -> None:
    found = unrelated_unknown((180, 600), (88, 400), p1=0.7, p2=0.3)
    assert figures(found, "share", "unrelated share") == [(0.36, 0.036271), (0.16, 0.038914)]
    assert found.n == 1_000


def test_the_cheater_model_matches_published_values() -> None:
    found = cheaters((175, 500), (300, 500), p1=0.2, p2=0.8)
    assert figures(found, "share", "honest no", "cheaters") == [
        (0.266667, 0.029393),
        (0.416667, 0.051014),
        (0.316667, 0.030095),
    ]


def test_the_minaret_study_is_reproduced_with_the_lie_detector() -> None:
    found = lie_detector((373, 564), (398, 692), p1=2 / 12, p2=10 / 12)
    assert figures(found, "share", "honesty") == [(0.870695, 0.041118), (0.635806, 0.017344)]


def test_extended_crosswise_matches_published_estimates_and_test() -> None:
    found = extended_crosswise((300, 500), (210, 500), p=0.25)
    names = ("share in sample 1", "share in sample 2", "share")
    assert figures(found, *names) == [(0.3, 0.043818), (0.34, 0.044145), (0.32, 0.031106)]
    (test,) = found.tests
    assert round(test.statistic, 6) == 0.413426
    assert round(test.p_value, 4) == 0.5202
    assert (test.test.n, test.test.estimable) == (1_000, True)


@pytest.mark.parametrize("p", [(0.7, 0.3), (0.2, 0.9)])
def test_each_model_recovers_its_own_truth(p: tuple[float, float]) -> None:
    share, other, n = 0.24, 0.36, 10**9
    yes = [round(n * (one * share + (1 - one) * other)) for one in p]
    found = unrelated_unknown((yes[0], n), (yes[1], n), p1=p[0], p2=p[1])
    assert [one.value for one in found.quantities] == pytest.approx([share, other], abs=1e-8)
    yes = [round(n * (share + other * one)) for one in p]
    cheats = cheaters((yes[0], n), (yes[1], n), p1=p[0], p2=p[1])
    assert [one.value for one in cheats.quantities] == pytest.approx([share, other, 0.4], abs=1e-8)
    yes = [round(n * (share * 0.8 + (1 - share) * (1 - one))) for one in p]
    lies = lie_detector((yes[0], n), (yes[1], n), p1=p[0], p2=p[1])
    assert [one.value for one in lies.quantities] == pytest.approx([share, 0.8], abs=1e-7)


def test_lie_detector_errors_match_the_numerical_slopes() -> None:
    first, second, step = (373, 564), (398, 692), 1e-6

    def honesty(l1: float, l2: float) -> float:
        return (l2 * (10 / 12) - l1 * (2 / 12)) / ((l2 - l1) + 8 / 12)

    l1, l2 = 373 / 564, 398 / 692
    slopes = [
        (honesty(l1 + step, l2) - honesty(l1 - step, l2)) / (2 * step),
        (honesty(l1, l2 + step) - honesty(l1, l2 - step)) / (2 * step),
    ]
    spread = np.sqrt(slopes[0] ** 2 * l1 * (1 - l1) / 563 + slopes[1] ** 2 * l2 * (1 - l2) / 691)
    found = lie_detector(first, second, p1=2 / 12, p2=10 / 12)["honesty"]
    assert found.standard_error == pytest.approx(spread, rel=1e-6)


def test_swapping_samples_and_probabilities_changes_nothing() -> None:
    there = lie_detector((373, 564), (398, 692), p1=2 / 12, p2=10 / 12)
    back = lie_detector((398, 692), (373, 564), p1=10 / 12, p2=2 / 12)
    for one, other in zip(there.quantities, back.quantities, strict=True):
        assert (one.value, one.standard_error) == pytest.approx((other.value, other.standard_error))


def test_contradictory_samples_are_refused() -> None:
    for model in (unrelated_unknown, cheaters, lie_detector):
        with refused("paper", "both"):
            model((1, 5), (2, 5), p1=0.3, p2=0.3)
        with refused("paper", "sample 2"):
            model((1, 5), (6, 5), p1=0.3, p2=0.6)
    with refused("paper", "p is 0.5"):
        extended_crosswise((1, 5), (2, 5), p=0.5)
    for samples in (((6, 5), (2, 5)), ((1, 5), (6, 5))):
        with refused("paper"):
            extended_crosswise(*samples, p=0.25)
    with refused("paper", "honesty"):
        # The samples differ by exactly p2 - p1, so the estimated share is 0.
        lie_detector((3, 4), (1, 4), p1=0.25, p2=0.75)


def test_a_constant_sample_still_has_a_finite_test() -> None:
    assert np.isfinite(extended_crosswise((8, 8), (0, 8), p=0.25).tests[0].statistic)


def test_counts_that_the_design_cannot_produce_are_refused() -> None:
    """These were findings: shares of -.5, 1.71 and -2."""
    with refused("misfit", "share would be -0.5 to"):
        extended_crosswise((500, 500), (0, 500), p=0.25)
    with refused("misfit", "share would be"):
        unrelated_unknown((20, 600), (300, 400), p1=0.7, p2=0.3)
    with refused("misfit", "share would be -2 to -2"):
        list_experiment([0, 0, 100], [100, 0, 0, 0])
    with refused("misfit", "honest no would be"):
        cheaters((300, 500), (200, 500), p1=0.2, p2=0.8)


CONTROL, TREATED = [8, 132, 222, 227], [19, 123, 229, 219, 34]


def test_the_race_and_politics_study_is_reproduced() -> None:
    found = list_experiment(CONTROL, TREATED)["share"]
    assert (round(found.value, 7), round(found.standard_error, 7)) == (0.0677974, 0.0495783)


def test_the_race_study_counts_match_its_rows() -> None:
    rows = published("list_race.csv")
    for group, counts in ((0, CONTROL), (1, TREATED)):
        assert np.bincount(rows.y[rows.treat == group].astype(int)).tolist() == counts


def test_each_inequality_is_a_corrected_fisher_exact_test() -> None:
    n0, n1 = sum(CONTROL), sum(TREATED)
    c0, c1 = np.cumsum(CONTROL)[:-1], np.cumsum(TREATED)[:-1]

    def fisher(first: int, n: int, second: int, m: int) -> float:
        table = [[first, n - first], [second, m - second]]
        return float(scipy.stats.fisher_exact(table, alternative="greater")[1])

    fewer = [fisher(c1[y], n1, c0[y], n0) for y in range(3)]
    more = [fisher(c0[y], n0, c1[y + 1], n1) for y in range(3)]
    found = [test.p_value for test in list_experiment(CONTROL, TREATED).tests]
    wanted = [3 * min(fewer), 3 * min(more), 6 * min(fewer + more)]
    assert found == pytest.approx([min(1.0, p) for p in wanted], rel=1e-9)


def test_an_extreme_violation_without_variance_is_detected() -> None:
    """If everyone in a group gives the same count, no cell varies, and a covariance test would fail."""
    fewer, _, both = _list_tests(np.array([0.0, 0, 100]), np.array([100.0, 0, 0, 0]))
    assert fewer.p_value < 1e-50
    assert both.p_value < 1e-50
    assert [(each.test.n, each.test.estimable) for each in (fewer, both)] == [(200, True)] * 2


def test_list_experiments_detect_hidden_harmless_items() -> None:
    # With the sensitive item, half of the people who would count 2 or more count 0.
    fewer, _, both = _list_tests(np.array([50.0, 300, 450, 200]), np.array([260.0, 260, 300, 140, 40]))
    assert fewer.p_value < 1e-6
    assert both.p_value < 1e-6
    _, more, _ = _list_tests(np.array([500.0, 300, 150, 50]), np.array([100.0, 100, 200, 300, 300]))
    assert more.p_value < 1e-6


def test_an_item_sum_is_the_difference_of_means() -> None:
    rng = np.random.default_rng(1)
    without, with_it = rng.poisson(20, size=60), rng.poisson(27, size=40)
    found = item_sum(without.tolist(), with_it.tolist())["mean"]
    assert found.value == pytest.approx(with_it.mean() - without.mean())
    by_scipy = scipy.stats.ttest_ind(with_it, without, equal_var=False)
    assert found.value / found.standard_error == pytest.approx(by_scipy.statistic)
    assert not item_sum([5, 6], [1, 2])["mean"].outside


def test_contradictory_counts_are_refused() -> None:
    with refused("paper", "6 counts"):
        list_experiment([8, 132, 222, 227], [19, 123, 229, 219, 34, 1])
    with refused("paper"):
        list_experiment([1, 2, 3], [1, 2])
    with refused("paper", "treated"):
        list_experiment([5, 5], [1, 0, 0])
    with refused("paper", "control"):
        list_experiment([5, -5], [1, 2, 3])
    for wrong in ([1.0], [1.0, float("nan")], [], ["a", "b"], [[1, 2], [3]]):
        with refused("paper", "the group with"):
            item_sum([1, 2], wrong)


@pytest.mark.parametrize("study", [cheaters, lie_detector, unrelated_unknown])
def test_all_people_of_both_samples_count(study) -> None:
    assert study((66, 100), (40, 90), p1=0.2, p2=0.8).n == 190
    assert extended_crosswise((66, 100), (40, 90), p=0.2).n == 190
