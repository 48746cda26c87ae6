"""The import report shows source and result together, and creates a draft once all questions are resolved."""

import html
import re
from typing import Any, Final

import pytest
from django.core import signing
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from surveys.authoring.import_notes import draft_notes
from surveys.imports.drafts.questionnaire import Questionnaire
from surveys.models import AuditEvent, Survey
from tests.fixtures.workbooks import Lines, workbook
from tests.surveys.imports.roles.test_released_answers import LIST

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("read_here")]

TEXT_PAGE, REPORT = "/en/staff/surveys/new", "/en/staff/surveys/new/import"
TEXT = "Home\n1. Did anybody hit you?\n2. Marital status\n3. Please describe it."
CHOICES: Lines = [["list_name", "name", "label"], ["yn", "yes", "Yes"], ["yn", "no", "No"]]


def said(answer: Any) -> str:
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", answer.content.decode())).split())


def pasted(staff: Client, text: str = TEXT, **values: str) -> Any:
    return staff.post(TEXT_PAGE, {"pasted": text, "make": "", **values})


def made(staff: Client, page: str = TEXT_PAGE, **values: Any) -> Any:
    """Make a draft from a text, and confirm the report that lists what is stored as answered."""
    answer = staff.post(page, {"make": "", **values})
    return answer if answer.status_code != 200 else answered(staff, answer)


def imported(staff: Client, survey: Lines, **sheets: Lines) -> Any:
    raw = workbook(survey=survey, choices=CHOICES, **sheets)
    file = SimpleUploadedFile("form.xlsx", raw)
    return staff.post("/en/staff/surveys/new", {"make": "1", "slug": "form", "file": file})


def answered(staff: Client, report: Any, **answers: str) -> Any:
    named = {name.replace("_", "-"): text for name, text in answers.items()}
    return staff.post(REPORT, {"questionnaire": report.context["token"], **named})


@pytest.mark.soak
def test_the_report_shows_source_and_result_and_stores_nothing(staff: Client) -> None:
    report = pasted(staff)
    assert report.status_code == 200
    assert "1 question is ready. Changed: 0. Left out: 0." in said(report)
    assert "Line 2 1. Did anybody hit you? Did anybody hit you? ○ Yes ○ No" in said(report)
    assert "Line 3: This question needs options." in said(report)
    assert "Line 4: This asks for free text" in said(report)
    assert not Survey.objects.exists()


def test_steps_of_a_number_are_stated_on_the_report_the_plan_and_the_last_page_before_publishing(
    staff: Client,
) -> None:
    steps = "Answers are sent in steps of 5: 0 and 1 to 4 cannot be told apart."
    report = pasted(staff, f"{TEXT}\n5. How many times were you hit?\n____ times")
    assert steps in said(report)
    answered(staff, report, how_0="leave", how_1="leave", how_2="leave")
    assert Survey.objects.get().definition["blocks"]
    plan = said(staff.get("/en/staff/surveys/home/plan"))
    assert f"{steps} Change this in the builder" in plan
    page = said(staff.get("/en/staff/surveys/home/publish"))
    assert f"“How many times were you hit?”: {steps}" in page


@pytest.mark.soak
def test_a_draft_is_created_once_all_unclear_points_are_resolved(staff: Client) -> None:
    report = pasted(staff)
    answer = answered(staff, report, how_0="keep", said_0="Married\nSingle", how_1="leave")
    assert answer.headers["Location"] == "/en/staff/surveys/home/plan"
    survey = Survey.objects.get()
    questions = [question for block in survey.definition["blocks"] for question in block["questions"]]
    assert sorted(question["kind"] for question in questions) == ["single", "yes_no"]
    assert survey.draft_revisions.get().pasted == TEXT


@pytest.mark.parametrize(
    ("answers", "wrong"),
    [
        ({}, "Choose what to do."),
        ({"how_0": "leave"}, "Choose what to do."),
        ({"how_0": "keep", "how_1": "leave"}, "Write at least two answers"),
        ({"how_0": "keep", "said_0": "Married", "how_1": "leave"}, "Write at least two answers"),
        ({"how_0": "perhaps", "how_1": "leave"}, "Choose what to do."),
    ],
)
def test_incomplete_answers_block_the_import(staff: Client, answers: dict[str, str], wrong: str) -> None:
    report = answered(staff, pasted(staff), **answers)
    assert report.status_code == 422
    assert wrong in said(report)
    assert not Survey.objects.exists()


