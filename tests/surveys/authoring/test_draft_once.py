"""The same document makes a second draft only after a question, whichever form sends it."""

from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from surveys.authoring.draft_once import make_draft
from surveys.models import Survey
from tests.fixtures.drafts import another_draft, published_survey, start_survey
from tests.fixtures.staff import seen_by
from tests.fixtures.workbooks import form
from tests.surveys.authoring.test_new_draft import upload

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("read_here")]

NEW = "/en/staff/surveys/new"
SCORED = """Mood
How often have you felt like this?
(0 = Not at all, 1 = Several days, 2 = Nearly every day)
1. Worthless
2. Afraid
Total 0-2 low, 3-4 high"""


def slugs() -> set[str]:
    return {*Survey.objects.values_list("slug", flat=True)}


def send_report(staff: Client, how: str) -> Any:
    """Paste the scale, and create a draft that sends one answer or each."""
    report = staff.post(NEW, {"pasted": SCORED, "make": "1"})
    number = next(item["number"] for item in report.context["unclear"] if item["note"].asks == "score")
    sent = {"questionnaire": report.context["token"], f"how-{number}": how}
    return staff.post(NEW + "/import", sent)


def test_other_choices_in_the_report_of_the_same_text_ask_before_a_second_draft(staff: Client) -> None:
    assert send_report(staff, "one").status_code == 302
    asked = send_report(staff, "each")
    text = asked.content.decode()
    assert asked.status_code == 409
    assert slugs() == {"mood"}
    assert "You made “Mood” (address: mood) from it" in text
    assert 'href="/en/staff/surveys/mood/plan"' in text
    assert 'href="/en/staff/surveys/mood/build/text"' in text
    assert another_draft(staff, asked).headers["Location"] == "/en/staff/surveys/mood-2/plan"
    second = Survey.objects.get(slug="mood-2")
    assert len(second.definition["blocks"][0]["questions"]) == 2
    assert second.draft_revisions.get().choices is not None


@pytest.mark.parametrize(
    ("source", "values"),
    [
        ("scratch", {"title": "Sleep"}),
        ("template", {"template": "doping"}),
        ("text", {"pasted": "Sleep\n1. Do you sleep badly?"}),
        ("xlsform", {"file": None}),
    ],
)
def test_each_form_that_starts_a_survey_asks_before_a_second_one(
    staff: Client, source: str, values: dict[str, Any]
) -> None:
    answers = []
    for _press in range(2):
        sent = {name: value or upload(form()) for name, value in values.items()}
        answer = start_survey(staff, source, slug="", **sent)
        if answer.status_code == 200:
            sent = {"questionnaire": answer.context["token"], "how-0": "protect"}
            answer = staff.post(NEW + "/import", sent)
        answers.append(answer)
    assert [answer.status_code for answer in answers] == [302, 409]
    assert Survey.objects.count() == 1
    assert another_draft(staff, answers[1]).status_code == 302
    assert Survey.objects.count() == 2


def test_a_practice_survey_is_made_live_once(staff: Client) -> None:
    published_survey(practice=True)
    assert staff.post("/en/staff/surveys/work/make-live").status_code == 302
    assert staff.post("/en/staff/surveys/work/make-live").status_code == 409
    assert slugs() == {"work", "work-live"}


def test_a_deleted_draft_can_be_made_again_and_others_drafts_do_not_count(
    staff: Client,
) -> None:
    start_survey(staff, "scratch", title="Sleep")
    other = Client()
    other.force_login(seen_by(User.objects.create_superuser("ben", password="a long password")))
    assert start_survey(other, "scratch", title="Sleep", slug="").status_code == 302
    Survey.objects.filter(slug="work").delete()
    assert start_survey(staff, "scratch", title="Sleep").status_code == 302


def test_another_draft_needs_the_document_of_the_page(staff: Client) -> None:
    assert staff.post(NEW + "/another", {"draft": "forged"}).status_code == 422


def test_only_one_function_of_the_pages_creates_drafts() -> None:
    root = Path(__file__).parents[3]
    users = {
        path.stem
        for folder in ("surveys", "anonymisation")
        for path in (root / folder).rglob("*.py")
        if "draft_create(" in path.read_text()
    }
    assert users == {"drafts", make_draft.__module__.split(".")[-1]}
