"""Scoring rules about missing answers are read in six languages; unclear ones are not used."""

import pytest

from surveys.imports.pasted_text import read_paste
from surveys.imports.scores.gap_rules import GAPS_UNREAD, gap_rule, says_gaps, without_gaps


@pytest.mark.parametrize(
    ("text", "at_most", "how"),
    [
        (
            "If two or more answers are missing, do not compute a total. One gap counts as the mean.",
            1,
            "mean",
        ),
        ("Up to three unanswered items count as 0.", 3, "no_points"),
        ("Replace missing items by 0. Not scored if two items are missing.", 1, "no_points"),
        ("Fehlende Werte werden durch 0 ersetzt. Keine Auswertung, wenn zwei Items fehlen.", 1, "no_points"),
        ("Remplacez les réponses manquantes par 0. Pas de score si deux réponses manquent.", 1, "no_points"),
        ("Fehlende Werte werden als 0 gezählt. Fehlen zwei Antworten, gibt es keinen Wert.", 1, "no_points"),
        ("Au-delà\nd'une réponse manquante, le score n'est pas calculé.", 1, "mean"),
        ("缺失值用0代替。缺失2题不计分。", 1, "no_points"),
        ("With two missing answers there is no score.", 1, "mean"),
        ("At least eight of the ten items must be answered; prorate the rest.", 2, "mean"),
        ("Unanswered items are scored 0.", 9, "no_points"),
        ("Una sola risposta mancante si conta come 0; se ne mancano di più va rifatto.", 1, "no_points"),
        ("Une seule phrase peut rester sans réponse ; elle compte alors 0.", 1, "no_points"),
        ("Risposte mancanti: massimo 2, il totale si divide per il numero di risposte date.", 2, "mean"),
        ("没有回答的题按0分算，最多可以空两题。", 2, "no_points"),
        ("Hasta dos huecos se rellenan con la media; con tres o más se anula.", 2, "mean"),
        ("Forms with more than one unanswered item are discarded; a single gap scores zero.", 1, "no_points"),
        ("Do not score the scale if any answer is missing.", 0, "mean"),
        ("Höchstens zwei fehlende Antworten werden durch den Mittelwert der übrigen ersetzt.", 2, "mean"),
        (
            "Fehlen mehr als zwei Antworten, wird kein Summenwert berechnet, sonst gilt der Mittelwert.",
            2,
            "mean",
        ),
        ("Fehlende Antworten zählen als 0.", 9, "no_points"),
        ("Deux réponses manquantes au plus comptent comme « non ».", 2, "no_points"),
        (
            "Au moins 7 questions doivent avoir une réponse ; sinon ne pas calculer ; la moyenne remplace.",
            3,
            "mean",
        ),
        ("Si faltan más de dos respuestas no se calcula el total; las demás valen la media.", 2, "mean"),
        ("Até duas respostas em branco contam como zero.", 2, "no_points"),
        (
            "Remplacer par la moyenne ; au-delà\nd'une réponse manquante, le score n'est pas calculé.",
            1,
            "mean",
        ),
        ("Non meno di 8 risposte su 10 devono essere presenti; le mancanti prendono la media.", 2, "mean"),
        ("Al menos 8 de las 10 preguntas deben tener respuesta; las que faltan toman la media.", 2, "mean"),
        ("缺答不超过2题时以均值代替，超过2题不计总分。", 2, "mean"),
        ("漏答的题记0分。", 9, "no_points"),
    ],
)
def test_limits_and_what_a_gap_counts_are_read(text: str, at_most: int, how: str) -> None:
    assert says_gaps(text)
    assert gap_rule(text, 10) == {"at_most": at_most, "as": how}


@pytest.mark.parametrize(
    "text",
    [
        "Der Test kann nur ausgewertet werden, wenn alle Fragen beantwortet sind.",
        "The total is only valid if all questions have been answered.",
        "Le score n'est calculé que si toutes les réponses sont données.",
        "Solo se suma si se han contestado todas las preguntas; sólo vale con todas las respuestas.",
        "全部题目回答完才计分。",
        "Si falta alguna respuesta, el total no es válido.",
        "Fehlt auch nur eine Antwort, darf keine Summe gebildet werden.",
        "Si une phrase est restée sans réponse, le total n'est pas valable.",
        "Protocolos com itens em branco não são cotados.",
    ],
)
def test_no_answer_may_be_missing(text: str) -> None:
    assert says_gaps(text)
    assert gap_rule(text, 10) == {"at_most": 0, "as": "mean"}


def test_a_request_to_answer_all_questions_is_no_rule() -> None:
    assert not says_gaps("Please answer all questions. There is only one answer to each.")
    assert not says_gaps("¿Qué hizo? (solo si respondió «Sí») Selecciona todas las que correspondan")


