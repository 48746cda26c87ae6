"""A published table."""

from privacy.sdc.published_table import published_table
from privacy.tables.columns import ReadTable
from tests.fixtures.refusals import refused

ROWS = [
    ("a", "flu", "2", "p1", "x"),
    ("a", "NA", "4", "p1", "y"),
    ("b", "*", "3", "p2", "x"),
    ("*", "", "3", "p3", "y"),
]
READ = ReadTable.of_rows(["town", "ill", "days", "nr", "note"], ROWS)


def test_named_columns_have_roles_and_words_for_missing_are_no_values() -> None:
    table, people = published_table(
        READ, quasi_identifiers=["town"], sensitive=["ill", "days"], numeric=["days"], respondent=["nr"]
    )
    assert {column.name: column.role for column in table.columns} == {
        "town": "quasi_identifier", "ill": "sensitive", "days": "sensitive", "note": "insensitive",
    }  # fmt: skip
    ill = table.column("ill")
    assert {text for text in ill.values if text not in ill.missing} == {"flu"}
    days = table.column("days")
    assert (days.kind, days.texts) == ("numeric", ["2", "4", "3", "3"])
    assert table.column("town").texts == ["a", "a", "b", "*"]
    assert not table.column("town").missing
    assert people is not None
    assert people[0] == people[1]
    assert len(set(people.tolist())) == 3
    _, nobody = published_table(READ, quasi_identifiers=["town"], sensitive=["ill"])
    assert nobody is None


def test_columns_without_one_role_are_refused_by_name() -> None:
    with refused("unknown_column", "city"):
        published_table(READ, quasi_identifiers=["city"])
    with refused("unknown_column", "age"):
        published_table(READ, quasi_identifiers=["town"], sensitive=["days"], numeric=["age"])
    with refused("frame", "town"):
        published_table(READ, quasi_identifiers=["town"], sensitive=["ill", "town"])
    with refused("no_quasi_identifier"):
        published_table(READ, quasi_identifiers=[], sensitive=["ill"])
