import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from privacy.errors import PrivacyError
from privacy.sdc.bayes_beliefs import (
    Beliefs,
    became_certain,
    belief_audit,
    beliefs,
    breaches,
    disclosures,
    newly_excluded,
    rho_breach,
)
from privacy.sdc.classes import Classes, ClassMatrix
from tests.fixtures.tables import codes_column

records = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2)), min_size=2, max_size=20)


@given(records)
def test_an_attacker_who_knows_the_table_learns_nothing(rows):
    """Theorem 3.1 with f = the table itself: beta equals alpha for any classes of whole combinations q."""
    combinations = Classes.from_numbers([row[0] for row in rows])
    classes = Classes.from_numbers([row[0] // 2 for row in rows])
    column = codes_column("s", [row[1] for row in rows])
    shares = ClassMatrix.of(combinations, column).dense() / combinations.sizes[:, None]
    held = beliefs(combinations, classes, column, shares)
    assert np.allclose(held.prior, held.posterior, atol=1e-12)


@pytest.mark.slow
@given(records)
def test_table_share_priors_give_class_share_posteriors(rows):
    combinations = Classes.from_numbers([row[0] for row in rows])
    classes = Classes.from_numbers([row[0] % 2 for row in rows])
    column = codes_column("s", [row[1] for row in rows])
    held = beliefs(combinations, classes, column)
    for place, (_, number) in enumerate(held.groups.tolist()):
        mine = [row[1] for row, its in zip(rows, classes.number.tolist(), strict=True) if its == number]
        for value in range(len(column.values)):
            assert held.posterior[place, value] == pytest.approx(
                float(Fraction(mine.count(value), len(mine)))
            )


@pytest.mark.parametrize("supplied", [np.ones((1, 2)), np.array([[0.5, 0.6]]), np.array([[1.5, -0.5]])])
def test_supplied_beliefs_with_wrong_shape_or_sum_are_rejected(supplied):
    with pytest.raises(PrivacyError, match="beliefs have shape"):
        beliefs(
            Classes.from_numbers([0, 0]),
            Classes.from_numbers([0, 0]),
            codes_column("s", [0, 1]),
            supplied=supplied,
        )


def test_downward_breaches_use_the_corrected_definition():
    def held(prior, posterior):
        return Beliefs(
            groups=np.zeros((1, 2), dtype=np.int64), prior=np.array([prior]), posterior=np.array([posterior])
        )

    fell = held([0.95, 0.05], [0.3, 0.1])
    stayed_small = held([0.05, 0.95], [0.02, 0.98])
    assert rho_breach(fell, rho1=0.1, rho2=0.6) == 1
    assert rho_breach(stayed_small, rho1=0.1, rho2=0.6) == 0


def test_rho_bounds_in_the_wrong_order_are_rejected():
    with pytest.raises(PrivacyError, match="rho1"):
        rho_breach(
            Beliefs(
                groups=np.zeros((0, 2), dtype=np.int64), prior=np.zeros((0, 1)), posterior=np.zeros((0, 1))
            ),
            rho1=0.5,
            rho2=0.2,
        )


# Two people from the north and two from the south form one class; three have the flu (1), one does not (0).
COMBINATIONS = Classes.from_numbers([0, 0, 1, 1])
CLASS = Classes.from_numbers([0, 0, 0, 0])
FLU = codes_column("flu", [1, 1, 1, 0])
# An attacker believes that the flu is common in the north (3 in 4) and rare in the south (1 in 10).
BELIEFS = np.array([[1 / 4, 3 / 4], [9 / 10, 1 / 10]])


def test_beliefs_after_a_release_follow_theorem_3_1():
    """f(flu | class) is 17/40. For the north, 3 * (3/4) / (17/40) = 90/17 and 1 * (1/4) / (23/40) = 10/23."""
    found = belief_audit(COMBINATIONS, CLASS, FLU, BELIEFS, rho1=0.2, rho2=0.3)
    north = (90 / 17) / (90 / 17 + 10 / 23)
    south = (12 / 17) / (12 / 17 + 36 / 23)
    assert found.strongest_before == 0.9
    assert found.strongest_after == pytest.approx(north)
    assert found.truth_before == pytest.approx((3 / 4 + 3 / 4 + 1 / 10 + 9 / 10) / 4)
    assert found.truth_after == pytest.approx((north + north + south + (1 - south)) / 4)
    # In the south, flu rises from .1 above .3; in the north, no bound is crossed. So two people are breached.
    assert south == pytest.approx(0.3108, abs=1e-4)
    assert (found.people, found.breached) == (4, 2)
    # In the north, flu becomes almost certain; nothing is excluded.
    assert (found.certain, found.excluded) == (2, 0)
    changes = [north / 0.75, (1 - north) / 0.25, south / 0.1, (1 - south) / 0.9]
    assert found.largest_change == pytest.approx(max(abs(math.log(change)) for change in changes))


def test_uniform_beliefs_converge_to_the_class_shares():
    """The attacker believes that one in a hundred has the flu, and afterwards that three in four do."""
    found = belief_audit(COMBINATIONS, CLASS, FLU, np.array([[0.99, 0.01]] * 2))
    assert (found.strongest_after, found.breached) == (pytest.approx(0.75), 4)
    assert found.truth_after == pytest.approx((3 * 3 / 4 + 1 / 4) / 4)


def test_contradicted_beliefs_and_invalid_bounds_are_rejected():
    with pytest.raises(PrivacyError, match="exclude every value"):
        belief_audit(
            COMBINATIONS, COMBINATIONS, codes_column("flu", [1, 1, 0, 0]), np.array([[1.0, 0.0]] * 2)
        )
    with pytest.raises(PrivacyError):
        belief_audit(COMBINATIONS, CLASS, FLU, BELIEFS, rho1=0.5, rho2=0.5)


def test_only_beliefs_that_pass_a_bound_are_new():
    """Rounding errors of the last bits pass none."""
    tiny, group = 1e-15, np.zeros((1, 2), dtype=np.int64)

    def of(prior, posterior):
        return Beliefs(groups=group, prior=np.array([prior]), posterior=np.array([posterior]))

    lower = of([0.5, 0.05, 0.1, 0.1 - tiny], [0.05, 0.01, 0.1 - tiny, 0.1])
    assert newly_excluded(lower, 0.1).tolist() == [[True, False, False, False]]
    higher = of([0.5, 0.95, 0.9, 0.5], [0.95, 0.99, 0.9 + tiny, 0.9])
    assert became_certain(higher, 0.1).tolist() == [[True, False, False, False]]


def one_group(*pairs):
    """Beliefs of one combination, from pairs of a belief before and one after."""
    prior, posterior = (np.array([values]) for values in zip(*pairs, strict=True))
    return Beliefs(groups=np.zeros((1, 2), dtype=np.int64), prior=prior, posterior=posterior)


def test_a_belief_within_rounding_of_a_bound_discloses_nothing():
    """The last belief was at the bound .1 before, so it is newly excluded, like the fifth."""
    tiny = 1e-14
    held = one_group(
        (0.5, 0.9 + tiny), (0.5, 0.91), (0.5, 0.1), (0.5, 0.1 - tiny), (0.5, 0.09), (0.1 - tiny, 0.05)
    )
    found = disclosures(held, delta=0.1, epsilon=0.1)
    assert (found.positive, found.negative, found.pairs) == (1, 2, 6)


def test_breaches_within_rounding_of_a_bound_are_none():
    """rho1 = .1 and rho2 = .6: upward from below .1 to above .6, downward from above .9 to below .4."""
    tiny = 1e-14
    rises = [
        ((0.09, 0.61), True),
        ((0.1 - tiny, 0.61), False),
        ((0.09, 0.6 + tiny), False),
        ((0.11, 0.61), False),
    ]
    falls = [
        ((0.91, 0.39), True),
        ((0.9 + tiny, 0.39), False),
        ((0.91, 0.4 - tiny), False),
        ((0.89, 0.39), False),
    ]
    for pair, is_breach in rises + falls:
        assert breaches(one_group(pair), 0.1, 0.6).tolist() == [[is_breach]], pair


def test_beliefs_about_people_of_several_classes_weigh_each_person():
    """Combination 0 is in both classes, twice in the second; the flu is in the first class only.

    Before, 1 in 2 of combination 0 and 1 in 4 of combination 1 have the flu, so 3 in 8 of the first class.
    There, 4/3 : 4/5 is 5/8 for combination 0, and 2/3 : 6/5 is 5/14 for combination 1.
    """
    found = belief_audit(
        Classes.from_numbers([0, 0, 0, 1, 1]),
        Classes.from_numbers([0, 1, 1, 0, 1]),
        codes_column("flu", [1, 0, 0, 0, 0]),
        np.array([[1 / 2, 1 / 2], [3 / 4, 1 / 4]]),
        delta=0.2,
        epsilon=0.1,
    )
    assert found.truth_before == pytest.approx((1 / 2 * 3 + 3 / 4 * 2) / 5)
    assert found.truth_after == pytest.approx((5 / 8 + 1 + 1 + 9 / 14 + 1) / 5)
    assert (found.people, found.certain, found.excluded) == (5, 3, 3)
    assert found.largest_change == pytest.approx(math.log(2))


def test_the_strongest_change_of_a_belief_is_to_one_that_is_possible() -> None:
    """In one class everyone has flu, in the other no one: beliefs of .7 and .3 become certain or false."""
    flu = codes_column("flu", [0, 0, 1, 1])
    whole, classes = Classes.from_numbers([0, 0, 0, 0]), Classes.from_numbers([0, 0, 1, 1])
    audit = belief_audit(whole, classes, flu, np.array([[0.7, 0.3]]))
    assert (audit.strongest_before, audit.strongest_after) == (0.7, 1)
    assert audit.largest_change == pytest.approx(-math.log(0.3))
