"""Generalisation: the space of quasi-identifiers, its boxes, and what each box of a class loses by axis."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final

import numpy as np

from privacy.arrays import Array, Codes, Whole
from privacy.errors import PrivacyError
from privacy.numeric_text import number_text
from privacy.sdc.hierarchy import Hierarchy
from privacy.sdc.table import Table

UNIT: Final = 2**40


@dataclass(frozen=True, kw_only=True, eq=False)
class NumericAxis:
    """A numeric quasi-identifier: a code is the rank of its number."""

    name: str
    numbers: Array
    values: tuple[str, ...]

    @property
    def extent(self) -> float:
        """|A| of Zhu et al. 2010: the largest number minus the smallest."""
        return float(self.numbers[-1] - self.numbers[0])

    @property
    def line(self) -> Array:
        """Position of each code along the axis, in [0, 1]."""
        return np.asarray((self.numbers - self.numbers[0]) / (self.extent or 1.0))

    def width(self, low: Codes, high: Codes) -> Array:
        """Return z - y of intervals of codes."""
        return self.numbers[high] - self.numbers[low]

    def labels(self, low: Codes, high: Codes) -> list[str]:
        """Write intervals of codes in their published form."""
        texts = [number_text(number) for number in self.numbers.tolist()]
        return [
            self.values[first] if first == last else f"[{texts[first]},{texts[last]}]"
            for first, last in zip(low.tolist(), high.tolist(), strict=True)
        ]


@dataclass(frozen=True, kw_only=True, eq=False)
class CategoricalAxis:
    """A categorical quasi-identifier: a code is the position of a value among the leaves of its hierarchy.

    Parameters
    ----------
    name : str
        The column.
    hierarchy : Hierarchy
        Restricted to the observed values: |A| and size(u) both count observed leaves, otherwise the root
        would cost more than 1. Leaves below a node are adjacent, so the closest common ancestor of two leaves
        is also that of all leaves between them.

    Notes
    -----
    An unchanged value costs 0, like an unchanged number. Zhu et al. 2010, taken literally, charge 1/|A|.
    """

    name: str
    hierarchy: Hierarchy

    @property
    def extent(self) -> float:
        """1, or 0 for a constant column."""
        return float(len(self.hierarchy.labels[0]) > 1)

    @property
    def line(self) -> Array:
        """Position of each code along the axis, in [0, 1]."""
        leaves = len(self.hierarchy.labels[0])
        return np.arange(leaves) / max(1, leaves - 1)

    @cached_property
    def _shares(self) -> Array:
        """Return size(u) / |A| of each leaf's ancestor on each level; 0 if the ancestor has a single leaf."""
        sizes = np.stack([np.bincount(nodes)[nodes] for nodes in self.hierarchy.node])
        # A node with a single leaf only renames the value, so no information is lost.
        return np.where(sizes > 1, sizes / sizes.shape[1], 0.0)

    def levels(self, low: Codes, high: Codes) -> Whole:
        """Return the level of the closest common ancestor of each interval of codes."""
        below_root = self.hierarchy.node[:-1]
        differ = below_root.take(low, axis=1) != below_root.take(high, axis=1)
        return np.asarray(differ.sum(axis=0))

    def width(self, low: Codes, high: Codes) -> Array:
        """Return size(u) / |A| of each interval of codes, where u is its closest common ancestor."""
        return np.asarray(self._shares[self.levels(low, high), low])

    def labels(self, low: Codes, high: Codes) -> list[str]:
        """Write intervals of codes in their published form."""
        levels = self.levels(low, high)
        nodes = self.hierarchy.node[levels, low]
        return [
            self.hierarchy.labels[level][node]
            for level, node in zip(levels.tolist(), nodes.tolist(), strict=True)
        ]


