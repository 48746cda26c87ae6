from __future__ import annotations

import pytest

from privacy.scales.rectangles import overlap, painted, read_frame, read_rectangle
from tests.cast.refusals import refused


def test_an_overlap_is_what_painting_both_finds() -> None:
    boxes = [(x, y, w, h) for x in (0, 2) for y in (0, 1, 3) for w in (1, 3) for h in (1, 2)]
    for first in boxes:
        for second in boxes:
            both = painted([first], 8, 8) & painted([second], 8, 8)
            assert overlap(first, second) == both.sum()


@pytest.mark.parametrize(
    "given", [(0, 0, 0, 3), (0, 0, 11, 3), (8, 0, 3, 3), (0, 6, 3, 3), (0, 0, 1), (0.5, 0, 1, 1), "0011"]
)
def test_a_rectangle_that_is_empty_outside_or_no_rectangle_is_refused(given: object) -> None:
    with refused("rectangle"):
        read_rectangle(given, 10, 8)


def test_a_frame_smaller_than_its_window_is_refused() -> None:
    assert read_frame([1, 2, 3, 4, 3, 1], 10, 8) == (1, 2, 3, 4, 3, 1)
    for window in ((4, 1), (0, 1), (3, 5)):
        with refused("frame"):
            read_frame((1, 2, 3, 4, *window), 10, 8)
