"""Layouts are rewritten one after the other, and each line keeps its number."""

from surveys.imports.layouts.rewriting import rewrite_layouts


def test_a_line_that_moves_becomes_empty_and_keeps_its_number() -> None:
    lines = [(2, "1. Hit you?     Yes   1"), (4, "                No    2"), (5, "2. When?")]
    assert rewrite_layouts(lines) == [(2, "1. Hit you?"), (4, "1 Yes / 2 No"), (5, "2. When?")]


def test_a_later_step_reads_what_an_earlier_one_wrote() -> None:
    """Codes below answers go in front of them before columns are searched for answers."""
    lines = [(1, "1. Tired?"), (2, "Never   Often"), (3, "0       1"), (4, "2. Sad?")]
    assert rewrite_layouts(lines)[1:3] == [(2, "(0) Never   (1) Often"), (3, "")]


def test_an_empty_text_has_no_layouts() -> None:
    assert rewrite_layouts([]) == []
