"""Tables of itemsets with their estimated supports, and how to select and join rows of such tables."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from privacy.arrays import Whole
from privacy.estimation.array_tables import MeasuredArray
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


Listed = TypeVar("Listed")


def take(table: Listed, places: Whole) -> Listed:
    """Return the rows at `places` of every array in a dataclass and in its nested dataclasses.

    Parameters
    ----------
    table : dataclass
        A dataclass whose fields are arrays or dataclasses of the same kind.
    places : ndarray of int
        Row numbers, in the order of the result.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Supports:
    ...     estimator: str
    ...     value: np.ndarray
    >>> take(Supports("pooled", np.array([.1, .2, .3])), np.array([2, 0])).value.tolist()
    [0.3, 0.1]
    """
    rows: Listed = _rebuild([table], lambda arrays: arrays[0][places])
    return rows


def concatenate(tables: Sequence[Listed]) -> Listed:
    """Concatenate the rows of all tables (at least one); non-array fields come from the first table.

    Parameters
    ----------
    tables : sequence of dataclasses
        All of one class, with arrays or such dataclasses as fields.
    """
    result: Listed = _rebuild(tables, np.concatenate)
    return result


def _rebuild(tables: Sequence[Any], make: Any) -> Any:
    changed: dict[str, Any] = {}
    for column in fields(tables[0]):
        values = [getattr(table, column.name) for table in tables]
        if isinstance(values[0], np.ndarray):
            changed[column.name] = make(values)
        elif is_dataclass(values[0]):
            changed[column.name] = _rebuild(values, make)
    return replace(tables[0], **changed)
