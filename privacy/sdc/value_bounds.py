"""Bounds of the counts that several published tables leave for each position."""

from __future__ import annotations

from typing import Final, TypeAlias

import numpy as np
import scipy

from privacy.arrays import Whole
from privacy.sdc.swap_bounds import swap_bounds

Releases: TypeAlias = tuple[tuple[Whole, Whole], tuple[Whole, Whole]]
"""For each release: the class of each position (-1 for absent), and the counts by class and value."""
_NO_BOUND: Final = 2**40
_SMALL: Final = 40


def value_bounds(
    sizes: Whole, first: Whole, second: Whole, counts_a: Whole, counts_b: Whole, truth: Whole
) -> tuple[Whole, Whole]:
    """Bound the number of people with each value in each position, at least as tightly as an attacker can.

    Parameters
    ----------
    sizes : int64 array, shape (positions,)
        Number of people in each position.
    first, second : int64 arrays, shape (positions,)
        Class in the earlier and in the later release, -1 for absent.
    counts_a, counts_b : int64 arrays, shapes (classes, values)
        Published counts of the two releases.
    truth : int64 array, shape (positions, values)
        True number of people with each value in each position.

    Returns
    -------
    tuple of int64 arrays, shape (positions, values)
        Smallest and largest count; the truth is always between them, and the interval contains nothing that
        the two releases rule out.

    Notes
    -----
    The unknown counts x[position, value] have known sums over the positions of each class, for each value,
    and over the values of each position. Each bound is tightened by the largest or smallest total of the
    other counts in its sums, until nothing changes (the shuttle algorithm). The result can be too wide, in
    about one of two thousand random tables of six people, and a bound that is too wide would hide a leak.
    Connected positions with at most 40 open counts are therefore solved exactly, as integer programs. In
    larger components, where that is infeasible, only counts that an exchange within the truth can change are
    treated as open (see `swap_bounds`). The interval can then be too narrow and a safe release rejected, but
    no leak is missed.

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
    low, high = _shuttle_bounds(sizes, releases)
    for positions in _connected_positions(releases):
        open_counts = int((low[positions] < high[positions]).sum())
        if not open_counts:
            continue
        if open_counts > _SMALL or not _solve(low, high, positions, sizes, releases):
            low[positions], high[positions] = swap_bounds(
                first[positions], second[positions], truth[positions]
            )
    return low, high


def counts_left(classes: Whole, counts: Whole, low: Whole) -> Whole:
    """Return how many records of each value the other positions' lower bounds leave for each position.

    Parameters
    ----------
    classes : ndarray of int, shape (positions,)
        Class of each position; negative if there is none.
    counts : ndarray of int, shape (classes, values)
        Number of records of each class, by value.
    low : ndarray of int, shape (positions, values)
        Lower bound of each position's number of records, by value.
    """
    others = _sums(classes, low, len(counts))[classes] - low
    return np.where((classes >= 0)[:, None], counts[classes] - others, _NO_BOUND)


def _shuttle_bounds(sizes: Whole, releases: Releases) -> tuple[Whole, Whole]:
    bounds = [np.where(classes[:, None] >= 0, counts[classes], _NO_BOUND) for classes, counts in releases]
    high = np.minimum(np.minimum(*bounds), sizes[:, None])
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
    """Sum the rows of each class; absent people are summed in an extra last row, which callers ignore."""
    sums = np.zeros((count + 1, amounts.shape[1]), dtype=np.int64)
    np.add.at(sums, classes, amounts)
    return sums


def _connected_positions(releases: Releases) -> list[Whole]:
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
    """Narrow the bounds of some positions to those of all integer solutions; False if the solver gives up."""
    equal = _known_sums(positions, low.shape[1], sizes, releases)
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


def _known_sums(
    positions: Whole, values: int, sizes: Whole, releases: Releases
) -> scipy.optimize.LinearConstraint:
    """Return the published sums that constrain some positions: over values, and over each class."""
    matrices = [scipy.sparse.kron(scipy.sparse.eye_array(len(positions)), np.ones((1, values)))]
    sums = [sizes[positions]]
    for classes, counts in releases:
        inside = np.flatnonzero(classes[positions] >= 0)
        own, number = np.unique(classes[positions][inside], return_inverse=True)
        shape = (len(own), len(positions))
        incidence = scipy.sparse.coo_array((np.ones(len(inside)), (number, inside)), shape=shape)
        matrices.append(scipy.sparse.kron(incidence, scipy.sparse.eye_array(values)))
        sums.append(counts[own].ravel())
    total = np.concatenate(sums)
    return scipy.optimize.LinearConstraint(scipy.sparse.vstack(matrices, format="csr"), total, total)
