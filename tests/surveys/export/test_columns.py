"""The columns of the file of rows: in which order, of what, and how each is stored."""

from __future__ import annotations

import dataclasses

import pytest

from mining.frames.report_table import reported_columns
from surveys.export.columns import columns_of
from tests.surveys.export.test_rows import DESIGN, packed

WORDING = {
    "blocks": [
        {"questions": [{"text": {"en": "How old?"}}]},
        {"title": {"en": "Work"}, "questions": [{"text": {"en": "Late?"}}, {"text": {"en": "Took?"}}]},
    ]
}


def test_columns_stand_in_the_order_in_which_rows_are_read() -> None:
    names = [column.name for column in columns_of(DESIGN, with_group=True)]
    assert names == list(reported_columns(packed(1, 1, 1), DESIGN))
    turns = dataclasses.replace(DESIGN.blocks[1], questions_per_person=1)
    rotating = dataclasses.replace(DESIGN, blocks=(DESIGN.blocks[0], turns), mechanism=0)
    assert [column.name for column in columns_of(rotating, with_group=True)] == [*names, "work.asked"]


def test_each_says_what_it_is_of() -> None:
    columns = list(columns_of(DESIGN, WORDING, with_group=True))
    assert [(column.kind, column.stored_as, column.option) for column in columns] == [
        ("group", "as answered", 0),
        ("single", "as answered", 0),
        ("yes_no", "disguised", 0),
        ("multi", "disguised", 0),
        ("multi", "disguised", 1),
        ("skipped", "disguised", 0),
    ]
    assert [column.wording.get("text", {}).get("en") for column in columns[1:5]] == [
        "How old?", "Late?", "Took?", "Took?",
    ]  # fmt: skip
    assert columns[5].wording["title"] == {"en": "Work"}


@pytest.mark.parametrize("with_group", [True, False])
def test_the_group_is_there_where_rows_say_it(with_group: bool) -> None:
    first = next(columns_of(DESIGN, with_group=with_group))
    assert (first.kind == "group") is with_group