@pytest.mark.soak
def test_an_unclear_question_can_become_a_number(staff: Client) -> None:
    report = pasted(staff, "Home\n1. Salary\n2. Do you?")
    answered(staff, report, how_0="keep", said_0="0-60")
    (question,) = (
        question
        for block in Survey.objects.get().definition["blocks"]
        for question in block["questions"]
        if question["kind"] == "number"
    )
    assert (question["number"]["low"], question["number"]["high"]) == (0, 60)


def test_imports_without_any_remaining_question_are_rejected(staff: Client) -> None:
    report = answered(staff, pasted(staff, "Home\n1. Marital status"), how_0="leave")
    assert report.status_code == 422
    assert "nothing is left to ask" in said(report).lower()
    assert not Survey.objects.exists()


@pytest.mark.soak
def test_the_user_chooses_the_language_of_a_text(staff: Client) -> None:
    # Too little text to recognise its language.
    text = "Koti\n1. Nukutko?\nKyllä\nEi"
    report = pasted(staff, text)
    assert answered(staff, report, said_0="no-language").status_code == 422
    answered(staff, report, said_0="fi")
    survey = Survey.objects.get()
    assert survey.definition["languages"] == ["fi"]
    assert survey.definition["title"] == {"fi": "Koti"}


@pytest.mark.soak
def test_conditional_questions_are_asked_of_everyone_or_omitted(staff: Client) -> None:
    text = "Home\nQ1 Do you?\nQ2 If yes, do you?"
    for how, count in (("keep", 2), ("leave", 1)):
        Survey.objects.all().delete()
        answered(staff, pasted(staff, text), how_0=how)
        survey = Survey.objects.get()
        assert sum(len(block["questions"]) for block in survey.definition["blocks"]) == count


@pytest.mark.soak
def test_unchanged_forms_skip_the_report(staff: Client) -> None:
    survey = [["type", "name", "label"], ["select_one yn", "hit", "Has anybody hit you?"]]
    titled = imported(staff, survey, settings=[["form_title"], ["Home"]])
    assert titled.headers["Location"] == "/en/staff/surveys/form/plan"


def test_a_missing_title_is_written_in_the_report_and_kept_when_lines_are_read_again(staff: Client) -> None:
    report = pasted(staff, "1. Have you been hit at home?\n2. Have you hit somebody?")
    page = said(report)
    assert "No title was found." in page
    assert "the survey has no title" not in page
    again = answered(staff, report, title_en="Violence", read_again="1", role_2="left")
    assert 'value="Violence"' in again.content.decode()
    assert "No title was found." not in said(again)
    assert answered(staff, again).headers["Location"] == "/en/staff/surveys/violence/plan"
    survey = Survey.objects.get()
    assert survey.title == {"en": "Violence"}
    # Making the draft again from its text keeps the title.
    sent = {"make": "1", "pasted": survey.draft_revisions.get().pasted, "revision": survey.revision}
    again = staff.post("/en/staff/surveys/violence/build/text", sent)
    answered(staff, again)
    survey.refresh_from_db()
    assert survey.title == {"en": "Violence"}


def test_without_a_title_pages_show_the_first_words_of_the_survey(staff: Client) -> None:
    report = pasted(staff, "1. Have you been hit at home in the last twelve months by anybody at all?")
    plan = answered(staff, report).headers["Location"]
    assert "Have you been hit at home in the last twelve months by…" in said(staff.get(plan))
    assert Survey.objects.get().title == {"en": "Have you been hit at home in the last twelve months by…"}


@pytest.mark.soak
def test_the_plan_gives_the_reason_for_a_question_that_a_condition_names(staff: Client) -> None:
    survey = [["type", "name", "label", "relevant"], ["select_one yn", "hit", "Has anybody hit you?"]]
    survey.append(["select_one yn", "hurt", "Were you hurt?", "${hit} = 'yes'"])
    report = imported(staff, survey)
    plan = staff.get(answered(staff, report, how_0="keep").headers["Location"])
    assert said(plan).count("Its answer decides who is asked other questions, so it can be read") == 1
    assert "If it is protected, these questions are asked whatever people answer: Were you hurt?" in said(
        plan
    )


