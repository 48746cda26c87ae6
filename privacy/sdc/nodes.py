"""One generalisation of the lattice, and how to prefer one to another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from privacy.validation import one_of

__all__ = ["PREFERENCES", "NodeReport", "preferred"]

PREFERENCES: Final = ("absolute", "relative", "classes", "suppression", "ilp")


@dataclass(frozen=True, kw_only=True)
class NodeReport:
    """One generalisation and what it does.

    Parameters
    ----------
    levels : tuple of int
        Level of each quasi-identifier: the distance vector.
    height : int
        Their sum, the absolute distance.
    suppressed : int
        Records in classes below k.
    n_classes : int
        Classes of at least k.
    ilp : float
        Loss of the published labels, sum over records of sum_i w_i leaves(label) / |A|, 1 for a suppressed
        record.
    """

    levels: tuple[int, ...]
    height: int
    suppressed: int
    n_classes: int
    ilp: float


def preferred(
    nodes: Sequence[NodeReport],
    preferences: Sequence[str],
    *,
    column_weights: Sequence[float],
    heights: Sequence[int],
) -> NodeReport:
    """Choose one of several nodes; later preferences break ties of earlier ones, then the least vector.

    Parameters
    ----------
    nodes : sequence of NodeReport
        At least one.
    preferences : sequence of str
        ``absolute`` (least height), ``relative`` (least sum of weight * level/height: a dear column is
        generalised last), ``classes`` (most), ``suppression`` (least), ``ilp`` (least loss).
    column_weights, heights : sequences
        By column, for ``relative``.

    Raises
    ------
    PrivacyError
        On an unknown preference.
    """
    for preference in preferences:
        one_of(preference, "preference", allowed=PREFERENCES, code="preference")

    def relative(node: NodeReport) -> float:
        parts = zip(column_weights, node.levels, heights, strict=True)
        return sum(weight * level / height for weight, level, height in parts if height)

    measures: dict[str, Callable[[NodeReport], float]] = {
        "absolute": lambda node: node.height,
        "relative": relative,
        "classes": lambda node: -node.n_classes,
        "suppression": lambda node: node.suppressed,
        "ilp": lambda node: node.ilp,
    }
    return min(nodes, key=lambda node: ([measures[name](node) for name in preferences], node.levels))
