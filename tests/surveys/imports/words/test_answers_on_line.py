"""Answers on one line, behind boxes, codes or letters, in columns, or between separators."""

import pytest

from surveys.imports.drafts.questionnaire import labels_of
from surveys.imports.pasted_text import read_paste
from surveys.imports.words.answers_on_line import answers_on


@pytest.mark.parametrize(
    ("line", "before", "labels", "points"),
    [
        ("☐ Yes  ☐ No", "", ("Yes", "No"), ()),
        ("Do you? Yes ☐ No ☐", "Do you?", ("Yes", "No"), ()),
        ("How? (0) Never (2) Once (4) Often", "How?", ("Never", "Once", "Often"), (0, 2, 4)),
        ("Do you?  Yes (1)  No (0)", "Do you?", ("Yes", "No"), (1, 0)),
        ("Do you? No 0 Yes 1", "Do you?", ("No", "Yes"), (0, 1)),
        ("Do you? (yes 2, no 0)", "Do you?", ("yes", "no"), (2, 0)),
        ("When?  in 2 years = 0  later = 1  never = 2", "When?", ("in 2 years", "later", "never"), (0, 1, 2)),
        ("To whom? (police=1, doctor=2)", "To whom?", ("police", "doctor"), (1, 2)),
        ("A. Never B. Once C. Often", "", ("Never", "Once", "Often"), ()),
        ("Gender: Male / Female", "Gender", ("Male", "Female"), ()),
        ("How often?\tNever\tOften", "How often?", ("Never", "Often"), ()),
        ("Bad 1 2 3 Good", "", ("1 – Bad", "2", "3 – Good"), (1, 2, 3)),
        ("1 2 3 N/A", "", ("1", "2", "3", "N/A"), ()),
        ("How strong? (1 = none, 3 = very)", "How strong?", ("1 – none", "2", "3 – very"), (1, 2, 3)),
        ("Do you? - Yes - No", "Do you?", ("Yes", "No"), ()),
        ("Do you? Yes No", "Do you?", ("Yes", "No"), ()),
        ("Что?  а) хлеб  б) молоко", "Что?", ("хлеб", "молоко"), ()),
        ("الف) پیاده   ب) سرویس", "", ("پیاده", "سرویس"), ()),
        ("Where?  a- home  b- work", "Where?", ("home", "work"), ()),
        ("tea   or   milk", "", ("tea", "milk"), ()),
    ],
)
def test_answers_are_found_with_their_points(
    line: str, before: str, labels: tuple[str, ...], points: tuple[int, ...]
) -> None:
    found = answers_on(line)
    assert found is not None
    assert (found.before, found.labels, found.points) == (before, labels, points)


@pytest.mark.parametrize(
    "line",
    [
        "",
        "Never",
        "Do you drink tea or coffee?",
        "How strong? (5 = none, 1 = very)",
        "He/she",
        "2 4 9",
        "a: b",
    ],
)
def test_other_lines_list_none(line: str) -> None:
    assert answers_on(line) is None


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        (
            "The food, on a scale from 1 to 5 (1 = bad, 5 = good)",
            "The food, on a scale from 1 to 5 (1 = bad, 5 = good)",
        ),
        ("Еда, от 1 до 3, где 1 – плохо, 3 – хорошо", "Еда, от 1 до 3, где 1 – плохо, 3 – хорошо"),
        ("The food (1 = bad, 5 = good)", "The food"),
    ],
)
def test_a_question_that_names_its_scale_stays_whole(text: str, asked: str) -> None:
    listed = answers_on(text)
    assert listed is not None
    assert (listed.before, listed.sign) == (asked, "ends")


@pytest.mark.parametrize(
    "line", ["very / fairly / not at all (tick one)", "○ very ○ fairly ○ not at all (tick one)"]
)
def test_a_remark_on_how_many_to_choose_is_not_part_of_the_last_answer(line: str) -> None:
    survey = read_paste(f"Team\n1. How satisfied are you?\n{line}\n2. Do you smoke?")
    first = survey.questions[0]
    assert [option.texts["en"] for option in first.options] == ["very", "fairly", "not at all"]


def test_the_first_answer_of_columns_may_be_next_to_the_question() -> None:
    found = answers_on("Your sex:  female    male    other")
    assert found is not None
    assert (found.before, found.labels) == ("Your sex", ("female", "male", "other"))


