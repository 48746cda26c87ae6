"""A text is read while it is written, and becomes a draft; later the draft is made again from it."""

import html
import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from surveys.imports.drafts.imported_drafts import draft_of
from surveys.imports.pasted_text import read_paste
from surveys.models import AuditEvent, Survey
from tests.surveys.authoring.test_import_report import answered, made, said

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("read_here")]

PAGE = "/en/staff/surveys/new"
SLEEP_TEXT = """Sleep | 睡眠
1. Do you sleep badly? | 您睡得不好吗？
2. How old are you? | 您几岁？
under 30 | 30 以下
older | 以上"""


def shown_text(answer: Any) -> str:
    """Return the value of a response's text field, as a browser reads it."""
    area = re.search(r"<textarea[^>]*>\n(.*?)</textarea>", answer.content.decode(), re.DOTALL)
    assert area
    return html.unescape(area[1])


@pytest.mark.soak
def test_reading_shows_the_interpretation_and_stores_nothing(staff: Client) -> None:
    answer = staff.post(PAGE, {"pasted": SLEEP_TEXT, "read": ""})
    assert answer.status_code == 200
    assert "2 questions, 1 of them protected. Languages: English, 简体中文." in said(answer)
    assert "It only asks for background that others know (age)." in said(answer)
    assert shown_text(answer) == SLEEP_TEXT
    assert not Survey.objects.exists()


@pytest.mark.soak
def test_scripts_receive_the_changed_fragment_or_why_a_text_is_unreadable(staff: Client) -> None:
    answer = staff.post(PAGE, {"pasted": SLEEP_TEXT, "part": "1"})
    assert b"<html" not in answer.content
    assert "2 questions" in said(answer)
    answer = staff.post(PAGE, {"pasted": "Sleep\x00\n1. Do you?", "part": "1"})
    assert answer.status_code == 422
    sentence = "Line 1 contains an invisible null character. Delete this line and type it again."
    assert sentence in said(answer)


@pytest.mark.soak
def test_problems_are_shown_at_their_lines(staff: Client) -> None:
    answer = staff.post(PAGE, {"pasted": "Sleep\n- Hello\n1. Which drugs?", "read": ""})
    assert "Line 2 - Hello : this line is left out. To fix it:" in said(answer)
    assert "Line 3 1. Which drugs? : this question needs options." in said(answer)
    assert "No questions were found. To fix it: n" in said(staff.post(PAGE, {"pasted": "Sleep", "read": ""}))


@pytest.mark.soak
def test_drafts_contain_the_parsed_text_and_link_back_to_it(staff: Client) -> None:
    text = f"{SLEEP_TEXT}\n\nThank you!"
    answer = made(staff, pasted=text)
    assert answer.headers["Location"] == "/en/staff/surveys/sleep/plan"
    survey = Survey.objects.get()
    assert survey.title == {"en": "Sleep", "zh-hans": "睡眠"}
    assert survey.owner == User.objects.get(username="ana")
    assert [block["protected"] for block in survey.definition["blocks"]] == [True, False]
    event = AuditEvent.objects.get(action="draft_create")
    assert event.detail["source"] == "text"
    assert "Thank you" not in str(event.detail)
    builder = staff.get("/en/staff/surveys/sleep/build/")
    assert "surveys/sleep/build/text" in builder.content.decode()
    assert shown_text(staff.get("/en/staff/surveys/sleep/build/text")) == text


@pytest.mark.soak
def test_surveys_with_the_same_title_get_different_addresses(staff: Client) -> None:
    made(staff, pasted=SLEEP_TEXT)
    made(staff, pasted=SLEEP_TEXT + "\n3. Do you dream? | 您做梦吗？")
    made(staff, pasted="睡眠\n您睡得不好吗？")
    assert sorted(Survey.objects.values_list("slug", flat=True)) == ["sleep", "sleep-2", "survey"]


@pytest.mark.soak
def test_editing_the_text_later_keeps_builder_settings_and_saves_of_other_tabs(staff: Client) -> None:
    made(staff, pasted=SLEEP_TEXT)
    page = "/en/staff/surveys/sleep/build/text"
    more = f"{SLEEP_TEXT}\n3. Do you dream? | 您做梦吗？"
    answer = made(staff, page, pasted=more, revision=0)
    assert answer.status_code == 409
    assert "saved revision 1 in the meantime" in said(answer)
    assert more.splitlines()[-1] in said(answer)
    survey = Survey.objects.get()
    assert len(survey.definition["blocks"]) == 2
    survey.definition["about"]["contact"]["en"] = "ana@example.org"
    survey.definition["closes_at"] = "2027-01-01T00:00"
    survey.save()
    answer = made(staff, page, pasted=more, revision=survey.revision)
    assert answer.headers["Location"] == "/en/staff/surveys/sleep/build/"
    survey.refresh_from_db()
    assert survey.definition["about"]["contact"]["en"] == "ana@example.org"
    assert survey.definition["closes_at"] == "2027-01-01T00:00"
    assert [len(block["questions"]) for block in survey.definition["blocks"]] == [1, 1, 1]
    assert shown_text(staff.get(page)) == more
    assert [one.pasted for one in survey.draft_revisions.all()] == [more, SLEEP_TEXT]


@pytest.mark.parametrize(
    "values",
    [
        {"pasted": ""},
        {"pasted": "Only a title"},
        {"pasted": "x" * 200_001},
        {"pasted": SLEEP_TEXT, "first": "no-language"},
    ],
)
def test_invalid_surveys_create_no_draft(staff: Client, values: dict[str, str]) -> None:
    assert staff.post(PAGE, values | {"make": ""}).status_code == 422
    assert not Survey.objects.exists()


