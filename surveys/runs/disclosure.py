"""Disclosure policy of a report, and the shares of places that are suppressed with small ones.

Every figure on protected answers is computed from rows that are disguised, on their devices or here, and
reveals no more about anyone than that row does. So none of it is hidden or rounded. Small groups are hidden
in crosses of open questions, which are sent undisguised.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from django.db.models import Sum
from django.utils.formats import number_format

from privacy.arrays import Array, Flags
from surveys.models import Version
from surveys.policy import LEAST_DIRECT, LEAST_PROFILE, LEAST_PROTECTED, ROUNDED_TO
from surveys.runs.snapshot import batches_open_to_mining


@dataclass(frozen=True, kw_only=True)
class Disclosure:
    """Releasable figures of some rows.

    Attributes
    ----------
    results : bool
        Whether itemsets and rules may be shown at all.
    least_direct : int
        Least number of direct rows in a part of the rows for its two groups to be reported separately.
    least_protected : int
        Least number of disguised rows in a part of the rows for it to have a result.
    least_cross : int
        Least number of rows for each combination of answers to two or more open questions that are reported
        together; 0 for any number.
    """

    results: bool
    least_direct: int
    least_protected: int
    least_cross: int


def disclosure(*, n: int, practice: bool) -> Disclosure:
    """Return the disclosure policy for this many rows; a practice survey promises and hides nothing.

    Examples
    --------
    >>> disclosure(n=99, practice=False)
    Disclosure(results=False, least_direct=50, least_protected=100, least_cross=10)
    >>> disclosure(n=1, practice=True)
    Disclosure(results=True, least_direct=1, least_protected=0, least_cross=0)
    """
    if practice:
        return Disclosure(results=True, least_direct=1, least_protected=0, least_cross=0)
    return Disclosure(
        results=n >= LEAST_PROTECTED,
        least_direct=LEAST_DIRECT,
        least_protected=LEAST_PROTECTED,
        least_cross=LEAST_PROFILE,
    )


@dataclass(frozen=True, kw_only=True)
class Groups:
    """Answers of one design that may be mined, by group."""

    n_direct: int
    n_protected: int
    disclosure: Disclosure

    @property
    def n(self) -> int:
        """Answers of both groups."""
        return self.n_direct + self.n_protected


def groups_of(version: Version) -> Groups:
    """Count the answers of a version's design that a run may read."""
    counted = batches_open_to_mining(version).order_by().aggregate(rows=Sum("n"), direct=Sum("n_direct"))
    n, n_direct = counted["rows"] or 0, counted["direct"] or 0
    return Groups(
        n_direct=n_direct,
        n_protected=n - n_direct,
        disclosure=disclosure(n=n, practice=version.survey.practice),
    )


