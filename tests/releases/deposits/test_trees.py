"""Trees of values as indented text: read, proposed, and refused by the line that is wrong."""

from __future__ import annotations

import pytest

from releases.deposits.trees import tree_proposed, tree_read, tree_texts, trees_read
from surveys.errors.error import SurveyError
from surveys.tables.table import ReadTable

VALUES = ["city", "none", "own", "state"]
TREE = "work\n  public\n    city\n    state\n  own\nnone\n"


def test_values_climb_through_their_groups_to_the_root() -> None:
    assert tree_read("work", TREE, VALUES).rows() == [
        ("city", "public", "work", "*"),
        ("none", "none", "none", "*"),
        ("own", "own", "work", "*"),
        ("state", "public", "work", "*"),
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("public\n    city", "line 2"),
        (" city", "line 1"),
        ("public\n  city\nown\n  city\nstate\nnone", "stands twice"),
        ("*\n  city", "stands twice"),
        ("public\n  city\n  state\nown", "lacks 1 of its values"),
        ("city\n  state\nown\nnone", "lacks 1 of its values"),
        ("", "lacks 4 of its values"),
    ],
)
def test_a_tree_that_cannot_be_followed_is_refused(text: str, message: str) -> None:
    with pytest.raises(SurveyError, match=message):
        tree_read("work", text, VALUES)


@pytest.mark.parametrize(
    "values",
    [
        ["a", "b"],
        [f"{town}-{number}" for town in "ab" for number in range(4)],
        [f"{code}" for code in (10115, 10117, 10119, 20095, 20097, 20099)],
        ["", "x", "y"],
    ],
)
def test_what_is_proposed_can_be_read(values: list[str]) -> None:
    text = tree_proposed("town", [value for value in values if value])
    named = [value for value in values if value]
    assert tree_read("x", text, named).labels[0] == tuple(named)


def test_a_missing_value_that_counts_as_one_stands_alone_below_the_root() -> None:
    tree = tree_read("work", "public\n  city\n  state\n", ["", "city", "state"])
    assert tree.rows() == [("", "", "*"), ("city", "public", "*"), ("state", "public", "*")]


def test_only_generalised_categories_have_a_tree_and_what_was_written_comes_back() -> None:
    columns = [
        {"name": "work", "role": "quasi_identifier", "kind": "categorical", "policy": "drop"},
        {"name": "age", "role": "quasi_identifier", "kind": "numeric", "policy": "drop"},
        {"name": "ill", "role": "sensitive", "kind": "categorical", "policy": "value"},
    ]
    rows = [["city", "31", "yes"], ["state", "40", "no"], ["", "50", "no"]]
    header = ["work", "age", "ill"]
    assert tree_texts({}, columns, ReadTable.of_rows(header, rows)) == {"work": "city\nstate"}
    kept = {"work": "public\n  city\n  state", "age": "31"}
    assert tree_texts(kept, columns, ReadTable.of_rows(header, rows)) == {"work": kept["work"]}
    assert list(trees_read(kept, columns, ReadTable.of_rows(header, rows))) == ["work"]
