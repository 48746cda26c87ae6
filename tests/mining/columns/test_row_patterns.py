import random
import tracemalloc
from collections import Counter
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from benchmarks.simulation import study_design
from mining import Progress
from mining.columns import row_patterns
from mining.columns.bitmatrix import BitMatrix, Group
from mining.columns.random_words import words
from mining.columns.row_patterns import distinct_rows_in, observe, with_open_numbers
from privacy.coins import Coins
from privacy.scales.number_range import NumberRange
from privacy.scales.numeric_mechanisms import as_answered
from privacy.survey.design import Design
from privacy.survey.disguise import disguise
from privacy.survey.drawn_questions import draw_questions
from privacy.survey.layout import Layout, Record
from privacy.survey.rotation import Rotation
from tests.fixtures.devices import true_answers
from tests.fixtures.refusals import refused
from tests.vectors.designs import CHOICE, DESIGNS, choice, live, opened, shielded, yes_no
from tests.vectors.scale_designs import open_number
from tests.vectors.strength_designs import COINS


def sent_by(design: Design, n: int, seed: int) -> list[Record]:
    """Return devices' rows with all kinds of answers: open gaps, skips, both groups."""
    rng = random.Random(seed)
    coins = Coins(iter(lambda: rng.getrandbits(32), None))
    return [
        disguise(
            design,
            true_answers(design, rng),
            direct=design.group.allows(direct=True) and rng.random() < 0.3,
            coins=coins,
        )
        for _ in range(n)
    ]


def items_of(design: Design, record: Record, block: int) -> tuple[int, ...]:
    bits: list[int] = []
    for question, value in zip(design.blocks[block].questions, record.answers[block], strict=True):
        if isinstance(value, tuple):
            bits += value
        elif question.kind == "single":
            bits += [int(value == option) for option in range(len(question.options))]
        else:
            bits += [int(value == 1)] if question.kind == "yes_no" else [0] * question.n_items
    return tuple(bits)


@pytest.mark.parametrize(
    "name",
    [
        "one yes/no with skip",
        "mixed block, choice",
        "open between, assigned",
        "routed, choice",
        "open only",
        "routed",
    ],
)
def test_distinct_rows_match_a_count_of_unpacked_records(name: str) -> None:
    design = (DESIGNS | COINS)[name]
    records = sent_by(design, 300, seed=5)
    layout = Layout(design)
    found = observe(BitMatrix.from_rows(design, b"".join(map(layout.pack, records))))
    assert found.n_direct == sum(record.direct for record in records)
    assert found.n_direct + found.n_protected == 300
    opened = [place for place, block in enumerate(design.blocks) if not block.protected]

    def cell_of(record: Record) -> tuple[tuple[int, ...], tuple[int, ...]]:
        items = tuple(bit for place in opened for bit in items_of(design, record, place))
        answered = tuple(int(value is not None) for place in opened for value in record.answers[place])
        return items, answered

    expected = Counter((cell_of(record), record.direct) for record in records)
    cells = {cell for cell, _direct in expected}
    assert sorted(map(tuple, found.open.tolist())) == sorted(
        (expected[cell, True], expected[cell, False]) for cell in cells
    )
    assert bool(found.light) == design.has_two_strengths
    for (place, block), direct in product(enumerate(design.blocks), (False, True)):
        sent = found.light if direct else found.blocks
        if not block.protected or (direct and not sent):
            continue
        seen = sent[block.key]
        rows: Counter[object] = Counter()
        for record in records:
            if record.direct != direct or not (record.refused[place] or record.answers[place][0] is not None):
                continue
            row = "skipped" if record.refused[place] else items_of(design, record, place)
            rows[row] += 1
        names = [*map(tuple, seen.rows.tolist()), "skipped"]
        assert rows == Counter(dict(zip(names, seen.counts.tolist(), strict=True)))


