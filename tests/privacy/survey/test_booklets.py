"""Booklets: which sets of questions devices draw, and how these are numbered."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

from privacy.errors import PrivacyError
from privacy.survey.booklets import MOST_LISTED, Booklets

SIZES = [(total, size) for total in range(2, 8) for size in range(1, total)]
LISTED = ((0, 1, 2), (0, 3, 4), (1, 3, 5), (2, 4, 5))


@pytest.mark.parametrize(("total", "size"), SIZES)
def test_all_sets_are_numbered_in_lexicographic_order(total, size):
    booklets = Booklets(key="money", total=total, size=size)
    wanted = list(itertools.combinations(range(total), size))
    assert [booklets[number] for number in range(booklets.count)] == wanted == list(booklets)
    assert [booklets.number_of(booklet) for booklet in wanted] == list(range(len(wanted)))
    for other in range(total + 1):
        if other != size:
            assert all(booklets.number_of(few) is None for few in itertools.combinations(range(total), other))


@pytest.mark.parametrize("listed", [None, LISTED])
def test_share_asked_counts_booklets_with_all_given_questions(listed):
    booklets = Booklets(key="money", total=6, size=3, listed=listed)
    everyone = list(booklets)
    for size in range(5):
        for wanted in itertools.combinations(range(6), size):
            holding = sum(set(wanted) <= set(booklet) for booklet in everyone)
            assert booklets.share_asked(wanted) == Fraction(holding, len(everyone))


def test_listed_booklets_are_numbered_in_order():
    booklets = Booklets(key="money", total=6, size=3, listed=LISTED)
    assert [booklets[number] for number in range(4)] == list(LISTED)
    assert booklets.number_of((3, 0, 4)) == 1
    assert booklets.number_of((0, 1, 3)) is None


def test_large_booklet_numbers_are_exact():
    booklets = Booklets(key="money", total=56, size=25)
    last = booklets[booklets.count - 1]
    assert last == tuple(range(31, 56))
    assert booklets.number_of(last) == math.comb(56, 25) - 1


@pytest.mark.parametrize(
    ("total", "size", "listed", "code"),
    [
        (4, 0, None, "questions_per_person"),
        (4, 4, None, "questions_per_person"),
        (1, 1, None, "questions_per_person"),
        (4, True, None, "questions_per_person"),
        (60, 30, None, "questions_per_person"),
        (4, 2, ((0, 1),), "booklets"),
        (4, 2, (), "booklets"),
        (4, 2, "01", "list"),
        (4, 2, ((0, 1), (0, 1), (2, 3)), "booklets"),
        (4, 2, ((2, 3), (0, 1)), "booklets"),
        (4, 2, ((1, 0), (2, 3)), "booklets"),
        (4, 2, ((0, 0), (0, 1), (2, 3)), "booklets"),
        (4, 2, ((0, 1), (1, 2)), "booklets"),
        (4, 2, ((0, 1), (2, 4)), "booklets"),
        (4, 2, ((0, 1), (2, 3), (2, 4)), "booklets"),
        (4, 2, ((-1, 1), (0, 1), (2, 3)), "booklets"),
        (4, 2, ((0, 1), (2,)), "booklets"),
        (4, 2, ((0, 1), (2, 2.5)), "booklets"),
        (4, 2, ((0, 1), 7), "list"),
        (20, 10, tuple(itertools.combinations(range(20), 10))[: MOST_LISTED + 1], "booklets"),
    ],
)
def test_invalid_booklets_are_rejected(total, size, listed, code):
    with pytest.raises(PrivacyError) as refusal:
        Booklets(key="money", total=total, size=size, listed=listed)
    assert refusal.value.code == code or (code == "list" and refusal.value.code == "malformed")


def test_the_least_booklet_has_the_smallest_product_of_weights():
    weights = (5, 2, 3, 4)
    assert Booklets(key="m", total=4, size=2).least(weights) == (1, 2)
    listed = Booklets(key="m", total=4, size=2, listed=((0, 1), (0, 2), (1, 3), (2, 3)))
    assert listed.least(weights) == (1, 3)
    assert Booklets(key="m", total=4, size=2).least([Fraction(1, weight) for weight in weights]) == (0, 3)


def test_the_size_is_stored_as_a_plain_number():
    assert type(Booklets(key="money", total=4, size=np.int64(2)).size) is int


@pytest.mark.parametrize("positions", [(0, 0), (1, 1), (-1, 0), (2, 4), (0,), (0, 1, 2), (0, 1, 1), ()])
def test_only_distinct_questions_of_the_block_have_a_number(positions):
    assert Booklets(key="money", total=4, size=2).number_of(positions) is None


def test_booklets_are_drawn_up_to_a_number(monkeypatch):
    """Two of four questions make six booklets."""
    monkeypatch.setattr("privacy.survey.booklets.MOST_DRAWN", 6)
    assert Booklets(key="money", total=4, size=2).count == 6
    monkeypatch.setattr("privacy.survey.booklets.MOST_DRAWN", 5)
    with pytest.raises(PrivacyError) as refusal:
        Booklets(key="money", total=4, size=2)
    assert refusal.value.code == "questions_per_person"
