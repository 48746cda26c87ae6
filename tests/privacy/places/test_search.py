"""The search finds the best size, and looks at few."""

from __future__ import annotations

import pytest

from privacy.places.search import best_of, climb


@pytest.mark.parametrize("best", [1, 2, 37, 399, 400])
def test_one_minimum_is_found_wherever_it_lies(best: int) -> None:
    looked: list[int] = []

    def build(size: int) -> int:
        looked.append(size)
        return size

    assert best_of(build, range(1, 401), lambda size: abs(size - best)) == best
    assert len(looked) == len(set(looked)) < 40
    assert climb(build, 200, 400, lambda size: abs(size - best)) == best


def test_sizes_that_make_nothing_are_passed_over() -> None:
    def odd(size: int) -> int | None:
        return size if size % 2 else None

    assert best_of(odd, range(1, 30), lambda size: abs(size - 12)) in (11, 13)


def test_a_walk_stops_at_the_ends() -> None:
    assert climb(lambda size: size, 1, 1, lambda _size: 0.0) == 1
    assert climb(lambda size: size, 5, 5, lambda size: -size) == 5
