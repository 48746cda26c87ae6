"""The plan page offers one coin for one thing at two times, with both texts, in one press, and undoes it."""

import html
import re
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from surveys.accounts.roles import Role
from surveys.authoring.aims import aim_digest
from surveys.authoring.drafts import draft_create
from surveys.models import Survey
from surveys.questionnaire.definition import definition_parse
from tests.fixtures.checked_surveys import document_of, protected, unprotected, yes_no
from tests.fixtures.staff import browser_of, member

pytestmark = pytest.mark.django_db

PAGE = "/en/staff/surveys/play/plan"
THEN, NOW = "Did you smoke a year ago?", "Do you smoke now?"


def asked(key: str, text: str) -> dict[str, Any]:
    return {**yes_no(key), "text": {"en": text}}


def staff(*parts: dict[str, Any]) -> Client:
    made: dict[str, Any] = {"by": "ana", "now": timezone.now()}
    draft_create(
        document_of(*parts), slug="play", source="scratch", owner=member("ana", Role.RESEARCHER), **made
    )
    return browser_of("ana", Role.RESEARCHER)


def apart(now: str = NOW) -> Client:
    others = [asked("debt", "Are you in debt?"), *(yes_no(f"q{number}") for number in range(3))]
    return staff(
        protected("p", asked("then", THEN), refusal=500),
        protected("o", *others, refusal=500),
        protected("q", asked("now", now), refusal=500),
    )


def sent(**changes: Any) -> dict[str, Any]:
    survey = Survey.objects.get()
    keys = [question["key"] for entry in survey.definition["blocks"] for question in entry["questions"]]
    stated = {f"protect_{key}": "on" for key in keys if key != "age"} | {
        "people": "1000",
        "strength": "medium",
    }
    return stated | {"revision": str(survey.revision), "digest": aim_digest(survey)} | changes


def text(answer: Any) -> str:
    plain = html.unescape(answer.content.decode()).replace("\xa0", " ")
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", plain))


@pytest.mark.soak
def test_one_press_puts_then_and_now_under_one_coin_and_undo_restores_the_stars() -> None:
    browser = apart()
    page = browser.post(PAGE, sent(star_debt="debt"))
    (offer,) = page.context["times"]
    said = text(page)
    assert f"Then: “{THEN}” Now: “{NOW}”" in said
    widths = re.search(r"known within ±([\d.]+) instead of ±([\d.]+) points", said)
    assert widths
    after, before = map(float, widths.groups())
    assert after < before
    assert "Both are starred instead of “Are you in debt?”." in said
    pressed = browser.post(PAGE, sent(star_debt="debt", apply=offer.value))
    said = text(pressed)
    # The plan states the same width as the offer did, and has nothing more to offer.
    assert f"would be known within ±{widths[1]} points" in said
    assert pressed.context["times"] == []
    ((words, code),) = pressed.context["formed"]
    assert words == f"Star “{THEN}” and “{NOW}”"
    stars = {"star_then": "then", "star_now": "now", "before": code}
    undone = browser.post(PAGE, sent(**stars, undo=code))
    assert undone.context["form"]["star_debt"].value() == "debt"
    assert not undone.context["form"]["star_now"].value()
    assert len(undone.context["times"]) == 1
    # Saved, both are in one part.
    assert browser.post(PAGE, sent(save="", star_then="then", star_now="now")).status_code == 302
    design = definition_parse(Survey.objects.get().definition).design
    assert [{"then", "now"} <= {q.key for q in block.questions} for block in design.blocks].count(True) == 1


def test_a_question_between_them_that_is_stored_as_answered_moves_the_later_one() -> None:
    age = {"key": "age", "kind": "yes_no", "text": {"en": "Are you over 30?"}}
    browser = staff(
        protected("p", asked("then", THEN), refusal=500),
        unprotected("o", age),
        protected("q", asked("now", NOW), refusal=500),
    )
    page = browser.post(PAGE, sent())
    (offer,) = page.context["times"]
    assert "The question for now is asked directly after that for the earlier time." in text(page)
    pressed = browser.post(PAGE, sent(apply=offer.value))
    assert {code for _words, code in pressed.context["formed"]} == {"after,now,then", "star:"}
    assert pressed.context["times"] == []


@pytest.mark.soak
def test_nothing_is_offered_if_the_texts_ask_different_things() -> None:
    assert apart("Do you drink now?").post(PAGE, sent()).context["times"] == []


@pytest.mark.soak
@pytest.mark.parametrize(("first", "is_said"), [(THEN, True), ("Have you had an accident at work?", False)])
def test_a_net_change_is_stated_only_for_starred_questions_that_may_be_two_times(
    first: str, is_said: bool
) -> None:
    browser = staff(protected("p", asked("then", first), asked("now", NOW), refusal=500))
    said = text(browser.post(PAGE, sent(star_then="then", star_now="now")))
    assert ("If both starred answers ask one thing, then and now" in said) == is_said
