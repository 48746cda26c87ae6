"""Cost of joining one box with many others, vectorised in numpy.

Boxes repeat: thousands of records share a few hundred numeric cells and a few hundred categorical ones. A
scan computes the cost for each distinct cell once and adds two table look-ups per candidate.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from privacy.sdc.generalisation_cost import UNIT, Boxes, Space, distinct_rows

__all__ = ["UnionCost"]

Whole = npt.NDArray[np.int64]
Real = npt.NDArray[np.float64]

NEVER: Final = 4 * UNIT


class UnionCost:
    """Costs of joining with a fixed collection of boxes.

    Parameters
    ----------
    space : Space
        The axes.
    weights : float64 array, shape (d,)
        In the order of ``space.axes``, summing to 1.
    boxes : Boxes
        The collection; several may be equal.

    Notes
    -----
    The cost of a box is sum over axes of ceil(w NCP UNIT): a whole number, 0 only when no axis of positive
    weight changes, so that equal costs are exactly equal and ties do not depend on the machine. ILP is that
    number divided by UNIT, with an error below d / UNIT per record.
    """

    def __init__(self, space: Space, weights: Real, boxes: Boxes) -> None:
        numbers = len(space.numeric)
        self._numeric = [
            (position, axis.numbers, float(weights[position]) * UNIT / axis.extent)
            for position, axis in enumerate(space.numeric)
            if axis.extent > 0 and weights[position] > 0
        ]
        self._categorical = [
            (position, tree, np.ceil(tree.penalties * weights[numbers + position] * UNIT).astype(np.int64))
            for position, tree in enumerate(space.categorical)
            if weights[numbers + position] > 0
        ]
        self._cost_rows: dict[tuple[int, int], Whole] = {}
        columns = [boxes.low[:, position] for position, _, _ in self._numeric]
        columns += [boxes.high[:, position] for position, _, _ in self._numeric]
        zero = np.zeros(len(boxes), dtype=np.int64)
        first, self.numeric_cell = distinct_rows(columns or [zero])
        self._low = [scale[boxes.low[first, position]] for position, scale, _ in self._numeric]
        self._high = [scale[boxes.high[first, position]] for position, scale, _ in self._numeric]
        nodes = [boxes.node[:, position] for position, _, _ in self._categorical]
        first_node, self.categorical_cell = distinct_rows(nodes or [zero])
        self._nodes = [boxes.node[first_node, position] for position, _, _ in self._categorical]
        # One more place than there are cells: what points to it is never the cheapest.
        self._numeric_cost = np.full(len(first) + 1, NEVER)
        self._categorical_cost = np.full(len(first_node) + 1, NEVER)
        self.nowhere = len(first)

    def scan(self, low: list[int], high: list[int], node: list[int]) -> tuple[Whole, Whole]:
        """Return the cost of the union with a box: by numeric cell and by categorical cell, to be added.

        The arrays are reused by the next scan.
        """
        numeric = np.zeros(len(self._numeric_cost) - 1, dtype=np.int64)
        for (position, scale, factor), lows, highs in zip(self._numeric, self._low, self._high, strict=True):
            width = np.maximum(highs, scale[high[position]])
            width -= np.minimum(lows, scale[low[position]])
            width *= factor
            np.ceil(width, out=width)
            numeric += width.astype(np.int64)
        self._numeric_cost[:-1] = numeric
        categorical = np.zeros(len(self._categorical_cost) - 1, dtype=np.int64)
        for (position, _, _), nodes in zip(self._categorical, self._nodes, strict=True):
            categorical += self._cost_row(position, node[position])[nodes]
        self._categorical_cost[:-1] = categorical
        return self._numeric_cost, self._categorical_cost

    def costs(self, boxes: Boxes) -> Whole:
        """Return the cost per record of each of some boxes."""
        total = np.zeros(len(boxes), dtype=np.int64)
        for position, scale, factor in self._numeric:
            width = scale[boxes.high[:, position]] - scale[boxes.low[:, position]]
            total += np.ceil(width * factor).astype(np.int64)
        for position, _, units in self._categorical:
            total += units[boxes.node[:, position]]
        return total

    def _cost_row(self, position: int, node: int) -> Whole:
        row = self._cost_rows.get((position, node))
        if row is None:
            _, tree, units = next(entry for entry in self._categorical if entry[0] == position)
            row = units[tree.join_row(node)]
            self._cost_rows[position, node] = row
        return row
