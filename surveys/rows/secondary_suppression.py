"""Secondary suppression: extra parts suppressed so that suppressed ones cannot be derived.

A part with few people is suppressed. All parts add up to the total, and means, quantiles and regions combine
some of them, so a single suppressed part could be derived from the rest. Other parts are therefore suppressed
too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from privacy.arrays import Array, Flags

__all__ = ["ComplementarySuppression", "PublishedTotals", "complementary_suppression", "is_derivable"]

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
