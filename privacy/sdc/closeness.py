"""t-closeness: earth mover's distance of each class's values from the table's."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from privacy.errors import PrivacyError
from privacy.sdc.classes import ClassMatrix
from privacy.sdc.hierarchy import Hierarchy
from privacy.validation import one_of

__all__ = ["GROUND_DISTANCES", "closeness", "earth_movers"]

GROUND_DISTANCES = ("equal", "ordered", "hierarchical")

Real = npt.NDArray[np.float64]


def closeness(matrix: ClassMatrix, *, ground: str, hierarchy: Hierarchy | None = None) -> Real:
    """Return the earth mover's distance of each class's values from the table's, each in [0, 1].

    Parameters
    ----------
    matrix : ClassMatrix
        Values in the order of their column; for ``ordered`` that order is the ground distance.
    ground : str
        ``equal`` (all values are equally far apart), ``ordered`` (neighbours are near) or ``hierarchical``
        (near when the common ancestor is low).
    hierarchy : Hierarchy or None
        Needed for ``hierarchical``; leaf ``i`` is value ``i``.

    Raises
    ------
    PrivacyError
        On an unknown ground distance or a hierarchy that does not fit.

    Notes
    -----
    With d = p - q and m values: equal sum|d|/2; ordered sum|cumsum d|/(m-1), where m counts the values of the
    table; hierarchical the sum over inner nodes N of height(N)/H min(pos, neg), pos and neg being the surplus
    and the want that meet in N. t-closeness asks that the largest of them is at most t.

    References
    ----------
    Li, Li and Venkatasubramanian 2007, section 5: the class {3k, 4k, 5k} of its table has 0.375.

    Examples
    --------
    >>> table = ClassMatrix.from_counts([[1, 1, 1, 0, 0, 0, 0, 0, 0], [0, 0, 0, 1, 1, 1, 1, 1, 1]])
    >>> closeness(table, ground="ordered").round(4).tolist()
    [0.375, 0.1875]
    """
    one_of(ground, "ground distance", allowed=GROUND_DISTANCES, code="ground_distance")
    if ground == "hierarchical" and (hierarchy is None or len(hierarchy.labels[0]) != matrix.n_values):
        raise PrivacyError("ground_distance", None if hierarchy is None else hierarchy.name)
    share = matrix.table_part
    return np.concatenate(
        [
            earth_movers(
                block / np.maximum(block.sum(axis=1, keepdims=True), 1) - share,
                ground=ground,
                hierarchy=hierarchy,
            )
            for block in matrix.blocks()
        ]
    )


def earth_movers(difference: Real, *, ground: str, hierarchy: Hierarchy | None) -> Real:
    """Return the earth mover's distance of each row of p - q, as in `closeness`.

    Examples
    --------
    >>> earth_movers(np.array([[0.5, -0.5, 0.0]]), ground="ordered", hierarchy=None).tolist()
    [0.25]
    """
    if ground == "hierarchical" and hierarchy is not None:
        return _hierarchical(difference, hierarchy)
    if ground == "ordered":
        return np.asarray(np.abs(np.cumsum(difference, axis=1)).sum(axis=1) / max(1, difference.shape[1] - 1))
    return np.asarray(np.abs(difference).sum(axis=1) / 2)


def _hierarchical(difference: Real, hierarchy: Hierarchy) -> Real:
    """Move what meets below each node first; only the rest travels higher and costs more."""
    moved = np.zeros(len(difference))
    surplus = difference
    for level in range(1, hierarchy.height + 1):
        parents = _parents(hierarchy, level)
        width = len(hierarchy.labels[level])
        above = np.zeros((len(difference), width))
        below = np.zeros((len(difference), width))
        for child, parent in enumerate(parents):
            above[:, parent] += np.maximum(surplus[:, child], 0)
            below[:, parent] += np.maximum(-surplus[:, child], 0)
        moved += level / hierarchy.height * np.minimum(above, below).sum(axis=1)
        surplus = above - below
    return moved


def _parents(hierarchy: Hierarchy, level: int) -> list[int]:
    """Return the parent at `level` of each node one level below."""
    parents = [0] * len(hierarchy.labels[level - 1])
    for child, parent in zip(hierarchy.node[level - 1].tolist(), hierarchy.node[level].tolist(), strict=True):
        parents[child] = parent
    return parents
