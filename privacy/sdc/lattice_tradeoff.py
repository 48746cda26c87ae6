"""Risk against loss over the lattice of generalisations: all nodes where they are few.

A node is judged by its labels alone, with all records: what is left out at the end comes on top.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Final

from privacy.policy import RECORD_AT_RISK
from privacy.sdc.lattice import Lattice
from privacy.sdc.nodes import NodeReport
from privacy.sdc.risk import risk

__all__ = ["MOST_NODES", "NodeTradeoff", "Tradeoff", "lattice_tradeoff"]

MOST_NODES: Final = 500
"""Of a lattice that is looked at whole."""

Node = tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class NodeTradeoff:
    """What one generalisation leaves of risk, and takes of detail, with all records in it.

    Parameters
    ----------
    levels : tuple of int
        Level of each quasi-identifier.
    smallest : int
        Records of the smallest class.
    below_k : int
        Records in classes below k.
    alone : int
        Records alone in their class.
    at_risk : float
        Share of records whose chance of being linked is above the threshold, in [0, 1].
    loss : float
        Mean NCP of the columns, in [0, 1].
    good : bool
        At most as many records are below k as may be left out.
    minimal : bool
        Good, and no node one step below is: k-minimal (Samarati).
    """

    levels: Node
    smallest: int
    below_k: int
    alone: int
    at_risk: float
    loss: float
    good: bool
    minimal: bool

    @property
    def height(self) -> int:
        """Steps from the table as it is."""
        return sum(self.levels)


@dataclass(frozen=True, kw_only=True)
class Tradeoff:
    """The nodes that were looked at.

    Parameters
    ----------
    names : tuple of str
        The quasi-identifiers, in the order of the levels.
    size : int
        Nodes of the lattice.
    nodes : tuple of NodeTradeoff
        All, by height and levels; of a lattice of more than `MOST_NODES` those of the path and the k-minimal
        ones of least height.
    path : tuple of tuple of int
        From the table as it is to the chosen node, one level a step.
    """

    names: tuple[str, ...]
    size: int
    nodes: tuple[NodeTradeoff, ...]
    path: tuple[Node, ...]

    @property
    def whole(self) -> bool:
        """Every node was looked at."""
        return len(self.nodes) == self.size

    @property
    def chosen(self) -> Node:
        """The node that is published."""
        return self.path[-1]


def lattice_tradeoff(
    lattice: Lattice,
    chosen: NodeReport,
    *,
    threshold: float = RECORD_AT_RISK,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Tradeoff:
    """Judge the nodes of a lattice.

    Parameters
    ----------
    lattice : Lattice
    chosen : NodeReport
        What is published.
    threshold : float
        Chance of being linked above which a record is at risk.
    progress : callable
        Called with (done, total) before each node.

    Notes
    -----
    A node costs one count over the distinct combinations of the table, and at most `MOST_NODES` are judged
    beside the path and the minimal nodes of least height; those the search has visited already.
    """
    path = tuple(report.levels for report in lattice.path(chosen.levels))
    if lattice.size <= MOST_NODES:
        wanted = sorted(lattice.all_nodes(), key=lambda node: (sum(node), node))
    else:
        lowest = {report.levels for report in lattice.search().nodes}
        wanted = sorted({*path, *sorted(lowest)[:MOST_NODES]}, key=lambda node: (sum(node), node))

    # What labels take from a column does not depend on the other columns.
    @cache
    def loss(position: int, level: int) -> float:
        alone: Node = tuple(level if index == position else 0 for index in range(len(lattice.names)))
        return lattice.label_losses(alone)[lattice.names[position]]

    nodes = []
    for number, levels in enumerate(wanted):
        progress(number, len(wanted))
        sizes = lattice.sizes(levels)
        risks = risk(sizes, threshold=threshold)
        good = lattice.good(levels)
        nodes.append(
            NodeTradeoff(
                levels=levels,
                smallest=int(sizes.min()),
                below_k=int(sizes[sizes < lattice.k].sum()),
                alone=risks.sample_uniques,
                at_risk=risks.at_risk,
                loss=sum(loss(position, level) for position, level in enumerate(levels)) / len(levels),
                good=good,
                minimal=good and not any(map(lattice.good, lattice.predecessors(levels))),
            )
        )
    return Tradeoff(names=lattice.names, size=lattice.size, nodes=tuple(nodes), path=path)
