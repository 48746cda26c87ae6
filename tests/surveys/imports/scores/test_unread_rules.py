"""A statement about a score that is not used is quoted in the report."""

import pytest

from surveys.imports.pasted_text import read_paste

TEXT = "Home\n1. Cook?\n(0) no\n(1) often\n2. Sing?\n(0) no\n(1) often\n\nScore: 0 low, 1-2 high.\n"


def quoted(rule: str) -> list[str]:
    return [note.message for note in read_paste(TEXT + rule).notes if "are not used" in note.message]


@pytest.mark.parametrize(
    "rule", ["Question 2 counts triple, add 5 points.", "If 1 is answered with often, add 4 points."]
)
def test_numbers_without_a_meaning_are_quoted(rule: str) -> None:
    assert quoted(rule)


@pytest.mark.parametrize(
    "rule", ["Scores range from 0 to 2 (n = 212).", "Add up both questions.", "no = 0, often = 1 points"]
)
def test_sums_points_and_samples_are_understood(rule: str) -> None:
    assert not quoted(rule)


def test_points_of_answers_that_the_questions_lack_are_not_silent() -> None:
    rule = "Yes (1), Unsure (1), No (0) for items 1-2, and Yes (0), Unsure (1), No (1) for item 3."
    items = "1. Do you eat alone?\n2. Are days long?\n3. Did you have a visit?"
    survey = read_paste(f"Visits\n\nResponses: {rule}\n\n{items}\n\nA total of 2 or more: visit.")
    noted = {note.line for note in survey.notes if note.effect in ("uncertain", "wrong")}
    assert {question.line for question in survey.questions} <= noted


def test_a_number_word_without_a_meaning_is_quoted() -> None:
    assert quoted("Take away seven points for each child.")
    assert not quoted("Add up the two answers.")


def test_a_sentence_with_numbers_that_is_left_out_makes_points_uncertain() -> None:
    items = "(0) no (1) often (2) always\n1. I cook.\n2. I sing.\n3. I rest."
    text = f"Home\n{items}\n\nVoir 2 et 3 avec le chef, sinon 7."
    notes = read_paste(text).notes
    assert {3, 4, 5} <= {note.line for note in notes if "points" in note.message}


@pytest.mark.parametrize(
    "rule",
    [
        "En las preguntas pares el orden de los puntos es el otro.",
        "Pleasant statements score otherwise.",
        "Auswertung: Die zweite Aussage ist positiv formuliert.",
        "Cotation : « often » à la 2e phrase = 0, « no » = 1 ; le reste comme indiqué.",
    ],
)
def test_a_statement_about_items_that_is_not_used_makes_all_points_uncertain(rule: str) -> None:
    notes = read_paste(TEXT + rule).notes
    assert {2, 5} <= {note.line for note in notes if note.effect in ("uncertain", "wrong", "lost")}


@pytest.mark.parametrize(
    "rule",
    [
        "Add up the points; question 1 counts triple.",
        "Sume los puntos; la pregunta 1 vale el triple.",
        "Sommi i punti; la domanda 1 vale il triplo.",
        "Some os pontos; a pergunta 1 vale o triplo.",
        "Additionnez les points ; la phrase 1 compte triple.",
        "Punkte addieren; die Aussage 1 zählt dreifach.",
        "Item 1: triple score",
        "把各题得分相加，第1题得分乘三",
        "第1题得分乘三",
    ],
)
def test_an_item_whose_number_is_the_limit_of_a_level_keeps_its_statement(rule: str) -> None:
    assert quoted(rule)


@pytest.mark.parametrize("heading", ["Section 4: Scoring", "计分方法", "评分说明与得分"])
def test_headings_of_rules_are_not_quoted(heading: str) -> None:
    assert not quoted(heading)