@dataclass(frozen=True, kw_only=True, eq=False)
class Boxes:
    """One box per class: an interval of codes on each axis, ends inclusive; shape (classes, axes)."""

    low: Codes
    high: Codes

    def __len__(self) -> int:
        return len(self.low)

    def take(self, rows: Whole) -> Boxes:
        """Return some of the boxes, in the order given."""
        return Boxes(low=self.low[rows], high=self.high[rows])

    def join(self, first: Whole, second: Whole | int) -> Boxes:
        """Return the smallest boxes around pairs of boxes; `second` may be one box for all pairs."""
        return Boxes(
            low=np.minimum(self.low[first], self.low[second]),
            high=np.maximum(self.high[first], self.high[second]),
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class Space:
    """Quasi-identifiers of a table as axes, numeric ones first.

    Parameters
    ----------
    numeric, categorical : tuples of axes
        The quasi-identifiers.
    codes : int32 array, shape (n, d)
        One row per record: ranks of numbers on the numeric axes, then positions of leaves on the categorical.
    names : tuple of str
        Names of the axes, in the order of the table.
    """

    numeric: tuple[NumericAxis, ...]
    categorical: tuple[CategoricalAxis, ...]
    codes: Codes
    names: tuple[str, ...] = field(default=())

    @classmethod
    def of(cls, table: Table, hierarchies: Mapping[str, Hierarchy]) -> Space:
        """Build the space of a table's quasi-identifiers.

        Parameters
        ----------
        table : Table
            Table with at least one quasi-identifier.
        hierarchies : mapping of column name to Hierarchy
            One for each categorical quasi-identifier, covering every value.

        Raises
        ------
        PrivacyError
            If there are no quasi-identifiers, or a hierarchy is missing or does not cover a value.
        """
        numeric: list[NumericAxis] = []
        categorical: list[CategoricalAxis] = []
        numbers: list[Codes] = []
        leaves: list[Codes] = []
        if not table.quasi_identifiers:
            raise PrivacyError("no_quasi_identifier.space")
        for column in table.quasi_identifiers:
            if column.numbers is not None:
                numeric.append(NumericAxis(name=column.name, numbers=column.numbers, values=column.values))
                numbers.append(column.codes)
                continue
            if column.name not in hierarchies:
                raise PrivacyError("no_hierarchy.categorical", column.name)
            tree = hierarchies[column.name].for_values(column.values)
            order = np.lexsort(tuple(tree.node))
            ordered = tree.for_values([column.values[leaf] for leaf in order.tolist()])
            categorical.append(CategoricalAxis(name=column.name, hierarchy=ordered))
            leaves.append(np.argsort(order).astype(np.int32)[column.codes])
        return cls(
            numeric=tuple(numeric),
            categorical=tuple(categorical),
            codes=np.stack([*numbers, *leaves], axis=1),
            names=tuple(column.name for column in table.quasi_identifiers),
        )

    @property
    def axes(self) -> tuple[NumericAxis | CategoricalAxis, ...]:
        """All axes, numeric ones first."""
        return (*self.numeric, *self.categorical)

    @property
    def constant(self) -> tuple[str, ...]:
        """Names of columns with a single value, which never cost anything."""
        return tuple(axis.name for axis in self.axes if not axis.extent)

    def __len__(self) -> int:
        return len(self.codes)

    def weights(self, weights: Mapping[str, float] | None) -> Array:
        """Return weights in the order of `axes`, summing to 1; None gives equal weights.

        Raises
        ------
        PrivacyError
            If a weight is missing, negative or not finite, or all weights are zero.
        """
        if weights is None:
            return np.full(len(self.axes), 1 / len(self.axes))
        per_axis = []
        for axis in self.axes:
            weight = weights.get(axis.name, float("nan"))
            if not (np.isfinite(weight) and weight >= 0):
                raise PrivacyError("weight.negative", weight, axis=axis.name)
            per_axis.append(weight)
        total = sum(per_axis)
        if total <= 0:
            raise PrivacyError("weight.none", 0)
        return np.array(per_axis) / total

    def boxes(self, classes: Whole, n_classes: int) -> Boxes:
        """Return the smallest box around the members of each class; no class may be empty."""
        order = np.argsort(classes, kind="stable")
        starts = np.searchsorted(classes[order], np.arange(n_classes))
        codes = self.codes[order]
        return Boxes(
            low=np.minimum.reduceat(codes, starts, axis=0), high=np.maximum.reduceat(codes, starts, axis=0)
        )

    def penalties(self, boxes: Boxes) -> Array:
        """Return the NCP of each box by axis, shape (boxes, d), in [0, 1]; 0 for a constant column."""
        result = np.zeros((len(boxes), len(self.axes)))
        for position, axis in enumerate(self.axes):
            width = axis.width(boxes.low[:, position], boxes.high[:, position])
            result[:, position] = width / (axis.extent or 1.0)
        return result

    def labels(self, boxes: Boxes) -> list[list[str]]:
        """Return the published texts: one list per axis in the order of `names`, one text per box."""
        labels = {
            axis.name: axis.labels(boxes.low[:, position], boxes.high[:, position])
            for position, axis in enumerate(self.axes)
        }
        return [labels[name] for name in self.names]

    def take(self, rows: Whole) -> Space:
        """Return the space over some records only; |A| and size(u) stay those of the whole table."""
        return replace(self, codes=self.codes[rows])
