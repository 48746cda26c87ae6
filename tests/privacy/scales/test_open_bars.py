"""Bars of ten people or none, whatever the answers are."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from privacy.scales.open_bars import coarsened, first_bins, merged, spread_evenly

PEOPLE = st.lists(st.integers(0, 25), min_size=1, max_size=40).map(np.array)


@given(PEOPLE, st.integers(1, 4), st.lists(st.integers(0, 39), max_size=4))
def test_each_bar_has_enough_people_or_none(people: np.ndarray, step: int, preferred: list[int]) -> None:
    ends = [end for end in preferred if 0 < end < len(people)]
    bars = first_bins(people, least=10, units=range(0, len(people), step), preferred=ends)
    assert bars[0] == 0
    assert bars == sorted(set(bars))
    sums = np.add.reduceat(people, bars)
    if people.sum() >= 10:
        assert all(count == 0 or count >= 10 for count in sums)
    else:
        assert bars == [0]
    # Neighbours without people are one bar inside each preferred range.
    empty = [bar for bar, count in zip(bars, sums, strict=True) if count == 0]
    assert len(empty) <= len(people)


@given(PEOPLE)
def test_bars_are_as_fine_as_the_minimum_allows(people: np.ndarray) -> None:
    """If every bin has enough people, each is a bar."""
    full = people + 10
    assert first_bins(full, least=10, units=range(len(full))) == list(range(len(full)))


@given(PEOPLE, PEOPLE)
def test_later_rows_only_merge_bars(people: np.ndarray, other: np.ndarray) -> None:
    other = np.resize(other, len(people))
    bars = first_bins(people, least=10, units=range(len(people)))
    later = merged(bars, other, least=10)
    assert set(later) <= set(bars)
    sums = np.add.reduceat(other, later)
    assert other.sum() < 10 or all(count == 0 or count >= 10 for count in sums)


@given(PEOPLE)
def test_spreading_keeps_the_number_of_people_in_each_bar_and_nothing_else(people: np.ndarray) -> None:
    bars = first_bins(people, least=10, units=range(len(people)))
    spread = spread_evenly(people, bars)
    assert np.add.reduceat(spread, bars).tolist() == np.add.reduceat(people, bars).tolist()
    # Two people who swap values inside a bar change nothing.
    for first, last in zip(bars, [*bars[1:], len(people)], strict=True):
        assert spread[first:last].max() - spread[first:last].min() <= 1
    assert spread_evenly(spread, bars).tolist() == spread.tolist()


@given(PEOPLE)
def test_coarse_scores_are_constant_inside_a_bar(people: np.ndarray) -> None:
    bars = first_bins(people, least=10, units=range(len(people)))
    scores = np.stack([np.arange(len(people) + 1.0), np.ones(len(people) + 1)])
    coarse = coarsened(scores, bars, len(people))
    assert coarse[:, -1].tolist() == scores[:, -1].tolist()
    for first, last in zip(bars, [*bars[1:], len(people)], strict=True):
        assert np.allclose(coarse[0, first:last], (first + last - 1) / 2)
