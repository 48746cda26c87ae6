"""Columns of texts and codes, compared with lists of rows; the smallest type of codes; lines and bytes."""

import itertools
import unicodedata

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from privacy.tables.columns import (
    ReadColumn,
    ReadTable,
    TableBuilder,
    column_body,
    column_pack,
    column_read,
    column_unpack,
)

ROWS = st.lists(st.tuples(*[st.sampled_from(["a", "b", "", " a", "é", "e\u0301"])] * 2), max_size=12)


@given(ROWS)
def test_a_table_returns_the_stripped_and_composed_texts_of_its_rows(rows: list[tuple[str, str]]) -> None:
    table = ReadTable.of_rows([" x ", "e\u0301"], rows)
    expected = [tuple(unicodedata.normalize("NFC", cell.strip()) for cell in row) for row in rows]
    assert table.header == ["x", "é"]
    assert [*table.rows()] == expected
    assert len(table) == len(rows)
    # Line 1 is the header.
    assert table.lines.tolist() == [at + 2 for at in range(len(rows))]
    for place, column in enumerate(table.columns):
        texts = [row[place] for row in expected]
        assert column.values == tuple(dict.fromkeys(texts))
        assert column.texts == texts
        assert column.counts == {text: texts.count(text) for text in texts}
    numbers = table.record_numbers().tolist()
    for one, other in itertools.combinations(range(len(rows)), 2):
        assert (numbers[one] == numbers[other]) == (expected[one] == expected[other])


def test_texts_that_only_look_the_same_are_joined_and_said() -> None:
    table = ReadTable.of_rows(["a", "b"], [["é", "é"], ["e\u0301", "é"]])
    assert [(each.key, each.fields["name"]) for each in table.decisions] == [("composed", "a")]
    assert [column.values for column in table.columns] == [("é",), ("é",)]
    assert [*ReadTable.of_rows(["a"], [["é"], [" é"]]).decisions] == []


def test_batches_and_added_columns_become_one_table() -> None:
    builder = TableBuilder(["a"])
    builder.add([["x"], ["y"]])
    builder.widen(2)
    builder.add([["x", "1"]], lines=[9])
    builder.add([["y", ""], ["z", "2"]])
    builder.add([])
    table = builder.table()
    assert (table.header, builder.n) == (["a", ""], 5)
    assert [*table.rows()] == [("x", ""), ("y", ""), ("x", "1"), ("y", ""), ("z", "2")]
    assert table.lines.tolist() == [2, 3, 9, 5, 6]
    assert table.columns[1].values == ("", "1", "2")
    wide = TableBuilder(["a"])
    wide.widen(3)
    wide.add([["x", "1", "2"]])
    assert [column.values for column in wide.table().columns] == [("x",), ("1",), ("2",)]
    empty = TableBuilder(["a", "b"]).table()
    assert (len(empty), empty.header, empty.columns[0].values) == (0, ["a", "b"], ())


@pytest.mark.parametrize(
    ("distinct", "kind"), [(256, "uint8"), (257, "uint16"), (65_536, "uint16"), (65_537, "int32")]
)
def test_codes_have_the_smallest_type_that_holds_them(distinct: int, kind: str) -> None:
    builder = TableBuilder(["a"])
    builder.add_columns([[str(number) for number in range(distinct)]])
    column = builder.table().columns[0]
    assert column.codes.dtype == kind
    assert column.codes.tolist() == list(range(distinct))


def test_columns_are_found_by_name_and_texts_replaced_in_them_only() -> None:
    table = ReadTable.of_rows(["a", "b", "a"], [["1", "1", "3"], ["2", "2", "4"]])
    assert table.column("a").values == ("1", "2")
    with pytest.raises(KeyError, match="c"):
        table.column("c")
    changed = table.with_texts({"b": {"1": "2"}})
    assert [*changed.rows()] == [("1", "2", "3"), ("2", "2", "4")]
    assert changed.codes[1][0] == ("2",)
    assert changed.columns[0] is table.columns[0]


def test_labels_replace_values_and_declared_missing_ones_become_empty() -> None:
    builder = TableBuilder(["sex"])
    builder.add([["1"], ["2"], ["9"], ["3"]])
    labels = {"sex": {"1": "f", "2": "m", "9": "refused"}}
    table = builder.table(value_labels=labels, missing_codes={"sex": ("9",)}, label={"other": "no"})
    assert table.columns[0].label == ""
    assert [*table.with_labels().rows()] == [("f",), ("m",), ("",), ("3",)]


def test_columns_survive_as_bytes() -> None:
    column = ReadColumn(
        name="s", values=("é", "\ud83d", ""), codes=np.array([0, 1, 2, 1], dtype=np.uint16),
        label="L", value_labels={"é": "E"}, missing_codes=("9",),
    )  # fmt: skip
    for back in (
        column_read(column_body(column)),
        column_read(memoryview(column_body(column))),
        column_unpack(column_pack(column)),
    ):
        assert (back.name, back.values, back.label) == (column.name, column.values, "L")
        assert (back.value_labels, back.missing_codes) == ({"é": "E"}, ("9",))
        assert (back.codes.tolist(), back.codes.dtype) == ([0, 1, 2, 1], np.uint16)
    assert "é".encode() in column_body(column)
    assert len(column_pack(replace_codes(column, 9_000))) < len(column_body(replace_codes(column, 9_000)))


def replace_codes(column: ReadColumn, n: int) -> ReadColumn:
    return ReadColumn(name=column.name, values=column.values, codes=np.zeros(n, dtype=np.uint8))
