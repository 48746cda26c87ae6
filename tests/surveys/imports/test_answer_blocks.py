"""Lines get their roles from the lines around them."""

import pytest

from surveys.imports.answer_blocks import Line, with_roles
from surveys.imports.pasted_text import read_paste
from surveys.imports.printed_layouts import ASK, HEAD, LEFT, OPTION

_ROLES = {ASK: "ask ", OPTION: "answer ", HEAD: "heading ", LEFT: "left ", "": ""}


def roles(text: str) -> list[str]:
    lines = [Line(number, line) for number, line in enumerate(text.split("\n"), start=1)]
    return [_ROLES[line.sign] + line.text.strip() for line in with_roles(lines)]


def test_a_recurring_instruction_is_left_out_and_another_one_is_the_help() -> None:
    assert roles("1. A?\nBitte wählen Sie.\n○ a\n○ b\n2. B?\nBitte wählen Sie.\n○ a\n○ b")[1] == (
        "left Bitte wählen Sie."
    )
    assert roles("1. A?\nThink of last year.\n○ a\n○ b")[1] == "> Think of last year."


def test_a_cue_in_an_instruction_decides_how_many_answers_are_allowed() -> None:
    assert roles("1. A?\nMehrere Antworten möglich.\n○ a\n○ b")[0] == "1. A? [several]"


@pytest.mark.parametrize(
    "text",
    [
        # Last answers that recur, but have marks, or follow answers without marks.
        "A?\n○ a\n○ b\n○ Never\n\nB?\n○ c\n○ d\n○ Never",
        "A?\na\nb\nNever\n\nB?\nc\nd\nNever",
        # A heading that does not recur.
        "A?\n○ a\n○ b\nWork\n\nB?\n○ c\n○ d",
        # Bullets of one level.
        "● A?\n● B?\n● C?",
        "- a\n- b\n○ c\n○ d",
        # One line with answers behind it is no table.
        "Often: Never / Once",
        "It: a; b\nIt: c; d",
        # Codes of answers are no items.
        "1. A?\n1 no\n2 yes",
        # A sentence of its own after a finished answer.
        "(1) I lie.\nnow and then",
    ],
)
def test_lines_without_such_a_structure_stay_as_they_are(text: str) -> None:
    assert roles(text) == [line.strip() for line in text.split("\n")]


def test_each_left_out_line_is_noted() -> None:
    survey = read_paste("T\n1. Did you?\n○ Yes\n○ No\nNext\n\n2. Did he?\n○ Yes\n○ No\nNext")
    assert [note.line for note in survey.notes if "left out" in note.message] == [5, 10]
    assert [question.kind for question in survey.questions] == ["yes_no", "yes_no"]


@pytest.mark.parametrize(
    "text",
    [
        "Variable / Field Name,Form Name,Field Type,Field Label,Choices\nbribe,base,radio,Have you paid?,a|b",
        "type\tname\tlabel\tchoice1\nmc\thit\tHas anybody hit you?\tYes",
        "name;type;label\na;b;c",
    ],
)
def test_a_sheet_of_another_tool_is_refused_in_one_sentence(text: str) -> None:
    survey = read_paste(text)
    assert survey.questions == []
    (note,) = survey.notes
    assert "looks like a sheet of another tool" in note.message
    assert note.remedy
