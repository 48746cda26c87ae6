"""Columns for both ends of a range limit the numbers that answer the questions."""

import pytest

from surveys.imports.drafts.questionnaire import text_of
from surveys.imports.layouts.range_columns import join_ends
from surveys.imports.pasted_text import read_paste


@pytest.mark.parametrize(
    ("head", "row"),
    [
        ("variable\tlabel\ttype\tmin\tmax\tcodes", "{name}\t{text}\tinteger\t{low}\t{high}\t"),
        ("variable;label;type;von;bis", "{name};{text};integer;{low};{high}"),
        (
            "| Question | Your answer | unit | from | to |\n|---|---|---|---|---|",
            "| {text} | | hours | {low} | {high} |",
        ),
    ],
)
def test_numbers_have_the_ends_of_two_columns(head: str, row: str) -> None:
    questions = (
        ("work", "How many hours do you work?", 0, 90),
        ("sleep", "How many hours do you sleep?", 1, 24),
        ("rest", "How many hours do you rest?", 0, 60),
    )
    rows = [row.format(name=name, text=text, low=low, high=high) for name, text, low, high in questions]
    survey = read_paste("Time\n\n" + "\n".join([head, *rows]), ("en",))
    assert [text_of(each) for each in survey.questions] == [text for _name, text, _low, _high in questions]
    ends = [(each.own["number"]["low"], each.own["number"]["high"]) for each in survey.questions]
    assert ends == [(low, high) for _name, _text, low, high in questions]


@pytest.mark.parametrize(
    "rows",
    [
        ["Item;no;yes", "I lie;0;1", "I cheat;1;0", "I steal;0;1"],
        ["Item;no;yes", "I lie;0;1", "I cheat;0;2", "I steal;0;1"],
        ["Week;2;9", "one;3;8", "two;1;12"],
    ],
)
def test_points_and_other_numbers_stay(rows: list[str]) -> None:
    assert join_ends(rows) == rows