@pytest.mark.parametrize(
    "text",
    [
        "Missing answers count as the mean or as 0.",
        "With more than two missing answers no total, with more than three the mean.",
        "More than 12 missing answers count as 0.",
        "Missing answers are fine.",
        "Need 8 of 10; a missing answer counts as the mean if at least 8 are there.",
    ],
)
def test_an_unclear_rule_is_not_guessed(text: str) -> None:
    assert gap_rule(text, 10) is None


def test_a_limit_alone_counts_missing_answers_as_usual() -> None:
    text = "If more than two items are missing, no score is computed."
    assert gap_rule(text, 10) == {"at_most": 2, "as": "mean"}
    assert gap_rule(text, 10, usual="no_points") == {"at_most": 2, "as": "no_points"}


@pytest.mark.parametrize(
    "text", ["What is missing in your team?", "I miss my answers.", "The mean of the scores.", "未来的计划"]
)
def test_other_lines_say_nothing_about_gaps(text: str) -> None:
    assert not says_gaps(text)


def test_a_level_may_be_named_by_a_word_for_gaps() -> None:
    assert without_gaps("8 puntos o más: tu corazón vacía tu cartera.")[1] == ""
    assert without_gaps("6-9 points: you left out too much.")[1] == ""


def test_levels_and_gaps_on_one_line_are_distinguished() -> None:
    rest, gaps = without_gaps("总分0-4分低，5-9分高。缺答1题按均值计算。")
    assert (rest, gaps) == ("总分0-4分低，5-9分高。", "缺答1题按均值计算。")


def test_a_value_after_a_semicolon_belongs_to_the_rule_before_it_and_a_level_does_not() -> None:
    rule = "With more than one missing answer, no total; otherwise count it as 0."
    assert "count it as 0" in without_gaps(f"0-4 low, 5-9 high. {rule}")[1]
    assert gap_rule(without_gaps(rule)[1], 9) == {"at_most": 1, "as": "no_points"}
    assert (
        without_gaps("With one missing answer, no total; 2-3 average; 4-9 high")[0]
        == "2-3 average;\n4-9 high"
    )


def test_what_is_necessary_is_not_missing() -> None:
    rule = "Con menos de 5 puntos no hace falta nada; con 5 o más, consulte."
    assert without_gaps(rule)[1] == ""
    assert without_gaps("0-4 bajo. Si falta una respuesta, use la media.")[1]


@pytest.mark.parametrize(
    "gaps",
    [
        "No se calculó el total si faltaban dos o más respuestas.",
        "Kein Gesamtwert, wenn zwei oder mehr Antworten fehlten.",
        "Pas de total si deux réponses ou plus manquaient.",
        "O total não foi calculado se faltavam duas ou mais respostas.",
    ],
)
def test_a_report_on_missing_answers_is_in_the_past(gaps: str) -> None:
    assert without_gaps(f"0-4 A, 5-9 B. {gaps}")[1] == gaps


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("Se manca una risposta si usa la media delle altre.", {"at_most": 1, "as": "mean"}),
        ("Le righe vuote valgono zero.", {"at_most": 3, "as": "no_points"}),
        ("有一题没答就不算总分。", {"at_most": 0, "as": "mean"}),
        ("Wenn jemand mehr als eine Frage auslässt, wird nicht ausgewertet.", {"at_most": 1, "as": "mean"}),
        ("One blank allowed (use the mean).", {"at_most": 1, "as": "mean"}),
    ],
)
def test_gaps_are_read_in_other_words(text: str, rule: dict[str, object]) -> None:
    assert without_gaps(text)[1] == text
    assert gap_rule(text, 4) == rule


def test_a_rule_on_gaps_whose_beginning_is_elsewhere_is_noted_and_not_guessed() -> None:
    items = "\n".join(f"{number}. Phrase {number}" for number in (1, 2, 3, 4))
    levels = "de 0 à 3 points : faible; de 4 à 8 points : forte Une réponse manquante compte 0"
    rule = f"Additionner. {levels} ; s'il manque plus d'une réponse, le score n'est pas calculé."
    survey = read_paste(f"Repos\n\n0 = jamais, 1 = rarement, 2 = souvent\n\n{items}\n\n{rule}")
    assert all("missing" not in score.rule for score in survey.scores)
    assert any(note.cause == GAPS_UNREAD for note in survey.notes)


def test_words_of_two_sentences_make_no_rule_about_gaps() -> None:
    items = "\n".join(f"{n}. I {verb} alone. ___" for n, verb in enumerate(("cook", "sing", "rest"), 1))
    rule = "Additionnez les réponses (jamais = 0).\nUne réponse manquante compte 0"
    end = "avec plus d'une réponse manquante, l'échelle n'est pas interprétable."
    levels = "de 0 à 2 : bas\nde 3 à 4 : moyen\nà partir de 5 : haut"
    legend = "jamais (0), parfois (1), souvent (2)"
    survey = read_paste(f"Seul\n\n{legend}\n\n{items}\n\nCotation\n{rule} ; {end}\n{levels}")
    assert [score.rule.get("missing") for score in survey.scores] == [{"at_most": 1, "as": "no_points"}]
