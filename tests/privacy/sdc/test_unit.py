"""People with several records are recognised, whatever names their columns have."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privacy.errors import PrivacyError
from privacy.sdc.record_owners import Repeated, person_key, repeated_columns
from privacy.sdc.unit import ALIKE, RECORDS, Counting, People, _equal_check, _question, counting_of
from privacy.tables.columns import ReadTable
from tests.fixtures.tables import table_of


def people_of(table: ReadTable, left_out: set[str], *columns: str, statement: str = "") -> People | None:
    """Return the people of a table, as the publisher decides."""
    found = repeated_columns(column for column in table.columns if column.name in left_out)
    return counting_of(table, found, statement=statement, columns=columns).people


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.sampled_from("abcdef"), st.sampled_from("xy")), min_size=1, max_size=12))
def test_people_are_distinguished_by_identifier_or_by_whole_record(pairs: list[tuple[str, str]]) -> None:
    rows = [list(pair) for pair in pairs]
    for header, key, stated in ((["nr", "b"], lambda row: row[0], ""), (["a", "b"], tuple, ALIKE)):
        named = () if stated else ("nr",)
        if named and len({row[0] for row in rows}) == 1 < len(rows):
            continue
        people = people_of(ReadTable.of_rows(header, rows), {header[0]}, *named, statement=stated)
        different = len({key(row) for row in rows})
        if different == len(rows):
            assert people is None
        else:
            assert people is not None
            assert people.count == different
            same = {(key(row), int(number)) for row, number in zip(rows, people.number, strict=True)}
            assert len(same) == different
        assert people_of(ReadTable.of_rows(header, rows), {header[0]}, statement=RECORDS) is None


def test_every_column_that_repeats_is_asked_about_whatever_its_name() -> None:
    """Attack: sixty people with six records each, under names that no list of names contains."""
    for name in (
        "nr",
        "pid",
        "caseid",
        "subject",
        "hhid",
        "patient_id",
        "id",
        "day",
        "remark",
        "编号",
        "zzz",
        "",
    ):
        rows = [[str(1000 + number // 6), str(number), "f"] for number in range(360)]
        table = ReadTable.of_rows([name, "visit", "sex"], rows)
        with pytest.raises(PrivacyError) as asked:
            people_of(table, {name, "visit"})
        assert (asked.value.case, asked.value.value) == ("people.repeated", 60)
        assert (asked.value.fields["name"], asked.value.fields["most"]) == (name, 6)
        assert people_of(table, {name, "visit"}, statement=RECORDS) is None
        counted = people_of(table, {name, "visit"}, name)
        assert counted is not None
        assert (counted.columns, counted.count) == ((name,), 60)


def test_columns_that_name_no_one_are_not_asked_about() -> None:
    rows = [[str(number), "", "same", ["NA", "x"][number == 3]] for number in range(40)]
    table = ReadTable.of_rows(["unique", "empty", "constant", "once"], rows)
    assert people_of(table, {"unique", "empty", "constant", "once"}) is None
    with pytest.raises(PrivacyError) as refused:
        people_of(table, {"constant"}, "constant")
    assert refused.value.case == "people.one"
    for name in ("empty", "once"):
        with pytest.raises(PrivacyError) as refused:
            people_of(table, {name}, name)
        assert (refused.value.case, refused.value.fields["name"]) == ("people.empty", name)


def test_spellings_of_one_person_count_once() -> None:
    """Spreadsheets and programs write one number as 7, 7.0 and 007, and people add blanks and capitals."""
    spellings = ["7", "7.0", "007", " 7", "P 8", "p  8", "Ｐ 8", "100000", "1e+05", "9"]
    table = ReadTable.of_rows(["nr"], [[text] for text in spellings])
    with pytest.raises(PrivacyError) as asked:
        people_of(table, {"nr"})
    assert (asked.value.case, asked.value.value) == ("people.repeated", 4)
    people = people_of(table, {"nr"}, "nr")
    assert people is not None
    assert people.number.tolist() == [0, 0, 0, 0, 1, 1, 1, 2, 2, 3]
    assert people.merged == 5
    said = list(counting_of(table, (), columns=["nr"]).notes())
    assert said[0].startswith("5 spellings in nr: equal to another one")


def test_two_columns_can_name_a_person_together() -> None:
    """Households repeat and members repeat; only both together are a person, with three waves each."""
    rows = [[f"h{home}", str(member), "x"] for _ in range(3) for home in range(20) for member in range(2)]
    table = ReadTable.of_rows(["hh", "member", "sex"], rows)
    with pytest.raises(PrivacyError) as asked:
        people_of(table, {"hh", "member"})
    assert asked.value.case == "people.repeated.several"
    assert asked.value.value == "hh: 20 × 6; member: 2 × 60; hh + member: 40 × 3"
    people = people_of(table, {"hh", "member"}, "hh", "member")
    assert people is not None
    assert (people.columns, people.count) == (("hh", "member"), 40)
    # The coarser level is a choice too, and the release says what was not used.
    found = repeated_columns(table.columns[:2])
    counting = counting_of(table, found, columns=["hh"])
    assert counting.people is not None
    assert counting.people.count == 20
    assert list(counting.notes()) == [
        "As you decided, these columns repeat but do not distinguish people: member (2 values)."
    ]


def test_contradictory_statements_are_refused() -> None:
    table = ReadTable.of_rows(["nr", "sex"], [[str(number // 2), "f"] for number in range(20)])
    with pytest.raises(PrivacyError) as refused:
        people_of(table, {"nr"}, "nr", statement=RECORDS)
    assert (refused.value.case, refused.value.value) == ("people.both", 10)


@pytest.mark.soak
def test_a_hundred_thousand_records_are_counted_in_linear_work() -> None:
    """Each value is read once: the number of calls grows with the values, not with their pairs."""
    rows = [[str(number // 6), str(number % 7), str(number)] for number in range(100_000)]
    table = ReadTable.of_rows(["nr", "wave", "line"], rows)
    calls = 0
    with pytest.MonkeyPatch.context() as patch:

        def counted(text: str, original: Any = person_key) -> str:
            nonlocal calls
            calls += 1
            return original(text)

        patch.setattr("privacy.sdc.record_owners.person_key", counted)
        people = people_of(table, {"nr", "wave", "line"}, "nr")
    assert people is not None
    assert people.count == 16_667
    assert calls <= 2 * sum(len(column.values) for column in table.columns)


TITANIC = {
    "1st Male": {"Child": (0, 5), "Adult": (118, 57)},
    "1st Female": {"Child": (0, 1), "Adult": (4, 140)},
    "2nd Male": {"Child": (0, 11), "Adult": (154, 14)},
    "2nd Female": {"Child": (0, 13), "Adult": (13, 80)},
    "3rd Male": {"Child": (35, 13), "Adult": (387, 75)},
    "3rd Female": {"Child": (17, 14), "Adult": (89, 76)},
    "Crew Male": {"Adult": (670, 192)},
    "Crew Female": {"Adult": (3, 20)},
}


def test_equal_rows_in_a_narrow_table_are_different_people() -> None:
    """The Titanic's 2,201 people have 24 different rows in four columns, but are not 24 people."""
    header = ["class", "sex", "agegroup", "survived"]
    rows = [
        [*who.split(), age, survived]
        for who, ages in TITANIC.items()
        for age, counts in ages.items()
        for survived, n in zip(("No", "Yes"), counts, strict=True)
        for _ in range(n)
    ]
    assert len(rows) == 2201
    assert people_of(ReadTable.of_rows(header, rows), set()) is None
    with_copies = people_of(ReadTable.of_rows(header, rows), set(), statement=ALIKE)
    assert with_copies is not None
    assert with_copies.count == 24


