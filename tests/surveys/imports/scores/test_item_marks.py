"""Items with a mark that others lack are asked about, unless a line explains it or the mark is known."""

import pytest

from surveys.imports.drafts.questionnaire import points_of
from surveys.imports.pasted_text import read_paste

SELF = "Self\n0 = no, 1 = somewhat, 2 = yes\n1. I feel fine{mark}\n2. I feel bad\n3. I feel well{mark}\n"
RULE = "Sum of 4 or more: at risk"


@pytest.mark.parametrize("mark", [" (renversita)", " [n]", " R", " *", " (–)"])
def test_unknown_marks_are_asked_about(mark: str) -> None:
    notes = read_paste(SELF.format(mark=mark) + RULE).notes
    assert [note.line for note in notes if "may be reversed" in note.message] == [3, 5]


@pytest.mark.parametrize("rule", [RULE + "\n(n) = reversed", ""])
def test_explained_marks_and_items_without_a_score_are_not_asked_about(rule: str) -> None:
    notes = read_paste(SELF.format(mark=" (n)") + rule).notes
    assert not [note for note in notes if "may be reversed" in note.message]


def test_a_remark_on_one_item_is_no_mark() -> None:
    text = SELF.format(mark="").replace("bad", "bad (at work)") + RULE
    assert not [note for note in read_paste(text).notes if "may be reversed" in note.message]


@pytest.mark.parametrize(
    "text",
    [
        "المزاج\n0 = أبدا، 1 = أحيانا، 2 = دائما\n"
        "1. أشعر بالحزن\n2. أشعر بالسعادة (معكوس)\n3. أفكر في الموت\n"
        "المجموع: 0-2 طبيعي، 3-4 متوسط، 5-6 شديد",
        "Tâm trạng\n0 = không bao giờ, 1 = đôi khi, 2 = thường xuyên\n"
        "1. Tôi buồn\n2. Tôi vui (tính điểm ngược)\n3. Tôi mệt\n"
        "Tổng điểm: 0-2 thấp, 3-4 vừa, 5-6 cao",
        "Nálada\n0 = nikdy, 1 = někdy, 2 = často\n"
        "1. Jsem smutný\n2. Jsem šťastný (obrácená položka)\n3. Chci zemřít\n"
        "Součet: 0-2 nízký, 3-4 střední, 5-6 vysoký",
        "Mieliala\n0 = ei koskaan, 1 = joskus, 2 = usein\n"
        "1. Olen surullinen\n2. Olen iloinen (käänteinen)\n3. Haluan kuolla\n"
        "Summa: 0-2 matala, 3-4 keskitaso, 5-6 korkea",
        "우울\n0=전혀 1=가끔 2=자주\n"
        "1. 슬프다\n2. 행복하다 (역채점)\n3. 죽고 싶다\n"
        "0-2 낮음, 3-4 중간, 5-6 높음",
        "自尊量表\n选项：0=不同意 1=一般 2=同意\n"
        "1. 我有价值\n2. 我一无是处（反向计分）\n3. 我曾想过自杀\n"
        "总分0-2分低，3-4分中，5-6分高。",
    ],
)
def test_words_for_reversal_behind_an_item_reverse_it(text: str) -> None:
    survey = read_paste(text)
    assert [points_of(each) for each in survey.questions] == [[0, 1, 2], [2, 1, 0], [0, 1, 2]]
    assert [score.turned for score in survey.scores] == [[4]]
