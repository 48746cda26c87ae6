"""Checks and attacks of a table equal counts in dictionaries, in records and in people."""

import math
from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from privacy.sdc.classes import Classes, ClassMatrix
from privacy.sdc.requirements import Verdict
from privacy.sdc.table import Column
from privacy.sdc.table_attack import attack
from privacy.sdc.verification import _disclosure_risks, _missing, figures_of, verify
from privacy.tables.columns import ReadTable
from tests.fixtures.refusals import refused
from tests.fixtures.tables import codes_column

ROWS = st.lists(
    st.tuples(st.sampled_from("abc"), st.sampled_from("xy"), st.sampled_from("12345"), st.sampled_from("pq")),
    min_size=2,
    max_size=30,
).filter(lambda rows: len({row[2] for row in rows}) > 1)


@given(ROWS)
def test_classes_values_and_people_are_counted(rows: list[tuple[str, str, str, str]]) -> None:
    table = ReadTable.of_rows(["town", "ill", "nr", "room"], rows)
    for person in ("", "nr"):
        people, values, rooms = defaultdict(set), defaultdict(set), defaultdict(set)
        in_town = defaultdict(set)
        for number, (town, ill, owner, room) in enumerate(rows):
            one = owner if person else str(number)
            people[town].add(one)
            values[town].add((ill, one))
            rooms[room].add(one)
            in_town[town, room].add(one)
        columns = {"quasi_identifiers": "town", "sensitive": "ill", "respondent": person or ()}
        check, result = verify(table, **columns), attack(table, **columns)
        sizes = {town: len(own) for town, own in people.items()}
        assert (check.k, check.classes) == (min(sizes.values()), len(sizes))
        assert check.people == (len({row[2] for row in rows}) if person else None)
        # Someone who finds the class knows a value that everyone in it has.
        certain = sum(
            size
            for town, size in sizes.items()
            if any(len({one for value, one in values[town] if value == ill}) == size for ill in "xy")
        )
        if not person:
            assert result.certain["ill"] == certain
            assert check.l == min(len({ill for ill, _one in own}) for own in values.values())
        targets = len({row[2] for row in rows}) if person else len(rows)
        assert result.targets == targets
        if not person:
            assert result.fewest == min(sizes.values())
            assert result.identified == sum(size == 1 for size in sizes.values())
        alone = {one for own in rooms.values() if len(own) == 1 for one in own}
        assert check.alone.get("room", 0) == result.alone.get("room", 0) == len(alone)
        # Someone who knows the town and the room.
        both = {one for own in in_town.values() if len(own) == 1 for one in own}
        assert check.alone_in_class.get("room", len(alone)) == len(both)


def test_a_weight_that_two_people_of_different_classes_share_is_named() -> None:
    """Alone, no weight is unique. Before, verify named none of them."""
    rows = [(town, "xy"[nr % 2], f"0.{nr}") for town in "ab" for nr in range(1, 6)]
    check = verify(ReadTable.of_rows(["town", "ill", "w"], rows), quasi_identifiers="town", sensitive="ill")
    assert (check.alone, check.alone_in_class) == ({}, {"w": 10})
    assert "Together with the quasi-identifiers, these columns single out records: w (10 records)." in str(
        check.summary()
    )


