"""Bounds from two releases: how many people of a position can have each value.

Swap bounds: exchanges of values between people that are consistent with two releases.
"""

from __future__ import annotations

from itertools import permutations
from typing import Final, TypeAlias

import numpy as np
import scipy

from privacy.arrays import Whole

__all__ = ["swap_bounds", "value_bounds", "without_the_others"]


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
    For two values v and w let every position be an edge between its class in the earlier and its class in
    the later release, from the earlier to the later where somebody has v and back where somebody has w; a
    person absent from a release hangs on one free node. Along a directed cycle, people with v get
    w and people with w get v in turn. Each class on the way gives one and takes one, so both releases stay
    as they are. A position with v and without w, whose two classes lie in one strongly connected component,
    is on such a cycle: it can have one w more and one v less. Positions that hold both values, and
    exchanges of three values, are left out, so the bounds may be narrower than what is possible.

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
        # A position without the other value has no edge back, so its cycle leads through others.
        free = (truth[:, value] > 0) & (truth[:, other] == 0) & (component[left] == component[right])
        low[free, value] = truth[free, value] - 1
        high[free, other] = np.maximum(high[free, other], 1)
    return low, high


Releases: TypeAlias = tuple[tuple[Whole, Whole], tuple[Whole, Whole]]
"""Of each release the class of each position, -1 for absent, and its counts by class and value."""

_ABSENT: Final = 2**40
_SMALL: Final = 40


def value_bounds(
    sizes: Whole,
    first: Whole,
    second: Whole,
    counts_a: Whole,
    counts_b: Whole,
    truth: Whole,
    *,
    small: int = _SMALL,
) -> tuple[Whole, Whole]:
    """Bound how many people of each position have each value, never more loosely than an attacker can.

    Parameters
    ----------
    sizes : int64 array, shape (positions,)
        People of each position.
    first, second : int64 arrays, shape (positions,)
        Class in the earlier and in the later release, -1 for absent.
    counts_a, counts_b : int64 arrays, shapes (classes, values)
        Published counts of the two releases.
    truth : int64 array, shape (positions, values)
        How many people of each position really have each value.
    small : int
        Open counts up to which positions that hang together are solved exactly.

    Returns
    -------
    tuple of int64 arrays, shape (positions, values)
        Least and most; the truth always lies between, and the interval holds nothing that the two releases
        rule out.

    Notes
    -----
    The unknown counts x[position, value] have known sums over the positions of each class, for each value,
    and over the values of each position. Each bound is tightened by what the others in its sums can at most,
    or must at least, take up, until nothing changes (the shuttle algorithm). That can leave a bound too wide,
    in about one of two thousand random tables of six people, and a bound too wide would hide a leak. So
    positions that hang together and have at most `small` open counts are solved exactly, as integer programs.
    In larger ones, where that is out of reach, only what an exchange within the truth shows counts as open
    (`privacy.sdc.value_bounds`): there the interval can be too narrow and a release refused that is safe,
    but no leak is missed.

    References
    ----------
    Buzzigoli and Giusti 1999.

    Examples
    --------
    >>> first, second = np.array([[1, 1]]), np.array([[1, 2]])
    >>> truth = np.array([[1, 1], [0, 1]])
    >>> low, high = value_bounds(np.array([2, 1]), np.array([0, -1]), np.array([0, 0]), first, second, truth)
    >>> high.tolist()
    [[1, 1], [0, 1]]
    """
    releases = (first, counts_a), (second, counts_b)
    low, high = _shuttled(sizes, releases)
    for positions in _hanging_together(releases):
        open_counts = int((low[positions] < high[positions]).sum())
        if not open_counts:
            continue
        if open_counts > small or not _solve(low, high, positions, sizes, releases):
            low[positions], high[positions] = swap_bounds(
                first[positions], second[positions], truth[positions]
            )
    return low, high


def without_the_others(classes: Whole, counts: Whole, low: Whole) -> Whole:
    """Return the records of each value that a class leaves to a position, others having what they must.

    Parameters
    ----------
    classes : ndarray of int, shape (positions,)
        Class of each position; below 0 where there is none.
    counts : ndarray of int, shape (classes, values)
        Records of each class by value.
    low : ndarray of int, shape (positions, values)
        What each position has at least.
    """
    taken = _sums(classes, low, len(counts))[classes] - low
    return np.where((classes >= 0)[:, None], counts[classes] - taken, _ABSENT)


