"""Shares by arm are exact on enumerated distributions, match textbooks, and keep level and power."""

import itertools
from collections.abc import Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy import stats

from privacy.arrays import Array
from privacy.errors import PrivacyError
from privacy.estimation.arm_effects import ArmEffects, GroupSums, arm_effects
from privacy.printed import CHECKED
from tests.statistics import POWER, binomial_power, binomial_range

P = 0.6
PATTERNS = np.array(list(itertools.product((0, 1), repeat=3)))
EACH = [[0], [1], [2]]


def scores_at(p: float) -> Array:
    """Return the score of each of the eight rows, by question."""
    return (PATTERNS.T - (1 - p) / 2) / p


def shown(truth: Array, p: float = P) -> Array:
    """Return the distribution of rows of three questions that share a coin."""
    return np.asarray(p * truth + (1 - p) / 8)


def sums(rows: Array, asked: Array, scores: Array) -> GroupSums:
    """Return sums over this number, or expected number, of rows of each kind."""
    own = np.concatenate([asked, scores])
    return GroupSums(totals=own @ rows, products=((own * rows) @ own.T)[None])


def counts_of(rows: Array, p: float = P) -> GroupSums:
    """Return sums over the eight rows that a group can send."""
    return sums(rows, np.ones((3, 8)), scores_at(p))


def some_truths() -> list[Array]:
    rng = np.random.default_rng(3)
    return [rng.dirichlet(np.ones(8)) for _ in range(3)]


def test_effects_of_three_arms_on_three_questions_are_exact() -> None:
    truths, sizes = some_truths(), (300.0, 500.0, 200.0)
    groups = [counts_of(n * shown(truth)) for n, truth in zip(sizes, truths, strict=True)]
    found = arm_effects(groups, EACH)
    wanted = np.array([truth @ PATTERNS for truth in truths])
    assert found.shares == pytest.approx(wanted)
    # The covariance of the shares, from the distribution row by row.
    z = (PATTERNS - (1 - P) / 2) / P
    covariances = []
    for n, truth in zip(sizes, truths, strict=True):
        law, mean = shown(truth), truth @ PATTERNS
        covariances.append((z - mean).T @ ((z - mean) * law[:, None]) / n)
    assert found.errors == pytest.approx(np.sqrt([np.diag(each) for each in covariances]))
    # The test is Pillai's: the trace of the spread between groups relative to the total spread.
    n, middle = np.array(sizes), np.average(wanted, axis=0, weights=sizes)
    rows = sum(own * shown(truth) for own, truth in zip(sizes, truths, strict=True))
    between = (wanted - middle).T @ ((wanted - middle) * n[:, None])
    trace = np.trace(np.linalg.solve((z - middle).T @ ((z - middle) * rows[:, None]), between))
    assert found.joint.statistic == pytest.approx(1000 * trace)
    # With s = 2, m = 0 and n = (1000 - 3 - 3 - 1) / 2, F has s (2 m + s + 1) and s (2 n + s + 1) degrees.
    assert (found.joint.degrees, found.joint.rest) == (6, pytest.approx(2 * (993 + 3)))
    f = 996 / 3 * trace / (2 - trace)
    assert found.joint.p_value == pytest.approx(stats.f.sf(f, 6, 1992))


def test_two_undisguised_groups_have_welchs_intervals() -> None:
    def openly(n: int, yes: int) -> GroupSums:
        return GroupSums.of(np.ones((1, n)), (np.arange(n)[None] < yes).astype(np.float64))

    found = arm_effects([openly(250, 100), openly(400, 120)], [[0]])
    error = np.sqrt(0.4 * 0.6 / 250 + 0.3 * 0.7 / 400)
    assert found.differences[0, 0] == pytest.approx(-0.1)
    assert found.difference_errors[0, 0] == pytest.approx(error)
    parts = np.array([0.4 * 0.6 / 249, 0.3 * 0.7 / 399])
    degrees = parts.sum() ** 2 / (parts**2 / [249, 399]).sum()
    half = stats.t.isf(0.025, degrees) * np.sqrt(parts.sum())
    assert found.interval(1, 0) == pytest.approx((-0.1 - half, -0.1 + half))
    # The half-width for the largest of ten differences.
    wide = stats.t.isf(0.0025, degrees) * np.sqrt(parts.sum())
    assert found.interval(1, 0, level=1 - 0.05 / 10) == pytest.approx((-0.1 - wide, -0.1 + wide))


