"""The searches of classes, compiled by numba: the same sentences, with loops that leave early.

Importing this module needs numba; `privacy.sdc.k_member` does so only where it is installed.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numba.extending import overload, register_jitable

from privacy.sdc import box_search, class_diversity, class_growth, local_search, partition
from privacy.sdc.box_search import box_cost, span_cost
from privacy.sdc.partition import stays_diverse, times_held, without

__all__ = ["dissolve", "diversify", "exchange", "grow", "measure_all", "near_classes", "place"]


def compiled(law: Any) -> Any:
    """Compile, without the interpreter's lock; kept on disk where there is room for it."""
    try:
        return njit(nogil=True, cache=True)(law)
    except RuntimeError:
        # No directory to keep compiled code in: every process compiles for itself.
        return njit(nogil=True)(law)


@overload(box_search.cheapest, jit_options={"nogil": True})
def _cheapest(lines: Any, items: Any, low: Any, high: Any, wanted: Any, most: Any, start: Any) -> Any:
    def law(lines: Any, items: Any, low: Any, high: Any, wanted: Any, most: Any, start: Any) -> Any:
        d, m = len(lines.offset), len(items.sizes)
        found = np.empty(most, dtype=np.int64)
        joined = np.empty(most, dtype=np.int64)
        added = np.empty(most, dtype=np.int64)
        # Of the first axes of the box at hand, what their union with the given box costs, and adds at least.
        whole = np.zeros(d + 1, dtype=np.int64)
        part = np.zeros(d + 1, dtype=np.int64)
        fewest = items.fewest
        held = 0
        limit = np.int64(2**62)
        # From the start to the end, then from the beginning: near boxes first, far ones are left early.
        for begin, end in ((start, m), (0, start)):
            at = begin
            known = 0
            # Behind the start a box has to be better than those that are held; before it an equal one is.
            if begin == 0 and held == most:
                limit = added[most - 1] + 1
            while at < end:
                known = min(known, items.shared[at])
                axis = known
                while axis < d:
                    one, two = items.low[axis, at], items.high[axis, at]
                    cost = np.int64(span_cost(lines, axis, min(one, low[axis]), max(two, high[axis])))
                    whole[axis + 1] = whole[axis] + cost
                    part[axis + 1] = part[axis] + cost
                    if fewest:
                        part[axis + 1] += fewest * (cost - span_cost(lines, axis, one, two))
                    if part[axis + 1] >= limit:
                        break
                    axis += 1
                if axis < d:
                    known = axis
                    at = items.after[at, axis]
                    continue
                known = d
                total = whole[d]
                change = (items.sizes[at] + 1) * total - items.sizes[at] * items.costs[at]
                if change < limit and (held < most or change < added[most - 1] or at < found[most - 1]):
                    offers = False
                    for word in range(len(wanted)):
                        offers |= (items.has[word, at] & wanted[word]) != 0
                    if offers:
                        place = min(held, most - 1)
                        while place > 0 and (
                            added[place - 1] > change
                            or (added[place - 1] == change and found[place - 1] > at)
                        ):
                            added[place] = added[place - 1]
                            found[place] = found[place - 1]
                            joined[place] = joined[place - 1]
                            place -= 1
                        added[place], found[place], joined[place] = change, at, total
                        held = min(held + 1, most)
                        if held == most:
                            limit = added[most - 1] + (1 if begin < start else 0)
                at += 1
        return found[:held], joined[:held]

    return law


@overload(partition.ends_of, jit_options={"nogil": True})
def _ends_of(places: Any, members: Any) -> Any:
    def law(places: Any, members: Any) -> Any:
        d = places.shape[1]
        ends = np.empty((4, d), dtype=np.int32)
        for axis in range(d):
            place = places[members[0], axis]
            first, last = place, place
            second, last_but_one = np.int32(2**31 - 1), np.int32(-(2**31))
            for member in members[1:]:
                place = places[member, axis]
                if place < first:
                    first, second = place, first
                elif place < second:
                    second = place
                if place > last:
                    last, last_but_one = place, last
                elif place > last_but_one:
                    last_but_one = place
            alone = len(members) == 1
            ends[0, axis], ends[3, axis] = first, last
            ends[1, axis] = first if alone else second
            ends[2, axis] = first if alone else last_but_one
        return ends

    return law


