"""Compare itemsets that were found with true supports: what is false, missed or not covered."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np

from mining.itemset_table import ItemsetTable
from mining.itemsets import ROUNDING
from privacy import validation
from privacy.arrays import Array, Flags
from privacy.errors import PrivacyError
from privacy.estimation.counts import Columns
from privacy.survey.design import Design

SEPARATOR = " & "
"""Separates the item keys in an itemset's name, as in ``affair & age=22``."""


@dataclass(frozen=True, kw_only=True)
class Evaluation:
    """Result of comparing estimates with true supports.

    Attributes
    ----------
    n_itemsets, n_listed : int
        Number of compared itemsets, and of those that the run listed.
    mean_error, mean_error_listed : float or None
        Mean of W = |S - S'| over all and over listed itemsets; None if there are none.
    n_frequent : int
        Itemsets whose true support reaches the threshold.
    false, missed : tuple of Columns
        Listed itemsets that are not frequent, and frequent ones that were not listed.
    coverage, coverage_listed : float or None
        Share of 95% intervals that contain the true support, among all and among listed itemsets. Listed
        itemsets were chosen by their estimates, so their intervals may contain it less often.
    """

    n_itemsets: int
    n_listed: int
    mean_error: float | None
    mean_error_listed: float | None
    n_frequent: int
    false: tuple[Columns, ...]
    missed: tuple[Columns, ...]
    coverage: float | None
    coverage_listed: float | None


def compare(
    everything: ItemsetTable, listing: Collection[Columns], truth: Mapping[Columns, float], *, support: float
) -> Evaluation:
    """Compare estimates with true supports.

    Parameters
    ----------
    everything : ItemsetTable
        Estimates, with intervals, of all itemsets to compare, listed or not.
    listing : collection of Columns
        Itemsets that the run listed.
    truth : mapping of Columns to float
        True supports. Itemsets without one are not compared.
    support : float
        The run's support threshold.

    Notes
    -----
    W = |S - S'| is the error in section 4 of the source.

    References
    ----------
    Kan and Cao, section 4.
    """
    positions = [position for position, items in enumerate(everything.itemsets) if items in truth]
    compared_sets = [everything.itemsets[position] for position in positions]
    true = np.array([truth[items] for items in compared_sets], dtype=np.float64)
    errors = np.abs(true - everything.estimates.value[positions])
    low, high = everything.interval.low[positions], everything.interval.high[positions]
    covers = (low <= true) & (true <= high)
    is_listed = np.array([items in listing for items in compared_sets], dtype=bool)
    is_frequent = true >= support - ROUNDING
    return Evaluation(
        n_itemsets=len(compared_sets),
        n_listed=int(is_listed.sum()),
        mean_error=_mean(errors),
        mean_error_listed=_mean(errors[is_listed]),
        n_frequent=int(is_frequent.sum()),
        false=tuple(compared_sets[position] for position in np.flatnonzero(is_listed & ~is_frequent)),
        missed=tuple(compared_sets[position] for position in np.flatnonzero(is_frequent & ~is_listed)),
        coverage=_mean(covers),
        coverage_listed=_mean(covers[is_listed]),
    )


def read_truth(design: Design, supports: Mapping[str, float]) -> dict[Columns, float]:
    """Turn ``{"affair & age=22": .031}`` into itemsets of the design and their true supports.

    Parameters
    ----------
    design : Design
        Design that has the items.
    supports : mapping of str to float
        True supports, in [0, 1].

    Raises
    ------
    PrivacyError
        ``unknown_item``.
        ``truth``: a support outside [0, 1], or a repeated itemset.
    """
    truth: dict[Columns, float] = {}
    for name, support in supports.items():
        items = tuple(sorted(design.item(key).index for key in name.split(SEPARATOR)))
        if items in truth or len(set(items)) < len(items):
            raise PrivacyError("truth", name)
        truth[items] = validation.real_number(support, f"true support of {name}", low=0, high=1, code="truth")
    return truth


def _mean(values: Array | Flags) -> float | None:
    return float(values.mean()) if len(values) else None
