"""Rows below a table state the points of its answers."""

import pytest

from surveys.imports.drafts.questionnaire import points_of
from surveys.imports.layouts.points_rows import write_points_rows
from surveys.imports.pasted_text import read_paste


@pytest.mark.parametrize(
    ("feet", "key"),
    [
        (["Points", "Points items 2"], ["", "", ""]),
        (["Punkte", "Punkte bei invertierten Aussagen"], ["", "R", ""]),
        (["Punkte bei Pol +", "Punkte bei Pol -"], ["+", "-", "+"]),
        (["分值", "分值：第2题"], ["", "", ""]),
    ],
)
@pytest.mark.parametrize("gap", ["", "\n"])
def test_rows_of_points_are_for_all_or_some_items(feet: list[str], key: list[str], gap: str) -> None:
    head = ["No.", "Item", "key" if any(key) else "", "never", "often", "always"]
    rows = [
        [str(n), f"I {verb} at night", key[n - 1], "", "", ""]
        for n, verb in ((1, "cry"), (2, "sleep"), (3, "eat"))
    ]
    below = [[feet[0], "", "", "0", "1", "2"], [feet[1], "", "", "2", "1", "0"]]
    tables = ["\n".join("\t".join(row) for row in part) for part in ([head, *rows], below)]
    survey = read_paste(f"Night\n\n{tables[0]}\n{gap}{tables[1]}\n\nSum: 0-3 fine, 4-6 in need", ("en",))
    assert [points_of(each) for each in survey.questions] == [[0, 1, 2], [2, 1, 0], [0, 1, 2]]
    assert [score.levels for score in survey.scores] == [[(None, "fine"), (4, "in need")]]


def test_a_row_of_points_that_is_not_understood_stays() -> None:
    rows = ["\tnever\toften", "1. I lie.\t\t", "2. I vote.\t\t", "3. I pay.\t\t", "Points\t0\t1"]
    assert write_points_rows([*rows, "Points of the sad ones\t1\t0"])[5] == "Points of the sad ones\t1\t0"
    assert write_points_rows([*rows[:4], "Total\t0\t1"]) == [*rows[:4], "Total\t0\t1"]


@pytest.mark.parametrize("sign", ["\t", " | "])
@pytest.mark.parametrize("mark", ["(R)", "(r)", "*"])
def test_an_item_with_points_in_its_row_is_no_row_of_points(sign: str, mark: str) -> None:
    """A reversed item of a table with numbers was left out without a note."""
    rows = ["I am tired", "I snap", "I count", f"I sleep well {mark}", "I forget", "I skip"]
    lines = [sign.join([text, "0", "1", "2"]) for text in rows]
    header = sign.join([" ", "Never", "Some days", "Every day"])
    survey = read_paste("\n".join(["Worn out", "", header, *lines, "", "A score of 5 or more: worn out"]))
    assert len(survey.questions) == len(rows)