@pytest.mark.soak
def test_import_differences_are_grouped_by_cause_with_examples(staff: Client) -> None:
    texts = [["text", f"t{number}", "Why?"] for number in range(8)]
    report = imported(
        staff, [["type", "name", "label"], ["select_one yn", "hit", "Has anybody hit you?"], *texts]
    )
    assert "Left out: 8." in said(report)
    assert said(report).count("Text: free text") == 1
    assert "row 5, column type The same in 5 more places." in said(report)
    assert answered(staff, report).headers["Location"] == "/en/staff/surveys/form/plan"
    assert len(AuditEvent.objects.get(action="draft_create").detail["not_kept"]) == 8


def test_the_report_shows_yes_and_no_in_the_language_of_the_question(staff: Client) -> None:
    """It showed "Yes" and "No" of a German text, of which respondents read "Ja" and "Nein"."""
    asked = "1. Haben Sie Tabletten genommen?\n- ja\n- nein\n2. An wie vielen Tagen? 0-30"
    report = pasted(staff, f"Arbeit\n{asked}\n3. Wie alt sind Sie?\n- 18-29\n- 30-44")
    assert "○ Ja ○ Nein" in said(report)


def test_losses_are_listed_first_and_numbers_with_their_range(staff: Client) -> None:
    survey = [["type", "name", "label", "required", "constraint"]]
    survey += [
        ["integer", "n", "How many?", "yes", ". >= 0 and . < 51"],
        ["date", "d", "When?"],
        ["text", "t", "?"],
    ]
    page = said(imported(staff, survey))
    assert page.index("Left out Text:") < page.index("Changed The form requires an answer")
    steps = "Answers are sent in steps of 3: 0 and 1 to 2 cannot be told apart."
    assert f"Row 2 integer · n How many? a number 0–50 {steps}" in page
    assert "Row 3 date · d When? a date protected" in page
    assert "the form does not say which answers are possible" in page


@pytest.mark.soak
def test_forms_without_usable_questions_stay_on_the_import_page(staff: Client) -> None:
    page = imported(staff, [["type", "name", "label"], ["text", "why", "Why?"]])
    assert page.status_code == 422
    assert "nothing in this file can be asked here" in said(page)
    assert not Survey.objects.exists()


def test_a_form_that_cannot_be_asked_is_refused_with_the_reason_for_each_row(staff: Client) -> None:
    page = imported(
        staff, [["type", "name", "label"], ["select_one nowhere", "hit", "Hit?"], ["text", "why", "Why?"]]
    )
    assert page.status_code == 422
    assert "survey, row 2 the row is left out, because it is not valid" in said(page)
    assert "List name not in choices sheet: nowhere" in said(page)
    assert "survey, row 3, column type" in said(page)


def test_unknown_form_languages_are_asked_for_and_must_be_distinct(staff: Client) -> None:
    survey = [
        ["type", "name", "label::English (en)", "label::My tongue"],
        ["select_one yn", "hit", "Has anybody hit you?", "Hit?"],
    ]
    report = imported(staff, survey)
    assert "already" in said(answered(staff, report, said_0="en"))
    answered(staff, report, said_0="sw")
    definition = Survey.objects.get().definition
    assert definition["languages"] == ["en", "sw"]
    assert definition["blocks"][0]["questions"][0]["text"] == {"en": "Has anybody hit you?", "sw": "Hit?"}


def test_tampered_import_reports_are_rejected(staff: Client) -> None:
    token = pasted(staff).context["token"]
    for forged in ("", token[:-3], f"x{token}"):
        answer = staff.post(REPORT, {"questionnaire": forged})
        assert answer.status_code == 422
        assert "nothing was imported" in said(answer)
    # A report has no address of its own.
    assert staff.get(REPORT).headers["Location"] == "/en/staff/surveys/new"


def test_drafts_can_be_recreated_from_an_unclear_text(staff: Client) -> None:
    pasted(staff, "Home\n1. Did anybody hit you?")
    survey = Survey.objects.get()
    page = f"/en/staff/surveys/{survey.slug}/build/text"
    report = staff.post(page, {"pasted": TEXT, "make": "", "revision": survey.revision})
    answer = answered(staff, report, how_0="keep", said_0="Married\nSingle", how_1="leave")
    assert answer.headers["Location"] == f"/en/staff/surveys/{survey.slug}/build/"
    again = answered(staff, report, how_0="keep", said_0="Married\nSingle", how_1="leave")
    assert again.status_code == 409


