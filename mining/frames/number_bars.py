"""The histogram of a number as a data frame."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from privacy.library.frames import data_frame
from privacy.scales.quantities import bars, planned_step

if TYPE_CHECKING:
    from privacy.library.frames import DataFrame

_COLUMNS: Final = ("share", "standard_error", "low", "high")


def number_bars(channel: Any, groups: Any, name: str, level: float) -> DataFrame:
    """Return one row per bar, indexed by its smallest and largest answer; none if there are too few people.

    Parameters
    ----------
    channel : NumberDisguise
    groups : counts of the sent values by group
    name : str
        Name of the index.
    level : float, in (0, 1)
    """
    step = planned_step(channel, groups)
    if step is None:
        return data_frame(dict.fromkeys(_COLUMNS, np.empty(0)), index=[], name=name)
    edges = [*range(0, channel.inputs, step), channel.inputs]
    found, ticks = bars(channel, groups, edges, level=level), channel.range
    names = [
        f"{ticks.text(ticks.low + first * ticks.bin)}–{ticks.text(ticks.low + last * ticks.bin - 1)}"
        for first, last in pairwise(edges)
    ]
    figures = (found.shares, found.standard_errors, found.low, found.high)
    return data_frame(dict(zip(_COLUMNS, figures, strict=True)), index=names, name=name)