@pytest.mark.parametrize(
    "text",
    [
        "1 – never … 5 – always",
        "1 = never ... 5 = always",
        "(1 = never, 5 = always)",
        "1 (never) to 5 (always)",
        "from 1 (never) to 5 (always)",
        "never (1) – always (5)",
        'where 1 means "never" and 5 means "always"',
    ],
)
def test_two_named_ends_are_a_scale(text: str) -> None:
    labels = ["1 – never", "2", "3", "4", "5 – always"]
    found = read_paste(f"Work\n1. How often do you lie?\n{text}\n2. Do you steal?\n- Yes\n- No").questions
    assert [next(iter(option.texts.values())) for option in found[0].options] == labels
    assert len(found) == 2


def test_two_answers_with_points_are_not_ends() -> None:
    found = answers_on("Do you lie?  No (0)  Yes (4)")
    assert found is not None
    assert (found.labels, found.points) == (("No", "Yes"), (0, 4))


def test_numbers_that_count_up_are_answers() -> None:
    assert listed("Which class?   5   6   7") == ["5", "6", "7"]
    assert listed("Which year? 1. / 2. / 3.") == ["1.", "2.", "3."]


def listed(text: str) -> list[str]:
    found = answers_on(text)
    return [*found.labels] if found else []


def test_answers_are_after_a_dash_or_in_brackets_without_a_question_mark() -> None:
    assert listed("have you used any steroids - no / once / often") == ["no", "once", "often"]
    assert listed("have you any debts (no / up to 10 / more)") == ["no", "up to 10", "more"]


@pytest.mark.parametrize(
    "line",
    [
        "Your date of birth (DD/MM/YYYY).",
        "Wann sind Sie geboren (Monat/Jahr)?",
        "Votre date de naissance (jj/mm/aaaa)",
        "Précisez votre service (ex. : DSI, support aux utilisateurs).",
    ],
)
def test_the_format_of_a_date_and_examples_in_brackets_are_no_answers(line: str) -> None:
    (question,) = read_paste(f"T\n\n1. {line}").questions
    assert question.options == []
    assert listed("What do you report by? day / month / year") == ["day", "month", "year"]


@pytest.mark.parametrize("text", ["Copying (never | once | more)", "Copying [never/once/more]"])
def test_three_answers_in_brackets_follow_any_text(text: str) -> None:
    found = answers_on(text)
    assert found is not None
    assert (found.before, found.labels) == ("Copying", ("never", "once", "more"))


@pytest.mark.parametrize(
    ("line", "labels"),
    [
        (
            "离职的主要原因是什么？（限选一项） A 工资低  B 加班多  C 家庭原因",
            ("A 工资低", "B 加班多", "C 家庭原因"),
        ),
        ("Warum? (nur eine Antwort) Lohn / Zeiten / Familie", ("Lohn", "Zeiten", "Familie")),
        (
            "Pourquoi ? (plusieurs réponses possibles) salaire / horaires / famille",
            ("salaire", "horaires", "famille"),
        ),
    ],
)
def test_words_on_how_many_in_front_of_answers_are_none(line: str, labels: tuple[str, ...]) -> None:
    found = answers_on(line)
    assert found is not None
    assert found.labels == labels


@pytest.mark.parametrize(
    ("line", "labels"),
    [
        ("¿Ha sufrido acoso? Sí ___ No ___", ("Sí", "No")),
        ("Sexo: Hombre ___ Mujer ___ Otro ___", ("Hombre", "Mujer", "Otro")),
    ],
)
def test_blanks_to_tick_may_be_behind_all_answers(line: str, labels: tuple[str, ...]) -> None:
    """Before, the first answer was part of the question, or the second the unit of a number."""
    listed = answers_on(line)
    assert listed is not None
    assert listed.labels == labels


def test_ranges_among_numbers_are_no_scale() -> None:
    listed = answers_on("1   2–3   more")
    assert listed is None or listed.sign != "ends"


@pytest.mark.parametrize(
    ("before", "answers"),
    [
        ("Thinking about the last season.", "Never = 0, Sometimes = 1, Most of the time = 2"),
        ("Denken Sie an das letzte Jahr!", "Nie = 0, manchmal = 1, oft = 2"),
        ("Au cours de la dernière saison.", "Jamais = 0; parfois = 1; souvent = 2"),
        ("Marque con una X.", "Nunca = 0, a veces = 1, a menudo = 2"),
        ("За последний год.", "Никогда = 0, иногда = 1, часто = 2"),
        ("想想上个赛季。", "从不=0，有时=1，总是=2"),
        ("", "Dr. Smith = 0, Dr. Jones = 1, a nurse = 2"),
    ],
)
def test_a_sentence_before_coded_answers_is_no_part_of_the_first(before: str, answers: str) -> None:
    listed = answers_on(f"{before} {answers}".strip())
    assert listed is not None
    assert (listed.before, listed.points) == (before, (0, 1, 2))


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("你想参加哪项活动？ A爬山 B羽毛球 C电影", ("爬山", "羽毛球", "电影")),
        ("您的婚姻状况？A未婚 B已婚 C离异 D丧偶", ("未婚", "已婚", "离异", "丧偶")),
        ("你喜歡嗎：A喜歡　B不喜歡", ("喜歡", "不喜歡")),
        ("A从不  B偶尔  C经常", ("从不", "偶尔", "经常")),
        ("最常用的交通工具? A地铁  B公交  C步行", ("地铁", "公交", "步行")),
    ],
)
def test_capital_letters_directly_before_chinese_answers(text: str, labels: tuple[str, ...]) -> None:
    """Before, the answers were a part of the question."""
    listed = answers_on(text)
    assert listed is not None
    assert listed.labels == labels


