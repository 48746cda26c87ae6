from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from mining.columns.row_writer import DIRECT, EMPTY_CELL, RowWriter
from privacy.errors import PrivacyError
from privacy.scales.number_range import NumberRange
from privacy.scales.numeric_mechanisms import square_wave
from privacy.scales.window import WindowChannel
from privacy.survey.layout import Layout
from tests.fixtures.questionnaires import EVERYTHING, bodies, grouped, true_rows
from tests.vectors.designs import CHOICE, live, shielded, yes_no
from tests.vectors.scale_designs import scale_block


def cells_of(packed: bytes) -> NDArray[np.int8]:
    """Return packed rows of `EVERYTHING` as a table, by the layout's own unpacking."""
    layout, writer = Layout(EVERYTHING), RowWriter(EVERYTHING)
    table = []
    for start in range(0, len(packed), layout.n_bytes):
        record = layout.unpack(packed[start : start + layout.n_bytes])
        row = {DIRECT: int(record.direct), "skipped:habits": int(record.refused[1])}
        for block, answers in zip(EVERYTHING.blocks, record.answers, strict=True):
            for question, value in zip(block.questions, answers, strict=True):
                keys = [item.key for item in EVERYTHING.items if _question(item.index) == question.key]
                if value is None:
                    values: list[int] = [EMPTY_CELL] * len(keys)
                elif question.kind == "single":
                    values = [int(place == value) for place in range(len(keys))]
                else:
                    values = list(value) if isinstance(value, tuple | list) else [int(value)]
                row |= dict(zip(keys, values, strict=True))
        table.append([row[name] for name in writer.columns])
    return np.array(table, dtype=np.int8)


def _question(item: int) -> str:
    return EVERYTHING.questions[EVERYTHING.items[item].question].key


def test_writing_a_table_reproduces_the_device_rows() -> None:
    packed = bodies(EVERYTHING, true_rows(300, seed=8), np.random.default_rng(8).random(300) < 0.3, seed=8)
    assert RowWriter(EVERYTHING).pack(cells_of(packed)) == packed


@pytest.mark.parametrize(
    ("column", "value", "message"),
    [
        ("smokes", 2, "column 'smokes' is neither 0 nor 1 (2); write 0, 1 or nothing"),
        (DIRECT, EMPTY_CELL, "column 'direct' is empty (''); write 0 or 1"),
        ("smokes", EMPTY_CELL, "column 'smokes' is empty (''); write 0 or 1"),
        ("age=27", EMPTY_CELL, "column 'age=27' is empty"),
        ("age=27", 1, "belongs to a single choice of not exactly one option"),
        ("mood=fair", 1, "column 'mood=fair' answers a question that the row's other cells leave empty"),
        ("did=left", 0, "column 'did=left' answers a question that the row's other cells leave empty"),
        ("skipped:habits", 1, "column 'smokes' answers a block that was skipped (0); leave it empty"),
    ],
)
def test_the_first_impossible_cell_is_named(column: str, value: int, message: str) -> None:
    writer = RowWriter(EVERYTHING)
    row = dict.fromkeys(writer.columns, 0) | {"age=22": 1}
    row |= dict.fromkeys(["mood=low", "mood=fair", "mood=high", "did=lied", "did=left"], EMPTY_CELL)
    sound = np.array([[row[name] for name in writer.columns]] * 3, dtype=np.int8)
    assert len(writer.pack(sound)) == 3 * Layout(EVERYTHING).n_bytes
    sound[2, writer.columns.index(column)] = value
    with pytest.raises(PrivacyError) as refusal:
        writer.pack(sound)
    assert message in str(refusal.value)
    named = writer.columns.index(str(refusal.value.fields["column"]))
    assert refusal.value.fields["row"] == 2
    assert refusal.value.value == ("" if value == EMPTY_CELL else sound[2, named])


