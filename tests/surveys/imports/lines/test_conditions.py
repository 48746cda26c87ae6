"""Instructions to skip and conditions are found by the numbers of questions, in any language."""

import pytest

from surveys.imports.drafts.questionnaire import labels_of
from surveys.imports.pasted_text import read_paste
from surveys.imports.words.limits import is_limit


def conditional(text: str) -> list[int]:
    """Return the lines of the questions that only some people are asked."""
    reading = read_paste(text)
    asked_about = {note.target for note in reading.notes if note.asks == "keep" and note.target}
    return sorted(asked_about | {question.line for question in reading.questions if question.condition})


@pytest.mark.parametrize("stated", ["If Q1 = Yes", "Nur wenn bei Q1 „Yes“ gewählt", "（若Q1选“Yes”）"])
def test_a_line_that_names_a_question_and_its_answer_is_a_condition(stated: str) -> None:
    followed = "Q2. How much?\na) Little\nb) Much\n\nQ3. Where?\na) Here\nb) There"
    text = f"Q1. Do you smoke?\na) Yes\nb) No\n\n({stated.strip('（）')})\n\n{followed}"
    assert conditional(text) == [7]


def test_a_condition_may_name_the_questions_that_follow() -> None:
    followed = "2. Who?\na) A\nb) B\n3. When?\na) A\nb) B\n4. Where?\na) A\nb) B"
    text = f"1. Do you?\na) Yes\nb) No\n\n*** 2 y 3 solo si contestó “Yes” en la 1 ***\n\n{followed}"
    assert conditional(text) == [7, 10]


def test_a_condition_in_front_of_a_question_is_cut() -> None:
    reading = read_paste("1. Rauchen Sie?\n- ja\n- nein\n2. Falls ja: Wie viel?\n- wenig\n- viel")
    assert reading.questions[1].texts["de"] == "Wie viel?"
    assert conditional("1. Do you?\n- Yes\n- No\n2. If you have fallen, where?\n- Here\n- There") == [4]


@pytest.mark.parametrize(
    ("yes", "remark"),
    [
        ("yes", "(Questions 2 and 3 only if you answered yes to question 1.)"),
        ("sí", "(Las preguntas 2 y 3 solo para quien haya contestado sí en la 1.)"),
    ],
)
def test_a_remark_below_names_questions_that_only_some_are_asked(yes: str, remark: str) -> None:
    text = f"T\n1. A?\n- {yes}\n- no\n2. B?\n- a\n- b\n3. C?\n- a\n- b\n4. D?\n- a\n- b\n\n{remark}"
    assert conditional(text) == [5, 8]


@pytest.mark.parametrize(
    ("yes", "remark"), [("是", "（上题选“是”者回答）"), ("ja", "(wer »ja« angekreuzt hat)")]
)
def test_a_remark_that_quotes_an_answer_above_is_a_condition(yes: str, remark: str) -> None:
    text = f"T\n1. A?\n- {yes}\n- x\n2. {remark} B?\n- a\n- b\n3. C?\n- a\n- b"
    assert conditional(text) == [5]


@pytest.mark.parametrize("said", ["only if 1 = often", "nur wenn 1 = often", "если в п. 1 «often»"])
def test_a_cell_of_a_sheet_may_be_a_condition(said: str) -> None:
    rows = [
        "No;Question;Answers;Filter",
        "1;How often do you dig?;never / often;",
        f"2;Where do you dig?;here / there;{said}",
    ]
    text = "\n".join([*rows, "3;Who eats the beans?;I / you;", "4;Who grows the figs?;I / you;"])
    assert conditional(text) == [3]


@pytest.mark.parametrize(
    ("header", "condition"),
    [("ID\tQuestion\tType\tAnswers\tAsk if", "Q1>0"), ("序号\t题目\t题型\t选项\t显示条件", "Q1=经常")],
)
def test_a_comparison_in_a_column_is_a_condition(header: str, condition: str) -> None:
    rows = [
        "Q1\t您和配偶吵架的频率是？\t单选\t经常|很少\t",
        f"Q2\t您害怕配偶吗？\t单选\t害怕|不害怕\t{condition}",
        "Q3\t您会向谁求助？\t单选\t警察|朋友\t",
    ]
    assert conditional("\n".join([header, *rows])) == [3]


