"""A key says in which items yes scores and in which no does, in the words of several languages."""

import pytest

from surveys.imports.drafts.questionnaire import points_of
from surveys.imports.pasted_text import read_paste
from surveys.imports.scores.answer_keys import counts_ticks, counts_yes, key_in, without_key, yes_points


@pytest.mark.parametrize(
    ("text", "on_no", "on_yes"),
    [
        ("1 point for “yes” on 1, 3 and for “no” on items 2, 4", {2, 4}, {1, 3}),
        ("1 Punkt für JA bei 1-3, für NEIN bei 4", {4}, {1, 2, 3}),
        ("NON à 2 et 5 : 1 point ; OUI à 1, 3 et 4 : 1 point", {2, 5}, {1, 3, 4}),
    ],
)
def test_each_answer_has_its_items(text: str, on_no: set[int], on_yes: set[int]) -> None:
    assert key_in(text) == (on_no, on_yes)


@pytest.mark.parametrize(
    "text",
    [
        "Answer “yes” or “no”.",
        "1 point for “yes” on items 1, 2",
        "No items 1, 2",
        "Answer yes or no, except for item 4.",
        "Yes = 1, No = 2 (if no, go to question 4)",
        "Yes counts 1, except for item 4.",
    ],
)
def test_one_answer_alone_is_not_a_key(text: str) -> None:
    assert key_in(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "Points for yes: question 1 one point, question 2 two points, question 3 one point.",
        "Score for “yes”: Q1 = 1, Q2 = 2, Q3 = 1; “no” always scores 0.",
        "A yes to questions 1 and 3 scores 1 point, a yes to question 2 scores 2 points.",
        "1 point for questions 1 and 3, 2 points for question 2",
        "Ein „Ja“ zählt bei Frage 1 und 3 einen Punkt und bei Frage 2 zwei Punkte.",
        "Chaque « oui » vaut : question 1, un point ; question 2, deux points ; question 3, un point.",
        "Valor de cada «sí»: pregunta 1, un punto; pregunta 2, dos puntos; pregunta 3, un punto.",
        'Pontos do "sim": pergunta 1 = 1; pergunta 2 = 2; pergunta 3 = 1. O "não" vale 0.',
        "答“是”的得分：第1题1分，第2题2分，第3题1分；答“否”均为0分。",
        "Баллы за «да»: вопрос 1 – 1 балл, вопрос 2 – 2 балла, вопрос 3 – 1 балл.",
        "Question 2 scores 2 points, all other questions 1 point.",
        "第2题答“是”得2分，其余各题答“是”得1分，答“否”不得分。",
        "Frage 2: 2 Punkte, alle anderen: 1 Punkt",
        "2 points for question 2, 1 point for all others",
    ],
)
def test_a_yes_to_each_item_has_points(text: str) -> None:
    assert yes_points(text, {1, 2, 3}) == {1: 1, 2: 2, 3: 1}


@pytest.mark.parametrize(
    "text",
    [
        "1 point for yes to questions 1 and 2, 1 point for no to question 3",
        "Question 1 scores 2 points.",
        "Items 1, 2, 3 are added up.",
        "Question 1 = 1, question 1 = 2, question 2 = 1, question 3 = 1",
    ],
)
def test_points_of_some_items_or_of_no_are_not_those_of_yes(text: str) -> None:
    assert yes_points(text, {1, 2, 3}) == {}


def test_the_number_one_is_not_a_yes() -> None:
    assert not counts_yes("[ASK IF D1 = 1]")


@pytest.mark.parametrize(
    "text",
    [
        "Cochez une seule case par ligne (jamais = 0 ; parfois = 1)",
        "Tick one box in each line: never = 1 point, often = 2 points",
        "Bitte pro Zeile ein Kästchen ankreuzen (nie = 1 Punkt)",
    ],
)
def test_a_legend_next_to_boxes_counts_no_ticks(text: str) -> None:
    assert not counts_ticks(text)


@pytest.mark.parametrize(
    ("key", "rest"),
    [
        ("SIM = 1 e NÃO = 0 nas perguntas 01, 02, 04 e 05", ""),
        ("YES = 1 and NO = 0 in questions 1, 2, 4 and 5, 0-1 low, 2-3 high", "0-1 low, 2-3 high"),
        ("JA = 1 und NEIN = 0 bei den Fragen 1, 2, 4", ""),
    ],
)
def test_a_statement_without_its_key_keeps_no_items(key: str, rest: str) -> None:
    assert without_key(key).strip() == rest


@pytest.mark.parametrize(
    ("text", "on_no"),
    [
        ("Ja = 1 Punkt, nein = 0 Punkte. Ausnahme: Bei Frage 2 gibt nein 1 Punkt und ja 0 Punkte.", {2}),
        ("Oui = 1 point, non = 0 point. Exception : à la question 2, non = 1 et oui = 0.", {2}),
        ("答“是”得1分，答“否”得0分；第2题例外，答“否”得1分。", {2}),
        ("Bei den Fragen 1 und 3 zählt Ja einen Punkt, bei 2 zählt Nein einen Punkt.", {2}),
    ],
)
def test_a_word_for_an_exception_names_the_items_of_no(text: str, on_no: set[int]) -> None:
    key = key_in(text, is_rule=True)
    assert key is not None
    assert key[0] == on_no


def test_letters_may_stand_for_yes_and_no() -> None:
    text = "Score one for each N on 1 and 3 and one for each Y on 2 and 4."
    assert key_in(text, is_rule=True) == ({1, 3}, {2, 4})
    assert key_in("N = 212 people answered items 1 and 2.", is_rule=True) is None


@pytest.mark.parametrize("key", ["SOLUTIONS: 1 true, 2 false, 3 false, 4 true.", "Key: 1 T; 2 F; 3 F; 4 T"])
def test_a_list_of_the_right_answers_is_a_key(key: str) -> None:
    """Before, it was a question with answers of its own."""
    items = "\n".join(
        f"{n}. I {verb}.\ttrue\tfalse" for n, verb in enumerate(("cook", "sing", "rest", "walk"), 1)
    )
    survey = read_paste(
        f"Home\n\n{items}\n\n{key}\nEach right answer is one point. You need at least 3 points."
    )
    assert [points_of(each) for each in survey.questions] == [[1, 0], [0, 1], [0, 1], [1, 0]]
