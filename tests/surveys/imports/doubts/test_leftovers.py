"""Marks, labels and columns that are left in questions and answers show what was not understood."""

import pytest

from surveys.imports.doubts.leftovers import leftovers
from surveys.imports.drafts.questionnaire import Option, Question
from surveys.imports.pasted_text import read_paste


def signs_of(*texts: str, answers: tuple[str, ...] = (), line: str = "", flags: str = "") -> list[str]:
    """Return the signs in the first of several questions that have the same answers."""
    questions = [
        Question(
            line=number,
            texts={"und": text},
            kind="single" if answers else "yes_no",
            flags=frozenset(flags.split()),
            options=[Option(line=number + 1, texts={"und": answer}) for answer in answers],
        )
        for number, text in enumerate(texts, start=1)
    ]
    return [sign.words for sign in next(leftovers(questions, [line] * len(questions)))]


@pytest.mark.parametrize(
    ("texts", "sign"),
    [
        (("q_a LABEL: Do you?", "Will they?"), "with a label or a sign"),
        (("a sore throat?", "Blood?", "Tablets?"), "a small letter"),
        (("How many live in", "Your home?", "Who?"), "does not end with a question mark"),
        (("First. Do you lie?", "Next. Do you steal?"), "another sentence"),
        (("Who? CODE ALL",), "words after the question"),
        (("Chi viene? (anche i parenti)",), "words after the question"),
        (("E. Who lies?", "Who steals?"), "begins with a number or a sign"),
    ],
)
def test_what_is_left_in_a_question_is_seen(texts: tuple[str, ...], sign: str) -> None:
    assert any(sign in own for own in signs_of(*texts)), signs_of(*texts)


@pytest.mark.parametrize(
    ("answers", "sign"),
    [
        (("а) хлеб", "б) молоко"), "incomplete"),
        (("الف) پیاده", "ب) سرویس"), "incomplete"),
        (("pick one", "answers: [Cash, Card]"), "incomplete"),
        (("Yes", "No --- GO TO K4"), "incomplete"),
        (("choice", "bene / male"), "incomplete"),
        (("pick one. Friday", "Sunday"), "incomplete"),
        (("please) Maths", "Art"), "incomplete"),
        (("to rent/to own/other", "choice"), "incomplete"),
        (("a + alone", "with friends"), "incomplete"),
    ],
)
def test_what_is_left_in_an_answer_is_seen(answers: tuple[str, ...], sign: str) -> None:
    assert any(sign in own for own in signs_of("Which?", answers=answers)), signs_of(
        "Which?", answers=answers
    )


@pytest.mark.parametrize(
    ("texts", "answers"),
    [
        (("How often do you lie?", "How often do you steal?"), ("never", "once or twice", "every week")),
        (("¿Cuántos años tiene?", "¿Dónde vive?"), ("18-29", "30-49", "50 o más")),
        (("您多大？", "您在哪里上班？"), ("三十以下", "以上")),
        (("Do you? (Tick only one)", "Will you?"), ("Under 500 €", "500 to 900 €", "More")),
        (("i eat alone", "i hide food"), ("not at all", "a little")),
        (("How old were you?", "How old was the other?"), ("under 15", "15 or older")),
        (("Which pills?", "Which drinks?"), ("Strong", "Weak", "none of these")),
        (("How often?", "How often then?"), ("never", "1 time", "more")),
    ],
)
def test_plain_questions_have_no_signs(texts: tuple[str, ...], answers: tuple[str, ...]) -> None:
    assert signs_of(*texts, answers=answers) == []


def test_words_in_brackets_behind_a_space_are_no_unit() -> None:
    assert any(
        "words after the question" in own for own in signs_of("File:", line="File: ____ (do not fill in)")
    )
    assert not signs_of("Height:", line="Height: ____ (cm)")


def test_rows_of_a_table_may_have_endings_that_questions_lack() -> None:
    assert signs_of("At home ...", "At work ...", answers=("no", "yes"), flags="table") == []


@pytest.mark.parametrize(
    ("answer", "is_noted"),
    [
        ("是”得", True),
        ("«да", True),
        ("„nie“", False),
        ("“never”", False),
        ("don’t know", False),
        ("(no", True),
    ],
)
def test_one_of_two_quotation_marks_or_brackets_in_an_answer_is_noted(answer: str, *, is_noted: bool) -> None:
    lines = ("1. How often?", f"- {answer}", "- daily", "2. Why?", "- fun", "- pain")
    notes = [note for note in read_paste("\n".join(("Poll", *lines))).notes if note.line == 2]
    assert any("one of its answers may be incomplete" in note.message for note in notes) == is_noted


def test_a_list_that_alone_ends_with_or_may_have_merged_answers() -> None:
    texts = ("1. School: none, primary, college", "2. Family: none, some or many")
    survey = read_paste("Talk\n\n" + "\n".join(texts))
    assert any(note.line == 4 and "last two answers" in str(note.message) for note in survey.notes)
    same = read_paste("Talk\n\n1. School: none, primary or college\n" + texts[1])
    assert not any("last two answers" in str(note.message) for note in same.notes)


@pytest.mark.parametrize(
    ("answers", "sign"),
    [
        (("Marque con una X. Nunca", "A veces"), "may be incomplete"),
        (("Letzte Woche. Nie", "Oft"), "may be incomplete"),
        (("nie", "verweigert (nicht vorlesen)"), "contains brackets"),
        (("从来没有", "经常（请看卡片）"), "contains brackets"),
        (("Yes", "Each no counts"), "only one of its two answers"),
        (("Ich sage ja", "nein"), "only one of its two answers"),
    ],
)
def test_instructions_left_in_answers_are_clear_signs(answers: tuple[str, ...], sign: str) -> None:
    found = signs_of("Have you lied about what you bet?", answers=answers)
    assert any(sign in own for own in found), found


@pytest.mark.parametrize("answers", [("seul(e)", "séparé(e)"), ("yes", "no"), ("ja", "nein", "mal so")])
def test_brackets_within_words_and_plain_answers_are_no_signs(answers: tuple[str, ...]) -> None:
    assert signs_of("Have you lied about what you bet?", answers=answers) == []


@pytest.mark.parametrize(
    ("text", "sign"),
    [
        ("1. What do you buy? [rotate]\n- bread\n- milk\n- tea", "square brackets"),
        ("1. 您买什么？【轮换】\n- 米\n- 面\n- 茶", "square brackets"),
    ],
)
def test_remarks_in_brackets_that_no_rule_knows_are_signs(text: str, sign: str) -> None:
    assert any(sign in note.message for note in read_paste(text).notes), read_paste(text).notes


@pytest.mark.parametrize("remark", ["[tick all that apply]", "[nur eine Antwort]", "[多选题]"])
def test_remarks_in_brackets_that_are_understood_are_no_signs(remark: str) -> None:
    text = f"1. What do you buy? {remark}\n- bread\n- milk\n- tea"
    assert not [note for note in read_paste(text).notes if "brackets" in note.message]
