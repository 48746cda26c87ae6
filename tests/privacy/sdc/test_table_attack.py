"""An attack on a published table."""

import numpy as np

from privacy.sdc.table_attack import Attack, _firsts, attack
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


def test_a_summary_gives_its_probabilities_in_percent():
    found = Attack(
        records=5, people=None, targets=3, found=2, identified=1, fewest=1,
        certain={"ill": 1}, after_one={"ill": 0.25}, alone={},
    )  # fmt: skip
    assert found.summary().splitlines()[1] == (
        "ill: certain for 1 target; after one exclusion, probable with up to 25%"
    )


def test_the_first_record_of_each_person_is_known():
    assert _firsts(np.array([7, 3, 7, 3, 9]), 5).tolist() == [1, 0, 4]
    assert _firsts(None, 3).tolist() == [0, 1, 2]
