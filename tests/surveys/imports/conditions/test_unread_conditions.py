"""A condition or a jump that was not read is asked about at the questions that it may concern."""

import pytest

from surveys.imports.doubts.misreadings import MISREAD
from surveys.imports.pasted_text import read_paste


def limited(text: str) -> list[int]:
    notes = read_paste(text).notes
    return [note.line for note in notes if note.cause == MISREAD and "may say that only some" in note.message]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("T\n1. Do you lie?\n- Yes\n- No\n2. Why? (if ever)\n3. How old are you?", [5]),
        # A line above the first question, which the survey's introduction would hide.
        (
            "T\n\nIf not, skip question 2.\n\n1. Do you lie?\n- Yes\n- No\n2. To whom?\n- Friends\n- Others",
            [8],
        ),
        (
            "T\nF1. Do you lie?\n  Yes -> F2\n  No -> part B\nF2. To whom?\nF3. How often?\n- Never\n- Often",
            [6],
        ),
    ],
)
def test_what_was_not_read_is_asked_about(text: str, lines: list[int]) -> None:
    assert limited(text) == lines


@pytest.mark.parametrize(
    "text",
    [
        "T\n1. Do you lie?\n2. What do you do if you are asked?\n- Lie\n- Run\n3. How old are you?",
        "T\n1. Do you lie?\n- Yes -> go to 2\n- No -> go to 2\n2. Do you steal?\n- Yes\n- No",
        "T\n1. Do you lie?\n- Yes\n- No\n2. If yes, to whom?\n3. How old are you?",
        "T\nPart 2\n\n1. Do you lie?\n2. How often in the last 30 days?\nPart 3\n3. Do you steal?",
    ],
)
def test_plain_questions_and_known_conditions_are_not_asked_about(text: str) -> None:
    assert limited(text) == []


@pytest.mark.parametrize("words", ["(end of this section)", "(thank you, interview ends)"])
def test_below_an_answer_that_ends_in_other_words_all_others_are_asked_about(words: str) -> None:
    text = f"T\n1. Do you lie?\n- Yes\n- No {words}\n2. To whom?\n- A\n- B\n3. How often?\n- C\n- D\n"
    survey = read_paste(text)
    assert {
        note.target or note.line
        for note in survey.notes
        if "line 4 may" in note.message or note.asks == "keep"
    } == {5, 8}


def test_an_answer_after_which_the_survey_goes_on_is_no_condition() -> None:
    text = "T\n1. Debts?\n( ) Yes (continue)\n( ) No (skip to 3)\n2. When?\n( ) May\n( ) June\n3. Ill?"
    assert not [note for note in read_paste(f"{text}\n( ) Yes\n( ) No").notes if note.line == 8]


ASKED = "2. Since when?\n- May\n- June\n3. With whom?\n- A\n- B\n4. How old?\n- C\n- D"


def accounted(text: str) -> list[int]:
    """Return the lines of the questions that the report asks about, because only some may be asked them."""
    kept = [note.target for note in read_paste(text).notes if note.asks == "keep"]
    decided = [question.line for question in read_paste(text).questions if question.condition]
    return sorted({*kept, *decided, *limited(text)})


@pytest.mark.parametrize(
    ("answer", "lines"),
    [
        ("No (if no skip to the last one)", [5, 8]),
        ("Nein -> letzte Frage", [5, 8]),
        ("non (passez directement à la dernière)", [5, 8]),
        ("no (chi risponde no va all'ultima)", [5, 8]),
        ("没有(请跳到最后一题)", [5, 8]),
        ("No (jump to the comments)", [5, 8, 11]),
        ("nein -> zum Schluss", [5, 8, 11]),
        ("nie (kto nie, przechodzi do ostatniego)", [5, 8]),
        ("nee (ga naar vraag 3)", [5]),
        ("no (prosegua con la 3)", [5]),
    ],
)
def test_all_questions_up_to_the_target_of_a_jump_are_asked_about(answer: str, lines: list[int]) -> None:
    """Before, only the next question was, unless the target had a number."""
    assert accounted(f"T\n1. Smoke?\n- yes\n- {answer}\n{ASKED}") == lines


@pytest.mark.parametrize(
    "heading",
    [
        "## Part 2 - only for smokers",
        "## Teil B (nur Raucher)",
        "## B. FUMEURS UNIQUEMENT",
        "## Sección B (contestar solo si fuma)",
        "## Parte 2 - solo per fumatori",
        "## Część B - tylko dla palących",
        "## Раздел Б (только для курящих)",
        "## Bölüm B (yalnızca sigara içenler)",
        "## 二、吸烟（仅吸烟者填写）",
        "## Smokers",
    ],
)
def test_all_questions_of_a_part_for_some_people_are_asked_about(heading: str) -> None:
    text = f"T\n1. Smoke?\n- yes\n- no\n\n{heading}\n{ASKED}".replace("4. How", "\n## Everyone\n4. How")
    assert accounted(text) == [7, 10]


