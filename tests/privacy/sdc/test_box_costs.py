"""Costs of boxes are whole numbers, and constant or weightless axes cost nothing."""

import numpy as np

from privacy.sdc.box_costs import box_costs, weighted_axes
from privacy.sdc.generalisation import UNIT
from tests.fixtures.tables import random_space


def test_a_box_costs_the_weighted_penalty_of_its_axes_rounded_up() -> None:
    space, _ = random_space(7, 80)
    weights = np.array([0.4, 0.3, 0.2, 0.1])
    number = np.random.default_rng(8).permutation(80) % 12
    boxes = space.boxes(number, 12)
    costs = box_costs(weighted_axes(space, weights), boxes)
    exact = space.penalties(boxes) @ weights * UNIT
    assert costs.dtype == np.int64
    assert (costs >= exact - 1e-3).all()
    assert (costs < exact + len(weights) + 1e-3).all()
    assert costs.max() > 0


def test_axes_without_weight_are_left_out() -> None:
    space, _ = random_space(7, 80)
    axes = weighted_axes(space, np.array([0.0, 1.0, 0.0, 0.0]))
    assert [own.position for own in axes] == [1]
    points = space.boxes(np.arange(80), 80)
    assert box_costs(axes, points).tolist() == [0] * 80