@pytest.mark.filterwarnings("error")
def test_a_group_of_one_person_and_groups_that_agree_have_shares() -> None:
    def openly(n: int, yes: int) -> GroupSums:
        return GroupSums.of(np.ones((1, n)), (np.arange(n)[None] < yes).astype(np.float64))

    found = arm_effects([openly(1, 1), openly(50, 20)], [[0]])
    assert found.shares.tolist() == [[1.0], [0.4]]
    assert found.errors == pytest.approx(np.array([[0], [np.sqrt(0.24 / 50)]]))
    # Nobody and everybody: no row differs from its group, so the difference is known exactly.
    opposite = replace(found, errors=np.zeros((2, 1)), differences=np.array([[-1.0]]))
    assert opposite.interval(1, 0) == (-1, -1)


def test_direct_groups_have_wilson_intervals_even_at_zero() -> None:
    """For 0 of 100, Wilson's ends are 0 and z^2 / (n + z^2)."""
    nobody, some = (
        GroupSums.of(np.ones((1, 100)), (np.arange(100)[None] < yes).astype(np.float64)) for yes in (0, 2)
    )
    found = arm_effects([nobody, some], [[0]])
    assert found.is_direct.all()
    z = 1.959964**2
    assert found.share_interval(0, 0) == pytest.approx((0, z / (100 + z)), abs=1e-8)
    middle, half = (0.02 + z / 200) / (1 + z / 100), np.sqrt(z * 0.0196 / 100 + z**2 / 4e4) / (1 + z / 100)
    assert found.share_interval(1, 0) == pytest.approx((middle - half, middle + half))
    assert not arm_effects([counts_of(100 * shown(own)) for own in some_truths()], EACH).is_direct.any()


@pytest.mark.parametrize(
    ("sizes", "yes"),
    [
        ((250, 400), (100, 120)),
        ((120, 300, 90, 200), (30, 60, 36, 50)),
        # With a variance for each group, this had p = .0108 instead of .69.
        ((100,) * 6, (3, 3, 3, 3, 3, 0)),
    ],
)
@pytest.mark.parametrize(("p", "theta"), [(1.0, 0.0), (0.9, 0.1)])
def test_one_question_matches_pearson_and_anova(
    sizes: tuple[int, ...], yes: tuple[int, ...], p: float, theta: float
) -> None:
    """For one strength, scores are linear in reports, so the test is that of the reports themselves."""
    sent = [(np.arange(n) < own).astype(np.float64) for n, own in zip(sizes, yes, strict=True)]
    scores = [(own[None] - (1 - p) * theta) / p for own in sent]
    found = arm_effects([GroupSums.of(np.ones_like(own), own) for own in scores], [[0]]).joint
    table = [yes, np.subtract(sizes, yes)]
    assert found.statistic == pytest.approx(stats.chi2_contingency(table, correction=False).statistic)
    assert found.p_value == pytest.approx(stats.f_oneway(*sent).pvalue)


def test_too_few_people_give_no_joint_test() -> None:
    """With twenty questions and ten people per group, no degrees of freedom are left."""
    rng = np.random.default_rng(56)
    groups = [GroupSums.of(np.ones((20, 10)), rng.integers(0, 2, (20, 10)).astype(float)) for _ in range(2)]
    found = arm_effects(groups, [[number] for number in range(20)])
    assert found.joint.p_value is None
    assert all(0 <= p <= 1 for p in found.p_values)


