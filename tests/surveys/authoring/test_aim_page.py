"""The page that asks first: how many people, what is wanted, and the draft laid out for it."""

from __future__ import annotations

import html
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from privacy.risk.promise import promise
from surveys.access.roles import Role
from surveys.authoring.aims import aim_digest
from surveys.authoring.drafts import draft_create
from surveys.models import AuditEvent, Survey
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.definition import definition_without_texts
from surveys.questionnaire.ready_parts import ready_parts
from tests.cast.checked_surveys import document_of, protected, unprotected, yes_no
from tests.cast.staff import member

pytestmark = pytest.mark.django_db

ANA: dict[str, Any] = {"by": "ana", "now": timezone.now()}
PAGE = "/en/staff/surveys/play/aim"
FILLED = {
    "people": "400",
    "first": "q1",
    "second": "q4",
    "first_share": "20",
    "second_share": "30",
    "strength": "medium",
    "sensitive": [f"q{number}" for number in range(6)],
}


@pytest.fixture
def survey() -> Survey:
    questions = [yes_no(f"q{number}") for number in range(6)]
    plain = {"key": "job", "kind": "yes_no", "text": {"en": "Have you a job?"}}
    document = document_of(unprotected("you", plain), protected("b", *questions, p=500, refusal=154))
    return draft_create(document, slug="play", source="scratch", owner=member("ana", Role.RESEARCHER), **ANA)


@pytest.fixture
def staff(client: Client, survey: Survey) -> Client:
    assert survey.owner is not None
    client.force_login(survey.owner)
    return client


def filled(**changes: Any) -> dict[str, Any]:
    survey = Survey.objects.get()
    return FILLED | {"revision": str(survey.revision), "digest": aim_digest(survey)} | changes


def text(answer: HttpResponse) -> str:
    return html.unescape(answer.content.decode()).replace("\xa0", " ")


def test_it_starts_with_a_default_for_each_entry_and_shows_what_the_draft_can_find(staff: Client) -> None:
    page = text(staff.get(PAGE))
    assert 'name="people" value="400"' in page
    assert "With 400 people: shares within ±" in page
    assert "The draft as it is" in page
    assert "at most 95 % sure by all that your device sends" in page
    assert not any(letter in page for letter in "εθγ")


def test_the_first_proposal_is_taken_with_the_aim(staff: Client, survey: Survey) -> None:
    shown = text(staff.post(PAGE, filled(compare="")))
    assert "“Did you ever q4?” by “Did you ever q1?”: a difference of" in shown
    answer = staff.post(PAGE, filled(take="rotating"))
    assert answer.headers["Location"] == "/en/staff/surveys/play/build/"
    survey.refresh_from_db()
    expected = Aim(people=400, wanted=("q1", "q4"), shares={"q1": 2000, "q4": 3000})
    assert Aim.from_json(survey.aim) == expected
    laid = definition_without_texts(survey.definition)
    assert laid is not None
    made = promise(laid.design)
    assert made is not None
    assert (made.of_100, made.one_of_100) <= (95, 80)
    numbers = [laid.design.question_number(key) for key in ("q1", "q4")]
    assert laid.design.drawn_together(numbers) == 1
    event = AuditEvent.objects.get(action="draft_aim")
    assert event.detail == expected.to_json()


def test_a_draft_is_kept_byte_for_byte_and_the_aim_stands_beside_it(staff: Client, survey: Survey) -> None:
    before = survey.definition
    staff.post(PAGE, filled(keep=""))
    survey.refresh_from_db()
    assert survey.definition == before
    assert survey.aim is not None
    assert survey.aim["people"] == 400


def test_what_somebody_unticks_is_sent_as_it_is(staff: Client, survey: Survey) -> None:
    staff.post(PAGE, filled(take="rotating", sensitive=["q0", "q1", "q4", "job"]))
    survey.refresh_from_db()
    protected_keys = {
        question["key"]
        for block in survey.definition["blocks"]
        if block["protected"]
        for question in block["questions"]
    }
    assert protected_keys == {"q0", "q1", "q4", "job"}


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"people": "9"}, "greater than or equal to 10"),
        ({"people": ""}, "required"),
        ({"first_share": "100"}, "less than or equal to 99"),
        ({"second": "q1"}, "asked already"),
        ({"first": ""}, "Choose the first question, too."),
        ({"first": "gone"}, "not one of the available"),
        ({"strength": "none"}, "not one of the available"),
        ({"sensitive": ["gone"]}, "not one of the available"),
    ],
)
def test_each_entry_has_its_refusal_and_nothing_is_saved(
    staff: Client, survey: Survey, changes: dict[str, Any], said: str
) -> None:
    answer = staff.post(PAGE, filled(take="rotating", **changes))
    assert answer.status_code == 422
    assert said in text(answer)
    survey.refresh_from_db()
    assert survey.aim is None


