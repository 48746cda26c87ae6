"""Cut-offs that differ between groups of people are asked about, and no score is proposed."""

import pytest

from surveys.imports.pasted_text import read_paste

DRINKS = (
    "Alcohol\n1. How often? 0 Never 1 Monthly 2 Weekly 3 Daily\n2. How many? 0 One 1 Two 2 Three 3 More\n"
)


@pytest.mark.parametrize(
    "text",
    [
        DRINKS + "Cut-off: 4 for men, 3 for women.",
        DRINKS + "Score: 4 points or more in men and 3 or more in women: risky",
        DRINKS + "Score of four points (men) or three points (women): risky",
        DRINKS + "Total for boys: 0-3 low, 4-6 high. Total for girls: 0-2 low, 3-6 high.",
        "Alkohol\n1. Wie oft trinken Sie? nie (0) monatlich (1) täglich (2)\n"
        "2. Wie viel? wenig (0) mittel (1) viel (2)\n"
        "Männer ab 3 Punkten, Frauen ab 2 Punkten: riskant",
        "Alcool\n1. À quelle fréquence ? jamais (0) parfois (1) souvent (2)\n"
        "2. Combien de verres ? un (0) deux (1) trois (2)\n"
        "Score ≥ 3 chez l'homme, ≥ 2 chez la femme : usage à risque",
    ],
)
def test_cut_offs_by_group_are_not_proposed(text: str) -> None:
    survey = read_paste(text)
    assert not survey.scores
    assert any("differ between groups" in note.message for note in survey.notes)


@pytest.mark.parametrize("rule", ["Men and women: score 4 or more", "Cut-off for women: 4"])
def test_one_cut_off_is_proposed(rule: str) -> None:
    (score,) = read_paste(DRINKS + rule).scores
    assert score.levels[1][0] == 4
