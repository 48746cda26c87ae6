from privacy.sdc import ColumnRule, Table
from tests.privacy.sdc.test_table import refusal


def test_time_stamps_are_refused_in_every_released_role():
    rows = [[f"2024-05-{day:02d} 10:30:00"] for day in range(1, 20)]
    for role in ("quasi_identifier", "sensitive", "insensitive", "disguised"):
        assert refusal(rows, [ColumnRule(name="age", role=role)]).code == "time_stamp"


def test_days_pass_only_as_a_quasi_identifier():
    rows = [["1980-02-03"], ["1980-02-03"], ["1971-12-30"]]
    assert refusal(rows, [ColumnRule(name="age", role="insensitive")]).code == "time_stamp"
    assert len(Table.from_rows(["age"], rows, [ColumnRule(name="age", role="quasi_identifier")])) == 3


def test_free_text_is_refused_and_shown_only_in_part():
    rows = [[f"My neighbour number {number} told me a long story"] for number in range(30)]
    error = refusal(rows, [ColumnRule(name="age", role="sensitive")])
    assert error.code == "free_text"
    assert len(str(error)) < 250


def test_an_insensitive_column_that_names_its_owner_is_refused():
    rows = [[f"token{number}"] for number in range(40)]
    assert refusal(rows, [ColumnRule(name="age", role="insensitive")]).code == "singles_out"
