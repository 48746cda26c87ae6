import pytest

from surveys.imports.words.markup import plain


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("**Bold** and *soft*", "Bold and soft"),
        ("__Bold__ words", "Bold words"),
        ("<span style='x'>a</span> &amp; b&nbsp;c", "a & b c"),
        ("[Read this](https://example.org/a)", "Read this"),
        ("## A heading", "A heading"),
        ("#####A heading", "A heading"),
        ("<b>###A heading</b>", "A heading"),
        ("Read this.\n### A heading", "Read this. A heading"),
        ("#1 of #2", "#1 of #2"),
        ("####### seven", "####### seven"),
        ("2 * 3 * 4", "2 * 3 * 4"),
        ("x < 5 and y > 3", "x < 5 and y > 3"),
        ("snake_case_word ____", "snake_case_word ____"),
    ],
)
def test_markup_is_removed_and_other_characters_stay(text: str, clean: str) -> None:
    assert plain(text) == clean
