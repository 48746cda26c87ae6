"""Values are grouped by what stands before a sign, or by the first characters of codes, or not at all."""

import pytest

from privacy.sdc.beginnings import _first_characters, beginnings


def test_the_part_before_a_sign_comes_before_the_first_characters() -> None:
    codes = ["J10-1", "J10-2", "J10-3", "J20-1", "J20-2", "J20-3"]
    assert beginnings(codes) == dict.fromkeys(codes[:3], "J10 …") | dict.fromkeys(codes[3:], "J20 …")


def test_codes_without_a_sign_are_grouped_by_two_characters() -> None:
    codes = ["4711", "4712", "4713", "5211", "5212", "5213"]
    assert beginnings(codes) == dict.fromkeys(codes[:3], "47 …") | dict.fromkeys(codes[3:], "52 …")


@pytest.mark.parametrize(
    "values",
    [
        ["a-1", "a-2", "a-3", "b-1", "b-2"],
        ["a-1", "a-2", "a-3", "a-4", "a-5", "a-6"],
        ["a-1", "b-1", "c-1", "d-1", "e-1", "f-1"],
        ["a", "a-1", "a-2", "b-1", "b-2", "b-3"],
        ["flu", "cold", "mumps", "measles", "rubella", "angina"],
    ],
    ids=["five values", "one group", "groups of one", "a group that is a value", "words"],
)
def test_other_values_are_not_grouped(values: list[str]) -> None:
    assert beginnings(values) is None


def test_codes_have_four_characters_and_a_digit() -> None:
    assert [_first_characters(value) for value in ("A123", "A12", "ABCD", "12345")] == ["A1", "", "", "12"]


def test_groups_hold_two_values_on_average() -> None:
    assert beginnings(["a-1", "a-2", "b-1", "b-2", "c-1", "c-2"]) is not None
    assert beginnings(["a-1", "a-2", "b-1", "c-1", "d-1", "d-2"]) is None
