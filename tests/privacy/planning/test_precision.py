"""Precision before anyone has answered."""

import math

import pytest

from privacy.planning.power import REACH, AskedItem, AskedPair
from privacy.planning.precision import change_half_width, half_width, people_needed, people_to_show_share


def even(truth: float, share: float = 0.5, *, skipped: float = 0.0, asked: float = 1.0) -> AskedItem:
    return AskedItem(truth=truth, decoy=0.5 * (1 - skipped), share=share, share_asked=asked)


@pytest.mark.parametrize(("truth", "points"), [(0.4, 12.2), (0.6, 8.2), (0.8, 6.1)])
def test_half_widths_of_two_wanted_questions_match_for_400_people(truth: float, points: float) -> None:
    assert round(100 * half_width(even(truth), 400), 1) == points


def test_the_number_of_people_needed_is_minimal() -> None:
    item = even(0.4, 0.2, asked=0.5)
    n = people_needed(100, widths=[half_width(item, 100)], rates=[0.5])
    assert half_width(item, n) <= 0.25
    assert n == 200 or half_width(item, n - 1) > 0.25
    wide = even(0.2, 0.2)
    n = people_needed(100, widths=[half_width(wide, 100)], rates=[1])
    assert half_width(wide, n) <= 0.25 < half_width(wide, n - 1)
    assert people_needed(1, widths=[], rates=[1, 0]) == people_needed(1, widths=[math.inf], rates=[1]) > 10**9


def asked(truth: float, share: float) -> AskedItem:
    return AskedItem(truth=truth, decoy=0.5 if truth < 1 else 0, share=share)


@pytest.mark.parametrize("p", [0.4, 0.6, 0.9])
def test_the_width_of_a_net_change_is_that_of_the_pairs_cells(p: float) -> None:
    """E[h^2] = (p changed + (1 - p)/2)/p^2 under one coin; separate coins cost more."""
    then, now = (AskedItem(truth=p, decoy=0.5, share=share) for share in (0.1, 0.08))
    changed = 0.1 * 0.92 + 0.08 * 0.9
    one = change_half_width(AskedPair(first=then, second=now, skipped=0.0), 1000)
    squares = (p * changed + (1 - p) / 2) / p**2
    assert one == pytest.approx(REACH * math.sqrt((squares - 0.02**2) / 1000))
    apart = change_half_width(AskedPair(first=then, second=now, skipped=None), 1000)
    assert apart == pytest.approx(math.hypot(half_width(then, 1000), half_width(now, 1000)))
    assert one < apart
    half = change_half_width(AskedPair(first=then, second=now, skipped=0.0, together=0.25), 1000)
    assert half == pytest.approx(2 * one)


def test_a_share_within_25_points_needs_the_variance_of_a_half_width() -> None:
    """1.96 sqrt(4 / n) = .25 if n = 4 (7.84)^2 = 245.9 people are asked: twice as many if half are."""
    assert people_to_show_share(4.0, 1.0) == pytest.approx(245.86, abs=0.01)
    assert people_to_show_share(4.0, 0.5) == pytest.approx(491.7, abs=0.1)
