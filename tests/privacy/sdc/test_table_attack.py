"""An attack on a published table."""

from privacy.sdc.table_attack import attack
from privacy.tables.columns import ReadTable


def test_an_attack_says_what_becomes_certain() -> None:
    rows = [("a", "x", "r1"), ("a", "y", "r1"), ("b", "y", "r1"), ("b", "y", "r2")]
    table = ReadTable.of_rows(["town", "ill", "room"], rows)
    found = attack(table, quasi_identifiers="town", sensitive="ill")
    lines = found.summary().splitlines()
    assert lines[:3] == [
        "4 targets: 4 may be in the table, 0 are identified; at least 2 candidates (records)",
        "ill: certain for 2 targets; after one exclusion, probable with up to 100%",
        "columns with a value that no one else has: room (1)",
    ]
