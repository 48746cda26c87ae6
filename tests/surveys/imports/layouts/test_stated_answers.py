"""Answers that a sentence next to items states once for all of them."""

import pytest

from surveys.imports.drafts.questionnaire import labels_of
from surveys.imports.layouts.stated_answers import write_stated_answers
from surveys.imports.pasted_text import read_paste

ITEMS = "\nA. I am shy at school\nB. I like to play\nC. I want more sport\n"


@pytest.mark.parametrize(
    "stem",
    [
        "For each sentence choose: never - sometimes - often",
        "Tick for each sentence: never, sometimes, often",
        "Answer each with “never, sometimes, often”:",
        "How true is it (never / sometimes / often)",
        "(never | sometimes | often)",
        "How true is it? Please answer with never, sometimes or often.",
    ],
)
@pytest.mark.parametrize("gap", ["", "\n"])
def test_a_sentence_above_items_states_their_answers(stem: str, gap: str) -> None:
    survey = read_paste(f"School\n\n{stem}{gap}{ITEMS}\nWhich sport?\n- tennis\n- chess\n", ("en",))
    answers = ("never", "sometimes", "often")
    assert [labels_of(question) for question in survey.questions] == [answers] * 3 + [("tennis", "chess")]


@pytest.mark.parametrize("row", ["never / sometimes / often", "never | sometimes | often"])
def test_a_bare_list_below_a_question_belongs_to_the_lettered_items_below_it(row: str) -> None:
    items = "a) I am shy\nb) I like to play\nc) I want more sport\n"
    survey = read_paste(
        f"School\n\n1. How true is this?\n{row}\n{items}\n2. Do you play?\nyes / no\n", ("en",)
    )
    answers = ("never", "sometimes", "often")
    assert [labels_of(question) for question in survey.questions[:3]] == [answers] * 3
    assert [question.kind for question in survey.questions] == [*["single"] * 3, "yes_no"]


@pytest.mark.parametrize(
    "text",
    [
        "1. Do you play?\nyes / no\n\na) I am shy\nb) I like to play\nc) I want sport",
        "1. Do you play?\nyes / no\n2. I am shy\n3. I like to play\n4. I want sport",
        "1. Do you play?\n1 / 2 / 3\na) I am shy\nb) I like to play\nc) I want sport",
    ],
)
def test_other_bare_lists_stay(text: str) -> None:
    assert write_stated_answers(text.split("\n")) == text.split("\n")


@pytest.mark.parametrize(
    ("above", "below"),
    [("(never | sometimes | often)\n", ""), ("", "(answers for all: never, sometimes, often)\n")],
)
def test_items_that_begin_with_dots_share_a_list_above_or_below_them(above: str, below: str) -> None:
    items = "... do you lie?\n... do you skip school?\n"
    survey = read_paste(f"School\n\nHow often ...\n{above}{items}{below}\nWho?\n- all\n- no one\n", ("en",))
    answers = ("never", "sometimes", "often")
    assert [labels_of(question) for question in survey.questions] == [answers, answers, ("all", "no one")]


def test_yes_or_no_may_be_said_in_words() -> None:
    stem = "Votre ami vous a-t-il... (répondez par oui ou non à chaque ligne)"
    items = "a) insultée devant les autres\nb) pris votre argent\nc) menacée de vous frapper\n"
    assert [question.kind for question in read_paste(f"{stem}\n{items}", ("fr",)).questions] == ["yes_no"] * 3


@pytest.mark.parametrize(
    "text",
    [
        "Please choose one of: tea, wine, beer\n1. I like milk\n- yes\n- no\n2. I like tea\n- yes\n- no",
        "We want to know of: home, work, school\n1. How old are you?\n2. Where do you live?\n3. Who is it?",
        "The list of topics: home, work\n1. I am old enough\n2. I live at home\n3. I go to school",
    ],
)
def test_other_lists_are_no_answers(text: str) -> None:
    assert write_stated_answers(text.split("\n")) == text.split("\n")


@pytest.mark.parametrize(
    "above",
    ["Antworte auf jeden Satz mit: nie, manchmal, oft", "Zu jedem Satz wählen: (a) nie (b) manchmal (c) oft"],
)
def test_items_may_have_commas_and_answers_may_have_letters(above: str) -> None:
    """A comma in one item used to end the run of items."""
    items = ["1. Ich schlafe gut.", "2. Wenn ich verliere, höre ich auf.", "3. Ich lüge, wenn man fragt."]
    written = write_stated_answers([above, "", *items])
    assert [line.count("○") + line.count("(") for line in written] == [0, 0, 3, 3, 3]


def test_the_points_of_reversed_items_are_no_answers_of_the_levels_below() -> None:
    lines = [
        "Turn the points round (0 counts 2, 2 counts 0).",
        "0 to 3: You sleep well.",
        "4 to 8: See a doctor.",
    ]
    assert write_stated_answers([*lines, "9 to 12: See one today."])[:3] == lines
