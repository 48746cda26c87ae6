"""True, observed and reconstructed supports of a simulation, side by side."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import chain, combinations
from typing import Final

from mining.columns.bitmatrix import BitMatrix
from mining.columns.count_cache import CountCache
from mining.itemsets import estimate_itemsets
from mining.thresholds import Estimator
from mining.undisguised import frequent_itemsets
from privacy.arrays import Flags
from surveys.errors.error import SurveyError

__all__ = ["MOST_ITEMSETS", "SimulatedSupport", "simulated_supports"]

MOST_ITEMSETS: Final = 100_000


@dataclass(frozen=True, kw_only=True)
class SimulatedSupport:
    """One itemset of a simulation.

    Attributes
    ----------
    items : tuple of str
        Keys of its items.
    true, observed, estimated : float
        Share of the rows that hold it as they are, as they were sent, and as reconstructed.
    standard_error : float
        Of `estimated` about these rows: the disguise alone.
    error : float
        W = |true - estimated|, the error of the source's section 4.
    """

    items: tuple[str, ...]
    true: float
    observed: float
    estimated: float
    standard_error: float
    error: float


def simulated_supports(
    matrix: BitMatrix, truth: Flags, *, max_size: int, estimator: Estimator = "stratified"
) -> tuple[SimulatedSupport, ...]:
    """Set the true, observed and estimated support of every itemset side by side.

    Parameters
    ----------
    matrix : BitMatrix
        The rows, disguised.
    truth : ndarray of bool, shape (n, items)
        What they are; no survey ever has it.
    max_size : int
        Longest itemset, at least 1.
    estimator : {"stratified", "pooled"}

    Returns
    -------
    tuple of SimulatedSupport
        Shorter itemsets first.

    Raises
    ------
    SurveyError
        ``too_many_itemsets``, ``no_rows``.

    References
    ----------
    Kan and Cao, section 4 (the error W).
    """
    design = matrix.design
    numbers, sizes = range(len(design.items)), range(1, max_size + 1)
    many = sum(math.comb(len(numbers), size) for size in sizes)
    if many > MOST_ITEMSETS:
        raise SurveyError(
            "too_many_itemsets", many, count=len(numbers), max_size=max_size, most=MOST_ITEMSETS
        )
    # Half a row is less than any itemset that occurs at all has.
    true = frequent_itemsets(truth, support=0.5 / max(1, len(truth)), max_size=max_size)
    itemsets = chain.from_iterable(combinations(numbers, size) for size in sizes)
    table = estimate_itemsets(CountCache(matrix), design, itemsets, estimator=estimator, target="respondents")
    return tuple(
        SimulatedSupport(
            items=tuple(design.items[item].key for item in row.items),
            true=true.get(row.items, 0.0),
            observed=row.estimate.observed_share,
            estimated=row.estimate.value,
            standard_error=row.estimate.standard_error_respondents,
            error=abs(true.get(row.items, 0.0) - row.estimate.value),
        )
        for row in table
    )