@pytest.mark.soak
@pytest.mark.parametrize(
    ("sizes", "truths", "outcomes", "share", "asked", "weighted"),
    [
        ((150, 150), (0.5, 0.5), 20, 0.3, None, False),
        ((400, 100, 100, 200), (0.5, 0.5, 0.8, 0.8), 5, 0.1, None, False),
        ((200, 200), (0.5, 0.5), 10, 0.2, 4, False),
        ((200, 200), (0.5, 0.5), 5, 0.2, None, True),
        ((100,) * 6, (0.98,) * 6, 4, 0.04, None, False),
    ],
)  # fmt: skip
def test_the_joint_test_and_largest_difference_keep_their_stated_rates(
    sizes: tuple[int, ...], truths: tuple[float, ...], outcomes: int, share: float, asked: int | None,
    weighted: bool,
) -> None:  # fmt: skip
    """In 3,000 null surveys the size is .03 to .07, and the largest difference covers 0 in at least .94.

    The standard error of a rate of .05 is .004. A size of .09, which variances by group exceed in six groups,
    is detected with probability .9999. A coverage of .94 fails with probability 1e-6, and one of .90 with
    probability .9995.
    """
    assert binomial_power(3_000, 0.06, 0.04) > POWER
    rng = np.random.default_rng(56)
    rejected, missed = 0, 0
    for _ in range(3_000):
        groups = []
        for n, p in zip(sizes, truths, strict=True):
            kept, x = rng.random((outcomes, n)) < p, rng.random((outcomes, n)) < share
            y = np.where(kept, x, rng.random((outcomes, n)) < 0.5)
            a = np.ones((outcomes, n))
            if asked is not None:
                a = (np.argsort(rng.random((outcomes, n)), axis=0) < asked).astype(np.float64)
            weights = rng.uniform(0.3, 3, n) if weighted else None
            direct = np.full(n, p > truths[0])
            groups.append(GroupSums.of(a, a * (y - (1 - p) / 2) / p, weights, direct))
        found = arm_effects(groups, [[number] for number in range(outcomes)])
        assert found.joint.p_value is not None
        rejected += found.joint.p_value < 0.05
        group, outcome = np.unravel_index(
            np.argmax(abs(found.differences) / found.difference_errors.clip(1e-9)), found.differences.shape
        )
        possible = found.differences.size
        low, high = found.interval(int(group) + 1, int(outcome), level=1 - 0.05 / possible)
        missed += not low <= 0 <= high
    assert 0.03 <= rejected / 3_000 <= 0.07
    assert missed <= binomial_range(3_000, 0.06)[1]


def test_groups_without_rows_are_rejected() -> None:
    empty = counts_of(np.zeros(8))
    with pytest.raises(PrivacyError) as refused:
        arm_effects([counts_of(np.ones(8)), empty], EACH)
    assert refused.value.code == "no_rows"


def _of_reports(sent: Sequence[Sequence[int]], p: float = 0.6, theta: float = 0.5) -> ArmEffects:
    """Return the effects of two groups from their reports to one yes/no question."""
    scores = [(np.array(own, dtype=float) - (1 - p) * theta) / p for own in sent]
    return arm_effects([GroupSums.of(np.ones((1, len(own))), own[None]) for own in scores], [[0]])


ENDS = ((0 - 0.2) / 0.6, (1 - 0.2) / 0.6)


def _sign(effects: ArmEffects) -> int:
    low, high = effects.interval(1, 0)
    return int(low > 0) - int(high < 0)


@pytest.mark.parametrize("yes", [30, 50, 70, 90])
@pytest.mark.parametrize("rows", [1, 7, -4])
def test_more_rows_of_a_group_change_its_interval_as_if_they_were_counted(yes: int, rows: int) -> None:
    sent = [[1] * 60 + [0] * 60, [1] * yes + [0] * (110 - yes)]
    for group, report in itertools.product((0, 1), repeat=2):
        found = _of_reports(sent).with_rows(group, 0, score=ENDS[report], rows=rows)
        changed = [list(own) for own in sent]
        if rows > 0:
            changed[group] += [report] * rows
        else:
            for _ in range(-rows):
                changed[group].remove(report)
        wanted = _of_reports(changed)
        assert found.interval(1, 0) == pytest.approx(wanted.interval(1, 0))


