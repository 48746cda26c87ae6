"""A stated condition is used only if each of its words is understood; all others are left to a person."""

import pytest

from surveys.imports.conditions.condition_words import condition_text
from surveys.imports.conditions.stated_conditions import READ
from surveys.imports.corrections.condition_choices import ask_everyone
from surveys.imports.drafts.questionnaire import UNCERTAIN, text_of
from surveys.imports.pasted_text import read_paste

ASKED = {
    "en": ("Do you smoke?", "Yes", "No"),
    "de": ("Rauchen Sie?", "Ja", "Nein"),
    "fr": ("Fumez-vous ?", "Oui", "Non"),
    "es": ("¿Fuma usted?", "Sí", "No"),
    "it": ("Lei fuma?", "Sì", "No"),
    "ru": ("Курите ли вы?", "Да", "Нет"),
    "zh": ("您抽烟吗？", "是", "否"),
}
WHICH = {
    "en": "Which one?",
    "de": "Welche?",
    "fr": "Laquelle ?",
    "es": "¿Cuál?",
    "it": "Quale?",
    "ru": "Какие?",
    "zh": "哪一种？",
}
WORK = "T\n1. Do you work?\n- Yes → 3\n- No\n"
FOLLOWED = "\n- a\n- b\n- c\n"


def conditions(text: str) -> dict[int, tuple[str, list[str]]]:
    """Return the text of the deciding question and its options, by line of the question that it decides."""
    survey = read_paste(text)
    found = {}
    for question in survey.questions:
        if question.condition:
            decider = survey.by_key[question.condition["question"]]
            found[question.line] = next(iter(decider.texts.values())), question.condition["options"]
    return found


def to_settle(text: str) -> list[int]:
    return sorted(note.target for note in read_paste(text).notes if note.asks == "keep")


def asking(tag: str, second: str) -> str:
    first, yes, no = ASKED[tag]
    return f"T\n\n1. {first}\n- {yes}\n- {no}\n\n2. {second}{FOLLOWED}"


@pytest.mark.parametrize(
    ("tag", "second"),
    [
        ("en", "If yes, which one?"),
        ("en", "If so: which one?"),
        ("en", "(only if 1 = yes) Which one?"),
        ("en", "Which one? (only if you answered “Yes” to question 1)"),
        ("de", "Wenn ja, welche?"),
        ("de", "Wenn ja, welche haben Sie jemals geraucht?"),
        ("de", "(Falls Sie bei Frage 1 „Ja“ angekreuzt haben) Welche?"),
        ("fr", "Si oui, laquelle est aussi chère ?"),
        ("fr", "Si oui, laquelle ?"),
        ("fr", "(si vous avez répondu oui à la question 1) Laquelle ?"),
        ("es", "En caso afirmativo, ¿cuál?"),
        ("es", "Si ha contestado sí en la pregunta 1, ¿cuál?"),
        ("ru", "Если да, какие?"),
        ("ru", "(если в п. 1 «да») Какие?"),
        ("zh", "如果是，哪一种？"),
        ("zh", "（第1题选“是”者回答）哪一种？"),
    ],
)
def test_a_condition_in_the_question_names_yes_of_the_one_above(tag: str, second: str) -> None:
    assert conditions(asking(tag, second)) == {7: (ASKED[tag][0], ["yes"])}


@pytest.mark.parametrize(
    ("tag", "second"),
    [
        ("en", "If not, why?"),
        ("de", "Wenn nein, warum?"),
        ("fr", "Si non, pourquoi ?"),
        ("ru", "Если нет, почему?"),
    ],
)
def test_a_condition_may_name_no(tag: str, second: str) -> None:
    assert conditions(asking(tag, second)) == {7: (ASKED[tag][0], ["no"])}


