"""What is in a column at a glance, and which columns tell a protected one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from releases.deposits.profile import profile_of, telling
from releases.deposits.proposals import propose
from surveys.tables.table import ReadTable
from tests.cast.tables import read_column


def seen(name: str, texts: list[str]) -> dict:
    column = read_column(name, texts)
    return profile_of(column, propose(column).plain())


def test_numbers_have_ends_a_middle_and_bars_without_what_is_missing() -> None:
    found = seen("income", ["1,000", "3,000", "2,000", "-9", "NA", ""] * 5)
    assert (found["span"], found["changed"]) == (["1000", "2000", "3000"], "1,000")
    assert (found["bars"][0], found["bars"][-1], len(found["bars"])) == ("█", "█", 12)


def test_categories_have_examples_with_counts_and_labels() -> None:
    column = replace(read_column("sex", ["1", "2", "1"]), value_labels={"1": "male"})
    found = profile_of(column, propose(column).plain())
    assert (found["examples"], found["bars"]) == ([["1 = male", 2], ["2", 1]], "█▄")


def test_a_date_of_which_day_and_month_could_change_places_is_named() -> None:
    found = seen("visit", ["2021-05-06", "3/4/2021"])
    assert (found["ambiguous"], found["read_as"]) == ("3/4/2021", "2021-04-03")
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
    rows = [[str(one), "alive" if two else "dead"] for one, two in zip(beside, ALIVE, strict=True)]
    roles = [{"name": "beside", "role": role}, {"name": "survived", "role": "sensitive"}]
    wanted = {"beside": ["survived"]} if tells else {}
    assert telling(ReadTable.of_rows(["beside", "survived"], rows), roles) == wanted
