"""Whole numbers below a total from a row's random words."""

import numpy as np
import pytest
from numpy.typing import NDArray

from privacy.scales.planar_window import PlanarWindowChannel
from privacy.scales.row_coins import RowCoins, whole_numbers
from privacy.scales.window import WindowChannel
from tests.privacy.scales.test_planar_window import MAPS
from tests.privacy.scales.test_skips import BOUNDED
from tests.privacy.scales.test_window import BANDS


def test_numbers_below_a_total_are_equally_likely() -> None:
    """Of all three-bit words, five are accepted and three are redrawn."""
    asked: list[list[int]] = []

    def words(rows: NDArray[np.intp]) -> NDArray[np.uint32]:
        asked.append(rows.tolist())
        return np.arange(8, dtype=np.uint32) if len(rows) == 8 else np.zeros(len(rows), dtype=np.uint32)

    assert RowCoins(8, words).below(5).tolist() == [0, 1, 2, 3, 4, 0, 0, 0]
    assert asked == [list(range(8)), [5, 6, 7]]


@pytest.mark.parametrize(("limit", "kind"), [(1, "i"), (2**62, "i"), (2**62 + 1, "O"), (10**40, "O")])
def test_whole_numbers_of_any_size_are_exact(limit: int, kind: str) -> None:
    numbers = whole_numbers(np.array([limit - 1], dtype=object), below=limit)
    assert numbers.dtype.kind == kind
    assert int(numbers[0]) == limit - 1


LAWS: dict[str, WindowChannel | PlanarWindowChannel] = {**BANDS, **MAPS, **BOUNDED}


def test_draws_of_any_size_map_to_exact_outputs() -> None:
    """From 2^62 on, Python's integers are used; nothing else changes."""
    kinds = {whole_numbers(np.zeros(1, dtype=int), below=law.total).dtype.kind for law in LAWS.values()}
    assert kinds == {"i", "O"}
