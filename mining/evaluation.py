"""Errors of a run against known truth: simulations and demonstrations."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np

from mining.itemset_table import ItemsetTable
from mining.itemsets import ROUNDING
from privacy import validation
from privacy.arrays import Array, Flags
from privacy.errors import PrivacyError
from privacy.estimation import Columns
from privacy.survey.design import Design

__all__ = ["SEPARATOR", "Evaluation", "compare", "read_truth"]

SEPARATOR = " & "
"""Stands between the item keys of an itemset's name, as in ``affair & age=22``."""


@dataclass(frozen=True, kw_only=True)
class Evaluation:
    """Estimates against true supports.

    Attributes
    ----------
    n_itemsets, n_listed : int
        Itemsets compared, and those of them that the run listed.
    mean_error, mean_error_listed : float or None
        Mean of W = |S - S'| over them; None where there is none.
    n_frequent : int
        Itemsets whose true support reaches the threshold.
    false, missed : tuple of Columns
        Listed itemsets that are not frequent, and frequent ones that were not listed.
    coverage, coverage_listed : float or None
        Share of the 95% intervals that hold the true support, of all itemsets and of the listed ones.
        Listed ones were chosen by their estimates: theirs may hold the truth less often.
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
    everything: ItemsetTable, listed: Collection[Columns], truth: Mapping[Columns, float], *, support: float
) -> Evaluation:
    """Compare estimates with true supports.

    Parameters
    ----------
    everything : ItemsetTable
        Estimates of all itemsets to be compared, listed or not, with intervals about these respondents.
    listed : collection of Columns
        Itemsets that the run listed.
    truth : mapping of Columns to float
        True supports. Itemsets without one are not compared.
    support : float
        The run's support threshold.

    Notes
    -----
    W = |S - S'| is the error of the source's section 4.

    References
    ----------
    Kan and Cao, section 4.
    """
    known = [position for position, items in enumerate(everything.itemsets) if items in truth]
    compared = [everything.itemsets[position] for position in known]
    true = np.array([truth[items] for items in compared], dtype=np.float64)
    errors = np.abs(true - everything.estimates.value[known])
    low, high = everything.interval.low[known], everything.interval.high[known]
    covers = (low - ROUNDING <= true) & (true <= high + ROUNDING)
    is_listed = np.array([items in listed for items in compared], dtype=bool)
    is_frequent = true >= support - ROUNDING
    return Evaluation(
        n_itemsets=len(compared),
        n_listed=int(is_listed.sum()),
        mean_error=_mean(errors),
        mean_error_listed=_mean(errors[is_listed]),
        n_frequent=int(is_frequent.sum()),
        false=tuple(compared[position] for position in np.flatnonzero(is_listed & ~is_frequent)),
        missed=tuple(compared[position] for position in np.flatnonzero(is_frequent & ~is_listed)),
        coverage=_mean(covers),
        coverage_listed=_mean(covers[is_listed]),
    )


def read_truth(design: Design, named: Mapping[str, float]) -> dict[Columns, float]:
    """Turn ``{"affair & age=22": .031}`` into itemsets of the design and their true supports.

    Parameters
    ----------
    design : Design
        Whose items the names are of.
    named : mapping of str to float
        True supports, in [0, 1].

    Raises
    ------
    PrivacyError
        ``unknown_item``.
        ``truth``: a support outside [0, 1], or an itemset named twice.
    """
    truth: dict[Columns, float] = {}
    for name, support in named.items():
        items = tuple(sorted(design.item(key).index for key in name.split(SEPARATOR)))
        if items in truth or len(set(items)) < len(items):
            raise PrivacyError("truth", name)
        truth[items] = validation.real_number(support, f"true support of {name}", low=0, high=1, code="truth")
    return truth


def _mean(values: Array | Flags) -> float | None:
    return float(values.mean()) if len(values) else None