SCALE: Final = (
    "Mood\n1. How often are you sad?\n(0) Never\n(1) Often\n2. How often are you tired?\n(0) Never\n(1) Often"
    "\nScore: 0-1 low, 2-2 high"
)


@pytest.mark.soak
@pytest.mark.parametrize(("how", "count"), [("one", 1), ("each", 2)])
def test_a_pasted_scale_becomes_one_answer_unless_the_user_sends_each(
    staff: Client, how: str, count: int
) -> None:
    report = pasted(staff, SCALE)
    assert "Phones add up these points and send nothing else" in said(report)
    assert "Check the licence of this instrument." in said(report)
    assert "Question Points Reversed How often are you sad?" in said(report)
    (point,) = report.context["unclear"]
    name = f"how_{point['number']}"
    assert answered(staff, report, **{name: "leave"}).status_code == 422
    answered(staff, report, **{name: how})
    questions = [each for block in Survey.objects.get().definition["blocks"] for each in block["questions"]]
    assert len(questions) == count
    assert ["computed" in question for question in questions] == [how == "one"] * count


def test_a_score_without_one_of_its_questions_is_refused(staff: Client) -> None:
    report = pasted(staff, SCALE.replace("2. How often are", "2. If so, how often are"))
    numbers = {point["note"].asks: point["number"] for point in report.context["unclear"]}
    answers = {f"how_{numbers['keep']}": "leave", f"how_{numbers['score']}": "one"}
    refused = answered(staff, report, **answers)
    assert refused.status_code == 422
    assert "One of its questions is left out. Keep it, or send each answer." in said(refused)
    answered(staff, report, **answers | {f"how_{numbers['score']}": "each"})
    assert [len(block["questions"]) for block in Survey.objects.get().definition["blocks"]] == [1]


@pytest.mark.soak
def test_uncertain_lines_have_a_menu_and_the_text_is_read_again_around_it(staff: Client) -> None:
    text = "Work\n1. How old are you?\n- under 30\n- older\n\n2. Do you lie?\n- Yes\n- No\nSometimes"
    report = pasted(staff, text)
    assert [line.number for line in report.context["lines"]["uncertain"]] == [9]
    assert [line.number for line in report.context["lines"]["all"]] == [1, 2, 3, 4, 6, 7, 8, 9]
    again = answered(staff, report, role_9="answer", read_again="1")
    assert report.context["lines"]["uncertain"][0].role == "left"
    assert [len(row.question.options) for row in again.context["rows"]] == [2, 3]
    assert again.context["lines"]["uncertain"] == []
    # The choice is kept by later presses.
    other = answered(staff, again, **{"other-line": "4", "other-role": "left", "read_again": "1"})
    assert [len(row.question.options) for row in other.context["rows"]] == [1, 3]
    assert not Survey.objects.exists()


@pytest.mark.soak
def test_reading_again_keeps_what_was_decided(staff: Client) -> None:
    """Both were lost: the protection that the researcher chose, and an answer typed on the report."""
    text = "Work\n1. Do you lie?\n- Yes\n- No\nAt home\n\n2. Marital status\n3. Your colour?\n- Red\n- Blue"
    stored = answered(staff, pasted(staff, text), store="8")
    assert [row.question.is_protected for row in stored.context["rows"]][-1] is False
    (number,) = [each["number"] for each in stored.context["unclear"]]
    typed = {f"how-{number}": "ask", f"said-{number}": "Single\nMarried"}
    again = answered(staff, stored, role_5="heading", read_again="1", **typed)
    assert [row.question.is_protected for row in again.context["rows"]][-1] is False
    assert "Single\nMarried" in again.content.decode()


@pytest.mark.parametrize("line", ["x", "99", "6"])
def test_a_number_without_a_line_is_refused(staff: Client, line: str) -> None:
    """It used to be ignored in silence."""
    report = pasted(staff, "Work\n1. Do you lie?\n- Yes\n- No\nAt home\n\n2. How old are you?\n- 20\n- 30")
    again = answered(staff, report, **{"other-line": line, "other-role": "left", "read_again": "1"})
    assert again.status_code == 422
    assert f"Line {line} of the text does not exist or is empty" in said(again)


@pytest.mark.parametrize("values", [{"role_5": "king"}, {"role_x": "left"}])
def test_unknown_lines_and_roles_change_nothing(staff: Client, values: dict[str, str]) -> None:
    report = pasted(staff, "Work\n1. Do you lie?\n- Yes\n- No\nAt home\n\n2. How old are you?\n- 20\n- 30")
    again = answered(staff, report, **values, read_again="1")
    assert again.status_code == 200
    assert [len(row.question.options) for row in again.context["rows"]] == [0, 2]


