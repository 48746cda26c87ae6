"""Losses of small partitions, worked out by hand."""

import numpy as np
import pytest

from privacy.sdc.classes import Classes
from privacy.sdc.generalisation import Space
from privacy.sdc.information_loss import Loss, loss, loss_by_sensitive_value
from tests.fixtures.tables import table_of, tree_of

TABLE = table_of(
    ["sex", "age"], [("F", "20"), ("F", "25"), ("M", "30"), ("F", "40"), ("M", "40")], numeric=["age"]
)
SPACE = Space.of(TABLE, tree_of(TABLE, {}))
# Ages 20 to 25 of 20 years, sex unchanged; ages 30 to 40, both sexes.
CLASSES = Classes(number=np.array([0, 0, 1, 1, 1]), count=2)


def test_the_loss_weighs_each_record_by_what_its_class_hides() -> None:
    found = loss(SPACE, CLASSES)
    age, sex = (2 * 0.25 + 3 * 0.5) / 5, 3 / 5
    assert list(found.by_column) == ["sex", "age"]
    assert found.by_column == pytest.approx({"sex": sex, "age": age})
    assert found.ncp == pytest.approx((age + sex) / 2)
    assert found.ilp == pytest.approx(5 * (age + sex) / 2)
    assert found.ilp_share == pytest.approx(found.ilp / 5)
    assert (found.n_classes, found.smallest, found.largest, found.mean_size) == (2, 2, 3, 2.5)
    assert (found.discernibility, found.suppressed) == (2**2 + 3**2, 0)
    weighted = loss(SPACE, CLASSES, weights={"age": 3, "sex": 1})
    assert weighted.ilp == pytest.approx(5 * (0.75 * age + 0.25 * sex))
    assert weighted.ncp == pytest.approx(found.ncp), "weights do not enter the penalties"


def test_suppressed_records_enlarge_the_number_that_the_loss_is_shared_by() -> None:
    found = Loss.of(0.5, {}, 6.0, np.array([2, 2]), suppressed=2)
    assert found.ilp_share == pytest.approx(6 / (4 + 2))
    assert found.discernibility == 2**2 + 2**2 + 2 * (4 + 2)


def test_the_weights_of_a_record_are_those_of_its_value() -> None:
    """The records of value 1 count only the age, the others only the sex."""
    names = [axis.name for axis in SPACE.axes]
    own = np.array([[float(name == "sex") for name in names], [float(name == "age") for name in names]])
    values = np.array([0, 1, 0, 1, 1])
    assert loss_by_sensitive_value(SPACE, CLASSES, values, own) == pytest.approx(0 + 0.25 + 1 + 0.5 + 0.5)
