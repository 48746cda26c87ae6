from importlib.util import find_spec
from typing import Literal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from mining.columns import bitmatrix
from mining.columns.bitmatrix import (
    FULL,
    NO_BIT,
    BitMatrix,
    Group,
    RowReader,
    bit_columns,
    join_matrices,
    unpacked_columns,
    words_for,
)
from privacy.errors import PrivacyError
from privacy.survey.design import Design
from privacy.survey.layout import Layout, Record
from tests.fixtures.questionnaires import (
    EVERYTHING,
    bodies,
    grouped,
    opened,
    questionnaire,
    true_rows,
    yes_no,
)
from tests.mining.columns.counted import count


def column_of(matrix: BitMatrix, group: Group, column: int) -> list[bool]:
    place = matrix.stored_at[column]
    if place == FULL:
        return [True] * group.n
    return unpacked_columns(group.words[[place]], group.n)[0].tolist()


def has(design: Design, record: Record, column: int) -> bool:
    """Return whether a record has a 1 in a column, by the definition of the columns."""
    flat = [value for block in record.answers for value in block]
    asked = [
        value is not None or record.refused[design.block_of(number)] for number, value in enumerate(flat)
    ]
    if column < len(design.items):
        item = design.items[column]
        value, kind = flat[item.question], design.questions[item.question].kind
        if value is None:
            return False
        if isinstance(value, tuple):
            return value[item.option] == 1
        return value == item.option if kind == "single" else value == 1
    column -= len(design.items)
    if column < len(design.questions):
        return asked[column]
    block = column - len(design.questions)
    of_block = [asked[j] for j in range(len(flat)) if design.block_of(j) == block]
    return all(of_block) and not record.refused[block]