@pytest.mark.parametrize(
    ("tag", "second"),
    [
        ("en", "If you smoke at home, which one?"),
        ("en", "If yes and you are over 18, which one?"),
        ("en", "(unless 1 = yes) Which one?"),
        ("en", "If yes to all of these, which one?"),
        ("de", "Wenn Sie gelegentlich rauchen, welche?"),
        ("zh", "如果抽过，哪一种？"),
        ("ru", "Если курили, какие?"),
    ],
)
def test_a_condition_with_another_word_is_left_to_a_person(tag: str, second: str) -> None:
    assert conditions(asking(tag, second)) == {}


def test_a_condition_that_is_not_understood_is_quoted() -> None:
    (note,) = [note for note in read_paste(asking("ru", "Если курили, какие?")).notes if note.asks == "keep"]
    assert "Если курили" in note.message


@pytest.mark.parametrize(
    "text",
    [
        asking("en", "If yes, which one?"),
        f"T\n1. Do you smoke?\n- Yes\n- No → 3\n2. Which one?{FOLLOWED}3. How are you?{FOLLOWED}",
        "T\n1. Do you smoke?\n- Yes\n- No\nIf Q1 = yes, answer 2 and 3\n"
        f"2. Which?{FOLLOWED}3. When?{FOLLOWED}",
    ],
)
def test_a_condition_that_names_an_answer_is_not_asked_about(text: str) -> None:
    survey = read_paste(text)
    assert any(question.condition for question in survey.questions)
    assert not [note for note in survey.notes if note.cause == READ or note.asks == "keep"]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("T\n1. Do you smoke?\n2. Do you drink?\n3. How old are you?\n4. If you smoke, how many?", 5),
        ("T\n1. Do you smoke?\n\nONLY FOR SMOKERS\n2. How many cigarettes?", 5),
        (
            f"T\n1. Where?\n- home\n- hostel → 2\n- unknown → 3\n2. Which one?{FOLLOWED}3. Why?{FOLLOWED}",
            6,
        ),
    ],
)
def test_a_condition_that_is_a_guess_is_shown_in_words_to_be_checked(text: str, line: int) -> None:
    survey = read_paste(text)
    (note,) = [note for note in survey.notes if note.cause == READ]
    assert (note.line, note.effect) == (line, UNCERTAIN)
    (question,) = [each for each in survey.questions if each.line == line]
    assert note.message == condition_text(survey, question)


@pytest.mark.parametrize(
    "text",
    [
        f"{WORK}2. Why not?{FOLLOWED}→ go to 4\n3. Where?{FOLLOWED}4. Age?{FOLLOWED}",
        f"{WORK}2. Ill?\n- Yes → 4\n- No → 4\n3. Where?{FOLLOWED}4. Age?{FOLLOWED}",
        f"T\n1. Arbeiten Sie?\n- ja → 3\n- nein\n2. Warum?{FOLLOWED}⇒ alle weiter mit Frage 4\n"
        f"3. Wo?{FOLLOWED}4. Alter?{FOLLOWED}",
    ],
)
def test_a_jump_of_all_people_leaves_the_next_questions_to_those_who_were_not_asked(text: str) -> None:
    survey = read_paste(text)
    assert [each.condition and each.condition["options"] for each in survey.questions] == [
        None,
        ["no"],
        ["yes"],
        None,
    ]


@pytest.mark.parametrize(
    ("tag", "words"),
    [
        ("fr", "Si oui, continuer ; sinon passer à Q4."),
        ("it", "(se sì continui, altrimenti vada alla domanda 4)"),
        ("en", "If yes, continue with question 2, otherwise go to question 4."),
        ("de", "Falls ja, weiter mit Frage 2; sonst weiter mit Frage 4."),
        ("es", "Si contesta sí, siga con la 2; si no, pase a la 4."),
        ("zh", "选“是”请继续回答，否则跳到第4题"),
        ("ru", "Если да, переходите к вопросу 2, иначе к вопросу 4."),
    ],
)
def test_an_instruction_for_two_groups_leaves_the_next_questions_to_the_first(tag: str, words: str) -> None:
    first, yes, no = ASKED[tag]
    below = "".join(f"Q{number}. {WHICH[tag]}{FOLLOWED}" for number in (2, 3, 4))
    survey = read_paste(f"T\n\nQ1. {first}\n- {yes}\n- {no}\n{words}\n\n{below}")
    assert [each.condition and each.condition["options"] for each in survey.questions] == [
        None,
        ["yes"],
        ["yes"],
        None,
    ]


