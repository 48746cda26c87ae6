"""Each row of a table of points gets its answers."""

import pytest

from surveys.imports.drafts.questionnaire import labels_of, points_of
from surveys.imports.layouts.point_tables import write_points
from surveys.imports.pasted_text import read_paste


@pytest.mark.parametrize("sign", [";", "\t"])
def test_headings_between_rows_are_kept(sign: str) -> None:
    rows = [
        ["No", "Statement", "Never", "Often"],
        ["Part A: money", "", "", ""],
        ["1", "I hide letters", "0", "1"],
        ["2", "I can pay", "1", "0"],
        ["Part B: home", "", "", ""],
        ["3", "We are cold", "0", "1"],
        ["", "", "", ""],
        ["0-1 fine", "", "", ""],
        ["2-3 in need", "", "", ""],
    ]
    survey = read_paste("Hardship\n\n" + "\n".join(sign.join(row) for row in rows))
    assert [labels_of(each) for each in survey.questions] == [("Never", "Often")] * 3
    assert [points_of(each) for each in survey.questions] == [[0, 1], [1, 0], [0, 1]]
    assert [score.levels for score in survey.scores] == [[(None, "fine"), (2, "in need")]]


@pytest.mark.parametrize(
    "header", ["Question | Yes | No", "Yes | No", "Pergunta | Sim | Não", "题目 | 是 | 否"]
)
def test_bars_divide_points_of_yes_and_no(header: str) -> None:
    survey = read_paste(
        f"Screening\n\n{header}\n1. Is it cold? | 0 | 1\n2. Is it damp? | 2 | 0\n3. Loud? | 1 | 0"
    )
    assert [points_of(each) for each in survey.questions] == [[1, 0], [0, 2], [0, 1]]


def test_each_table_has_its_own_header() -> None:
    first = ["Item | No | Yes", "1. Cold? | 0 | 1", "2. Damp? | 0 | 1"]
    second = ["Item | Never | Often", "3. I cry | 0 | 1", "4. I laugh | 1 | 0"]
    assert write_points([*first, *second]) == [
        "",
        "1. Cold?   No (0)   Yes (1)",
        "2. Damp?   No (0)   Yes (1)",
        "",
        "3. I cry   Never (0)   Often (1)",
        "4. I laugh   Never (1)   Often (0)",
    ]


@pytest.mark.parametrize(
    "lines",
    [
        ["Item\tNever\tOften", "I cry\t0\t1", "I laugh\t1\t0"],
        ["Name;Age;Town", "Ann;30;Rome", "Bob;40;Oslo"],
        ["a | b | c", "one | 1 | 2"],
    ],
)
def test_other_tables_stay_as_they_are(lines: list[str]) -> None:
    assert write_points(lines) == lines
