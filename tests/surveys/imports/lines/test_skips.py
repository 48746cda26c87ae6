"""Instructions to skip, behind answers, in columns, and as quoted questions."""

import pytest

from surveys.imports.drafts.questionnaire import labels_of
from surveys.imports.pasted_text import read_paste
from tests.surveys.imports.lines.test_conditions import conditional


@pytest.mark.parametrize(
    "behind",
    [
        "(SKIP TO 4)",
        "→ 4",
        "-> weiter mit 4",
        "-> 4",
        "(ga naar 4)",
        "(prosegua con la 4)",
        "(los que dicen no pasan a la 4)",
        "(if no, skip to question 4)",
        "[PASE A 4]",
        "← انتقل إلى السؤال 4",
        "（跳至4）",
        "(przejdź do 4)",
    ],
)
def test_an_instruction_behind_an_answer_skips_the_questions_up_to_its_number(behind: str) -> None:
    followed = "2. Who?\na) A friend\nb) A stranger\n3. When?\na) Now\nb) Then\n4. Where?"
    text = f"1. Has anyone hit you?\na) Yes\nb) No {behind}\n{followed}"
    assert conditional(text) == [4, 7]
    assert [next(iter(option.texts.values())) for option in read_paste(text).questions[1].options] == [
        "A friend",
        "A stranger",
    ]


def test_points_and_answers_with_numbers_are_no_instructions() -> None:
    assert conditional("1. Where?\na) Here (2 points)\nb) There (3)\n2. How?\n3. Why?") == []


@pytest.mark.parametrize(
    "quote",
    [
        "Display this question: If Do you dig in the garden? = Yes",
        "Frage wird gezeigt, wenn die Antwort auf »Do you dig in the garden?« Ja war",
        "La réponse était 'Oui' à la question '1 [dig]' (Do you dig in the garden?)",
    ],
)
def test_a_line_that_quotes_a_question_is_a_condition_of_the_next(quote: str) -> None:
    first = "T\n1. Do you dig in the garden?\n- Yes\n- No"
    text = f"{first}\n\n{quote}\n\n2. Where?\n- here\n- there\n\n3. Why?\n- a\n- b"
    assert conditional(text) == [8]


@pytest.mark.parametrize("legend", ["(never – 0, rarely – 1, often – 2)", "(nie – 0, selten – 1, oft – 2)"])
def test_points_in_brackets_are_not_question_numbers(legend: str) -> None:
    assert conditional(f"T\n\nTick one. {legend}\n\n1. A?\n- a\n- b\n2. B?\n- a\n- b\n3. C?\n- a\n- b") == []


@pytest.mark.parametrize(
    "text",
    [
        "Faith\n\nI.1 Do you pray?\n- Yes\n- No → go to II.1\nI.2 Where?\nI.3 How often?\nII.1 Your age?",
        "Foi\n\nI.1 Priez-vous ?\n- Oui\n- Non → passez à II.1\nI.2 Où ?\nI.3 Quand ?\nII.1 Votre âge ?",
    ],
)
def test_a_skip_leads_to_a_number_of_another_part(text: str) -> None:
    assert conditional(text) == [6, 7]


@pytest.mark.parametrize(
    "remark", ["(tick all that apply)", "*Tick all that apply*", "Tick all.", "*", "(select one) *"]
)
@pytest.mark.parametrize("number", ["2. ", ""])
def test_a_question_that_ends_as_an_earlier_one_is_no_condition(remark: str, number: str) -> None:
    asked = f"{number}What do you smoke? {remark}"
    survey = read_paste(f"Smoke\n\n1. Do you smoke?\n- Yes\n- No\n\n{asked}\n- Cigarettes\n- Cigars")
    assert [len(each.options) for each in survey.questions] == [0, 2]


@pytest.mark.parametrize("arrow", ["->", "---->", "------------>"])
def test_arrows_of_any_length_are_cut_from_answers(arrow: str) -> None:
    """Before, the dashes of a long arrow stayed in the answer."""
    text = f"T\n1. Do you drink?\n01 Yes\n02 No {arrow} 3\n98 DK\n2. How?\n01 A lot\n02 Little\n3. Ill?"
    assert labels_of(read_paste(text).questions[0]) == ("Yes", "No", "DK")


def test_signs_in_front_of_amounts_with_boxes_state_no_condition() -> None:
    text = "T\n(1) Ill?  ( ) yes  ( ) no\n(2) Since when?  ( ) < 1 year  ( ) 1–5 years  ( ) > 5 years"
    assert not [note for note in read_paste(text).notes if note.line == 3 and note.asks == "keep"]


@pytest.mark.parametrize("behind", ["(请跳答第三题)", "（請續答第三題）", "→ 跳至第三题"])
def test_numbers_in_chinese_name_questions(behind: str) -> None:
    text = f"T\n一、抽烟吗？\n□ 是\n□ 否{behind}\n二、几年？\n□ 一\n□ 二\n三、喝酒吗？\n□ 是\n□ 否"
    assert conditional(text) == [5]


