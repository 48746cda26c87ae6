"""Costs of boxes: the information that records lose if a class generalises them to one box.

Costs are integers in units of 1 / `UNIT`, so equal costs compare equal and ties break the same way on every
machine.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from privacy.arrays import Array, Codes, Whole
from privacy.sdc.generalisation import UNIT, Boxes, CategoricalAxis, NumericAxis, Space


class WeightedAxis(NamedTuple):
    """An axis, its position among all axes, and the cost per unit of width."""

    position: int
    axis: NumericAxis | CategoricalAxis
    factor: float

    def cost(self, low: Codes, high: Codes) -> Whole:
        """Return the cost of intervals of codes, ceil(w NCP UNIT)."""
        return np.ceil(self.axis.width(low, high) * self.factor).astype(np.int64)


def weighted_axes(space: Space, weights: Array) -> tuple[WeightedAxis, ...]:
    """Return the axes that can add to a cost, which are neither constant nor of weight 0.

    Parameters
    ----------
    space : Space
        The axes.
    weights : float64 array, shape (d,)
        Weights in the order of ``space.axes``, summing to 1.
    """
    return tuple(
        WeightedAxis(position, axis, float(weight) * UNIT / axis.extent)
        for position, (axis, weight) in enumerate(zip(space.axes, weights, strict=True))
        if axis.extent > 0 and weight > 0
    )


def box_costs(axes: tuple[WeightedAxis, ...], boxes: Boxes) -> Whole:
    """Return each box's cost per record.

    Parameters
    ----------
    axes : tuple of WeightedAxis
    boxes : Boxes

    Notes
    -----
    A box costs the sum over axes of ceil(w NCP UNIT). This integer is 0 only if no axis of positive weight
    changes. Equal costs are exactly equal, so ties do not depend on the machine. Divided by UNIT, the cost is
    the ILP, with an error below d / UNIT per record.
    """
    total = np.zeros(len(boxes), dtype=np.int64)
    for own in axes:
        total += own.cost(boxes.low[:, own.position], boxes.high[:, own.position])
    return total