MENUS: Final = "Sleep\n1. Do you take pills?\n2. How often do you dream?\n- Never\n- Often\n3. Which pill?"


def reading_of(report: Any) -> Questionnaire:
    """Return the questionnaire that a report carries."""
    payload = signing.loads(report.context["token"], salt="import-report")
    return Questionnaire.from_json(payload["survey"])


@pytest.mark.soak
def test_long_reports_show_the_menus_of_one_row_at_a_time(staff: Client) -> None:
    text = "Home\n" + "".join(f"{n}. Do you own {n + 1} cars?\n" for n in range(1, 42))
    report = pasted(staff, f"{text}42. Which one?")
    assert 'name="kind-' not in report.content.decode()
    opened = answered(staff, report, change="7")
    assert re.findall(r'name="kind-(\d+)', opened.content.decode()) == ["7"]
    assert re.search(
        r"<details[^>]* open[^>]*>(?:(?!</details>).)*kind-7", opened.content.decode(), re.DOTALL
    )
    again = answered(staff, opened, kind_7="one", answers_7="None\nSome", text_7_en="Cars?", apply="7")
    assert "Cars? ○ None ○ Some" in said(again)
    assert 'name="kind-' not in again.content.decode()
    refused = answered(staff, again, kind_7="one", answers_7="None", apply="7")
    assert re.findall(r'name="kind-(\d+)', refused.content.decode()) == ["7"]


@pytest.mark.soak
def test_a_report_of_many_questions_folds_them_and_opens_what_was_pressed(staff: Client) -> None:
    report = pasted(
        staff, "Home\n" + "".join(f"{n}. Do you own {n + 1} cars?\n" for n in range(1, 251)) + "What?"
    )
    page = report.content.decode()
    assert "Questions 1 to 100" in said(report)
    assert "Questions 201 to 251" in said(report)
    assert not re.search(r"<details[^>]* open", page)
    assert page.index("Answer these first") < page.index("Questions 1 to 100")
    opened = answered(staff, report, change="150")
    assert [group.is_open for group in opened.context["row_groups"]] == [False, True, False]


@pytest.mark.parametrize(
    "text",
    ["asdf qwer! " * 900, "x y z\n" * 1_500, "a\tb\n" + "1\t2\n" * 2_000, "%PDF-1.7 x", "<p>Hi?</p>"],
)
def test_what_is_no_questionnaire_is_refused_on_a_small_page(staff: Client, text: str) -> None:
    """A text of 15,000 lines without a question was answered with 3.9 MB, one of 40,000 numbers with 5 MB.

    A tenth of them suffices, because a tenth of such a page is more than the limit.
    """
    answer = pasted(staff, text)
    assert answer.status_code == 422
    assert len(answer.content) < 100_000 + 2 * len(text)
    assert answer.content.decode().count("Line ") < 10


@pytest.mark.soak
def test_lines_that_are_left_out_are_counted(staff: Client) -> None:
    """It said *Left out: 0* above a line that is left out."""
    report = pasted(
        staff, "Work\n1. Do you lie?\n- Yes\n- No\n2. Do you steal?\n- Yes\n- No\nThank you.\nGoodbye."
    )
    assert report.context["count"]["lost"] == 2


def test_less_certain_questions_are_marked_next_to_their_source_and_can_be_shown_alone(staff: Client) -> None:
    text = "T\n1. Do you lie?\n2. How often?\n- once\n- Twice\n- more\n3. Do you steal?\n4. Do you cheat?"
    report = pasted(staff, text)
    rows = {row.line: row for row in report.context["rows"]}
    assert [line for line, row in rows.items() if row.is_doubted] == [3]
    assert "capital letter" in " ".join([*rows[3].marks, *str(report.context["misread"])])
    page = report.content.decode()
    assert 'id="only-doubted"' in page
    assert page.count('class="import-doubted"') == 1


def test_each_remedy_is_below_the_notes_that_it_concerns(staff: Client) -> None:
    text = "Work\n1. Do you lie?\n- yes\n- No, never\n- very often indeed, and with pleasure as well as fun"
    report = pasted(staff, f"{text}\n2. Who?\n- I [1\n- You\n3. Why?")
    for group in report.context["misread"]:
        page = said(report)
        remedy = page.index(group["remedy"][1:])
        assert all(page.index(message[1:]) < remedy for message, _lines in group["notes"])


