import pytest
from hypothesis import given
from hypothesis import strategies as st

from privacy.scales.area import Area
from privacy.scales.planar_degrees import cells_of, degrees_of, middle_in


def _cells(box: tuple[int, int, int, int]) -> list[tuple[int, int]]:
    return [(x, y) for x in range(box[0], box[0] + box[2]) for y in range(box[1], box[1] + box[3])]


AREA = Area(west=-50_000, south=-30_000, east=70_000, north=50_000, columns=12, rows=8)


@given(st.integers(0, 11), st.integers(0, 7), st.integers(1, 12), st.integers(1, 8))
def test_whole_cell_rectangles_survive_conversion_to_degrees(x: int, y: int, width: int, height: int) -> None:
    box = (x, y, min(width, 12 - x), min(height, 8 - y))
    assert cells_of(AREA, degrees_of(AREA, box)) == box


def test_touched_cells_are_sensitive_and_rectangles_clipped_to_the_area() -> None:
    assert cells_of(AREA, {"west": -1, "south": 0.00001, "east": 0.0010001, "north": 0.0011}) == (0, 3, 7, 2)


def test_a_square_larger_than_the_map_has_its_middle() -> None:
    """The map is from -.005 to .007 degrees east, and from -.003 to .005 degrees north."""
    assert middle_in(AREA, 0, 0, 12) == pytest.approx((0.001, 0.001))
    assert middle_in(AREA, 0, 0, 2) == pytest.approx((-0.004, -0.002))
