"""Shifts and flips of any figure, against enumeration of all numbers of forged rows."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from privacy.arrays import Array, Whole
from privacy.errors import PrivacyError
from privacy.forged import farthest, flips, ratio_shift

SCORES = (Fraction(-1, 2), Fraction(3, 2), Fraction(0))
ANSWERS = (Fraction(1), Fraction(1), Fraction(-1, 5))
"""Two reports of answers, and a skip."""


@given(st.lists(st.integers(5, 12), min_size=3, max_size=3), st.integers(0, 4))
def test_no_rows_whatever_they_report_move_a_ratio_further(counts: list[int], rows: int) -> None:
    """All multisets of forged reports are left out, in exact fractions; the farthest has equal reports."""

    def ratio(left: tuple[int, ...]) -> Fraction:
        total = sum(n * z for n, z in zip(left, SCORES, strict=True))
        return total / sum(n * a for n, a in zip(left, ANSWERS, strict=True))

    own = ratio(tuple(counts))
    distances = [
        abs(ratio(tuple(n - kinds.count(at) for at, n in enumerate(counts))) - own)
        for kinds in itertools.combinations_with_replacement(range(3), rows)
    ]
    stated = ratio_shift(
        np.array([float(z) for z in SCORES]),
        np.array([float(a) for a in ANSWERS]),
        np.array(counts, dtype=float),
        rows,
    )
    assert float(stated) == pytest.approx(float(max(distances)), abs=1e-12)


def test_a_ratio_without_answers_has_no_bound() -> None:
    assert np.isinf(ratio_shift(np.ones((2, 1)), np.ones(1), np.array([3.0]), 3)).all()
    assert np.isinf(ratio_shift(np.ones(1), np.ones(1), np.zeros(1), 1))
    assert ratio_shift(np.ones((2, 1)), np.ones(1), np.zeros(1), 0).tolist() == [0, 0]


def test_a_figure_that_needs_the_forged_rows_has_no_bound() -> None:
    def read(counts: Array) -> Array:
        if counts[0] < 3:
            raise PrivacyError("no_rows.asked", 0)
        return counts[:1] / counts.sum()

    assert farthest(read, np.array([4.0, 6.0]), 2, [1]).tolist() == pytest.approx([0.1])
    assert np.isinf(farthest(read, np.array([4.0, 6.0]), 2, [0, 1])).all()
    assert farthest(read, np.array([4.0, 6.0]), 0, [0, 1]).tolist() == [0]


def above_a_half(counts: Array) -> Whole:
    """Return 1 if 60% of rows or more are of the second kind, -1 if at most 40% are, and otherwise 0."""
    share = counts[:, 1] / np.maximum(counts.sum(axis=1), 1)
    return (share >= 0.6).astype(np.int64) - (share <= 0.4)


@pytest.mark.parametrize("first", range(1, 15))
@pytest.mark.parametrize("second", range(1, 15))
def test_flips_is_the_least_number_of_rows_of_one_kind(first: int, second: int) -> None:
    counts = np.array([first, second], dtype=float)
    (start,) = above_a_half(counts[None])
    least = None
    for number in range(1, 60):
        cases = []
        for kind in (0, 1):
            changed = counts.copy()
            changed[kind] += -number if start else number
            if changed[kind] >= 0:
                cases.append(changed)
        if cases and any(above_a_half(np.stack(cases)) != start):
            least = number
            break
    assert flips(above_a_half, counts, [0, 1]) == least


def test_a_firm_conclusion_has_no_flips() -> None:
    def never(counts: Array) -> Whole:
        return np.zeros(len(counts), dtype=np.int64)

    def always(counts: Array) -> Whole:
        return np.ones(len(counts), dtype=np.int64)

    counts = np.array([5.0, 0.0])
    assert flips(never, counts, [0, 1], most=1000) is None
    assert flips(always, counts, [0, 1]) is None
    assert flips(always, np.zeros(2), [0, 1]) is None
    assert flips(never, counts, []) is None
