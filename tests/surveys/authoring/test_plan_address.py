"""Without a script, the plan page's presses lead to addresses with their entries."""

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from surveys.accounts.roles import Role
from surveys.authoring.aims import aim_digest
from surveys.authoring.drafts import draft_create
from surveys.authoring.plan_address import WITHOUT_SCRIPT
from surveys.models import Survey
from tests.fixtures.checked_surveys import document_of, protected, yes_no
from tests.fixtures.staff import member

pytestmark = pytest.mark.django_db

PAGE = "/en/staff/surveys/play/plan"


@pytest.fixture
def staff(client: Client) -> Client:
    """Return a researcher's browser, with a draft of six questions."""
    ana = member("ana", Role.RESEARCHER)
    document = document_of(protected("b", *(yes_no(f"q{number}") for number in range(6)), p=500, refusal=154))
    draft_create(document, slug="play", source="scratch", owner=ana, by="ana", now=timezone.now())
    client.force_login(ana)
    return client


def entries(**changes: Any) -> dict[str, Any]:
    """Return the values of a form with two stars, as a browser without scripts would send them."""
    survey = Survey.objects.get()
    return {
        "people": "150",
        "strength": "strong",
        **{f"protect_q{number}": "on" for number in range(6)},
        **{f"label_q{number}": "" for number in range(6)},
        "star_q1": "q1",
        "star_q4": "q4",
        "guess_q1": "20",
        "revision": str(survey.revision),
        "digest": aim_digest(survey),
    } | changes


def test_without_a_script_a_press_leads_to_an_address_with_its_entries(staff: Client) -> None:
    sent = entries()
    direct = staff.post(PAGE, sent)
    led = staff.post(PAGE, sent | {WITHOUT_SCRIPT: "1"})
    assert led.status_code == 302
    address = led.headers["Location"]
    assert "csrf" not in address
    opened = staff.get(address)
    assert opened.context["sentences"] == direct.context["sentences"]
    assert [line.value for line in opened.context["changes"]] == [
        line.value for line in direct.context["changes"]
    ]
    change = opened.context["changes"][0].value
    pressed = staff.post(PAGE, sent | {WITHOUT_SCRIPT: "1", "apply": change}, follow=True)
    applied = staff.post(PAGE, sent | {"apply": change})
    assert pressed.context["sentences"] == applied.context["sentences"]
    assert pressed.context["formed"] == applied.context["formed"] != []
    undone = {name: pressed.context["form"][name].value() or "" for name in pressed.context["form"].fields}
    undone = {name: value for name, value in undone.items() if value}
    (_words, code), *_others = pressed.context["formed"]
    again = staff.post(PAGE, undone | {WITHOUT_SCRIPT: "1", "undo": code}, follow=True)
    assert again.context["sentences"] == direct.context["sentences"]
    # Invalid entries are marked as ever, and saving leads to the builder.
    wrong = staff.post(PAGE, sent | {WITHOUT_SCRIPT: "1", "people": "0"}, follow=True)
    assert "0 is not enough." in wrong.content.decode()
    assert staff.post(PAGE, sent | {WITHOUT_SCRIPT: "1", "save": ""}).headers["Location"].endswith("/build/")
    # Entries made for an earlier plan are no longer shown as unsaved.
    assert staff.get(address).headers["Location"] == PAGE
    assert staff.get(f"{PAGE}?people=150").headers["Location"] == PAGE


@pytest.mark.soak
def test_entries_too_long_for_an_address_are_shown_at_once(staff: Client) -> None:
    long = {f"label_q{number}": "长" * 60 for number in range(6)}
    sent = entries(**long)
    assert staff.post(PAGE, sent | {WITHOUT_SCRIPT: "1"}).status_code == 302
    kept = {f"label_k{number}": "长" * 60 for number in range(10)}
    assert staff.post(PAGE, sent | kept | {WITHOUT_SCRIPT: "1"}).status_code == 200