@pytest.mark.parametrize(
    "skip",
    ['(Si ha contestado "Nunca", pase a la 4)', "(If you answered “Nunca”, go to 4)"],
)
def test_a_skip_below_the_answers_leads_to_conditions(skip: str) -> None:
    text = (
        f"Juego\n\n1.- ¿Juega?\n__ Nunca\n__ A veces\n{skip}\n2.- ¿Cuánto?  ____ euros\n"
        "3.- ¿Ha mentido?   SÍ __   NO __\n4.- ¿Bebe?   SÍ __   NO __"
    )
    assert conditional(text) == [7, 8]


@pytest.mark.parametrize(
    "follow_up",
    [
        "Dans ce cas, quand ?",
        "Evet ise, ne zaman?",
        "그렇다면, 언제입니까?",
        "「はい」の場合、いつですか。",
        "Sofern Sie das taten: wann?",
        "For those who did: when?",
        "If yes when",
        "If you answered yes, when? Select all that apply",
        "ئەگەر وایە، کەی؟",
    ],
)
def test_a_question_without_a_number_and_with_a_clause_in_front_is_for_some(follow_up: str) -> None:
    """Before, everyone was asked it, or its answers were answers of the question above."""
    text = f"T\n\n1. Lied?\n- Yes\n- No\n{follow_up}\n- Now\n- Then\n2. Stolen?\n- Yes\n- No"
    assert len(read_paste(text).questions) == 3
    assert conditional(text) == [6]


def test_a_question_without_a_number_and_without_a_clause_is_for_everyone() -> None:
    text = "T\n\n1. Lied?\n- Yes\n- No\nWhen?\n- Now\n- Then\n2. Stolen?\n- Yes\n- No"
    assert conditional(text) == []


@pytest.mark.parametrize(
    ("yes", "no"),
    [
        ("Sí", "No (termina aquí el cuestionario)"),
        ("Yes", "No (you can stop here)"),
        ("ja", "nein (Fragebogen hier beenden)"),
        ("oui", "non (merci, arrêtez-vous ici)"),
        ("да", "нет (закончите анкету)"),
        ("evet", "hayır (anketi bitirin)"),
        ("sì", "no (il questionario finisce qui)"),
        ("tak", "nie (proszę zakończyć)"),
        ("Sim", "Não (agradecer e terminar)"),
    ],
)
def test_an_answer_may_end_the_survey_in_other_words(yes: str, no: str) -> None:
    survey = read_paste(f"T\n1. A?\n a) {yes}\n b) {no}\n2. B?\n a) c\n b) d\n3. E?\n a) f\n b) g")
    assert survey.questions[0].kind == "yes_no"
    assert [each.condition and each.condition["options"] for each in survey.questions[1:]] == [
        ["yes"],
        ["yes"],
    ]


@pytest.mark.parametrize("answer", ["Yes (it ended)", "Yes (still married)", "No (could not stop)"])
def test_words_about_an_end_do_not_end_the_survey(answer: str) -> None:
    survey = read_paste(f"T\n1. Were you married?\n a) {answer}\n b) Perhaps\n2. B?\n a) c\n b) d")
    assert [*survey.questions[0].options[0].texts.values()] == [answer]


def test_words_behind_yes_or_no_are_asked_about() -> None:
    survey = read_paste("T\n1. Do you smoke?\n- Yes\n- No (we ask no more)\n2. How often?\n- rarely\n- daily")
    assert any("words after yes or no" in note.message for note in survey.notes if note.line == 2)


@pytest.mark.parametrize(
    "line",
    [
        "(If no, you can stop here. Thank you!)",
        "(Falls nein, Fragebogen hier beenden)",
        "(Si no, termina aquí la encuesta)",
        "[If no: end of questionnaire]",
    ],
)
def test_a_line_that_ends_the_survey_for_some_is_no_answer(line: str) -> None:
    survey = read_paste(f"T\n1) Is it?   Yes / No\n   {line}\n2) Was it?   Yes / No\n3) Will it?   Yes / No")
    assert [question.kind for question in survey.questions] == ["yes_no"] * 3
    assert [each.condition and each.condition["options"] for each in survey.questions[1:]] == [
        ["yes"],
        ["yes"],
    ]


@pytest.mark.parametrize(
    "said",
    [
        "next two only if yes",
        "die nächsten zwei nur wenn ja",
        "les deux suivantes seulement si oui",
        "las dos siguientes solo si sí",
        "as próximas duas só se sim",
    ],
)
def test_a_condition_concerns_as_many_questions_as_it_counts(said: str) -> None:
    """Before, it concerned the next question only, and the others were asked of everyone in silence."""
    text = f"T\n1. Fuma? y/n\n({said})\n2. Anni? __\n3. Wo? A / B / C\n4. Bebe? y/n"
    assert conditional(text) == [4, 5]