@pytest.mark.parametrize(
    "behind",
    ["→ 3", "(go to 3)", "[skip to Q3]", "-> weiter mit 3", "(passez à la question 3)", "（跳至第3题）"],
)
def test_an_answer_that_leads_on_leaves_the_questions_between_to_the_others(behind: str) -> None:
    between = f"2. How often do you smoke?{FOLLOWED}3. How are you?{FOLLOWED}"
    text = f"T\n1. Do you smoke?\n- Every day\n- Rarely\n- Never {behind}\n{between}"
    assert conditions(text) == {6: ("Do you smoke?", ["every-day", "rarely"])}


def test_answers_that_lead_to_different_questions_are_distinguished() -> None:
    text = (
        "T\n1. Do you smoke?\n- Often → 2\n- Rarely → 3\n- Never → 4\n"
        f"2. How many a day?{FOLLOWED}3. Since when?{FOLLOWED}4. How are you?{FOLLOWED}"
    )
    assert conditions(text) == {
        6: ("Do you smoke?", ["option-1"]),
        10: ("Do you smoke?", ["option-1", "rarely"]),
    }


@pytest.mark.parametrize(
    "behind",
    ["(thank you, interview ends)", "→ 3 (interviewer: note the time)", "(skip question 3)"],
)
def test_an_instruction_with_more_words_is_not_used(behind: str) -> None:
    text = f"T\n1. Do you smoke?\n- Yes\n- No {behind}\n2. Which one?{FOLLOWED}3. How are you?{FOLLOWED}"
    assert conditions(text) == {}


@pytest.mark.parametrize(
    "behind", ["→ END", "(end of the survey)", "(fine del questionario)", "→ Fin du questionnaire, merci !"]
)
def test_an_answer_that_ends_the_survey_leaves_all_questions_below_to_the_others(behind: str) -> None:
    text = f"T\n1. Do you smoke?\n- Yes\n- No {behind}\n2. Which one?{FOLLOWED}3. How are you?{FOLLOWED}"
    assert conditions(text) == {5: ("Do you smoke?", ["yes"]), 9: ("Do you smoke?", ["yes"])}


@pytest.mark.parametrize(
    ("answers", "words"),
    [
        ("a) at home\nb) in a hostel\nc) elsewhere", "(If you chose b or c, go to question 3)"),
        ("A. zu Hause\nB. im Heim\nC. woanders", "Falls B oder C, weiter mit Frage 3"),
        ("A、在家  B、在校  C、其他", "（如选B或C请跳到第三题）"),
    ],
)
def test_an_answer_may_be_named_by_its_letter(answers: str, words: str) -> None:
    text = f"T\n1. Where?\n{answers}\n{words}\n2. With whom?{FOLLOWED}3. How are you?{FOLLOWED}"
    survey = read_paste(text)
    first = survey.questions[0].options[0].key
    assert [each.condition and each.condition["options"] for each in survey.questions] == [
        None,
        [first],
        None,
    ]


def test_a_line_above_several_questions_names_them() -> None:
    text = (
        f"T\n1. Do you smoke?\n- Yes\n- No\n\nIf you answered No, please go to question 4.\n\n"
        f"2. Which one?{FOLLOWED}3. Since when?{FOLLOWED}4. How are you?{FOLLOWED}"
    )
    assert conditions(text) == {8: ("Do you smoke?", ["yes"]), 12: ("Do you smoke?", ["yes"])}


