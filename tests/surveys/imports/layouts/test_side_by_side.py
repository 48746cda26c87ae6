"""Questions side by side are read one after the other."""

import pytest

from surveys.imports.drafts.questionnaire import labels_of
from surveys.imports.layouts.side_by_side import read_columns
from surveys.imports.pasted_text import read_paste

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
        "1. Do you lie?        1. Lügen Sie?\n( ) Yes               ( ) Ja\n( ) No                ( ) Nein",
        "1. Do you lie?        1. Lügen Sie?\nYes                   Ja\nNo                    Nein",
    ],
)
def test_other_columns_stay_as_they_are(text: str) -> None:
    lines = text.split("\n")
    assert read_columns(lines) == (lines, {})


@pytest.mark.parametrize("mark", ["1 | 2", "- | -", " | ", "o | o", "a. | b."])
def test_answers_may_have_codes_bullets_or_no_marks(mark: str) -> None:
    first, second = mark.split(" | ")
    lines = [
        ("1. Do you lie?", "2. To whom?"),
        (f"{first} Yes", f"{first} A friend"),
        (f"{second} No", f"{second} All"),
    ]
    text = "\n".join(f"{left.strip():24}{right.strip()}" for left, right in lines)
    assert read(f"Poll\n\n{text}\n") == [("Do you lie?", ()), ("To whom?", ("A friend", "All"))]


def test_each_line_of_the_source_keeps_its_number() -> None:
    lines = BLOCKS.split("\n")
    found, _cells = read_columns(lines)
    assert len(found) == len(lines)
    assert [place for place, line in enumerate(found) if "?" in line] == [2, 3, 5, 6]


UNEVEN = "Life\n\n{}Do you drink?\t{}What else?\n( ) yes\t( ) never\n( ) no\t( ) sometimes\n\t( ) often\n"


@pytest.mark.parametrize("numbers", [("1. ", "2. "), ("", "")])
def test_questions_name_their_own_cells_and_no_cell_is_left_out(numbers: tuple[str, str]) -> None:
    """The second question had the line of an answer, and the answers of the first were “left out”."""
    survey = read_paste(UNEVEN.format(*numbers))
    assert [question.where for question in survey.questions] == [
        "Lines 3 to 5, left-hand column",
        "Lines 3 to 6, right-hand column",
    ]
    assert survey.questions[1].source == f"{numbers[1]}What else?\n( ) never\n( ) sometimes\n( ) often"
    assert [(each.line, each.role) for each in survey.lines] == [
        (1, "title"), (3, "question"), (4, "answer"), (5, "answer"), (6, "answer"),
    ]  # fmt: skip


def test_columns_are_doubted_only_if_no_number_shows_their_order() -> None:
    """Without indents there are no columns, and the second reading used to give false reasons."""
    assert read_paste(UNEVEN.format("1. ", "2. ")).notes == []
    (note,) = read_paste(UNEVEN.format("", "")).notes
    assert note.message == "the questions of the left-hand column come before this one"
    assert note.where == "Lines 3 to 6, right-hand column"


def test_a_chosen_role_changes_the_question_of_a_column() -> None:
    second = read_paste(UNEVEN.format("1. ", "2. ")).questions[1]
    again = read_paste(UNEVEN.format("1. ", "2. "), roles={second.line: "left"})
    assert [question.texts["en"] for question in again.questions] == ["Do you drink?"]


WRAPPED = """HOUSEHOLD

1. Are you married?                     3. Have you ever been afraid of
   ( ) yes                                 your partner?
   ( ) no                                  ( ) never
   ( ) widowed                             ( ) often

                                        4. How many children live with you?
2. Do you keep money secret?               ______
   ( ) yes   ( ) no
"""


def test_cells_may_hold_wrapped_questions_spaces_and_answers_on_one_line() -> None:
    assert read(WRAPPED) == [
        ("Are you married?", ("yes", "no", "widowed")),
        ("Do you keep money secret?", ()),
        ("Have you ever been afraid of your partner?", ("never", "often")),
        ("How many children live with you?", ()),
    ]
    assert read_paste(WRAPPED).questions[3].kind == "number"


def test_a_question_below_answers_needs_no_number() -> None:
    rows = [("Do you lie?", "Do you steal?"), ("( ) yes ( ) no", "( ) yes ( ) no")]
    rows += [("Who knows?", "Who cares?"), ("( ) all ( ) none", "( ) all ( ) none")]
    text = "Poll\n\n" + "\n".join(f"{left:24}{right}" for left, right in rows)
    assert [question for question, _answers in read(text)] == [
        "Do you lie?", "Who knows?", "Do you steal?", "Who cares?",
    ]  # fmt: skip


def test_a_column_may_hold_spaces_to_write_and_end_above_a_page_number() -> None:
    rows = ["1. Do you lie?        2. Weight: ____ kg", "   ( ) yes", "   ( ) no", "", "         Page 1 of 2"]
    assert [question for question, _answers in read("Poll\n\n" + "\n".join(rows))] == [
        "Do you lie?",
        "Weight:",
    ]


def test_spaces_to_write_below_each_other_are_questions_of_their_own() -> None:
    rows = ["1. Weight: ____ kg    2. Do you lie?", *[f"{'':25}( ) {each}" for each in ("yes", "no")]]
    rows += ["3. Height: ____ cm    4. Who knows?", *[f"{'':25}( ) {each}" for each in ("all", "none")]]
    assert [question for question, _answers in read("Poll\n\n" + "\n".join(rows))] == [
        "Weight:", "Do you lie?", "Height:", "Who knows?",
    ]  # fmt: skip
