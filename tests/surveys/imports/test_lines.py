"""Visible lines of a pasted survey."""

import pytest

from surveys.imports.lines import seen_lines
from surveys.imports.misreadings import MISREAD
from surveys.imports.pasted_text import read_paste


@pytest.mark.parametrize("line", ["a/ never", "<a> never", "{a} never", "«a» never"])
def test_unusual_signs_around_a_letter_become_a_bracket(line: str) -> None:
    assert seen_lines(f"  {line}") == ["  a) never"]


@pytest.mark.parametrize(
    ("line", "seen"), [("<b>Never</b>", "Never"), ("<never> <often>", "<never> <often>")]
)
def test_only_tags_of_pages_are_removed(line: str, seen: str) -> None:
    assert seen_lines(line) == [seen]


def test_marks_in_italics_that_are_not_read_are_asked_about() -> None:
    survey = read_paste(
        "Vie\n_1)_ Pourquoi partir ?\n- argent\n- ennui\n_2)_ Quand partir ?\n- hier\n- demain"
    )
    assert [note.line for note in survey.notes if note.cause == MISREAD] == [2, 5]


@pytest.mark.parametrize("blanks", ["    ", "\t", "\u3000"])
def test_blanks_at_the_beginning_of_all_lines_are_left_out(blanks: str) -> None:
    assert seen_lines(f"{blanks}1. Why?\n{blanks}  a) fun\u00a0\u00a0b) work") == [
        "1. Why?",
        "  a) fun  b) work",
    ]


@pytest.mark.parametrize("pair", ["●○", "■□", "▪▫", "⚫⚪", "⬛⬜"])
def test_filled_boxes_before_questions_are_not_those_of_answers(pair: str) -> None:
    filled, empty = pair
    lines = [f"{filled} Do you lie?", f"{empty} Yes", f"{empty} No", f"{filled} When?", f"{empty} Now"]
    seen = seen_lines("\n".join(lines))
    assert [line[0] for line in seen] == ["•", seen[1][0], seen[1][0], "•", seen[1][0]]
    assert seen[1][0] in "○☐"


def test_a_filled_box_is_an_answer_that_someone_chose() -> None:
    assert seen_lines("Lie?\n● Yes\n○ No\nWhen?\n○ Now") == ["Lie?", "○ Yes", "○ No", "When?", "○ Now"]


def test_a_box_before_an_arrow_moves_in_front_of_its_answer() -> None:
    assert seen_lines("No   ○   → go to 21") == ["○ No   → go to 21"]
