"""Codes and their answers are found in either order, in any language, and other numbers are no codes."""

import pytest

from surveys.imports.words.legends import legend_of, numbered


@pytest.mark.parametrize(
    ("text", "labels", "points"),
    [
        ("Answer each with: 0 Never  1 Rarely  2 Often", ("Never", "Rarely", "Often"), (0, 1, 2)),
        ("Points: “no” 0 points, “at times” 1 point; item 2 is reversed", ("no", "at times"), (0, 1)),
        ("»nie« 0, »oft« 1, »immer« 2. Umgekehrt: Satz 1", ("nie", "oft", "immer"), (0, 1, 2)),
        ("Comptez 1 point pour « jamais », 2 points pour « oui »", ("jamais", "oui"), (1, 2)),
        ("不符合计0分，有点符合计1分，很符合计2分", ("不符合", "有点符合", "很符合"), (0, 1, 2)),
        (
            "CLAVE: No 0, A veces 1, Sí 2. Los ítems 3, 4 y 6 se invierten.",
            ("No", "A veces", "Sí"),
            (0, 1, 2),
        ),
        ("0 = nie; 1 = selten; 2 = oft", ("nie", "selten", "oft"), (0, 1, 2)),
        (
            "Répondez par : jamais (0), parfois (1), toujours (2)",
            ("jamais", "parfois", "toujours"),
            (0, 1, 2),
        ),
        ("从不=1分,偶尔=2分,总是=3分(带*号的题目反向计分)", ("从不", "偶尔", "总是"), (1, 2, 3)),
        (
            "Responda: 1 (discordo), 2 (não sei), 3 (concordo).",
            ("discordo", "não sei", "concordo"),
            (1, 2, 3),
        ),
        ("「1.いいえ」「2.時々」「3.はい」から", ("いいえ", "時々", "はい"), (1, 2, 3)),
        (
            "1 trifft zu / 2 teils / 3 trifft nicht zu / -9 keine Angabe",
            ("trifft zu", "teils", "trifft nicht zu"),
            (1, 2, 3),
        ),
        ("(1 = Hiç … 3 = Çok; ara değer: 2 = Biraz)", ("Hiç", "Biraz", "Çok"), (1, 2, 3)),
        ("Ja (0 Punkte) oder Nein (5 Punkte).", ("Ja", "Nein"), (0, 5)),
        ("1 = sehr gut bis 3 = schlecht", ("1 – sehr gut", "2", "3 – schlecht"), (1, 2, 3)),
        ("STS = Sangat Tidak (1), S = Setuju (2)", ("Sangat Tidak", "Setuju"), (1, 2)),
        ("S (siempre), A (a veces) o N (nunca)", ("siempre", "a veces", "nunca"), ()),
        ("Отвечайте «да» или «нет».", ("да", "нет"), ()),
        ("Part 1 (never / sometimes / often)", ("never", "sometimes", "often"), ()),
    ],
)
def test_codes_and_their_answers_are_found(
    text: str, labels: tuple[str, ...], points: tuple[int, ...]
) -> None:
    found = legend_of(text)
    assert found is not None
    assert (found.labels, found.points) == (labels, points)


@pytest.mark.parametrize(
    "text",
    [
        "Items 2 and 4 are reversed.",
        "0-4 low, 5-9 high",
        "The survey has 24 questions and takes 10 minutes.",
        "Is it 1, 2 or 3?",
        "Born 12.5.1980",
        "",
    ],
)
def test_other_numbers_are_no_codes(text: str) -> None:
    assert legend_of(text) is None


@pytest.mark.parametrize("text", ["规则：每答一个“是”得1分，“否”得0分", "答“是”计1分，答“否”计0分"])
def test_words_between_a_quoted_answer_and_its_points_belong_to_neither(text: str) -> None:
    legend = legend_of(text)
    assert legend is not None
    assert (legend.labels, legend.points) == (("是", "否"), (1, 0))


def test_the_number_of_a_question_is_no_end_of_its_scale() -> None:
    assert legend_of("7.请给小区治安打分（0分最差，100分最好）：____分") is None


@pytest.mark.parametrize(
    ("text", "labels", "points"),
    [
        ("Responda Sí o No. Cada Sí vale 1 punto; cada No, 0 puntos.", ("Sí", "No"), (1, 0)),
        ("Each Yes scores 1 point, each No 0 points.", ("Yes", "No"), (1, 0)),
        ("Für jedes Ja 1 Punkt, für jedes Nein 0 Punkte.", ("Ja", "Nein"), (1, 0)),
        ("Para cada Sim conte 1 ponto; para cada Não, 0 pontos.", ("Sim", "Não"), (1, 0)),
        ("A yes is 1 point, a no is 0 points.", ("yes", "no"), (1, 0)),
        ("За каждое Да 1 балл, за каждое Нет 0 баллов.", ("Да", "Нет"), (1, 0)),
        ("1 point for each Yes, 0 points for each No.", ("Yes", "No"), (1, 0)),
        ("Eher ja = 1 Punkt, eher nein = 0 Punkte", ("Eher ja", "eher nein"), (1, 0)),
        ("Yes, often = 1, No, never = 0", ("Yes, often", "No, never"), (1, 0)),
    ],
)
def test_words_of_a_sentence_around_yes_and_no_are_no_part_of_them(
    text: str, labels: tuple[str, ...], points: tuple[int, ...]
) -> None:
    """Before, yes/no questions were asked with answers such as *Cada Sí vale*."""
    legend = legend_of(text)
    assert legend is not None
    assert (legend.labels, legend.points) == (labels, points)


