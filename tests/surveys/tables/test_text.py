"""Texts of cells: signs, encodings and heads are found out, and lines are numbered as editors count."""

from __future__ import annotations

import pytest

from surveys.tables.reading import table_read
from tests.fixtures.host_files import csv_of


@pytest.mark.parametrize("sign", [",", ";", "\t"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "gb18030"])
def test_signs_and_encodings_are_found_out(sign: str, encoding: str) -> None:
    lines = [["北京市", "31", "a, b; c"], ["上海市", "45", "first\nsecond"], ["成都市", "27", "end"]]
    raw = csv_of(["城市", "年龄", "备注"], lines, sign=sign).decode().encode(encoding)
    table = table_read("people.csv", raw)
    assert (table.header, [list(row) for row in table.rows()]) == (["城市", "年龄", "备注"], lines)
    # As editors count them: a cell of two lines takes two.
    assert table.lines.tolist() == [2, 3, 5]


def test_letters_with_accents_of_an_old_spreadsheet_are_read() -> None:
    raw = "Straße;Größe\nMüllerweg;1,75\nAllée;1,80\n".encode("cp1252")
    assert list(table_read("a.csv", raw).rows()) == [("Müllerweg", "1,75"), ("Allée", "1,80")]


def test_the_heads_of_qualtrics_are_labels_and_no_people() -> None:
    heads = [["Response ID", "How old are you?"], ['{"ImportId":"_recordId"}', '{"ImportId":"QID1"}']]
    table = table_read("a.csv", csv_of(["id", "q1"], [*heads, ["R1", "31"], ["R2", "45"]]))
    assert (list(table.rows()), table.lines.tolist()) == ([("R1", "31"), ("R2", "45")], [4, 5])
    assert [column.label for column in table.columns] == ["Response ID", "How old are you?"]


@pytest.mark.parametrize("sign", [";", ",", "\t", "|"])
def test_a_stated_separator_is_obeyed_and_its_line_is_no_header(sign: str) -> None:
    raw = f'sep={sign}\nage{sign}note\n31{sign}"a{sign}b, c; d"\n45{sign}x\n'.encode()
    table = table_read("people.csv", raw)
    assert table.header == ["age", "note"]
    assert [row[0] for row in table.rows()] == ["31", "45"]
    assert table.lines.tolist() == [3, 4]


def test_a_stated_separator_comes_before_the_more_frequent_one() -> None:
    table = table_read("people.csv", b"sep=;\na,b;c,d\n1,5;2,5\n")
    assert (table.header, list(table.rows())) == (["a,b", "c,d"], [("1,5", "2,5")])
