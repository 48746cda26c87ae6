"""Rows of points below a table give its answers their points."""

import pytest

from surveys.imports.drafts.questionnaire import points_of
from surveys.imports.layouts.point_rows import write_point_rows
from surveys.imports.pasted_text import read_paste


@pytest.mark.parametrize("sign", ["\t", " | "])
@pytest.mark.parametrize(
    ("usual", "other"),
    [
        ("Points", "Points item 2"),
        ("Puntos", "Puntos ítem 2"),
        ("punti", "punti domanda 2"),
        ("分", "分 第2题"),
    ],
)
def test_a_row_may_be_about_some_items(sign: str, usual: str, other: str) -> None:
    rows = [
        ["", "never", "rarely", "often"],
        ["1. I hear the neighbours.", "", "", ""],
        ["2. I sleep well.", "", "", ""],
        ["3. I wear plugs.", "", "", ""],
        [usual, "0", "1", "2"],
        [other, "2", "1", "0"],
    ]
    table = "\n".join(sign.join(row) for row in rows)
    survey = read_paste(f"Noise\n\n{table}\n\nTotal\n0-2 points: low\n3-6 points: high")
    assert [points_of(each) for each in survey.questions] == [[0, 1, 2], [2, 1, 0], [0, 1, 2]]
    assert [score.levels for score in survey.scores] == [[(None, "low"), (3, "high")]]


@pytest.mark.parametrize(
    "lines",
    [
        ["Item\tnever\toften", "1. I cook\t0\t1"],
        ["Points\t0\t1"],
        ["Points\t3\t4", "Points\t0\t1"],
        ["Item\tnever\toften", "Points\t0\t1\t5"],
    ],
)
def test_other_rows_stay_as_they_are(lines: list[str]) -> None:
    assert write_point_rows(lines) == lines
