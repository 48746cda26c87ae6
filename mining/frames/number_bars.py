"""The histogram of a number as a data frame."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

from privacy.library.shown_tables import data_frame
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
    step, ticks = planned_step(channel, groups), channel.range
    edges = [0] if step is None else [*range(0, channel.inputs, step), channel.inputs]
    found = bars(channel, groups, edges, level=level)
    names = [
        f"{ticks.text(ticks.low + first * ticks.bin)}–{ticks.text(ticks.low + last * ticks.bin - 1)}"
        for first, last in pairwise(edges)
    ]
    return data_frame(found.columns("share"), index=names, name=name, about=found.about)
