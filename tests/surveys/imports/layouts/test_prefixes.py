"""Words and signs that recur in front of questions and answers are not taken for a part of them."""

import pytest

from surveys.imports.drafts.questionnaire import labels_of
from surveys.imports.layouts.prefixes import without_prefixes
from surveys.imports.pasted_text import read_paste


@pytest.mark.parametrize(
    "labels",
    [
        ("Frage", "Frage"),
        ("Question A", "Question B"),
        ("Primera pregunta", "Segunda pregunta"),
        ("أولا", "ثانيا"),
    ],
)
def test_words_in_front_of_the_questions_become_numbers(labels: tuple[str, str]) -> None:
    assert without_prefixes([f"{labels[0]}: X?", f"{labels[1]}: Y?"])[0][:3] in ("1. ", "65.")


def test_words_in_front_of_some_questions_belong_to_them() -> None:
    texts = ("Work: do you like it?", "Who?", "When?", "Where?", "Home: do you like it?")
    assert without_prefixes(texts) == [*texts]


def test_words_below_all_questions_are_left_out() -> None:
    found = without_prefixes(["Wie oft?", "Antworten: nie, oft", "Was?", "Antworten (mehrere): Brot; Käse"])
    assert found == ["Wie oft?", "nie, oft", "Was?", "Brot; Käse [several]"]
    texts = ("1. Wie oft?", "Nachfragen: nie, oft", "2. Was?", "3. Wo?", "Nachfragen: da, dort")
    assert without_prefixes(texts) == [*texts]


@pytest.mark.parametrize("sign", ["____", "( )", "[ ]", "☐"])
def test_blanks_in_front_of_numbers_are_left_out(sign: str) -> None:
    assert without_prefixes([f"{sign} 1. I worry.", f"{sign} 2. I sleep."]) == ["1. I worry.", "2. I sleep."]


def test_a_line_with_the_number_of_a_question_counts_the_question_below() -> None:
    asked = (
        "Question 1 of 2",
        "Which?",
        "- a",
        "- b",
        "Question 2 of 2 (select all that apply)",
        "What?",
        "- c",
        "- d",
    )
    assert without_prefixes(asked) == [
        "",
        "1. Which?",
        "- a",
        "- b",
        "",
        "2. What? [several]",
        "- c",
        "- d",
    ]
    assert without_prefixes(["Line 1", "Line 2", "Line 3"]) == ["Line 1", "Line 2", "Line 3"]


def test_headings_with_numbers_stay_headings() -> None:
    texts = ("Part 1", "1. Which?", "2. What?", "Part 2", "3. Who?", "4. When?")
    assert without_prefixes(texts) == [*texts]


def test_letters_in_front_of_wide_blanks_count_answers() -> None:
    (question,) = read_paste("1. Which?\n   a  tea\n   b  coffee").questions
    assert [option.texts["en"] for option in question.options] == ["tea", "coffee"]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("18:02 – Jule: Wohin?", "18:04 – Ben: Wann?"),
        ("12/03, 7:40 pm - नेहा: Wohin?", "12/03, 7:41 pm - नेहा: Wann?"),
        ("Mo., 18:02 – Jule: Wohin?", "Mo., 18:04 – Jule: Wann?"),
        ("[18:02] Jule: Wohin?", "[18:04] Jule: Wann?"),
    ],
)
def test_times_and_senders_of_messages_are_left_out(first: str, second: str) -> None:
    assert without_prefixes([first, "a", second, "b"]) == ["Wohin?", "a", "Wann?", "b"]


def test_a_label_that_recurs_below_questions_without_a_question_mark_is_left_out() -> None:
    lines = ["1. Repas", "R: mauvais / bon", "2. Accueil", "R: mauvais / bon"]
    assert without_prefixes(lines)[1::2] == ["mauvais / bon"] * 2


@pytest.mark.parametrize("letters", ["abc", "ABC"])
def test_letters_with_one_blank_count_answers(letters: str) -> None:
    found = without_prefixes([f"{letter} sí, claro" for letter in letters])
    assert found == [f"{letter}) sí, claro" for letter in letters]
    assert without_prefixes(["a mano", "o con tractor"]) == ["a mano", "o con tractor"]


@pytest.mark.parametrize(
    ("lines", "joined"),
    [
        (("Where? (bus / train /", "   on foot / other)"), "Where? (bus / train / on foot / other)"),
        (("您去哪里？（公园、", "学校）"), "您去哪里？（公园、学校）"),
        (("Wo? (mehrere", "möglich) (hier,", "dort)"), "Wo? (mehrere möglich) (hier, dort)"),
    ],
)
def test_words_in_brackets_on_several_lines_are_joined(lines: tuple[str, ...], joined: str) -> None:
    assert without_prefixes(lines) == [joined, *[""] * (len(lines) - 1)]