def test_a_condition_of_two_questions_follows_the_same_answer() -> None:
    text = (
        f"T\n1. Do you smoke?\n- Yes\n- No\n2. If yes, which one?{FOLLOWED}3. If yes, since when?{FOLLOWED}"
    )
    assert conditions(text) == {5: ("Do you smoke?", ["yes"]), 9: ("Do you smoke?", ["yes"])}


def test_a_condition_that_may_mean_either_of_two_questions_is_left_to_a_person() -> None:
    text = (
        "T\n1. Do you smoke?\n- Yes\n- No\n2. If yes, do you smoke at home?\n- Yes\n- No\n"
        f"3. If yes, since when?{FOLLOWED}"
    )
    assert conditions(text) == {5: ("Do you smoke?", ["yes"])}
    assert to_settle(text) == [8]


def test_a_condition_below_several_rows_is_left_to_a_person() -> None:
    rows = "a) Do you smoke?   yes / no\nb) Do you drink?   yes / no\nc) Do you bet?   yes / no"
    text = f"T\n\n{rows}\n\nIf yes, which one?{FOLLOWED}"
    assert conditions(text) == {}


def test_yes_means_each_answer_that_begins_with_it() -> None:
    text = f"T\n1. Do you smoke?\n- Yes, daily\n- Yes, rarely\n- No\n2. If yes, which one?{FOLLOWED}"
    assert conditions(text) == {6: ("Do you smoke?", ["yes-daily", "yes-rarely"])}
    assert conditions(text.replace("- No\n", "- Perhaps\n- No\n")) == {}


@pytest.mark.parametrize(("sign", "options"), [("=", ["never"]), ("!=", ["rarely", "option-3"]), (">", None)])
def test_signs_between_a_question_and_an_answer(sign: str, options: list[str] | None) -> None:
    text = (
        "T\n\nQ1. Do you smoke?\n- Never\n- Rarely\n- Often\n\nDisplay this question:\n"
        f"If Q1 {sign} Never\n\nQ2. Which one?{FOLLOWED}"
    )
    found = conditions(text)
    assert found == ({} if options is None else {11: ("Do you smoke?", options)})


def test_two_conditions_of_one_question_must_both_hold() -> None:
    text = (
        f"T\n1. Do you smoke?\n- Yes\n- No → 4\n2. Do you smoke at home?\n- Yes\n- No → 4\n"
        f"3. In which room?{FOLLOWED}4. How are you?{FOLLOWED}"
    )
    survey = read_paste(text)
    assert survey.questions[2].condition == {
        "all": [
            {"question": "smoke", "options": ["yes"]},
            {"question": survey.questions[1].key, "options": ["yes"]},
        ]
    }


def test_a_skip_behind_the_code_of_an_answer_needs_no_brackets() -> None:
    text = (
        "Q1.  Do you smoke?\n     Yes ............... 1   GO TO Q2\n     No ................ 2   GO TO Q4\n\n"
        "Q2.  Since when?\n     Long .............. 1\n     Short ............. 2\n\n"
        "Q3.  At home?\n     Yes ............... 1\n     No ................ 2\n\n"
        "Q4.  How are you?\n     Well .............. 1\n     Badly ............. 2\n"
    )
    assert conditions(text) == {5: ("Do you smoke?", ["yes"]), 9: ("Do you smoke?", ["yes"])}


def test_a_skip_in_front_of_a_question_leaves_it_to_the_others() -> None:
    text = (
        "T\n1. Do you smoke?\n- Yes\n- No\n(If no, go on with question 3.) Which one?\n- a\n- b\n"
        f"If so: since when?{FOLLOWED}3. How are you?{FOLLOWED}"
    )
    assert conditions(text) == {5: ("Do you smoke?", ["yes"]), 8: ("Do you smoke?", ["yes"])}


