import pytest

from privacy.errors import PrivacyError
from privacy.policy import UNSAFE_LEAST_VALUES
from privacy.sdc.column_rule import ColumnRule
from privacy.sdc.table import Table
from privacy.sdc.unsafe_columns import refuse_unsafe
from tests.fixtures.tables import refusal_of_table


def test_time_stamps_are_refused_in_every_released_role():
    rows = [[f"2024-05-{day:02d} 10:30:00"] for day in range(1, 20)]
    for role in ("quasi_identifier", "sensitive", "insensitive", "disguised"):
        assert refusal_of_table(rows, [ColumnRule(name="age", role=role)]).code == "time_stamp"


def test_dates_are_accepted_only_as_quasi_identifiers():
    rows = [["1980-02-03"], ["1980-02-03"], ["1971-12-30"]]
    assert refusal_of_table(rows, [ColumnRule(name="age", role="insensitive")]).code == "time_stamp"
    assert len(Table.from_rows(["age"], rows, [ColumnRule(name="age", role="quasi_identifier")])) == 3


def test_free_text_is_rejected_with_a_short_excerpt():
    rows = [[f"My neighbour number {number} told me a long story"] for number in range(30)]
    error = refusal_of_table(rows, [ColumnRule(name="age", role="sensitive")])
    assert error.code == "free_text"
    assert len(str(error)) < 250


def test_identifying_columns_cannot_be_insensitive():
    rows = [[f"token{number}"] for number in range(40)]
    assert refusal_of_table(rows, [ColumnRule(name="age", role="insensitive")]).code == "singles_out"


def test_few_different_numbers_of_few_records_single_no_one_out():
    rule = ColumnRule(name="size", role="insensitive", kind="numeric")
    few = [str(number) for number in range(UNSAFE_LEAST_VALUES - 1)]
    refuse_unsafe(rule, few, len(few))
    many = [str(number) for number in range(UNSAFE_LEAST_VALUES)]
    refuse_unsafe(rule, many, 100 * len(many))
    with pytest.raises(PrivacyError) as caught:
        refuse_unsafe(rule, many, len(many))
    assert caught.value.code == "singles_out"
