"""Why an answer is missing is told apart from the row itself."""

from __future__ import annotations

import dataclasses

from privacy.survey.condition import JOINS
from privacy.survey.design import Block, Condition, Conditions, Design, GroupPolicy, Question
from privacy.survey.layout import Layout, Record
from surveys.export.coded_rows import coded_rows
from surveys.export.rows import released
from surveys.export.variables import NOT_ANSWERED, NOT_ASKED, NOT_DRAWN, SKIPPED

AGE = Question(key="age", kind="single", options=("young", "mid", "old"), unrelated=())
WORKS = Question(key="works", kind="yes_no", options=(), unrelated=())
LATE = Question(key="late", kind="yes_no", options=(), unrelated=(5_000,))
TOOK = Question(key="took", kind="multi", options=("pens", "time"), unrelated=(4_000, 5_000))
WORK = Block(
    key="work", protected=True, truth_probability=6_000, refusal=500,
    asked_if=Condition(question="works", options=("yes",)), questions=(LATE, TOOK),
)  # fmt: skip
DESIGN = Design(
    blocks=(
        Block(
            key="you", protected=False, truth_probability=10_000, refusal=None, asked_if=None,
            questions=(AGE, WORKS),
        ),
        WORK,
    ),
    group=GroupPolicy(policy="choice"),
    use="live",
)  # fmt: skip


def coded(design: Design, *records: Record) -> set[tuple[int, ...]]:
    layout = Layout(design)
    columns = coded_rows(released(b"".join(map(layout.pack, records)), design), design)
    return set(zip(*(codes.tolist() for codes in columns.values()), strict=True))


def test_each_reason_has_its_code() -> None:
    records = (
        Record(direct=True, answers=((2, 1), (1, (0, 1))), refused=(False, False)),
        Record(direct=False, answers=((None, 0), (None, None)), refused=(False, False)),
        Record(direct=False, answers=((0, 1), (None, None)), refused=(False, True)),
        Record(direct=False, answers=((1, None), (None, None)), refused=(False, False)),
    )
    # group, age, works, late, took=pens, took=time, work.skipped
    assert coded(DESIGN, *records) == {
        (1, 3, 1, 1, 0, 1, 0),
        (2, NOT_ANSWERED, 0, NOT_ASKED, NOT_ASKED, NOT_ASKED, 0),
        (2, 1, 1, SKIPPED, SKIPPED, SKIPPED, 1),
        (2, 2, NOT_ANSWERED, NOT_ASKED, NOT_ASKED, NOT_ASKED, 0),
    }


def test_a_question_that_the_device_did_not_draw_is_told_from_one_that_was_skipped() -> None:
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
        (2, 3, 1, SKIPPED, NOT_DRAWN, NOT_DRAWN, 1),
        (2, 3, 0, NOT_ASKED, NOT_ASKED, NOT_ASKED, 0),
    }


def test_whoever_several_answers_led_past_a_part_was_not_asked_it() -> None:
    terms = (Condition(question="works", options=("yes",)), Condition(question="age", options=("mid", "old")))
    # age, works; asked by all, by any
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
