"""Influence of a row on a rule of drawn parts: one factor per disguise, asked or not.

The estimator is that of `privacy.estimation.shapes`. Off their centres the scores of a set of axes are
a product of one term per factor: only cells with rows matter.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from privacy.arrays import Array, Flags, Whole
from privacy.estimation.composed_parts import Factor
from privacy.estimation.drawn_sets import contribution, off_centres

__all__ = ["States", "influence", "states_of"]

_SIDES = ((1, 2), (1,), (2,))
"""Of each event, as `Factor.scores` names them: both sides, the antecedent, the consequent."""


@dataclass(frozen=True, eq=False)
class States:
    """What rows can show of a factor that scores differently, not asked being one more class.

    Parameters
    ----------
    which : ndarray of int64, shape (2^axes, codes)
        The state of a row that was asked a set of axes, the set as bits, and holds a code.
    codes : ndarray of int64, shape (states,)
        One code of each state.
    is_asked : ndarray of bool, shape (axes, states)
        Which axes were asked; no axis where the factor is not drawn.
    """

    which: Whole
    codes: Whole
    is_asked: Flags


def states_of(factor: Factor, n_codes: int) -> States:
    """Put the first codes of a factor together that score the same for rows that were asked the same.

    Parameters
    ----------
    factor : Factor
        Factor of one block.
    n_codes : int
        How many of its codes, from the first one on, are looked at.
    """
    codes = np.arange(n_codes)
    axes = 0 if factor.drawn is None else len(factor.drawn.columns)
    chosen, shown = (own.ravel() for own in np.meshgrid(np.arange(1 << axes), codes, indexing="ij"))
    scores = factor.scores[:, :n_codes]
    if factor.drawn is not None:
        known = (np.arange(1 << axes)[:, None] & ~chosen) == 0
        scores = np.concatenate([chosen[None], np.where(known, factor.drawn.scores[:, shown], 0.0)])
    _, first, which = np.unique(scores.round(12), axis=1, return_index=True, return_inverse=True)
    return States(
        which=which.ravel().astype(np.int64).reshape(1 << axes, n_codes),
        codes=shown[first].astype(np.int64),
        is_asked=(chosen[first] >> np.arange(axes)[:, None] & 1) == 1,
    )


def influence(
    factors: Sequence[Factor], codes: Sequence[Whole], counts: Whole, *, direct: Flags, is_asked: Flags
) -> Array:
    """Return what the rows of each cell count for, shape (scores, cells), see `drawn_sets`.

    Parameters
    ----------
    factors : sequence of Factor
    codes : sequence of ndarray of int64, shape (cells,)
        For each factor what the rows of a cell hold; anything where it was not asked.
    counts : ndarray of int64, shape (cells,)
        A group with rows has some that were asked everything.
    direct : ndarray of bool, shape (cells,)
    is_asked : ndarray of bool, shape (axes, cells)
        The axes of drawn factors, in their order.

    Notes
    -----
    Different factors draw their disguises independently, so z of a set is the product of their z, and c of a
    set that of their c.
    """
    if not len(is_asked):
        # What was asked of everyone counts for its score.
        scores = [factor.scores[:, own] for factor, own in zip(factors, codes, strict=True)]
        return np.asarray(np.multiply.reduce(scores))
    own_asked, first = [], 0
    for factor in factors:
        axes = 0 if factor.drawn is None else len(factor.drawn.columns)
        own_asked.append(is_asked[first : first + axes])
        first += axes
    centres = [
        _centres(factor, own, counts, here)
        for factor, own, here in zip(factors, codes, own_asked, strict=True)
    ]
    influences = np.zeros((3, len(counts)))
    for event, group in itertools.product(range(3), (direct, ~direct)):
        if counts[group].sum() > 0:
            terms = [
                _terms(factor, event, here[:, group], mu)
                for factor, here, mu in zip(factors, own_asked, centres, strict=True)
            ]
            influences[event, group] = _counted_for(terms, [own[group] for own in codes], counts[group])
    return influences


def _centres(factor: Factor, codes: Whole, counts: Whole, is_asked: Flags) -> Array:
    """Estimated share of each axis, clipped to [0, 1], shape (axes,)."""
    if factor.drawn is None:
        return np.empty(0)
    shares = []
    for axis, here in enumerate(is_asked):
        n = counts[here].sum()
        total = (counts[here] * factor.drawn.scores[1 << axis, codes[here]]).sum()
        shares.append(total / n if n else 0.0)
    centres: Array = np.clip(np.array(shares), 0.0, 1.0)
    return centres


def _terms(factor: Factor, event: int, is_asked: Flags, mu: Array) -> list[tuple[Array, Flags, Array]]:
    """Of each set A of the axes of an event: its weight, the rows that were asked it, and c_A by code."""
    axes, scores = [], {0: factor.scores[event]}
    if factor.drawn is not None:
        sides = factor.drawn.sides
        axes = [axis for axis, own in enumerate(sides) if not set(own).isdisjoint(_SIDES[event])]
        scores = {
            chosen: factor.drawn.scores[sum(1 << axis for axis in _chosen(axes, chosen))]
            for chosen in range(1 << len(axes))
        }
    off, weights = off_centres(scores, mu[axes])
    return [
        (weights[chosen], np.logical_and.reduce(is_asked[_chosen(axes, chosen)]), c)
        for chosen, c in off.items()
    ]


def _chosen(axes: Sequence[int], chosen: int) -> list[int]:
    return [axis for position, axis in enumerate(axes) if chosen >> position & 1]


def _counted_for(
    terms: Sequence[Sequence[tuple[Array, Flags, Array]]], codes: Sequence[Whole], counts: Whole
) -> Array:
    """Add what each set of axes contributes to the rows of one group that were asked it."""
    covariance, support, n = np.zeros((len(counts), 1)), np.zeros(1), counts.sum(keepdims=True)
    for some in itertools.product(*terms):
        here = np.logical_and.reduce([own for _, own, _ in some])
        c = np.ones(int(here.sum()))
        for (_, _, by_code), own in zip(some, codes, strict=True):
            c *= by_code[own[here]]
        weight = np.multiply.reduce([own for own, _, _ in some])
        more, by_row = contribution(c[:, None], counts[here, None], weight, n)
        support += more
        covariance[here] += by_row
    whole: Array = covariance[:, 0] + support
    return whole