@pytest.mark.parametrize(
    "remark", ["(chi risponde no salta alla d)", "(bei nein weiter mit d)", "(kto nie, przechodzi do d)"]
)
def test_letters_in_front_of_questions_are_targets(remark: str) -> None:
    text = f"T\na) Viene? si/no {remark}\nb) Con chi? io/tu\nc) Paura? si/no\nd) Sezione? A/B/C"
    assert conditional(text) == [3, 4]


@pytest.mark.parametrize(
    ("behind", "head"),
    [
        ("(dann weiter auf Seite 2)", "Seite 2"),
        ("→ go to page 2", "Page 2 of 2"),
        ("(passez à la partie 2)", "Partie 2"),
        ("↪ section 2", "Section 2"),
    ],
)
def test_a_number_behind_the_word_of_a_section_is_no_question(behind: str, head: str) -> None:
    """Before, *page 2* was question 2."""
    between = "2. Who?\na) A\nb) B\n3. When?\na) C\nb) D"
    text = f"T\n1. Do you lie?\na) Yes\nb) No {behind}\n{between}\n\n{head}\n4. Where?\na) E\nb) F"
    assert conditional(text) == [5, 8]


def test_the_number_of_an_answer_is_no_section() -> None:
    answers = "\n".join(f"   {label} ................. {code}" for code, label in enumerate("ABCD", start=1))
    first = "T\n1. Uno?\n   Sì ................. 1\n   No ................. 2 → andare a dom. 4"
    text = f"{first}\n2. Due?\n{answers}"
    assert conditional(f"{text}\n3. Tre?\n   Sì ... 1\n   No ... 2\n4. E?\n   Sì ... 1\n   No ... 2") == [
        5,
        10,
    ]


@pytest.mark.parametrize("letter", ["C.", "Q"])
def test_numbers_of_questions_may_have_letters_in_front(letter: str) -> None:
    numbers = [f"{letter}{number}" for number in (1, 2, 3, 4)]
    answers = f"- Yes\n- No (go to {numbers[3]})"
    rest = "\n\n".join(f"{number} How much?\n- a little\n- much" for number in numbers[1:])
    found = [
        bool(question.condition)
        for question in read_paste(f"T\n\n{numbers[0]} Do you bet?\n{answers}\n\n{rest}").questions
    ]
    assert found == [False, True, True, False]


def test_chinese_words_for_going_on_directly_skip() -> None:
    text = (
        "问卷\n1、您借过钱吗？\n○ 借过\n○ 没借过（直接做第4题）\n2、向谁？\n○ 家人\n○ 银行\n"
        "3、为何？\n○ 看病\n○ 还债\n4、您住哪？\n○ 城\n○ 乡"
    )
    assert [bool(question.condition) for question in read_paste(text).questions] == [False, True, True, False]


@pytest.mark.parametrize(
    "words",
    [
        "(if under 18, skip to Q3)",
        "(moins de 18 ans : allez directement à la question 3)",
        "Se hai meno di 18 anni passa alla domanda 3",
        "（18岁以下请跳到第三题）",
        "⇒ alle weiter mit Frage 3",
    ],
)
def test_a_whole_line_that_leads_to_a_question_is_no_answer(words: str) -> None:
    below = "Q2. Do you vote?\n- Yes\n- No\nQ3. Are you well?\n- Yes\n- No"
    text = f"T\n\nQ1. How old are you? ____\n{words}\n{below}"
    survey = read_paste(text)
    assert survey.questions[0].kind == "number"
    assert [note.target for note in survey.notes if note.asks == "keep"] == [5]


@pytest.mark.parametrize(
    "answer", ["No    Passer à la question 3.", "没有    请跳到第3题。", "No   ==> question 3"]
)
def test_an_instruction_with_a_stop_or_a_long_arrow_is_no_part_of_an_answer(answer: str) -> None:
    survey = read_paste(f"T\n1. X?\n- Si\n- {answer}\n2. Y?\n- a\n- b\n3. Z?\n- c\n- d")
    assert survey.questions[0].kind == "yes_no"
    assert survey.questions[1].condition


@pytest.mark.parametrize("jump", ["→ A4", "=> question 4", "→ 第4题"])
def test_a_jump_alone_below_answers_is_none_of_them(jump: str) -> None:
    text = f"T\nA1 X?\n- a\n- b\nA2 Y?\n- c\n- d\n{jump}\nA3 Z?\n- e\n- f\nA4 W?\n- g\n- h"
    survey = read_paste(text)
    assert labels_of(survey.questions[1]) == ("c", "d")
    assert any(note.asks == "keep" and note.line == 9 for note in survey.notes)


def test_thanks_end_the_survey_with_other_words() -> None:
    survey = read_paste("T\n1. X?\n- Sí\n- No [FIN DE LA ENCUESTA. Muchas gracias]\n2. Y?\n- a\n- b")
    assert survey.questions[0].kind == "yes_no"