@overload(local_search.best_move, jit_options={"nogil": True})
def _best_move(lines: Any, state: Any, record: Any, near: Any, size: Any, l_value: Any) -> Any:
    def law(lines: Any, state: Any, record: Any, near: Any, size: Any, l_value: Any) -> Any:
        d = len(lines.offset)
        own = state.number[record]
        low, high = without(state, own, record)
        left = box_cost(lines, low, high)
        best, target, partner = np.int64(0), np.int64(-1), np.int64(-1)
        if left >= state.costs[own]:
            return best, target, partner
        mine = state.sizes[own]
        leaving = (mine - 1) * left - mine * state.costs[own]
        value = state.values[record]
        free = mine > size and state.distinct[own] - (times_held(state, own, value) == 1) >= l_value
        here = state.places[record]
        for there in near:
            if there < 0 or there == own or state.sizes[there] == 0:
                continue
            theirs, before = state.sizes[there], state.sizes[there] * state.costs[there]
            ends = state.ends[there]
            if free:
                # Until the move costs as much as the best.
                limit = best - leaving + before
                joined = np.int64(0)
                for axis in range(d):
                    joined += span_cost(
                        lines, axis, min(ends[0, axis], here[axis]), max(ends[3, axis], here[axis])
                    )
                    if (theirs + 1) * joined >= limit:
                        break
                change = leaving + (theirs + 1) * joined - before
                if change < best:
                    best, target, partner = change, there, np.int64(-1)
            if theirs < 2 or theirs > 4 * size:
                continue
            # Whoever leaves the other class, this much of it stays.
            least = np.int64(0)
            for axis in range(d):
                least += span_cost(
                    lines, axis, min(ends[1, axis], here[axis]), max(ends[2, axis], here[axis])
                )
            beside = theirs * least - before - mine * state.costs[own]
            if mine * left + beside >= best:
                continue
            other = state.first[there]
            while other >= 0:
                place = state.places[other]
                coming = np.int64(0)
                for axis in range(d):
                    coming += span_cost(
                        lines, axis, min(low[axis], place[axis]), max(high[axis], place[axis])
                    )
                    if mine * coming + beside >= best:
                        break
                change = mine * coming + beside
                if change < best:
                    swapped = np.int64(0)
                    for axis in range(d):
                        one = ends[1, axis] if place[axis] == ends[0, axis] else ends[0, axis]
                        two = ends[2, axis] if place[axis] == ends[3, axis] else ends[3, axis]
                        swapped += span_cost(lines, axis, min(one, here[axis]), max(two, here[axis]))
                    change += theirs * (swapped - least)
                    given = state.values[other]
                    if (
                        change < best
                        and stays_diverse(state, own, value, given, l_value)
                        and stays_diverse(state, there, given, value, l_value)
                    ):
                        best, target, partner = change, there, other
                other = state.next[other]
        return best, target, partner

    return law


@overload(class_diversity.best_gift, jit_options={"nogil": True})
def _best_gift(lines: Any, state: Any, chosen: Any, there: Any, size: Any, l_value: Any) -> Any:
    def law(lines: Any, state: Any, chosen: Any, there: Any, size: Any, l_value: Any) -> Any:
        d = len(lines.offset)
        mine, theirs = state.sizes[chosen], state.sizes[there]
        own, before = mine * state.costs[chosen], theirs * state.costs[there]
        ends, others = state.ends[chosen], state.ends[there]
        best, came, went = np.int64(2**62), np.int64(-1), np.int64(-1)
        both = state.distinct[chosen]
        member = state.first[there]
        while member >= 0:
            # The first of the class that has this value counts.
            value, known = state.values[member], False
            other = state.first[there]
            while other != member and not known:
                known = state.values[other] == value
                other = state.next[other]
            if not known and times_held(state, chosen, value) == 0:
                both += 1
            member = state.next[member]
        if both >= l_value:
            joined = np.int64(0)
            for axis in range(d):
                joined += span_cost(
                    lines, axis, min(ends[0, axis], others[0, axis]), max(ends[3, axis], others[3, axis])
                )
            best = (mine + theirs) * joined - own - before
        if mine < 2 or theirs < 2:
            return best, came, went
        kept = min(l_value, state.distinct[there])
        member = state.first[there]
        while member >= 0:
            given = state.values[member]
            if times_held(state, chosen, given) == 0:
                stays = state.distinct[there] - (times_held(state, there, given) == 1)
                here = state.places[member]
                low, high = without(state, there, member)
                if stays >= kept and theirs > size:
                    joined, left = np.int64(0), np.int64(0)
                    for axis in range(d):
                        joined += span_cost(
                            lines, axis, min(ends[0, axis], here[axis]), max(ends[3, axis], here[axis])
                        )
                        left += span_cost(lines, axis, low[axis], high[axis])
                    change = (mine + 1) * joined + (theirs - 1) * left - own - before
                    if change < best:
                        best, came, went = change, member, np.int64(-1)
                other = state.first[chosen]
                while other >= 0:
                    place = state.places[other]
                    swapped = np.int64(0)
                    for axis in range(d):
                        swapped += span_cost(
                            lines, axis, min(low[axis], place[axis]), max(high[axis], place[axis])
                        )
                        if theirs * swapped - own - before >= best:
                            break
                    change = theirs * swapped - own - before
                    if change < best:
                        coming = np.int64(0)
                        for axis in range(d):
                            one = ends[1, axis] if place[axis] == ends[0, axis] else ends[0, axis]
                            two = ends[2, axis] if place[axis] == ends[3, axis] else ends[3, axis]
                            coming += span_cost(lines, axis, min(one, here[axis]), max(two, here[axis]))
                        change += mine * coming
                        value = state.values[other]
                        if (
                            change < best
                            and times_held(state, chosen, value) >= 2
                            and stays + (times_held(state, there, value) == 0) >= kept
                        ):
                            best, came, went = change, member, other
                    other = state.next[other]
            member = state.next[member]
        return best, came, went

    return law


for _law in (
    box_search.span_cost,
    box_search.box_cost,
    class_growth.take,
    class_growth.next_seed,
    class_diversity.nearest_class,
    partition.members_of,
    partition.measure,
    partition.relink,
    partition.times_held,
    partition.stays_diverse,
    partition.without,
    local_search.ask,
):
    register_jitable(_law)

grow = compiled(class_growth.grow)
place = compiled(class_growth.place)
measure_all = compiled(partition.measure_all)
near_classes = compiled(local_search.near_classes)
exchange = compiled(local_search.exchange)
dissolve = compiled(local_search.dissolve)
diversify = compiled(class_diversity.diversify)