@pytest.mark.parametrize(
    ("asked", "follow_up"),
    [
        ("Rauchen Sie?\na. ja\nb. nein", "Nur wenn Sie rauchen: Wie viele?"),
        ("Do you smoke?\na. yes\nb. no", "Only if you smoke: how many?"),
        ("Do you smoke?\na. yes\nb. no", "Smokers only: how many?"),
        ("Fumez-vous ?\na. oui\nb. non", "Uniquement si vous fumez : combien ?"),
        ("Você fuma?\na. sim\nb. não", "Só se fuma: quantos?"),
        ("Вы курите?\na. да\nb. нет", "Только если вы курите: сколько?"),
        ("您是否报过警？\na. 是\nb. 否", "报过警的请回答：有多少次？"),
        ("¿Fuma?\na. Sí\nb. No\nc. Lo he dejado", "Si fuma, ¿cuántos?"),
    ],
)
def test_words_in_front_of_a_question_say_who_is_asked(asked: str, follow_up: str) -> None:
    """Before, they became part of the question, which everyone was asked."""
    text = f"T\n1. {asked}\n2. {follow_up} ____"
    assert conditional(text) == [len(text.splitlines())]


@pytest.mark.parametrize(
    "follow_up", ["Tick one only: how often?", "Please answer: how old are you?", "请如实回答：您几岁？"]
)
def test_instructions_in_front_of_a_question_limit_nobody(follow_up: str) -> None:
    assert conditional(f"T\n1. Do you smoke?\na. yes\nb. no\n2. {follow_up} ____") == []


@pytest.mark.parametrize(
    "line",
    [
        "依赖于第1题的第1个选项",
        "Depends on option 1 of question 1",
        "Abhängig von Frage 1",
        "Dépend de la question 1",
        "Depende de la pregunta 1",
    ],
)
def test_a_line_on_which_question_another_depends_is_no_answer(line: str) -> None:
    survey = read_paste(f"T\n1. Ill?\n a\n b\n2. Why?\n Work\n Home\n Other\n{line}\n3. Since when?\n c\n d")
    assert [*labels_of(survey.questions[1])] == ["Work", "Home", "Other"]


@pytest.mark.parametrize(
    ("remark", "says_who"),
    [
        ("抽过的才问", True),
        ("没有被欺负过的不用回答，可多选", True),
        ("可多选，不吸烟的不必填", True),
        ("自由填写", False),
        ("可多选", False),
    ],
)
def test_remarks_in_chinese_say_who_need_not_answer(remark: str, says_who: bool) -> None:
    assert is_limit(remark) is says_who


@pytest.mark.parametrize("line", ["依赖于第1题", "依赖于第1题第1个选项", "Depends on question 1"])
def test_a_line_below_answers_that_depends_on_a_question_limits_the_question_above(line: str) -> None:
    survey = read_paste(
        f"吃饭\n1. 您吃坏过肚子吗？\n○是\n○否\n\n2. 当时怎么处理？\n○药\n○医院\n{line}\n\n3. 您多大？"
    )
    assert [note.line for note in survey.notes if note.asks == "keep"] == [6]


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("only dog owners: how many walks? 1 / 2 / 3", "how many walks?"),
        ("nur wer ja hat: wie oft? nie / selten / oft", "wie oft?"),
        ("(locataires seulement) Depuis quand ? 1 / 2 / 3", "Depuis quand ?"),
    ],
)
def test_words_for_some_people_in_front_of_a_question_with_answers_are_cut(line: str, text: str) -> None:
    reading = read_paste(f"T\n1. Dog? yes / no\n2. {line}\n3. Cat? yes / no")
    assert conditional(f"T\n1. Dog? yes / no\n2. {line}\n3. Cat? yes / no") == [3]
    assert [*reading.questions[1].texts.values()] == [text]


def test_a_condition_in_front_of_a_question_in_a_sheet_is_cut() -> None:
    rows = (
        "COD\tDOMANDA\tRISPOSTE\nM1\tHa un cane?\t1 Sì; 2 No\nM2\tSolo se M1=1: Quanti?\t1 uno; 2 due; 3 tre"
    )
    reading = read_paste(f"{rows}\nM3\tHa un gatto?\t1 Sì; 2 No")
    assert [*reading.questions[1].texts.values()] == ["Quanti?"]


