from __future__ import annotations

import numpy as np
import pytest

from mining.columns.bitmatrix import BitMatrix
from mining.columns.counting import count
from mining.columns.scale_counts import sent_counts
from mining.columns.vectorised import disguise_rows
from privacy.channels.window import Band
from privacy.coins import Coins
from privacy.errors import PrivacyError
from privacy.survey import Condition, Design
from privacy.survey.grouping import disguise
from privacy.survey.layout import Layout, Record
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


def _records(design: Design, n: int) -> list[Record]:
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


RECORDS = _records(DESIGN, 300)
ROWS = b"".join(Layout(DESIGN).pack(record) for record in RECORDS)


@pytest.mark.parametrize(("number", "block"), [(1, 1), (2, 2), (3, 3)])
def test_values_are_counted_by_group_and_only_where_they_were_asked(number: int, block: int) -> None:
    found = sent_counts(DESIGN, number, ROWS)
    for direct, table in ((True, found.direct), (False, found.protected)):
        values = [
            record.answers[block][0]
            for record in RECORDS
            if record.direct == direct and record.answers[block][0] is not None
        ]
        assert table.tolist() == [values.count(value) for value in range(len(table))]
    assert found.n == sum(record.answers[block][0] is not None for record in RECORDS)


def test_the_columns_of_declared_bands_and_regions_say_what_was_sent() -> None:
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


def test_rows_that_skip_are_counted_behind_the_values_and_have_no_item() -> None:
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


def test_no_row_gives_no_count_and_no_value() -> None:
    assert sent_counts(DESIGN, 1, b"").n == 0


def test_a_question_of_options_is_refused() -> None:
    with pytest.raises(PrivacyError, match="affair is a yes_no"):
        sent_counts(DESIGN, 4, ROWS)


def test_simulated_tables_of_items_refuse_designs_with_numbers() -> None:
    simple = live(scale_block("age", KEEP, "young", "middle"))
    assert isinstance(KEEP, Band)
    with pytest.raises(PrivacyError, match="holds a number or a place"):
        disguise_rows(simple, np.zeros((1, 2), bool), np.zeros(1, bool), np.zeros((1, 1), int))
