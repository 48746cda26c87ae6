from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from privacy.scales.planar_rectangles import overlap, paint_cells, read_frame, read_rectangle
from privacy.scales.planar_unions import components, disjoint, largest_inside
from tests.fixtures.refusals import refused

SIZE = 9
BOXES = [
    (x, y, min(width, SIZE - x), min(height, SIZE - y))
    for x, y, width, height in product(range(8), range(8), range(1, 5), range(1, 5))
]
# Hypothesis draws one listed tuple faster than four integers.
boxes = st.lists(st.sampled_from(BOXES), min_size=1, max_size=6)


@given(boxes)
def test_disjoint_rectangles_cover_the_union_once(given_boxes: list) -> None:
    parts = disjoint(given_boxes)
    once = sum(paint_cells([part], SIZE, SIZE).astype(int) for part in parts)
    assert np.array_equal(once, paint_cells(given_boxes, SIZE, SIZE).astype(int))


@given(boxes)
def test_windows_fit_the_union_only_inside_a_maximal_rectangle(given_boxes: list) -> None:
    inside = paint_cells(given_boxes, SIZE, SIZE)
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
def test_components_are_separate_and_cover_the_union(given_boxes: list) -> None:
    groups = components(given_boxes)
    tables = [paint_cells(group, SIZE, SIZE) for group in groups]
    assert np.array_equal(sum(table.astype(int) for table in tables), paint_cells(given_boxes, SIZE, SIZE))
    for place, table in enumerate(tables):
        wide = np.zeros((SIZE + 2, SIZE + 2), dtype=bool)
        for x, y in ((0, 1), (2, 1), (1, 0), (1, 2)):
            wide[y : y + SIZE, x : x + SIZE] |= table
        for other in tables[place + 1 :]:
            assert not (wide[1:-1, 1:-1] & other).any()


def test_overlap_matches_painted_cells() -> None:
    boxes = [(x, y, w, h) for x in (0, 2) for y in (0, 1, 3) for w in (1, 3) for h in (1, 2)]
    for first in boxes:
        for second in boxes:
            both = paint_cells([first], 8, 8) & paint_cells([second], 8, 8)
            assert overlap(first, second) == both.sum()


@pytest.mark.parametrize(
    "given", [(0, 0, 0, 3), (0, 0, 11, 3), (8, 0, 3, 3), (0, 6, 3, 3), (0, 0, 1), (0.5, 0, 1, 1), "0011"]
)
def test_empty_outside_or_malformed_rectangles_are_rejected(given: object) -> None:
    with refused("rectangle"):
        read_rectangle(given, 10, 8)


def test_frames_smaller_than_their_window_are_rejected() -> None:
    assert read_frame([1, 2, 3, 4, 3, 1], 10, 8) == (1, 2, 3, 4, 3, 1)
    for window in ((4, 1), (0, 1), (3, 5)):
        with refused("frame"):
            read_frame((1, 2, 3, 4, *window), 10, 8)


@pytest.mark.parametrize("given", [(0, 0, 10, 8), (9, 7, 1, 1), (0, 7, 10, 1), (9, 0, 1, 8)])
def test_rectangles_may_touch_every_edge_and_be_one_cell_wide(given: tuple[int, ...]) -> None:
    assert read_rectangle(given, 10, 8) == given
