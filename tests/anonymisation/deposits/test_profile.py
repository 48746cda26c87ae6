"""What is in a column at a glance, and which columns tell a protected one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from anonymisation.deposits.profile import profile_of, telling
from anonymisation.deposits.proposals import propose
from anonymisation.deposits.reading import given_up
from tests.fixtures.tables import read_column


def seen(name: str, texts: list[str]) -> dict:
    column = read_column(name, texts)
    return profile_of(column, propose(column))


def test_numbers_have_ends_a_middle_and_bars_without_what_is_missing() -> None:
    found = seen("income", ["1,000", "3,000", "2,000", "-9", "NA", ""] * 5)
    assert (found["span"], found["changed"]) == (["1000", "2000", "3000"], "1,000")
    assert (found["bars"][0], found["bars"][-1], len(found["bars"])) == ("█", "█", 12)


def test_categories_have_examples_with_counts_and_labels() -> None:
    column = replace(read_column("sex", ["1", "2", "1"]), value_labels={"1": "male"})
    found = profile_of(column, propose(column))
    assert (found["examples"], found["bars"]) == ([["1 = male", 2], ["2", 1]], "█▄")


def test_a_date_of_which_day_and_month_could_change_places_is_named() -> None:
    found = seen("visit", ["2021-05-06", "3/4/2021"])
    assert (found["ambiguous"], found["days"]) == ("3/4/2021", ["2021-04-03", "2021-03-04"])
    assert seen("visit", ["2021-05-06", "13/4/2021", "3/4/2021"])["ambiguous"] == ""


RNG = np.random.default_rng(4)
ALIVE = RNG.random(400) < 0.7
NOISY = np.where(RNG.random(400) < 0.02, ~ALIVE, ALIVE)
HALF = np.where(RNG.random(400) < 0.5, ~ALIVE, ALIVE)


@pytest.mark.parametrize(
    ("beside", "role", "tells"),
    [
        (np.where(ALIVE, "yes", "no"), "insensitive", True),
        (np.where(ALIVE, RNG.choice(["a", "b"], 400), "c"), "quasi_identifier", True),
        (np.where(NOISY, "yes", "no"), "insensitive", False),
        (np.where(HALF, "yes", "no"), "insensitive", False),
        # Of 400 values of 400 people each settles its own: by chance, not because it says it.
        (np.arange(400).astype(str), "quasi_identifier", False),
        (np.where(ALIVE, "yes", "no"), "sensitive", False),
        (np.where(ALIVE, "yes", "no"), "identifier", False),
    ],
)
def test_a_column_tells_another_where_it_settles_it(beside: np.ndarray, role: str, tells: bool) -> None:
    codes = {"beside": np.unique(beside, return_inverse=True)[1], "survived": ALIVE.astype(np.int64)}
    roles = [{"name": "beside", "role": role}, {"name": "survived", "role": "sensitive"}]
    wanted = {"beside": ["survived"]} if tells else {}
    assert telling(codes, roles) == wanted


@pytest.mark.parametrize(("errors", "tells"), [(0, True), (5, True), (6, False), (50, False)])
def test_of_a_hundred_unknown_values_a_column_that_tells_leaves_five_at_most(
    errors: int, tells: bool
) -> None:
    # 900 are alive; who guesses so of everybody is wrong of 100.
    survived = np.repeat([1, 0], [900, 100])
    beside = survived.copy()
    beside[900 : 900 + errors] = 1
    roles = [{"name": "beside", "role": "insensitive"}, {"name": "survived", "role": "sensitive"}]
    assert telling({"beside": beside, "survived": survived}, roles) == (
        {"beside": ["survived"]} if tells else {}
    )


def test_a_value_of_fewer_than_five_records_settles_by_chance() -> None:
    roles = [{"name": "beside", "role": "insensitive"}, {"name": "survived", "role": "sensitive"}]
    for each, named in ((5, True), (4, False)):
        beside = np.repeat(np.arange(40), each)
        assert bool(telling({"beside": beside, "survived": beside % 2}, roles)) is named


@pytest.mark.parametrize(
    ("told", "weight", "sentence"),
    [
        (0.0199, 1.0, "If you leave it out, the others keep more."),
        (0.0199, 0.1, "because its weight is small."),
        (0.0201, 1.0, ""),
        (0.0201, 0.1, ""),
    ],
)
def test_a_column_that_keeps_under_two_percent_of_its_bits_is_named(
    told: float, weight: float, sentence: str
) -> None:
    whole = weight + 1.0
    losses = [
        {"name": "age", "entropy": 3.0, "information": told * 3.0, "weight": weight / whole},
        {"name": "sex", "entropy": 1.0, "information": 1.0, "weight": 1.0 / whole},
        {"name": "one value", "entropy": 0.0, "information": 0.0, "weight": 0.0},
    ]
    named = given_up(losses)
    assert len(named) == bool(sentence)
    assert all("“age” carries no information any more" in one and one.endswith(sentence) for one in named)
