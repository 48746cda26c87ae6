"""A sign at the number of an item says something about the item."""

import pytest

from surveys.imports.drafts.questionnaire import points_of, text_of
from surveys.imports.layouts.signed_numbers import move_signs
from surveys.imports.pasted_text import read_paste

SCALE = "Safety\nnever = 0, sometimes = 1, often = 2\n"


@pytest.mark.parametrize(
    ("number", "explanation"),
    [
        ("2*.", "* reversed"),
        ("2.*", "* reversed"),
        ("2*)", "Items marked * are reverse scored."),
        ("2.-*", "(*) reversed item"),
        ("2°.", "° = reversed item"),
        ("2R.", "R = reversed item"),
    ],
)
def test_signed_numbers_reverse_items(number: str, explanation: str) -> None:
    end = ")" if ")" in number else ".-" if "-" in number else "."
    rows = [f"1{end} I lock doors.", f"{number} I feel safe.", f"3{end} I am followed.", f"4{end} I stay in."]
    questions = read_paste(SCALE + "\n".join([*rows, explanation])).questions
    assert [text_of(each) for each in questions] == [
        "I lock doors.",
        "I feel safe.",
        "I am followed.",
        "I stay in.",
    ]
    assert [points_of(each) for each in questions] == [[0, 1, 2], [2, 1, 0], [0, 1, 2], [0, 1, 2]]


def test_letters_without_an_explanation_count() -> None:
    questions = read_paste("Safety\n1. Do you lock up?\n2A. Do you feel safe?\n2B. Do you go out?").questions
    assert [text_of(each) for each in questions] == ["Do you lock up?", "Do you feel safe?", "Do you go out?"]


@pytest.mark.parametrize("mark", ["(R)", "[reversed]", "(umgekehrt)", "（反向）"])
@pytest.mark.parametrize("answers", ["yes / no", "  yes   no", "☐ yes ☐ no"])
def test_the_mark_of_an_item_may_be_in_front_of_its_answers(mark: str, answers: str) -> None:
    rows = f"1. Do you cry? {answers}\n2. Do you rest? {mark} {answers}\n3. Do you shout? {answers}"
    questions = read_paste(f"Rest\n{rows}\nEach yes is one point. 0 to 1 = low; 2 to 3 = high").questions
    assert [text_of(each) for each in questions] == ["Do you cry?", "Do you rest?", "Do you shout?"]
    assert [points_of(each) for each in questions] == [[0, 1], [1, 0], [0, 1]]


@pytest.mark.parametrize(
    ("mark", "rule"),
    [
        ("(I)", "(I) = ítem inverso, se puntúa 2-1-0"),
        ("(R)", "(R) = umgekehrt gepolt"),
        ("(R)", "Items marked (R) are reverse-scored."),
        ("（R）", "（R）表示反向计分"),
    ],
)
@pytest.mark.parametrize("cells", ["", "\t\t\t"])
def test_explained_letters_before_items_reverse_them(mark: str, rule: str, cells: str) -> None:
    head = "\tNever\tSometimes\tOften\n\t0\t1\t2" if cells else "Never (0) Sometimes (1) Often (2)"
    items = ["I sleep badly", f"{mark} I feel rested", "I brood at night", f"{mark} I wake up well"]
    rows = "\n".join(item + cells for item in items)
    questions = read_paste(f"{head}\n{rows}\n\n{rule}\nSum: 0-3 low; 4-8 high").questions
    texts = ["I sleep badly", "I feel rested", "I brood at night", "I wake up well"]
    assert [text_of(each) for each in questions] == texts
    assert [points_of(each) for each in questions] == [[0, 1, 2], [2, 1, 0]] * 2


def test_letters_of_answers_reverse_nothing() -> None:
    text = "How do you sleep?\n(A) Badly\n(B) Well\n(C) I do not know\n\nItems 2 and 3 are reversed."
    (question,) = read_paste(text).questions
    assert [text_of(option) for option in question.options] == ["Badly", "Well", "I do not know"]


def test_a_mark_in_front_of_answers_keeps_its_meaning() -> None:
    assert move_signs(["2) I rest. [rev]  yes / no"]) == ["2) (rev) I rest.  yes / no"]
    row = "2) I rest. [rev]\t[ ]\t[ ]"
    assert move_signs([row]) == [row]
