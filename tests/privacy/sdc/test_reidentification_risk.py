import numpy as np
import pytest

from privacy.sdc.classes import Classes
from privacy.sdc.generalisation import Space
from privacy.sdc.information_loss import discernibility, loss
from privacy.sdc.reidentification_risk import risk
from tests.fixtures.tables import patients, random_space, tree_of


def test_the_risk_of_three_classes_worked_by_hand():
    found = risk(np.array([1, 4, 5]))
    assert (found.prosecutor_highest, found.prosecutor_mean, found.sample_uniques) == (1, 0.3, 1)
    # 1/4 is above the threshold of .2, and 1/5 is not.
    assert found.at_risk == 0.5


def test_information_loss_matches_a_hand_calculation():
    """Six patients in two classes, women (25, 29) and men (26..40); ages range over 15 years."""
    table = patients()
    space = Space.of(table, tree_of(table, {}))
    classes = Classes.from_numbers([0, 0, 1, 1, 1, 1])
    found = loss(space, classes, weights={"age": 1, "sex": 1, "zip": 2})
    age = (2 * 4 / 15 + 4 * 14 / 15) / 6
    assert found.by_column == pytest.approx({"age": age, "sex": 0, "zip": 1})
    assert found.ncp == pytest.approx((age + 0 + 1) / 3)
    assert found.ilp == pytest.approx(6 * (0.25 * age + 0.5))
    assert found.ilp_share == pytest.approx(found.ilp / 6)
    assert found.discernibility == 4 + 16
    assert (found.n_classes, found.smallest, found.largest, found.mean_size) == (2, 2, 4, 3)


def test_a_single_class_loses_all_information():
    space, _ = random_space(1, 60)
    assert loss(space, Classes.from_numbers([0] * 60)).ncp == pytest.approx(1)


def test_suppressed_records_add_the_table_size_to_discernibility():
    assert discernibility(np.array([2, 3]), suppressed=1) == 4 + 9 + 6