@pytest.mark.parametrize("text", ["你买过A股吗？", "您打算做B超还是C超？", "您是A型血吗？ B型呢？"])
def test_letters_in_chinese_words_count_no_answers(text: str) -> None:
    listed = answers_on(text)
    assert listed is None or listed.sign != "letter"


@pytest.mark.parametrize(
    ("text", "last"),
    [("Times: first, second or third", "third"), ("Times: once, twice or more", "twice or more"),
     ("Veces: una, dos, tres o más", "tres o más"), ("Raz: pierwszy, drugi lub kolejny", "drugi lub kolejny")]
)  # fmt: skip
def test_or_more_belongs_to_the_last_answer(text: str, last: str) -> None:
    listed = answers_on(text)
    assert listed is not None
    assert listed.labels[-1] == last


@pytest.mark.parametrize("text", ["never __ often __ always __", "nie _ selten _ oft _"])
def test_short_blanks_behind_three_answers_are_ticked(text: str) -> None:
    listed = answers_on(text)
    assert listed is not None
    assert (listed.before, len(listed.labels)) == ("", 3)


@pytest.mark.parametrize("text", ["Name ________ Street ________ Town ________", "Age __ Size __"])
def test_long_blanks_behind_labels_are_not_ticked(text: str) -> None:
    listed = answers_on(text)
    assert listed is None or len(listed.labels) < 3


def test_letters_in_square_brackets_mark_answers() -> None:
    listed = answers_on("sex: [f] female [m] male [o] other")
    assert listed is not None
    assert listed.labels == ("female", "male", "other")
    assert answers_on("[S] = one answer, [M] = several answers") is None


@pytest.mark.parametrize(
    "text", ["Rooms? (0 / 1 / 2 / more)", "Rooms? [0 | 1 | 2 | more]", "Rooms? 0 / 1 / 2 / more"]
)
def test_the_last_of_several_numbers_may_have_words(text: str) -> None:
    (question,) = read_paste(f"Home\n1. {text}").questions
    assert labels_of(question) == ("0", "1", "2", "more")


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("How is it? (bad 1 2 3 good)", ("1 – bad", "2", "3 – good")),
        ("How bad is it? 1 2 3 very bad", ("1", "2", "3 – very bad")),
    ],
)
def test_questions_below_each_other_with_numbers_and_an_end_are_no_opposites(
    text: str, labels: tuple[str, ...]
) -> None:
    first, second = read_paste(f"Home\n1. {text}\n2. {text}").questions
    assert labels_of(first) == labels_of(second) == labels


def test_yes_and_no_with_a_blank_between_are_answers_behind_a_question_mark() -> None:
    listed = answers_on("Ti senti solo? Sì No")
    assert listed is not None
    assert (listed.before, listed.labels) == ("Ti senti solo?", ("Sì", "No"))
    assert answers_on("Why me? No idea") is None


@pytest.mark.parametrize(
    ("text", "before", "labels"),
    [
        (
            "Key: not at all = 1, a little = 2, a lot = 3. Items with * are turned round before adding up.",
            "Key",
            ("not at all", "a little", "a lot"),
        ),
        (
            "Wann war der letzte Test?  in den letzten 2 Jahren = 0  länger her = 1  noch nie = 2",
            "Wann war der letzte Test?",
            ("in den letzten 2 Jahren", "länger her", "noch nie"),
        ),
        (
            "Copied an answer: 0 Never, 1 Once, 2 More often",
            "Copied an answer",
            ("Never", "Once", "More often"),
        ),
        ("هل سرقت من عملك؟ (نعم = 1، لا = 0)", "هل سرقت من عملك؟", ("نعم", "لا")),
        ("( 0 ) nunca   ( 1 ) às vezes   ( 2 ) sempre", "", ("nunca", "às vezes", "sempre")),
    ],
)
def test_signs_between_a_question_and_its_coded_answers_belong_to_neither(
    text: str, before: str, labels: tuple[str, ...]
) -> None:
    listed = answers_on(text)
    assert listed is not None
    assert (listed.before, listed.labels) == (before, labels)


