"""Kinds that surveys cannot ask are noted: dates, and answers to put in order."""

import pytest

from surveys.imports.drafts.questionnaire import WRONG, Question
from surveys.imports.pasted_text import read_paste


def first(text: str) -> tuple[Question, set[str]]:
    survey = read_paste(f"T\n{text}\n2. Is it good?\n- yes\n- no")
    return survey.questions[0], {note.effect for note in survey.notes if note.line == 2}


@pytest.mark.parametrize(
    "stem",
    [
        "Rank the following fears from 1 to 3",
        "Bringen Sie diese Sorgen in eine Reihenfolge",
        "Classez ces problèmes par ordre d'importance",
        "请按重要性排序",
        "大切な順番に番号をつけてください",
    ],
)
def test_answers_to_put_in_order_are_noted(stem: str) -> None:
    """Before, it was a choice of one of them, without a note."""
    assert first(f"1. {stem}:\n__ Work\n__ Debt\n__ Health")[1] == {WRONG}


def test_a_rank_is_no_order() -> None:
    assert first("1. What is your rank in the army?\n- private\n- sergeant\n- officer")[1] == set()


@pytest.mark.parametrize("parts", ["dd/mm/yyyy", "TT.MM.JJJJ", "mm-yyyy", "дд.мм.гггг"])
def test_a_date_is_no_number(parts: str) -> None:
    """Before, a number from 1900 to 2100 was asked."""
    assert first(f"1. When did you last drink? ___ / ___ / ____ ({parts})")[0].kind == ""


def test_three_dots_behind_a_question_are_a_space() -> None:
    question = first("1. Hoeveel uur per week? ... uur")[0]
    assert (question.kind, list(question.unit.values())) == ("number", ["uur"])


@pytest.mark.parametrize(
    "text",
    [
        "Years of service: ____",
        "Años de servicio: ______",
        "Années d'ancienneté : ____",
        "Anni di servizio",
        "Jahre im Betrieb: ____",
        "Anos de serviço: ____",
        "Quel age avez vous ?",
    ],
)
def test_a_label_of_years_asks_for_a_number(text: str) -> None:
    assert first(f"1. {text}")[0].kind == "number"


@pytest.mark.parametrize(
    ("stem", "ends"),
    [
        ("De 0 à 10, quelle note donnez-vous ?", (0, 10)),
        ("From 0 to 10, how safe do you feel?", (0, 10)),
        ("Von 1 bis 5, wie sicher fühlen Sie sich?", (1, 5)),
        ("De 1 a 5, ¿cuánto confía en el equipo?", (1, 5)),
        ("От 0 до 10, насколько вы довольны?", (0, 10)),
        ("Numa escala de 1 (nada) a 7 (muito), quanto gosta de ler? ____", (1, 7)),
        ("On a scale from 1 (not at all) to 7 (very), how much do you like it? ____", (1, 7)),
        ("Auf einer Skala von 1 (gar nicht) bis 5 (sehr), wie gern lesen Sie? ____", (1, 5)),
    ],
)
def test_a_number_between_stated_ends_is_asked(stem: str, ends: tuple[int, int]) -> None:
    """Before, no answer was read behind a range, and a number to write was chosen from a list."""
    question = first(f"1. {stem}")[0]
    assert (question.kind, question.own.get("number", {}).get("low")) == ("number", ends[0])
    assert question.own["number"]["high"] == ends[1]


@pytest.mark.parametrize("stem", ["De 18 à 25 ans, où viviez-vous ?", "From 1 to 3 pm, where are you?"])
def test_numbers_with_a_unit_in_front_of_a_question_are_no_range(stem: str) -> None:
    assert first(f"1. {stem}")[0].kind == ""


def test_a_range_in_front_of_a_chinese_question_is_asked() -> None:
    question = read_paste("问卷\n1. 从0到10分，您有多满意？\n2. 好吗？\n- 是\n- 否").questions[0]
    assert (question.kind, question.range) == ("number", "0–10")


@pytest.mark.parametrize(
    "text", ["Hours you sit per day: ____", "Horas diarias de conexión: ____", "Quanto paga por mês?",
             "Qual o valor? R$ __", "Ile szklanek pijesz? ........"]
)  # fmt: skip
def test_units_currencies_and_amounts_ask_for_numbers(text: str) -> None:
    assert first(f"1. {text}")[0].kind == "number"


