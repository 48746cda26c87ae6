"""Sheets with one question in each row are read by their columns, whatever their headers say."""

import pytest

from surveys.imports.drafts.questionnaire import labels_of, text_of
from surveys.imports.pasted_text import read_paste

ROWS = (
    ("1", "Do you smoke?", "yes/no", ""),
    ("2", "Where do you smoke?", "multiple choice", "At home; At work; Outdoors"),
    ("3", "How often do you drink?", "single choice", "Never; Once; Often"),
    ("4", "How long have you been here?", "number", ""),
    ("5", "What would help you?", "free text", ""),
)


def joined(sign: str, header: tuple[str, ...] = ("No", "X", "Y", "Z")) -> str:
    return "\n".join(sign.join(row) for row in (header, *ROWS))


@pytest.mark.parametrize("sign", ["\t", " | ", " || "])
@pytest.mark.parametrize("header", [("No", "Question", "Type", "Options"), ("Nr.", "Frage", "Art", "Werte")])
def test_the_columns_of_a_sheet_show_questions_kinds_and_answers(sign: str, header: tuple[str, ...]) -> None:
    found = [(each.kind, len(each.options)) for each in read_paste(joined(sign, header)).questions]
    assert found == [("yes_no", 0), ("several", 3), ("single", 3), ("number", 0), ("text", 0)]


def test_cells_between_quotation_marks_hold_commas_and_codes() -> None:
    text = (
        'name,label,type,choices\na,"Do you, at times?",yesno,\n'
        'b,"How often is that?",radio,"1, Never | 2, Often"\nc,"What else is there?",notes,'
    )
    reading = read_paste(text)
    assert [each.kind for each in reading.questions] == ["yes_no", "single", "text"]
    assert [option.points for option in reading.questions[1].options] == [1, 2]


def test_unknown_kinds_of_lists_are_asked_about() -> None:
    text = joined("\t").replace("multiple choice", "xyz").replace("single choice", "abc")
    assert all(not line.is_certain for line in read_paste(text).lines if line.line in (3, 4))


def test_multiple_choice_as_the_only_kind_of_lists_is_asked_about() -> None:
    rows = ["kind\ttext\toption1\toption2", "multiple_choice\tHow often?\tOnce\tOften"]
    rows += ["multiple_choice\tHow long?\tAn hour\tLonger", "number\tHow old are you?"]
    assert [line.is_certain for line in read_paste("\n".join(rows)).lines[1:3]] == [False, False]
    rows += ["single_choice\tHow far?\tA mile\tFarther"]
    assert [line.is_certain for line in read_paste("\n".join(rows)).lines[1:3]] == [True, True]


@pytest.mark.parametrize("kind", ["Single choice", "radio", "Einfachauswahl", "Choix unique", "单选题"])
def test_a_kind_that_means_one_answer_is_no_unread_cell(kind: str) -> None:
    rows = ["no;question;kind;answers", f"1;How often?;{kind};Never|Once|Often"]
    rows += [f"2;Where is it?;{kind};Home|Work|School", f"3;How far is it?;{kind};A mile|Less|More"]
    reading = read_paste("\n".join(rows))
    assert [len(each.options) for each in reading.questions] == [3, 3, 3]
    assert not any("was not read" in note.message for note in reading.notes)


def test_columns_with_letters_are_answers_and_the_key_beside_them_is_none() -> None:
    rows = ["Question\tA\tB\tC\tCorrect", "What did you take?\tTea\tCoffee\tMilk\tB"]
    rows += ["How often is it?\tNever\tOnce\tOften\tA", "Where is it?\tHere\tThere\tElsewhere\tC"]
    reading = read_paste("\n".join(rows))
    assert [len(each.options) for each in reading.questions] == [3, 3, 3]
    assert not any(line.is_certain for line in reading.lines[1:])


def test_tables_with_boxes_and_lists_of_words_are_no_sheets() -> None:
    table = "\tNever\tOften\nI am tired today\t☐\t☐\nI am happy now\t☐\t☐\nI sleep well\t☐\t☐"
    assert [len(each.options) for each in read_paste(table).questions] == [2, 2, 2]
    assert read_paste("tea, milk, bread\nsugar, salt, oil\nrice, beans, corn").questions == []


@pytest.mark.parametrize(
    "names", [("Question", "Answer 1", "Answer 2", "Answer 3"), ("题目", "选项A", "选项B", "选项C")]
)
def test_numbered_columns_hold_the_answers(names: tuple[str, ...]) -> None:
    rows = [
        "Where do you dig?\there\tthere\telsewhere",
        "Do you sing to beans?\tno\tyes\t",
        "Your remarks\t(free text)\t\t",
    ]
    reading = read_paste("\n".join(["\t".join(names), *rows]))
    assert [(each.kind, len(each.options)) for each in reading.questions][:2] == [
        ("single", 3),
        ("yes_no", 0),
    ]
    assert len(reading.questions) == 3


