"""What each shape of mark stands for."""

import pytest

from surveys.imports.drafts.questionnaire import labels_of, text_of
from surveys.imports.pasted_text import read_paste


@pytest.mark.parametrize(("outer", "inner"), [("→", "•"), ("❖", "-"), ("▶", "○"), ("*", "-")])
def test_a_sign_above_runs_of_another_sign_stands_before_questions(outer: str, inner: str) -> None:
    asked = (("How often", "never", "often"), ("How long", "an hour", "a day"))
    blocks = [f"{outer} {text}\n{inner} {first}\n{inner} {second}" for text, first, second in asked]
    survey = read_paste("\n".join(["Poll", *blocks]))
    assert [(each.texts["en"], labels_of(each)) for each in survey.questions] == [
        ("How often", ("never", "often")),
        ("How long", ("an hour", "a day")),
    ]


def test_the_number_of_a_first_answer_does_not_count_its_question() -> None:
    """Before, the label and the first number were cut: the question was *Male*, its answers the others."""
    text = "T\nA1  Sex   1 Male   2 Female   3 Other\nA2  School   1 None   2 Some   3 All"
    first, second, _third = read_paste(f"{text}\nB. Violence\nB1  Ill?   1 Yes   2 No").questions
    assert [text_of(each) for each in (first, second)] == ["Sex", "School"]
    assert [labels_of(each) for each in (first, second)] == [
        ("Male", "Female", "Other"),
        ("None", "Some", "All"),
    ]


def test_a_last_answer_may_ask_which_other_one_is_meant() -> None:
    text = (
        "T\nQ1. How often?\n1 – never\n2 – often\nQ2. About what?\n1 – money\n2 – love\n3 – other, what? ____"
    )
    assert labels_of(read_paste(text).questions[-1]) == ("money", "love", "other, what?")


@pytest.mark.parametrize("row", ["yes/no", "yes / no", "  yes / no"])
def test_an_item_among_rows_keeps_no_mark(row: str) -> None:
    rows = [
        "a) Is there damp?  yes / no",
        "b) Is it cold? yes / no",
        f"c) Is it dark? {row}",
        "d) Loud?  yes / no",
    ]
    questions = read_paste("Card\n" + "\n".join(rows)).questions
    assert [text_of(each) for each in questions] == ["Is there damp?", "Is it cold?", "Is it dark?", "Loud?"]


@pytest.mark.parametrize("space", ["________", "........"])
def test_a_line_with_a_space_is_no_heading(space: str) -> None:
    """Its mark occurs once, above a question: it was a heading, and respondents were not asked."""
    text = f"Ward\n\n1. Any allergies?   Y / N\n   1a. (if Y) List them: {space}\n2. Do you smoke?   Y / N"
    assert [each.line for each in read_paste(text).questions] == [3, 4, 5]


@pytest.mark.parametrize("points", ["({})", "({} points)"])
def test_thoughts_that_ask_are_answers_if_they_have_points(points: str) -> None:
    """Each was a question, because most of the letters were in front of question marks."""
    thoughts = ("Did I do wrong?", "Is she ill?", "She is busy.")
    answers = "\n".join(
        f"{letter}) {text} {points.format(worth)}"
        for letter, text, worth in zip("abc", thoughts, (2, 1, 0), strict=True)
    )
    text = f"Worry\n\n1. Your friend is late.\n{answers}\n2. You wake up early.\n{answers}"
    assert [labels_of(each) for each in read_paste(text).questions] == [thoughts, thoughts]


def test_a_second_part_may_count_anew() -> None:
    """Its first number began the answers of the question above it."""
    text = (
        "Section A\n1. I am glad\n   yes\n   no\n2. I am tired\n   yes\n   no\n\n"
        "Section B\n1. Write what you would change: ______\n2. Do you smoke? yes / no"
    )
    assert [each.line for each in read_paste(text).questions] == [2, 5, 10, 11]


def test_the_number_of_a_form_in_the_last_line_is_no_question() -> None:
    text = "Ward\n\na. How long? ____ days\nb. Remarks: _____\nForm 12/B - rev. 01/2020 - page 1 of 1"
    assert [each.line for each in read_paste(text).questions] == [3, 4]


@pytest.mark.parametrize("mark", ["-", "*", "•"])
def test_bullets_in_front_of_lists_are_questions_if_some_ask(mark: str) -> None:
    """They were the answers of the line above them."""
    asked = ("age?", "boy / girl / other", "do you smoke (yes, no, sometimes)", "since when: May, June, July")
    text = "questions for the youth club\n\n" + "\n".join(f"{mark} {each}" for each in asked)
    assert [each.line for each in read_paste(text).questions] == [3, 4, 5, 6]


@pytest.mark.parametrize("mark", ["•", "-", "*"])
def test_fields_behind_bullets_are_questions(mark: str) -> None:
    fields = [
        "Vous êtes : ☐ une femme ☐ un homme ☐ autre",
        "Commune : ______",
        "Disposez-vous d'une voiture ? ☐ oui ☐ non",
    ]
    survey = read_paste("Sur vous\n\n" + "\n".join(f"{mark} {field}" for field in fields), ("fr",))
    assert [len(question.options) for question in survey.questions] == [3, 0, 0]
    below = "1. A drink?\n{0} tea\n{0} beer: ____\n{0} other: ____\n\n2. Food?\n{0} bread\n{0} other: ____"
    survey = read_paste(below.format(mark), ("en",))
    assert [len(question.options) for question in survey.questions] == [3, 2]


def test_a_number_or_code_at_the_beginning_of_a_sentence_stays() -> None:
    """Before, the questions began with *or more* and *form*."""
    text = "1. Do you smoke?\n2. Do you drink?\n3. 3 or more drinks a day?"
    assert text_of(read_paste(text).questions[-1]) == "3 or more drinks a day?"
    text = "Tax\nT4 form received?\nyes\nno\nTax paid?\nyes\nno"
    assert text_of(read_paste(text).questions[0]) == "T4 form received?"


@pytest.mark.parametrize("word", ["No.", "Q", "Nr."])
def test_a_line_of_numbered_answers_is_no_question(word: str) -> None:
    """Before, the first of these lines was a question."""
    blocks = "{0} 1 Who helps?\n1. A friend 2. A nurse 3. No one\n\n{0} 2 Do you smoke?\n\n"
    last = "{0} 3 Where?\n1. At home 2. Out"
    survey = read_paste((blocks + last).format(word), ("en",))
    assert [labels_of(each) for each in survey.questions] == [
        ("A friend", "A nurse", "No one"),
        (),
        ("At home", "Out"),
    ]
