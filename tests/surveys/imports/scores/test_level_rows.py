"""Ranges that follow each other and have names are levels; those below a question are its answers."""

import pytest

from surveys.imports.lines.source_lines import SourceLine, read_line
from surveys.imports.pasted_text import read_paste
from surveys.imports.scores.level_rows import is_answer_with_points, is_asked, level_rows, states_level

SCALE = ["no = 0, a bit = 1, a lot = 2", "1. I wake up."]


def lines_of(texts: list[str], *, gaps: tuple[int, ...] = ()) -> list[SourceLine]:
    return [read_line(number, text, has_gap=number in gaps) for number, text in enumerate(texts)]


@pytest.mark.parametrize(
    "rows",
    [
        ["0-3 fine", "4-8 unwell"],
        ["0–3 gut", "4–8 schlecht"],
        ["0 a 3: bien", "4 a 8: mal"],
        ["0-3分 正常", "4-8分 受影响"],
        ["0 = safe", "1-3 at risk", "4-8 in danger"],
        ["4-8 unwell", "0-3 fine"],
    ],
)
def test_named_ranges_below_a_scale_are_levels(rows: list[str]) -> None:
    found = level_rows(lines_of([*SCALE, *rows]))
    assert found == {*range(len(SCALE), len(SCALE) + len(rows))}


@pytest.mark.parametrize(
    "rows",
    [
        ["0-3 km", "4-8 km"],
        ["0-3 fine", "5-8 unwell"],
        ["1 dog", "2 cats"],
    ],
)
def test_units_gaps_and_counts_are_no_levels(rows: list[str]) -> None:
    assert level_rows(lines_of([*SCALE, *rows])) == set()


def test_ranges_below_a_question_are_answers() -> None:
    assert level_rows(lines_of([*SCALE, "How many?", "0-3 few", "4-8 many"])) == set()
    # After a gap, they are levels.
    assert level_rows(lines_of([*SCALE, "How many?", "0-3 few", "4-8 many"], gaps=(3,))) == {3, 4}


def test_ranges_in_a_text_without_points_are_answers() -> None:
    assert level_rows(lines_of(["Pets", "0-3 few", "4-8 many"])) == set()
    assert level_rows(lines_of(["Total score", "0-3 few", "4-8 many"])) == {1, 2}


@pytest.mark.parametrize(
    "text", ["never ..... 0", "never (0 points)", "从不（0分）", "( ) nie  0 Punkte", "no – 2 points"]
)
def test_answers_may_end_with_points(text: str) -> None:
    assert is_answer_with_points(read_line(1, text, has_gap=False))


def test_a_number_in_front_counts_a_question_but_not_a_sum() -> None:
    texts = ["1. I wake up", "Why?", "0-3 fine", "3 to 5: unwell"]
    assert [is_asked(read_line(1, text, has_gap=False)) for text in texts] == [True, True, False, False]


def test_a_level_begins_with_its_limit_and_has_a_name() -> None:
    assert [states_level(text) for text in ("2 or more: high", "See page 2 or more: high", "2 cats")] == [
        True,
        False,
        False,
    ]


def test_rows_of_points_show_that_ranges_are_levels() -> None:
    rows = "| 1 | I hide | 2 | 1 | 0 |\n| 2 | I help | 0 | 1 | 2 |\n| 3 | I lie | 2 | 1 | 0 |"
    survey = read_paste(
        f"Work\n\n| Nr | Item | no | so-so | yes |\n|--|--|--|--|--|\n{rows}\n\n0 to 2 unsafe\n3 to 6 safe"
    )
    assert [start for start, _name in survey.scores[0].levels] == [None, 3]
