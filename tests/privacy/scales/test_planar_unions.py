"""Unions of rectangles."""

import pytest

from privacy.scales.planar_unions import components, disjoint, largest_inside


@pytest.mark.parametrize("function", [disjoint, largest_inside, components])
def test_empty_input_gives_an_empty_result(function) -> None:
    assert function([]) == ()


def test_rectangles_are_connected_by_an_edge_of_one_cell_but_not_by_a_corner() -> None:
    cell = (0, 0, 1, 1)
    for other, together in (
        ((1, 0, 1, 1), True),
        ((0, 1, 1, 1), True),
        ((1, 1, 1, 1), False),
        ((2, 0, 1, 1), False),
    ):
        assert len(components([cell, other])) == (1 if together else 2)