@pytest.mark.parametrize("revision", ["0", "", "nine", "99999999999"])
def test_a_draft_of_another_tab_is_not_overwritten(staff: Client, survey: Survey, revision: str) -> None:
    before = survey.definition
    answer = staff.post(PAGE, filled(take="rotating", revision=revision))
    assert answer.status_code == 409
    survey.refresh_from_db()
    assert (survey.definition, survey.aim) == (before, None)


def test_what_another_tab_saved_is_not_lost_without_a_word(staff: Client, survey: Survey) -> None:
    older = filled(keep="")
    assert staff.post(PAGE, older | {"people": "900"}).status_code == 302
    answer = staff.post(PAGE, older | {"people": "250"})
    assert answer.status_code == 409
    assert "changed meanwhile" in text(answer)
    assert "250" in text(answer)
    survey.refresh_from_db()
    assert (survey.aim or {})["people"] == 900
    assert staff.post(PAGE, filled(keep="", people="250")).status_code == 302


def test_a_layout_that_is_none_changes_nothing(staff: Client, survey: Survey) -> None:
    assert staff.post(PAGE, filled(take="magic")).status_code == 409
    survey.refresh_from_db()
    assert survey.aim is None


def test_an_empty_draft_is_asked_how_many_and_goes_on(staff: Client, survey: Survey) -> None:
    survey.definition = survey.definition | {"blocks": []}
    survey.save()
    page = text(staff.get(PAGE))
    assert "Go on to the builder" in page
    answer = staff.post(
        PAGE,
        {
            "people": "250",
            "strength": "strong",
            "keep": "",
            "revision": survey.revision,
            "digest": aim_digest(survey),
        },
    )
    assert answer.status_code == 302
    survey.refresh_from_db()
    assert Aim.from_json(survey.aim) == Aim(people=250, strength="strong")


def test_the_line_stands_beside_publish_with_its_ways(staff: Client, survey: Survey) -> None:
    builder = text(staff.get("/en/staff/surveys/play/build/"))
    assert "Without that nobody knows what this survey can find." in builder
    staff.post(PAGE, filled(take="rotating"))
    for page in ("build/", "publish"):
        assert "With 400 people: shares within ±" in text(staff.get(f"/en/staff/surveys/play/{page}"))
    ways = text(staff.get("/en/staff/surveys/play/publish"))
    for name in ("More people", "Lighter"):
        assert f">{name}</a>" in ways
    assert "?strength=light" in ways


def test_of_an_experiment_it_asks_what_is_expected_of_each_protected_question(staff: Client) -> None:
    assert "people who feel seen" not in text(staff.get(PAGE))
    survey = Survey.objects.get()
    arm = {"key": "told", "kind": "arm", "options": [{"key": key, "share": 5000} for key in "ab"]}
    survey.definition["blocks"].insert(0, unprotected("told", arm))
    survey.save()
    page = text(staff.get(PAGE))
    assert "What do you expect of people who feel seen?" in page
    assert page.count('name="expected_q') == 6
    staff.post(PAGE, filled(keep="", expected_q1="deny", expected_q2=""))
    aim = Aim.from_json(Survey.objects.get().aim)
    assert aim is not None
    assert aim.expected == {"q1": "deny"}
    # Of a number people say less or more; of what everybody knows nothing is expected.
    survey.refresh_from_db()
    number = {"mechanism": "keep", "epsilon": 1, "low": 0, "high": 7, "bin": 1}
    hours = {"key": "hours", "kind": "number", "text": {"en": "How many hours?"}, "number": number}
    part = {"key": "work", "protected": True, "title": {"en": "Work"}, "questions": [hours]}
    checked = survey.definition["blocks"][-1]
    chances = {name: checked[name] for name in ("truth_probability", "refusal") if name in checked}
    survey.definition["blocks"] += [part, *(anchor | chances for anchor in ready_parts()["anchors"])]
    survey.save()
    page = text(staff.get(PAGE))
    assert page.count('name="expected_') == 7
    assert 'name="expected_hours"' in page
    assert "people would rather say less" in page


def test_a_protected_number_stands_in_no_list_and_refuses_nothing(client: Client) -> None:
    owner = member("ana", Role.RESEARCHER)
    client.force_login(owner)
    asked = "\n".join(f"{number}. Did you ever do this, {number}?" for number in range(1, 8))
    pasted = f"Play\n{asked}\n8. How many hours do you work a week?\n0-80"
    client.post("/en/staff/surveys/new/text", {"pasted": pasted, "make": ""})
    answer = client.get(PAGE)
    assert answer.context["form"].errors == {}
    assert "With 400 people: shares within ±" in text(answer)


def test_a_question_without_options_is_named_before_layouts_can_be_compared(staff: Client) -> None:
    survey = Survey.objects.get()
    document = survey.definition
    document["blocks"][0]["questions"].append(
        {"key": "faculty", "kind": "single", "text": {"en": "Which faculty?"}, "options": []}
    )
    survey.definition = document
    survey.save(update_fields=["definition"])
    for answer in (staff.get(PAGE), staff.post(PAGE, filled(compare="1", first="", second=""))):
        said = text(answer)
        assert "Finish this first" in said
        assert "Which faculty?" in said
