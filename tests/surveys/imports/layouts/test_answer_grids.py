"""A table whose cells only show where to answer is read, whatever separates its cells and is in them."""

import pytest

from surveys.imports.layouts.answer_grids import write_answer_grids
from surveys.imports.pasted_text import read_paste

ITEMS = ("I sleep with my phone in hand", "I wake up rested, or so", "I fall asleep in class")
LABELS = ("never", "sometimes", "often")
CELLS = [
    (sign, place)
    for sign in ("\t", " | ", ";", "    ")
    for place in ("O", "o", "x", ".", "_", "☐", "[ ]", "( )", "")
    if place or sign.strip(" ")
]


def _text(sign: str, head: str, place: str) -> str:
    rows = [sign.join([item, *[place] * len(LABELS)]) for item in ITEMS]
    return "\n".join(["Sleep", "", head + sign.join(LABELS), *rows])


@pytest.mark.parametrize(("sign", "place"), CELLS)
def test_the_header_may_lack_the_first_cell(sign: str, place: str) -> None:
    """A header with bars or semicolons, but without a first cell, used to become a question."""
    for head in ("", sign.strip(" "), f"Statement{sign}"):
        survey = read_paste(_text(sign, head, place))
        assert [question.texts["en"] for question in survey.questions] == [*ITEMS]
        found = {tuple(option.texts["en"] for option in each.options) for each in survey.questions}
        assert found == {LABELS}


def test_rows_below_a_heading_go_on_with_the_table() -> None:
    lines = ["never;often", "I eat;x;x", "I run;x;x", "At work", "I sleep;x;x"]
    assert write_answer_grids(lines)[3:] == ["At work", "I sleep\t○\t○"]


def test_a_box_stays_what_it_is() -> None:
    assert write_answer_grids(["yes | no", "I eat | ☐ | ☐", "I run | ☐ | ☐"])[1] == "I eat\t☐\t☐"


@pytest.mark.parametrize(
    "lines",
    [
        ["Hours;Days", "Work;____;____", "Sport;____;____"],
        ["never;often", "I eat;x;x"],
        ["never;never", "I eat;x;x", "I run;x;x"],
        ["one;two;three;four;five", "I eat;x;x", "I run;x;x"],
        ["never;often", "I eat;1;2", "I run;1;2"],
        ["I eat, run, sleep", "I sit, stand, lie"],
        [],
    ],
    ids=["amounts", "one row", "same", "columns", "numbers", "sentences", "empty"],
)
def test_other_lines_stay(lines: list[str]) -> None:
    assert write_answer_grids(lines) == lines
