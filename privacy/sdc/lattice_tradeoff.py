"""Risk and information loss of each node of a lattice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Final

from privacy.sdc.lattice import Lattice, Node, NodeReport
from privacy.sdc.reidentification_risk import risk

MOST_NODES: Final = 500
"""Largest number of nodes for a complete evaluation."""


@dataclass(frozen=True, kw_only=True)
class NodeTradeoff:
    """Remaining risk and lost detail of one generalisation, with all records included.

    Parameters
    ----------
    levels : tuple of int
        Level of each quasi-identifier.
    smallest : int
        Number of records in the smallest class.
    below_k : int
        Number of records in classes below k.
    alone : int
        Number of records that are alone in their class.
    at_risk : float
        Share of records whose probability of being linked is above the threshold, in [0, 1].
    loss : float
        Mean NCP of the columns, in [0, 1].
    good : bool
        Whether all records in classes below k may be suppressed.
    minimal : bool
        Whether it is good and no node one step below is: k-minimal (Samarati 2001).
    """

    levels: Node
    smallest: int
    below_k: int
    alone: int
    at_risk: float
    loss: float
    good: bool
    minimal: bool


@dataclass(frozen=True, kw_only=True)
class Tradeoff:
    """Evaluated nodes of a lattice, and the path to the chosen one.

    Parameters
    ----------
    names : tuple of str
        The quasi-identifiers, in the order of the levels.
    size : int
        Number of nodes in the lattice.
    nodes : tuple of NodeTradeoff
        All nodes, by height and levels. In a lattice of more than `MOST_NODES`, only the nodes on the path
        and the k-minimal nodes of smallest height.
    path : tuple of tuple of int
        Path from the original table to the chosen node, one level per step.
    """

    names: tuple[str, ...]
    size: int
    nodes: tuple[NodeTradeoff, ...]
    path: tuple[Node, ...]


def lattice_tradeoff(
    lattice: Lattice, choice: NodeReport, *, progress: Callable[[int, int], None] = lambda done, total: None
) -> Tradeoff:
    """Measure the risk and loss of the nodes of a lattice.

    Parameters
    ----------
    lattice : Lattice
    choice : NodeReport
        The generalisation to publish.
    progress : callable
        Called with (done, total) before each node.

    Notes
    -----
    Each node takes one count over the distinct combinations of the table. In a lattice of more than
    `MOST_NODES`, at most that many k-minimal nodes are measured in addition to the path.
    """
    path = tuple(report.levels for report in lattice.path(choice.levels))
    if lattice.size <= MOST_NODES:
        candidates = sorted(lattice.all_nodes(), key=lambda node: (sum(node), node))
    else:
        lowest = {report.levels for report in lattice.search()}
        candidates = sorted({*path, *sorted(lowest)[:MOST_NODES]}, key=lambda node: (sum(node), node))

    # A column's loss depends on its own level alone, so compute it once per level.
    loss = cache(lattice.label_loss)
    nodes = []
    for number, levels in enumerate(candidates):
        progress(number, len(candidates))
        sizes = lattice.sizes(levels)
        risks = risk(sizes)
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