def _shuttled(sizes: Whole, releases: Releases) -> tuple[Whole, Whole]:
    shown = [np.where(classes[:, None] >= 0, counts[classes], _ABSENT) for classes, counts in releases]
    high = np.minimum(np.minimum(*shown), sizes[:, None])
    low = np.zeros_like(high)
    for _ in range(1000):
        before = (low, high)
        for classes, counts in releases:
            inside = (classes >= 0)[:, None]
            rest = _sums(classes, high, len(counts))[classes] - high
            low = np.where(inside, np.maximum(low, counts[classes] - rest), low)
            rest = _sums(classes, low, len(counts))[classes] - low
            high = np.where(inside, np.minimum(high, counts[classes] - rest), high)
        low = np.maximum(low, sizes[:, None] - (high.sum(axis=1, keepdims=True) - high))
        high = np.minimum(high, sizes[:, None] - (low.sum(axis=1, keepdims=True) - low))
        if (low == before[0]).all() and (high == before[1]).all():
            break
    return low, high


def _sums(classes: Whole, amounts: Whole, count: int) -> Whole:
    """Sum the rows of each class; the row of absent people is the last and never read."""
    sums = np.zeros((count + 1, amounts.shape[1]), dtype=np.int64)
    np.add.at(sums, classes, amounts)
    return sums


def _hanging_together(releases: Releases) -> list[Whole]:
    """Return the groups of positions joined by classes of either release, directly or through others."""
    n = nodes = len(releases[0][0])
    rows, columns = [], []
    for classes, counts in releases:
        inside = np.flatnonzero(classes >= 0)
        rows.append(inside)
        columns.append(nodes + classes[inside])
        nodes += len(counts)
    entries = np.concatenate(rows), np.concatenate(columns)
    links = scipy.sparse.coo_array((np.ones(len(entries[0])), entries), shape=(nodes, nodes))
    _, label = scipy.sparse.csgraph.connected_components(links, directed=False)
    order = np.argsort(label[:n], kind="stable")
    return np.split(order, np.flatnonzero(np.diff(label[:n][order])) + 1)


def _solve(low: Whole, high: Whole, positions: Whole, sizes: Whole, releases: Releases) -> bool:
    """Narrow the bounds of some positions to the least and the most of any whole solution; False: gave up."""
    equal = _sums_known(positions, low.shape[1], sizes, releases)
    for at in np.flatnonzero(low[positions] < high[positions]).tolist():
        position, value = positions[at // low.shape[1]], at % low.shape[1]
        aim = np.zeros(low[positions].size)
        aim[at] = 1
        bounds = (low[positions].ravel(), high[positions].ravel())
        for sign, side in ((1, low), (-1, high)):
            optimum = scipy.optimize.milp(
                sign * aim, constraints=equal, integrality=np.ones(len(aim)), bounds=bounds
            )
            if not optimum.success:
                return False
            side[position, value] = round(optimum.x[at])
    return True


def _sums_known(
    positions: Whole, values: int, sizes: Whole, releases: Releases
) -> scipy.optimize.LinearConstraint:
    """Write down what the counts of some positions sum to: over values, and over each class of a release."""
    matrices = [scipy.sparse.kron(scipy.sparse.eye_array(len(positions)), np.ones((1, values)))]
    sums = [sizes[positions]]
    for classes, counts in releases:
        inside = np.flatnonzero(classes[positions] >= 0)
        own, number = np.unique(classes[positions][inside], return_inverse=True)
        shape = (len(own), len(positions))
        held = scipy.sparse.coo_array((np.ones(len(inside)), (number, inside)), shape=shape)
        matrices.append(scipy.sparse.kron(held, scipy.sparse.eye_array(values)))
        sums.append(counts[own].ravel())
    total = np.concatenate(sums)
    return scipy.optimize.LinearConstraint(scipy.sparse.vstack(matrices, format="csr"), total, total)
