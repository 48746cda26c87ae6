import numpy as np
import pytest

from privacy.sdc.classes import Classes
from privacy.sdc.generalisation_cost import Space
from privacy.sdc.risk import discernibility, loss
from tests.fixtures.tables import patients, random_space, tree_of


def test_the_loss_of_a_table_worked_by_hand():
    """Two classes of the six patients: the women (25, 29) and the men (26..40); ages reach over 15 years."""
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


def test_one_class_of_all_loses_everything():
    space, _ = random_space(1, 60)
    assert loss(space, Classes.from_numbers([0] * 60)).ncp == pytest.approx(1)


def test_suppressed_records_pay_the_size_of_the_table():
    assert discernibility(np.array([2, 3]), suppressed=1) == 4 + 9 + 6