def test_a_mark_with_a_bracket_closes_none() -> None:
    lines = ["Where? (tick", "a) here", "b) there"]
    assert without_prefixes(lines) == lines


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (("Q1 SHOWCARD A", "   How safe is it?"), ["Q1 How safe is it?", "(SHOWCARD A)"]),
        (("3  INT.: Liste vorlegen", "Was kostet es?"), ["3  Was kostet es?", "(INT.: Liste vorlegen)"]),
        (
            ("В2. КАРТОЧКА 1. Как платят? ОДИН ОТВЕТ", "нет"),
            ["В2. Как платят? (КАРТОЧКА 1. ОДИН ОТВЕТ)", "нет"],
        ),
        (("1. Why?", "READ OUT", "Yes"), ["1. Why?", "(READ OUT)", "Yes"]),
        (("1. Why?", "  Mark only one oval.", "  Yes"), ["1. Why?", "(Mark only one oval.)", "  Yes"]),
    ],
)
def test_words_for_interviewers_are_not_part_of_questions_and_answers(
    text: tuple[str, ...], expected: list[str]
) -> None:
    assert without_prefixes([*text, "", "an end"]) == [*expected, "", "an end"]


def test_capitals_are_kept_in_a_text_in_capitals_and_in_headings() -> None:
    for texts in (
        ("1. WHY?", "TIRED", "ILL"),
        ("1. Is it?", "YES   NO   MAYBE", "an end"),
        ("I. WORK", "I.1 Do you?", "A. No   B. Yes"),
    ):
        assert without_prefixes(texts) == [*texts]


@pytest.mark.parametrize(
    "chat",
    [
        ("Ana (B, 4): 1. Why?", "Ana (B, 4): 2. When?", "Leo 5A: me too"),
        ("[19:02] Ana: 1. Why?", "[19:03] Ana: 2. When?", "[19:04] Leo: me too"),
        ("Ana 9:12", "1. Why?", "2. When?", "Leo 9:15", "me too"),
    ],
)
def test_senders_are_left_out_and_replies_of_others_are_in_brackets(chat: tuple[str, ...]) -> None:
    assert [line for line in without_prefixes(chat) if line] == ["1. Why?", "2. When?", "(me too)"]


@pytest.mark.parametrize(
    "labels",
    [
        ("Question One - ", "Question Two - "),
        ("Erste Frage – ", "Zweite Frage – "),
        ("Pregunta primera. ", "Pregunta segunda. "),
        ("Domanda n. 1 | ", "Domanda n. 2 | "),
        ("Вопрос первый: ", "Вопрос второй: "),
        ("Item the first: ", "Item the second: "),
        ("İkinci soru: ", "Üçüncü soru: "),
        ("पहला प्रश्न: ", "दूसरा प्रश्न: "),
        ("Firstly, ", "Secondly, "),
    ],
)
def test_numbers_of_questions_in_words_are_no_part_of_them(labels: tuple[str, str]) -> None:
    """Before, words in front of a dash or a full stop stayed in the text, without a note."""
    first, second = labels
    survey = read_paste(f"T\n\n{first}Allein?\nX\nY\nZ\n\n{second}Wie?\nX\nV\nW")
    assert [next(iter(question.texts.values())) for question in survey.questions] == ["Allein?", "Wie?"]


@pytest.mark.parametrize("sign", [":", " -"])
def test_words_that_differ_and_count_nothing_belong_to_the_questions(sign: str) -> None:
    """Before, *At* was taken for a word that counts questions, and both became *do you lie?*."""
    texts = [f"{place}{sign} do you lie?" for place in ("At work", "At home", "At school")]
    assert without_prefixes(texts) == texts


def test_a_condition_that_recurs_in_front_of_questions_is_no_number() -> None:
    """Before, *If yes* was taken for a word that counts the questions, and everybody was asked."""
    text = (
        "T\nDo you drink? Yes / No\nIf yes: alone? Yes / No\nDo you smoke? Yes / No\nIf yes: alone? Yes / No"
    )
    questions = read_paste(text).questions
    assert [question.condition is not None for question in questions] == [False, True, False, True]


@pytest.mark.parametrize(
    ("line", "written"),
    [
        ("1. Do you work? (Yes / No)  If no, go to 4.", "1. Do you work? (Yes / No) (If no, go to 4)"),
        ("1. Do you work?  Yes   No   If no, go to 4.", "1. Do you work?  Yes   No (If no, go to 4)"),
        (
            "P1. ¿Trabajas? (Sí / No)  Si es No, pasa a la P4.",
            "P1. ¿Trabajas? (Sí / No) (Si es No, pasa a la P4)",
        ),
        ("1. 你上班吗？（是/否） 如果否，请跳到第4题。", "1. 你上班吗？（是/否） (如果否，请跳到第4题)"),
    ],
)
def test_a_jump_behind_answers_on_a_line_is_put_in_brackets(line: str, written: str) -> None:
    other = "2. Would you stay if you had to? (Yes / No)"
    assert without_prefixes([line, other]) == [written, other]


