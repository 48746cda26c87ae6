"""Roles proposed for columns: what is left out in any case, what the name says, and the careful choice."""

from __future__ import annotations

import pytest

from anonymisation.deposits.proposals import propose
from tests.fixtures.tables import read_column

MANY = [f"number {number} of them" for number in range(60)]


@pytest.mark.parametrize(
    ("name", "texts", "role", "reason"),
    [
        ("Patient ID", ["1", "2"], "identifier", "identifying_name"),
        ("homeAddress", ["x", "y"], "identifier", "identifying_name"),
        ("income", ["1", "2", "3"], "sensitive", "sensitive_name"),
        ("诊断 疾病", ["a", "b"], "sensitive", "sensitive_name"),
        ("zip code", ["10115", "10117"], "quasi_identifier", "known_name"),
        ("country", ["de", "de"], "quasi_identifier", "known_name"),
        ("wave", ["2", "2"], "insensitive", "one_value"),
        ("shoe", ["41", "38"], "quasi_identifier", "known_perhaps"),
        ("nothing", ["", ""], "identifier", "empty"),
        ("remark", [f"{text} " * 30 for text in MANY], "identifier", "free_text"),
        ("income", MANY, "identifier", "free_text"),
        ("seen", [f"2026-01-{day:02} 10:00" for day in range(1, 29)], "identifier", "time_stamp"),
        ("label", [f"x{number}" for number in range(60)], "identifier", "own_value"),
    ],
)
def test_each_column_has_a_role_and_a_reason(name: str, texts: list[str], role: str, reason: str) -> None:
    found = propose(read_column(name, texts))
    assert (found["role"], found["reason"]) == (role, reason)
    assert role in found["roles"]


@pytest.mark.parametrize("reason", ["free_text", "time_stamp", "empty"])
def test_what_cannot_be_published_can_only_be_left_out(reason: str) -> None:
    texts = {
        "free_text": [f"{text} " * 30 for text in MANY],
        "time_stamp": [f"2026-01-{day:02} 10:00" for day in range(1, 29)],
        "empty": ["", ""],
    }
    assert propose(read_column("x", texts[reason]))["roles"] == ["identifier"]


def test_digits_of_a_code_are_no_amount() -> None:
    assert propose(read_column("zipCode", ["10115", "10117", "20095"]))["kind"] == "categorical"
    assert propose(read_column("age", ["31", "45", "52"]))["kind"] == "numeric"


def test_what_is_stored_of_a_column_holds_no_value_of_it() -> None:
    stored = propose(read_column("town", ["Xanten-Q7", "", "Ulm-Q7"]))
    assert "Q7" not in repr(stored)
    assert (stored["distinct"], stored["missing"], stored["policy"]) == (2, 1, "value")