def test_kinds_ranges_and_codes_of_codebooks_are_not_answers() -> None:
    text = (
        "Name\tText\tWerte\na1\tWie oft beten Sie?\t{1, nie} {2, oft}\n"
        "a2\tWann sind Sie geboren?\toffen, vierstellig\n"
        "a3\tWer holt Wasser?\t1 Frau; 3 Kind unter 15; 4 Mann\na4\tWie alt sind Sie?\tZahl, 18–99"
    )
    found = [(each.kind, [one.texts["de"] for one in each.options]) for each in read_paste(text).questions]
    assert found[::2] == [("single", ["nie", "oft"]), ("single", ["Frau", "Kind unter 15", "Mann"])]
    assert not found[1][1]
    assert read_paste(text).questions[3].own["number"]["high"] == 99


NUMBERED = """No.\tQuestion\tAnswer 1\tAnswer 2\tAnswer 3
1\tWhich ward do you work in?\tA\tB\tC
2\tDo you work in home care or in a nursing home?\tHome care\tNursing home\t
3\tHave you taken medicines for your own use?\tYes\tNo\t
4\tHow many night shifts did you work?\t0-31\t\t
5\tI would report a colleague.\tAgree\tPartly agree\tDisagree
"""


def test_nothing_is_asked_about_answers_in_numbered_columns() -> None:
    """Each role was uncertain, and two answers were *not in a list*."""
    reading = read_paste(NUMBERED, ("en",))
    assert len(reading.questions) == 5
    assert not [note.message for note in reading.notes if note.effect == "uncertain"]


def test_a_cell_that_is_not_read_keeps_its_question_uncertain() -> None:
    reading = read_paste(NUMBERED.replace("Answer 3", "Answer 3\tLogic").replace("\tC\n", "\tC\twork-01\n"))
    assert 2 in {note.line for note in reading.notes if note.effect == "uncertain"}


def test_cells_of_a_sheet_with_semicolons_are_read_once() -> None:
    """Its lines were split again as rows of a table: each question was among its own answers."""
    head = "Lfd.;Frage;Antwort 1;Antwort 2;Antwort 3;Hinweis"
    rows = ("4;Wie zufrieden sind Sie?;sehr;eher;;Einfachnennung", "5;Wie viele Personen leben hier?;;;;Zahl")
    survey = read_paste("\n".join([head, *rows]), ("de",))
    assert [labels_of(each) for each in survey.questions] == [("sehr", "eher"), ()]
    assert survey.questions[1].kind == "number"


@pytest.mark.parametrize(
    ("sign", "codes", "labels"),
    [
        ("\t", "1=Never; 2=Often", ("Never", "Often")),
        (",", '"1=Never; 2=Often"', ("Never", "Often")),
        (";", "1=Nie, 2=Manchmal, 3=Oft", ("Nie", "Manchmal", "Oft")),
        ("\t", "0=Jamais | 1=Souvent", ("Jamais", "Souvent")),
        ("\t", "0=Never / 1=Sometimes / 2=Often", ("Never", "Sometimes", "Often")),
    ],
)
def test_answers_with_codes_are_no_conditions(sign: str, codes: str, labels: tuple[str, ...]) -> None:
    rows = [
        ["variable", "label", "values", "filter"],
        ["q1", "Do you smoke?", codes, ""],
        ["q2", "How often do you drink?", codes, ""],
        ["q3", "How often do you sleep badly?", codes, "q1=1"],
    ]
    reading = read_paste("\n".join(map(sign.join, rows)), ("en",))
    assert [labels_of(question) for question in reading.questions] == [labels] * 3
    assert [note.line for note in reading.notes if note.asks == "keep"] == []
    assert [bool(question.condition) for question in reading.questions] == [False, False, True]


@pytest.mark.parametrize("everyone", ["all", ""])
def test_a_column_that_says_who_is_asked_makes_no_row_doubtful(everyone: str) -> None:
    rows = [
        ("No.", "Question", "Answers", "Ask if"),
        ("Q1", "Do you have children?", "Yes / No", everyone),
        ("Q2", "Who looks after them?", "Partner / Nursery / Nobody", "Q1 = Yes"),
        ("Q3", "Would a nursery help?", "Yes / No / Not sure", "Q1 = Yes"),
    ]
    survey = read_paste("\n".join("\t".join(row) for row in rows))
    assert [bool(question.condition) for question in survey.questions] == [False, True, True]
    assert not [note for note in survey.notes if "may be something else" in note.message]


