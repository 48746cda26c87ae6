"""Regressions with too few rows or events are refused, by the design alone."""

import numpy as np
import pytest

from privacy.policy import LEAST_EVENTS_PER_COEFFICIENT
from privacy.regression.few_rows import check_events, check_rows
from tests.fixtures.refusals import refused

NUMBER = 2
LEAST = LEAST_EVENTS_PER_COEFFICIENT * NUMBER


def check(p: float, sums: float, squares: float | None = None, number: int = NUMBER) -> None:
    """Check rows whose yes/no reports are true with probability p, and otherwise a fair coin."""
    channel = np.array([[(1 + p) / 2, (1 - p) / 2], [(1 - p) / 2, (1 + p) / 2]])
    weights, squared = (np.array([[total / 4, 3 * total / 4]]) for total in (sums, squares or sums))
    check_rows(channel[None], np.array([0]), weights, squared, number=number)


def test_a_row_counts_as_the_square_of_p() -> None:
    """With p = .5, four rows are worth one."""
    check(1.0, LEAST)
    check(0.5, 4 * LEAST)
    with refused("regression", "worth 19", NUMBER):
        check(0.5, 4 * (LEAST - 1))
    check(0.5, 1, number=0)


def test_unequal_weights_count_as_fewer_rows() -> None:
    """Weights of 1 and 3 in equal numbers are worth (2 m)² / (5 m) = .8 m of m rows."""
    rows = LEAST * 10 // 8
    check(1.0, 2 * rows, 5 * rows)
    with refused("regression", "worth 19", NUMBER):
        check(1.0, 2 * (rows - 1), 5 * (rows - 1))


@pytest.mark.parametrize("number", [1, 3])
def test_events_for_each_coefficient(number: int) -> None:
    least = LEAST_EVENTS_PER_COEFFICIENT * number
    check_events(float(least), "skip", number)
    with refused("regression", "skip", str(least)):
        check_events(least - 0.01, "skip", number)
