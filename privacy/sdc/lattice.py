"""Global recoding: the lattice of generalisations and Samarati's binary search (Samarati 2001).

A node is a vector of levels, one per quasi-identifier; it is also the distance vector from the original
table. A node is good if all records in classes below k may be suppressed; exactly these are then suppressed
(minimal required suppression). All nodes above a good node are good, since classes only merge.

`lattice_tradeoff` compares risk and loss over all nodes, or over some of them in a large lattice. It includes
all records and ignores suppression.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Final

import numpy as np
import numpy.typing as npt

from privacy.arrays import Array, Flags, Whole
from privacy.errors import PrivacyError
from privacy.sdc.check_k import check_k
from privacy.sdc.distinct_rows import distinct_rows
from privacy.sdc.hierarchy import Hierarchy
from privacy.sdc.table import Column, Table

Node = tuple[int, ...]

_KEYS_COUNTED: Final = 300_000


@dataclass(frozen=True, kw_only=True)
class NodeReport:
    """One generalisation with its loss and suppressed records.

    Parameters
    ----------
    levels : tuple of int
        Level of each quasi-identifier: the distance vector.
    height : int
        Sum of the levels: the absolute distance.
    suppressed : int
        Number of records in classes below k.
    ilp : float
        Loss of the published labels: the sum over records of sum_i w_i leaves(label) / |A|, or of 1 for a
        suppressed record.
    """

    levels: tuple[int, ...]
    height: int
    suppressed: int
    ilp: float


class Lattice:
    """The generalisations of a table's quasi-identifiers.

    Parameters
    ----------
    table : Table
        The table to generalise. Numeric quasi-identifiers need hierarchies too, of intervals.
    hierarchies : mapping of column name to Hierarchy
        One for each quasi-identifier.
    k : int
        Smallest class size, 1 <= k <= n.
    max_suppressed : int
        Largest number of suppressed records, 0 <= max_suppressed < n.
    weights : mapping or None
        Weights of the columns in the loss of a node; None means equal weights.
    own : float64 array, shape (n, d), or None
        Weights by record instead: one row per record, summing to 1, with a column per quasi-identifier.
    max_nodes : int
        Largest number of nodes. A search of a larger lattice would take hours.

    Raises
    ------
    PrivacyError
        If a hierarchy is missing or incomplete, k > n, `max_suppressed` is outside its range, or the lattice
        has too many nodes.
    """

    def __init__(
        self,
        table: Table,
        hierarchies: Mapping[str, Hierarchy],
        *,
        k: int,
        max_suppressed: int = 0,
        weights: Mapping[str, float] | None = None,
        own: Array | None = None,
        max_nodes: int = 200_000,
    ) -> None:
        check_k(k, len(table))
        if not 0 <= max_suppressed < len(table):
            raise PrivacyError("suppression", max_suppressed, count=len(table))
        columns = table.quasi_identifiers
        if not columns:
            raise PrivacyError("no_quasi_identifier.lattice")
        for column in columns:
            if column.name not in hierarchies:
                raise PrivacyError("no_hierarchy.lattice", column.name)
        self.names = tuple(column.name for column in columns)
        self.trees = tuple(hierarchies[column.name].for_values(column.values) for column in columns)
        self.heights = tuple(tree.height for tree in self.trees)
        self.size = math.prod(height + 1 for height in self.heights)
        if self.size > max_nodes:
            raise PrivacyError("lattice_size", self.size, count=len(columns), max_nodes=max_nodes)
        self.k, self.max_suppressed, self.n = k, max_suppressed, len(table)
        self._columns = columns
        first, combination = distinct_rows([column.codes for column in columns])
        self._counts = np.bincount(combination).astype(np.int64)
        self._combination = combination
        self._codes = [column.codes[first] for column in columns]
        share = [1 / len(columns)] * len(columns)
        if weights is not None:
            total = sum(weights[name] for name in self.names)
            share = [weights[name] / total for name in self.names]
        self._share = share
        # For each column, the total weight of the records of each distinct combination.
        self._own = (
            None
            if own is None
            else [np.bincount(combination, weights=own[:, position]) for position in range(len(columns))]
        )
        self._known: dict[Node, NodeReport] = {}
        self._suppressed: dict[Node, int] = {}

    def nodes_at(self, height: int) -> Iterator[Node]:
        """Yield the nodes of a height in lexicographic order."""
        yield from self._vectors(height, 0)

    def _vectors(self, rest: int, position: int) -> Iterator[Node]:
        if position == len(self.heights) - 1:
            if rest <= self.heights[position]:
                yield (rest,)
            return
        above = sum(self.heights[position + 1 :])
        for level in range(max(0, rest - above), min(rest, self.heights[position]) + 1):
            for tail in self._vectors(rest - level, position + 1):
                yield (level, *tail)

    def classes(self, node: Node) -> Whole:
        """Return the number of the class of each distinct combination at a node."""
        columns = [
            tree.node[level][codes] for tree, level, codes in zip(self.trees, node, self._codes, strict=True)
        ]
        return distinct_rows(columns)[1]

    def _sizes(self, node: Node) -> tuple[Whole, Whole]:
        """Return the class of each distinct combination at a node, and how many records each class has."""
        number = self.classes(node)
        return number, np.bincount(number, weights=self._counts).astype(np.int64)

    def report(self, node: Node) -> NodeReport:
        """Return the report of a node, from a cache."""
        report = self._known.get(node)
        if report is None:
            number, sizes = self._sizes(node)
            small = sizes < self.k
            n_suppressed = int(sizes[small].sum())
            large = ~small[number]
            if self._own is None:
                loss = sum(
                    share * self._loss(position, level, large, self._counts)
                    for position, (level, share) in enumerate(zip(node, self._share, strict=True))
                )
            else:
                loss = sum(
                    self._loss(position, level, large, self._own[position])
                    for position, level in enumerate(node)
                )
            report = NodeReport(levels=node, height=sum(node), suppressed=n_suppressed, ilp=loss)
            self._known[node] = report
        return report

    def _loss(
        self, position: int, level: int, is_published: Flags, weights: npt.NDArray[np.integer] | Array
    ) -> float:
        """Return the weighted sum over records of leaves(label) / |A|, or of 1 for suppressed records."""
        tree = self.trees[position]
        lost_weight = float(weights[~is_published].sum())
        if not level or len(tree.labels[0]) == 1:
            return lost_weight
        leaves = np.bincount(tree.node[level])[tree.node[level]]
        part = np.where(leaves > 1, leaves / len(tree.labels[0]), 0.0)[self._codes[position]]
        return lost_weight + float((part * weights)[is_published].sum())

    def column_losses(self, node: Node) -> dict[str, float]:
        """Return the mean NCP of each column at a node, by the share of leaves below the published label."""
        number, sizes = self._sizes(node)
        is_kept = (sizes >= self.k)[number]
        return {
            name: self._loss(position, level, is_kept, self._counts) / self.n
            for position, (name, level) in enumerate(zip(self.names, node, strict=True))
        }

    def label_loss(self, position: int, level: int) -> float:
        """Return the mean NCP of a column at a level without suppression; it never falls at higher levels."""
        return self._loss(position, level, np.ones(len(self._counts), dtype=np.bool_), self._counts) / self.n

    def good(self, node: Node) -> bool:
        """Return whether at most `max_suppressed` records are in classes below k."""
        if node not in self._suppressed:
            sizes = self.sizes(node)
            self._suppressed[node] = int(sizes[sizes < self.k].sum())
        return self._suppressed[node] <= self.max_suppressed

    def sizes(self, node: Node) -> Whole:
        """Return the sizes of all classes, in no particular order, with no record left out.

        If there are few possible keys, they are counted directly instead of numbering the classes.
        """
        width = math.prod(len(tree.labels[level]) for tree, level in zip(self.trees, node, strict=True))
        if width > _KEYS_COUNTED:
            number = self.classes(node)
        else:
            number = np.zeros(len(self._counts), dtype=np.int64)
            for tree, level, codes in zip(self.trees, node, self._codes, strict=True):
                number = number * len(tree.labels[level]) + tree.node[level][codes]
        sizes = np.bincount(number, weights=self._counts)
        return sizes[sizes > 0].astype(np.int64)

    def search(self) -> tuple[NodeReport, ...]:
        """Find the smallest height with good nodes by bisection; return these nodes, which are k-minimal.

        Notes
        -----
        There is always a result, because all records are one class at the top.

        A table is k-minimal (section 3.1.2) if it is k-anonymous and no k-anonymous table has a distance
        vector strictly below its own. The paper prints "not DV_iz <= DV_ij", which no table satisfies since
        DV <= DV.
        """
        low, high = 0, sum(self.heights)
        while low < high:
            middle = (low + high) // 2
            if any(self.good(node) for node in self.nodes_at(middle)):
                high = middle
            else:
                low = middle + 1
        return tuple(self.report(node) for node in self.nodes_at(low) if self.good(node))

    def minimal(self) -> tuple[NodeReport, ...]:
        """Return every k-minimal node of the lattice: good nodes without a good direct predecessor."""
        good: set[Node] = set()
        minimal = []
        for height in range(sum(self.heights) + 1):
            for node in self.nodes_at(height):
                if any(below in good for below in self.predecessors(node)):
                    good.add(node)
                elif self.good(node):
                    good.add(node)
                    minimal.append(self.report(node))
        return tuple(minimal)

    def predecessors(self, node: Node) -> Iterator[Node]:
        """Yield the nodes one step below."""
        for position, level in enumerate(node):
            if level:
                yield (*node[:position], level - 1, *node[position + 1 :])

    def path(self, node: Node) -> tuple[NodeReport, ...]:
        """Return a generalisation strategy: a chain from the original table to a node, one level at a time.

        Each step generalises the column that leaves the fewest records in classes below k; ties go to the
        first.
        """
        current: Node = tuple(0 for _ in node)
        chain = [self.report(current)]
        while current != node:
            steps = [
                (*current[:position], current[position] + 1, *current[position + 1 :])
                for position in range(len(node))
                if current[position] < node[position]
            ]
            chain.append(min((self.report(step) for step in steps), key=lambda report: report.suppressed))
            current = chain[-1].levels
        return tuple(chain)

    def all_nodes(self) -> Iterator[Node]:
        """Yield all nodes of the lattice."""
        yield from product(*(range(height + 1) for height in self.heights))

    def kept_rows(self, node: Node) -> Whole:
        """Return the records that a node does not suppress."""
        number, sizes = self._sizes(node)
        return np.flatnonzero((sizes >= self.k)[number][self._combination])

    def labels(self, node: Node, column: Column) -> list[str]:
        """Return the published text of each value of a column at a node."""
        position = self.names.index(column.name)
        tree, level = self.trees[position], node[position]
        return [tree.labels[level][leaf] for leaf in tree.node[level].tolist()]

    def class_numbers(self, node: Node) -> Whole:
        """Return the class of each record at a node, suppressed records included."""
        return self.classes(node)[self._combination]