def test_an_exclamation_before_a_legend_is_kept() -> None:
    legend = legend_of("Think about last year! Never = 0, Sometimes = 1, Often = 2")
    assert legend is not None
    assert (legend.before, legend.labels) == ("Think about last year!", ("Never", "Sometimes", "Often"))


@pytest.mark.parametrize(
    "text",
    [
        "Marque con una X.  Nunca = 0   A veces = 1   Siempre = 2",
        "Use a tick (see p. 3). Nunca (0), A veces (1), Siempre (2)",
    ],
)
def test_sentences_before_a_legend_are_no_answers(text: str) -> None:
    found = legend_of(text)
    assert found is not None
    assert found.labels == ("Nunca", "A veces", "Siempre")


def test_words_before_the_limit_of_a_sum_are_no_answers() -> None:
    assert legend_of("Es gibt 1 Punkt. Ab 2 Punkten: Beratung.") is None


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        (
            "请根据最近一周的情况作答。A 完全不符合　B 有点符合　C 非常符合",
            ("完全不符合", "有点符合", "非常符合"),
        ),
        ("请如实选择，A从不 B偶尔 C经常。", ("从不", "偶尔", "经常")),
        ("Please think of the last week. A never   B a little   C often", ("never", "a little", "often")),
        ("Use these letters: A never, B sometimes, C often.", ("never", "sometimes", "often")),
        ("Pensez à la semaine passée ! A jamais / B parfois / C souvent", ("jamais", "parfois", "souvent")),
        ("Вспомните неделю. А никогда   Б иногда   В часто", ("никогда", "иногда", "часто")),
    ],
)
def test_letters_before_answers_need_no_sign(text: str, labels: tuple[str, ...]) -> None:
    """Capital letters in their order name the answers behind them, also with only a blank between."""
    found = legend_of(text)
    assert found is not None
    assert found.labels == labels


@pytest.mark.parametrize(
    "text",
    [
        "Which vitamins do you take? A B C",
        "Here: A friend, B movies and C grades",
        "A. 生产部 B. 销售部 C. 行政部",
    ],
)
def test_letters_within_a_sentence_are_no_legend(text: str) -> None:
    """Capital letters without answers, or not between the same signs, explain nothing."""
    assert legend_of(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "Moins de 4 points : zen. De 4 à 9 points : vigilant(e). 10 points et plus : possessif(ve)",
        "Fewer than 4 points: calm. From 4 to 9 points: alert. 10 points and more: jealous",
        "Unter 4 Punkten: ruhig. 4 bis 9 Punkte: wachsam. 10 Punkte und mehr: eifersüchtig",
    ],
)
def test_the_ends_of_a_range_are_no_codes(text: str) -> None:
    assert legend_of(text) is None


@pytest.mark.parametrize("word", ["Question ", "Frage ", "Вопрос ", ""])
def test_points_of_letters_item_by_item_are_no_legend(word: str) -> None:
    """The letters are those of the answers above, and have other points in each item."""
    assert legend_of(f"{word}1: a = 3, b = 0, c = 5; {word}2: a = 0, b = 2, c = 5") is None


@pytest.mark.parametrize(
    ("text", "points"),
    [
        ("1 : none   2 : few   3 : many   9 : no opinion", (1, 2, 3, 9)),
        ("1=none 2=few 3=many 98=unsure 99=refused", (1, 2, 3, 98, 99)),
        ("0 = none, 1 = some, 2 = much, 8 = unsure", (0, 1, 2, 8)),
    ],
)
def test_codes_of_missing_answers_belong_to_a_legend(text: str, points: tuple[int, ...]) -> None:
    """They were left out in silence."""
    found = numbered(text)
    assert found is not None
    assert found.points == points


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("Выберите: А. никогда, Б. иногда, В. часто", ("никогда", "иногда", "часто")),
        ("Choose: A. never B. often C. daily", ("never", "often", "daily")),
    ],
)
def test_letters_that_count_stand_for_answers(text: str, labels: tuple[str, ...]) -> None:
    found = legend_of(text)
    assert found is not None
    assert found.labels == labels


def test_a_preposition_in_front_of_each_answer_is_no_part_of_it() -> None:
    legend = legend_of("On note 2 pour oui, 1 pour plus ou moins, 0 pour non.")
    assert legend is not None
    assert legend.labels == ("oui", "plus ou moins", "non")
    assert legend_of("注意：2和4两题，同意0分，说不清1分，不同意2分。") is None
