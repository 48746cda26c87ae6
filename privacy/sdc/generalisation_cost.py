"""The space that quasi-identifiers span, boxes in it, and what generalising to a box costs.

Costs are whole numbers of `UNIT` so that equal costs are equal on every machine and ties are broken the same
way.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

import numpy as np
import numpy.typing as npt

from privacy.arrays import Array, Codes, Whole
from privacy.errors import PrivacyError
from privacy.sdc.hierarchy import Hierarchy
from privacy.sdc.table import Column, Table, number_text

__all__ = ["UNIT", "Boxes", "CategoricalAxis", "NumericAxis", "Space"]

UNIT: Final = 2**40


@dataclass(frozen=True, kw_only=True, eq=False)
class NumericAxis:
    """A numeric quasi-identifier: a code is the rank of its number, a box an interval of ranks."""

    name: str
    numbers: Array
    values: tuple[str, ...]

    @property
    def extent(self) -> float:
        """|A| of Zhu et al. 2010: the largest number less the smallest."""
        return float(self.numbers[-1] - self.numbers[0])

    def penalty(self, low: Codes, high: Codes) -> Array:
        """Return the NCP of intervals: (z - y) / |A|, and 0 when the column is constant."""
        if self.extent == 0:
            return np.zeros(np.shape(low))
        return (self.numbers[high] - self.numbers[low]) / self.extent

    def label(self, low: int, high: int) -> str:
        """Write an interval of ranks as it is published."""
        if low == high:
            return self.values[low]
        return f"[{number_text(float(self.numbers[low]))},{number_text(float(self.numbers[high]))}]"


@dataclass(frozen=True, kw_only=True, eq=False)
class CategoricalAxis:
    """A categorical quasi-identifier: a box is a node of its hierarchy, nodes numbered level after level.

    Parameters
    ----------
    name : str
        The column.
    hierarchy : Hierarchy
        Restricted to the observed values: |A| and size(u) count observed leaves, or the root would cost more
        than 1.

    Notes
    -----
    An unchanged value costs 0, as an unchanged number does, and not 1/|A|, the letter of Zhu et al. 2010.
    """

    name: str
    hierarchy: Hierarchy

    @cached_property
    def offsets(self) -> tuple[int, ...]:
        """First node number of each level."""
        sizes = [len(level) for level in self.hierarchy.labels]
        return tuple(int(number) for number in np.concatenate([[0], np.cumsum(sizes)[:-1]]))

    @cached_property
    def _paths(self) -> Whole:
        paths: Whole = self.hierarchy.node.astype(np.int64) + np.array(self.offsets)[:, None]
        return paths

    @cached_property
    def _level_of(self) -> Whole:
        return np.repeat(np.arange(len(self.offsets)), [len(level) for level in self.hierarchy.labels])

    @cached_property
    def _leaf_of(self) -> Whole:
        """One leaf below each node; any will do to walk upwards from the node."""
        leaf = np.empty(len(self._level_of), dtype=np.int64)
        for level in range(len(self.offsets)):
            leaf[self._paths[level]] = np.arange(self._paths.shape[1])
        return leaf

    @cached_property
    def penalties(self) -> Array:
        """NCP by node: size(u) / |A|, and 0 for an unchanged value or a constant column."""
        leaves = self._paths.shape[1]
        size = np.zeros(len(self._level_of))
        for level in range(len(self.offsets)):
            np.add.at(size, self._paths[level], 1.0)
        penalty = size / leaves
        if leaves == 1:
            return np.zeros(len(penalty))
        # A node above level 0 with one leaf is that value under another name: nothing was lost.
        penalty[size == 1] = 0.0
        return np.asarray(penalty)

    @cached_property
    def _rows(self) -> dict[int, Whole]:
        return {}

    def join_row(self, node: int) -> Whole:
        """Return the closest common ancestor of a node with every node."""
        known = self._rows.get(node)
        if known is not None:
            return known
        count = len(self._level_of)
        ancestor = np.full(count, self._paths[-1, 0])
        own = self._leaf_of[node]
        for level in range(len(self.offsets) - 1, int(self._level_of[node]) - 1, -1):
            meets = (self._paths[level, self._leaf_of] == self._paths[level, own]) & (self._level_of <= level)
            ancestor[meets] = self._paths[level, own]
        self._rows[node] = ancestor
        return ancestor

    def join_segments(self, codes: Codes, starts: Whole) -> Whole:
        """Return the closest common ancestor of each run of leaves; runs begin at `starts`."""
        node = np.full(len(starts), self._paths[-1, 0])
        for level in range(len(self.offsets) - 1, -1, -1):
            path = self._paths[level][codes]
            low = np.minimum.reduceat(path, starts)
            same = low == np.maximum.reduceat(path, starts)
            node[same] = low[same]
        return node

    def label(self, node: int) -> str:
        """Write a node as it is published."""
        level = int(self._level_of[node])
        return self.hierarchy.labels[level][node - self.offsets[level]]


@dataclass(frozen=True, kw_only=True, eq=False)
class Boxes:
    """One box per class: ranks `low` and `high` by numeric axis, a `node` by categorical axis."""

    low: Codes
    high: Codes
    node: Whole

    def __len__(self) -> int:
        return len(self.low)


@dataclass(frozen=True, kw_only=True, eq=False)
class Space:
    """Quasi-identifiers of a table as axes, numeric ones first.

    Parameters
    ----------
    numeric, categorical : tuples of axes
        The quasi-identifiers.
    codes : int32 array, shape (n, d)
        One row per record, in the order numeric then categorical.
    names : tuple of str
        The axes in the order of the table.
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
            With at least one quasi-identifier.
        hierarchies : mapping of column name to Hierarchy
            One for each categorical quasi-identifier, covering every value.

        Raises
        ------
        PrivacyError
            Without quasi-identifiers, or when a hierarchy is missing or does not cover a value.
        """
        numeric: list[NumericAxis] = []
        categorical: list[CategoricalAxis] = []
        columns: list[Column] = []
        last: list[Column] = []
        if not table.quasi_identifiers:
            raise PrivacyError("no_quasi_identifier.space")
        for column in table.quasi_identifiers:
            if column.numbers is not None:
                numeric.append(NumericAxis(name=column.name, numbers=column.numbers, values=column.values))
                columns.append(column)
                continue
            if column.name not in hierarchies:
                raise PrivacyError("no_hierarchy.categorical", column.name)
            tree = hierarchies[column.name].for_values(column.values)
            categorical.append(CategoricalAxis(name=column.name, hierarchy=tree))
            last.append(column)
        return cls(
            numeric=tuple(numeric),
            categorical=tuple(categorical),
            codes=np.stack([column.codes for column in (*columns, *last)], axis=1),
            names=tuple(column.name for column in table.quasi_identifiers),
        )

    @property
    def axes(self) -> tuple[NumericAxis | CategoricalAxis, ...]:
        """All axes, numeric ones first."""
        return (*self.numeric, *self.categorical)

    @property
    def constant(self) -> tuple[str, ...]:
        """Names of columns with a single value: they cost nothing and weigh nothing."""
        sizes = [len(axis.values) for axis in self.numeric]
        sizes += [len(axis.hierarchy.labels[0]) for axis in self.categorical]
        return tuple(axis.name for axis, size in zip(self.axes, sizes, strict=True) if size == 1)

    def __len__(self) -> int:
        return len(self.codes)

    def weights(self, weights: Mapping[str, float] | None) -> Array:
        """Return weights in the order of `axes`, summing to 1; None weighs all axes alike.

        Raises
        ------
        PrivacyError
            When a weight is missing, negative or not finite, or all are zero.
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
        """Return the smallest box around the members of each class; every class has a member."""
        order = np.argsort(classes, kind="stable")
        starts = np.searchsorted(classes[order], np.arange(n_classes))
        codes = self.codes[order]
        numbers = len(self.numeric)
        low = np.minimum.reduceat(codes[:, :numbers], starts, axis=0)
        high = np.maximum.reduceat(codes[:, :numbers], starts, axis=0)
        node = np.empty((n_classes, len(self.categorical)), dtype=np.int64)
        for position, axis in enumerate(self.categorical):
            node[:, position] = axis.join_segments(codes[:, numbers + position], starts)
        return Boxes(low=low, high=high, node=node)

    def penalties(self, boxes: Boxes) -> Array:
        """Return the NCP of each box by axis, shape (boxes, d), each in [0, 1]."""
        result = np.empty((len(boxes), len(self.axes)))
        for position, axis in enumerate(self.numeric):
            result[:, position] = axis.penalty(boxes.low[:, position], boxes.high[:, position])
        for position, tree in enumerate(self.categorical):
            result[:, len(self.numeric) + position] = tree.penalties[boxes.node[:, position]]
        return result

    def labels(self, boxes: Boxes) -> list[list[str]]:
        """Return the published texts: one list per axis in the order of `names`, one text per box."""
        labels: dict[str, list[str]] = {}
        for position, axis in enumerate(self.numeric):
            pairs = zip(boxes.low[:, position].tolist(), boxes.high[:, position].tolist(), strict=True)
            labels[axis.name] = [axis.label(low, high) for low, high in pairs]
        for position, tree in enumerate(self.categorical):
            labels[tree.name] = [tree.label(node) for node in boxes.node[:, position].tolist()]
        return [labels[name] for name in self.names]

    def take(self, rows: Whole) -> Space:
        """Return the space over some records only; |A| and size(u) stay those of the whole table."""
        return Space(
            numeric=self.numeric, categorical=self.categorical, codes=self.codes[rows], names=self.names
        )


def distinct_rows(codes: Sequence[npt.NDArray[np.integer]] | Codes) -> tuple[Whole, Whole]:
    """Number distinct rows in lexicographic order: returns (first occurrence, number of each row).

    Columns are folded into one integer key, renumbered whenever the next column would overflow it.

    Examples
    --------
    >>> first, number = distinct_rows([np.array([1, 0, 1]), np.array([2, 2, 2])])
    >>> first.tolist(), number.tolist()
    ([1, 0], [1, 0, 1])
    """
    columns = list(codes.T) if isinstance(codes, np.ndarray) else list(codes)
    key = np.zeros(len(columns[0]), dtype=np.int64)
    size = 1
    for column in columns:
        width = int(column.max()) + 1 if len(column) else 1
        if size > 2**62 // width:
            _, key = np.unique(key, return_inverse=True)
            size = int(key.max()) + 1
        key = key * width + column
        size *= width
    _, first, number = np.unique(key, return_index=True, return_inverse=True)
    return first.astype(np.int64), number.astype(np.int64)
