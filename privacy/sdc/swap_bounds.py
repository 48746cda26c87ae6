"""Bounds of the counts that exchanging two values within the truth shows to be possible."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import scipy

from privacy.arrays import Whole


def swap_bounds(first: Whole, second: Whole, truth: Whole) -> tuple[Whole, Whole]:
    """Find the range of each count over the truth and over all exchanges of two values within it.

    Parameters
    ----------
    first, second : int64 arrays, shape (positions,)
        Class in the earlier and in the later release, -1 for absent.
    truth : int64 array, shape (positions, values)
        Number of people with each value in each position.

    Returns
    -------
    tuple of int64 arrays, shape (positions, values)
        Inner bounds: some data that lead to the same two releases attain each of them.

    Notes
    -----
    For two values v and w, treat every position as an edge between its class in the earlier and its class in
    the later release: directed forward if someone in it has v, backward if someone has w. For people who are
    absent from a release, the edge ends at one extra node. Along a directed cycle, people with v and people
    with w exchange these values in turn. Each class on the cycle gains and loses one of each, so both
    releases remain unchanged. A position that has v but not w, and whose classes are in one strongly
    connected component, is on such a cycle: it can have one w more and one v fewer. Positions that hold both
    values, and exchanges of three values, are ignored, so the bounds may be narrower than the possible range.

    Examples
    --------
    The first release has two classes of two, and the second has the same four people in one class. Values can
    be exchanged only within the classes of the first.

    >>> low, high = swap_bounds(np.array([0, 1]), np.array([0, 0]), np.array([[1, 1], [0, 2]]))
    >>> high.tolist()
    [[1, 1], [0, 2]]
    """
    low, high = truth.copy(), truth.copy()
    n_first = int(first.max(initial=-1)) + 1
    # Node 0 is the extra node. The classes of the first release follow, then those of the second.
    nodes = np.concatenate(
        [np.where(first >= 0, 1 + first, 0), np.where(second >= 0, 1 + n_first + second, 0)]
    )
    occurring, number = np.unique(nodes, return_inverse=True)
    left, right = np.split(number, 2)
    for value, other in permutations(range(truth.shape[1]), 2):
        forward, back = np.flatnonzero(truth[:, value]), np.flatnonzero(truth[:, other])
        if not len(forward) or not len(back):
            continue
        starts = np.concatenate([left[forward], right[back]])
        ends = np.concatenate([right[forward], left[back]])
        links = scipy.sparse.coo_array((np.ones(len(starts)), (starts, ends)), shape=(len(occurring),) * 2)
        _, component = scipy.sparse.csgraph.connected_components(links, connection="strong")
        # A position without the other value has no edge back, so its cycle leads through other positions.
        free = (truth[:, value] > 0) & (truth[:, other] == 0) & (component[left] == component[right])
        low[free, value] = truth[free, value] - 1
        high[free, other] = np.maximum(high[free, other], 1)
    return low, high