@pytest.mark.parametrize("yes", range(20, 100, 6))
@pytest.mark.few("20", "98", why="the ends of the range")
def test_forged_rows_overturn_a_difference_of_arms_exactly_as_stated(yes: int) -> None:
    """Every kind and number of rows is counted again: those of either report, in either group."""
    sent = [[1] * 60 + [0] * 60, [1] * yes + [0] * (110 - yes)]
    effects = _of_reports(sent)
    start = _sign(effects)

    def changes(number: int) -> bool:
        for group, report in itertools.product((0, 1), repeat=2):
            changed = [list(own) for own in sent]
            if start:
                taken = min(number, changed[group].count(report), len(changed[group]) - 1)
                for _ in range(taken):
                    changed[group].remove(report)
            else:
                changed[group] += [report] * number
            if _sign(_of_reports(changed)) != start:
                return True
        return False

    stated = effects.flips(1, 0, scores=(ENDS, ENDS))
    assert stated is not None
    assert changes(stated)
    assert not any(changes(number) for number in range(1, stated))


def test_parts_of_a_group_add_up_to_the_whole() -> None:
    rng = np.random.default_rng(5)
    asked, scores = np.ones((2, 30)), rng.random((2, 30))
    whole = GroupSums.of(asked, scores)
    parts = GroupSums.of(asked[:, :11], scores[:, :11]) + GroupSums.of(asked[:, 11:], scores[:, 11:])
    assert parts.totals == pytest.approx(whole.totals)
    assert parts.products == pytest.approx(whole.products)


def test_printed_figures_are_those_of_their_group() -> None:
    """Shares .2, .3 and .5 of 30, 40 and 29 people: only two groups have 30 answers or more."""

    def openly(n: int, yes: int) -> GroupSums:
        return GroupSums.of(np.ones((1, n)), (np.arange(n)[None] < yes).astype(np.float64))

    found = arm_effects([openly(30, 6), openly(40, 12), openly(29, 15)], [[0]])
    given: dict[str, Any] = {"n": 40, "shift": 0.0, "origin": CHECKED}
    first = found.difference(1, 0, level=0.9, **given)
    assert (first.value, first.effective_n, first.estimable) == (pytest.approx(0.1), 30, True)
    assert first.standard_error == pytest.approx(np.sqrt(0.2 * 0.8 / 30 + 0.3 * 0.7 / 40))
    assert (first.low, first.high) == found.interval(1, 0, level=0.9)
    second = found.difference(2, 0, **given)
    assert (second.value, second.effective_n) == (pytest.approx(15 / 29 - 0.2), 29)
    assert not second.estimable
    share = found.share(2, 0, **given)
    assert (share.value, share.effective_n, share.estimable) == (pytest.approx(15 / 29), 29, False)
    assert (share.possible, second.possible) == ((0, 1), (-1, 1))


def test_sums_of_rows_are_kept_by_strength_and_weighted() -> None:
    """Two outcomes of three rows, of which the second is light; its weight is 2."""
    asked, scores = np.array([[1.0, 1.0, 0.0], [1.0, 1.0, 1.0]]), np.array([[3.0, 4.0, 0.0], [5.0, 6.0, 7.0]])
    plain = GroupSums.of(asked, scores)
    assert plain.totals.tolist() == [2, 3, 7, 18]
    assert plain.products.shape == (1, 4, 4)
    assert (plain.products[0, 2, 3], plain.products[0, 0, 1]) == (3 * 5 + 4 * 6, 2)
    weighted = GroupSums.of(asked, scores, np.array([1.0, 2.0, 1.0]), np.array([False, True, False]))
    assert weighted.totals.tolist() == [3, 4, 11, 24]
    assert weighted.products[:, 2, 3].tolist() == [8 * 12, 3 * 5]
    both = plain + plain
    assert (both.totals.tolist(), both.products[0, 2, 3]) == ([4, 6, 14, 36], 2 * 39)