def test_a_remark_next_to_a_skip_is_not_lost() -> None:
    text = (
        f"T\n1. Do you smoke?\n- Yes\n- No (go to 4)\n2. Which one?{FOLLOWED}"
        f"3. Since when? (only if you are over 18){FOLLOWED}4. How are you?{FOLLOWED}"
    )
    assert conditions(text) == {5: ("Do you smoke?", ["yes"])}
    assert to_settle(text) == [9]


def between(tag: str, below_first: str = "", above_second: str = "") -> str:
    """Return five questions, with words below the first or above the second one."""
    first, yes, no = ASKED[tag]
    others = "".join(
        f"{number}. {text} it?{FOLLOWED}" for number, text in enumerate(("Aaa", "Bbb", "Ccc"), start=2)
    )
    return f"T\n\n1. {first}\n1) {yes}\n2) {no}{below_first}\n\n{above_second}\n\n{others}"


def limited(text: str) -> list[str]:
    """Return the first words of the questions that are asked after a certain answer, with this answer."""
    survey = read_paste(text)
    return [
        f"{text_of(question).split()[0]} {question.condition['options'][0]}"
        for question in survey.questions
        if question.condition
    ]


@pytest.mark.parametrize(
    ("tag", "words"),
    [
        ("en", "If no, please turn to question 4."),
        ("en", "*If you answered No, turn to 4*"),
        ("en", "If you do not smoke, go to question 4."),
        ("de", "Falls Sie mit Nein geantwortet haben, springen Sie zu Frage 4."),
        ("de", "*Falls Sie nicht rauchen, gehen Sie bitte zu Frage 4.*"),
        ("fr", "Si vous ne fumez pas, allez à la question 4."),
        ("es", "Si ha respondido No, vaya a la pregunta 4."),
        ("ru", "(Если нет, перейдите к вопросу 4)"),
        ("zh", "如果您回答“否”，请转到第4题。"),
    ],
)
def test_a_jump_in_any_wording_limits_all_questions_up_to_its_target(tag: str, words: str) -> None:
    assert limited(between(tag, f"\n\n{words}")) == ["Aaa yes", "Bbb yes"]


@pytest.mark.parametrize(
    ("tag", "words"),
    [
        ("en", ", please turn to question 4"),
        ("en", " ........ 2 GO TO 4"),
        ("de", " - bitte weiter mit Frage 4"),
        ("es", "  pase a la pregunta 4"),
        ("ru", ", перейдите к вопросу 4"),
        ("zh", "（请跳答第4题）"),
    ],
)
def test_words_after_an_answer_lead_on_whatever_separates_them_from_it(tag: str, words: str) -> None:
    assert limited(between(tag, words)) == ["Aaa yes", "Bbb yes"]


@pytest.mark.parametrize(
    ("tag", "words", "are_read"),
    [
        ("en", "Questions 2 and 3: only if you smoke", True),
        ("de", "Bitte beantworten Sie die Fragen 2-3 nur, wenn Sie Frage 1 mit Ja beantwortet haben.", True),
        ("fr", "Questions 2 à 3 : uniquement si vous fumez", True),
        ("es", "Las dos preguntas siguientes son solo para fumadores.", True),
        ("ru", "Следующие два вопроса только для курящих.", False),
        ("zh", "以下两题仅吸烟者回答。", False),
    ],
)
def test_a_line_above_several_questions_limits_each(tag: str, words: str, are_read: bool) -> None:
    text = between(tag, "", words)
    assert limited(text) == (["Aaa yes", "Bbb yes"] if are_read else [])
    assert len(to_settle(text)) == (0 if are_read else 2)


@pytest.mark.parametrize(
    "words", ["If you smoked in the last 3 months:", "Only if you smoke more than 4 a day:"]
)
def test_an_amount_is_not_the_number_of_a_question(words: str) -> None:
    assert len(to_settle(between("en", "", words))) == 1