@pytest.mark.parametrize("text", ["Day of the week: ____", "Street: ____"])
def test_other_labels_of_spaces_ask_for_no_number(text: str) -> None:
    assert first(f"1. {text}")[0].kind != "number"


@pytest.mark.parametrize(
    "text",
    [
        "Soffre di una o più di queste malattie?",
        "Avez-vous une ou plusieurs de ces maladies ?",
        "Czy choruje Pan na jedną lub więcej z tych chorób?",
        "Haben Sie eine oder mehrere dieser Krankheiten?",
        "您有以下一种或多种病吗？",
        "Vor was hat er Angst? (alles was passt unterstreichen)",
        "Quali? (sottolinea tutti quelli che hai)",
        "Które? (podkreśl wszystkie)",
    ],
)
def test_words_for_one_or_more_and_for_underlining_all_allow_several_answers(text: str) -> None:
    (question,) = read_paste(f"T\n1. {text}\n- Abc\n- Bcd\n- Cde").questions
    assert question.kind == "several"


@pytest.mark.parametrize(
    "text", ["Da quanti mesi?", "Rok urodzenia", "Staż pracy (w latach)", "In quale anno è nato?"]
)
def test_quantities_in_italian_and_polish_are_numbers(text: str) -> None:
    (question,) = read_paste(f"T\n1. {text} ____").questions
    assert question.kind == "number"


@pytest.mark.parametrize(
    "remark",
    [
        "(max 2 scelte)",
        "(puoi barrare più caselle)",
        "(2 choix max)",
        "(deux au maximum)",
        "(máx. 2)",
        "(varias opciones)",
        "（至多三项）",
        "（选1-3项）",
        "（最多两个）",
    ],
)
def test_the_largest_number_of_answers_in_brackets_allows_several(remark: str) -> None:
    (question,) = read_paste(f"T\n1. X? {remark}\n- Abc\n- Bcd\n- Cde").questions
    assert question.kind == "several"


@pytest.mark.parametrize("remark", ["(pas plus d'une réponse)", "（最多选1项）", "(max 200 caratteri)"])
def test_other_limits_in_brackets_do_not(remark: str) -> None:
    (question,) = read_paste(f"T\n1. X? {remark}\n- Abc\n- Bcd\n- Cde").questions
    assert question.kind == "single"


@pytest.mark.parametrize(
    "text",
    [
        "Quanti figli ha? (massimo 3) ___",
        "A che età la prima volta? ___",
        "Quanto prende al giorno? euro ____",
        "Combien gagnez-vous par jour ? euros ____",
        "¿Cuánto gana al día? pesos ____",
        "Nb d'enfants : ____",
        "Voto da 1 a 10: ____",
        "Note de 0 à 10 : ___",
        "您今年幾歲？____",
        "最高体温多少℃？____",
        "左眼度数：____",
        "您每月收入（单位：元）：____",
    ],
)
def test_a_unit_or_usual_ends_with_a_space_to_write_ask_for_a_number(text: str) -> None:
    (question,) = read_paste(f"T\n1. {text}").questions
    assert question.kind == "number"
    assert "_" not in "".join(question.texts.values())


@pytest.mark.parametrize("text", ["¿Cómo fue su dolor, del 0 al 10?", "从0到10，您有多疼？"])
def test_a_question_between_the_ends_of_a_usual_scale_is_a_number(text: str) -> None:
    (question,) = read_paste(f"T\n1. {text}").questions
    assert (question.kind, question.own["number"]["high"]) == ("number", 10)


@pytest.mark.parametrize(
    "stem",
    ["Falls in the last year? (number) ____", "Stürze im letzten Jahr? (Anzahl) ___", "Wieviele Gläser? ___"],
)
def test_words_in_brackets_may_say_that_the_answer_is_a_number(stem: str) -> None:
    assert first(f"1. {stem}")[0].kind == "number"


@pytest.mark.parametrize("letters", ["J / N", "O / N", "S / N"])
def test_letters_mean_yes_and_no_in_other_languages(letters: str) -> None:
    survey = read_paste(f"T\n\n1. Rauchen Sie? {letters}\n2. Trinken Sie? {letters}", ("de",))
    assert [each.kind for each in survey.questions] == ["yes_no", "yes_no"]


