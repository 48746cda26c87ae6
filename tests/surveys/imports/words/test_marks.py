"""Marks before lines: their shapes, and what they count to."""

import pytest

from surveys.imports.pasted_text import read_paste
from surveys.imports.words.marks import mark_of


@pytest.mark.parametrize(
    ("line", "shape", "value", "body"),
    [
        ("1. Bad?", "9.", (0, 1, 0), "Bad?"),
        ("Q12: Bad?", "q9:", (0, 12, 0), "Bad?"),
        ("3、您睡得不好吗？", "9、", (0, 3, 0), "您睡得不好吗？"),
        ("Question n° 2 : Mal ?", "question n°9:", (0, 2, 0), "Mal ?"),
        ("१. क्या?", "9.", (0, 1, 0), "क्या?"),
        ("प्रश्न 2: क्या?", "प्रश्न9:", (0, 2, 0), "क्या?"),
        ("(0) Never", "(9)", (0, 0, 0), "Never"),
        ("1_2 The police", "9.9", (0, 1, 2, 0), "The police"),
        ("b) Never", "a)", (98,), "Never"),
        ("A、从不", "A、", (65,), "从不"),
        ("一、夜晚", "一、", (1,), "夜晚"),
        ("第二部分：家", "第9部分", (2,), "家"),
        ("Frage Zwei: Wie oft?", "frage word", (2,), "Wie oft?"),
        ("Swali la 2: Vipi?", "swali la9:", (0, 2, 0), "Vipi?"),
        ("১। একা?", "9।", (0, 1, 0), "একা?"),
        ("ข้อ ๒. ดื่ม?", "ข้อ9.", (0, 2, 0), "ดื่ม?"),
        ("問二 隠しますか。", "第9", (2,), "隠しますか。"),
        ("乙、否", "CJK、", (0x7533,), "否"),
        ("2nd) Why?", "9)", (0, 2, 0), "Why?"),
        ("Domanda n. 2 - Mai?", "domanda n.9-", (0, 2, 0), "Mai?"),
        ("ب- لا", "ARABIC-", (0x628,), "لا"),
        ("☐ Never", "☐", (), "Never"),
        ("- 18 to 24", "-", (), "18 to 24"),
        ("## Nights", "##", (), "Nights"),
        ("### 3. Bad?", "#9.", (0, 3, 0), "Bad?"),
        ("Questão n.º 2 – Mal?", "questão n.º9–", (0, 2, 0), "Mal?"),
        ("b/ Never", "a/", (98,), "Never"),
    ],
)
def test_marks_have_a_shape_and_a_value(line: str, shape: str, value: tuple[int, ...], body: str) -> None:
    mark, text = mark_of(line)
    assert mark is not None
    assert (mark.shape, mark.value, text) == (shape, value, body)


@pytest.mark.parametrize("line", ["Never", "-5 to 5", "2-4 times a month", "0-79", "e.g. tea"])
def test_other_lines_have_none(line: str) -> None:
    assert mark_of(line) == (None, line)


def test_weak_marks_and_points() -> None:
    assert [
        getattr(mark_of(line)[0], "is_weak", None) for line in ("4 pupils", "4. Pupils", "Q4 Pupils")
    ] == [
        True,
        False,
        False,
    ]
    assert [getattr(mark_of(line)[0], "points", None) for line in ("(2) Often", "2 = Often", "2. Often")] == [
        2,
        2,
        None,
    ]


@pytest.mark.parametrize(
    "text",
    [
        "De 1 a 5, ¿cuánto?",
        "Von 1 bis 5, wie sicher?",
        "From 1 to 5, how safe?",
        "От 1 до 5, как?",
        "De 1 à 5 ?",
    ],
)
def test_a_range_in_front_of_a_question_is_no_mark(text: str) -> None:
    """Before, the words "From 1" were lost as the number of a question."""
    assert mark_of(text) == (None, text)


@pytest.mark.parametrize("line", ["Q2【Q1 回答 3 者】最不滿意？", "Q4(se sì) Quando?"])
def test_a_remark_right_behind_a_number_is_no_part_of_it(line: str) -> None:
    mark, body = mark_of(line)
    assert mark is not None
    assert body[0] in "【("


@pytest.mark.parametrize("text", ["Bitte bis 30.11. in den Kasten werfen.", "bis 30.11. an der Kasse"])
def test_a_date_in_a_sentence_is_no_number_of_a_question(text: str) -> None:
    assert mark_of(text)[0] is None


@pytest.mark.parametrize("line", ["-> Sí: ¿dónde?", "=> Sí: ¿dónde?"])
def test_an_arrow_of_several_signs_is_one_mark(line: str) -> None:
    mark, body = mark_of(line)
    assert mark is not None
    assert (mark.kind, body) == ("sign", "Sí: ¿dónde?")


@pytest.mark.parametrize("signs", [("★1.", "★2.", "3."), ("A.-", "B.-", "C.-"), ("a)-", "b)-", "c)-")])
def test_a_star_or_a_dash_at_the_number_of_a_question_is_no_part_of_it(signs: tuple[str, ...]) -> None:
    first, second, third = signs
    survey = read_paste(
        f"T\n\n{first} How old are you? ____\n{second} Do you smoke?\n( ) yes\n( ) no\n"
        f"{third} What do you smoke?\n( ) pipe\n( ) cigars\n"
    )
    assert [question.texts["en"] for question in survey.questions] == [
        "How old are you?",
        "Do you smoke?",
        "What do you smoke?",
    ]
    assert not [note for note in survey.notes if "misread" in note.message]
