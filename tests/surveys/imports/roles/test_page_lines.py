"""Lines of a page that hold no content."""

import pytest

from surveys.imports.drafts.questionnaire import labels_of
from surveys.imports.lines.source_lines import LEFT, SourceLine, read_line
from surveys.imports.pasted_text import read_paste
from surveys.imports.roles.page_lines import leave_rules, without_last_page_number, without_running_heads


def read(*texts: str) -> list[SourceLine]:
    """Read lines; an empty text is a gap above the next line."""
    numbered = list(enumerate(texts, start=1))
    lines = [
        read_line(number, text, has_gap=number == 1 or not texts[number - 2])
        for number, text in numbered
        if text
    ]
    leave_rules(lines)
    return lines


def test_rules_and_page_numbers_are_left_out() -> None:
    lines = read("Do you lie?", "----------", "", "Page 1 of 3", "", "Do you steal?", "", "Page 2 of 3")
    assert [line.text for line in lines if line.role == LEFT] == ["----------", "Page 1 of 3", "Page 2 of 3"]


def test_fractions_next_to_each_other_are_answers() -> None:
    assert [line.role for line in read("How many of them?", "1 / 3", "2 / 3", "3 / 3")] == [""] * 4


def test_a_number_alone_on_the_last_line_is_not_an_answer() -> None:
    pairs = [(1, "1. How often?"), (2, "a) Never"), (3, "b) Often"), (4, ""), (5, "114")]
    assert without_last_page_number(pairs) == pairs[:4]
    assert without_last_page_number(pairs[:3]) == pairs[:3]
    counted = [(1, "How often?"), (2, "1"), (3, "2"), (4, ""), (5, "3")]
    assert without_last_page_number(counted) == counted


def test_the_head_of_a_second_page_is_left_out() -> None:
    pairs = [
        (1, "Strain form      page 1 of 2"),
        (2, "1. Tired?"),
        (3, "Strain form      page 2 of 2"),
        (4, "2. Sad?"),
    ]
    assert without_running_heads(pairs)[2] == (3, "")
    plain = [(1, "Question 1 of 2"), (2, "Tired?"), (3, "Question 2 of 2"), (4, "Sad?")]
    assert without_running_heads(plain) == plain


_SCALE = (
    "Strain\nNever = 0, Often = 3\n1. Tired\n2. Sad\n3. Tense\n\n"
    "Scoring: add up all items. Results: 0-2 minimal, 3-5 moderate, 6-9 severe\n"
)
_FEET = (
    "Page 1 of 1                                    © 2019 Institute for Occupational Health",
    "Strain Inventory, version 2                    Page 2 of 2",
    "© 2019 Institute for Occupational Health",
    "Copyright 2019 Institute",
    "Seite 1 von 2",
    "第 1 页，共 2 页",
)


@pytest.mark.parametrize("foot", _FEET)
def test_the_foot_of_a_page_below_a_scoring_rule_is_left_out_with_a_note(foot: str) -> None:
    survey = read_paste(_SCALE + foot)
    (score,) = survey.scores
    assert score.levels == [(None, "minimal"), (3, "moderate"), (6, "severe")]
    last = _SCALE.count("\n") + 1
    assert next(line.role for line in survey.lines if line.line == last) == LEFT
    assert any(note.line == last and note.cause == "left" for note in survey.notes)


def test_a_question_about_pages_or_copyright_is_not_the_foot_of_a_page() -> None:
    survey = read_paste(
        "T\n1. Page 3 of 4: did you read it?\n2. Copyright 2019: do you know the rules?\n3. Who?"
    )
    assert len(survey.questions) == 3


def test_words_at_the_right_of_the_foot_of_a_page_are_no_answer() -> None:
    survey = read_paste(f"1. Which?\n- tea\n- wine\n{'':50}Please turn over\n\n2. When?\n- now\n- later")
    assert labels_of(survey.questions[0]) == ("tea", "wine")
    assert any(note.line == 4 and note.cause == "left" for note in survey.notes)


def test_rules_between_lines_separate_them() -> None:
    rule = "-" * 30
    lines = ["Lab", "age in years: [   ]", "sex: [f] female [m] male", "well? [y] yes [n] no"]
    survey = read_paste("\n".join(f"{line}\n{rule}" for line in lines), ("en",))
    assert [question.kind for question in survey.questions] == ["number", "single", "yes_no"]


@pytest.mark.parametrize("page", ["- 3 -", "3", "Strain | 2", "[4]", "2026"])
def test_a_page_number_between_questions_is_no_heading(page: str) -> None:
    survey = read_paste(f"Strain\n\n1. Are you tired?\n- yes\n- no\n\n{page}\n\n2. Are you sad?\n- yes\n- no")
    assert len(survey.parts) == 1
    assert any(note.line == 7 and note.cause == "left" for note in survey.notes)


def test_numbers_between_gaps_are_answers_and_numbers_with_words_headings() -> None:
    survey = read_paste(
        "Strain\n\n1. How tired are you?\n\n0\n\n1\n\n2\n\nPart 2\n\n2. Are you sad?\n- yes\n- no"
    )
    assert [len(question.options) for question in survey.questions] == [3, 0]
    assert [part.texts for part in survey.parts] == [{}, {"en": "Part 2"}]


@pytest.mark.parametrize("reaction", ["👍", "😀😀", "❤️", "(👍)"])
def test_a_reaction_of_a_chat_is_no_answer(reaction: str) -> None:
    survey = read_paste(f"Team\n\n1. Wie alt bist du?\n{reaction}\n2. Bist du müde? ja / nein")
    assert [each.kind for each in survey.questions] == ["number", "yes_no"]
    assert [each.role for each in survey.lines if each.line == 4] == ["left"]


def test_faces_below_each_other_are_answers() -> None:
    question = read_paste("Team\n\n1. How do you feel?\n😀\n😐\n🙁\n2. Are you tired? yes / no").questions[0]
    assert len(question.options) == 3
