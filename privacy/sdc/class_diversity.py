"""Sensitive values for classes that have too few: given by near classes, in exchange or not, or by joining.

Classes grow without regard to sensitive values, which leaves them small and near. Those with fewer than L
values are mended afterwards, each by the cheapest of a few steps. Growing them with L values built in takes
scarce values for the first classes, and the last ones stretch over the table to find some.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from privacy.sdc.box_search import Boxed, Lines, Whole, box_cost, cheapest, span_cost
from privacy.sdc.partition import Partition, measure, members_of, relink

__all__ = ["best_gift", "diversify", "nearest_class"]

_FAR: Final = 2**62
_GIVERS: Final = 8
"""Classes near each member that are asked for a sensitive value."""


def best_gift(
    lines: Lines, state: Partition, chosen: Any, there: Any, size: int, l_value: int
) -> tuple[Any, Any, Any]:
    """Find how another class best gives a sensitive value to one that needs it.

    Returns
    -------
    (int, int, int)
        The change of the total; the record that comes, -1 when the classes are joined instead; the record
        that goes for it, -1 for none. The first of equals: joining before records that come, in the order of
        their chain; each for none before those that go. `_FAR` when neither is possible.
    """
    mine, own = members_of(state, chosen), state.sizes[chosen] * state.costs[chosen]
    theirs, before = members_of(state, there), state.sizes[there] * state.costs[there]
    ends, others = state.ends[chosen], state.ends[there]
    values, given = state.values[mine], state.values[theirs]
    best: Any = _FAR
    came, went = -1, -1
    if len(np.unique(np.append(values, given))) >= l_value:
        joined = box_cost(lines, np.minimum(ends[0], others[0]), np.maximum(ends[3], others[3]))
        best = (len(mine) + len(theirs)) * joined - own - before
    if len(theirs) < 2 or len(mine) < 2:
        return best, came, went
    # By record that comes and record that goes, the first column for none.
    places, coming = state.places[mine], state.places[theirs]
    low = np.concatenate([ends[:1], np.where(places == ends[0], ends[1], ends[0])])
    high = np.concatenate([ends[3:], np.where(places == ends[3], ends[2], ends[3])])
    mine_now = box_cost(
        lines,
        np.minimum(coming[:, None], low).transpose(2, 0, 1),
        np.maximum(coming[:, None], high).transpose(2, 0, 1),
    )
    low = np.where(coming == others[0], others[1], others[0])
    high = np.where(coming == others[3], others[2], others[3])
    left = box_cost(lines, low.T, high.T)
    swapped = box_cost(
        lines,
        np.minimum(low[:, None], places).transpose(2, 0, 1),
        np.maximum(high[:, None], places).transpose(2, 0, 1),
    )
    change = np.empty((len(theirs), len(mine) + 1), dtype=np.int64)
    change[:, 0] = (len(mine) + 1) * mine_now[:, 0].astype(np.int64) + (len(theirs) - 1) * left.astype(
        np.int64
    )
    change[:, 1:] = len(mine) * mine_now[:, 1:].astype(np.int64) + len(theirs) * swapped.astype(np.int64)
    change -= own + before
    # Neither class gets poorer in values than it has to be.
    kept = min(l_value, state.distinct[there])
    stays = state.distinct[there] - ((given[:, None] == given).sum(axis=1) == 1)
    change[np.isin(given, values)] = _FAR
    change[(stays < kept) | (len(theirs) <= size), 0] = _FAR
    change[:, 1:][:, (values[:, None] == values).sum(axis=1) < 2] = _FAR
    change[:, 1:][stays[:, None] + ~np.isin(values, given) < kept] = _FAR
    at = int(change.argmin())
    if change.flat[at] < best:
        best = change.flat[at]
        came = theirs[at // change.shape[1]]
        went = -1 if at % change.shape[1] == 0 else mine[at % change.shape[1] - 1]
    return best, came, went


def diversify(
    lines: Lines, state: Partition, items: Boxed, classes: Whole, poor: Whole, size: int, l_value: int
) -> None:
    """Give L values to classes that have fewer: by records of near classes, by exchange, or by joining them.

    Parameters
    ----------
    lines : Lines
    state : Partition
    items : Boxed
        Boxes of `classes` as they were, with the sensitive values that each has as bits.
    classes, poor : int64 arrays
        The class of each item; the classes with fewer than L values.
    size, l_value : int

    Notes
    -----
    Each step is the one that costs least among those with the nearest classes that have a missing value. It
    raises the sum over classes of min(L, distinct values) or takes a class away, and so the steps end.
    """
    held = np.empty(len(items.has), dtype=np.uint64)
    for chosen in poor:
        while state.sizes[chosen] > 0 and state.distinct[chosen] < l_value:
            members = members_of(state, chosen)
            held[:] = 0
            for record in members:
                value = state.values[record]
                held[value >> 6] |= np.uint64(1) << np.uint64(value & 63)
            near = np.empty(len(members) * _GIVERS, dtype=np.int64)
            count = 0
            for record in members:
                place = state.places[record]
                found, _ = cheapest(lines, items, place, place, ~held, _GIVERS, 0)
                near[count : count + len(found)] = found
                count += len(found)
            best, giver, came, went = _FAR, -1, -1, -1
            for at in np.unique(near[:count]):
                there = classes[at]
                if there == chosen or state.sizes[there] == 0:
                    continue
                change, coming, going = best_gift(lines, state, chosen, there, size, l_value)
                if change < best:
                    best, giver, came, went = change, there, coming, going
            if giver < 0:
                giver = nearest_class(lines, state, chosen, l_value)
            if came >= 0:
                relink(state, came, chosen)
                if went >= 0:
                    relink(state, went, giver)
                measure(lines, state, chosen)
            else:
                for record in members:
                    relink(state, record, giver)
                state.costs[chosen] = 0
            measure(lines, state, giver)


def nearest_class(lines: Lines, state: Partition, chosen: Any, l_value: int) -> Any:
    """Find the class that one is cheapest to join with: of those with L values, or of all if none has."""
    total = np.zeros(len(state.sizes), dtype=np.int64)
    for axis in range(len(lines.offset)):
        low = np.minimum(state.ends[:, 0, axis], state.ends[chosen, 0, axis])
        total += span_cost(lines, axis, low, np.maximum(state.ends[:, 3, axis], state.ends[chosen, 3, axis]))
    total *= state.sizes + state.sizes[chosen]
    total -= state.sizes * state.costs
    best = -1
    for rich in (True, False):
        for there in range(len(total)):
            if (
                there != chosen
                and state.sizes[there] > 0
                and (state.distinct[there] >= l_value or not rich)
                and (best < 0 or total[there] < total[best])
            ):
                best = there
        if best >= 0:
            break
    return best