@pytest.mark.parametrize("compiled", [False, True] if find_spec("numba") else [False])
@pytest.mark.parametrize("n", [1, 63, 64, 65, 500])
def test_packed_rows_become_the_columns_defined_by_the_design(
    n: int, compiled: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mining.columns.bitmatrix.pays_to_compile", lambda rows: compiled)
    rng = np.random.default_rng(n)
    direct = rng.random(n) < 0.4
    buffer = bodies(EVERYTHING, true_rows(n, seed=n), direct, seed=n)
    matrix = BitMatrix.from_rows(EVERYTHING, buffer)
    layout = Layout(EVERYTHING)
    records = [
        layout.unpack(buffer[start : start + layout.n_bytes])
        for start in range(0, len(buffer), layout.n_bytes)
    ]
    assert (matrix.n, matrix.n_direct) == (n, int(direct.sum()))
    for column in range(EVERYTHING.n_columns):
        for group, is_direct in ((matrix.direct, True), (matrix.protected, False)):
            expected = [has(EVERYTHING, record, column) for record in records if record.direct is is_direct]
            assert column_of(matrix, group, column) == expected


def same(one: BitMatrix, other: BitMatrix) -> bool:
    return all(
        np.array_equal(first, second)
        for first, second in (
            (one.direct.words, other.direct.words),
            (one.protected.words, other.protected.words),
            (one.stored_at, other.stored_at),
        )
    ) and (one.n_direct, one.n_protected) == (other.n_direct, other.n_protected)


def test_rows_split_across_buffers_read_the_same_as_one(monkeypatch: pytest.MonkeyPatch) -> None:
    direct = np.random.default_rng(2).random(400) < 0.5
    buffer = bodies(EVERYTHING, true_rows(400, seed=2), direct, seed=2)
    size = Layout(EVERYTHING).n_bytes
    whole = BitMatrix.from_rows(EVERYTHING, buffer)
    pieces = [buffer[start : start + 37 * size] for start in range(0, len(buffer), 37 * size)]
    assert same(whole, BitMatrix.from_rows(EVERYTHING, iter(pieces)))
    monkeypatch.setattr("mining.columns.bitmatrix._ROWS_AT_A_TIME", 50)
    assert same(whole, BitMatrix.from_rows(EVERYTHING, memoryview(buffer)))


def test_full_columns_use_no_memory() -> None:
    design = grouped([3])
    items = np.array([[True, False, True], [True, True, False]])
    matrix = BitMatrix.from_booleans(design, items, np.zeros(2, dtype=bool))
    assert matrix.full == {0, *range(3, design.n_columns)}
    assert matrix.protected.words.shape == (2, 1)


def test_a_column_full_in_only_one_group_is_kept() -> None:
    items = np.array([[True], [False]])
    matrix = BitMatrix.from_booleans(grouped([1]), items, np.array([True, False]))
    assert 0 not in matrix.full


def test_questions_of_one_block_share_their_asked_column() -> None:
    buffer = bodies(EVERYTHING, true_rows(200, seed=3), np.zeros(200, dtype=bool), seed=3)
    matrix = BitMatrix.from_rows(EVERYTHING, buffer)
    mood, did = (EVERYTHING.question_number(key) for key in ("mood", "did"))
    places = {
        int(matrix.stored_at[EVERYTHING.asked_column(mood)]),
        int(matrix.stored_at[EVERYTHING.asked_column(did)]),
        int(matrix.stored_at[EVERYTHING.answered_column(2)]),
    }
    assert len(places) == 1
    assert places != {FULL}


def table(n: int, seed: int) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    rng = np.random.default_rng(seed)
    return rng.random((n, 5)) < 0.4, rng.random(n) < 0.3


@pytest.mark.parametrize("n", [0, 1, 64, 130])
def test_a_boolean_table_keeps_the_row_order_within_each_group(n: int) -> None:
    items, direct = table(n, seed=n)
    matrix = BitMatrix.from_booleans(grouped([2, 3]), items, direct)
    for column in range(5):
        assert column_of(matrix, matrix.direct, column) == items[direct, column].tolist()
        assert column_of(matrix, matrix.protected, column) == items[~direct, column].tolist()


def test_a_block_counts_as_answered_only_if_fully_asked() -> None:
    design = questionnaire(opened("open", yes_no("a", None), yes_no("b", None)))
    asked = np.array([[True, True], [True, False]])
    matrix = BitMatrix.from_booleans(design, asked, np.zeros(2, dtype=bool), is_asked=asked)
    assert column_of(matrix, matrix.protected, design.answered_column(0)) == [True, False]


def test_buffers_with_partial_rows_are_rejected() -> None:
    size = Layout(EVERYTHING).n_bytes
    with pytest.raises(
        PrivacyError, match=rf"{size + 1} bytes is not a whole number of rows of {size}"
    ) as refusal:
        BitMatrix.from_rows(EVERYTHING, bytes(size + 1))
    assert (refusal.value.code, refusal.value.value) == ("row_length", size + 1)


@pytest.mark.parametrize("name", ["items", "asked", "answered"])
def test_tables_with_the_wrong_shape_are_refused(name: str) -> None:
    tables = {
        "items": np.ones((2, 5), bool),
        "asked": np.ones((2, 5), bool),
        "answered": np.ones((2, 2), bool),
    }
    tables[name] = np.ones((2, 9), dtype=bool)
    with pytest.raises(PrivacyError, match=rf"table {name} has shape \(2, 9\)") as refusal:
        BitMatrix.from_booleans(
            grouped([2, 3]),
            tables["items"],
            np.zeros(2, dtype=bool),
            is_asked=tables["asked"],
            has_answer=tables["answered"],
        )
    assert refusal.value.code == "table_shape"


def columns_of(*records: Record) -> list[set[str]]:
    """Return for each record the names of the columns that are 1."""
    layout = Layout(EVERYTHING)
    rows = np.frombuffer(b"".join(map(layout.pack, records)), dtype=np.uint8).reshape(-1, layout.n_bytes)
    words = RowReader(EVERYTHING).columns(rows)
    names = [item.key for item in EVERYTHING.items]
    names += [f"asked {question.key}" for question in EVERYTHING.questions]
    names += [f"answered {block.key}" for block in EVERYTHING.blocks]
    return [
        {name for name, column in zip(names, words, strict=True) if int(column[0]) >> row & 1}
        for row in range(len(records))
    ]


def test_first_option_missing_answer_and_skip_are_distinct() -> None:
    nothing = Record(
        direct=False, answers=((None, 0, None), (None, None), (None, None)), refused=(False, True, False)
    )
    told = Record(direct=True, answers=((0, 0, None), (0, 0), (None, None)), refused=(False, False, False))
    assert columns_of(nothing, told) == [
        {"asked married", "asked smokes", "asked drinks"},
        {"age=22", "asked age", "asked married", "asked smokes", "asked drinks", "answered habits"},
    ]


SIZE = Layout(EVERYTHING).n_bytes


@pytest.mark.parametrize("cuts", [[0, 400], [1, 400], [64, 128, 400], [63, 190, 255, 399, 400], [400, 400]])
def test_joined_parts_equal_the_matrix_of_all_rows(cuts: list[int]) -> None:
    direct = np.random.default_rng(2).random(400) < 0.4
    packed = bodies(EVERYTHING, true_rows(400, seed=2), direct, seed=2)
    edges = [0, *cuts]
    parts = [
        BitMatrix.from_rows(EVERYTHING, packed[SIZE * start : SIZE * end])
        for start, end in zip(edges, cuts, strict=False)
    ]
    whole, found = BitMatrix.from_rows(EVERYTHING, packed), join_matrices(parts)
    assert (found.n_direct, found.n_protected, found.full) == (
        whole.n_direct, whole.n_protected, whole.full,
    )  # fmt: skip
    for group in ("direct", "protected"):
        ours, theirs = getattr(found, group), getattr(whole, group)
        for column in sorted(set(range(EVERYTHING.n_columns)) - whole.full):
            assert np.array_equal(ours.words[found.stored_at[column]], theirs.words[whole.stored_at[column]])
    requests = [(one, two) for one in range(EVERYTHING.n_columns) for two in range(one)]
    assert np.array_equal(count(found, requests), count(whole, requests))


def test_joining_rows_of_two_designs_is_refused() -> None:
    one, two = (
        BitMatrix.from_booleans(grouped([size]), np.ones((1, size), dtype=bool), np.zeros(1, dtype=bool))
        for size in (1, 2)
    )
    with pytest.raises(
        PrivacyError, match=r"are mixed with rows of .*; combine rows of one design only"
    ) as refusal:
        join_matrices([one, two])
    assert refusal.value.code == "other_design"


WAYS = [False, True] if find_spec("numba") else [False]


@pytest.mark.parametrize("compiled", WAYS)
@settings(deadline=None)
@given(
    n=st.integers(0, 1100),
    n_bytes=st.integers(1, 20),
    seed=st.integers(0, 2**32 - 1),
    order=st.sampled_from(["C", "F"]),
    wanted=st.lists(st.integers(NO_BIT, 159), max_size=30),
)
def test_every_bit_of_every_row_reaches_its_position(
    compiled: bool, n: int, n_bytes: int, seed: int, order: Literal["C", "F"], wanted: list[int]
) -> None:
    rows = np.random.default_rng(seed).integers(0, 256, size=(n, n_bytes), dtype=np.uint8)
    positions = [position % (8 * n_bytes) if position >= 0 else position for position in wanted]
    columns = bit_columns(np.asarray(rows, order=order), positions, compiled=compiled)
    expected = np.zeros((len(positions), 64 * words_for(n)), dtype=np.uint8)
    bits = np.unpackbits(rows, axis=1)
    for place, position in enumerate(positions):
        if position != NO_BIT:
            expected[place, :n] = bits[:, position]
    octets = np.packbits(expected, axis=1, bitorder="little")
    assert columns.dtype == np.uint64
    assert np.ascontiguousarray(columns, dtype="<u8").tobytes() == octets.tobytes()


@pytest.mark.parametrize("compiled", WAYS)
@pytest.mark.parametrize("single", range(8))
def test_a_single_row_does_not_affect_its_seven_neighbours(single: int, compiled: bool) -> None:
    rows = np.zeros((8, 1), dtype=np.uint8)
    rows[single] = 0xFF
    assert bit_columns(rows, range(8), compiled=compiled).tolist() == [[1 << single]] * 8


def test_a_matrix_uses_eight_bytes_for_each_word_of_each_stored_column() -> None:
    """Three columns of items; the columns of "asked" and "answered" are full and not stored."""
    rows = np.eye(3, dtype=bool)[np.arange(130) % 3]
    matrix = BitMatrix.from_booleans(grouped([3]), rows, np.arange(130) < 60)
    assert matrix.n_bytes == 3 * 8 * (words_for(60) + words_for(70))


def test_only_columns_with_zeros_are_stored() -> None:
    items = np.array([[True, False, True], [True, True, False]])
    matrix = BitMatrix.from_booleans(grouped([3]), items, np.zeros(2, dtype=bool))
    assert (matrix.n_stored, matrix.n) == (2, 2)
    full = BitMatrix.from_booleans(grouped([3]), np.ones((2, 3), dtype=bool), np.zeros(2, dtype=bool))
    assert full.n_stored == 0


def test_compiling_pays_for_many_rows_if_numba_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bitmatrix, "_ROWS_WORTH_LOADING_NUMBA", 10)
    monkeypatch.setattr(bitmatrix, "find_spec", lambda name: object())
    assert [bitmatrix.pays_to_compile(n) for n in (9, 10)] == [False, True]
    monkeypatch.setattr(bitmatrix, "find_spec", lambda name: None)
    assert not bitmatrix.pays_to_compile(10)
