"""Unions of rectangles."""

import pytest

from privacy.scales.planar_unions import components, disjoint, largest_inside


@pytest.mark.parametrize("function", [disjoint, largest_inside, components])
def test_empty_input_gives_an_empty_result(function) -> None:
    assert function([]) == ()


@pytest.mark.parametrize(
    ("first", "second", "number"),
    [
        ((0, 0, 2, 1), (1, 1, 2, 1), 1),
        ((1, 0, 2, 1), (0, 1, 2, 1), 1),
        ((0, 0, 1, 1), (1, 1, 1, 1), 2),
        ((0, 0, 1, 1), (2, 0, 1, 1), 2),
    ],
    ids=["an edge", "an edge on the other side", "a corner", "apart"],
)
def test_rectangles_are_connected_by_an_edge_of_one_cell_but_not_by_a_corner(first, second, number) -> None:
    assert len(components([first, second])) == number
