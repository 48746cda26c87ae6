"""The class search compiled by numba: the same functions, except `cheapest`, which is vectorised in numpy.

Importing this module requires numba; `privacy.sdc.search_kernels` imports it only if numba is installed.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba.extending import overload, register_jitable

from privacy.compilation import compile_function
from privacy.sdc import class_growth, class_repair, local_search, partition
from privacy.sdc.partition import span_cost

_OPTIONS: Any = {"nogil": True, "_nrt": True}


@register_jitable(_nrt=False)
def _joined_span(lines: Any, items: Any, axis: Any, first: Any, two: Any, low: Any, high: Any) -> Any:
    """Compute the cost of each box's interval joined with a given one, and the smallest added cost."""
    cost = np.int64(span_cost(lines, axis, min(first, low), max(two, high)))
    least = cost
    if items.fewest:
        least += items.fewest * (cost - span_cost(lines, axis, first, two))
    return cost, least


@register_jitable(_nrt=False)
def _insert(nearest: Any, totals: Any, changes: Any, count: Any, item: Any, total: Any, change: Any) -> Any:
    """Insert a box into the sorted candidates and drop the most expensive one if full; return the length."""
    position = min(count, len(nearest) - 1)
    while position > 0 and (
        changes[position - 1] > change or (changes[position - 1] == change and nearest[position - 1] > item)
    ):
        changes[position] = changes[position - 1]
        nearest[position] = nearest[position - 1]
        totals[position] = totals[position - 1]
        position -= 1
    changes[position], nearest[position], totals[position] = change, item, total
    return min(count + 1, len(nearest))


@overload(partition.cheapest, jit_options=_OPTIONS)
def _cheapest(lines: Any, items: Any, low: Any, high: Any, values: Any, most: Any, start: Any) -> Any:
    def cheapest(lines: Any, items: Any, low: Any, high: Any, values: Any, most: Any, start: Any) -> Any:
        d = len(low)
        nodes, rows, sizes, costs, has = items.nodes, items.rows, items.sizes, items.costs, items.has
        nearest = np.empty(most, dtype=np.int64)
        union_costs = np.empty(most, dtype=np.int64)
        added = np.empty(most, dtype=np.int64)
        # Cost of the union with the given box over the first axes of the current node, and its smallest
        # increase.
        whole = np.zeros(d + 1, dtype=np.int64)
        part = np.zeros(d + 1, dtype=np.int64)
        n_held = 0
        limit = np.int64(2**62)
        first = items.leaf[start]
        # Search from the start to the end, then from the beginning. Near boxes come first, so far ones are
        # pruned early.
        node, end = np.int64(first), len(nodes)
        for axis in range(nodes[first, 0]):
            first_item, two = rows[start, axis], rows[start, d + axis]
            cost, least = _joined_span(lines, items, axis, first_item, two, low[axis], high[axis])
            whole[axis + 1], part[axis + 1] = whole[axis] + cost, part[axis] + least
        while True:
            if node >= end:
                if end == first:
                    break
                node, end = np.int64(0), first
                # Boxes before the start win ties because of their lower numbers, so let equal costs pass.
                if n_held == most:
                    limit = added[most - 1] + 1
                continue
            axis, item = nodes[node, 0], nodes[node, 4]
            if item < 0:
                first_item, two = nodes[node, 1], nodes[node, 2]
                cost, least = _joined_span(lines, items, axis, first_item, two, low[axis], high[axis])
                whole[axis + 1], part[axis + 1] = whole[axis] + cost, part[axis] + least
                node = node + 1 if part[axis + 1] < limit else np.int64(nodes[node, 3])
                continue
            node += 1
            total, bound = whole[axis], part[axis]
            while axis < d:
                first_item, two = rows[item, axis], rows[item, d + axis]
                cost, least = _joined_span(lines, items, axis, first_item, two, low[axis], high[axis])
                total += cost
                bound += least
                if bound >= limit:
                    break
                axis += 1
            if axis < d:
                continue
            change = (sizes[item] + 1) * total - sizes[item] * costs[item]
            if change < limit and (n_held < most or change < added[most - 1] or item < nearest[most - 1]):
                offers = False
                for word in range(len(values)):
                    offers |= (has[word, item] & values[word]) != 0
                if offers:
                    n_held = _insert(nearest, union_costs, added, n_held, item, total, change)
                    if n_held == most:
                        limit = added[most - 1] + (1 if end == first else 0)
        return nearest[:n_held], union_costs[:n_held]

    return cheapest


# These functions return only numbers, and their callers own the arguments. So numba can omit reference
# counting, which would take a third of the search time. The other functions create arrays.
_WITHOUT_REFERENCE_COUNTS: tuple[Any, ...] = (
    partition.span_cost,
    partition.box_cost,
    partition.joined_cost,
    class_repair.distinct_together,
    class_growth.take,
    class_growth.next_seed,
    partition.relink,
    partition.count_value,
    partition.stays_diverse,
    partition.changed_cost,
    partition.least_cost,
    local_search.requeue,
    local_search.rise,
    local_search.best_exchange,
    local_search.best_move,
    local_search.cheapest_near,
)
_WITH_REFERENCE_COUNTS: tuple[Any, ...] = (
    class_repair.best_gift,
    class_repair.nearest_class,
    partition.members_of,
    partition.measure,
    local_search.find_near,
    local_search.targets_of,
)
for _function in (*_WITHOUT_REFERENCE_COUNTS, *_WITH_REFERENCE_COUNTS):
    register_jitable(_nrt=_function in _WITH_REFERENCE_COUNTS)(_function)

grow = compile_function(class_growth.grow)
measure_all = compile_function(partition.measure_all)
exchange = compile_function(local_search.exchange)
dissolve = compile_function(local_search.dissolve)
diversify = compile_function(class_repair.diversify)
