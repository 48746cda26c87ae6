"""A scoring rule on the line of a legend or a title is used, and is no part of an answer."""

import pytest

from surveys.imports.pasted_text import read_paste
from surveys.imports.scores.legend_rules import rule_behind


@pytest.mark.parametrize(
    "text",
    [
        "Mood\n1. Sad\n2. Tense\nScale: 0 = no, 1 = somewhat, 2 = yes. 3 or more: risk",
        "Mood\n1. Sad\n2. Tense\nAnswers: 0 = no, 1 = somewhat, 2 = yes. A total of 3 or more means risk.",
        "Mood\n0 = no, 1 = somewhat, 2 = yes. 3 or more: risk\n1. Sad\n2. Tense",
        "Mood\n(0) no (1) somewhat (2) yes. 3 or more: risk.\n1. Sad\n2. Tense",
        "Mood (≥ 3: risk)\n0 = no, 1 = somewhat, 2 = yes\n1. Sad\n2. Tense",
        "Mood (0–2 each; ≥ 3 positive)\n1. Sad\n2. Tense\n0 no | 1 somewhat | 2 yes",
    ],
)
def test_a_cut_off_behind_a_legend_or_title_is_proposed(text: str) -> None:
    survey = read_paste(text)
    assert [score.levels for score in survey.scores] == [[(None, ""), (3, "")]]
    for question in survey.questions:
        assert [option.texts["en"] for option in question.options] == ["no", "somewhat", "yes"]


def test_a_cut_off_behind_a_chinese_legend_is_no_part_of_an_answer() -> None:
    survey = read_paste("心情\n选项：0=没有，1=有时，2=经常。总分3分及以上为有风险\n1. 难过\n2. 紧张")
    assert [score.levels for score in survey.scores] == [[(None, ""), (3, "")]]
    assert [option.texts["zh-hans"] for option in survey.questions[0].options] == ["没有", "有时", "经常"]


def test_an_open_last_answer_is_no_rule() -> None:
    assert rule_behind("0 = never. 1 = once. 2 or more = often") == ""
