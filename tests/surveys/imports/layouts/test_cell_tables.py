"""Tables between bars are read like copied sheets."""

import pytest

from surveys.imports.drafts.questionnaire import labels_of, points_of, text_of
from surveys.imports.layouts.cell_tables import write_tabs
from surveys.imports.pasted_text import read_paste

_RULE = "Item 2 is reversed. 0-3 low; 4-6 moderate; 7-9 high"


@pytest.mark.parametrize(
    ("head", "cells"),
    [
        (
            "|  |  | never | rarely | often | always |\n|---|---|---|---|---|---|\n|  |  | 0 | 1 | 2 | 3 |",
            "||||",
        ),
        ("|  |  | never (0) | rarely (1) | often (2) | always (3) |\n|---|:-:|:-:|---|---|---|", "0|1|2|3|"),
        (
            "| No | Item | 0 = never | 1 = rarely | 2 = often | 3 = always |\n|:--|:--|---|---|---|---|",
            "□|□|□|□|",
        ),
        ("N = never, R = rarely, O = often, A = always\nPoints: N = 0, R = 1, O = 2, A = 3.\n", "N|R|O|A|"),
    ],
)
def test_items_between_bars_share_their_answers(head: str, cells: str) -> None:
    texts = ("I hear the street.", "I sleep well.", "I wear earplugs.")
    rows = "\n".join(f"| {n} | {text} | {cells}" for n, text in enumerate(texts, start=1))
    survey = read_paste(f"Noise\n\n{head}\n{rows}\n\n{_RULE}", ("en",))
    assert [text_of(each) for each in survey.questions] == [*texts]
    assert {labels_of(each) for each in survey.questions} == {("never", "rarely", "often", "always")}
    assert [points_of(each) for each in survey.questions] == [[0, 1, 2, 3], [3, 2, 1, 0], [0, 1, 2, 3]]


def test_answers_between_bars_are_no_table() -> None:
    lines = ["1. Do you smoke? | yes | no |", "|  | yes | no |", "2. Why? | fun | habit"]
    assert write_tabs(lines) == lines