def test_a_part_for_everyone_between_others_for_everyone_is_asked_about_nowhere() -> None:
    text = f"T\n\n## Everyone\n1. Smoke?\n- yes\n- no\n\n## Part 2 (everyone)\n{ASKED}"
    assert accounted(text) == []


@pytest.mark.parametrize(
    "remark",
    [
        "(people with a dog) When?",
        "(A chi NON ha votato) Perché?",
        "(nur Wahlberechtigte) Wann?",
        "(在职人员)何时？",
        "When? (only dog owners)",
        "Quand ? (réservé aux locataires)",
        "When (unless you have none)?",
        "Smokers: when?",
    ],
)
def test_a_remark_in_a_question_that_may_name_people_is_asked_about(remark: str) -> None:
    """Before, it became an explanation or stayed in the question, and everyone was asked."""
    text = f"T\n1. Are you a smoker?\n- yes\n- no\n2. {remark}\n- a\n- b\n3. How old?\n- c\n- d"
    assert accounted(text) == [5]


@pytest.mark.parametrize(
    "question",
    [
        "When (only the big ones)?",
        "When? (only one answer)",
        "(Tick all) When?",
        "[M] When?",
        "Family: when?",
        "Do you skip meals (never, or only at times)?",
    ],
)
def test_a_remark_that_is_part_of_a_question_is_not_asked_about(question: str) -> None:
    assert accounted(f"T\n1. Lie?\n- yes\n- no\n2. {question}\n- a\n- b\n3. How old?\n- c\n- d") == []


@pytest.mark.parametrize(
    "remark", ["(só pra quem disse sim na 1)", "(only those who said yes in 1)", "(nur wer bei 1 ja hat)"]
)
def test_a_remark_behind_the_last_answer_is_asked_about_at_its_question(remark: str) -> None:
    text = f"T\n1. Fuma? yes/no\n2. Quando? a / b / c {remark}\n3. Bebe? yes/no"
    assert 3 in accounted(text)


@pytest.mark.parametrize(
    "behind",
    [
        "If not, go to question 4.",
        "Wenn nicht, dann bitte mit Frage 4 weitermachen.",
        "Si no fuma, continúe en la pregunta 4.",
        "Sinon, rendez-vous à la question 4.",
        "(if not, continue with 4)",
    ],
)
def test_a_jump_in_the_sentence_of_a_question_concerns_all_up_to_its_target(behind: str) -> None:
    found = accounted(f"T\n1. Smoke? {behind}\n- yes\n- no\n{ASKED}")
    assert found == [5, 8]


def test_a_line_above_a_question_says_nothing_about_the_one_before() -> None:
    text = f"T\n1. Smoke?\n- yes\n- no\nMensen: alleen rokers\n{ASKED}"
    assert 2 not in accounted(text)
    assert 6 in accounted(text)


@pytest.mark.parametrize(
    ("answer", "lines"),
    [
        ("no (skip questions 2 and 3)", [5, 8]),
        ("nein --> bitte Fragen 2 und 3 auslassen", [5, 8]),
        ("нет (если нет, пропустите вопросы 2 и 3)", [5, 8]),
        ("nie (proszę pominąć pytania 2 i 3)", [5, 8]),
        ("no (salti le domande 2 e 3)", [5, 8]),
        ("no (skip question 3)", [8]),
    ],
)
def test_questions_that_an_answer_skips_by_their_numbers_are_asked_about(
    answer: str, lines: list[int]
) -> None:
    """Before, the last of them was asked of everyone, as if the instruction led to it."""
    assert accounted(f"T\n1. Smoke?\n- yes\n- {answer}\n{ASKED}") == lines


@pytest.mark.parametrize(
    "behind",
    [
        "If you don't, you're done - thanks!",
        "Wenn nicht, sind Sie fertig.",
        "Si vous ne fumez pas, c'est fini.",
        "(If not, stop here)",
    ],
)
def test_a_sentence_behind_a_question_may_end_the_survey(behind: str) -> None:
    assert {5, 8, 11} <= {*accounted(f"T\n1. Do you smoke? {behind}\n- yes\n- no\n{ASKED}")}


def test_a_follow_up_to_which_one_of_two_answers_leads_is_asked_about() -> None:
    text = "T\n1. Smoke?\n- yes (please answer 1b)\n- no\n1b. Since when?\n- May\n- June\n2. Old?\n- a\n- b"
    assert accounted(text) == [5]


