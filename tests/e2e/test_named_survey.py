"""A link that names its survey by a digest opens that one and no other: nothing is sent, no code is used."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from surveys.authoring.publish import survey_import, survey_publish
from surveys.models import Receipt
from surveys.respondent.client_documents import digest_in_link, digest_in_print, documents_of
from surveys.respondent.invitations import invitations_make
from tests.e2e.conftest import Room
from tests.e2e.survey import ANSWERS, workplace
from tests.e2e.visit import Visit
from tests.fixtures.devices import survey_of
from tests.fixtures.invitations import invited as published_by_invitation

pytestmark = pytest.mark.django_db(transaction=True)

FIRST = "Who can see my answers?"
OTHER = "This is not the survey named in your letter"


@pytest.fixture
def invited(live_server: Any) -> Room:
    definition = workplace()
    version = published_by_invitation(definition)
    return Room(version=version, definition=definition, address=f"{live_server.url}/en/s/workplace/")


def root_of(room: Room) -> str:
    return documents_of(room.version).root


def heading(page: Any, text: str) -> None:
    expect(page.get_by_role("heading", name=text)).to_be_visible()


def test_digest_and_code_stay_through_reload_language_and_back(invited, device):
    (code,) = invitations_make(survey_of(invited.version), number=1, by="alice")
    digest = digest_in_link(root_of(invited))
    page = device().new_page()
    page.goto(f"{invited.address}#c={code}&d={digest}")
    heading(page, FIRST)
    assert page.url == f"{invited.address}#d={digest}"
    page.reload()
    heading(page, FIRST)
    page.goto(page.url.replace("/en/", "/zh-hans/"))
    expect(page.locator("#room .actions button")).to_have_count(2)
    page.go_back()
    heading(page, FIRST)
    assert page.url == f"{invited.address}#d={digest}"
    Visit(page, page.url, invited.definition).walk(ANSWERS).seal().delivered()
    assert len(invited.bodies) == 1


@pytest.mark.parametrize("kind", ["another survey", "cut off"])
def test_a_link_that_names_another_survey_is_refused_and_its_code_works_afterwards(kind, invited, device):
    (code,) = invitations_make(survey_of(invited.version), number=1, by="alice")
    named = digest_in_link("00" * 32 if kind == "another survey" else root_of(invited))
    if kind == "cut off":
        named = named[:-1]
    page = device().new_page()
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.method))
    page.goto(f"{invited.address}#c={code}&d={named}")
    heading(page, OTHER)
    expect(page.get_by_role("button")).to_have_count(0)
    assert set(sent) == {"GET"}
    assert Receipt.objects.filter(digest__isnull=True).count() == 1
    page.goto("about:blank")
    page.goto(f"{invited.address}#{code}")
    heading(page, FIRST)


def test_a_letter_opens_the_version_that_it_names_and_one_without_a_digest_the_newest(invited, device):
    codes = invitations_make(survey_of(invited.version), number=2, by="alice")
    document = invited.definition | {"title": {"en": "Changed", "zh-hans": "改了"}}
    document["blocks"][1]["questions"][0]["text"]["en"] = "Another question?"
    survey_publish(survey_import(document, by="alice"), by="alice", now=timezone.now(), reason="A test.")
    page = device().new_page()
    page.goto(f"{invited.address}#c={codes[0]}&d={digest_in_link(root_of(invited))}")
    expect(page.locator("h1")).to_have_text("Speaking up at work")
    Visit(page, page.url, workplace()).walk(ANSWERS).seal().delivered()
    page.goto("about:blank")
    page.goto(f"{invited.address}#c={codes[1]}")
    expect(page.locator("h1")).to_have_text("Changed")
    assert Receipt.objects.filter(digest__isnull=False).count() >= 1


def test_a_letter_that_is_opened_in_the_tab_of_another_link_is_checked(invited, device):
    page = device().new_page()
    page.goto(invited.address)
    heading(page, "Your invitation")
    page.goto(f"{invited.address}#d={digest_in_link('11' * 32)}")
    heading(page, OTHER)
    page.goto(f"{invited.address}#d={digest_in_print(root_of(invited)).lower()}")
    heading(page, "Your invitation")


def test_an_open_survey_is_checked_as_well(room, device):
    here = room()
    page = device().new_page()
    page.goto(f"{here.address}#d={digest_in_print('11' * 32)}")
    heading(page, OTHER)
    page.goto(f"{here.address}#d={digest_in_print(root_of(here))}")
    heading(page, FIRST)
