"""Each cue is found in its example, and words for yes and no are recognised."""

import re

import pytest

from surveys.imports.words.cues import (
    ASKS_SEVERAL,
    ROWS,
    is_condition,
    is_yes_no,
    pattern_of,
    says_yes,
    words_of,
)


@pytest.mark.soak
@pytest.mark.parametrize(("meaning", "pattern", "example"), ROWS)
def test_every_cue_is_found_in_its_example(meaning: str, pattern: str, example: str) -> None:
    assert re.search(pattern, example, re.IGNORECASE), meaning


@pytest.mark.parametrize(
    "words",
    [
        ("Ja", "Nein"),
        ("否", "是"),
        ("हाँ", "नहीं"),
        ("نعم", "لا"),
        ("Sí.", "No."),
        ("بلی", "خیر"),
        ("نه", "بله"),
    ],
)
def test_yes_and_no_are_recognised_in_either_order(words: tuple[str, str]) -> None:
    assert is_yes_no(words)
    assert not is_yes_no((*words, "?"))


def test_patterns_join_the_rows_of_a_meaning() -> None:
    assert pattern_of("asks-several").search("Which? (多选)")
    assert not pattern_of("asks-several").search("Which?")
    assert words_of("flag-")["多选题"] == "several"


@pytest.mark.parametrize(
    ("text", "is_met"),
    [("如果可以重新选择，您还会来吗？", False), ("如果有，是什么？", True), ("如果是，多久？", True)],
)
def test_a_wish_in_chinese_is_no_condition(text: str, is_met: bool) -> None:
    assert is_condition(text) is is_met


@pytest.mark.parametrize(
    ("text", "asks_number"),
    [
        ("Bitte tragen Sie Ihr Alter in ganzen Jahren ein.", True),
        ("Ihr Alter spielt eine Rolle.", False),
        ("Ihre Altersgruppe", False),
        ("Votre âge :", True),
        ("Votre âge vous a-t-il empêché ?", False),
        ("Indique su edad", True),
        ("Назовите, пожалуйста, год Вашего рождения", True),
        ("Ваш возраст вам мешает", False),
        ("您今年多大？", True),
    ],
)
def test_an_age_or_year_of_birth_as_a_label_asks_for_a_number(text: str, asks_number: bool) -> None:
    assert bool(pattern_of("asks-number").search(text)) is asks_number


@pytest.mark.parametrize(
    "text",
    [
        "At what age did you first smoke?",
        "What is your monthly rent?",
        "Wann sind Sie umgezogen? (Jahr)",
        "Wie hoch sind Ihre Schulden?",
        "Quel est le montant de vos dettes ?",
        "¿Cuál es su sueldo?",
        "¿Cuánto puede pagar, en euros?",
        "Какую сумму вы можете платить? (руб.)",
        "您家有几只猫？",
        "您每月的房租是多少？",
    ],
)
def test_questions_for_a_quantity_ask_for_a_number(text: str) -> None:
    assert pattern_of("asks-number").search(text)


@pytest.mark.parametrize(
    "text",
    [
        "您几点睡觉？",
        "您几乎不运动吗？",
        "您了解多少？",
        "What is your view of the price?",
        "Quel est votre avis ?",
    ],
)
def test_other_questions_ask_for_no_number(text: str) -> None:
    assert not pattern_of("asks-number").search(text)


@pytest.mark.parametrize(
    "text",
    [
        "Was stört Sie? Bitte maximal drei nennen!",
        "Cosa la disturba? (al massimo 3)",
        "Qu'est-ce qui vous gêne ? (2 au maximum)",
        "Was nehmen Sie? (mehrere aus der Liste)",
    ],
)
def test_more_than_one_answer_at_most_means_several(text: str) -> None:
    assert pattern_of("asks-several").search(text)


def test_at_most_some_hours_is_no_number_of_answers() -> None:
    assert not pattern_of("asks-several").search("Do you work up to three hours?")


@pytest.mark.parametrize(
    "text",
    [
        "Which days? (several ok)",
        "Which days work for you? More than one is fine.",
        "Welche Tage? (gerne mehrere nennen)",
        "Welche Tage? Mehrere gehen auch.",
        "¿Qué días? Podéis decir varios",
        "¿Qué comida? (más de una vale)",
        "Quels jours ? (plusieurs si vous voulez)",
        "Quais dias? (mais de um tá valendo)",
        "Quali giorni? anche più di uno",
        "Какие дни? Можно несколько",
        "哪几天有空？（写多个也行）",
        "谁来？（不止一个也行）",
    ],
)
def test_a_remark_may_allow_several_answers_in_plain_words(text: str) -> None:
    assert ASKS_SEVERAL.search(text)