@pytest.mark.parametrize(
    ("first", "second", "lines"),
    [
        ("Do you smoke?", "How many, if you smoke?", [5]),
        ("Rauchen Sie?", "Wie viele, falls Sie rauchen?", [5]),
        ("¿Fuma?", "¿Cuántos, si fuma?", [5]),
        ("Вы курите?", "Сколько, если вы курите?", [5]),
        ("Do you smoke?", "Would you move, if you could?", []),
        ("Rauchen Sie?", "Kaufen Sie ein, wenn Sie traurig sind?", []),
    ],
)
def test_a_clause_that_repeats_the_question_above_is_asked_about(
    first: str, second: str, lines: list[int]
) -> None:
    text = f"T\n1. {first}\n- A\n- B\n2. {second}\n- C\n- D\n3. How old?\n- E\n- F"
    assert accounted(text) == lines


@pytest.mark.parametrize(
    ("answer", "lines"),
    [
        ("no (guests: please hand in the form)", [5, 8, 11]),
        ("non (fin du questionnaire, merci)", [5, 8, 11]),
        ("nein - Danke, das war es!", [5, 8, 11]),
        ("no (please specify)", []),
        ("no (never)", []),
    ],
)
def test_words_behind_no_may_end_the_survey(answer: str, lines: list[int]) -> None:
    """Before, only the question itself was noted, not those that perhaps only the others are asked."""
    assert accounted(f"T\n1. Smoke?\n- yes\n- {answer}\n{ASKED}") == lines


@pytest.mark.parametrize(
    "line",
    [
        "以上任何一项选“是”的，请继续回答：",
        'Quien haya marcado "sí" en alguna, que siga:',
        "Almeno un sì? Continui:",
        "Mindestens einmal „ja“ – bitte weiter:",
    ],
)
def test_a_line_that_quotes_yes_is_asked_about(line: str) -> None:
    """Before, it was a heading or a score, and the question below it had no note."""
    assert accounted(f"T\n1) Abc    sì / no\n2) Bcd    sì / no\n\n{line}\n3) A chi?\n- x\n- y") == [6]


@pytest.mark.parametrize("remark", ["(chi non torna)", "(Per chi ha risposto no)", "（选B的）"])
def test_a_remark_in_brackets_above_a_question_may_limit_it(remark: str) -> None:
    """Before, it was left out, and the question below it had no note."""
    text = f"T\n\nTorna?\na) sì\nb) no\n\n{remark}\nPerché? ________\n\nAltro?\na) sì\nb) no"
    assert 8 in accounted(text)
    assert 10 not in accounted(text)


def asked_about(text: str) -> set[int]:
    """Return the lines of the questions that have a condition, or a note that asks for one."""
    survey = read_paste(text)
    notes = {
        note.target or note.line
        for note in survey.notes
        if note.asks == "keep" or (note.cause == MISREAD and "only some" in note.message)
    }
    return notes | {question.line for question in survey.questions if question.condition}


_SMOKING = "T\n\n1) Do you smoke?\na) Yes\nb) No\n\n2) {}\na) At home\nb) At work\n\n3) How many a day?\n____"


@pytest.mark.parametrize(
    ("lead", "lines"),
    [
        ("(Non-smokers: go to question 3) ", {7}),
        ("[Nichtraucher weiter mit Frage 3] ", {7}),
        ("(Non-fumeurs : passez à la question 3) ", {7}),
        ("(Si no fuma, pase a la pregunta 3) ", {7}),
        ("（不吸烟者跳至第3题）", {7}),
        ("(An alle, die rauchen) ", {7}),
        ("(The following two questions are only for people who smoke) ", {7, 11}),
    ],
)
def test_no_remark_in_front_of_a_question_is_lost(lead: str, lines: set[int]) -> None:
    text = _SMOKING.format(f"{lead}Where do you smoke?")
    assert lines <= asked_about(text)
    assert "Where do you smoke?" in read_paste(text).questions[1].whole_texts["en"]


@pytest.mark.parametrize(
    "words",
    [
        "Not if you said no",
        "Nicht, wenn Sie Nein gesagt haben",
        "Si non, ne pas répondre",
        "No si contestó no",
    ],
)
def test_two_negations_are_not_read_as_one(words: str) -> None:
    for text in (f"({words}) Where do you smoke?", f"{words}: where do you smoke?"):
        assert read_paste(_SMOKING.format(text)).questions[1].condition is None
        assert 7 in asked_about(_SMOKING.format(text))


def test_an_arrow_in_front_of_a_condition_leads_past_no_question() -> None:
    survey = read_paste(_SMOKING.format("Where do you smoke?\n→ Only if yes to question 1"))
    assert [question.condition for question in survey.questions[1:]] == [
        {"question": "smoke", "options": ["yes"]},
        None,
    ]


