"""The histogram of a number as a data frame."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from privacy.arrays import Array
from privacy.library.frames import data_frame
from privacy.printed import CHECKED, PrintedEstimates
from privacy.scales.quantities import bars, planned_step

if TYPE_CHECKING:
    from privacy.library.frames import DataFrame


def number_bars(channel: Any, groups: Any, name: str, level: float) -> DataFrame:
    """Return one row per bar, indexed by its smallest and largest answer; none if there are too few people.

    Columns are those of `privacy.printed.PrintedEstimates`.

    Parameters
    ----------
    channel : disguise of a number
    groups : counts of the sent values by group
    name : str
        Name of the index.
    level : float, in (0, 1)
    """
    step, n = planned_step(channel, groups), int(groups.rows.sum())
    if step is None:
        none = np.empty(0)
        rows = _rows(none, none, none, none, n, level)
        return data_frame(rows.columns("share"), index=[], name=name, about=rows.about)
    edges = [*range(0, channel.inputs, step), channel.inputs]
    found, ticks = bars(channel, groups, edges, level=level), channel.range
    names = [
        f"{ticks.text(ticks.low + first * ticks.bin)}–{ticks.text(ticks.low + last * ticks.bin - 1)}"
        for first, last in pairwise(edges)
    ]
    rows = _rows(found.shares, found.standard_errors, found.low, found.high, n, level)
    return data_frame(rows.columns("share"), index=names, name=name, about=rows.about)


def _rows(value: Array, error: Array, low: Array, high: Array, n: int, level: float) -> PrintedEstimates:
    return PrintedEstimates(
        value=value,
        standard_error=error,
        low=low,
        high=high,
        n=n,
        effective_n=n,
        level=level,
        possible=(0, 1),
        method="accepted shares",
        shift=0.0,
        origin=CHECKED,
    )