def rotating_design() -> Design:
    """Return a design: two of three questions, one of two parts, a skip, an open answer, two strengths."""
    part = shielded(
        "a", 6000, yes_no("x", 5000), choice("y", 3000, 3000, 4000), yes_no("z", 5000), refusal=900
    )
    blocks = (
        opened("you", yes_no("city")),
        replace(part, light=8000, questions_per_person=2),
        replace(shielded("b", 5000, yes_no("u", 5000)), light=7000),
        replace(shielded("c", 5000, yes_no("v", 5000)), light=7000),
    )
    return Design(
        blocks=blocks, group=CHOICE, use="live", rotations=(Rotation(blocks=("b", "c"), parts_per_person=1),)
    )


def matrix_of(design: Design, records: list[Record]) -> BitMatrix:
    """Return the columns of records of a rotating design."""
    blocks = range(len(design.blocks))
    return BitMatrix.from_booleans(
        design,
        np.array(
            [[bit for block in blocks for bit in items_of(design, each, block)] for each in records],
            dtype=bool,
        ),
        np.array([each.direct for each in records]),
        is_asked=np.array([
            [place in booklet for block, booklet in zip(design.blocks, each.drawn or (), strict=True)
             for place in range(len(block.questions))]
            for each in records
        ]),
        has_answer=np.array([
            [bool(booklet) and not refused
             for booklet, refused in zip(each.drawn or (), each.refused, strict=True)]
            for each in records
        ]),
    )  # fmt: skip


def test_rotating_rows_are_distinguished_by_the_questions_asked() -> None:
    design, rng = rotating_design(), np.random.default_rng(8)
    stream, records = words(rng), []
    for _ in range(400):
        drawn = draw_questions(design, Coins(stream))
        answers: dict[str, object] = {"you": {"city": int(rng.random() < 0.02)}}
        for block, booklet in list(zip(design.blocks, drawn, strict=True))[1:]:
            if booklet:
                told = {block.questions[place].key: int(rng.integers(2)) for place in booklet}
                answers[block.key] = "skipped" if block.refusal and rng.random() < 0.3 else told
        direct = bool(rng.random() < 0.4)
        records.append(disguise(design, answers, direct=direct, coins=Coins(stream), drawn=drawn))
    found = observe(matrix_of(design, records))
    for sent, direct in ((found.blocks, False), (found.light, True)):
        rows: Counter[object] = Counter()
        for record in records:
            if record.direct == direct:
                asked = tuple(int(value is not None) for value in record.answers[1])
                rows["skipped" if record.refused[1] else (asked, items_of(design, record, 1))] += 1
        seen = sent["a"]
        assert seen.is_asked is not None
        names = [
            *zip(map(tuple, seen.is_asked.tolist()), map(tuple, seen.rows.tolist()), strict=True),
            "skipped",
        ]
        counts = seen.counts
        assert rows == {name: count for name, count in zip(names, counts, strict=True) if count}
        asked_b = sum(record.direct == direct and record.answers[2][0] is not None for record in records)
        assert sent["b"].counts.sum() == asked_b
    shown = Counter((record.answers[0], record.drawn) for record in records)
    assert found.own == sum(count == 1 for count in shown.values()) > 0
    assert observe(BitMatrix.from_rows(DESIGNS["routed, choice"], b"")).own is None


def test_row_patterns_accept_no_rows() -> None:
    design = DESIGNS["open between, assigned"]
    found = observe(BitMatrix.from_rows(design, b""))
    assert (found.n_direct, found.n_protected, found.blocks["a"].counts.sum()) == (0, 0, 0)


