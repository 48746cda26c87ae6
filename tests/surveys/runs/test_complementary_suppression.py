"""Complementary suppression: hidden figures cannot be derived from published ones."""

import numpy as np
import pytest

from surveys.runs import complementary_suppression as module
from surveys.runs.complementary_suppression import (
    ComplementarySuppression,
    PublishedTotals,
    complementary_suppression,
    is_derivable,
)


def rank(table: np.ndarray) -> int:
    return int(np.linalg.matrix_rank(table)) if table.size else 0


def is_given(told: np.ndarray, wanted: np.ndarray) -> bool:
    """Return whether a sum is a linear combination of published sums, by comparing ranks."""
    return rank(np.vstack([told, wanted])) == rank(told)


def everybody(parts: int, **totals: np.ndarray) -> PublishedTotals:
    given = {"dense": np.ones((1, parts)), "loose": np.zeros((0, parts)), "loss": np.zeros(0)}
    return PublishedTotals(**{**given, **totals})


def checked(
    found: ComplementarySuppression,
    people: np.ndarray,
    totals: PublishedTotals,
    few_totals: np.ndarray,
    least: float,
) -> None:
    told = np.vstack([totals.dense, totals.loose[~found.totals]])[:, found.parts]
    for place in range(int(found.parts.sum())):
        assert not is_given(told, np.eye(told.shape[1])[[place]])
    for wanted in few_totals[:, found.parts]:
        assert not is_given(told, wanted[None, :])
    assert not found.parts.any() or people[found.parts].sum() >= least


def test_deducible_totals_match_a_rank_computation() -> None:
    rng = np.random.default_rng(8)
    some = 0
    for _ in range(200):
        told = rng.integers(0, 2, size=(rng.integers(1, 5), 6)).astype(float)
        wanted = rng.integers(0, 3, size=(4, 6)).astype(float)
        found = [is_given(told, row[None, :]) for row in np.eye(6)]
        assert is_derivable(told).tolist() == found
        assert is_derivable(told, wanted).tolist() == [is_given(told, row[None, :]) for row in wanted]
        some += sum(found)
    assert some > 20


@pytest.mark.slow
def test_published_totals_never_reveal_a_hidden_part_or_sum() -> None:
    rng = np.random.default_rng(4)
    beside = kept_back = 0
    for _ in range(300):
        parts = int(rng.integers(20, 40))
        people = np.round(rng.gamma(0.7, 40, size=parts), 1)
        middles = np.arange(parts) - (parts - 1) / 2
        bands = np.array([(np.arange(parts) < cut).astype(float) for cut in rng.integers(8, 12, size=1)])
        regions = np.array([(np.arange(parts) // 5 == place).astype(float) for place in range(3)])
        few_regions = (people * regions).sum(axis=1) < 60
        totals = everybody(
            parts,
            dense=np.array([np.ones(parts), middles, *bands]),
            loose=regions[~few_regions],
            loss=(people * regions[~few_regions]).sum(axis=1),
        )
        few = people < 4
        found = complementary_suppression(people, few, totals, few_totals=regions[few_regions], least=10)
        assert (found.parts >= few).all()
        if found.parts.all():
            continue
        checked(found, people, totals, regions[few_regions], 10)
        beside += int((found.parts & ~few).sum())
        kept_back += int(found.totals.sum())
    assert beside > 100
    assert kept_back > 10


def test_suppression_hides_nothing_without_small_parts_and_little_with_one() -> None:
    none = np.zeros((0, 5))
    people = np.array([50.0, 20, 3, 70, 12])
    nobody = complementary_suppression(
        people, np.zeros(5, dtype=bool), everybody(5), few_totals=none, least=10
    )
    assert not nobody.parts.any()
    # If a mean is published too, hiding two is not enough.
    for dense, hidden in ((np.ones((1, 5)), [2, 4]), (np.array([np.ones(5), np.arange(5) - 2.0]), [1, 2, 4])):
        found = complementary_suppression(
            people, people < 10, everybody(5, dense=dense), few_totals=none, least=10
        )
        assert np.flatnonzero(found.parts).tolist() == hidden


def test_a_second_region_is_hidden_if_regions_cover_the_map() -> None:
    regions = np.repeat(np.eye(3), 4, axis=1)
    people = np.array([2.0, 2, 2, 1, 30, 4, 9, 8, 90, 3, 5, 60])
    first = regions[:1]
    totals = everybody(12, loose=regions[1:], loss=np.array([51.0, 158.0]))
    found = complementary_suppression(people, people < 10, totals, few_totals=first, least=10)
    assert found.totals.tolist() == [True, False]
    checked(found, people, totals, first, 10)


@pytest.mark.parametrize("shown", [True, False])
def test_a_hidden_total_has_a_hidden_part(shown: bool) -> None:
    people = np.array([30.0, 20, 40, 15, 5 if not shown else 25, 60])
    two = np.array([[1.0, 1, 0, 0, 0, 0]])
    found = complementary_suppression(people, people < 10, everybody(6), few_totals=two, least=10)
    assert found.parts[:2].any()
    checked(found, people, everybody(6), two, 10)


def test_the_smallest_other_part_in_the_same_totals_is_related() -> None:
    people = np.array([1.0, 5, 2, 9, 4, 3])
    regions = np.array([[1.0, 1, 1, 0, 0, 0], [0, 0, 0, 1, 1, 1]])
    totals = everybody(6, loose=regions, loss=np.array([8.0, 16.0]))

    def related(hidden: list[int], given: list[int], published: list[bool]) -> list[int]:
        flags = [np.isin(np.arange(6), places) for places in (hidden, given)]
        return module._related(*flags, np.array(published), totals, people)

    assert related([0], [0], [True, True]) == [2]
    assert related([0, 2], [0], [True, True]) == [1]
    assert related([0, 1, 2], [0], [True, True]) == []
    assert sorted(related([0, 3], [0, 3], [True, True])) == [2, 5]
    # Without published regions, all parts are in the same totals.
    assert related([0], [0], [False, False]) == [2]
    assert related([0, 2], [0], [False, False]) == [5]


@pytest.mark.parametrize(("second", "hidden"), [(7, [1, 2]), (6.5, [1, 2, 3])])
def test_hidden_parts_have_at_least_this_many_people_together(second: float, hidden: list[int]) -> None:
    people = np.array([40.0, second, 3, 30])
    found = complementary_suppression(people, people < 5, everybody(4), few_totals=np.zeros((0, 4)), least=10)
    assert np.flatnonzero(found.parts).tolist() == hidden