def test_answers_to_a_block_that_does_not_apply_are_rejected() -> None:
    writer = RowWriter(EVERYTHING)
    row = dict.fromkeys(writer.columns, 0) | {"age=22": 1, "mood=low": 1, "married": 0}
    with pytest.raises(PrivacyError) as refusal:
        writer.pack(np.array([[row[name] for name in writer.columns]], dtype=np.int8))
    assert refusal.value.code == "cell"


def test_fully_protected_designs_have_no_group_column() -> None:
    assert RowWriter(grouped([2], policy="protected")).columns == ("a", "b")


def test_direct_rows_hold_the_bin_and_protected_rows_the_output() -> None:
    # Four bins and six outputs, two of which are beyond the ends of the range.
    wave = WindowChannel(
        mechanism="square_wave", range=NumberRange(low=0, high=39, bin=10), window=3,
        floor=2, peak=5,
    )  # fmt: skip
    design = live(scale_block("pay", wave), group=CHOICE)
    writer, layout = RowWriter(design), Layout(design)
    assert (wave.inputs, wave.outputs) == (4, 6)
    assert (writer.columns, writer.highest.tolist()) == ((DIRECT, "pay"), [1, 5])
    packed = writer.pack(np.array([[1, 3], [0, 5]], dtype=np.int32))
    records = [layout.unpack(packed[:1]), layout.unpack(packed[1:])]
    assert [(record.direct, record.answers) for record in records] == [(True, ((3,),)), (False, ((5,),))]
    for wrong in ([1, 4], [0, 6], [0, -2]):
        with pytest.raises(PrivacyError, match="'pay' is nothing that a device sends"):
            writer.pack(np.array([wrong], dtype=np.int32))


def test_with_two_strengths_each_row_accepts_only_its_groups_outputs() -> None:
    wave = square_wave(NumberRange(low=0, high=9), 1.0)
    light = square_wave(NumberRange(low=0, high=9), 2.0)
    writer = RowWriter(live(replace(scale_block("pay", wave), light=light), group=CHOICE))
    assert light.outputs < wave.outputs
    last = [[1, light.outputs - 1], [0, wave.outputs - 1]]
    packed = writer.pack(np.array(last, dtype=np.int32))
    half = len(packed) // 2
    records = [writer.layout.unpack(part) for part in (packed[:half], packed[half:])]
    assert [[record.direct, record.answers[0][0]] for record in records] == last
    with pytest.raises(PrivacyError, match="'pay' is nothing that a device sends"):
        writer.pack(np.array([[1, light.outputs]], dtype=np.int32))


def test_drawn_questions_are_packed_with_their_booklet() -> None:
    """Booklets of two of three questions: (x, y), (x, z) and (y, z); the last row skips the block."""
    block = shielded("b", 5000, *(yes_no(key, 5000) for key in "xyz"), refusal=1000)
    design = live(replace(block, questions_per_person=2))
    writer, layout = RowWriter(design), Layout(design)
    assert writer.columns == ("x", "y", "z", "skipped:b", "asked:b")
    assert writer.highest.tolist() == [1, 1, 1, 1, 2]
    packed = writer.pack(
        np.array(
            [[1, 0, EMPTY_CELL, 0, 0], [EMPTY_CELL, 1, 1, 0, 2], [EMPTY_CELL] * 3 + [1, 1]], dtype=np.int8
        )
    )
    width = layout.n_bytes
    records = [layout.unpack(packed[start : start + width]) for start in range(0, len(packed), width)]
    assert [record.drawn for record in records] == [((0, 1),), ((1, 2),), ((0, 2),)]
    assert [record.answers for record in records[:2]] == [((1, 0, None),), ((None, 1, 1),)]
    assert [record.refused for record in records] == [(False,), (False,), (True,)]
    with pytest.raises(PrivacyError, match=r"'asked:b' is empty .*name the questions that the device drew"):
        writer.pack(np.array([[EMPTY_CELL] * 3 + [1, EMPTY_CELL]], dtype=np.int8))
