"""Codes in capital letters and brackets are understood, explained on another line, or asked about."""

import pytest

from surveys.imports.drafts.questionnaire import labels_of, points_of
from surveys.imports.pasted_text import read_paste

ANSWERS = "\n1. tea\n2. beer\n3. wine\n"


@pytest.mark.parametrize("code", ["[RM - ROTAR]", "[MF, RAND]", "[МН]", "[FLER]", "(RM)"])
def test_an_unknown_code_is_left_out_and_asked_about_at_its_line(code: str) -> None:
    survey = read_paste(f"Drinks\n\nP1. What do you drink? {code}{ANSWERS}", ("en",))
    (question,) = survey.questions
    assert question.texts == {"en": "What do you drink?"}
    assert any(note.line == 3 and "not understood" in str(note.message) for note in survey.notes)


@pytest.mark.parametrize("line", ["SA = single answer, MA = multiple answers", "[MA] = several answers"])
def test_another_line_may_explain_a_code(line: str) -> None:
    survey = read_paste(f"{line}\n\nP1. What do you drink? [MA]{ANSWERS}", ("en",))
    assert survey.questions[0].kind == "several"
    assert not any("not understood" in str(note.message) for note in survey.notes)


def test_codes_behind_answers_are_left_out_and_asked_about() -> None:
    survey = read_paste("Drinks\n\n1. What?\n- tea [ROTATE]\n- none [FIX, EXCLUSIVE]\n", ("en",))
    assert labels_of(survey.questions[0]) == ("tea", "none")
    asked = [note.line for note in survey.notes if "not understood" in str(note.message)]
    assert asked == [4, 5]


def test_a_code_within_a_sentence_stays_and_is_asked_about() -> None:
    survey = read_paste("Drinks\n\n1. Do you drink [BRAND] often?\n2. Do you know the NHS (GP)?\n", ("en",))
    assert survey.questions[0].texts == {"en": "Do you drink [BRAND] often?"}
    assert [note.line for note in survey.notes if "not understood" in str(note.message)] == [3]


def test_answers_in_columns_may_be_in_capitals() -> None:
    survey = read_paste(
        "Bogen. Kreise ein.\n\n1. Isst du?   IMMER   MANCHMAL   NIE\n2. Und?   GUT   MAL   NIE\n"
    )
    assert labels_of(survey.questions[0]) == ("IMMER", "MANCHMAL", "NIE")


@pytest.mark.parametrize(
    ("mark", "rule"),
    [("[I]", "[I] = ítem inverso."), ("[N]", "[N] = negativ gepolt."), ("[U]", "Note. [U]: inverted item.")],
)
def test_a_mark_of_reversed_items_is_no_code(mark: str, rule: str) -> None:
    text = f"Home\n1 = never, 2 = often, 3 = always\n\n1. I cook.\n2. I sing. {mark}\n3. I rest.\n\n{rule}"
    survey = read_paste(f"{text} Total: 3-5 low, 6-9 high.")
    assert [points_of(each) for each in survey.questions] == [[1, 2, 3], [3, 2, 1], [1, 2, 3]]
    assert not any("not understood" in str(note.message) for note in survey.notes)


def test_a_mark_of_reversed_items_in_round_brackets_is_no_code() -> None:
    rule = "(I) = reversed\nSum 0 low, 1-2 high"
    text = f"Home\nNever (0), Often (1)\n\nHave you lied?\nHave you rested? (I)\n\n{rule}"
    assert [points_of(each) for each in read_paste(text).questions] == [[0, 1], [1, 0]]
