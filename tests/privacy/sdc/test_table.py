from dataclasses import replace

import numpy as np
import pytest

from privacy.errors import PrivacyError
from privacy.sdc.column_rule import ColumnRule
from privacy.sdc.table import Table
from tests.fixtures.tables import refusal_of_table

QUASI = ColumnRule(name="age", role="quasi_identifier", kind="numeric")


def test_columns_without_a_role_are_rejected_by_name():
    error = refusal_of_table([["1", "x"]], [QUASI], ("age", "job"))
    assert error.code == "no_role"
    assert "'job'" in str(error)


def test_duplicate_column_names_are_refused():
    assert refusal_of_table([["1", "2"]], [QUASI], ("age", "age")).code == "duplicate_column"


def test_duplicate_column_rules_are_rejected():
    assert refusal_of_table([["1"]], [QUASI, QUASI]).code == "duplicate_rule"


def test_rules_for_unknown_columns_list_the_known_ones():
    rules = [QUASI, ColumnRule(name="zip", role="insensitive")]
    assert "choose one of age" in str(refusal_of_table([["1"]], rules))


def test_rows_of_the_wrong_length_are_rejected_by_number():
    error = refusal_of_table([["1"], ["2", "3"]], [QUASI])
    assert error.code == "ragged"
    assert "record 2 has 2 cells, but the header has" in str(error)


def test_missing_values_are_rejected_unless_a_policy_allows_them():
    assert "record 2" in str(refusal_of_table([["1"], [""]], [QUASI]))


def test_dropped_records_are_counted_and_their_source_rows_removed():
    rule = ColumnRule(
        name="age", role="quasi_identifier", kind="numeric", missing="drop", missing_texts=("?",)
    )
    table = Table.from_rows(["age"], [["1"], ["?"], ["3"]], [rule])
    assert table.dropped == 1
    assert table.source_rows.tolist() == [0, 2]


def test_missing_can_be_a_separate_value():
    rule = ColumnRule(name="job", role="quasi_identifier", missing="value")
    table = Table.from_rows(["job"], [[""], ["smith"], [""]], [rule])
    assert table.column("job").values == ("", "smith")
    assert table.column("job").codes.tolist() == [0, 1, 0]


@pytest.mark.parametrize("text", ["old", "nan", "inf", "1e999"])
def test_non_numeric_text_is_refused_naming_column_and_value(text):
    error = refusal_of_table([["1"], [text]], [QUASI])
    assert error.code == "not_a_number"
    assert repr(text) in str(error)
    assert "'age'" in str(error)


def test_top_and_bottom_coding_clip_extremes():
    rule = ColumnRule(name="age", role="quasi_identifier", kind="numeric", bottom=20, top=80)
    table = Table.from_rows(["age"], [["17"], ["50"], ["93"]], [rule])
    assert table.column("age").texts == ["20", "50", "80"]


def test_different_notations_of_a_number_are_one_value():
    table = Table.from_rows(["age"], [["30"], ["30.0"], ["3e1"]], [QUASI])
    assert table.column("age").values == ("30",)


def test_numeric_values_sort_numerically():
    table = Table.from_rows(["age"], [["100"], ["9"], ["-2"]], [QUASI])
    assert table.column("age").values == ("-2", "9", "100")


def test_identifiers_are_never_encoded():
    rules = [ColumnRule(name="name", role="identifier"), ColumnRule(name="sex", role="quasi_identifier")]
    table = Table.from_rows(["name", "sex"], [["Betty", "F"], ["Bill", "M"]], rules)
    assert [column.name for column in table.columns] == ["sex"]


def test_empty_tables_are_rejected():
    assert refusal_of_table([], [QUASI]).code == "empty"


def test_selecting_records_drops_unused_values():
    table = Table.from_rows(["age"], [["1"], ["2"], ["3"]], [QUASI])
    part = table.take(np.array([2, 0]))
    assert part.column("age").texts == ["3", "1"]
    assert part.column("age").values == ("1", "3")
    assert part.source_rows.tolist() == [2, 0]


def test_unknown_columns_are_rejected_listing_the_known_ones():
    table = Table.from_rows(["age"], [["1"]], [QUASI])
    with pytest.raises(PrivacyError, match="choose one of age"):
        table.column("agee")


def test_columns_are_taken_by_role_in_the_order_of_the_header():
    rules = [
        ColumnRule(name=name, role=role)
        for name, role in zip("abc", ("sensitive", "quasi_identifier", "sensitive"), strict=True)
    ]
    table = Table.from_rows(list("abc"), [("x", "1", "p"), ("y", "2", "q")], rules)
    assert [column.name for column in table.with_role("sensitive")] == ["a", "c"]
    assert [column.name for column in table.with_role("insensitive")] == []


def test_a_column_as_a_whole_has_missing_as_a_value():
    rule = ColumnRule(name="ill", role="sensitive")
    table = Table.from_rows(["ill"], [("x",), ("y",)], [rule])
    (column,) = table.columns
    assert column.whole is column
    marked = replace(column, missing=frozenset({"y"}))
    assert (marked.whole.missing, marked.whole.values) == (frozenset(), column.values)