def test_points_to_complete_are_notes_of_the_draft(staff: Client) -> None:
    text = "Home\n1. Do you hide money?\n- True\n- False\n2. How do you feel?\n- Well\n- Other: ______\n- Ill"
    made(staff, pasted=text)
    notes = AuditEvent.objects.get(action="draft_create").detail["not_kept"]
    assert "line 2: its answers are asked as yes and no" in notes
    assert "line 7: the write-in space is left out; the answer before it stays" in notes


def test_a_role_that_changes_other_lines_lists_them_and_one_press_takes_it_back(staff: Client) -> None:
    first = pasted(staff, LIST, first="en")
    assert [row.line for row in first.context["rows"]] == [3, 10, 11, 12]
    again = answered(staff, first, role_3="heading", read_again="1")
    assert "5 other lines are now read differently:" in said(again)
    assert "Line 5 - Your age in years was: answer, now: left out" in said(again)
    assert [row.line for row in again.context["rows"]] == [10, 11, 12]
    # Another button keeps the list; the next reading removes it.
    pressed = answered(staff, again, protect="10")
    assert [line.number for line in pressed.context["lines"]["differing"]] == [4, 5, 6, 7, 9]
    back = answered(staff, again, read_again="undo")
    assert "The last change of roles was undone." in said(back)
    assert [row.line for row in back.context["rows"]] == [row.line for row in first.context["rows"]]
    assert back.context["lines"]["differing"] == []
    same = answered(staff, first, role_1="title", read_again="1")
    assert "All other lines are read as before." in said(same)


def test_each_press_says_what_it_did_at_its_place(staff: Client) -> None:
    report = pasted(staff, "Home\n1. How old are you?\n2. Did anybody hit you?\n3. Do you like tea?")
    line = str(next(row.question.line for row in report.context["stored"]))
    protected = answered(staff, report, protect=line)
    assert "“How old are you?” is now protected." in said(protected)
    stored = answered(staff, protected, store=line)
    assert stored.context["done"]["place"] == f"row-{line}"
    assert "This answer is now stored as given." in said(stored)
    assert stored.context["done"]["said"] in said(stored)
    moved = answered(staff, report, later=line)
    assert "This is now question 2 of 3." in said(moved)


def test_a_line_that_is_left_out_counts_and_is_called_left_out_and_all_lines_are_named(staff: Client) -> None:
    text = "Home\n1. Did anybody hit you?\n2. Do you like tea?\n" + "\n".join(
        f"{n}. Why?" for n in range(3, 8)
    )
    roles = {f"role_{line}": "left" for line in range(4, 9)}
    report = answered(staff, pasted(staff, text), read_again="1", **roles)
    assert "Changed: 0. Left out: 5." in said(report)
    assert "Left out This line is left out. Lines 4, 5, 6, 7, 8" in said(report)
    assert "Changed This line is left out" not in said(report)


def test_no_address_of_a_pasted_mail_gets_into_the_draft(staff: Client) -> None:
    mail = "From: Ada Roe <ada@example.org>\nDate: Tue, 24 Nov 2026 09:12\n\nHi,\n\n> what do you ask?\n\n"
    report = pasted(staff, f"{mail}1. Did anybody hit you?\n2. Do you hide money?", first="en")
    assert "Left out This line is left out. Lines 1, 2, 4, 6" in said(report)
    assert [line.number for line in report.context["lines"]["uncertain"]] == [4, 6]
    assert answered(staff, report).status_code == 302
    assert "@" not in str(Survey.objects.get().definition)


CHECKS = """Home
Dear all
1. Did anybody hit you?
2. Marital status
3. Did you tell anyone?
Please describe it.
Page 2"""


def test_each_question_that_is_asked_about_is_shown_alone_with_its_reason(staff: Client) -> None:
    """Rows marked *not understood* were hidden, and others gave no reason."""
    report = pasted(staff, CHECKS)
    survey = report.context["rows"]
    asked_about = {item["question"].line for item in report.context["unclear"] if item["question"]}
    for row in survey:
        is_doubted = row.line in asked_about or not row.question.is_asked
        assert row.is_doubted >= is_doubted, row.line
        assert bool(row.marks) >= is_doubted, row.line
    assert any(not row.question.is_asked for row in survey)
    n_doubted = sum(row.is_doubted for row in survey)
    assert f"{n_doubted} of {len(survey)} questions need" in said(report)


