"""Rows of an export: values and nulls, order, and codes of missing answers."""

from __future__ import annotations

import dataclasses
import random

from privacy.survey.conditions import JOINS
from privacy.survey.design import Block, Condition, Conditions, Design, GroupPolicy, Question
from privacy.survey.layout import Layout, Record
from privacy.survey.question import Value
from surveys.report.export.rows import coded_rows, row_lines, sorted_rows
from surveys.report.export.variables import NOT_ANSWERED, NOT_ASKED, NOT_DRAWN, SKIPPED_CODE

AGE = Question(key="age", kind="single", options=("young", "mid", "old"), unrelated=())
WORKS = Question(key="works", kind="yes_no", options=(), unrelated=())
LATE = Question(key="late", kind="yes_no", options=(), unrelated=(5_000,))
TOOK = Question(key="took", kind="multi", options=("pens", "time"), unrelated=(4_000, 5_000))
YOU = Block(key="you", protected=False, truth_probability=10_000, questions=(AGE, WORKS))
WORK = Block(
    key="work", protected=True, truth_probability=6_000, refusal=500,
    asked_if=Condition(question="works", options=("yes",)), questions=(LATE, TOOK),
)  # fmt: skip

DESIGN = Design(blocks=(YOU, WORK), group=GroupPolicy(policy="choice"), use="live")
ROWS_DESIGN = dataclasses.replace(
    DESIGN, blocks=(dataclasses.replace(YOU, questions=(AGE,)), dataclasses.replace(WORK, asked_if=None))
)

RECORDS = (
    Record(direct=True, answers=((2,), (1, (0, 1))), refused=(False, False)),
    Record(direct=False, answers=((None,), (0, (1, 1))), refused=(False, False)),
    Record(direct=False, answers=((0,), (None, None)), refused=(False, True)),
)


def packed(*counts: int) -> bytes:
    layout = Layout(ROWS_DESIGN)
    return b"".join(layout.pack(record) * count for record, count in zip(RECORDS, counts, strict=True))


def test_columns_hold_sent_values_and_nulls() -> None:
    found = sorted_rows(packed(60, 80, 70), ROWS_DESIGN)
    head, *rows = "".join(row_lines(found, ROWS_DESIGN)).splitlines()
    assert head == '"group","age","late","took=pens","took=time","work.skipped"'
    assert {row: rows.count(row) for row in rows} == {
        '"direct","old",1,0,1,0': 60,
        '"protected",,0,1,1,0': 80,
        '"protected","young",,,,1': 70,
    }


def test_released_row_order_hides_arrival_order() -> None:
    width, rows = Layout(ROWS_DESIGN).n_bytes, packed(60, 80, 70)
    came = [rows[start : start + width] for start in range(0, len(rows), width)]
    for seed in range(20):
        random.Random(seed).shuffle(came)
        leaves = sorted_rows(b"".join(came), ROWS_DESIGN).rows
        assert [row.tobytes() for row in leaves] == sorted(came)


def test_fully_protected_releases_omit_the_group_column() -> None:
    design = dataclasses.replace(ROWS_DESIGN, group=GroupPolicy(policy="protected"))
    answers: tuple[tuple[Value | None, ...], ...] = ((1,), (1, (1, 0)))
    row = Layout(design).pack(Record(direct=False, answers=answers, refused=(False, False)))
    found = sorted_rows(row * 120, design)
    assert next(row_lines(found, design)) == '"age","late","took=pens","took=time","work.skipped"\n'


