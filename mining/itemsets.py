"""Frequent itemsets of the true answers, found level by level from the disguised ones."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from itertools import chain
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mining.candidates import MAX_CANDIDATES, join, single_items
from mining.itemset_table import ItemsetTable
from mining.tally import Tally
from mining.thresholds import Estimator, Target, Thresholds
from privacy.disguise.design import Design
from privacy.reconstruct import Columns, Estimates, estimates
from privacy.reconstruct.cells import pair_terms
from privacy.reconstruct.cut import Cutter

__all__ = ["ROUNDING", "Examined", "estimate_itemsets", "examine"]

ROUNDING: Final = 1e-12
"""A support this close below the threshold has reached it: .05 may come out as .04999999999999999."""

_NORMAL: Final = 1.959963984540054
"""97.5 % quantile of the normal distribution."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Examined:
    """What the search went through.

    Attributes
    ----------
    kept : tuple of Columns
        Itemsets that longer ones were built from; with each of them all its subsets.
    estimates : Estimates
        Position i belongs to kept itemset i.
    listed : ndarray of bool, shape (len(kept),)
        Whether the estimated support reaches the threshold.
    n_candidates : int
        Itemsets that were counted.
    """

    kept: tuple[Columns, ...]
    estimates: Estimates
    listed: NDArray[np.bool_]
    n_candidates: int


def examine(
    tally: Tally, design: Design, thresholds: Thresholds, *, max_candidates: int = MAX_CANDIDATES
) -> Examined:
    """Search itemsets level by level: join, count, estimate, keep.

    Parameters
    ----------
    tally : Tally
        Counts of the disguised rows.
    design : Design
    thresholds : Thresholds
    max_candidates : int
        Most candidates of one size.

    Returns
    -------
    Examined

    Raises
    ------
    OverBudget
        ``max_candidates``.
    PrivacyError
        ``truth_probability``: a block tells nothing (p = 0).

    Notes
    -----
    A disguised itemset is observed with share a P(E) + (1-k)(1-p) q(E), which depends on its length: one
    threshold on observed shares either misses sets or lets nearly all of them through. So each candidate
    is estimated first and compared with the threshold afterwards. Under policy "inclusive" a set is kept
    while its estimate plus 1.96 standard errors (of the thresholds' target) reaches the threshold, because an
    estimate, unlike a support, may be smaller than that of a longer set.
    """
    kept: list[Columns] = []
    parts: list[Estimates] = []
    listed: list[NDArray[np.bool_]] = []
    n_candidates = 0
    candidates = single_items(design)
    for size in range(1, thresholds.max_size + 1):
        n_candidates += len(candidates)
        itemsets, found = _estimated(tally, design, map(tuple, candidates.tolist()), thresholds.estimator)
        reached = found.value >= thresholds.support - ROUNDING
        keep = reached
        if thresholds.policy == "inclusive":
            errors = _errors(found, thresholds.target)
            keep = reached | (found.value + _NORMAL * errors >= thresholds.support - ROUNDING)
        places = np.flatnonzero(keep)
        kept += [itemsets[place] for place in places.tolist()]
        parts.append(_taken(found, places))
        listed.append(reached[places])
        if size == thresholds.max_size or len(places) < 2:
            break
        candidates = join(
            design, np.array([itemsets[place] for place in places]), max_candidates=max_candidates
        )
        if len(candidates) == 0:
            break
    return Examined(
        kept=tuple(kept),
        estimates=_together(parts),
        listed=np.concatenate(listed),
        n_candidates=n_candidates,
    )


def estimate_itemsets(
    tally: Tally,
    design: Design,
    itemsets: Iterable[Columns],
    *,
    estimator: Estimator = "stratified",
    target: Target = "population",
) -> ItemsetTable:
    """Estimate the supports of itemsets named in advance, whatever they are.

    Parameters
    ----------
    tally : Tally
    design : Design
    itemsets : iterable of Columns
        Those with a question that nobody was asked are left out.
    estimator : {"stratified", "pooled"}
    target : {"population", "respondents"}
        Whom the intervals are about.
    """
    ordered = sorted(set(itemsets), key=lambda items: (len(items), items))
    known, found = _estimated(tally, design, ordered, estimator)
    return _table(known, found, target)


def _estimated(
    tally: Tally, design: Design, itemsets: Iterable[Columns], estimator: Estimator
) -> tuple[list[Columns], Estimates]:
    """Estimates of the itemsets whose questions somebody was asked."""
    cutter = Cutter(design)
    wanted = {items: pair_terms((items, ()), cutter, None) for items in itemsets}
    counts = tally.need(chain.from_iterable(wanted.values()))
    known = [items for items in wanted if sum(counts[cutter.asked(items)])]
    return known, estimates(counts, known, design, estimator=estimator)


def listed_itemsets(examined: Examined, target: Target) -> ItemsetTable:
    """Return the itemsets whose estimated support reaches the threshold, with their intervals."""
    places = np.flatnonzero(examined.listed)
    return _table([examined.kept[place] for place in places], _taken(examined.estimates, places), target)


def _table(itemsets: list[Columns], found: Estimates, target: Target) -> ItemsetTable:
    errors = _errors(found, target)
    return ItemsetTable(
        itemsets=tuple(itemsets),
        estimates=found,
        low=found.value - _NORMAL * errors,
        high=found.value + _NORMAL * errors,
        target=target,
    )


def _errors(found: Estimates, target: Target) -> NDArray[np.float64]:
    return found.standard_error if target == "population" else found.standard_error_respondents


def _taken(found: Estimates, places: NDArray[np.int64]) -> Estimates:
    """Some of the estimates."""
    arrays: dict[str, Any] = {name: getattr(found, name)[places] for name in _arrays(found)}
    return replace(found, **arrays)


def _together(parts: list[Estimates]) -> Estimates:
    """Estimates of one estimator, one after the other."""
    arrays: dict[str, Any] = {
        name: np.concatenate([getattr(part, name) for part in parts]) for name in _arrays(parts[0])
    }
    return replace(parts[0], **arrays)


def _arrays(found: Estimates) -> list[str]:
    return [field.name for field in fields(found) if field.name != "estimator"]
