"""Trees of values as indented text: read, proposed, and refused by the line that is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

from anonymisation.deposits.trees import (
    source_text,
    sources_of,
    tree_proposed,
    tree_read,
    tree_texts,
    trees_read,
)
from anonymisation.deposits.written import written_of
from anonymisation.microdata.reading import hierarchy_read
from surveys.access.roles import Role
from surveys.errors.error import SurveyError
from surveys.imports.table import ReadTable
from tests.fixtures.deposits import begun_deposit
from tests.fixtures.staff import member

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
        ("public\n  city\nown\n  city\nstate\nnone", "occurs twice"),
        ("*\n  city", "occurs twice"),
        ("public\n  city\n  state\nown", "lack 1 of its values"),
        ("city\n  state\nown\nnone", "lack 1 of its values"),
        ("", "lack 4 of its values"),
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


@pytest.mark.parametrize(
    ("name", "values", "source", "lines"),
    [
        ("born", ["2021-05"], "dates", ["2020s", "  2021", "    2021 Q2", "      2021-05"]),
        ("x", ["France", "Atlantis"], "countries", ["Atlantis", "Europe", "  Western Europe", "    France"]),
        ("x", ["J45.0"], "icd", ["J00-J99", "  J45…", "    J45.0"]),
    ],
)
def test_classifications_are_offered_where_they_know_a_value(
    name: str, values: list[str], source: str, lines: list[str]
) -> None:
    assert source in dict(sources_of(name, values))
    assert source not in dict(sources_of(name, ["none of them"]))
    text, absent = source_text(source, name, values)
    assert (text.splitlines(), absent) == (lines, [value for value in values if value == "Atlantis"])


@pytest.mark.django_db
def test_a_source_is_filled_in_on_request_and_what_it_lacks_is_listed(client: Client) -> None:
    rosa = member("rosa", Role.RESEARCHER)
    client.force_login(rosa)
    raw = "age,work,debt\n" + "".join(f"{20 + n},{('France', 'Atlantis')[n % 2]},no\n" for n in range(12))
    deposit = begun_deposit(rosa, raw.encode())
    address = reverse("deposits:trees", args=[deposit.pk])
    sent = {"fill": "0", "source_0": "countries", "tree_0": "mine", "ends_0": "1, 2"}
    page = client.post(address, sent)
    form = page.context["form"]
    assert form["tree_0"].value() == "Atlantis\nEurope\n  Western Europe\n    France"
    assert form["ends_0"].value() == "1, 2"
    assert "1 value is not in any group: Atlantis." in page.content.decode()
    assert written_of(deposit).trees == {}
    # A source that does not exist gives the proposal.
    page = client.post(address, sent | {"source_0": "tree 0"})
    assert page.context["form"]["tree_0"].value() == "Atlantis\nFrance"


def test_rows_of_ancestors_and_indented_text_say_the_same(tmp_path: Path) -> None:
    for file, text in (
        ("groups.txt", "own\npublic\n  city\n  state"),
        ("groups.csv", "state;public;*\ncity;public;*\nown;own;*\n"),
    ):
        (tmp_path / file).write_text(text, encoding="utf-8")
        read = hierarchy_read("work", tmp_path / file).for_values(["city", "own", "state"])
        assert read.rows() == [("city", "public", "*"), ("own", "own", "*"), ("state", "public", "*")]