@pytest.mark.parametrize("said", ["依赖于第1题第1个选项", "(依赖于第1题)", "Depends on question 1"])
def test_words_behind_the_question_mark_may_name_the_question_on_which_it_depends(said: str) -> None:
    first, last = "*1. 您喝过酒吗？ [单选题]\n○是\n○否", "*3. 您多大？ [填空题]"
    text = f"{first}\n\n*2. 喝什么？ [多选题] {said}\n□白酒\n□啤酒\n\n{last}"
    assert conditional(text) == [5]


@pytest.mark.parametrize(
    "question",
    [
        "2. Rate the governor on a scale from 1 to 5, where 1 is bad and 5 is excellent.",
        "You are:\ta woman\ta man\tother",
    ],
)
def test_parts_of_words_and_answers_in_cells_limit_nobody(question: str) -> None:
    survey = read_paste(f"T\n\n1. Do you vote?\n- yes\n- no\n\n{question}\n")
    assert len(survey.questions) == 2
    assert [note for note in survey.notes if note.asks == "keep"] == []


def test_the_first_of_several_questions_named_together_is_limited_too() -> None:
    """Before, it was taken for the question that decides."""
    text = "T\n1. Who?\n- a\n- b\n2. Dos?\n- c\n- d\n3. Tres?\n- e\n- f\n"
    text += "NOTA: las preguntas 2 y 3 son solo para padres."
    notes = read_paste(text).notes
    assert {note.line for note in notes if note.asks == "keep"} == {5, 8}


@pytest.mark.parametrize("remark", ["(only if you said yes to 1)", "[only if yes at 1]"])
def test_a_remark_set_in_like_the_answers_limits_the_question_above(remark: str) -> None:
    lines = ["1. Is there mould?", "   - yes", "   - no", "2. Where is it?", "   - bath", "   - bed"]
    text = "\n".join(["Club", *lines, f"   {remark}", "3. How old is it?"])
    assert [bool(each.condition) for each in read_paste(text).questions] == [False, True, False]


def test_a_remark_without_a_gap_between_answers_and_a_question_is_asked_about() -> None:
    lines = ["1. Is there mould?", "- yes", "- no", "2. Where is it?", "- bath", "- bed"]
    survey = read_paste("\n".join(["Club", *lines, "(only if you said yes to 1)", "3. How old is it?"]))
    assert [note.line for note in survey.notes if note.cause == "condition"] == [9]


def test_a_condition_between_dashes_has_its_paragraph() -> None:
    lines = [
        "Welche Gruppe?",
        "- Jugend",
        "- Einsatz",
        "",
        "--- Nur für den Einsatz ---",
        "Wie viele Einsätze? ____",
    ]
    lines += ["Tragen Sie Atemschutz? ja / nein", "", "Wie ist das Haus?", "- gut", "- schlecht"]
    survey = read_paste("Feuerwehr\n\n" + "\n".join(lines))
    assert [bool(each.condition) for each in survey.questions] == [False, True, True, False]


@pytest.mark.parametrize(
    "remark", ["(ONLY IF ROBBED, 1 AT Q2)", "(Nur Beraubte: 1 bei Q2)", "(SOLO ROBADOS, 1 EN Q2)"]
)
def test_the_code_of_an_answer_in_front_of_its_question_is_no_question(remark: str) -> None:
    """The first two questions were asked about, as if the remark limited them."""
    lines = ["Q1 Do you feel safe?", "- Yes 1", "- No 2", "", "Q2 Were you robbed?", "- Yes 1", "- No 2", ""]
    survey = read_paste("\n".join([*lines, remark, "Q3 How often? ____"]))
    assert {note.line for note in survey.notes if note.asks == "keep"} <= {10}


def test_a_comparison_in_a_cell_is_asked_about() -> None:
    rows = ["Nr.\tVariable\tFrage\tAntworten\tFilter", "1\tFAM01\tWie viele Kinder haben Sie?\tZahl (0-15)\t"]
    rows += [
        "2\tFAM02\tBeziehen Sie Geld?\t1 ja | 2 nein\tFAM01 > 0",
        "3\tFAM03\tSind Sie froh?\t1 ja | 2 nein\t",
    ]
    survey = read_paste("\n".join(rows))
    assert [note.line for note in survey.notes if note.asks == "keep"] == [3]
