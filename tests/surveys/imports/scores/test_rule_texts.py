"""Texts about scores are told from answers and questions."""

import pytest

from surveys.imports.scores.rule_texts import is_scoring


@pytest.mark.parametrize(
    "text",
    [
        "Score: 10",
        "A total of 10 or more",
        "0-4 low, 5-9 high",
        "0 through 4 low, 5 through 9 high",
        "Gesamtwert: 0-1 gut, 2-4 schlecht",
        "Puntuación: 3 o más",
        "Score total : 0-2 faible",
        "总分：0-2 低，3-4 高",
        "Items 2 and 5 are reverse scored",
        "Cut-off 8",
    ],
)
def test_lines_about_scores_are_recognised(text: str) -> None:
    assert is_scoring(text)


@pytest.mark.parametrize(
    "text",
    [
        "Never",
        "5 or more times",
        "2-3 times",
        "Monthly (1 point)",
        "3 drinks in total",
        "0-4 hours",
        "I scored",
        "",
    ],
)
def test_answers_are_not(text: str) -> None:
    assert not is_scoring(text)


@pytest.mark.parametrize(
    "text",
    [
        "Drinks on a Saturday? 0-2 / 3-5 / 6-10 / more",
        "您的年龄段：25岁以下 / 26～35岁 / 36～45岁 / 46岁以上",
    ],
)
def test_amounts_to_choose_from_are_not_levels(text: str) -> None:
    assert not is_scoring(text)


@pytest.mark.parametrize(
    "item", ["Pude hacer pausas (inverso)\t0\t1\t2", "I slept well (reversed)   0   1   2"]
)
def test_an_item_with_its_own_mark_is_not_a_rule(item: str) -> None:
    assert not is_scoring(item)


@pytest.mark.parametrize(
    "text",
    [
        "If you answered “yes” at least once, go to question 13, otherwise go to 14.",
        "Si vous avez répondu au moins une fois « oui », passez à la question 13.",
        "Wenn Sie mindestens einmal „ja“ angekreuzt haben, weiter mit Frage 13.",
    ],
)
def test_a_number_of_answers_that_leads_to_a_question_is_no_score(text: str) -> None:
    """Its condition was lost in silence."""
    assert not is_scoring(text)
