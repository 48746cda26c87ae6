"""Choices of an import report are repeated when the draft is made again from its text."""

from typing import Any

import pytest
from django.test import Client

from surveys.models import Survey
from tests.surveys.authoring.test_import_report import answered

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("read_here")]

BULLIED = "Work\n1. Have you been bullied?\n( ) Yes\n( ) No\nIf yes, by whom?\n( ) A boss\n( ) Another"
MORE = f"{BULLIED}\n2. Which of these do you use?\n3. Have you used drugs?\n( ) Yes\n( ) No"


def number_of(report: Any, asks: str) -> int:
    (number,) = [item["number"] for item in report.context["unclear"] if item["note"].asks == asks]
    return int(number)


def again(staff: Client, text: str) -> Any:
    survey = Survey.objects.get()
    page = f"/en/staff/surveys/{survey.slug}/build/text"
    return staff.post(page, {"pasted": text, "make": "", "revision": survey.revision})


@pytest.mark.parametrize("before", ["", "Please answer honestly.\n"])
@pytest.mark.parametrize("way", ["protect", "one", "keep", "leave"])
def test_options_and_typed_answers_are_kept_for_lines_that_remain(
    staff: Client, way: str, before: str
) -> None:
    report: Any = staff.post("/en/staff/surveys/new", {"pasted": MORE, "make": ""})
    chosen = {
        f"how_{number_of(report, 'skip')}": way,
        f"how_{number_of(report, 'answers')}": "keep",
        f"said_{number_of(report, 'answers')}": "pills\nalcohol",
    }
    answer = answered(staff, report, **chosen)
    if answer.status_code == 200:
        answered(staff, answer)
    first = Survey.objects.get().definition
    text = MORE.replace("Work\n", f"Work\n{before}")
    report = again(staff, text)
    assert {item["note"].asks: (item["how"], item["said"]) for item in report.context["unclear"]} == {
        "skip": (way, ""),
        "answers": ("keep", "pills\nalcohol"),
    }
    fields = {f"how_{item['number']}": item["how"] for item in report.context["unclear"]}
    fields |= {f"said_{item['number']}": item["said"] for item in report.context["unclear"]}
    answer = answered(staff, report, **fields)
    if answer.status_code == 200:
        answered(staff, answer)
    assert Survey.objects.get().definition["blocks"] == first["blocks"]


def test_rewordings_roles_and_protection_are_kept(staff: Client) -> None:
    text = "Work\nSome words\n1. Do you steal?\n( ) Yes\n( ) No\n2. How old are you?\n( ) under 30\n( ) older"
    report: Any = staff.post("/en/staff/surveys/new", {"pasted": text, "make": ""})
    report = answered(staff, report, role_2="left")
    change = {"kind_3": "yes_no", "text_3_en": "Have you ever stolen?", "apply": "3"}
    report = answered(staff, report, **change)
    report = answered(staff, report, protect="6")
    answered(staff, report)
    first = Survey.objects.get().definition
    assert "Have you ever stolen?" in str(first)
    report = again(staff, text.replace("Work\n", "Work\n\n"))
    assert "Your earlier choices are kept" in report.content.decode()
    answered(staff, report)
    second = Survey.objects.get()
    assert second.definition["blocks"] == first["blocks"]
    assert second.definition["about"] == first["about"]


def test_a_text_about_the_survey_goes_with_its_line(staff: Client) -> None:
    text = "Work\nPurpose: We want to know.\n1. How old are you?\n( ) under 30\n( ) older"
    report: Any = staff.post("/en/staff/surveys/new", {"pasted": text, "make": ""})
    answered(staff, report)
    assert Survey.objects.get().definition["about"]["purpose"] == {"en": "We want to know."}
    answered(staff, again(staff, text.replace("Purpose: We want to know.\n", "")))
    assert Survey.objects.get().definition["about"]["purpose"] == {"en": ""}
