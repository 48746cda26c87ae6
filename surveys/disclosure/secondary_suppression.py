"""What else must not be told, so that nothing that is told gives away what was hidden.

A part of few people is hidden. All parts together are everybody, a mean weighs them, a quantile or a region
adds some of them up: one hidden part alone would follow from the rest. So others are hidden beside it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

__all__ = ["ComplementarySuppression", "Sums", "complementary_suppression", "is_derivable"]

Array: TypeAlias = NDArray[np.float64]
Mask: TypeAlias = NDArray[np.bool_]

_ROUNDING: Final = 1e-7


@dataclass(frozen=True, kw_only=True, eq=False)
class Sums:
    """Sums over the parts that are told in any case, and some that can be kept back.

    Parameters
    ----------
    dense : ndarray, shape (sums, parts)
        How each part counts in sums that all parts are in: everybody, means.
    fixed : ndarray, shape (sums, parts)
        Sums of some parts.
    loose : ndarray, shape (sums, parts)
        Sums of some parts that need not be told.
    loss : ndarray, shape (loose sums, parts)
        What it costs to keep a sum back for the sake of a part; the cheapest goes.
    """

    dense: Array
    fixed: Array
    loose: Array
    loss: Array


@dataclass(frozen=True, kw_only=True, eq=False)
class ComplementarySuppression:
    """What is not told.

    Parameters
    ----------
    parts : ndarray of bool
    sums : ndarray of bool
        Of the loose ones.
    """

    parts: Mask
    sums: Mask


def is_derivable(published: Array, wanted: Array | None = None) -> Mask:
    """Return which unknowns, or which sums of them, follow from sums that are told.

    Parameters
    ----------
    published : ndarray, shape (sums, unknowns)
    wanted : ndarray, shape (wanted sums, unknowns), optional
        Each unknown by itself if left out.

    Examples
    --------
    Of three numbers the sum and the first two are told together: the third follows, the first does not.

    >>> is_derivable(np.array([[1.0, 1, 1], [1, 1, 0]])).tolist()
    [False, False, True]
    >>> is_derivable(np.array([[1.0, 1, 1]]), np.array([[2.0, 2, 2], [1, 1, 0], [0, 0, 0]])).tolist()
    [True, False, True]
    """
    sizes = np.sqrt((published**2).sum(axis=1, keepdims=True))
    scaled = np.divide(published, sizes, out=np.zeros_like(published), where=sizes > 0)
    values, vectors = np.linalg.eigh(scaled @ scaled.T)
    kept = values > _ROUNDING
    base = (vectors[:, kept] / np.sqrt(values[kept])).T @ scaled
    if wanted is None:
        found: Mask = (base**2).sum(axis=0) > 1 - _ROUNDING
        return found
    rest = wanted - (wanted @ base.T) @ base
    gone: Mask = (rest**2).sum(axis=1) <= _ROUNDING * (wanted**2).sum(axis=1)
    return gone


def complementary_suppression(
    people: Array, few: Mask, sums: Sums, *, few_sums: Array, least: float
) -> ComplementarySuppression:
    """Return what to hide so that no hidden part, and no hidden sum, follows from what is told.

    Parameters
    ----------
    people : ndarray, shape (parts,)
    few : ndarray of bool, shape (parts,)
        Parts of too few people.
    sums : Sums
    few_sums : ndarray, shape (hidden sums, parts)
        Sums that are hidden themselves.
    least : float
        So many people are hidden together at least: their sum is told.

    Notes
    -----
    Hidden beside a part is the smallest that is in the same sums, of several such the one that leaves the
    fewest to follow; where there is none a loose sum is kept back; where there is none the smallest part of
    all. What is hidden follows if it is a combination of the told sums, restricted to the hidden parts.

    Examples
    --------
    The third of four has 3 people; the smallest goes with it, and 12 people are behind both.

    >>> nothing = np.zeros((0, 4))
    >>> everybody = Sums(dense=np.ones((1, 4)), fixed=nothing, loose=nothing, loss=nothing)
    >>> people = np.array([40.0, 9, 3, 30])
    >>> complementary_suppression(people, people < 5, everybody, few_sums=nothing, least=10).parts.tolist()
    [False, True, True, False]
    """
    hidden, published = few.copy(), np.ones(len(sums.loose), dtype=np.bool_)
    while True:
        given, given_sums = _given(hidden, published, sums, few_sums)
        enough = not hidden.any() or people[hidden].sum() >= least
        if hidden.all() or (enough and not given.any() and not given_sums.any()):
            return ComplementarySuppression(parts=hidden, sums=~published)
        beside = [_with(hidden, place) for place in _beside(hidden, given, published, sums, people)]
        if not beside and given_sums.any():
            # A hidden sum of parts that are all told.
            first = few_sums[given_sums][0]
            if not (first * hidden).any():
                beside = [_with(hidden, _smallest(people, (first > 0) & ~hidden))]
        if not beside and (given.any() or given_sums.any()) and published.any():
            loss = sums.loss[:, int(given.argmax())]
            published[int(np.where(published, loss, np.inf).argmin())] = False
            continue
        beside = beside or [_with(hidden, _smallest(people, ~hidden))]
        hidden = min(
            beside,
            key=lambda more: (
                int(_given(more, published, sums, few_sums)[0].sum()),
                float(people[more].sum()),
            ),
        )


def _given(hidden: Mask, published: Mask, sums: Sums, few_sums: Array) -> tuple[Mask, Mask]:
    """Return which hidden parts, and which hidden sums, follow from what is told."""
    known = np.vstack([sums.dense, sums.fixed, sums.loose[published]])[:, hidden]
    given = np.zeros_like(hidden)
    given[hidden] = is_derivable(known)
    return given, is_derivable(known, few_sums[:, hidden])


def _beside(hidden: Mask, given: Mask, published: Mask, sums: Sums, people: Array) -> list[int]:
    """Return the smallest part that is in the same sums as those that follow, for each kind of these."""
    some = np.vstack([sums.fixed, sums.loose[published]])
    found = []
    for kind in np.unique(some[:, given], axis=1).T:
        alike = (some == kind[:, None]).all(axis=0) & ~hidden
        if alike.any():
            found.append(_smallest(people, alike))
    return found


def _smallest(people: Array, among: Mask) -> int:
    return int(np.where(among, people, np.inf).argmin())


def _with(hidden: Mask, place: int) -> Mask:
    more = hidden.copy()
    more[place] = True
    return more