@pytest.mark.parametrize(
    ("asked", "remark"),
    [
        ("Do you smoke?", "Where do you smoke? (not applicable to non-smokers)"),
        ("Do you smoke?", "As a smoker, where do you smoke?"),
        ("Rauchen Sie?", "Raucher – wo rauchen Sie?"),
    ],
)
def test_a_remark_around_a_question_may_repeat_the_question_above(asked: str, remark: str) -> None:
    assert 7 in asked_about(_SMOKING.format(remark).replace("Do you smoke?", asked))


def test_a_period_in_front_of_several_questions_is_no_condition() -> None:
    text = _SMOKING.format("In the last year, did you smoke?")
    assert not asked_about(text.replace("Do you smoke?", "In the last year, did you drink?"))


@pytest.mark.parametrize("remark", ["针对吸烟的人", "不适用于不吸烟者", "回答“是”的人"])
def test_a_chinese_remark_may_repeat_the_question_above(remark: str) -> None:
    text = f"问卷\n\n1) 您吸烟吗？\na) 是\nb) 否\n\n2) 您在哪里吸烟？（{remark}）\na) 在家\nb) 在单位\n"
    assert 7 in asked_about(f"{text}\n3) 您今年多大？\n____")


@pytest.mark.parametrize(
    "remark",
    [
        "(questions 2–3: smokers only)",
        "(Fragen 2 bis 3 nur für Raucher)",
        "(questions 2 à 3 : fumeurs uniquement)",
        "(domande da 2 a 3 solo per fumatori)",
        "(preguntas 2 y 3: solo fumadores)",
        "Questions 2-3 smokers only",
        "（第2至3题仅吸烟者回答）",
    ],
)
def test_all_questions_that_a_remark_names_are_asked_about(remark: str) -> None:
    """Before, only the question with the remark."""
    assert {7, 11} <= {*asked_about(_SMOKING.format(f"Where do you smoke? {remark}"))}


def test_the_number_of_a_decider_is_not_one_of_a_limited_question() -> None:
    assert 3 not in asked_about(_SMOKING.format("Where do you smoke? (only if question 1 is yes)"))


_GROUPS = "T\n\n1. {}\n- {}\n- {}\n\n{}\n2. {}\n3. {}\n\n{}\n4. {}"


@pytest.mark.parametrize(
    "words",
    [
        (
            "¿Fuma usted?",
            "Sí",
            "No",
            "PARTE B: TODOS LOS FUMADORES",
            "¿Cuántos?",
            "¿Bebe?",
            "TODOS",
            "¿Come?",
        ),
        ("Rauchen Sie?", "Ja", "Nein", "Alle Raucher:", "Wie viele?", "Trinken Sie?", "Alle:", "Essen Sie?"),
        ("Fumez-vous ?", "Oui", "Non", "Tous les fumeurs", "Combien ?", "Buvez-vous ?", "Tous", "Et vous ?"),
        ("Lei fuma?", "Sì", "No", "A tutti i fumatori", "Quante?", "Beve?", "A tutti", "Mangia?"),
        (
            "Do you smoke?",
            "Yes",
            "No",
            "All smokers:",
            "How many?",
            "Do you drink?",
            "Everyone:",
            "Do you eat?",
        ),
        ("您吸烟吗？", "是", "否", "第二部分 所有吸烟者", "几支？", "您喝酒吗？", "所有人", "您多大？"),
    ],
)
def test_all_of_a_group_are_not_everyone(words: tuple[str, ...]) -> None:
    """Before, the questions below such a line were asked of all people, without a note."""
    asked = asked_about(_GROUPS.format(*words))
    assert {8, 9} <= {*asked}
    assert 12 not in asked


def test_the_name_of_a_part_for_all_names_no_group() -> None:
    text = "T\n\n1. Nehmen Sie teil?\n- Ja\n- Nein\n\nTeil B Für alle\n2. Wie viele?\n3. Trinken Sie?"
    assert not asked_about(text)


@pytest.mark.parametrize(
    "note", ["* 第2至3题：仅吸烟者回答", "* 第2、3题：仅吸烟者回答", "* 第2题至第3题：仅吸烟者回答"]
)
def test_a_chinese_note_at_the_end_may_name_several_questions(note: str) -> None:
    """Before, a range of numbers made it the last answer."""
    text = f"调查\n1. 您吸烟吗？\n- 是\n- 否\n2. 几支？____\n3. 您戒烟吗？\n- 是\n- 否\n\n{note}"
    survey = read_paste(text)
    limited = {each.target for each in survey.notes if each.asks == "keep"}
    assert limited == {5, 6}
    assert survey.questions[2].kind == "yes_no"
