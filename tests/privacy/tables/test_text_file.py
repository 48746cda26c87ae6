"""Text files are read whole, or refused with the record and the reason."""

import io

import pytest

from privacy.tables.columns import ReadTable
from privacy.tables.text_file import lines_table, separator_of, text_read
from tests.fixtures.refusals import refused


def test_the_separator_divides_the_longest_run_of_lines() -> None:
    assert separator_of(["a;b", "1,5;2,5", "3,5;4,5"]) == ";"
    assert separator_of(["Survey, May", "", "a\tb", "1\t2", "3\t4"]) == "\t"
    # Of two signs that divide equally many lines, the one that gives more cells.
    assert separator_of(["a,b;c;d"]) == ";"
    # Lines of one cell are no run, however many there are.
    assert separator_of(["Survey", "of", "May", "a;b", "1;2"]) == ";"
    # Texts of one column can contain bars.
    assert separator_of(["a|b", "1|2"]) == "|"
    assert separator_of(["answer", "red|blue", "green|red"]) == ","
    assert separator_of([]) == ","


def read(text: str | bytes, *, most_cells: int = 1000) -> ReadTable:
    raw = text if isinstance(text, bytes) else text.encode()
    return text_read(io.BytesIO(raw), most_cells=most_cells)


def test_each_record_keeps_the_line_on_which_it_begins() -> None:
    table = read('age,note\n1,"two\nlines"\n\n2,b\n')
    assert table.lines.tolist() == [2, 5]
    assert list(table.rows()) == [("1", "two\nlines"), ("2", "b")]
    # The line that states the separator counts, too.
    table = read('sep=;\nage;note\n1;"two\nlines"\n2;b\n')
    assert (table.header, table.lines.tolist()) == (["age", "note"], [3, 5])


@pytest.mark.parametrize("first", ["sep=|", '"sep=|"', "SEP=|"])
def test_a_stated_separator_overrules_the_likely_one(first: str) -> None:
    table = read(f"{first}\na,b|c\n1,5|2\n")
    assert (table.header, list(table.rows())) == (["a,b", "c"], [("1,5", "2")])
    # A tab disappears at the end of the line.
    assert read("sep=\t\na,b\tc\n1,5\t2\n").header == ["a,b", "c"]


def test_only_encodings_other_than_utf_8_are_said() -> None:
    assert [each.key for each in read("town,age\nKöln,3\n").decisions] == []
    latin = read("town,age\nKöln,3\n".encode("cp1252"))
    assert list(latin.rows()) == [("Köln", "3")]
    assert [each.key for each in latin.decisions] == ["encoding"]


def test_a_file_may_have_exactly_the_largest_number_of_cells() -> None:
    text = "a,b\n1,2\n3,4\n5,6\n"
    assert len(read(text, most_cells=6)) == 3
    with refused("table_file", 2):
        read(text, most_cells=5)


def test_records_of_another_length_are_refused_by_their_line() -> None:
    # Empty cells beyond the header are dropped.
    assert list(read("a,b\n1,2,, \n3,4\n").rows()) == [("1", "2"), ("3", "4")]
    with refused("table_file", 4, 2, 1):
        read("a,b\n1,2\n3,4\n5\n6,7\n")
    with refused("table_file", 3, 2):
        read("a,b\n1,2\n3,4,5\n6,7\n")
    with refused("table_file", 2):
        read('a,b\n1,"2\n')


def test_two_rows_of_labels_below_the_header_are_no_records() -> None:
    lines = [
        (1, ["Q1", "Q2"]),
        (2, ["How old are you?", "Do you smoke?"]),
        (3, ['{"ImportId":"QID1"}', '{"ImportId":"QID2"}']),
        (4, ["31", "yes"]),
        (5, ["45", "no"]),
    ]
    table = lines_table(iter(lines), most_cells=100)
    assert [column.label for column in table.columns] == ["How old are you?", "Do you smoke?"]
    assert list(table.rows()) == [("31", "yes"), ("45", "no")]
    # Without the row of identifiers, all are records.
    assert len(lines_table(iter([*lines[:2], *lines[3:]]), most_cells=100)) == 3
    assert len(lines_table(iter(lines[:2]), most_cells=100)) == 1


def test_padded_records_may_be_shorter_and_widen_the_table() -> None:
    lines = [(1, ["a", "b"]), (2, ["1"]), (3, ["2", "3", "4"]), (4, ["5", "6"])]
    table = lines_table(iter(lines), most_cells=100, is_padded=True)
    assert list(table.rows()) == [("1", "", ""), ("2", "3", "4"), ("5", "6", "")]
    # A column without a name and without a cell is dropped at the end only.
    table = lines_table(iter([(1, ["a", "", "c", ""]), (2, ["1", "", "3", ""])]), most_cells=100)
    assert table.header == ["a", "", "c"]


def test_blocks_are_watched_and_their_characters_counted() -> None:
    watched: list[None] = []
    counted: list[int] = []
    lines = iter([(1, ["a", "b"]), (2, ["one", "2"]), (3, ["three", ""])])
    lines_table(lines, most_cells=100, watch=lambda: watched.append(None), limits=counted.append)
    assert (len(watched), counted) == (1, [3 + 1 + 5])