def test_more_duplicate_rows_than_random_are_queried() -> None:
    rng = np.random.default_rng(3)
    rows = [[str(cell) for cell in row] for row in rng.integers(0, 10, (400, 8)).tolist()]
    header = list("abcdefgh")
    assert people_of(ReadTable.of_rows(header, rows), set()) is None
    copied = [*rows, *rows[:3]]
    with pytest.raises(PrivacyError) as asked:
        people_of(ReadTable.of_rows(header, copied), set())
    assert (asked.value.case, asked.value.value) == ("people.alike", 6)
    assert people_of(ReadTable.of_rows(header, copied), set(), statement=RECORDS) is None
    alike = people_of(ReadTable.of_rows(header, copied), set(), statement=ALIKE)
    assert alike is not None
    assert alike.count == 400


@pytest.mark.parametrize(
    ("number", "mean"),
    # The 1% quantiles of chi-square with 2, 4 and 6 degrees of freedom, halved, for 1, 2 and 3 equal pairs.
    [([0, 0, 1, 2], 0.02010067 / 2), ([0, 0, 1, 1, 2], 0.29710948 / 2), ([0, 0, 0, 1, 2], 0.87209033 / 2)],
)
def test_equal_records_are_queried_if_chance_makes_them_with_less_than_one_percent(
    number: list[int], mean: float
) -> None:
    """The number of equal pairs is compared with a Poisson variable of twice the expected mean."""
    n_pairs = len(number) * (len(number) - 1) / 2
    few, many = (mean / 2 / n_pairs * factor for factor in (0.99, 1.01))
    _equal_check(np.array(number), [many])
    _equal_check(np.array(number), [many**0.5, many**0.5])
    with pytest.raises(PrivacyError) as caught:
        _equal_check(np.array(number), [few])
    assert caught.value.value == sum(number.count(one) > 1 for one in number)
    _equal_check(np.array([0, 1, 2]), [few])


def test_people_are_numbered_among_the_records_that_a_table_keeps() -> None:
    people = People(columns=("id",), number=np.array([4, 2, 4, 0, 2]), merged=1)
    table = table_of(["town"], [("a",), ("b",), ("c",)])
    assert people.count == 5
    kept = replace(table, source_rows=np.array([0, 2, 3]))
    assert people.of(kept).tolist() == [1, 1, 0]  # type: ignore[union-attr]
    assert people.of(replace(table, source_rows=np.array([0, 1, 3]))) is None
    document = Counting(why=ALIKE, people=people).document
    assert (document["unit"], document["columns"], document["merged"]) == ("people", ["id"], 1)
    document = Counting(why=RECORDS).document
    assert (document["unit"], document["columns"], document["merged"]) == ("records", [], 0)


@pytest.mark.parametrize(("count", "end"), [(2, "c1: 2 × 3"), (4, "c3: 2 × 3"), (6, "c3: 2 × 3; … (+2)")])
def test_the_question_names_four_repeating_columns_and_counts_the_others(count: int, end: str) -> None:
    found = [Repeated(columns=(f"c{number}",), values=2, records=6, most=3) for number in range(count)]
    asked = _question(found, 9, None)
    assert asked.case == "people.repeated.several"
    assert str(asked.value).endswith(end)
