from importlib.util import find_spec

import numpy as np
import pytest

from privacy.sdc.k_member import k_member
from privacy.sdc.partition import box_cost, boxed, cheapest, lines_of
from tests.fixtures.tables import random_space

WHOLE = 2**26


def test_a_box_costs_its_weighted_penalty():
    space, _ = random_space(7, 80)
    weights = np.array([0.4, 0.3, 0.2, 0.1])
    lines, places = lines_of(space, weights)
    number = np.random.default_rng(8).permutation(80) % 12
    penalties = space.penalties(space.boxes(number, 12)) @ weights
    for each in range(12):
        members = places[number == each]
        found = box_cost(lines, members.min(axis=0), members.max(axis=0))
        assert abs(found / WHOLE - penalties[each]) <= 4 / WHOLE


@pytest.mark.parametrize("most", [1, 3, 50])
def test_the_cheapest_boxes_are_those_of_a_comparison_with_all(most):
    space, _ = random_space(3, 60)
    lines, places = lines_of(space, space.weights(None))
    places = places[np.lexsort(places.T[::-1])]
    rng = np.random.default_rng(0)
    sizes, has = rng.integers(0, 4, 60), rng.integers(0, 4, (1, 60)).astype(np.uint64)
    corner = np.ascontiguousarray(places.T)
    items = boxed(corner, corner, sizes, np.zeros(60, dtype=np.int64), has)
    for record in range(0, 60, 7):
        found, joined = cheapest(
            lines, items, places[record], places[record], np.full(1, np.uint64(2)), most, record
        )
        costs = [
            int(box_cost(lines, np.minimum(place, places[record]), np.maximum(place, places[record])))
            for place in places
        ]
        wanted = [at for at in range(60) if int(has[0, at]) & 2]
        wanted.sort(key=lambda at: ((sizes[at] + 1) * costs[at], at))
        assert found.tolist() == wanted[:most]
        assert joined.tolist() == [costs[at] for at in wanted[:most]]


@pytest.mark.soak
@pytest.mark.skipif(find_spec("numba") is None, reason="numba is not installed")
@pytest.mark.parametrize(("k", "l_value"), [(1, 1), (2, 2), (5, 3), (7, 1), (25, 4)])
def test_compiled_code_makes_the_same_classes(k, l_value):
    for seed in range(4):
        space, table = random_space(seed, 400)
        one, two = (
            k_member(space, k, sensitive=table.column("disease"), l_value=l_value, compiled=compiled)
            for compiled in (True, False)
        )
        assert one.number.tolist() == two.number.tolist()


@pytest.mark.soak
@pytest.mark.skipif(find_spec("numba") is None, reason="numba is not installed")
def test_every_search_is_compiled_for_one_signature():
    from privacy.sdc import classes_numba

    space, table = random_space(5, 300)
    for l_value in (1, 3):
        k_member(space, 4, sensitive=table.column("disease"), l_value=l_value, compiled=True)
    searches = [getattr(classes_numba, name) for name in classes_numba.__all__]
    assert [len(search.signatures) for search in searches] == [1] * 5
