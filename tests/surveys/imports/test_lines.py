"""Visible lines of a pasted survey."""

import pytest

from surveys.imports.lines import seen_lines


@pytest.mark.parametrize("line", ["a/ never", "<a> never", "{a} never", "«a» never"])
def test_unusual_signs_around_a_letter_become_a_bracket(line: str) -> None:
    assert seen_lines(f"  {line}") == ["  a) never"]


@pytest.mark.parametrize(
    ("line", "seen"), [("<b>Never</b>", "Never"), ("<never> <often>", "<never> <often>")]
)
def test_only_tags_of_pages_are_removed(line: str, seen: str) -> None:
    assert seen_lines(line) == [seen]


@pytest.mark.parametrize(
    ("line", "seen"),
    [("*Q1.* Why?", "Q1. Why?"), ("_2)_ Pourquoi ?", "2) Pourquoi ?"), ("*Note* x", "*Note* x")],
)
def test_emphasised_marks_are_marks(line: str, seen: str) -> None:
    assert seen_lines(line) == [seen]


@pytest.mark.parametrize("blanks", ["    ", "\t", "\u3000"])
def test_blanks_at_the_beginning_of_all_lines_are_left_out(blanks: str) -> None:
    assert seen_lines(f"{blanks}1. Why?\n{blanks}  a) fun\u00a0\u00a0b) work") == [
        "1. Why?",
        "  a) fun  b) work",
    ]
