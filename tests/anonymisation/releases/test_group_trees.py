"""Trees are read, proposed, and refused with the number of the wrong line."""

from pathlib import Path

import pytest

from anonymisation.microdata.hierarchies import hierarchy_read
from anonymisation.releases.group_trees import propose_tree, tree_read, tree_texts, trees_read
from privacy.tables.columns import ReadTable
from surveys.errors.error import SurveyError

VALUES = ["city", "none", "own", "state"]


TREE = "work\n  public\n    city\n    state\n  own\nnone\n"


def test_values_generalise_through_their_groups_to_the_root() -> None:
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
        ("public\n  city\nown\n  city\nstate\nnone", "occurs twice"),
        ("*\n  city", "occurs twice"),
        ("public\n  city\n  state\nown", "lack 1 of its values"),
        ("city\n  state\nown\nnone", "lack 1 of its values"),
        ("", "lack 4 of its values"),
    ],
)
def test_an_invalid_tree_is_refused(text: str, message: str) -> None:
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
def test_a_proposed_tree_can_be_read(values: list[str]) -> None:
    text = propose_tree("town", [value for value in values if value])
    named = [value for value in values if value]
    assert tree_read("x", text, named).labels[0] == tuple(named)


def test_a_missing_value_gets_its_own_branch_below_the_root() -> None:
    tree = tree_read("work", "public\n  city\n  state\n", ["", "city", "state"])
    assert tree.rows() == [("", "", "*"), ("city", "public", "*"), ("state", "public", "*")]


def test_only_generalised_categories_get_trees_and_edits_are_kept() -> None:
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


def test_a_classification_is_proposed_if_it_knows_most_values() -> None:
    values = ["France", "Germany", "Spain", "Italy", "Atlantis"]
    assert propose_tree("x", values).splitlines()[:3] == ["Atlantis", "Europe", "  Southern Europe"]
    assert propose_tree("x", ["France", "Atlantis"]) == "Atlantis\nFrance"


def test_ancestor_rows_and_indented_text_give_the_same_tree(tmp_path: Path) -> None:
    for file, text in (
        ("groups.txt", "own\npublic\n  city\n  state"),
        ("groups.csv", "state;public;*\ncity;public;*\nown;own;*\n"),
    ):
        (tmp_path / file).write_text(text, encoding="utf-8")
        read = hierarchy_read("work", tmp_path / file).for_values(["city", "own", "state"])
        assert read.rows() == [("city", "public", "*"), ("own", "own", "*"), ("state", "public", "*")]