@pytest.mark.parametrize(
    "text",
    [
        "How often do you ride (several times a week)?",
        "Haben Sie mehrere Kinder?",
        "Which day? (not several)",
        "Which pets? (if several, name the oldest)",
        "哪一天？（不选多个）",
    ],
)
def test_a_word_for_several_alone_allows_nothing(text: str) -> None:
    assert not ASKS_SEVERAL.search(text)


@pytest.mark.parametrize(
    "words", ["Whatever applies.", "(tick whatever fits)", "Please mark whatever applies to you"]
)
def test_whatever_applies_asks_for_several_answers(words: str) -> None:
    assert pattern_of("asks-several").search(words) or pattern_of("all").search(words)


@pytest.mark.parametrize(
    ("text", "asks_number"),
    [
        ("Cigarettes per day: ____", True),
        ("Zigaretten pro Tag:", True),
        ("Cigarrillos al día", True),
        ("Cigarros por dia", True),
        ("Сигарет в день", True),
        ("What do you do per day?", False),
        ("Country of birth:", False),
        ("In welcher Schwangerschaftswoche sind Sie?", True),
        ("In which week of pregnancy are you?", True),
        ("À quelle semaine de grossesse êtes-vous ?", True),
        ("¿En qué semana de embarazo está?", True),
        ("In which week are holidays?", False),
    ],
)
def test_counts_in_a_period_and_weeks_of_pregnancy_are_numbers(text: str, asks_number: bool) -> None:
    assert (pattern_of("asks-number").search(text) is not None) is asks_number


@pytest.mark.parametrize(
    "words",
    [
        "Pode escolher mais do que uma opção.",
        "Puede marcar más que una casilla.",
        "Sie können mehr als eine Möglichkeit auswählen.",
        "Vous pouvez cocher plus d'une case.",
        "Можно отметить более одного ответа.",
        "U kunt meer dan één antwoord kiezen.",
        "可以选择不止一项。",
    ],
)
def test_leave_to_choose_more_than_one_answer_asks_for_several(words: str) -> None:
    assert ASKS_SEVERAL.search(words)


@pytest.mark.parametrize(
    "words",
    [
        "Escolha uma, não mais do que uma.",
        "Bitte nicht mehr als eine Möglichkeit auswählen.",
        "Cochez une case, pas plus d'une.",
        "Mehr als ein Kind haben",
        "Tick no more than one.",
    ],
)
def test_a_limit_of_one_answer_does_not_ask_for_several(words: str) -> None:
    assert not ASKS_SEVERAL.search(words)


@pytest.mark.parametrize(
    "words",
    [
        ("Kyllä", "En"),
        ("Emme", "Kyllä"),
        ("Да", "Не"),
        ("Jā", "Nē"),
        ("Taip", "Ne"),
        ("Jah", "Ei"),
        ("Иә", "Жоқ"),
    ],
)
def test_yes_and_no_are_known_in_more_languages(words: tuple[str, str]) -> None:
    assert is_yes_no(words)


@pytest.mark.parametrize("word", ["en", "не", "ha", "já", "En"])
def test_a_word_of_other_sentences_alone_is_neither_yes_nor_no(word: str) -> None:
    """Points in a sentence belong to yes and no, and not to such words between them."""
    assert says_yes(word) is None


@pytest.mark.parametrize(
    ("text", "several"),
    [
        ("Choose the three reasons that apply most", True),
        ("Wählen Sie die drei wichtigsten Gründe", True),
        ("Choisissez les trois raisons principales", True),
        ("Elija las 3 prioridades", True),
        ("Escolha os três motivos", True),
        ("Scelga le 3 priorità più importanti", True),
        ("Indichi il più alto titolo di studio", False),
        ("Scelga la risposta più adatta", False),
        ("Choisissez les raisons", False),
    ],
)
def test_choosing_two_or_more_asks_for_several_answers_but_a_superlative_does_not(
    text: str, several: bool
) -> None:
    assert bool(ASKS_SEVERAL.search(text)) == several


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Se mai, perché?", "Mai"),
        ("Si « bas », depuis quand ?", "bas"),
        ("If low, why?", "low"),
        ("“没签”的，原因是什么？", "没签"),
    ],
)
def test_a_clause_with_a_short_answer_is_a_condition(text: str, answer: str) -> None:
    assert is_condition(text, [answer])


def test_a_word_that_ends_like_an_answer_is_none() -> None:
    assert not is_condition("In particular, why?", ["lar"])
