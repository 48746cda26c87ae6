"""Texts without markup, and what is left over."""

from __future__ import annotations

import pytest

from surveys.imports.cleaning import leftovers, plain


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("**Bold** and *soft*", "Bold and soft"),
        ("__Bold__ words", "Bold words"),
        ("<span style='x'>a</span> &amp; b&nbsp;c", "a & b c"),
        ("[Read this](https://example.org/a)", "Read this"),
        ("## A heading", "A heading"),
        ("2 * 3 * 4", "2 * 3 * 4"),
        ("x < 5 and y > 3", "x < 5 and y > 3"),
        ("snake_case_word ____", "snake_case_word ____"),
    ],
)
def test_markup_is_taken_away_and_other_signs_stay(text: str, clean: str) -> None:
    assert plain(text) == clean


@pytest.mark.parametrize(
    "text", ["You said ${hit}", "Dear {{name}}", "See #{x}", "In <output>", "[Field-name]?"]
)
def test_what_another_program_fills_in_is_found(text: str) -> None:
    assert len(leftovers(text)) == 1


@pytest.mark.parametrize("text", ["Cost in $", "{x}", "a < b", "[open]"])
def test_other_signs_are_no_leftovers(text: str) -> None:
    assert leftovers(text) == ()
