"""Swap bounds: exchanges of values between people that are consistent with two releases."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import scipy

__all__ = ["swap_bounds"]

Whole = npt.NDArray[np.int64]


def swap_bounds(first: Whole, second: Whole, truth: Whole) -> tuple[Whole, Whole]:
    """Find the least and the most of each count over the truth and the exchanges of two values within it.

    Parameters
    ----------
    first, second : int64 arrays, shape (positions,)
        Class in the earlier and in the later release, -1 for absent.
    truth : int64 array, shape (positions, values)
        How many people of each position have each value.

    Returns
    -------
    tuple of int64 arrays, shape (positions, values)
        Inner bounds: each is reached by people who would have led to the same two releases.

    Notes
    -----
    For two values v and w let every position be an edge between its class in the earlier and its class in the
    later release, from the earlier to the later where somebody has v and back where somebody has w; whoever
    is absent from a release hangs on one free node. Along a directed cycle, people with v get w and people
    with w get v in turn. Each class on the way gives one and takes one, so both releases stay as they are. A
    position with v and without w, whose two classes lie in one strongly connected component, is on such a
    cycle: it can have one w more and one v less. Positions that hold both values, and exchanges of three
    values, are left out, so the bounds may be narrower than what is possible.

    Examples
    --------
    Two classes of two in the first release, the same four people in one class of the second: they can change
    places only within their first class.

    >>> low, high = swap_bounds(np.array([0, 1]), np.array([0, 0]), np.array([[1, 1], [0, 2]]))
    >>> high.tolist()
    [[1, 1], [0, 2]]
    """
    low, high = truth.copy(), truth.copy()
    n_first = int(first.max(initial=-1)) + 1
    # Node 0 is the free one; the classes of the first and then of the second release follow.
    left = np.where(first >= 0, 1 + first, 0)
    right = np.where(second >= 0, 1 + n_first + second, 0)
    left, right = _renumbered(left, right)
    n_nodes = int(max(left.max(), right.max())) + 1
    for value in range(truth.shape[1]):
        for other in range(truth.shape[1]):
            if value == other:
                continue
            forward = np.flatnonzero(truth[:, value])
            back = np.flatnonzero(truth[:, other])
            if not len(forward) or not len(back):
                continue
            starts = np.concatenate([left[forward], right[back]])
            ends = np.concatenate([right[forward], left[back]])
            links = scipy.sparse.coo_array((np.ones(len(starts)), (starts, ends)), shape=(n_nodes, n_nodes))
            _, component = scipy.sparse.csgraph.connected_components(links, connection="strong")
            # A position without the other value has no edge back, so its cycle leads through others.
            free = (truth[:, value] > 0) & (truth[:, other] == 0) & (component[left] == component[right])
            low[free, value] = truth[free, value] - 1
            high[free, other] = np.maximum(high[free, other], 1)
    return low, high


def _renumbered(left: Whole, right: Whole) -> tuple[Whole, Whole]:
    """Number the nodes that occur from 0."""
    _, number = np.unique(np.concatenate([left, right]), return_inverse=True)
    return number[: len(left)].astype(np.int64), number[len(left) :].astype(np.int64)