@pytest.mark.parametrize(
    ("line", "ends", "unit"),
    [
        ("How many cats? (max. 14)", (0, 14), ""),
        ("How many cats? ____ max. 14", (0, 14), ""),
        ("How many cats?\n____ (max. 14)", (0, 14), ""),
        ("How many cats? ____ (at least 1)", (1, 99), ""),
        ("How many drinks a week? (no more than 60)", (0, 60), ""),
        ("How old are you? ____ years (minimum 16)", (16, 99), "years"),
        ("Combien d'heures dormez-vous ? ____ h, 14 max.", (0, 14), "h"),
        ("¿Cuántas horas duerme? ____ (no más de 14)", (0, 14), ""),
        ("您每天抽几支烟？（不超过60支）", (0, 60), ""),
        ("Quanti anni ha? ____ (almeno 18)", (18, 99), ""),
        ("How many minutes? ____ min.", (0, 99), "min"),
    ],
)
def test_a_limit_at_one_end_of_a_number_is_read(line: str, ends: tuple[int, int], unit: str) -> None:
    """The report said that the text gives no range, and the limit became a unit."""
    survey = read_paste(f"T\n\n1. {line}\n")
    number = survey.questions[0].own["number"]
    assert (number["low"], number["high"]) == ends
    assert "".join(number.get("unit", {}).values()) == unit
    assert not [note for note in survey.notes if "may be misread" in note.message]
    if ends != (0, 99):
        end = "smallest" if ends[0] == 0 else "largest"
        assert any(f"gives no {end} number" in note.message for note in survey.notes)


@pytest.mark.parametrize(
    ("line", "ends"),
    [
        ("Edad (entre 18 y 30): ...", (18, 30)),
        ("Votre âge : [entre 18 et 35]", (18, 35)),
        ("Shoe size (20-50)", (20, 50)),
        ("Working hours (0 to 80): ____", (0, 80)),
    ],
)
def test_a_label_with_a_range_in_brackets_asks_for_a_number(line: str, ends: tuple[int, int]) -> None:
    survey = read_paste(f"T\n\n1. Do you lie?\n- yes\n- no\n2. {line}\n3. Do you cheat?\n- yes\n- no\n")
    number = survey.questions[1].own["number"]
    assert (number["low"], number["high"]) == ends


@pytest.mark.parametrize(
    ("stem", "kind"),
    [
        ("Haben Sie Ihrem Partner schon verschwiegen, wie viel Sie verloren haben?", "yes_no"),
        ("Have you lied about how many drinks you had?", "yes_no"),
        ("你是否隐瞒过自己输了多少钱？", "yes_no"),
        ("¿Tiene hijos y cuántos?", ""),
        ("Have you stolen, and how many times?", ""),
        ("Have you stolen, and how many times? ____", "number"),
        ("Vous avez combien d'enfants ?", "number"),
    ],
)
def test_the_main_clause_decides_whether_a_number_is_asked(stem: str, kind: str) -> None:
    """Before, all of them asked for a number."""
    assert first(f"1. {stem}")[0].kind == kind


@pytest.mark.parametrize(
    ("stem", "high"),
    [
        ("Su una scala da 0 a 10, quanto si sente stressato quando arriva? ______", 10),
        ("De 0 a 10, ¿cuánto estrés siente usted? ____", 10),
        ("Su una scala da 0 a 100, quanto dolore sente?", 100),
        ("Оцените боль по шкале от 0 до 100", 100),
    ],
)
def test_the_ends_of_a_scale_are_read_where_a_comma_follows(stem: str, high: int) -> None:
    """Before, the largest number was 99, or the question needed answers."""
    question = first(f"1. {stem}")[0]
    assert (question.kind, question.range) == ("number", f"0–{high}")


@pytest.mark.parametrize(
    ("stem", "effects"),
    [
        ("On a scale of one to five, how much money do you owe?", set()),
        ("¿Cuántos puntos de 0 a 10 daría a su jefe?", {WRONG}),
        ("Sur 20, combien de points donnez-vous ?", {WRONG}),
        ("How many days in 2020-2021 were you ill?", set()),
        ("How many of your friends smoke?", set()),
    ],
)
def test_a_proposed_range_is_doubted_where_the_text_may_state_one(stem: str, effects: set[str]) -> None:
    """Before, 0 to 99 was asked without a doubt."""
    assert first(f"1. {stem}")[1] & {WRONG} == effects
