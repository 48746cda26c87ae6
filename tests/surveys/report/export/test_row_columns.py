"""Columns of an export: their order, names and sources."""

from __future__ import annotations

import dataclasses

from mining.frames.table_rows import reported_columns
from privacy.survey.design import Question
from surveys.report.export.row_columns import columns_of
from tests.surveys.report.export.test_rows import ROWS_DESIGN, packed


def test_a_built_in_column_yields_its_name_to_a_question() -> None:
    questions = (
        Question(key="group", kind="yes_no", options=(), unrelated=(5_000,)),
        Question(key="work.skipped", kind="yes_no", options=(), unrelated=(5_000,)),
    )
    block = dataclasses.replace(ROWS_DESIGN.blocks[1], questions=questions)
    design = dataclasses.replace(ROWS_DESIGN, blocks=(block,))
    names = tuple(column.name for column in columns_of(design, with_group=True))
    assert names == ("group_", "group", "work.skipped", "work.skipped_")


WORDING = {
    "blocks": [
        {"questions": [{"text": {"en": "How old?"}}]},
        {"title": {"en": "Work"}, "questions": [{"text": {"en": "Late?"}}, {"text": {"en": "Took?"}}]},
    ]
}


def test_columns_follow_the_reading_order_of_rows() -> None:
    names = [column.name for column in columns_of(ROWS_DESIGN, with_group=True)]
    assert names == list(reported_columns(packed(1, 1, 1), ROWS_DESIGN))
    turns = dataclasses.replace(ROWS_DESIGN.blocks[1], questions_per_person=1)
    rotating = dataclasses.replace(ROWS_DESIGN, blocks=(ROWS_DESIGN.blocks[0], turns), mechanism=0)
    assert [column.name for column in columns_of(rotating, with_group=True)] == [*names, "work.asked"]


def test_each_column_describes_its_source() -> None:
    columns = list(columns_of(ROWS_DESIGN, WORDING, with_group=True))
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
