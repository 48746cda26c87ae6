"""Complementary suppression: hide further totals so that no hidden one can be derived from those shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from privacy.arrays import Array, Flags

_ROUNDING: Final = 1e-7


@dataclass(frozen=True, kw_only=True, eq=False)
class PublishedTotals:
    """Totals over the parts: dense ones are always published, loose ones can be suppressed.

    Parameters
    ----------
    dense : ndarray, shape (totals, parts)
        Weight of each part in totals over all parts: the number of people, means.
    loose : ndarray, shape (totals, parts)
        Totals over some parts that can be suppressed.
    loss : ndarray, shape (loose totals,)
        Cost of suppressing a total; the cheapest is suppressed.
    """

    dense: Array
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


def is_derivable(totals: Array, targets: Array | None = None) -> Flags:
    """Return which unknowns, or which totals of them, are derivable from published totals.

    Parameters
    ----------
    totals : ndarray, shape (totals, unknowns)
    targets : ndarray, shape (wanted totals, unknowns), optional
        By default each unknown by itself.

    Examples
    --------
    The sum of three numbers and the sum of the first two are published. Only the third is derivable:

    >>> is_derivable(np.array([[1.0, 1, 1], [1, 1, 0]])).tolist()
    [False, False, True]
    >>> is_derivable(np.array([[1.0, 1, 1]]), np.array([[2.0, 2, 2], [1, 1, 0], [0, 0, 0]])).tolist()
    [True, False, True]
    """
    sizes = np.sqrt((totals**2).sum(axis=1, keepdims=True))
    unit_rows = np.divide(totals, sizes, out=np.zeros_like(totals), where=sizes > 0)
    values, vectors = np.linalg.eigh(unit_rows @ unit_rows.T)
    positive = values > _ROUNDING
    base = (vectors[:, positive] / np.sqrt(values[positive])).T @ unit_rows
    if targets is None:
        derivable: Flags = (base**2).sum(axis=0) > 1 - _ROUNDING
        return derivable
    rest = targets - (targets @ base.T) @ base
    in_span: Flags = (rest**2).sum(axis=1) <= _ROUNDING * (targets**2).sum(axis=1)
    return in_span


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
        Totals that are already suppressed.
    least : float
        Least number of people in all suppressed parts together, because readers can compute their total.

    Notes
    -----
    To protect a part, the function suppresses the smallest other part in the same totals; among several, the
    one that leaves the fewest parts derivable. If there is none, it suppresses a loose total, and if there is
    none either, the smallest part of all. A suppressed part is derivable if it is a linear combination of the
    published totals, restricted to suppressed parts.

    Examples
    --------
    The third of four parts has 3 people. The smallest other part is suppressed too; together they have 12:

    >>> nothing = np.zeros((0, 4))
    >>> everybody = PublishedTotals(dense=np.ones((1, 4)), loose=nothing, loss=np.zeros(0))
    >>> people = np.array([40.0, 9, 3, 30])
    >>> complementary_suppression(people, people < 5, everybody, few_totals=nothing, least=10).parts.tolist()
    [False, True, True, False]
    """
    hidden, published = few.copy(), np.ones(len(totals.loose), dtype=np.bool_)
    while True:
        derivable, given_totals = _derivable(hidden, published, totals, few_totals)
        enough = not hidden.any() or people[hidden].sum() >= least
        if hidden.all() or (enough and not derivable.any() and not given_totals.any()):
            return ComplementarySuppression(parts=hidden, totals=~published)
        options = [_with(hidden, cell) for cell in _related(hidden, derivable, published, totals, people)]
        if not options and given_totals.any():
            # If all parts of a suppressed total are published, suppress the smallest of them.
            first = few_totals[given_totals][0]
            if not (first * hidden).any():
                options = [_with(hidden, _smallest(people, (first > 0) & ~hidden))]
        if not options and (derivable.any() or given_totals.any()) and published.any():
            published[int(np.where(published, totals.loss, np.inf).argmin())] = False
            continue
        options = options or [_with(hidden, _smallest(people, ~hidden))]
        hidden = min(
            options,
            key=lambda more: (
                int(_derivable(more, published, totals, few_totals)[0].sum()),
                float(people[more].sum()),
            ),
        )


def _derivable(
    is_hidden: Flags, is_published: Flags, totals: PublishedTotals, few_totals: Array
) -> tuple[Flags, Flags]:
    """Return which suppressed parts, and which suppressed totals, are derivable from published ones."""
    matrix = np.vstack([totals.dense, totals.loose[is_published]])[:, is_hidden]
    is_given = np.zeros_like(is_hidden)
    is_given[is_hidden] = is_derivable(matrix)
    return is_given, is_derivable(matrix, few_totals[:, is_hidden])


def _related(
    is_hidden: Flags, is_given: Flags, is_published: Flags, totals: PublishedTotals, people: Array
) -> list[int]:
    """Return the smallest other part in the same totals as the derivable parts, for each set of totals."""
    some = totals.loose[is_published]
    smallest = []
    for kind in np.unique(some[:, is_given], axis=1).T:
        alike = (some == kind[:, None]).all(axis=0) & ~is_hidden
        if alike.any():
            smallest.append(_smallest(people, alike))
    return smallest


def _smallest(people: Array, among: Flags) -> int:
    return int(np.where(among, people, np.inf).argmin())


def _with(is_hidden: Flags, cell: int) -> Flags:
    more = is_hidden.copy()
    more[cell] = True
    return more
