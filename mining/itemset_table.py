"""Tables of itemsets with their estimated supports."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from privacy.estimation.array_tables import MeasuredArray, take
from privacy.estimation.counts import Columns
from privacy.estimation.estimates import Estimate, Estimates
from privacy.printed import Measured


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
    intervals_of : callable
        Returns the supports of itemsets with their 95% intervals.
    """

    itemsets: tuple[Columns, ...]
    estimates: Estimates
    intervals_of: Callable[[Sequence[Columns]], MeasuredArray] = field(repr=False)

    @cached_property
    def interval(self) -> MeasuredArray:
        """The supports again with their intervals, which take more time than the search."""
        return self.intervals_of(self.itemsets)

    def __len__(self) -> int:
        return len(self.itemsets)

    def __getitem__(self, position: int) -> Itemset:  # type: ignore[override]  # no slices
        return Itemset(
            items=self.itemsets[position], estimate=self.estimates[position], interval=self.interval[position]
        )

    def part(self, positions: Sequence[int]) -> "ItemsetTable":
        """Return the itemsets at these positions."""
        places = np.asarray(positions, dtype=np.int64)
        return ItemsetTable(
            itemsets=tuple(self.itemsets[position] for position in positions),
            estimates=take(self.estimates, places),
            intervals_of=self.intervals_of,
        )

    @cached_property
    def position_of(self) -> dict[Columns, int]:
        """Position of each itemset."""
        return {items: position for position, items in enumerate(self.itemsets)}
