"""No page of a survey offers a link to a page without content."""

import re
from typing import Final

import pytest
from django.contrib.auth.models import User
from django.urls import resolve
from django.utils import timezone

from surveys.accounts.roles import Role
from surveys.authoring.drafts import survey_import
from surveys.authoring.lifecycle import survey_close
from surveys.authoring.publish import survey_publish
from surveys.models import Survey
from surveys.respondent.survey_access import survey_access
from tests.fixtures.devices import published, survey_of
from tests.fixtures.drafts import new_draft
from tests.fixtures.runs import answered_version, audited_run, definition, mined_run
from tests.fixtures.staff import browser_of
from tests.site.test_roles import ADDRESSES, offered

pytestmark = pytest.mark.django_db

LISTS: Final = {"report:survey", "report:surveys", "releases:begin"}
"""Pages that say what will be there, with what to do in the meantime."""
FILES: Final = re.compile(r"/[a-z-]+/s/|\.\w+$|/rows/|/design/|/json/")


def refusals(start: str) -> list[str]:
    """Follow all links within a survey from its page, and return those to pages without contents."""
    client, wrong, seen = browser_of("rita", Role.RESEARCHER), [], {start}
    Survey.objects.update(owner=User.objects.get(username="rita"))
    ahead = [(start, "")]
    while ahead:
        here, offered_by = ahead.pop()
        response = client.get(here, follow=True)
        if response.streaming:
            continue
        page, name = response.content.decode("utf-8", "replace"), resolve(here).view_name
        if name not in LISTS and (response.status_code >= 400 or '<div class="empty' in page):
            wrong.append(f"{offered_by} offers {here}")
        for method, address in offered(page):
            is_near = address.startswith(start) or "/runs/" in address
            if method == "get" and is_near and address not in seen and not FILES.search(address):
                seen.add(address)
                if resolve(address).view_name in ADDRESSES:
                    ahead.append((address, here))
    assert len(seen) > 3, seen
    return wrong


def by_invitation() -> Survey:
    survey = survey_import(definition("wall", policy="protected"), by="alice")
    survey_access(survey, by_invitation=True, by="alice")
    survey_publish(survey, by="alice", now=timezone.now(), is_readable_seen=True)
    return survey


def closed_without_answers() -> Survey:
    survey = survey_of(published(definition("shut", policy="protected")))
    survey_close(survey, by="alice", now=timezone.now())
    return survey


def with_a_run() -> Survey:
    return audited_run(mined_run(answered_version())).survey


SURVEYS: Final = {
    "a draft": new_draft,
    "some devices send true answers": lambda: published(definition("mixed", policy="choice")).survey,
    "by invitation": by_invitation,
    "practice": lambda: published({**definition("practice"), "practice": True}).survey,
    "closed without answers": closed_without_answers,
    "with a run": with_a_run,
}


@pytest.mark.parametrize("kind", SURVEYS)
@pytest.mark.few("a draft", "with a run", why="the fewest pages, and the most")
def test_no_link_leads_to_a_page_without_contents(kind: str) -> None:
    assert refusals(f"/en/staff/surveys/{SURVEYS[kind]().slug}/") == []


@pytest.mark.soak
def test_a_survey_without_a_poster_says_why_instead_of_a_link() -> None:
    published(definition("mixed", policy="choice"))
    page = browser_of("adam", *Role).get("/en/staff/surveys/mixed/hand-out/").content.decode()
    assert "/poster/" not in page
    assert "In this survey some devices send true answers." in page