def test_texts_and_json_state_the_counts_and_the_verdicts() -> None:
    """Both classes have two people; in b, both are ill with y."""
    rows = [("a", "x", "1"), ("a", "y", "2"), ("b", "y", "3"), ("b", "y", "4"), ("b", "y", "4")]
    table = ReadTable.of_rows(["town", "ill", "nr"], rows)
    check = verify(table, quasi_identifiers="town", sensitive="ill", respondent="nr", k=2, distinct_l=2)
    lines = check.summary().splitlines()
    assert lines[:4] == [
        "5 records, 0 suppressed, 2 classes",
        "ill: k required 2, reached 2: holds",
        "ill: distinct_l required 2, reached 1: FAILS",
        "Counted in people: the records belong to 4 people.",
    ]
    assert "smallest class: 2 people, with 1 or more sensitive values" in lines
    assert repr(check) == "<5 records, k = 2 people, l = 1>"
    plain = check.plain()
    assert (plain["holds"], plain["people"], plain["classes"]) == (False, 4, 2)
    assert "repeated" not in plain
    assert [(one["model"], one["holds"]) for one in plain["verdicts"]] == [("k", True), ("distinct_l", False)]
    alone = verify(ReadTable.of_rows(["town", "nr"], [row[::2] for row in rows]), quasi_identifiers="town")
    assert alone.l is None
    assert repr(alone) == "<5 records, k = 2 records>"
    assert alone.summary().splitlines()[-1] == "smallest class: 2 records"
    assert "repeated" in alone.plain()
    assert any(line.startswith("Counted in records.") for line in alone.lines())
    with refused("no_sensitive"):
        verify(ReadTable.of_rows(["town"], [("a",), ("a",)]), quasi_identifiers="town", distinct_l=2)


def test_one_record_alone_is_one_record() -> None:
    check = verify(ReadTable.of_rows(["town"], [("a",), ("b",), ("b",)]), quasi_identifiers="town")
    assert repr(check) == "<3 records, k = 1 record>"
    assert check.summary().splitlines()[-1] == "smallest class: 1 record"


def test_infinite_figures_are_words_and_missing_ones_are_left_out() -> None:
    verdict = Verdict(model="t", sensitive="ill", asked=0.5, reached=math.inf, holds=False)
    assert figures_of(verdict) == {
        "model": "t", "sensitive": "ill", "asked": 0.5, "reached": "infinite", "holds": False
    }  # fmt: skip


def test_texts_that_count_as_missing_are_counted_one_by_one() -> None:
    column = Column(
        name="ill", role="sensitive", kind="categorical", values=("", "?", "NA", "flu"),
        codes=np.array([3, 2, 0, 3, 2]), missing=frozenset({"", "?", "NA"}),
    )  # fmt: skip
    assert _missing(column) == {"": 1, "NA": 2}


def test_one_of_four_classes_with_a_single_value_is_a_quarter():
    classes = Classes.from_numbers([0, 0, 0, 1, 1, 2, 2, 3, 3])
    column = codes_column("ill", [0, 0, 0, 0, 1, 0, 1, 0, 1])
    found = _disclosure_risks(ClassMatrix.of(classes, column), column.values)
    assert found["one_value_classes"] == {"classes": 1, "records": 3, "share_of_classes": 0.25}


@pytest.mark.parametrize(
    ("values", "repeated"),
    [("aab", {"x": 2}), ("aabbc", {"x": 3}), ("abc", {}), ("aaa", {}), (["a", "a", "", ""], {})],
)
def test_columns_with_repeated_values_could_number_people(
    values: list[str], repeated: dict[str, int]
) -> None:
    """Neither a value for each record nor one for all can."""
    table = ReadTable.of_rows(["town", "x"], [["t", value] for value in values])
    check = verify(table, quasi_identifiers="town")
    assert check.repeated == repeated
    lines = [line for line in check.lines() if line.endswith(" values).") and "repeat" in line]
    listed = [f"{name} ({number} values)" for name, number in repeated.items()]
    assert lines == [f"Columns that were not checked and repeat: {one}." for one in listed]


def test_one_sensitive_column_does_not_divide_classes_of_another_unless_asked_to() -> None:
    """In a, two of four are ill with x; of the two who earn least, both are."""
    rows = [("a", "x", "low"), ("a", "x", "low"), ("a", "y", "high"), ("a", "z", "high")]
    table = ReadTable.of_rows(["town", "ill", "pay"], rows)

    def alpha(*sensitive: str, strict: bool = False) -> float:
        return (
            verify(table, quasi_identifiers="town", sensitive=sensitive, multi_attribute=strict)
            .measures[0]
            .alpha
        )

    assert (alpha("ill"), alpha("ill", "pay"), alpha("ill", "pay", strict=True)) == (0.5, 0.5, 1)