def rounded_count(count: int) -> int:
    """Return the nearest multiple of ten, rounding halves up.

    >>> [rounded_count(count) for count in (0, 4, 5, 14, 15)]
    [0, 0, 10, 10, 20]
    """
    return (count + ROUNDED_TO // 2) // ROUNDED_TO * ROUNDED_TO


def shown_count(count: int, *, rounded: bool = False) -> str:
    """Format a count of answers, "≈ 120" if it is rounded.

    >>> shown_count(6366), shown_count(118, rounded=True)
    ('6,366', '≈ 120')
    """
    if not rounded:
        return number_format(count, use_l10n=True, force_grouping=True)
    return "≈ " + number_format(rounded_count(count), use_l10n=True, force_grouping=True)


_ROUNDING: Final = 1e-7


@dataclass(frozen=True, kw_only=True, eq=False)
class PublishedTotals:
    """Totals over the parts: those always published, and those that can be suppressed.

    Parameters
    ----------
    dense : ndarray, shape (totals, parts)
        Weight of each part in totals over all parts: the number of people, means.
    fixed : ndarray, shape (totals, parts)
        Totals over some parts.
    loose : ndarray, shape (totals, parts)
        Totals over some parts that can be suppressed.
    loss : ndarray, shape (loose totals, parts)
        Cost of suppressing a total for the sake of a part; the cheapest is suppressed.
    """

    dense: Array
    fixed: Array
    loose: Array
    loss: Array


@dataclass(frozen=True, kw_only=True, eq=False)
class ComplementarySuppression:
    """Suppressed parts and totals.

    Parameters
    ----------
    parts : ndarray of bool
    totals : ndarray of bool
        For the loose totals.
    """

    parts: Flags
    totals: Flags


def is_derivable(published: Array, wanted: Array | None = None) -> Flags:
    """Return which unknowns, or which totals of them, are derivable from published totals.

    Parameters
    ----------
    published : ndarray, shape (totals, unknowns)
    wanted : ndarray, shape (wanted totals, unknowns), optional
        Each unknown by itself if left out.

    Examples
    --------
    Of three numbers the sum and that of the first two are published: only the third is derivable.

    >>> is_derivable(np.array([[1.0, 1, 1], [1, 1, 0]])).tolist()
    [False, False, True]
    >>> is_derivable(np.array([[1.0, 1, 1]]), np.array([[2.0, 2, 2], [1, 1, 0], [0, 0, 0]])).tolist()
    [True, False, True]
    """
    sizes = np.sqrt((published**2).sum(axis=1, keepdims=True))
    scaled = np.divide(published, sizes, out=np.zeros_like(published), where=sizes > 0)
    values, vectors = np.linalg.eigh(scaled @ scaled.T)
    positive = values > _ROUNDING
    base = (vectors[:, positive] / np.sqrt(values[positive])).T @ scaled
    if wanted is None:
        derivable: Flags = (base**2).sum(axis=0) > 1 - _ROUNDING
        return derivable
    rest = wanted - (wanted @ base.T) @ base
    gone: Flags = (rest**2).sum(axis=1) <= _ROUNDING * (wanted**2).sum(axis=1)
    return gone


def complementary_suppression(
    people: Array, few: Flags, totals: PublishedTotals, *, few_totals: Array, least: float
) -> ComplementarySuppression:
    """Return the parts and totals to suppress so that no suppressed one is derivable from published ones.

    Parameters
    ----------
    people : ndarray, shape (parts,)
    few : ndarray of bool, shape (parts,)
        Parts with too few people.
    totals : PublishedTotals
    few_totals : ndarray, shape (hidden totals, parts)
        Totals that are suppressed themselves.
    least : float
        Least number of people in all suppressed parts together: their total is published.

    Notes
    -----
    To protect a part, the smallest part in the same totals is suppressed; among several, the one that leaves
    the fewest parts derivable. If there is none, a loose total is suppressed, and if there is none either,
    the smallest part of all. A suppressed
    part is derivable if it is a linear combination of the published totals, restricted to suppressed parts.

    Examples
    --------
    The third of four has 3 people; the smallest goes with it, and 12 people are behind both.

    >>> nothing = np.zeros((0, 4))
    >>> everybody = PublishedTotals(dense=np.ones((1, 4)), fixed=nothing, loose=nothing, loss=nothing)
    >>> people = np.array([40.0, 9, 3, 30])
    >>> complementary_suppression(people, people < 5, everybody, few_totals=nothing, least=10).parts.tolist()
    [False, True, True, False]
    """
    hidden, published = few.copy(), np.ones(len(totals.loose), dtype=np.bool_)
    while True:
        given, given_totals = _given(hidden, published, totals, few_totals)
        enough = not hidden.any() or people[hidden].sum() >= least
        if hidden.all() or (enough and not given.any() and not given_totals.any()):
            return ComplementarySuppression(parts=hidden, totals=~published)
        beside = [_with(hidden, cell) for cell in _beside(hidden, given, published, totals, people)]
        if not beside and given_totals.any():
            # A suppressed total of parts that are all published.
            first = few_totals[given_totals][0]
            if not (first * hidden).any():
                beside = [_with(hidden, _smallest(people, (first > 0) & ~hidden))]
        if not beside and (given.any() or given_totals.any()) and published.any():
            loss = totals.loss[:, int(given.argmax())]
            published[int(np.where(published, loss, np.inf).argmin())] = False
            continue
        beside = beside or [_with(hidden, _smallest(people, ~hidden))]
        hidden = min(
            beside,
            key=lambda more: (
                int(_given(more, published, totals, few_totals)[0].sum()),
                float(people[more].sum()),
            ),
        )


def _given(
    hidden: Flags, published: Flags, totals: PublishedTotals, few_totals: Array
) -> tuple[Flags, Flags]:
    """Return which suppressed parts, and which suppressed totals, are derivable from published ones."""
    known = np.vstack([totals.dense, totals.fixed, totals.loose[published]])[:, hidden]
    is_given = np.zeros_like(hidden)
    is_given[hidden] = is_derivable(known)
    return is_given, is_derivable(known, few_totals[:, hidden])


def _beside(
    hidden: Flags, given: Flags, published: Flags, totals: PublishedTotals, people: Array
) -> list[int]:
    """Return the smallest part in the same totals as the derivable ones, for each kind of these."""
    some = np.vstack([totals.fixed, totals.loose[published]])
    smallest = []
    for kind in np.unique(some[:, given], axis=1).T:
        alike = (some == kind[:, None]).all(axis=0) & ~hidden
        if alike.any():
            smallest.append(_smallest(people, alike))
    return smallest


def _smallest(people: Array, among: Flags) -> int:
    return int(np.where(among, people, np.inf).argmin())


def _with(hidden: Flags, cell: int) -> Flags:
    more = hidden.copy()
    more[cell] = True
    return more