@pytest.mark.parametrize(
    ("tag", "second"),
    [
        ("en", "If you smoke, which one?"),
        ("de", "Welche? (falls Sie rauchen)"),
        ("fr", "Si vous fumez, laquelle ?"),
        ("es", "Si fuma, ¿cuál?"),
        ("ru", "Если курите, какие?"),
        ("zh", "如果您抽烟，哪一种？"),
    ],
)
def test_words_that_repeat_a_question_mean_yes(tag: str, second: str) -> None:
    assert conditions(asking(tag, second)) == {7: (ASKED[tag][0], ["yes"])}


def test_words_that_repeat_a_question_with_a_choice_are_left_to_the_researcher() -> None:
    text = f"T\n1. Do you smoke or drink?\n- Yes\n- No\n2. If you smoke, which one?{FOLLOWED}"
    assert conditions(text) == {}


@pytest.mark.parametrize(
    "words", ["If Q1 = 2:", "ASK IF CODE 2 AT Q1", "Filter: Q1=2", "Show the field ONLY if:\n[q1] = '2'"]
)
def test_a_code_means_the_answer_next_to_it(words: str) -> None:
    text = (
        f"T\n\nQ1. Do you smoke?\n1. Yes\n2. No\n\n{words}\nQ2. Which one?{FOLLOWED}Q3. Since when?{FOLLOWED}"
    )
    assert limited(text) == ["Which no"]
    unprinted = text.replace("1. Yes\n2. No", "- Yes\n- No")
    assert limited(unprinted) == []
    assert len(to_settle(unprinted)) == 1


def test_a_code_in_a_remark_is_not_a_question_to_continue_with() -> None:
    first = "Q1. Do you smoke?\n1. Yes\n2. No\n\n"
    others = f"Q2. Which one? (if Q1 = 1){FOLLOWED}\nQ3. Since when?{FOLLOWED}\nQ4. Who?\n1. A\n2. B\n"
    assert limited(f"T\n\n{first}{others}") == ["Which yes"]


def test_a_line_for_everyone_ends_a_heading_for_some() -> None:
    text = (
        "T\n\n1. Do you smoke?\n- Yes\n- No\n\nOnly for smokers\n\n2. Which one?\n- A\n- B\n\n"
        "ASK ALL\n\n3. Who are you?\n- A\n- B\n"
    )
    assert conditions(text) == {9: ("Do you smoke?", ["yes"])}
    (note,) = [note for note in read_paste(text).notes if note.cause == READ]
    assert note.line == 9


@pytest.mark.parametrize(
    ("first", "answers", "heading", "chosen"),
    [
        ("Sexo:", "( ) mujer ( ) hombre", "SOLO PARA MUJERES", 0),
        ("您的身份是：", "○学生 ○家长 ○教师", "第二部分 仅限家长填写", 1),
        ("Rauchen Sie?", "o ja o nein", "B. Nur für Raucher", 0),
        ("Rauchen Sie?", "o ja o nein", "B. Nur für Radfahrer", None),
    ],
)
def test_a_heading_may_name_people_by_an_answer(
    first: str, answers: str, heading: str, chosen: int | None
) -> None:
    survey = read_paste(f"T\n\n1. {first}\n{answers}\n\n{heading}\n2. Why?\n- a\n- b\n- c\n")
    decider, question = survey.questions
    keys = [option.key for option in decider.options] or ["yes", "no"]
    if chosen is None:
        assert question.condition is None
        assert to_settle("\n".join([f"T\n\n1. {first}", answers, "", heading, "2. Why?\n- a\n- b\n- c\n"]))
    else:
        assert question.condition == {"question": decider.key, "options": [keys[chosen]]}


