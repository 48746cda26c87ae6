"""An attacker's beliefs before and after a release, worked by hand."""

import math

import numpy as np
import pytest

from privacy.errors import PrivacyError
from privacy.sdc import Classes
from privacy.sdc.belief_audit import belief_audit
from tests.cast.tables import codes_column

# North and south, two people each, become one class: three have the flu (1), one has not (0).
COMBINATIONS = Classes.from_numbers([0, 0, 1, 1])
CLASS = Classes.from_numbers([0, 0, 0, 0])
FLU = codes_column("flu", [1, 1, 1, 0])
# Somebody holds the flu for likely in the north (3 in 4), and for rare in the south (1 in 10).
BELIEFS = np.array([[1 / 4, 3 / 4], [9 / 10, 1 / 10]])


def test_beliefs_after_a_release_are_those_of_theorem_3_1():
    """f(flu | class) is 17/40. North: 3 * (3/4) / (17/40) = 90/17 against 1 * (1/4) / (23/40) = 10/23."""
    found = belief_audit(COMBINATIONS, CLASS, FLU, BELIEFS, rho1=0.2, rho2=0.3)
    north = (90 / 17) / (90 / 17 + 10 / 23)
    south = (12 / 17) / (12 / 17 + 36 / 23)
    assert found.strongest_before == 0.9
    assert found.strongest_after == pytest.approx(north)
    assert found.truth_before == pytest.approx((3 / 4 + 3 / 4 + 1 / 10 + 9 / 10) / 4)
    assert found.truth_after == pytest.approx((north + north + south + (1 - south)) / 4)
    # In the south the flu goes from .1 above .3, in the north nothing crosses: two people.
    assert south == pytest.approx(0.3108, abs=1e-4)
    assert (found.people, found.breached) == (4, 2)
    # In the north the flu is nearly certain afterwards, and was not before; nothing is excluded.
    assert (found.certain, found.excluded) == (2, 0)
    changes = [north / 0.75, (1 - north) / 0.25, south / 0.1, (1 - south) / 0.9]
    assert found.largest_change == pytest.approx(max(abs(math.log(change)) for change in changes))


def test_what_is_believed_of_all_alike_ends_in_the_shares_of_the_class():
    """A planted prejudice: one in a hundred is believed to have the flu; afterwards three in four."""
    found = belief_audit(COMBINATIONS, CLASS, FLU, np.array([[0.99, 0.01]] * 2))
    assert (found.strongest_after, found.breached) == (pytest.approx(0.75), 4)
    assert found.truth_after == pytest.approx((3 * 3 / 4 + 1 / 4) / 4)


def test_who_knows_the_truth_of_each_combination_learns_nothing():
    rows = np.array([[0.0, 1.0], [0.5, 0.5]])
    found = belief_audit(COMBINATIONS, CLASS, FLU, rows)
    assert (found.truth_before, found.largest_change) == (pytest.approx(found.truth_after), pytest.approx(0))
    assert (found.breached, found.certain, found.excluded) == (0, 0, 0)


def test_beliefs_that_the_table_refutes_and_bounds_that_are_none_are_refused():
    with pytest.raises(PrivacyError, match="exclude every value"):
        belief_audit(
            COMBINATIONS, COMBINATIONS, codes_column("flu", [1, 1, 0, 0]), np.array([[1.0, 0.0]] * 2)
        )
    with pytest.raises(PrivacyError):
        belief_audit(COMBINATIONS, CLASS, FLU, BELIEFS, rho1=0.5, rho2=0.5)
    with pytest.raises(PrivacyError):
        belief_audit(COMBINATIONS, CLASS, FLU, BELIEFS, delta=1)
