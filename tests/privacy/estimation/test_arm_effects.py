"""Shares by arm: exact on enumerated laws, textbook figures, false alarms and power as stated."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from privacy.arrays import Array
from privacy.errors import PrivacyError
from privacy.estimation.arm_effects import ArmEffects, GroupCounts, arm_effects, share_test

P, THETA = 0.6, 0.5
PATTERNS = np.array(list(itertools.product((0, 1), repeat=3)))
SCORES = np.tile([-(1 - P) * THETA / P, (1 - (1 - P) * THETA) / P], (1, 3, 1))
EACH = [[0], [1], [2]]


def shown(truth: Array, p: float = P) -> Array:
    """The law of the rows of one block of three questions that share a coin."""
    return np.asarray(p * truth + (1 - p) / 8)


def counts_of(rows: Array) -> GroupCounts:
    """Counts, or expected counts, of the eight rows that a group can send."""
    both = (PATTERNS.T * rows) @ PATTERNS
    people = np.full((3, 3), rows.sum())
    return GroupCounts(
        base=people[None], shown=np.repeat(np.diag(both)[:, None], 3, axis=1)[None], both=both[None]
    )


def some_truths() -> list[Array]:
    rng = np.random.default_rng(3)
    return [rng.dirichlet(np.ones(8)) for _ in range(3)]


def test_three_arms_and_three_questions_are_exact_by_enumeration() -> None:
    truths, sizes = some_truths(), (300.0, 500.0, 200.0)
    groups = [counts_of(n * shown(truth)) for n, truth in zip(sizes, truths, strict=True)]
    found = arm_effects(groups, SCORES, EACH)
    wanted = np.array([truth @ PATTERNS for truth in truths])
    assert found.shares == pytest.approx(wanted)
    # The covariance of the shares, from the law of the rows one by one.
    z = SCORES[0, :, 0] + (SCORES[0, :, 1] - SCORES[0, :, 0]) * PATTERNS
    covariances = []
    for n, truth in zip(sizes, truths, strict=True):
        law, mean = shown(truth), truth @ PATTERNS
        covariances.append((z - mean).T @ ((z - mean) * law[:, None]) / n)
    assert found.errors == pytest.approx(np.sqrt([np.diag(each) for each in covariances]))
    apart = (wanted[1:] - wanted[0]).ravel()
    joint = np.kron(np.ones((2, 2)), covariances[0])
    joint[:3, :3] += covariances[1]
    joint[3:, 3:] += covariances[2]
    assert found.statistic == pytest.approx(apart @ np.linalg.solve(joint, apart))
    assert found.degrees == 6


def test_openly_two_groups_are_the_textbook_s_two_proportions() -> None:
    def openly(n: int, yes: int) -> GroupCounts:
        base, shown_by = np.array([[[n]]]), np.array([[[yes]]])
        return GroupCounts(base=base, shown=shown_by, both=shown_by)

    found = arm_effects([openly(250, 100), openly(400, 120)], np.array([[[0.0, 1.0]]]), [[0]])
    error = np.sqrt(0.4 * 0.6 / 250 + 0.3 * 0.7 / 400)
    assert found.differences[0, 0] == pytest.approx(-0.1)
    assert found.difference_errors[0, 0] == pytest.approx(error)
    assert found.interval(1, 0) == pytest.approx((-0.1 - 1.959964 * error, -0.1 + 1.959964 * error))
    assert found.statistic == pytest.approx((0.1 / error) ** 2)


def test_two_strata_are_added_by_their_people() -> None:
    strong, light = counts_of(200 * shown(some_truths()[0])), counts_of(100 * shown(some_truths()[0], 0.9))
    both = GroupCounts(
        base=np.concatenate([strong.base, light.base]),
        shown=np.concatenate([strong.shown, light.shown]),
        both=np.concatenate([strong.both, light.both]),
    )
    scores = np.concatenate([SCORES, np.tile([-0.1 * 0.5 / 0.9, (1 - 0.05) / 0.9], (1, 3, 1))])
    found = arm_effects([both, both], scores, EACH)
    assert found.shares[0] == pytest.approx(some_truths()[0] @ PATTERNS)
    assert (found.statistic, found.p_value) == pytest.approx((0.0, 1.0))


def test_holm_multiplies_the_smallest_p_value_by_the_number_of_questions_and_never_falls() -> None:
    truths = some_truths()[:2]
    found = arm_effects([counts_of(400 * shown(truth)) for truth in truths], SCORES, EACH)
    order = sorted(range(3), key=found.p_values.__getitem__)
    raw = [found.p_values[place] * (3 - step) for step, place in enumerate(order)]
    adjusted = [found.adjusted[place] for place in order]
    assert adjusted[0] == pytest.approx(min(1, raw[0]))
    assert adjusted == sorted(adjusted)


def test_a_group_that_nobody_asked_is_refused() -> None:
    empty = counts_of(np.zeros(8))
    with pytest.raises(PrivacyError) as refused:
        arm_effects([counts_of(np.ones(8)), empty], SCORES, EACH)
    assert refused.value.code == "no_rows"


def test_numbers_of_people_are_tested_against_the_drawn_shares() -> None:
    assert share_test([3000, 3000, 4000], [0.3, 0.3, 0.4]) == 1.0
    # A planted leak: every tenth person leaves one of two arms.
    assert share_test([2000, 1800], [0.5, 0.5]) < 0.002
    assert share_test([20_000, 18_000], [0.5, 0.5]) < 1e-20


def simulated(surveys: int, truths: list[Array], n: int) -> list[ArmEffects]:
    rng = np.random.default_rng(39)
    drawn = [rng.multinomial(n, shown(truth), size=surveys) for truth in truths]
    return [arm_effects([counts_of(rows) for rows in own], SCORES, EACH) for own in zip(*drawn, strict=True)]


def alarms_and_power(surveys: int) -> tuple[float, float, float, float]:
    base = some_truths()[0]
    # Eight points of people who have the first answer deny it.
    shy = base.copy()
    has = PATTERNS[:, 0] == 1
    moved = shy[has] * 0.08 / shy[has].sum()
    shy[has] -= moved
    shy[~has] += moved
    alike, apart = (simulated(surveys, [first, base], 700) for first in (base, shy))
    exact = arm_effects([counts_of(700 * shown(each)) for each in (shy, base)], SCORES, EACH)
    root = float(exact.differences[0, 0] / exact.difference_errors[0, 0])
    from scipy.special import ndtr

    stated = float(ndtr(root - 1.959964) + ndtr(-root - 1.959964))
    false = float(np.mean([found.p_value < 0.05 for found in alike]))
    holm = float(np.mean([min(found.adjusted) < 0.05 for found in alike]))
    power = float(np.mean([found.p_values[0] < 0.05 for found in apart]))
    return false, holm, power, stated


def test_a_planted_shyness_of_eight_points_is_found_about_as_often_as_stated() -> None:
    # 300 surveys: five standard errors of a share of .05 are .063, of a power .144.
    false, holm, power, stated = alarms_and_power(300)
    assert false < 0.05 + 0.063
    assert holm < 0.05 + 0.063
    assert abs(power - stated) < 0.144


@pytest.mark.soak
def test_false_alarms_are_four_to_six_of_a_hundred_and_the_power_is_that_stated_in_2_000_surveys() -> None:
    false, holm, power, stated = alarms_and_power(2_000)
    assert 0.04 <= false <= 0.06
    assert holm <= 0.06
    assert abs(power - stated) < 3 * np.sqrt(stated * (1 - stated) / 2_000)
