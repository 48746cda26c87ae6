"""Runs of items: lines that follow each other with one shape of mark and no answers of their own."""

import pytest

from surveys.imports.lines.source_lines import SourceLine, read_line
from surveys.imports.tables.item_runs import form_of, is_item, item_runs


def lines_of(*texts: str) -> list[SourceLine]:
    return [read_line(number, text, has_gap=False) for number, text in enumerate(texts, start=1)]


@pytest.mark.parametrize(
    ("texts", "runs"),
    [
        (("Mood", "1. I sleep badly", "2. I cry", "3. I laugh"), [[1, 2, 3]]),
        (("Mood", "- I sleep badly", "- I cry", "Work", "- I lie", "- I steal"), [[1, 2], [4, 5]]),
        (("Mood", "1. I sleep badly  Yes / No", "2. I cry  Yes / No"), []),
        (("Mood", "1. I sleep badly"), []),
        (("Mood", "1. I sleep badly", "a) I cry", "2. I laugh"), []),
        (("Do you drink?", "1. never", "2. often"), []),
    ],
)
def test_items_have_one_mark_and_no_answers_of_their_own(
    texts: tuple[str, ...], runs: list[list[int]]
) -> None:
    assert item_runs(lines_of(*texts)) == runs


def test_forms_are_marks_spaces_and_codes_behind() -> None:
    numbered, space, codes, plain = lines_of("1. I cry", "I cry ____", "I cry  0 1 2 3", "I cry")
    assert form_of(numbered) == numbered.mark.shape if numbered.mark else False
    assert [form_of(line) for line in (space, codes, plain)] == ["field", "run", ""]
    assert [is_item(line) for line in (numbered, space, codes, plain)] == [True, True, True, False]
