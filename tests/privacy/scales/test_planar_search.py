"""The search finds the best size, and looks at few."""

from __future__ import annotations

from itertools import pairwise

import pytest

from privacy.scales.planar_search import best_of, spread


@pytest.mark.parametrize("best", [1, 2, 37, 399, 400])
def test_one_minimum_is_found_wherever_it_lies(best: int) -> None:
    looked: list[int] = []

    def build(size: int) -> int:
        looked.append(size)
        return size

    assert best_of(build, range(1, 401), lambda size: abs(size - best)) == best
    assert len(looked) == len(set(looked)) < 40


def test_sizes_that_make_nothing_are_passed_over() -> None:
    def odd(size: int) -> int | None:
        return size if size % 2 else None

    assert best_of(odd, range(1, 30), lambda size: abs(size - 12)) in (11, 13)


def test_sizes_are_spread_by_their_ratios_and_keep_both_ends() -> None:
    found = spread(range(1, 1001))
    assert (found[0], found[-1]) == (1, 1000)
    assert len(found) <= 48
    assert all(b <= 1.2 * a + 1 for a, b in pairwise(found))
