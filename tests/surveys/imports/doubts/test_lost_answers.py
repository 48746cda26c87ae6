"""Each word of a legend ends in an answer or in a note."""

import pytest

from surveys.imports.pasted_text import read_paste


@pytest.mark.parametrize(
    ("legend", "lost"),
    [
        ("X = does not apply, 0 = never, 1 = sometimes, 2 = often", "does not apply"),
        ("0＝从不、1＝有时、2＝总是、×＝不知道", "不知道"),
    ],
)
def test_words_of_a_legend_that_are_no_answers_are_noted(legend: str, lost: str) -> None:
    """Before, nothing was said."""
    notes = read_paste(f"{legend}\n1. I lie\n2. I steal").notes
    assert [note.line for note in notes if lost in str(note.message)] == [1]


@pytest.mark.parametrize(
    "legend",
    [
        "Please answer: 0 = never, 1 = sometimes, 2 = often",
        "In the last month how often did you ... 0 = never, 1 = sometimes, 2 = often",
        "Responses were on a scale (never = 0; sometimes = 1; often = 2). The statements were:",
        "请根据最近两周的情况打钩（没有=0分，有时=1分，经常=2分）",
        "Wie oft? 0 Punkte: nie, 1 Punkt: manchmal, 2 Punkte: oft",
    ],
)
def test_words_in_front_of_a_legend_are_no_answers(legend: str) -> None:
    notes = read_paste(f"{legend}\n1. I lie\n2. I steal").notes
    assert not [note for note in notes if "left out" in str(note.message)]
