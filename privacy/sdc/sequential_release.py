"""Attacks that combine releases: unsorted, complementary and temporal (Sweeney 2002).

The publisher runs them on the true data before making a second release. They use the class of every person in
both releases. We assume that the attacker knows these classes too, for example from knowing everyone's
quasi-identifiers.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np

from privacy.arrays import Flags, Whole
from privacy.errors import PrivacyError
from privacy.sdc.classes import Classes
from privacy.sdc.value_bounds import counts_left, value_bounds

_ABSENT: Final = -1
"""Class of people who are not in a release."""


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
