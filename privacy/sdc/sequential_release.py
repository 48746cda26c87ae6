"""Attacks that combine releases: unsorted, complementary, temporal and differencing (Sweeney 2002).

The publisher runs them on the true data before making a second release. They use the class of every person in
both releases. We assume that the attacker knows these classes too, for example from knowing everyone's
quasi-identifiers.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from itertools import permutations
from typing import Final, TypeAlias

import numpy as np
import scipy

from privacy.arrays import Flags, Whole
from privacy.errors import PrivacyError
from privacy.sdc.classes import Classes


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


_ABSENT = -1


@dataclass(frozen=True, kw_only=True, eq=False)
class Snapshot:
    """A release together with the link from records to people that only the publisher has.

    Parameters
    ----------
    respondents : tuple of hashable
        Salted identity of the owner of each record.
    classes : Classes
        Classes by the published labels of the quasi-identifiers.
    values : tuple of str
        Sensitive value of each record as published.
    shared : tuple of str
        All other columns that both releases publish unchanged (insensitive and disguised columns, as one
        text): a reader can join the releases on them. Empty if there are none.
    is_joined : bool
        Whether a reader can join the releases on the sensitive values, too. If False, the other release does
        not publish them, and its `values` are empty.
    """

    respondents: tuple[Hashable, ...]
    classes: Classes
    values: tuple[str, ...]
    shared: tuple[str, ...] = ()
    is_joined: bool = True

    def __post_init__(self) -> None:
        if len(set(self.respondents)) != len(self.respondents):
            raise PrivacyError("respondent.twice")

    @property
    def marks(self) -> tuple[tuple[str, str], ...]:
        """What both releases show of each record besides its class: (sensitive value, shared columns)."""
        nothing = ("",) * len(self.values)
        return tuple(zip(self.values if self.is_joined else nothing, self.shared or nothing, strict=True))


@dataclass(frozen=True, kw_only=True)
class Leak:
    """People about whom two releases together reveal more than allowed.

    Parameters
    ----------
    kind : str
        ``complementary`` (same people in both), ``kept`` (in both, others changed), ``new`` (only in the
        later), ``gone`` (only in the earlier).
    people : int
        Number of people in this position.
    candidates : int
        Records that may be theirs, counted over the values that remain possible.
    values : tuple of str
        Sensitive values that remain possible.
    respondents : tuple of hashable
        Their salted identities, for the publisher only.
    """

    kind: str
    people: int
    candidates: int
    values: tuple[str, ...]
    respondents: tuple[Hashable, ...]


@dataclass(frozen=True, kw_only=True)
class Crossing:
    """Result of combining two releases.

    Parameters
    ----------
    complementary : bool
        Whether both releases contain the same people.
    leaks : tuple of Leak
        Positions below k or l.
    """

    complementary: bool
    leaks: tuple[Leak, ...]

    @property
    def holds(self) -> bool:
        """Whether no position is below k or l."""
        return not self.leaks


def cross(earlier: Snapshot, later: Snapshot, *, k: int, l_value: int = 1) -> Crossing:
    """Combine two releases and list people with fewer than k candidates or l values.

    Parameters
    ----------
    earlier, later : Snapshot
        Equal identities mean the same person, who has the same sensitive value in both releases.
    k, l_value : int
        Required number of candidates, and of values, for each person.

    Notes
    -----
    People in class a of the earlier and class b of the later release (or in only one of them) share a
    position. An attacker knows the number of people in position (a, b), and how often each class shows each
    value; `value_bounds` limits how many people of a position can have a value (combined with any other
    shared columns). A position leaks if it has fewer than l remaining values or fewer than k candidates. Each
    of its two classes leaves it some records with a remaining value; the candidates are the smaller of these
    two numbers, summed over the remaining values. A value that only one release publishes remains if a record
    of its class has it together with remaining shared columns. If both releases cover the same people, the
    position is the effective class and must hold k people; otherwise two k-anonymous releases could together
    isolate fewer.
    """
    groups = _Positions(earlier, later)
    low, high = value_bounds(
        groups.sizes, groups.first, groups.second, groups.counts_a, groups.counts_b, groups.truth
    )
    left_a = counts_left(groups.first, groups.counts_a, low)
    left_b = counts_left(groups.second, groups.counts_b, low)
    candidates = np.where(high > 0, np.minimum(left_a, left_b), 0).sum(axis=1)
    remaining = groups.remaining_values(high > 0)
    same = bool((groups.first >= 0).all() and (groups.second >= 0).all())
    if same:
        candidates = np.minimum(candidates, groups.sizes)
    too_few = [values is not None and len(values) < l_value for values in remaining]
    broken = (candidates < k) | np.array(too_few)
    leaks = []
    for position in np.flatnonzero(broken).tolist():
        kind = "complementary" if same else "kept"
        if groups.first[position] == _ABSENT:
            kind = "new"
        elif groups.second[position] == _ABSENT:
            kind = "gone"
        leaks.append(
            Leak(
                kind=kind,
                people=int(groups.sizes[position]),
                candidates=int(candidates[position]),
                values=tuple(sorted(remaining[position] or ())),
                respondents=groups.members(position),
            )
        )
    return Crossing(complementary=same, leaks=tuple(leaks))


class _Positions:
    """People grouped by their pair of classes, and the counts of values in each class."""

    def __init__(self, earlier: Snapshot, later: Snapshot) -> None:
        in_a = dict(zip(earlier.respondents, earlier.classes.number.tolist(), strict=True))
        in_b = dict(zip(later.respondents, later.classes.number.tolist(), strict=True))
        self._people = list(dict.fromkeys([*earlier.respondents, *later.respondents]))
        pairs = np.array(
            [[in_a.get(person, _ABSENT), in_b.get(person, _ABSENT)] for person in self._people],
            dtype=np.int64,
        )
        distinct, self._position = np.unique(pairs, axis=0, return_inverse=True)
        self._position = self._position.ravel()
        self.first, self.second = distinct[:, 0], distinct[:, 1]
        self.sizes = np.bincount(self._position).astype(np.int64)
        self.marks = sorted({*earlier.marks, *later.marks})
        self._number_of = number_of = {mark: number for number, mark in enumerate(self.marks)}
        releases = ((earlier, self.first), (later, self.second))
        self._unjoined = next((pair for pair in releases if not pair[0].is_joined), None)

        def counts(rows: Whole, count: int, marks: Iterable[tuple[str, str]]) -> Whole:
            table = np.zeros((count, len(self.marks)), dtype=np.int64)
            np.add.at(table, (rows, np.array([number_of[mark] for mark in marks])), 1)
            return table

        self.counts_a, self.counts_b = (
            counts(release.classes.number, release.classes.count, release.marks)
            for release in (earlier, later)
        )
        # Only the publisher knows which mark a person has.
        mark_of = dict(zip(earlier.respondents, earlier.marks, strict=True))
        later_marks = zip(later.respondents, later.marks, strict=True)
        # Report only a number and no values: the error is stored, and shown to others than the publisher.
        if changed := sum(mark_of.setdefault(person, mark) != mark for person, mark in later_marks):
            raise PrivacyError("changed_value", changed)
        marks = (mark_of[person] for person in self._people)
        self.truth = counts(self._position, len(self.sizes), marks)

    def remaining_values(self, possible: Flags) -> list[set[str] | None]:
        """Return the sensitive values that the possible marks of each position leave; None if it has none."""
        if self._unjoined is None:
            return [{self.marks[mark][0] for mark in np.flatnonzero(row).tolist()} for row in possible]
        # The other release does not show who of a class has which of the values with the same mark.
        release, classes = self._unjoined
        values = np.array(release.values, dtype=object)
        marks = np.array([self._number_of[mark] for mark in release.marks])
        members = [np.flatnonzero(release.classes.number == each) for each in range(release.classes.count)]
        return [
            None if each < 0 else set(values[members[each]][row[marks[members[each]]]].tolist())
            for each, row in zip(classes.tolist(), possible, strict=True)
        ]

    def members(self, position: int) -> tuple[Hashable, ...]:
        return tuple(self._people[index] for index in np.flatnonzero(self._position == position).tolist())


def refines(earlier: Snapshot, later: Snapshot) -> bool:
    """Return whether each earlier class lies inside one later class, so that the later release adds nothing.

    Parameters
    ----------
    earlier, later : Snapshot
        Two releases of the same people.
    """
    groups = _Positions(earlier, later)
    inside = groups.first[(groups.first >= 0) & (groups.second >= 0)]
    return len(np.unique(inside)) == len(inside)


def differencing(
    counts: dict[str, int], totals: dict[str, int], *, k: int, l_value: int = 1
) -> tuple[tuple[str, int], ...]:
    """Subtract a release from published totals; the remainder belongs to the suppressed records.

    Parameters
    ----------
    counts : dict of str to int
        Number of records with each sensitive value in the release, within the cell of `totals`.
    totals : dict of str to int
        Published totals of a cell, by sensitive value.
    k, l_value : int
        The remainder must be empty, or hold k people with l values.

    Returns
    -------
    tuple of (str, int)
        The remainder by value if it leaks, otherwise empty.

    Raises
    ------
    PrivacyError
        If the release contains more records of a value than the total.

    Examples
    --------
    >>> differencing({"flu": 9, "cold": 5}, {"flu": 10, "cold": 5}, k=3)
    (('flu', 1),)
    >>> differencing({"flu": 9, "cold": 5}, {"flu": 9, "cold": 5}, k=3)
    ()
    """
    rest = {}
    for value in sorted({*counts, *totals}):
        remainder = totals.get(value, 0) - counts.get(value, 0)
        if remainder < 0:
            raise PrivacyError("totals", value, released=counts[value], totals=totals.get(value, 0))
        if remainder:
            rest[value] = remainder
    people = sum(rest.values())
    if people and (people < k or len(rest) < l_value):
        return tuple(rest.items())
    return ()
