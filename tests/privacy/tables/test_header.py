"""Headers are found among the lines of a file; what is left out or renamed is said."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privacy.errors import PrivacyError
from privacy.tables.column_names import name_columns
from privacy.tables.columns import ReadTable
from privacy.tables.header import _header_line, _is_above_numbers
from privacy.tables.table_file import file_table

RECORDS = "30,m,flu\n31,f,cold\n" * 20


def read(text: str) -> ReadTable:
    return name_columns(file_table("a.csv", io.BytesIO(text.encode())))


@pytest.mark.parametrize(
    ("above", "header", "below", "said"),
    [
        ("Survey of 2024,,\n,,\n", "age,sex,ill\n", "", ["above"]),
        ("Survey of 2024\n\n", "age,sex,ill\n", "", ["above"]),
        ("Survey of 2024\nFielded in May\n", "age,sex,ill\n", "", ["above"]),
        ("Survey of 2024;a\n", "age,sex,ill\n", "", ["above"]),
        ("Survey of 2024,,\nmade on,2024-05-01,\n,,\n", "age,sex,ill\n", "", ["above"]),
        ("Author,Ann Lee,\nn,40,\n", "age,sex,ill\n", "", ["above"]),
        ("", "age,sex,ill\n", "\nSource: own,,\nWeighted,,\n", ["below"]),
        ("", "age,sex,ill\n", ",,\nSource: own,,\n", ["below"]),
        ("\n\n", "age,sex,ill\n", "", []),
        ("", "age,sex,ill\n", "", []),
    ],
)
def test_titles_and_notes_are_no_records(above: str, header: str, below: str, said: list[str]) -> None:
    table = read(above + header + RECORDS + below)
    assert (table.header, len(table)) == (["age", "sex", "ill"], 40)
    assert [each.key for each in table.decisions] == said


@pytest.mark.parametrize(
    ("header", "names"),
    [
        (",sex,ill\n", ["column 1", "sex", "ill"]),
        ("id,,\n", ["id", "column 2", "column 3"]),
        ("age,,ill\n", ["age", "column 2", "ill"]),
    ],
)
def test_a_header_with_gaps_stays_the_header(header: str, names: list[str]) -> None:
    table = read(header + "Ann,m,flu\nBob,f,cold\n" * 20)
    assert (table.header, len(table)) == (names, 40)
    assert {each.key for each in table.decisions} == {"unnamed"}


def test_the_names_of_groups_become_labels_or_part_of_equal_names() -> None:
    table = read("Person,,Health,\nage,sex,ill,drug\n" + "30,m,flu,a\n31,f,cold,b\n" * 20)
    assert table.header == ["age", "sex", "ill", "drug"]
    assert [column.label for column in table.columns][1:3] == ["Person: sex", "Health: ill"]
    table = read("id,Before,,After,\n,ill,drug,ill,drug\n" + "1,flu,a,flu,b\n2,cold,b,flu,a\n" * 20)
    assert table.header == ["id", "Before ill", "Before drug", "After ill", "After drug"]
    assert [each.key for each in table.decisions] == ["joined"]


def test_a_record_in_place_of_the_header_is_refused() -> None:
    with pytest.raises(PrivacyError, match="looks like a record"):
        read(RECORDS)
    # Years are names, and programs number columns that have none.
    for header in ("region,2019,2020\n", "0,1,2\n", "1,2,3\n"):
        table = read(header + "north,5,6\nsouth,7,8\n" * 20)
        assert (len(table), [each.key for each in table.decisions]) == (40, ["number"])
    assert read("1,2,3\n" + "5,6,7\n" * 20).header == ["1", "2", "3"]
    assert read("0,1,2\n" + "5,6,7\n" * 20).header == ["0", "1", "2"]
    for record in ("-1,0,1\n", "2,3,4\n", "1,3,5\n"):
        with pytest.raises(PrivacyError, match="looks like a record"):
            read(record + "5,6,7\n" * 20)


@given(st.lists(st.tuples(st.integers(0, 99), st.sampled_from(["m", "f", ""])), min_size=3, max_size=30))
def test_files_without_titles_lose_no_record(rows: list[tuple[int, str]]) -> None:
    file = io.StringIO()
    csv.writer(file).writerows([("age", "sex"), *rows])
    assert list(read(file.getvalue()).rows()) == [(str(age), sex) for age, sex in rows]


def test_texts_that_look_the_same_are_one_value() -> None:
    table = read("town,ill\n" + "K\u00f6ln,flu\nKo\u0308ln,cold\n" * 20)
    assert table.column("town").values == ("K\u00f6ln",)
    assert [str(each) for each in table.decisions] == [
        "Some texts in “town” look the same, but consist of different characters. They were joined."
    ]


def test_a_first_record_of_texts_is_refused() -> None:
    """Before, it became the names of the columns, and a person was lost without a word."""
    rows = [
        f"{['north', 'south'][n % 2]},{'fm'[n // 2 % 2]},{['flu', 'cold'][n // 4 % 2]}" for n in range(40)
    ]
    with pytest.raises(PrivacyError, match="looks like a record"):
        read("\n".join(rows))
    with pytest.raises(PrivacyError, match="looks like a record"):
        read("north,f\nsouth,m\n" * 20)
    assert read("region,sex,ill\n" + "\n".join(rows)).header == ["region", "sex", "ill"]


@pytest.mark.parametrize(
    ("header", "ending", "again"),
    [("age,sex,ill", "", ""), ("age,sex,ill", "", ","), ("age,sex,ill,", ",", ""), ("age,sex,ill", "", ",,")],
)
@pytest.mark.parametrize("repeats", [1, 4])
def test_headers_of_joined_files_are_not_records(header: str, ending: str, again: str, repeats: int) -> None:
    """Spreadsheets end some lines with empty cells."""
    records = RECORDS.replace("\n", f"{ending}\n") * repeats
    table = read(f"{header}\n{records}age,sex,ill{again}\n{records}")
    assert (table.header, len(table)) == (["age", "sex", "ill"], 80 * repeats)
    assert [each.key for each in table.decisions] == ["headers"]


@pytest.mark.parametrize(("text", "is_name"), [("age", True), ("NA", False), ("20", False), (" ", False)])
def test_only_a_name_above_numbers_shows_a_header(text: str, is_name: bool) -> None:
    records = [(number, [str(number), f"p{number}", f"q{number}"]) for number in range(21, 40)]
    lines = [(1, ["Survey", "Ann", ""]), (2, [text, "p0", "q0"]), *records]
    assert _is_above_numbers(lines, 1) == is_name


@pytest.mark.parametrize(("title", "at"), [(["a"], 1), (["a", "b"], 1), (["a", "b", "c"], 0)])
def test_a_title_above_texts_fills_at_most_half_of_the_cells(title: list[str], at: int) -> None:
    records = [(number, [f"{letter}{number}" for letter in "wxyz"]) for number in range(3, 12)]
    lines = [(1, [*title, *[""] * (4 - len(title))]), (2, ["town", "sex", "ill", "drug"]), *records]
    assert _header_line(lines) == at
