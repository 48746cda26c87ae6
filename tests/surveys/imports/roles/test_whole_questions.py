"""Questions with their own answers or a space to write, also among those of a form."""

import pytest

from surveys.imports.drafts.questionnaire import labels_of
from surveys.imports.pasted_text import read_paste


def test_labels_with_codes_are_questions_among_labels_with_spaces() -> None:
    coded = "Soil : 1. clay   2. sand\nSize : 1. small   2. fair   3. vast"
    form = f"Name : ......\nAge  : ..... years\n{coded}\nWork : ......\nBeds : ..... beds"
    reading = read_paste(f"A. GARDENERS\n{form}")
    assert [len(each.options) for each in reading.questions] == [0, 0, 2, 3, 0, 0]


def test_boxes_may_have_wide_blanks() -> None:
    reading = read_paste("Garden\n\nSoil:   (   ) clay   (   ) sand\nShed:   [   ] wood   [   ] stone\n")
    assert [len(each.options) for each in reading.questions] == [2, 2]


@pytest.mark.parametrize("gap", ["\t", "     "])
@pytest.mark.parametrize(
    ("above", "below"), [("1. Do you smoke?\no yes\no no\n", "\n2. Do you drink?\no yes\no no"), ("", "")]
)
def test_a_label_in_front_of_cells_is_a_question_with_these_answers(gap: str, above: str, below: str) -> None:
    line = gap.join(["You are:", "a woman", "a man", "other"])
    survey = read_paste(f"Survey\n\n{above}\n{line}\n{below}")
    (found,) = [each for each in survey.questions if each.texts == {"en": "You are"}]
    assert labels_of(found) == ("a woman", "a man", "other")


@pytest.mark.parametrize("line", ["Class:\t7b\tTeacher:\tMs X", "Place:\tHall 2"])
def test_labels_with_values_in_cells_ask_nothing(line: str) -> None:
    survey = read_paste(f"Survey\n{line}\n1. Do you smoke?\n2. Do you drink?")
    assert [question.texts["en"] for question in survey.questions] == ["Do you smoke?", "Do you drink?"]


def test_dashes_separate_answers_behind_a_colon() -> None:
    status = "Marital status: single - married - divorced"
    text = f"Talk\n\n{status}\nAny children? yes - no\nNow: at work - at home - ill"
    assert [labels_of(question) for question in read_paste(text).questions] == [
        ("single", "married", "divorced"), (), ("at work", "at home", "ill"),
    ]  # fmt: skip


def test_the_same_answers_with_points_in_another_order_are_answers() -> None:
    up, down = "   no 0    a bit 1    much 2", "   no 2    a bit 1    much 0"
    reading = read_paste(
        f"Birth\n\nI am glad\n{down}\nI am afraid\n{up}\nI feel well\n{down}\n\nTotal 0-2 low, 3-6 high"
    )
    assert [labels_of(each) for each in reading.questions] == [("no", "a bit", "much")] * 3


@pytest.mark.parametrize("above", ["--- Only for members ---", "(Only for members)"])
def test_a_question_with_a_space_is_one_below_words_in_brackets(above: str) -> None:
    """It was left out, because the line above it had no role."""
    text = f"Club\n\nA member?\n- yes\n- no\n\n{above}\nWhat do you like? ____\n\nWhere?\n- here\n- there"
    assert [each.line for each in read_paste(text).questions] == [3, 8, 10]


@pytest.mark.parametrize(
    "legend", ["Indica que la pregunta es obligatoria *", "* Indica una domanda obbligatoria"]
)
def test_what_a_star_means_is_no_question(legend: str) -> None:
    text = f"Encuesta\n{legend}\n\n¿En qué equipo juegas? *\n☐ A\n☐ B\n\n¿Cuándo? *\n☐ C\n☐ D"
    assert len(read_paste(text).questions) == 2


def test_answers_below_a_question_in_a_form_are_its_answers() -> None:
    text = "T\n\nDes crédits ?  OUI / NON\nCombien ? ____\nSautez-vous un repas ?\njamais / parfois / souvent"
    assert len(read_paste(text).questions[2].options) == 3


@pytest.mark.parametrize(
    ("remark", "field"),
    [
        ("Only numbers may be entered in this field.", "Please write your answer here:"),
        ("In dieses Feld dürfen nur Zahlen eingegeben werden.", "Bitte geben Sie Ihre Antwort hier ein:"),
        ("Seuls des nombres peuvent être saisis dans ce champ.", "Veuillez écrire votre réponse ici :"),
        ("In questo campo possono essere inseriti soltanto numeri.", "Scrivere la propria risposta qui:"),
        ("Sólo se pueden introducir números.", "Por favor, escriba su respuesta aquí:"),
    ],
)
def test_a_remark_that_only_numbers_are_possible_is_no_answer(remark: str, field: str) -> None:
    """It was a question, or an answer of the question above."""
    survey = read_paste(
        f"T\n\nDo you smoke?\n○ yes\n○ no\n\nHow much do you pay?\n{remark}\n{field}\n\n"
        "Do you lie?\n○ yes\n○ no\n"
    )
    assert [question.kind for question in survey.questions] == ["yes_no", "number", "yes_no"]


@pytest.mark.parametrize("field", ["Age: ____", "Klasse: ......", "姓名：______"])
def test_a_field_directly_below_the_title_is_asked(field: str) -> None:
    """It used to become the introduction."""
    survey = read_paste(f"Sleep\n{field}\n\n1. Do you sleep badly?\n2. Do you snore?")
    assert [question.line for question in survey.questions] == [2, 4, 5]
