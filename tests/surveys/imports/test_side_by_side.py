"""Questions side by side are read one after the other."""

import pytest

from surveys.imports.pasted_text import read_paste
from surveys.imports.questionnaire import labels_of
from surveys.imports.side_by_side import read_columns

BLOCKS = """Poll

1. Have you cheated?      2. How often?
( ) Yes                   ( ) Once
( ) No                    ( ) More often
3. Have you paid?         4. Have you been paid?
( ) Yes                   ( ) Yes
( ) No                    ( ) No
"""
PAGE = """Umfrage
A. Trinken                            B. Rauchen
1. Wie oft trinken Sie am             3. Rauchen Sie?
   Wochenende?                           [ ] ja
   [ ] nie                               [ ] nein
   [ ] oft
2. Trinken Sie allein?                4. Wer weiß das?
   [ ] ja                                [ ] niemand
   [ ] nein                              [ ] alle
"""
TABS = "T\n\n1. ¿Miente?\t2. ¿Roba?\n○ Sí\t○ Nunca\n○ No\t○ A veces\n\t○ A menudo\n"


def read(text: str) -> list[tuple[str, tuple[str, ...]]]:
    return [(next(iter(each.texts.values())), labels_of(each)) for each in read_paste(text).questions]


def test_blocks_side_by_side_follow_their_numbers() -> None:
    assert read(BLOCKS) == [
        ("Have you cheated?", ()),
        ("How often?", ("Once", "More often")),
        ("Have you paid?", ()),
        ("Have you been paid?", ()),
    ]


def test_a_page_of_two_columns_is_read_column_by_column() -> None:
    assert read(PAGE) == [
        ("Wie oft trinken Sie am Wochenende?", ("nie", "oft")),
        ("Trinken Sie allein?", ()),
        ("Rauchen Sie?", ()),
        ("Wer weiß das?", ("niemand", "alle")),
    ]


def test_tabs_separate_columns_too() -> None:
    assert read(TABS) == [("¿Miente?", ()), ("¿Roba?", ("Nunca", "A veces", "A menudo"))]


@pytest.mark.parametrize(
    "text",
    [
        "1. Do you lie?        Yes   No\n2. Do you steal?      Yes   No",
        "1. Do you lie?        1. Lügen Sie?\n2. Do you steal?      2. Stehlen Sie?",
        "1. Do you lie?\n( ) Yes       ( ) No\n2. Do you steal?\n( ) Yes       ( ) No",
        "1. Name?              2. Date?\n\nPlease go on.",
    ],
)
def test_other_columns_stay_as_they_are(text: str) -> None:
    lines = text.split("\n")
    assert read_columns(lines) == lines


def test_each_line_of_the_source_keeps_its_number() -> None:
    lines = BLOCKS.split("\n")
    found = read_columns(lines)
    assert len(found) == len(lines)
    assert [place for place, line in enumerate(found) if "?" in line] == [2, 3, 5, 6]
