"""Which rows may leave, in which order, and what stands in their columns."""

from __future__ import annotations

import dataclasses
import random

import pytest

from privacy.survey.design import Block, Design, GroupPolicy, Question
from privacy.survey.grouping import Value
from privacy.survey.layout import Layout, Record
from surveys.export.rows import released, rows_schema, tables

DESIGN = Design(
    blocks=(
        Block(
            key="you", protected=False, truth_probability=10_000, refusal=None, asked_if=None,
            questions=(Question(key="age", kind="single", options=("young", "mid", "old"), unrelated=()),),
        ),
        Block(
            key="work", protected=True, truth_probability=6_000, refusal=500, asked_if=None,
            questions=(
                Question(key="late", kind="yes_no", options=(), unrelated=(5_000,)),
                Question(key="took", kind="multi", options=("pens", "time"), unrelated=(4_000, 5_000)),
            ),
        ),
    ),
    group=GroupPolicy(policy="choice"),
    use="live",
)  # fmt: skip
RECORDS = (
    Record(direct=True, answers=((2,), (1, (0, 1))), refused=(False, False)),
    Record(direct=False, answers=((None,), (0, (1, 1))), refused=(False, False)),
    Record(direct=False, answers=((0,), (None, None)), refused=(False, True)),
)


def packed(*counts: int) -> bytes:
    layout = Layout(DESIGN)
    return b"".join(layout.pack(record) * count for record, count in zip(RECORDS, counts, strict=True))


def test_a_column_says_what_was_sent_and_nothing_where_nothing_was() -> None:
    found = released(packed(60, 80, 70), DESIGN)
    (table,) = tables(found, DESIGN)
    names = ("group", "age", "late", "took=pens", "took=time", "work.skipped")
    assert tuple(rows_schema(DESIGN, with_group=True).names) == tuple(table.column_names) == names
    rows = [tuple(row.values()) for row in table.to_pylist()]
    assert {row: rows.count(row) for row in rows} == {
        ("direct", "old", 1, 0, 1, 0): 60,
        ("protected", None, 0, 1, 1, 0): 80,
        ("protected", "young", None, None, None, 1): 70,
    }


def test_a_column_of_sottovoce_gives_way_to_a_question_of_the_same_name() -> None:
    questions = (
        Question(key="group", kind="yes_no", options=(), unrelated=(5_000,)),
        Question(key="work.skipped", kind="yes_no", options=(), unrelated=(5_000,)),
    )
    block = dataclasses.replace(DESIGN.blocks[1], questions=questions)
    design = dataclasses.replace(DESIGN, blocks=(block,))
    names = tuple(rows_schema(design, with_group=True).names)
    assert names == ("group_", "group", "work.skipped", "work.skipped_")


def test_the_order_of_the_rows_says_nothing_of_when_they_came() -> None:
    width, rows = Layout(DESIGN).n_bytes, packed(60, 80, 70)
    came = [rows[start : start + width] for start in range(0, len(rows), width)]
    for seed in range(20):
        random.Random(seed).shuffle(came)
        leaves = released(b"".join(came), DESIGN).packed
        assert [row.tobytes() for row in leaves] == sorted(came)


@pytest.mark.parametrize("policy", ["protected"])
def test_where_everybody_is_protected_no_column_names_a_group(policy: str) -> None:
    design = Design(blocks=DESIGN.blocks, group=GroupPolicy(policy=policy), use="live")  # type: ignore[arg-type]
    answers: tuple[tuple[Value | None, ...], ...] = ((1,), (1, (1, 0)))
    row = Layout(design).pack(Record(direct=False, answers=answers, refused=(False, False)))
    found = released(row * 120, design)
    assert "group" not in rows_schema(design, with_group=found.with_group).names


def test_a_rotating_block_says_which_questions_were_asked_skipped_or_not() -> None:
    work = dataclasses.replace(DESIGN.blocks[1], questions_per_person=1)
    rotating = dataclasses.replace(DESIGN, blocks=(DESIGN.blocks[0], work), mechanism=0)
    layout = Layout(rotating)
    records = (
        Record(
            direct=False, answers=((2,), (None, (0, 1))), refused=(False, False), drawn=((0,), (1,))
        ),
        Record(direct=False, answers=((2,), (None, None)), refused=(False, True), drawn=((0,), (0,))),
    )  # fmt: skip
    (table,) = tables(released(b"".join(map(layout.pack, records)), rotating), rotating)
    names = ("group", "age", "late", "took=pens", "took=time", "work.skipped", "work.asked")
    assert tuple(table.column_names) == names
    assert {tuple(row.values()) for row in table.to_pylist()} == {
        ("protected", "old", None, 0, 1, 0, "took"),
        ("protected", "old", None, None, None, 1, "late"),
    }
