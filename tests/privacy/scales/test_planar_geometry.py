"""Unions of rectangles, against painting them cell by cell."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from privacy.scales.planar_geometry import components, disjoint, largest_inside
from privacy.scales.rectangles import painted

SIZE = 9
boxes = st.lists(
    st.tuples(st.integers(0, 7), st.integers(0, 7), st.integers(1, 4), st.integers(1, 4)).map(
        lambda box: (box[0], box[1], min(box[2], SIZE - box[0]), min(box[3], SIZE - box[1]))
    ),
    min_size=1,
    max_size=6,
)


@given(boxes)
def test_disjoint_parts_cover_the_union_once(given_boxes: list) -> None:
    parts = disjoint(given_boxes)
    once = sum(painted([part], SIZE, SIZE).astype(int) for part in parts)
    assert np.array_equal(once, painted(given_boxes, SIZE, SIZE).astype(int))


@given(boxes)
def test_a_window_fits_the_union_exactly_where_it_fits_one_of_the_largest_rectangles(
    given_boxes: list,
) -> None:
    inside = painted(given_boxes, SIZE, SIZE)
    largest = largest_inside(given_boxes)
    for across, up in ((1, 1), (2, 2), (3, 1), (2, 4)):
        for y in range(SIZE - up + 1):
            for x in range(SIZE - across + 1):
                fits = inside[y : y + up, x : x + across].all()
                held = any(
                    left <= x and low <= y and x + across <= left + w and y + up <= low + h
                    for left, low, w, h in largest
                )
                assert fits == held


@given(boxes)
def test_connected_parts_touch_no_other_and_are_all_of_the_union(given_boxes: list) -> None:
    groups = components(given_boxes)
    tables = [painted(group, SIZE, SIZE) for group in groups]
    assert np.array_equal(sum(table.astype(int) for table in tables), painted(given_boxes, SIZE, SIZE))
    for place, table in enumerate(tables):
        wide = np.zeros((SIZE + 2, SIZE + 2), dtype=bool)
        for x, y in ((0, 1), (2, 1), (1, 0), (1, 2)):
            wide[y : y + SIZE, x : x + SIZE] |= table
        for other in tables[place + 1 :]:
            assert not (wide[1:-1, 1:-1] & other).any()


@pytest.mark.parametrize("function", [disjoint, largest_inside, components])
def test_of_nothing_comes_nothing(function) -> None:
    assert function([]) == ()
