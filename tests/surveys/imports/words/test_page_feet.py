"""The foot of a page is recognised by its form."""

import pytest

from surveys.imports.words.page_feet import is_foot


@pytest.mark.parametrize(
    "text", ["Page 1 of 2", "  Seite 3 ", "- 4 -", "第 1 頁，共 1 頁", "© 2019 Institute"]
)
def test_page_numbers_and_owners_are_feet(text: str) -> None:
    assert is_foot(text)


@pytest.mark.parametrize("text", ["3 pages", "Page 3 of 4: did you read it?", "- 30 to 49", "- 4"])
def test_other_lines_are_none(text: str) -> None:
    assert not is_foot(text)
