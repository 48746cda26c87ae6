import numpy as np

from privacy.sdc.generalisation_cost import UNIT
from privacy.sdc.union_cost import UnionCost
from tests.cast.tables import random_space


def test_a_scan_agrees_with_the_penalty_of_each_union_up_to_one_unit_per_axis():
    space, _ = random_space(7, 80)
    rng = np.random.default_rng(8)
    classes = rng.integers(0, 20, 80)
    boxes = space.boxes(np.unique(classes, return_inverse=True)[1], len(np.unique(classes)))
    weights = np.array([0.4, 0.3, 0.2, 0.1])
    unit = UnionCost(space, weights, boxes)
    labels = np.unique(classes, return_inverse=True)[1]
    for seeker in range(len(boxes)):
        numeric, categorical = unit.scan(
            boxes.low[seeker].tolist(), boxes.high[seeker].tolist(), boxes.node[seeker].tolist()
        )
        found = numeric[unit.numeric_cell] + categorical[unit.categorical_cell]
        for other in range(len(boxes)):
            members = np.where((labels == seeker) | (labels == other), 0, 1)
            union = space.boxes(members, 1 + int(members.any()))
            penalty = float((space.penalties(union)[0] * weights).sum())
            assert 0 <= found[other] / UNIT - penalty <= 5 / UNIT


def test_only_what_changes_nothing_costs_nothing():
    space, _ = random_space(9, 60)
    boxes = space.boxes(np.arange(60), 60)
    unit = UnionCost(space, np.array([1e-13, 1 / 3, 1 / 3, 1 / 3 - 1e-13]), boxes)
    numeric, categorical = unit.scan(boxes.low[0].tolist(), boxes.high[0].tolist(), boxes.node[0].tolist())
    free = (numeric[unit.numeric_cell] + categorical[unit.categorical_cell]) == 0
    same = (space.codes == space.codes[0]).all(axis=1)
    assert free.tolist() == same.tolist()


def test_an_axis_without_weight_is_not_looked_at():
    space, _ = random_space(9, 60)
    boxes = space.boxes(np.arange(60), 60)
    unit = UnionCost(space, np.array([0.0, 0.0, 0.0, 1.0]), boxes)
    assert len(set(unit.numeric_cell.tolist())) == 1
    assert unit.costs(space.boxes(np.zeros(60, dtype=np.int64), 1)).tolist() == [UNIT]
