"""Which rows may leave, in which order, and what stands in their columns."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from privacy.survey.answers import Value
from privacy.survey.design import Block, Design, GroupPolicy, Question
from privacy.survey.layout import Layout, Record
from surveys.disclosure.disclosure import disclosure
from surveys.export.rows import column_names, released, tables

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


def shown(n_direct: int, n_protected: int, *, settled: bool = True):
    return disclosure(
        sends_undisguised=True, n_direct=n_direct, n_protected=n_protected, practice=False, settled=settled
    )


def test_a_column_says_what_was_sent_and_nothing_where_nothing_was() -> None:
    found = released(packed(60, 80, 70), DESIGN, shown(60, 150), secret=b"s")
    (table,) = tables(found, DESIGN)
    names = ("group", "age", "late", "took=pens", "took=time", "work.skipped")
    assert column_names(DESIGN, with_group=True) == tuple(table.column_names) == names
    rows = [tuple(row.values()) for row in table.to_pylist()]
    assert {row: rows.count(row) for row in rows} == {
        ("direct", "old", 1, 0, 1, 0): 60,
        ("protected", None, 0, 1, 1, 0): 80,
        ("protected", "young", None, None, None, 1): 70,
    }
    assert found.exact


def test_a_column_of_sotto_gives_way_to_a_question_of_the_same_name() -> None:
    questions = (
        Question(key="group", kind="yes_no", options=(), unrelated=(5_000,)),
        Question(key="work.skipped", kind="yes_no", options=(), unrelated=(5_000,)),
    )
    block = dataclasses.replace(DESIGN.blocks[1], questions=questions)
    design = dataclasses.replace(DESIGN, blocks=(block,))
    names = column_names(design, with_group=True)
    assert names == ("group_", "group", "work.skipped", "work.skipped_")


def test_few_direct_rows_stay_and_the_number_of_the_others_does_not_tell_how_few_they_are() -> None:
    found = released(packed(49, 80, 61), DESIGN, shown(49, 141), secret=b"s")
    (table,) = tables(found, DESIGN)
    assert "group" not in table.column_names
    assert table.num_rows == 50
    # The true answers of those who answered directly are nowhere in the file.
    assert "old" not in table.column("age").to_pylist()
    assert not found.exact
    assert found.direct_left_out
    sizes = {len(released(packed(n, 80, 61), DESIGN, shown(n, 141), secret=b"s").packed) for n in (1, 25, 49)}
    assert sizes == {50}


@pytest.mark.parametrize("n_protected", [150, 161, 199])
def test_rows_and_report_together_do_not_add_up_to_the_few_direct_ones(n_protected: int) -> None:
    rows = packed(7, n_protected - 61, 61)
    found = released(rows, DESIGN, shown(7, n_protected), secret=b"s")
    # All protected rows in the file would leave the direct ones over, whatever is subtracted from the report.
    assert len(found.packed) == 100
    assert n_protected - len(found.packed) >= 50


def test_while_answers_come_in_each_group_is_cut_to_tens() -> None:
    found = released(packed(57, 80, 64), DESIGN, shown(57, 144, settled=False), secret=b"s")
    (table,) = tables(found, DESIGN)
    groups = table.column("group").to_pylist()
    assert (groups.count("direct"), groups.count("protected")) == (50, 140)
    assert not found.exact
    # Also where nothing had to be cut: the figures beside the rows have few digits.
    assert not released(packed(60, 80, 60), DESIGN, shown(60, 140, settled=False), secret=b"s").exact
    assert not found.direct_left_out


def test_several_files_of_one_snapshot_leave_out_the_same_rows_whatever_order_they_came_in() -> None:
    rows = packed(49, 80, 67)
    table = np.frombuffer(rows, dtype=np.uint8).reshape(-1, Layout(DESIGN).n_bytes)
    turned = table[::-1].tobytes()

    def kept(data: bytes, secret: bytes) -> list[bytes]:
        found = released(data, DESIGN, shown(49, 147), secret=secret)
        return sorted(row.tobytes() for row in found.packed)

    assert kept(rows, b"s") == kept(turned, b"s")
    # Which ones they are is a matter of the secret: of many secrets not all leave out the same.
    assert len({tuple(kept(rows, bytes([secret]))) for secret in range(30)}) > 1


def test_the_order_of_the_rows_is_drawn_anew_each_time() -> None:
    rows = packed(60, 80, 70)
    orders = {released(rows, DESIGN, shown(60, 150), secret=b"s").packed.tobytes() for _ in range(3)}
    # Two of 210!/(60! 80! 70!) orders are the same with a chance below 1e-90.
    assert len(orders) == 3
    assert rows not in orders


@pytest.mark.parametrize("policy", ["protected"])
def test_where_everybody_is_protected_no_column_names_a_group(policy: str) -> None:
    design = Design(blocks=DESIGN.blocks, group=GroupPolicy(policy=policy), use="live")  # type: ignore[arg-type]
    answers: tuple[tuple[Value | None, ...], ...] = ((1,), (1, (1, 0)))
    row = Layout(design).pack(Record(direct=False, answers=answers, refused=(False, False)))
    found = released(row * 120, design, shown(0, 120), secret=b"s")
    assert found.exact
    assert "group" not in column_names(design, with_group=found.with_group)
