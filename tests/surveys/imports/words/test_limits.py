"""Remarks and headings that say who is asked are distinguished from those that say how to answer."""

import pytest

from surveys.imports.words.limits import is_for_all, is_for_some, may_limit, without_for_all


@pytest.mark.parametrize(
    "words",
    [
        "only dog owners",
        "Dog owners only",
        "PART TWO - PARENTS OF CHILDREN UNDER 14 ONLY",
        "nur wer ja hat",
        "Teil B: Nur Raucher",
        "Ab hier bitte nur Raucherinnen und Raucher",
        "locataires seulement",
        "réservé aux locataires",
        "Ceux qui louent",
        "só quem treina com personal",
        "PARTE II (preencher apenas se tem filhos)",
        "Solo chi lavora",
        "solo a los que trabajan",
        "tylko dla palących",
        "только работающие",
        "Тем, кто работает",
        "yalnızca sigara içenler",
        "alleen voor werkenden",
        "للعاملين فقط",
        "二、吸烟情况（仅吸烟者填写）",
    ],
)
def test_words_for_some_people_are_recognised_in_any_language(words: str) -> None:
    assert is_for_some(words)
    assert not is_for_all(words)


@pytest.mark.parametrize(
    "words",
    ["only one answer", "nur eine Antwort ankreuzen", "Only if:", "请只选一个答案", "Your work", "一个人"],
)
def test_words_about_answers_limit_nobody(words: str) -> None:
    assert not is_for_some(words)


@pytest.mark.parametrize(
    "words",
    [
        "PART THREE - EVERYBODY AGAIN",
        "Ab hier wieder alle",
        "PARTE III (para todas as utentes)",
        "SECCIÓN C (todos)",
        "À tous",
        "Для всех",
        "Część C - dla wszystkich",
        "BÖLÜM C (herkes)",
        "三、运动（所有人填写）",
        "以下所有人回答:",
    ],
)
def test_words_for_everyone_are_recognised_in_any_language(words: str) -> None:
    assert is_for_all(words)
    assert not is_for_some(words)


@pytest.mark.parametrize(
    ("remark", "may"),
    [
        ("people with a dog", True),
        ("A chi NON ha votato", True),
        ("在职人员", True),
        ("M", False),
        ("GRID", False),
    ],
)
def test_a_remark_in_front_of_a_question_may_name_people(remark: str, may: bool) -> None:
    assert may_limit(remark) is may


@pytest.mark.parametrize(
    ("question", "rest"),
    [
        ("An alle: Haben Sie Kinder?", "Haben Sie Kinder?"),
        ("A todos: ¿tiene hijos?", "¿tiene hijos?"),
        ("（所有人回答）您有孩子吗？", "您有孩子吗？"),
        ("[ASK ALL] Do you?", "Do you?"),
        ("All your work: do you like it?", "All your work: do you like it?"),
    ],
)
def test_words_for_everyone_are_no_part_of_a_question(question: str, rest: str) -> None:
    assert without_for_all(question) == rest


@pytest.mark.parametrize(
    "words",
    ["todos los fumadores", "tous les fumeurs", "tutti i fumatori", "todas as fumantes", "all smokers"],
)
def test_a_noun_behind_a_word_for_everyone_limits_it(words: str) -> None:
    assert not is_for_all(words)
