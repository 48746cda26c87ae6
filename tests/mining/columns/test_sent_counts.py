from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from mining.columns.bitmatrix import BitMatrix
from mining.columns.sent_counts import SentCounts, sent_counts
from privacy.coins import Coins
from privacy.errors import PrivacyError
from privacy.survey.block_channel import block_channel
from privacy.survey.design import Condition, Design
from privacy.survey.disguise import disguise
from privacy.survey.layout import Layout, Record
from tests.mining.columns.counted import count
from tests.vectors.designs import CHOICE, live, opened, shielded, yes_no
from tests.vectors.scale_designs import NUMBERS, PLACES, may_skip, scale_block
from tests.vectors.words import stream

WAVE = NUMBERS["square wave"].questions[0].disguise
KEEP = NUMBERS["keep or any"].questions[0].disguise
MAP = PLACES["regions, assigned"].questions[0].disguise
DESIGN = live(
    opened("you", yes_no("city")),
    scale_block("age", KEEP, "young", "middle"),
    scale_block("home", MAP, "east"),
    scale_block("late", WAVE, asked_if=Condition(question="city", options=("yes",))),
    shielded("a", 6000, yes_no("affair", 5000)),
    group=CHOICE,
)
MAP_OF_ALL = replace(PLACES["square mechanism"].questions[0].disguise, regions=(((0, 0, 10, 8),),))
STRENGTHS = Design(
    blocks=(
        DESIGN.blocks[0],
        replace(DESIGN.blocks[1], light=replace(KEEP, peak=KEEP.peak << 2)),
        replace(
            scale_block("home", MAP_OF_ALL, "east"),
            light=replace(MAP_OF_ALL, levels=(replace(MAP_OF_ALL.levels[0], numerator=40_000_001),)),
        ),
        replace(DESIGN.blocks[3], light=replace(WAVE, window=3, peak=WAVE.peak * 3)),
        replace(DESIGN.blocks[4], light=8000),
    ),
    group=CHOICE,
    use="live",
)
"""The same questions with a lightly disguised direct group, and another window for the last number."""


@cache
def records_of(design: Design, n: int) -> list[Record]:
    words = stream("scale rows")
    found = []
    for _ in range(n):
        city = next(words) % 2
        answers = {
            "you": {"city": city},
            "b-age": {"age": next(words) % 12},
            "b-home": {"home": next(words) % 80},
            "a": {"affair": next(words) % 2},
        } | ({"b-late": {"late": next(words) % 12}} if city else {})
        direct = next(words) % 4 == 0
        found.append(disguise(design, answers, direct=direct, coins=Coins(words)))
    return found


RECORDS = records_of(DESIGN, 300)
ROWS = b"".join(Layout(DESIGN).pack(record) for record in RECORDS)


@pytest.mark.parametrize("number", [1, 2, 3])
@pytest.mark.parametrize("design", [DESIGN, STRENGTHS], ids=["one strength", "two strengths"])
def test_values_are_counted_by_group_only_where_asked(design: Design, number: int) -> None:
    records = records_of(design, 300)
    found = sent_counts(design, number, b"".join(Layout(design).pack(record) for record in records))
    block = design.blocks[number]
    for direct, table in ((True, found.direct), (False, found.protected)):
        values = [
            record.answers[number][0]
            for record in records
            if record.direct == direct and record.answers[number][0] is not None
        ]
        assert len(table) == block.scale_outputs(direct=direct)
        assert table.tolist() == [values.count(value) for value in range(len(table))]
    assert found.n == sum(record.answers[number][0] is not None for record in records)
    assert found.light == block.light


def test_two_strength_answer_counts_combine_both_groups() -> None:
    block = may_skip(scale_block("age", WAVE))
    light = replace(WAVE, window=3, peak=WAVE.peak * 3)
    shares = np.append(np.full(12, 0.7 / 12), 0.3)
    both = replace(block, light=light)
    sent = [
        np.rint(block_channel(both, direct=direct).as_array() @ shares * 10**9).astype(np.int64)
        for direct in (True, False)
    ]
    found = SentCounts(direct=sent[0], protected=sent[1], skipping=block.skipping, light=light)
    assert found.people == pytest.approx(1.4 * 10**9, rel=1e-6)


def test_band_and_region_columns_match_the_sent_values() -> None:
    matrix = BitMatrix.from_rows(DESIGN, ROWS)
    held = {
        "age=young": lambda record: record.answers[1][0] <= 2,
        "age=middle": lambda record: record.answers[1][0] == 3,
        "home=east": lambda record: MAP.item_values(0)[record.answers[2][0]],
    }
    for key, holds in held.items():
        counts = count(matrix, [(DESIGN.item(key).index,)])[0]
        expected = [
            sum(bool(holds(record)) for record in RECORDS if record.direct == direct)
            for direct in (True, False)
        ]
        assert counts.tolist() == expected


def test_skipped_rows_are_counted_after_the_values_without_items() -> None:
    design = live(may_skip(scale_block("age", KEEP, "young", "middle")), group=CHOICE)
    words = stream("skipped rows")
    answers = [{"b-age": "skipped" if next(words) % 3 == 0 else {"age": next(words) % 12}} for _ in range(90)]
    records = [
        disguise(design, answer, direct=place % 3 == 0, coins=Coins(words))
        for place, answer in enumerate(answers)
    ]
    rows = b"".join(Layout(design).pack(record) for record in records)
    found = sent_counts(design, 0, rows)
    for direct, table in ((True, found.direct), (False, found.protected)):
        mine = [record for record in records if record.direct == direct]
        values = [12 if record.refused[0] else record.answers[0][0] for record in mine]
        assert table.tolist() == [values.count(value) for value in range(13)]
        assert table[12] > 0
    assert found.n == 90
    matrix = BitMatrix.from_rows(design, rows)
    answered, young = design.answered_column(0), design.item("age=young").index
    assert count(matrix, [(answered,)]).sum() == sum(not record.refused[0] for record in records)
    assert count(matrix, [(young,)]).sum() == sum(
        record.answers[0][0] is not None and record.answers[0][0] <= 2 for record in records
    )


def test_no_rows_give_a_count_of_zero() -> None:
    assert sent_counts(DESIGN, 1, b"").n == 0


def test_counting_values_of_an_option_question_is_refused() -> None:
    with pytest.raises(PrivacyError, match="affair is a yes_no"):
        sent_counts(DESIGN, 4, ROWS)