def test_tests_state_their_questions_and_their_adjustment() -> None:
    rows = np.array([[1.0] * 40]), np.array([[1.0] * 20 + [0.0] * 20])
    other = np.array([[1.0] * 40]), np.array([[1.0] * 30 + [0.0] * 10])
    found = arm_effects([GroupSums.of(*rows), GroupSums.of(*other)], [[0]])
    alone, adjusted = found.tests(n=[80], family=3, origin=CHECKED)
    assert (alone.adjustment, alone.family, adjusted.adjustment, adjusted.family) == ("none", 1, "Holm", 3)
    assert [found.tests(n=[n], family=3, origin=CHECKED)[0].estimable.tolist() for n in (0, 1)] == [
        [False], [True]
    ]  # fmt: skip
    assert alone.value.tolist() == list(found.p_values)
    assert adjusted.value.tolist() == list(found.adjusted)
    assert (alone.n.tolist(), alone.estimable.tolist()) == ([80], [True])
    assert found.tests(n=[0], family=1, origin=CHECKED)[0].estimable.tolist() == [False]
    joint = found.joint_test(n=80, origin=CHECKED)
    assert (joint.value, joint.n, joint.estimable) == (found.joint.p_value, 80, True)
    unknown = replace(found, joint=replace(found.joint, p_value=None)).joint_test(n=80, origin=CHECKED)
    assert np.isnan(unknown.value)
    assert not unknown.estimable


def test_a_share_of_undisguised_answers_has_wilsons_interval() -> None:
    """The ends are the shares s with (x - s)^2 = z^2 s (1 - s) / n."""
    rows = np.array([[1.0] * 40]), np.array([[1.0] * 10 + [0.0] * 30])
    found = arm_effects([GroupSums.of(*rows), GroupSums.of(*rows)], [[0]])
    direct = replace(found, is_direct=np.ones((2, 1), dtype=bool))
    low, high = direct.share_interval(1, 0)
    for end in (low, high):
        assert (0.25 - end) ** 2 == pytest.approx(stats.norm.ppf(0.975) ** 2 * end * (1 - end) / 40)
    assert low < 0.25 < high
    low, high = replace(found, is_direct=np.zeros((2, 1), dtype=bool)).share_interval(1, 0)
    half = stats.t.ppf(0.975, 39) * found.errors[1, 0]
    assert (low, high) == pytest.approx((0.25 - half, 0.25 + half))


def test_holm_adjusted_p_values_are_scaled_and_monotone() -> None:
    truths = some_truths()[:2]
    found = arm_effects([counts_of(400 * shown(truth)) for truth in truths], EACH)
    order = sorted(range(3), key=found.p_values.__getitem__)
    raw = [found.p_values[place] * (3 - step) for step, place in enumerate(order)]
    adjusted = [found.adjusted[place] for place in order]
    assert adjusted[0] == pytest.approx(min(1, raw[0]))
    assert adjusted == sorted(adjusted)


def test_rows_with_a_score_follow_from_the_mean_and_one_other_row_stays() -> None:
    """Scores -.5 and 1.5, mean .1: .1 = -.5 + 2 (.3), so 30 of 100 rows have 1.5, and 70 have -.5."""

    def of(n: float, share: float) -> Any:
        return SimpleNamespace(sizes=np.array([[n]]), shares=np.array([[share]]))

    rows = ArmEffects._rows_with
    assert rows(of(100, 0.1), 0, 0, 1.5, -0.5) == 30
    assert rows(of(100, 0.1), 0, 0, -0.5, 1.5) == 70
    assert rows(of(100, 1.5), 0, 0, 1.5, -0.5) == 99
    assert rows(of(100, -0.9), 0, 0, 1.5, -0.5) == 0
    assert rows(of(0, 0.0), 0, 0, 1.5, -0.5) == 0
