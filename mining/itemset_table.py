"""Itemsets with their estimated supports and intervals.

Frozen tables of arrays of one length: some of their rows, and several tables one after the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from mining.thresholds import Target
from privacy.arrays import Whole
from privacy.estimation import Columns, Estimate, Estimates
from privacy.estimation.measures import Measured, MeasuredArray

__all__ = ["Itemset", "ItemsetTable", "concatenate", "take"]


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
        The supports again with their 95% intervals, about `target`.
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


Table = TypeVar("Table")


def take(table: Table, places: Whole) -> Table:
    """Return the rows at `places`, of every array of a dataclass and of the dataclasses in it.

    Parameters
    ----------
    table : dataclass
        Table of arrays, and of such dataclasses.
    places : ndarray of int
        Rows, in the order in which they are wanted.

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
    taken: Table = _rebuilt([table], lambda arrays: arrays[0][places])
    return taken


def concatenate(tables: Sequence[Table]) -> Table:
    """Return the rows of all tables, at least one; what is no array is that of the first.

    Parameters
    ----------
    tables : sequence of dataclasses
        Of one class, of arrays and of such dataclasses.
    """
    joined: Table = _rebuilt(tables, np.concatenate)
    return joined


def _rebuilt(tables: Sequence[Any], make: Any) -> Any:
    changed: dict[str, Any] = {}
    for field in fields(tables[0]):
        values = [getattr(table, field.name) for table in tables]
        if isinstance(values[0], np.ndarray):
            changed[field.name] = make(values)
        elif is_dataclass(values[0]):
            changed[field.name] = _rebuilt(values, make)
    return replace(tables[0], **changed)
