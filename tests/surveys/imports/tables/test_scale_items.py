"""Items below a question are its rows if it lists their answers, with or without separate codes."""

import pytest

from surveys.imports.pasted_text import read_paste


def items(text: str) -> list[tuple[str, list[str], list[int | None]]]:
    return [
        (
            next(iter(each.texts.values())),
            [next(iter(option.texts.values())) for option in each.options],
            [option.points for option in each.options],
        )
        for each in read_paste(text).questions
    ]


@pytest.mark.parametrize("mark", ["-", "•", "☐"])
def test_items_below_a_question_have_the_answers_that_it_lists(mark: str) -> None:
    asked = "Garden\n1. How often? (0) never (1) rarely (2) often"
    text = f"{asked}\n{mark} I dig\n{mark} I sing\n2. Who digs?\n{mark} I\n{mark} you"
    labels, points = ["never", "rarely", "often"], [0, 1, 2]
    assert items(text)[:2] == [("I dig", labels, points), ("I sing", labels, points)]


@pytest.mark.parametrize("codes_first", [False, True])
def test_codes_are_the_steps_of_a_scale_and_the_other_list_its_items(codes_first: bool) -> None:
    steps, rows = "0 = never\n1 = rarely\n2 = often", "a) I dig\nb) I sing"
    lists = f"{steps}\n{rows}" if codes_first else f"{rows}\n{steps}"
    text = f"Garden\n1. How often do you do this?\n{lists}\n2. Who digs?\na) I\nb) you"
    labels, points = ["never", "rarely", "often"], [0, 1, 2]
    assert items(text)[:2] == [("I dig", labels, points), ("I sing", labels, points)]


@pytest.mark.parametrize(("number", "boxes_first"), [("1. ", True), ("1. ", False), ("", False)])
def test_boxes_are_the_steps_of_a_scale_below_items_with_letters(number: str, *, boxes_first: bool) -> None:
    steps, rows = "○ never\n○ rarely\n○ often", "a) I dig\nb) I sing"
    lists = f"{steps}\n{rows}" if boxes_first else f"{rows}\n{steps}"
    read = items(f"Garden\n\n{number}How often do you do this?\n{lists}")
    assert [each[:2] for each in read] == [(row, ["never", "rarely", "often"]) for row in ("I dig", "I sing")]


def test_codes_are_the_steps_below_items_whose_question_has_no_number() -> None:
    lists = "Q3_1 My boss\nQ3_2 My colleagues\n1 Not at all\n2 Fully"
    text = f"Trust\n\nHow much do you trust them?\n{lists}\n\nQ4 Age?"
    assert [each[:2] for each in items(text)[:2]] == [
        (row, ["Not at all", "Fully"]) for row in ("My boss", "My colleagues")
    ]


@pytest.mark.parametrize("answers", ["   yes / no", ": yes / no", "   ☐ yes  ☐ no"])
def test_items_that_each_list_the_same_answers_are_questions(answers: str) -> None:
    rows = "\n".join(
        f"   {letter}) {item}{answers}"
        for letter, item in zip("abc", ("HIV", "Herpes", "Syphilis"), strict=True)
    )
    survey = read_paste(f"Health\n1. Have you ever had:\n{rows}\n2. Were you treated?   yes / no")
    assert [(each.kind, each.texts["en"]) for each in survey.questions] == [
        ("yes_no", text) for text in ("HIV", "Herpes", "Syphilis", "Were you treated?")
    ]
