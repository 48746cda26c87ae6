from __future__ import annotations

import numpy as np

from mining.columns.row_reader import RowReader
from privacy.survey.layout import Layout, Record
from tests.fixtures.questionnaires import EVERYTHING


def columns_of(*records: Record) -> list[set[str]]:
    """Names of the columns that are 1, for each record."""
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


def test_items_asked_and_answered_are_read_from_a_row() -> None:
    record = Record(
        direct=False, answers=((0, 1, (0, 1)), (1, 0), (2, (1, 0))), refused=(False, False, False)
    )
    assert columns_of(record) == [
        {
            "age=22", "married", "reads=novels", "smokes", "mood=high", "did=lied",
            "asked age", "asked married", "asked reads", "asked smokes", "asked drinks", "asked mood",
            "asked did", "answered you", "answered habits", "answered marriage",
        }
    ]  # fmt: skip


def test_the_first_option_is_not_taken_for_a_missing_answer_nor_a_skip_for_an_answer() -> None:
    nothing = Record(
        direct=False, answers=((None, 0, None), (None, None), (None, None)), refused=(False, True, False)
    )
    told = Record(direct=True, answers=((0, 0, None), (0, 0), (None, None)), refused=(False, False, False))
    assert columns_of(nothing, told) == [
        {"asked married", "asked smokes", "asked drinks"},
        {"age=22", "asked age", "asked married", "asked smokes", "asked drinks", "answered habits"},
    ]