@pytest.mark.parametrize(("asked", "answer"), [("Q", "R"), ("P", "R"), ("В", "О"), ("F", "A")])
def test_letters_in_front_of_questions_and_of_their_answers_recur(asked: str, answer: str) -> None:
    text = (
        f"Notes\n\n{asked}. Where?\n{answer}. town, village, camp\n\n"
        f"{asked}. What?\n{answer}. (plusieurs) work, help, food\n\n{asked}. Anything?\n{answer}. free text"
    )
    survey = read_paste(text, ("en",))
    assert [labels_of(question) for question in survey.questions] == [
        ("town", "village", "camp"), ("work", "help", "food"), (),
    ]  # fmt: skip
    assert survey.questions[1].kind == "several"


def test_letters_that_count_answers_below_a_lettered_question_stay() -> None:
    survey = read_paste("Q. Where?\nA. town\nB. village\nQ. When?\nA. now\nB. later\n", ("en",))
    assert [labels_of(question) for question in survey.questions] == [("town", "village"), ("now", "later")]


@pytest.mark.parametrize("arrow", ["->", "→", "=>", "-->"])
def test_arrows_may_lead_from_questions_to_their_answers(arrow: str) -> None:
    text = f"1. Where? {arrow} town, camp, sea\n2. Who? {arrow} alone; with my son/s; all\n"
    survey = read_paste(text, ("en",))
    assert [labels_of(question) for question in survey.questions] == [
        ("town", "camp", "sea"), ("alone", "with my son/s", "all"),
    ]  # fmt: skip


def test_arrows_that_lead_to_other_questions_stay() -> None:
    lines = ["1. Do you smoke? -> if no go to 3", "2. How much? -> go on"]
    assert without_prefixes(lines) == lines


def test_section_numbers_in_front_of_labels_are_no_times() -> None:
    lines = ["1.1 Age: ____", "1.2 Job:", "- worker", "- boss", "2.1 Where?", "2.2 When?"]
    assert without_prefixes(lines) == lines


@pytest.mark.parametrize("words", ["multipla", "plusieurs", "mehrere"])
def test_a_cell_may_say_how_many_answers_are_allowed(words: str) -> None:
    rows = f"COD\tASK\tANSWERS\nM1\tWhere?\t1 here; 2 there\nM2\tWhich?\t({words}) 1 tea; 2 wine; 3 beer"
    survey = read_paste(rows, ("en",))
    assert [(question.kind, labels_of(question)) for question in survey.questions] == [
        ("single", ("here", "there")), ("several", ("tea", "wine", "beer")),
    ]  # fmt: skip


def test_a_question_below_another_is_no_jump_behind_its_answers() -> None:
    """Before, a bracket was left behind it."""
    lines = ["Avez-vous des enfants ? oui - non", "  -> si oui, combien ?", "Et un emploi ? oui - non"]
    assert without_prefixes(lines) == lines


def test_lines_between_a_counter_and_its_question_are_kept() -> None:
    """A remark there, which said who is asked, was lost."""
    lines = [
        "Question 1",
        "Do you smoke?",
        "o yes",
        "o no",
        "",
        "Question 2",
        "(if yes at 1)",
        "How many?",
        "o few",
        "o many",
    ]
    assert without_prefixes(lines)[6:8] == ["", "2. (if yes at 1) How many?"]
    lines[6] = "Only shown if question 1 is yes"
    assert without_prefixes(lines)[6:8] == ["Only shown if question 1 is yes", "2. How many?"]


@pytest.mark.parametrize(
    ("lines", "joined"),
    [
        (["1．哪些困难？（可选多", "项）"], "1．哪些困难？（可选多项）"),
        (
            ["1. Dolore da 0 (nessuno) a 10 (il", "peggiore)? ____"],
            "1. Dolore da 0 (nessuno) a 10 (il peggiore)? ____",
        ),
    ],
)
def test_a_bracket_that_closes_before_a_question_mark_goes_on(lines: list[str], joined: str) -> None:
    assert without_prefixes(lines) == [joined, ""]


def test_a_numeral_with_a_bracket_closes_none() -> None:
    lines = ["一）情况（必填", "二）性别"]
    assert without_prefixes(lines) == lines


@pytest.mark.parametrize(
    ("list_", "kind"),
    [
        ("(Bier, Wein, Saft – mehrere möglich)", "several"),
        ("(tea, beer, water; several answers possible)", "several"),
        ("(té, café, agua: varias respuestas)", "several"),
        ("(茶、咖啡、水，可多选)", "several"),
    ],
)
def test_how_many_answers_may_end_a_list_in_brackets(list_: str, kind: str) -> None:
    question = read_paste(f"Fest\n\n- Was trinkt ihr? {list_}\n- Wie viele seid ihr?").questions[0]
    assert (question.kind, len(question.options)) == (kind, 3)


def test_times_below_each_other_are_no_senders() -> None:
    """The answers were taken for the heads of messages, and became empty."""
    times = ("before 7:00", "from 7:00 to 7:59", "after 8:00")
    question = read_paste("Bus\n\n1. When?\n" + "\n".join(f"( ) {each}" for each in times)).questions[0]
    assert labels_of(question) == times
