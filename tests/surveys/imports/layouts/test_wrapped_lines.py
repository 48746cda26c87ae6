"""Questions and answers that go on in the next line are read as one."""

import pytest

from surveys.imports.drafts.questionnaire import labels_of
from surveys.imports.layouts.wrapped_lines import join_wrapped
from surveys.imports.pasted_text import read_paste


@pytest.mark.parametrize(
    ("lines", "joined"),
    [
        (["2) Le diriez-vous à un", "médecin ?"], "2) Le diriez-vous à un médecin ?"),
        (
            ["Q1. Which of these", "drugs have you", "ever taken?"],
            "Q1. Which of these drugs have you ever taken?",
        ),
        (
            ["a) I have taken it and will", "   take it again", "b) Never"],
            "a) I have taken it and will take it again",
        ),
        (["- every now", "  and then"], "- every now and then"),
        (["3  Often", "4  Nearly every", "   day"], "3  Often"),
    ],
)
def test_a_broken_line_is_joined(lines: list[str], joined: str) -> None:
    assert join_wrapped(lines)[0] == joined
    assert [line for line in join_wrapped(lines) if line] != lines


@pytest.mark.parametrize(
    "lines",
    [
        ["1. Sex", "male", "female"],
        ["1. Sex", "   male", "   female", "2. Age?"],
        ["1. Do you smoke?", "yes / no"],
        ["1. How often do you drink", "never / sometimes / often"],
        ["- Smoker", "  yes", "  no"],
        ["Work", "how often do you lie?"],
        ["1. Weight: ____", "height: ____?"],
        ["1. I lie.", "do you agree?"],
    ],
)
def test_answers_and_other_lines_are_joined_to_nothing(lines: list[str]) -> None:
    assert join_wrapped(lines) == lines


def test_a_line_whose_role_a_person_chose_is_joined_to_nothing() -> None:
    lines = ["1. Which of these", "fits you best?"]
    assert join_wrapped(lines, [1]) == join_wrapped(lines, [0]) == lines
    text = "T\n1. Which of these\nfits you best?\n- none\n- all\n"
    assert read_paste(text, roles={3: "left"}).questions[0].texts == {"en": "Which of these"}


def test_a_text_copied_from_a_page_is_read() -> None:
    text = (
        "Santé\n1) Parmi ces phrases, laquelle vous\ncorrespond le mieux ?\n- de temps\n  en temps\n- jamais"
    )
    (question,) = read_paste(text).questions
    assert question.texts == {"fr": "Parmi ces phrases, laquelle vous correspond le mieux ?"}
    assert labels_of(question) == ("de temps en temps", "jamais")


def test_answers_without_marks_go_on_with_a_small_letter() -> None:
    text = (
        "Drugs\n\nWhich one fits?\nI have never taken any and do not\nplan to start\nI take some\n\nWhy?\nFun"
    )
    survey = read_paste(text)
    assert labels_of(survey.questions[0]) == (
        "I have never taken any and do not plan to start",
        "I take some",
    )
    assert [each.role for each in survey.lines if each.line == 5] == ["joined"]
    small = read_paste("Drugs\n\nWhich one fits?\nhardly ever\nonce or twice\nmore often\n\nWhy?\nfun\npain")
    assert labels_of(small.questions[0]) == ("hardly ever", "once or twice", "more often")


@pytest.mark.parametrize(
    ("lines", "kind"),
    [
        (["quanto è forte in", "media il dolore, da 0 (nessuno) a 10 (il", "peggiore)?  ____"], "number"),
        (["Depuis combien de temps avez-vous", "mal ? ____ mois"], "number"),
        (["Quali farmaci prende per il", "dolore? ..........."], ""),
    ],
)
def test_a_question_goes_on_to_its_space_to_write(lines: list[str], kind: str) -> None:
    """Before, the space to write on its last line kept the question from being joined."""
    text = "\n".join([f"T\n1. {lines[0][0].upper()}{lines[0][1:]}", *lines[1:]])
    (question,) = read_paste(text).questions
    assert "".join(question.texts.values())[-1] == "?"
    assert question.kind == kind