def test_rotating_blocks_distinguish_unasked_skipped_and_answered_questions() -> None:
    work = dataclasses.replace(ROWS_DESIGN.blocks[1], questions_per_person=1)
    rotating = dataclasses.replace(ROWS_DESIGN, blocks=(ROWS_DESIGN.blocks[0], work), mechanism=0)
    layout = Layout(rotating)
    records = (
        Record(
            direct=False, answers=((2,), (None, (0, 1))), refused=(False, False), drawn=((0,), (1,))
        ),
        Record(direct=False, answers=((2,), (None, None)), refused=(False, True), drawn=((0,), (0,))),
    )  # fmt: skip
    found = sorted_rows(b"".join(map(layout.pack, records)), rotating)
    head, *rows = "".join(row_lines(found, rotating)).splitlines()
    assert head == '"group","age","late","took=pens","took=time","work.skipped","work.asked"'
    assert set(rows) == {'"protected","old",,0,1,0,"took"', '"protected","old",,,,1,"late"'}


def coded(design: Design, *records: Record) -> set[tuple[int, ...]]:
    layout = Layout(design)
    columns = coded_rows(sorted_rows(b"".join(map(layout.pack, records)), design), design)
    return set(zip(*(codes.tolist() for codes in columns.values()), strict=True))


def test_each_missing_value_reason_has_its_code() -> None:
    records = (
        Record(direct=True, answers=((2, 1), (1, (0, 1))), refused=(False, False)),
        Record(direct=False, answers=((None, 0), (None, None)), refused=(False, False)),
        Record(direct=False, answers=((0, 1), (None, None)), refused=(False, True)),
        Record(direct=False, answers=((1, None), (None, None)), refused=(False, False)),
    )
    # Columns: group, age, works, late, took=pens, took=time, work.skipped
    assert coded(DESIGN, *records) == {
        (1, 3, 1, 1, 0, 1, 0),
        (2, NOT_ANSWERED, 0, NOT_ASKED, NOT_ASKED, NOT_ASKED, 0),
        (2, 1, 1, SKIPPED_CODE, SKIPPED_CODE, SKIPPED_CODE, 1),
        (2, 2, NOT_ANSWERED, NOT_ASKED, NOT_ASKED, NOT_ASKED, 0),
    }


def test_unasked_rotating_questions_differ_from_skipped_ones() -> None:
    work = dataclasses.replace(WORK, questions_per_person=1)
    design = dataclasses.replace(DESIGN, blocks=(DESIGN.blocks[0], work), mechanism=0)
    records = (
        Record(
            direct=False, answers=((2, 1), (None, (0, 1))), refused=(False, False), drawn=((0, 1), (1,))
        ),
        Record(direct=False, answers=((2, 1), (None, None)), refused=(False, True), drawn=((0, 1), (0,))),
        Record(direct=False, answers=((2, 0), (None, None)), refused=(False, False), drawn=((0, 1), ())),
    )  # fmt: skip
    assert coded(design, *records) == {
        (2, 3, 1, NOT_DRAWN, 0, 1, 0),
        (2, 3, 1, SKIPPED_CODE, NOT_DRAWN, NOT_DRAWN, 1),
        (2, 3, 0, NOT_ASKED, NOT_ASKED, NOT_ASKED, 0),
    }


def test_joined_conditions_mark_routed_away_blocks_as_unasked() -> None:
    terms = (Condition(question="works", options=("yes",)), Condition(question="age", options=("mid", "old")))
    # (age, works): asked if all hold, if any holds
    people = {
        (1, 1): (True, True), (2, 0): (False, True), (0, 1): (False, True), (0, 0): (False, False),
        (None, 1): (False, True), (2, None): (False, True), (None, None): (False, False),
    }  # fmt: skip
    for place, joined in enumerate(JOINS):
        work = dataclasses.replace(WORK, asked_if=Conditions(joined=joined, terms=terms))
        design = dataclasses.replace(DESIGN, blocks=(DESIGN.blocks[0], work))
        for answers, asked in people.items():
            told = (1, (0, 1)) if asked[place] else (None, None)
            ((*_, late, _pens, _time, _skipped),) = coded(
                design, Record(direct=False, answers=(answers, told), refused=(False, False))
            )
            assert late == (1 if asked[place] else NOT_ASKED)
