"""Remarks above and in front of a question say how to answer it, and letters go on."""

import pytest

from surveys.imports.pasted_text import read_paste

QUESTION_BELOW = (
    "Garden\n\n1. Who digs?\n- I\n- you\n- they\n\n{}\n2. What do you grow?\n- figs\n- leeks\n- beans"
)


@pytest.mark.parametrize(
    ("above", "kind"),
    [
        ("[ASK EVERYONE. MULTICODE]", "several"),
        ("[NICHT VORLESEN – MEHRFACHNENNUNG]", "several"),
        ("(несколько ответов)", "several"),
        ("[MULTIPLE]", "several"),
        ("[MULTICODE]\n", "several"),
        ("[ASK EVERYONE]\n[MULTICODE]", "several"),
        ("[MULTICODE]\n[READ OUT]", "several"),
        ("[ASK EVERYONE. SINGLE CODE]", "single"),
        ("[À TOUTES]", "single"),
        ("[IF SEVERAL GARDENS, THE LARGEST]", "single"),
    ],
)
def test_an_instruction_above_a_question_says_how_many_answers_are_meant(above: str, kind: str) -> None:
    first, second = read_paste(QUESTION_BELOW.format(above)).questions
    assert (first.kind, second.kind) == ("single", kind)
    assert [next(iter(each.texts.values())) for each in second.options] == ["figs", "leeks", "beans"]


def test_an_instruction_in_front_of_a_question_says_how_many_answers_are_meant() -> None:
    asked = read_paste("Garden\n\n1. [MULTICODE] What do you grow?\n- figs\n- leeks\n- beans").questions[0]
    assert (asked.kind, asked.texts, asked.help) == ("several", {"en": "What do you grow?"}, {})


@pytest.mark.parametrize(
    ("above", "kind", "limits"),
    [
        ("[ASK EVERYONE. NUMERIC 0–40]", "number", (0, 40)),
        ("[IF THE NUMBER OF BEDS IS KNOWN]", "", None),
    ],
)
def test_an_instruction_above_a_question_may_ask_for_a_number(
    above: str, kind: str, limits: tuple[int, int] | None
) -> None:
    first, last = "1. Who digs?\n- I\n- you", "3. Who reaps?\n- I\n- you"
    text = f"Garden\n\n{first}\n\n{above}\n2. The beds you dig in a year\n\n{last}"
    asked = read_paste(text).questions[1]
    assert asked.kind == kind
    number = asked.own.get("number")
    assert (number and (number["low"], number["high"])) == limits


@pytest.mark.parametrize(
    "text",
    [
        "Q1: Do you dig? (yes/no)\n(several answers)\nQ2: What grows? (figs/leeks/beans)",
        "1. How many beds? ____ beds\n(several answers)\n2. What grows?\n- figs\n- leeks\n- beans",
        "Q1: Who digs? (I | you | they)\n\n(several answers)\nQ2: What grows? (figs | leeks | beans)",
        "1. Do you dig?\n- yes\n- no\n\n(multi)\n2. What grows?\n- figs\n- leeks\n- beans",
        "1. 您种地吗？\n– 是\n– 否\n（多选）\n2. 种什么？\n– 菜\n– 豆\n– 瓜",
        "1. Do you dig?\n(several answers)\n2. What grows?\n- figs\n- leeks\n- beans",
        "Question 1\nDo you dig?\n(several answers)\nQuestion 2\nWhat grows?\n- figs\n- leeks\n- beans",
    ],
)
def test_a_remark_between_two_questions_is_about_the_one_that_lacks_it(text: str) -> None:
    """Behind yes/no, a space or a blank line it was lost, and only one answer could be chosen."""
    first, second = read_paste(f"T\n\n{text}\n").questions
    assert first.kind != "several"
    assert second.kind == "several"


@pytest.mark.parametrize(
    "remark", ["(one only please)", "(tick all that apply)", "[eine Antwort]", "（可多选）"]
)
def test_a_remark_in_brackets_below_boxes_is_no_answer(remark: str) -> None:
    survey = read_paste(
        f"Bar\n1) Which?\n   [ ] tea\n   [ ] milk\n   [ ] water\n   {remark}\n2) Why?\n   ______"
    )
    assert len(survey.questions[0].options) == 3
    assert next(line.role for line in survey.lines if line.line == 6) == "instruction"