@pytest.mark.parametrize(
    ("words", "head"),
    [
        ("(weiter mit III.)", "III. Food"),
        ("(skip to part 3)", "Part 3: Food"),
        ("→ Section 3", "Section 3 of 3"),
        ("(переходите к разделу 2)", "РАЗДЕЛ 2"),
    ],
)
def test_an_instruction_may_lead_to_a_section(words: str, head: str) -> None:
    between = f"Which one?{FOLLOWED}\nSince when?{FOLLOWED}"
    text = f"T\n\nDo you smoke?\n- Yes\n- No {words}\n\n{between}\n{head}\n\nHow are you?{FOLLOWED}"
    assert limited(text) == ["Which yes", "Since yes"]


def test_numbers_in_a_column_lead_on_unless_they_count_the_answers() -> None:
    lines = "1 Do you rent?\n[1] I own .......... {}\n[2] I rent .......... {}\n[3] Neither .......... {}\n"
    others = f"2 How much?{FOLLOWED}3 Since when?{FOLLOWED}4 How are you?{FOLLOWED}"
    assert limited(f"T\n{lines.format(4, 2, 4)}{others}") == ["How rent", "Since rent"]
    assert limited(f"T\n{lines.format(1, 2, 3)}{others}") == []


def test_a_condition_before_an_arrow_is_not_part_of_the_question() -> None:
    survey = read_paste(
        f"T\n\na) Do you smoke? (yes/no)\n   If yes -> Which one? never / often\nb) Since when?{FOLLOWED}"
    )
    assert [*map(text_of, survey.questions)] == ["Do you smoke?", "Which one?", "Since when?"]
    assert survey.questions[1].condition == {"question": "smoke", "options": ["yes"]}


def test_a_condition_between_a_question_and_its_answers_limits_that_question() -> None:
    stated = "Only answer if:\nAnswer was 'Yes' at 'Q1'\n"
    second = f"Q2. Which one?\n{stated}1. A\n2. B\n\nQ3. Since when?\n1. C\n2. D\n"
    assert limited(f"T\n\nQ1. Do you smoke?\n1. Yes\n2. No\n\n{second}") == ["Which yes"]


@pytest.mark.parametrize(
    ("second", "cut"),
    [
        ("If yes, which one?", "Which one?"),
        ("Wenn ja, Alkohol oder Tabak?", "Alkohol oder Tabak?"),
        ("if yes, which one?", "which one?"),
    ],
)
def test_a_question_whose_condition_is_cut_begins_with_a_capital_until_it_is_written_back(
    second: str, cut: str
) -> None:
    """The note said "its text begins with a small letter", and respondents read it so."""
    survey = read_paste(asking("de" if "Wenn" in second else "en", second))
    question = survey.questions[1]
    assert [*question.texts.values()] == [cut]
    ask_everyone(survey, question)
    assert [*question.texts.values()] == [second]


@pytest.mark.parametrize(
    "text",
    [
        "T\n\nDo you drink?   YES [ ]   NO [ ]\n\nDo you smoke?   YES [ ]   NO [ ]\n"
        "     If YES, how many a day? ____",
        "T\n               YES   NO\n1. Do you drink?   ( )   ( )\n2. Do you smoke?   ( )   ( )\n"
        "     If yes, how many a day? ____",
    ],
)
def test_a_follow_up_joined_to_the_last_row_by_the_layout_concerns_that_row(text: str) -> None:
    last = read_paste(text, ("en",)).questions[-1]
    assert (last.texts["en"], last.condition) == (
        "How many a day?",
        {"question": "smoke", "options": ["yes"]},
    )