def test_counting_in_chunks_gives_the_same_result(monkeypatch: pytest.MonkeyPatch) -> None:
    design = DESIGNS["routed, choice"]
    layout = Layout(design)
    matrix = BitMatrix.from_rows(design, b"".join(map(layout.pack, sent_by(design, 900, seed=8))))
    whole = observe(matrix)
    monkeypatch.setattr(row_patterns, "ROWS_AT_A_TIME", 64)
    monkeypatch.setattr(row_patterns, "_MERGED_FROM", 1)
    told: list[Progress] = []
    parts = observe(matrix, told.append)
    assert [progress.done for progress in told][-2:] == [900 - matrix.n_protected % 64, 900]
    assert len(told) == -(-matrix.n_direct // 64) + -(-matrix.n_protected // 64)
    assert np.array_equal(whole.open, parts.open)
    assert whole.blocks.keys() == parts.blocks.keys()
    for key, block in whole.blocks.items():
        for name in ("rows", "counts"):
            assert np.array_equal(getattr(block, name), getattr(parts.blocks[key], name)), (key, name)


@pytest.mark.soak
def test_memory_use_does_not_grow_with_the_rows() -> None:
    design = DESIGNS["one yes/no with skip"]
    peaks = []
    for n in (4 * row_patterns.ROWS_AT_A_TIME, 16 * row_patterns.ROWS_AT_A_TIME):
        columns = np.random.default_rng(1).integers(0, 1 << 63, (design.n_columns, n // 64), dtype=np.uint64)
        nobody = Group(words=columns[:, :0], n=0)
        matrix = BitMatrix(
            design=design,
            direct=nobody,
            protected=Group(words=columns, n=n),
            stored_at=np.arange(design.n_columns),
        )
        tracemalloc.start()
        observe(matrix)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 1.1 * peaks[0]


def test_too_many_distinct_rows_for_memory_are_refused() -> None:
    """All eight answers to three questions occur: space for eight is enough, for seven it is not."""
    design = study_design([3], truth_probability=6000, unrelated=5000)
    rows = np.array(list(product([False, True], repeat=3)))
    matrix = BitMatrix.from_booleans(design, np.tile(rows, (5, 1)), np.zeros(40, dtype=bool))
    assert len(next(iter(observe(matrix, most=8).blocks.values())).rows) == 8
    with refused("distinct_rows"):
        observe(matrix, most=7)
    # Columns: three items, three "asked" and one "answered".
    assert distinct_rows_in(228, design) == 1_000_000


def test_open_numbers_distinguish_rows_and_a_missing_one_is_a_value() -> None:
    """The number 0 and no number differ; a protected answer distinguishes no one."""
    hours = open_number("hours", as_answered(NumberRange(low=0, high=24)))
    design = live(
        opened("you", yes_no("city")), hours, shielded("a", 5000, yes_no("late", 5000)), group=CHOICE
    )
    layout = Layout(design)
    rows = {(False, 1, 24): 3, (True, 1, 24): 2, (False, 1, 0): 1, (False, 1, None): 2, (True, 0, 7): 1}
    packed = [
        layout.pack(Record(direct=direct, refused=(False,) * 3, answers=((city,), (value,), (number % 2,))))
        for (direct, city, value), count in rows.items()
        for number in range(count)
    ]
    body = b"".join(packed)
    plain = observe(BitMatrix.from_rows(design, body))
    found = with_open_numbers(plain, design, [body])
    assert sorted(map(tuple, found.open.tolist())) == [(0, 1), (0, 2), (1, 0), (2, 3)]
    assert found.own is None
    in_parts = with_open_numbers(plain, design, packed)
    assert sorted(map(tuple, in_parts.open.tolist())) == [(0, 1), (0, 2), (1, 0), (2, 3)]
    assert with_open_numbers(plain, design, [body], most=4).own is None
    with refused("distinct_rows"):
        with_open_numbers(plain, design, [body], most=3)
    without = live(opened("you", yes_no("city")), design.blocks[-1])
    assert with_open_numbers(plain, without, []) is plain


def test_rows_with_open_numbers_are_unique_by_the_questions_drawn_as_well() -> None:
    """Of the first three rows with the number 5, two were asked the first question."""
    hours = open_number("hours", as_answered(NumberRange(low=0, high=24)))
    drawn = replace(shielded("a", 5000, *(yes_no(key, 5000) for key in "xyz")), questions_per_person=1)
    design = live(opened("you", yes_no("city")), hours, drawn, group=CHOICE)
    rows = [(5, 0), (5, 0), (5, 1), (6, 0), (7, 2)]
    packed = [
        Layout(design).pack(
            Record(
                direct=False,
                refused=(False,) * 3,
                answers=((1,), (value,), tuple(1 if place == asked else None for place in range(3))),
                drawn=((0,), (0,), (asked,)),
            )
        )
        for value, asked in rows
    ]
    plain = observe(BitMatrix.from_rows(design, b"".join(packed)))
    assert with_open_numbers(plain, design, packed).own == sum(rows.count(row) == 1 for row in rows) == 3
