"""Unions of rectangles."""

import pytest

from privacy.scales.planar_unions import components, disjoint, largest_inside


@pytest.mark.parametrize("function", [disjoint, largest_inside, components])
def test_empty_input_gives_an_empty_result(function) -> None:
    assert function([]) == ()
