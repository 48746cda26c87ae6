"""Itemsets with their estimated supports and intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from mining.thresholds import Target
from privacy.estimation import Columns, Estimate, Estimates
from privacy.estimation.measures import Measured, MeasuredArray

__all__ = ["Itemset", "ItemsetTable"]


@dataclass(frozen=True, kw_only=True)
class Itemset:
    """One row of an `ItemsetTable`."""

    items: Columns
    estimate: Estimate
    interval: Measured


@dataclass(frozen=True, kw_only=True, eq=False)
class ItemsetTable(Sequence[Itemset]):
    """Itemsets with their estimated supports and intervals; shorter ones first, then by items.

    Attributes
    ----------
    itemsets : tuple of Columns
    estimates : Estimates
        Position i belongs to itemset i.
    interval : MeasuredArray
        The supports again with their 95 % intervals, about `target`.
    target : {"population", "respondents"}
    """

    itemsets: tuple[Columns, ...]
    estimates: Estimates
    interval: MeasuredArray
    target: Target

    def __len__(self) -> int:
        return len(self.itemsets)

    def __getitem__(self, position: int) -> Itemset:  # type: ignore[override]  # rows are taken one by one
        return Itemset(
            items=self.itemsets[position],
            estimate=self.estimates[position],
            interval=self.interval[position],
        )

    @cached_property
    def position_of(self) -> dict[Columns, int]:
        """Position of each itemset."""
        return {items: position for position, items in enumerate(self.itemsets)}
