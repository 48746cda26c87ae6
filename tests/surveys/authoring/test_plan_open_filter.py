"""The plan page offers to store a harmless filter as answered, says what that reveals, and asks once more."""

import html
import re
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from surveys.accounts.roles import Role
from surveys.authoring.aims import aim_digest
from surveys.authoring.drafts import draft_create
from surveys.authoring.plan_open_filter import _points_instead
from surveys.models import Survey
from tests.fixtures.checked_surveys import document_of, protected
from tests.fixtures.filter_drafts import bribe
from tests.fixtures.staff import browser_of, member

pytestmark = pytest.mark.django_db

PAGE = "/en/staff/surveys/play/plan"


@pytest.fixture
def staff() -> Client:
    document = document_of(protected("b", bribe(), refusal=500))
    made: dict[str, Any] = {"by": "ana", "now": timezone.now()}
    draft_create(document, slug="play", source="scratch", owner=member("ana", Role.RESEARCHER), **made)
    return browser_of("ana", Role.RESEARCHER)


def sent(**changes: Any) -> dict[str, Any]:
    survey = Survey.objects.get()
    stated = {"people": "300", "strength": "medium", "star_bribe": "bribe=bribe"}
    return stated | {"revision": str(survey.revision), "digest": aim_digest(survey)} | changes


def text(answer: Any) -> str:
    plain = html.unescape(answer.content.decode()).replace("\xa0", " ")
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", plain))


def test_one_press_and_a_confirmation_store_the_filter_and_say_what_is_then_known(staff: Client) -> None:
    page = staff.post(PAGE, sent())
    (offer,) = page.context["filters"]
    said = text(page)
    assert "Suppose 200 of 300 people say yes to it." in said
    assert "can then read who said yes to “Did you deal with an official?”" in said
    assert re.search(r"within ±1\d\.\d instead of ±1\d\.\d points", said)
    pressed = staff.post(PAGE, sent(apply=offer.value))
    assert "Store “Did you deal with an official?” as answered" in text(pressed)
    assert pressed.context["filters"] == []
    formed = {"formed": "open_filter,bribe"}
    asked = staff.post(PAGE, sent(save="", **formed))
    assert asked.status_code == 422
    assert "Nothing is saved yet." in text(asked)
    saved = staff.post(PAGE, sent(save="", readable=asked.context["newly_value"], **formed))
    assert saved.status_code == 302
    blocks = Survey.objects.get().definition["blocks"]
    assert [(entry["protected"], entry.get("asked_if")) for entry in blocks] == [
        (False, None),
        (True, {"question": "contact", "options": ["yes"]}),
    ]
    undone = staff.post("/en/staff/surveys/play/plan", sent(**formed, undo="open_filter,bribe"))
    assert undone.status_code == 200


def test_a_figure_that_reads_the_same_before_and_after_is_not_named() -> None:
    """The page said ±100 points instead of ±100 points: half-widths are shown as 100 points at most."""
    assert _points_instead("it", 3.2, 6.4) == _points_instead("it", 0.3, 0.3) == ""
    assert _points_instead("it", 0.3, 6.4) == "it ±30 points instead of ±100 points"
