"""Profiles of columns."""

from dataclasses import replace

import pytest

from anonymisation.releases.column_profile import profile_of
from privacy.sdc.proposals import propose
from tests.anonymisation.releases.test_columns import MANY
from tests.fixtures.tables import read_column

pytestmark = pytest.mark.django_db


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
        ("nr", ["1", "2"], "identifier", "identifying_name"),
        ("order", [str(number) for number in range(60, 0, -1)], "identifier", "own_value"),
        ("size", [str(number) for number in range(2, 62)], "quasi_identifier", "known_perhaps"),
    ],
)
def test_each_column_is_proposed_a_role_and_a_reason(
    name: str, texts: list[str], role: str, reason: str
) -> None:
    found = propose(read_column(name, texts))
    assert (found["role"], found["reason"]) == (role, reason)
    assert role in found["roles"]


def seen(name: str, texts: list[str]) -> dict:
    column = read_column(name, texts)
    return profile_of(column, propose(column))


def test_profiles_of_numbers_ignore_missing_values() -> None:
    found = seen("income", ["1,000", "3,000", "2,000", "-9", "NA", ""] * 5)
    assert (found["span"], found["changed"]) == (["1000", "2000", "3000"], "1,000")


def test_the_median_of_decimals_has_no_digits_of_the_machine() -> None:
    # In floating point it is 1.4353500000000001.
    assert seen("wide", ["0.5", "1.43", "1.4407", "2"])["span"] == ["0.5", "1.43535", "2"]


def test_categories_show_examples_with_counts_and_labels() -> None:
    column = replace(read_column("sex", ["1", "2", "1"]), value_labels={"1": "male"})
    found = profile_of(column, propose(column))
    assert found["examples"] == [["1 = male", 2], ["2", 1]]


def test_an_ambiguous_day_and_month_is_reported() -> None:
    found = seen("visit", ["2021-05-06", "3/4/2021"])
    assert (found["ambiguous"], found["days"]) == ("3/4/2021", ["2021-04-03", "2021-03-04"])
    assert seen("visit", ["2021-05-06", "13/4/2021", "3/4/2021"])["ambiguous"] == ""
