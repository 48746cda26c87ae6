"""A draft made from pasted text: the page shows how it read the text and lets you edit it again."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from surveys.imports.pasted import pasted_read
from surveys.imports.questionnaire import draft_of
from surveys.models import AuditEvent, Survey

pytestmark = pytest.mark.django_db

PAGE = "/en/staff/surveys/new/text"
TEXT = """Sleep | 睡眠
1. Do you sleep badly? | 您睡得不好吗？
2. How old are you? | 您几岁？
under 30 | 30 以下
older | 以上"""


def said(answer: Any) -> str:
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", answer.content.decode())).split())


def pasted(answer: Any) -> str:
    """Return the value of an answer's field, as a browser reads it."""
    area = re.search(r"<textarea[^>]*>\n(.*?)</textarea>", answer.content.decode(), re.DOTALL)
    assert area
    return html.unescape(area[1])


def test_what_is_understood_is_shown_and_nothing_is_kept(staff: Client) -> None:
    answer = staff.post(PAGE, {"pasted": TEXT, "read": ""})
    assert answer.status_code == 200
    assert "2 questions, 1 of them protected. In: English, 简体中文." in said(answer)
    assert "others can know this (How old), so it is not protected" in said(answer).replace(
        "Others", "others"
    )
    assert pasted(answer) == TEXT
    assert not Survey.objects.exists()


def test_a_script_is_given_the_part_that_changes(staff: Client) -> None:
    answer = staff.post(PAGE, {"pasted": TEXT, "part": "1"})
    assert b"<html" not in answer.content
    assert "2 questions" in said(answer)


def test_problems_stand_at_their_lines(staff: Client) -> None:
    answer = staff.post(PAGE, {"pasted": "Sleep\n- Hello\n1. Which drugs?", "read": ""})
    assert "Line 2 - Hello : this line does not belong to a question. To fix it:" in said(answer)
    assert "Line 3 1. Which drugs? : this question needs options." in said(answer)


def test_one_press_protects_a_question_in_the_text_itself(staff: Client) -> None:
    answer = staff.post(PAGE, {"pasted": TEXT, "flag": "3:protected"})
    assert pasted(answer).split("\n")[2] == "2. How old are you? | 您几岁？ [protected]"
    assert "2 questions, 2 of them protected" in said(answer)


def test_one_press_stores_a_number_as_answered(staff: Client) -> None:
    text = "Sleep\n1. How long do you sleep?\n0-24 hours"
    answer = staff.post(PAGE, {"pasted": text, "flag": "2:open"})
    assert pasted(answer).split("\n")[1] == "1. How long do you sleep? [open]"
    assert "1 question, 0 of them protected" in said(answer)
    answer = staff.post(PAGE, {"pasted": pasted(answer), "flag": "2:protected"})
    assert "1 question, 1 of them protected" in said(answer)


def test_the_draft_has_what_was_understood_and_its_builder_leads_back_to_the_text(staff: Client) -> None:
    text = f"{TEXT}\n\nThank you!"
    answer = staff.post(PAGE, {"pasted": text, "make": ""})
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
    assert pasted(staff.get("/en/staff/surveys/sleep/build/text")) == text


def test_a_second_survey_of_the_same_title_has_an_address_of_its_own(staff: Client) -> None:
    for _time in range(2):
        staff.post(PAGE, {"pasted": TEXT, "make": ""})
    staff.post(PAGE, {"pasted": "睡眠\n您睡得不好吗？", "make": ""})
    assert sorted(Survey.objects.values_list("slug", flat=True)) == ["sleep", "sleep-2", "survey"]


def test_the_text_can_be_mended_later_and_what_the_builder_added_stays(staff: Client) -> None:
    staff.post(PAGE, {"pasted": TEXT, "make": ""})
    survey = Survey.objects.get()
    survey.definition["about"]["contact"]["en"] = "ana@example.org"
    survey.definition["closes_at"] = "2027-01-01T00:00"
    survey.save()
    page = "/en/staff/surveys/sleep/build/text"
    more = f"{TEXT}\n3. Do you dream? | 您做梦吗？"
    answer = staff.post(page, {"pasted": more, "make": "", "revision": survey.revision})
    assert answer.headers["Location"] == "/en/staff/surveys/sleep/build/"
    survey.refresh_from_db()
    assert survey.definition["about"]["contact"]["en"] == "ana@example.org"
    assert survey.definition["closes_at"] == "2027-01-01T00:00"
    assert [len(block["questions"]) for block in survey.definition["blocks"]] == [2, 1]
    assert pasted(staff.get(page)) == more
    assert [one.pasted for one in survey.draft_revisions.all()] == [more, TEXT]


@pytest.mark.parametrize(
    ("values", "status"),
    [
        ({"pasted": "", "make": ""}, 422),
        ({"pasted": "Only a title", "make": ""}, 422),
        ({"pasted": "x" * 200_001, "make": ""}, 422),
        ({"pasted": TEXT, "first": "no-language", "make": ""}, 422),
        ({"pasted": TEXT, "flag": "nowhere:open"}, 200),
    ],
)
def test_what_is_no_survey_makes_no_draft(staff: Client, values: dict[str, str], status: int) -> None:
    assert staff.post(PAGE, values).status_code == status
    assert not Survey.objects.exists()


def test_a_text_of_another_tab_is_not_overwritten(staff: Client) -> None:
    staff.post(PAGE, {"pasted": TEXT, "make": ""})
    page = "/en/staff/surveys/sleep/build/text"
    answer = staff.post(page, {"pasted": f"{TEXT}\n3. More? | 还有吗？", "make": "", "revision": 0})
    assert answer.status_code == 409
    assert "saved revision 1 in the meantime" in said(answer)
    assert pasted(answer).endswith("还有吗？")
    assert len(Survey.objects.get().definition["blocks"]) == 2


def test_other_languages_are_chosen(staff: Client) -> None:
    text = "Sleep | Sommeil\n1. Bad? | Mal ?"
    staff.post(PAGE, {"pasted": text, "first": "en", "second": "fr", "make": ""})
    survey = Survey.objects.get()
    assert survey.definition["languages"] == ["en", "fr"]
    page = staff.get("/en/staff/surveys/sleep/build/text")
    assert page.context["reading"].languages == ("en", "fr")


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_the_example_beside_the_text_is_a_survey_and_shows_each_look(staff: Client, language: str) -> None:
    page = staff.get(PAGE.replace("/en/", f"/{language}/")).content.decode()
    (example,) = re.findall("<pre[^>]*>(.*?)</pre>", page, re.DOTALL)
    reading = pasted_read(html.unescape(example), ())
    asked = [question for block in draft_of(reading)["blocks"] for question in block["questions"]]
    assert [question.get("look") for question in asked] == [None, None, "matrix", "matrix", "slider", None]


def test_a_script_is_told_why_a_text_was_not_read(staff: Client) -> None:
    answer = staff.post(PAGE, {"pasted": "Sleep\x00\n1. Do you?", "part": "1"})
    assert answer.status_code == 422
    assert "Null characters are not allowed." in said(answer)


def test_an_experiment_of_the_builder_goes_with_the_questions_that_a_text_replaces(staff: Client) -> None:
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
