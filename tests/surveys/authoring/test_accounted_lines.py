"""Every line of a pasted text is accounted for, and only known roles are chosen."""

from surveys.authoring.accounted_lines import (
    accounted_lines,
    changed_roles,
    chosen_roles,
    keep_decisions,
    source_lines,
)
from surveys.imports.doubts.misreadings import LESS_CERTAIN
from surveys.imports.drafts.protection import protect_question
from surveys.imports.drafts.questionnaire import UNCERTAIN
from surveys.imports.pasted_text import read_paste

TEXT = "Work\r\n\r\n1. Do you lie?\r\n- Yes\r\n- No\r\nGoodbye"


def test_every_line_that_is_not_blank_has_a_role_in_words() -> None:
    lines = accounted_lines(read_paste(TEXT), TEXT)
    assert [(line.number, line.text, line.words) for line in lines["all"]] == [
        (1, "Work", "title"),
        (3, "1. Do you lie?", "question"),
        (4, "- Yes", "answer"),
        (5, "- No", "answer"),
        (6, "Goodbye", "left out"),
    ]
    assert [line.number for line in lines["uncertain"]] == [6]
    assert accounted_lines(read_paste(TEXT), "") == {"all": [], "differing": [], "uncertain": []}
    assert source_lines("a\rb\nc") == ["a", "b", "c"]


def test_a_marked_line_above_the_first_question_is_uncertain() -> None:
    """No row of the report shows it, so nobody saw its mark."""
    survey = read_paste(TEXT)
    survey.note(1, "it may contain a question", "", cause=LESS_CERTAIN, effect=UNCERTAIN)
    assert [line.number for line in accounted_lines(survey, TEXT)["uncertain"]] == [1, 6]


def test_unknown_roles_and_lines_are_ignored() -> None:
    chosen = {
        "role-6": "help",
        "role-7": "king",
        "role-x": "left",
        "other-line": "03",
        "other-role": "heading",
    }
    assert chosen_roles(chosen) == {"6": "help", "3": "heading"}
    assert chosen_roles({"other-line": "-3", "other-role": "heading"}) == {}


def test_lines_that_are_read_differently_are_listed_with_both_roles_and_only_once() -> None:
    text = f"{TEXT}\r\n2. Do you steal?\r\n- Yes\r\n- No"
    first, again = read_paste(text, ("en",)), read_paste(text, ("en",), {3: "heading"})
    before = changed_roles(first, again, {"3"})
    lines = accounted_lines(again, text, before)
    listed = [(line.number, line.words_before, line.words) for line in lines["differing"]]
    assert listed[:2] == [(4, "answer", "left out"), (5, "answer", "left out")]
    numbers = {line.number for line in lines["differing"]}
    assert not numbers & {line.number for line in lines["uncertain"]}
    assert not numbers & {3, 7, 8, 9}
    assert changed_roles(first, again, {"3", *before}) == {}


def test_that_a_question_was_plain_is_no_decision_about_other_answers() -> None:
    """An answer that another reading adds may be private, but what was protected by hand stays protected."""
    text = "Work\n\n1. In which department do you work?\n- Sales\n- Stores\n- Drugs squad"
    plain, sensitive = (read_paste(text, ("en",), roles) for roles in ({6: "left"}, {}))
    assert [each.questions[0].is_protected for each in (plain, sensitive)] == [False, True]
    keep_decisions(plain, sensitive, {})
    assert sensitive.questions[0].is_protected is True
    protect_question(plain, plain.questions[0])
    again = read_paste(text, ("en",), {5: "left", 6: "left"})
    keep_decisions(plain, again, {})
    assert again.questions[0].is_protected is True