def test_people_in_a_column_of_conditions_are_asked_about() -> None:
    """*smokers* passed for a word that means everyone, and its condition was lost without a note."""
    rows = ["code\tquestion\tanswers\tfilter", "Q1\tDo you smoke?\tyes / no\t"]
    rows += [
        "Q2\tHow often?\tdaily / weekly\tQ1 = yes",
        "Q3\tDo you want to stop?\tyes / no\tsmokers",
    ]
    survey = read_paste("\n".join(rows))
    assert 4 in {note.line for note in survey.notes if note.effect in ("uncertain", "unclear")}


@pytest.mark.parametrize(
    "boxes", [("☐ Yes", "☐ No", "☐ Unsure"), ("○ Yes", "○ No", "○ Unsure"), ("Yes", "No", "Unsure")]
)
def test_cells_are_answers_although_another_row_has_a_space(boxes: tuple[str, ...]) -> None:
    """The answers of all rows were lost, because one row says what to write."""
    rows = ["\t".join([asked, *boxes]) for asked in ("1. Do you smoke?", "2. Do you drink?")]
    survey = read_paste("Form\n\n" + "\n".join([*rows, "3. How much do you pay?\t£ ____"]), ("en",))
    assert [text_of(each) for each in survey.questions[:2]] == ["Do you smoke?", "Do you drink?"]
    assert [labels_of(each) for each in survey.questions] == [("Yes", "No", "Unsure")] * 2 + [()]
    assert survey.questions[2].kind == "number"


@pytest.mark.parametrize(
    ("kind", "ends"), [("numero (0-45)", (0, 45)), ("Zahl: 0-60", (0, 60)), ("number [1-9]", (1, 9))]
)
def test_a_range_behind_the_kind_of_a_number_counts(kind: str, ends: tuple[int, int]) -> None:
    """It was lost in silence, and 0 to 99 could be answered."""
    rows = [
        "code\tquestion\tanswers",
        f"A1\tHow many years?\t{kind}",
        "A2\tWhy did you come?\tfree text",
        "A3\tDo you smoke?\tyes/no",
    ]
    number = read_paste("\n".join(rows)).questions[0].own["number"]
    assert (number["low"], number["high"]) == ends


def test_commas_within_brackets_separate_no_cells() -> None:
    lines = [
        "- Was trinkt ihr? (Bier, Wein, Saft)",
        "- Was esst ihr? (Obst, Brot, Eis)",
        "- Wo? (hier, da, dort)",
    ]
    survey = read_paste("Fest\n\n" + "\n".join(lines), ("de",))
    assert [len(each.options) for each in survey.questions] == [3, 3, 3]


def test_a_cell_that_names_a_question_and_an_answer_is_a_condition() -> None:
    rows = ["题号\t题目\t题型\t选项\t显示条件", "1\t婚姻状况\t单选\t未婚；已婚；离异\t"]
    rows += ["2\t结婚多少年了\t数字\t\t第1题选“已婚”", "3\t每天做家务多少分钟\t数字\t\t"]
    assert [bool(each.condition) for each in read_paste("\n".join(rows)).questions] == [False, True, False]


def test_an_answer_in_its_own_column_does_not_ask_for_several() -> None:
    """*Varias veces* made the question a list of boxes."""
    rows = ["Pregunta\tOpción 1\tOpción 2\tOpción 3", "¿Cómo va su hijo?\tContento\tNormal\tObligado"]
    rows += ["¿Ha insultado a un árbitro?\tNunca\tUna vez\tVarias veces"]
    assert [each.kind for each in read_paste("\n".join(rows)).questions] == ["single", "single"]


@pytest.mark.parametrize("mark", ["{}. ", "{}) "])
def test_letters_in_front_of_the_questions_of_a_sheet_are_left_out(mark: str) -> None:
    texts = ("How many seasons?", "How many miles?", "How many rooms?")
    rows = [
        f"{mark.format(letter)}{text}\t\tyears\t0\t{high}"
        for letter, text, high in zip("ABC", texts, (9, 20, 30), strict=True)
    ]
    survey = read_paste("Farm\n\n" + "\n".join(["Question\tYour answer\tunit\tfrom\tto", *rows]), ("en",))
    assert [text_of(question) for question in survey.questions] == [*texts]


def test_the_first_question_of_a_sheet_with_codes_is_no_header() -> None:
    """Before, it was the title."""
    rows = (
        "Q1\tYear of arrival\t____\nQ2\tMain reason\t1 = work; 2 = study\nQ3\tWas it hard?\t1 = yes; 0 = no"
    )
    assert len(read_paste(rows, ("en",)).questions) == 3


def test_an_answer_with_the_code_of_a_missing_one_stays() -> None:
    rows = "No.\tQuestion\tAnswers\n1\tDo you travel?\t1 yes, 2 no\n2\tWho robbed you?\t"
    survey = read_paste(f"{rows}1 police, 2 a gang, 3 others, 9 no answer", ("en",))
    assert len(survey.questions[1].options) == 4