def test_a_report_with_less_certain_rows_does_not_call_all_roles_certain(staff: Client) -> None:
    report = pasted(staff, "Home\nHave you lied? yes no\nHave you stolen? yes no")
    assert all(row.marks for row in report.context["rows"])
    assert "2 of 2 questions need a check" in said(report)
    assert "show the role of every line" not in said(report)


def test_a_note_on_a_line_leads_to_its_row_and_quotes_the_line(staff: Client) -> None:
    report = pasted(staff, "Home\n1. Did anybody hit you?\n- x yes\n- x no\n- x perhaps\n2. Do you drink?")
    page = " ".join(report.content.decode().split())
    assert '<a href="#row-2">Line 2</a> <q dir="auto">1. Did anybody hit you?</q>' in page
    assert 'id="row-2"' in page


def test_lines_of_another_role_are_named_in_the_row_that_shows_them(staff: Client) -> None:
    """They looked like a part of the question above them."""
    report = pasted(staff, "Home\n1. Did anybody hit you?\n2. Marital status\n\nPage 2")
    (row,) = (row for row in report.context["rows"] if row.line == 3)
    assert [(text, role) for text, _is_marked, role in row.source] == [
        ("2. Marital status", ""),
        ("Page 2", "left out"),
    ]
    assert 'Page 2 <span class="tag">left out</span></p>' in report.content.decode()


def test_a_question_without_answers_can_introduce_the_questions_below_it(staff: Client) -> None:
    """The report used to offer only to leave such a lead-in out, or to write answers to it."""
    lead = "What do you think about these things?"
    report = pasted(staff, f"Home\n# Views\n{lead}\n1. Did anybody hit you?\n2. Do you lie?")
    assert "Make it the introduction of what follows" in said(report)
    answered(staff, report, how_0="introduce")
    (block,) = Survey.objects.get().definition["blocks"]
    assert [question["help"] for question in block["questions"]] == [{"en": lead}, {"en": lead}]


def test_the_last_question_of_a_part_introduces_nothing(staff: Client) -> None:
    report = pasted(staff, "Home\n1. Did anybody hit you?\n2. What do you think?")
    assert "Make it the introduction of what follows" not in said(report)
    assert "No question follows in this part." in said(answered(staff, report, how_0="introduce"))


APPENDIX = (
    "Home\n# You\n1. Did anybody hit you?\n# Appendix\n# More\n2. Do you lie?\n3. Where do you work? [open]"
)


def test_lines_that_are_left_out_are_named(staff: Client) -> None:
    """Only their numbers were, and a heading without questions seemed to belong to the question above it."""
    report = pasted(staff, f"{APPENDIX}\n- Office\n- Outside")
    assert "no question is below it. Line 4 “Appendix”" in said(report)
    first = next(row for row in report.context["rows"] if row.line == 3)
    assert [(text, role) for text, _is_marked, role in first.source][-1] == ("# Appendix", "heading")
    answered(staff, report)
    survey = Survey.objects.get()
    (note,) = (note for note in draft_notes(survey) if "line 4" in note)
    assert note.startswith("“Appendix” – line 4: this heading is left out")
    assert not [event for event in AuditEvent.objects.all() if "Appendix" in str(event.detail)]


SCALE_WITH_SKIP = """Mood
Purpose: To learn how people feel.
How often have you felt like this?
(0 = Not at all, 1 = Several days, 2 = Nearly every day)
1. Worthless
2. Afraid
Total 0-2 low, 3-4 high
3. Have you been beaten?
4. If yes, did you beat somebody?"""


def test_the_report_shows_where_texts_go_and_what_is_only_proposed(staff: Client) -> None:
    report = pasted(staff, SCALE_WITH_SKIP)
    page = said(report)
    assert "Texts about the survey Respondents find these texts under “About this survey”" in page
    assert "Purpose To learn how people feel." in page
    assert page.count("One of these is chosen as a proposal.") == 1
    # The score has a table of its own, so its questions need no check.
    assert [row.line for row in report.context["rows"] if row.is_doubted and row.line == 6] == []
    number = next(item["number"] for item in report.context["unclear"] if item["note"].asks == "score")
    assert "Checked: this table" not in page
    assert "Checked: this table" in said(answered(staff, report, update=str(number)))