@pytest.mark.soak
def test_the_user_can_choose_other_languages(staff: Client) -> None:
    text = "Sleep | Sommeil\n1. Do you sleep badly? | Dormez-vous mal ?"
    staff.post(PAGE, {"pasted": text, "first": "en", "second": "fr", "make": ""})
    survey = Survey.objects.get()
    assert survey.definition["languages"] == ["en", "fr"]
    page = staff.get("/en/staff/surveys/sleep/build/text")
    assert page.context["reading"].languages == ("en", "fr")


@pytest.mark.soak
@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_the_example_is_a_valid_survey_with_every_look(staff: Client, language: str) -> None:
    page = staff.get(PAGE.replace("/en/", f"/{language}/")).content.decode()
    (example,) = re.findall("<pre[^>]*>(.*?)</pre>", page, re.DOTALL)
    reading = read_paste(html.unescape(example), ())
    asked = [question for block in draft_of(reading)["blocks"] for question in block["questions"]]
    assert [question.get("look") for question in asked] == [None, None, "slider", "matrix", "matrix", None]


@pytest.mark.soak
def test_replacing_questions_by_text_removes_their_experiment(staff: Client) -> None:
    text = "Sleep\n1. Do you sleep badly?"
    staff.post(PAGE, {"pasted": text, "make": ""})
    survey = Survey.objects.get()
    said = {"question": "explanation", "texts": {"a": {"en": "{odds}"}, "b": {"en": "Why? {odds}"}}}
    survey.definition |= {"explanations": said, "invited": "explanation"}
    survey.save()
    page = f"/en/staff/surveys/{survey.slug}/build/text"
    staff.post(page, {"pasted": text, "make": "", "revision": survey.revision})
    survey.refresh_from_db()
    assert not survey.definition.keys() & {"explanations", "invited"}


@pytest.mark.soak
def test_a_draft_made_again_with_other_choices_has_nothing_of_the_first(staff: Client) -> None:
    bullied = "Work\n1. Have you been bullied?\n( ) Yes\n( ) No\nIf yes, by whom?\n"
    text = f"{bullied}[ ] A supervisor\n[ ] A colleague\n[ ] Somebody else"
    report = staff.post(PAGE, {"pasted": text, "make": ""})
    (number,) = [item["number"] for item in report.context["unclear"] if item["note"].asks == "skip"]
    answered(staff, report, **{f"how_{number}": "leave"})
    first = Survey.objects.get()
    again = staff.post(
        f"/en/staff/surveys/{first.slug}/build/text", {"pasted": text, "make": "", "revision": first.revision}
    )
    answered(staff, again, **{f"how_{number}": "protect"})
    second = Survey.objects.get()
    assert [stem["text"]["en"] for stem in second.definition["stems"]] == ["If yes, by whom?"]
    assert staff.get(f"/en/staff/surveys/{second.slug}/plan").status_code == 200
    assert "Unknown stem" not in said(staff.get(f"/en/staff/surveys/{second.slug}/build/"))


@pytest.mark.parametrize(
    ("text", "has_report"), [(SLEEP_TEXT, True), ("T\n1. Do you lie?\n( ) Yes\n( ) No", False)]
)
def test_a_text_whose_choices_were_not_stored_says_that_the_report_asks_again(
    staff: Client, text: str, has_report: bool
) -> None:
    made(staff, pasted=text)
    survey = Survey.objects.get()
    page, note = f"/en/staff/surveys/{survey.slug}/build/text", "so the report asks again"
    assert note not in said(staff.get(page))
    # As of versions without the column.
    survey.draft_revisions.update(choices=None)
    assert (note in said(staff.get(page))) == has_report


DECIDING = "Home\n1. Do you drink?\n- yes\n- no\nIf yes:\n2. Do you drink at work?\n- yes\n- no"


def test_the_page_says_what_only_the_import_report_can_settle(staff: Client) -> None:
    """The remedies named menus and buttons that this page does not have."""
    page = said(staff.post(PAGE, {"pasted": DECIDING, "read": ""}, follow=True))
    assert page.count("You settle this in the import report, which opens next.") == 1
    assert "Change who is asked" not in page
    assert "keep the skip" not in page


def test_the_text_of_a_draft_does_not_repeat_what_its_report_settled(staff: Client) -> None:
    report = staff.post(PAGE, {"pasted": DECIDING, "make": ""}, follow=True)
    answers = {"questionnaire": report.context["token"], "how-0": "protect"}
    staff.post("/en/staff/surveys/new/import", answers)
    page = said(staff.get("/en/staff/surveys/home/build/text"))
    assert "You settled 1 other point in the import report. Your choice is kept." in page
    assert "Places to check" not in page


def test_an_empty_text_next_to_a_chosen_file_has_no_problems(staff: Client) -> None:
    part = said(staff.post(PAGE, {"pasted": "", "part": "1"}))
    assert part == "The questions found in your text will appear here."


def test_a_question_that_cannot_be_asked_yet_is_not_counted(staff: Client) -> None:
    """Free text counted as a protected question, and the import report counted one fewer."""
    text = "Sleep\n1. Do you sleep badly?\n2. Is there anything else you would like to tell us?\n____________"
    answer = staff.post(PAGE, {"pasted": text, "read": ""})
    assert "1 question, 1 of them protected" in said(answer)
