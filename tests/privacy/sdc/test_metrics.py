import numpy as np
import pytest

from privacy.sdc import Classes, Space, loss, utility_matrix, value_weights
from privacy.sdc.metrics import discernibility, own_value_loss
from tests.cast.tables import patients, random_space, tree_of


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


def test_a_suppressed_record_counts_as_wholly_lost():
    space, _ = random_space(1, 20)
    singles = Classes.from_numbers(np.arange(20))
    found = loss(space, singles, suppressed=5)
    assert found.ncp == pytest.approx(5 / 25)
    assert found.ilp == pytest.approx(5)
    assert found.discernibility == 20 + 5 * 25


def test_one_class_of_all_loses_everything():
    space, _ = random_space(1, 60)
    assert loss(space, Classes.from_numbers([0] * 60)).ncp == pytest.approx(1)


def test_suppressed_records_pay_the_size_of_the_table():
    assert discernibility(np.array([2, 3]), suppressed=1) == 4 + 9 + 6


def test_weighing_by_the_records_own_value_is_another_sum_of_the_same_penalties():
    space, table = random_space(2, 80)
    disease = table.column("disease")
    classes = Classes.from_numbers(np.arange(80) // 8)
    tau = value_weights(utility_matrix(space, disease))
    rows = tau / tau.sum(axis=1, keepdims=True)
    boxes = space.penalties(space.boxes(classes.number, classes.count))
    by_hand = sum(
        float(rows[value] @ boxes[number])
        for value, number in zip(disease.codes.tolist(), classes.number.tolist(), strict=True)
    )
    assert own_value_loss(space, classes, tau, disease.codes) == pytest.approx(by_hand)
    even = np.ones_like(tau)
    assert own_value_loss(space, classes, even, disease.codes) == pytest.approx(loss(space, classes).ilp)