def test_the_time_of_a_message_is_no_code() -> None:
    assert answers_on("[10:03, 07/09/2023] Rafa: 2 - Quantas pessoas vão com você?") is None


@pytest.mark.parametrize(
    ("line", "before", "labels", "points"),
    [
        ("1. Sí   2. No   9. No precisa", "", ("Sí", "No", "No precisa"), (1, 2, 9)),
        ("性别：1男 2女", "性别", ("男", "女"), (1, 2)),
        ("¿Votó? 1 Sí 2 No 99 NS/NC", "¿Votó?", ("Sí", "No", "NS/NC"), (1, 2, 99)),
        ("Peleas?   ninguna__  una__  más__", "Peleas?", ("ninguna", "una", "más"), ()),
        ("¿Qué? (VARIAS RESPUESTAS)   AB   CD   EF", "¿Qué? (VARIAS RESPUESTAS)", ("AB", "CD", "EF"), ()),
        (
            "À qui ? (parents - épouse/mari - enfants) plusieurs réponses",
            "À qui ? (plusieurs réponses)",
            ("parents", "épouse/mari", "enfants"),
            (),
        ),
        ("Chi? padre/madre, nonni, altri", "Chi?", ("padre/madre", "nonni", "altri"), ()),
    ],
)
def test_codes_without_signs_and_words_with_slashes_are_read(
    line: str, before: str, labels: tuple[str, ...], points: tuple[int, ...]
) -> None:
    """Before, only some of the codes were cut, and each slash divided two answers."""
    found = answers_on(line)
    assert found is not None
    assert (found.before, found.labels, found.points) == (before, labels, points)


@pytest.mark.parametrize(
    "line", ["Età: 1 anno 2 mesi", "您住院多久？ 1天 2天 3天", "Oui, régulièrement", "Beve? sì, spesso"]
)
def test_amounts_and_a_yes_with_its_explanation_are_no_lists(line: str) -> None:
    assert answers_on(line) is None


@pytest.mark.parametrize("sign", ["•", "·", "//", "*"])
@pytest.mark.parametrize("before", ["Who?", "Who:", "Who  "])
def test_other_signs_separate_answers_behind_a_question(sign: str, before: str) -> None:
    found = answers_on(f"{before} " + f" {sign} ".join(["tenant", "owner, alone", "guest"]))
    assert found is not None
    assert found.labels == ("tenant", "owner, alone", "guest")


def test_signs_in_front_of_all_answers_separate_them() -> None:
    found = answers_on("Level? * A1/A2 * B1 * B2 or more")
    assert found is not None
    assert found.labels == ("A1/A2", "B1", "B2 or more")


@pytest.mark.parametrize("text", ["Survey • Club • 2024", "What * do you like?", "0 (none) to 10 (worst)"])
def test_such_signs_may_separate_no_answers(text: str) -> None:
    found = answers_on(text)
    assert found is None or found.sign == "ends"


@pytest.mark.parametrize("text", ["do you smoke (yes, no, sometimes)", "rauchst du (ja, nein, selten)"])
def test_yes_and_no_may_be_in_brackets_without_a_question_mark(text: str) -> None:
    """It was asked as yes or no without a note."""
    found = answers_on(text)
    assert found is not None
    assert (found.before, len(found.labels)) == (text.partition(" (")[0], 3)


def test_codes_in_front_of_answers_that_begin_alike() -> None:
    """The first answer kept its code, and the last was lost."""
    listed = answers_on("How safe?   1 Very safe 2 Fairly safe 3 Rather unsafe 4 Very unsafe")
    assert listed is not None
    assert listed.labels == ("Very safe", "Fairly safe", "Rather unsafe", "Very unsafe")


def test_codes_with_a_blank_in_front_of_a_single_sign() -> None:
    listed = answers_on("什么让您烦恼？   1 噪音 2 垃圾 3 猫 4 狗")
    assert listed is not None
    assert listed.labels == ("噪音", "垃圾", "猫", "狗")


@pytest.mark.parametrize("last", ["3 ou plus", "3 or more", "3 o más", "3 oder mehr"])
def test_the_last_number_of_a_list_may_be_an_amount(last: str) -> None:
    """*3 ou plus* became *3 – ou plus*, the named end of a scale."""
    survey = read_paste(
        f"T\n\n- How many evenings can you give? (1 / 2 / {last})\n- Do you lie? (yes / no)\n"
    )
    assert [option.texts["en"] for option in survey.questions[0].options] == ["1", "2", last]