def test_a_question_that_states_its_scale_is_no_legend_of_the_answers_above() -> None:
    """These became items, the first question none, and reading stopped at the condition that names it."""
    text = (
        "Q1. Вы собираетесь голосовать на выборах губернатора?\n    ЗАЧИТАТЬ. ОДИН ОТВЕТ\n    04  Точно нет\n"
        "    98  ЗАТРУДНЯЮСЬ (НЕ ЗАЧИТЫВАТЬ)\n\nQ2. ЕСЛИ Q1 = 03, 04:  Почему Вы не хотите голосовать?\n"
        "    02  Нет\nQ4. Оцените работу губернатора по шкале от 1 до 5, где 1 – плохо, 5 – отлично."
    )
    survey = read_paste(text, ("ru",))
    assert [(each.line, each.kind) for each in survey.questions] == [(1, "single"), (6, ""), (8, "single")]
    assert [note.asks for note in survey.notes if note.line == 6] == ["keep", "answers"]


@pytest.mark.parametrize(
    "words",
    [
        "ENQ. : SI Q1=3, POSER Q2 ET Q3. SI Q1=1 OU 2, ALLER EN Q4.",
        "INTERVIEWER: if Q1=3, ask Q2 and Q3. If Q1=1 or 2, go to Q4.",
        "(falls Q1 = 3, weiter mit Q2 und Q3; falls Q1 = 1 oder 2, weiter mit Q4)",
    ],
)
def test_several_sentences_limit_different_questions(words: str) -> None:
    below = "Q2. When?\n1. a\n2. b\nQ3. Why?\n1. c\n2. d\nQ4. Well?\n1. e\n2. f\n"
    survey = read_paste(f"T\n\nQ1. Which?\n1. work\n2. school\n3. none\n{words}\n{below}")
    last = survey.questions[0].options[2].key
    assert [each.condition and each.condition["options"] for each in survey.questions[1:3]] == [[last]] * 2


@pytest.mark.parametrize(
    "words",
    [
        "Wer mit „nein“ geantwortet hat, macht bitte bei Frage 3 weiter.",
        "Those who ticked “no” go to question 3.",
        "(Wenn nein: weiter mit Frage 3.)",
    ],
)
def test_a_line_may_quote_the_answer_after_which_people_skip(words: str) -> None:
    survey = read_paste(
        f"T\n1. Live?\n- yes\n- no\n\n{words}\n\n2. Cook?\n- a\n- b\n- c\n3. Sad?\n- d\n- e\n- f"
    )
    assert [each.condition and each.condition["options"] for each in survey.questions] == [
        None,
        ["yes"],
        None,
    ]


@pytest.mark.parametrize(
    "words",
    [
        "(If no: end of the survey. Thank you!)",
        "(Wenn nein: Ende der Befragung.)",
        "Si non, fin du questionnaire.",
    ],
)
def test_a_line_may_say_for_whom_the_survey_ends(words: str) -> None:
    text = f"T\n1. Insured?\n- yes\n- no\n{words}\n2. Ill?\n- a\n- b\n- c\n3. Sad?\n- d\n- e\n- f"
    assert [question.line for question in read_paste(text).questions if question.condition] == [6, 10]


@pytest.mark.parametrize(
    "second", ["À ne remplir que si vous fumez : laquelle ?", "(ne répondre que si oui) Laquelle ?"]
)
def test_ne_in_front_of_que_is_no_negation(second: str) -> None:
    survey = read_paste(asking("fr", second))
    assert survey.questions[1].condition is None or survey.questions[1].condition["options"] == ["yes"]
    assert survey.questions[1].condition or [note for note in survey.notes if note.asks == "keep"]


@pytest.mark.parametrize(
    ("tag", "words"),
    [
        ("it", "In caso di no, saltare"),
        ("es", "Si contestó no, omitir"),
        ("fr", "Si non, passer"),
        ("fr", "Si non, sauter"),
    ],
)
def test_people_skip_a_question_below_a_verb_without_an_object(tag: str, words: str) -> None:
    """Before, only these people were asked it."""
    asked, yes, no = ASKED[tag]
    found = conditions(f"T\n1. {asked}\n( ) {yes}\n( ) {no}\n\n{words}:\n2. {WHICH[tag]}{FOLLOWED}")
    assert found[7] == (asked, ["yes"])
