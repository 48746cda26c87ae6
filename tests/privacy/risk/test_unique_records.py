"""Expected numbers of unique records, and their bound, against enumeration."""

import itertools
from collections.abc import Iterator

import numpy as np
import pytest

from privacy.risk.unique_records import expected_unique, most_unique
from tests.fixtures.refusals import refused


def test_many_combinations_make_all_people_unique_and_one_makes_none() -> None:
    assert expected_unique(1000, 10**15) == pytest.approx(1000)
    assert (expected_unique(1000, 1), expected_unique(1, 1)) == (0, 1)
    with refused("n", 0):
        expected_unique(0, 5)


@pytest.mark.parametrize("n", [1, 2, 3, 5, 12, 250])
@pytest.mark.parametrize("combinations", [1, 2, 3, 4])
@pytest.mark.parametrize("sets", [1, 2, 7])
@pytest.mark.few("1-1-1", "7-4-250", why="the ends of all three ranges")
def test_no_distribution_of_answers_makes_more_people_unique_than_the_bound(
    n: int, combinations: int, sets: int
) -> None:
    """Every distribution on a grid of hundredths, and the worst one: all but one answer given by 1 in n."""
    most, steps = most_unique(n, combinations, cells=sets), 100 if combinations < 4 else 40
    grid = (np.diff([0, *cuts, steps]) / steps for cuts in combinations_up_to(combinations - 1, steps))
    found = max(_expected(shares, n, sets) for shares in grid)
    assert found <= most + 1e-9
    assert most_unique(n, combinations, cells=sets) <= n + 1e-9
    if combinations * sets >= n:
        assert most == pytest.approx(_expected(np.full(combinations, 1 / combinations), n, sets))


def combinations_up_to(count: int, most: int) -> Iterator[tuple[int, ...]]:
    """Yield all ascending sequences of `count` numbers from 0 to `most`."""
    return itertools.combinations_with_replacement(range(most + 1), count)


@pytest.mark.parametrize(("n", "combinations"), [(1, 5), (2, 3), (3, 2), (4, 3)])
def test_expected_uniques_match_full_enumeration(n: int, combinations: int) -> None:
    rows = np.stack(np.meshgrid(*[range(combinations)] * n), axis=-1).reshape(-1, n)
    alone = [sum((row == value).sum() == 1 for value in row) for row in rows]
    assert expected_unique(n, combinations) == pytest.approx(float(np.mean(alone)))


def _expected(shares: np.ndarray, n: int, sets: int = 1) -> float:
    """Return the exact expected number of unique rows for these shares of answers and equally likely sets."""
    mine = shares / sets
    return float(n * sets * (mine * (1 - mine) ** (n - 1)).sum())


@pytest.mark.parametrize(("n", "combinations"), [(250, 863), (250, 100), (1000, 713), (30, 15), (12, 5)])
def test_uneven_answers_stay_within_the_bound_in_either_direction(n: int, combinations: int) -> None:
    rng = np.random.default_rng([n, combinations])
    most, even = most_unique(n, combinations), expected_unique(n, combinations)
    rare = np.append(np.full(combinations - 1, min(1 / n, 1 / combinations)), 0.0)
    rare[-1] = 1 - rare.sum()
    shapes = [
        rng.dirichlet(np.full(combinations, size)) for size in (0.01, 0.1, 1, 10, 100) for _ in range(40)
    ]
    figures = [_expected(shares, n) for shares in [rare, *shapes]]
    assert max(figures) <= most + 1e-9
    # The number for even answers is a lower bound of neither kind: uneven ones make fewer rows unique...
    assert min(figures) < even
    # ... and, with few combinations, more.
    assert (max(figures) > even + 1e-9) == (combinations < n)


def test_a_bound_needs_people() -> None:
    with refused("n", 0):
        most_unique(0, 5)
    assert most_unique(100_000, 10**15) == pytest.approx(100_000)
