"""No page of a survey offers a link to a page without content, such as the builder of a closed survey."""

import re
from typing import Final

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import resolve, reverse
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
from tests.site.test_roles import ADDRESSES, everywhere, offered

pytestmark = pytest.mark.django_db

LISTS: Final = {"report:survey", "report:surveys", "releases:begin", "authoring:delete_survey"}
"""Pages that say what will be there, with what to do in the meantime."""
FILES: Final = re.compile(r"/[a-z-]+/s/|\.\w+$|/rows/|/design/|/json/")


def pages_of(survey: Survey) -> list[str]:
    """Return the addresses of all pages of a survey, including those that no page links to any more."""
    return [
        reverse(name, kwargs={"slug": survey.slug})
        for name, pattern in everywhere().items()
        if set(pattern.pattern.converters) == {"slug"}
        and name in ADDRESSES
        and not ADDRESSES[name][0].startswith(("405", "open"))
    ]


def refusals(client: Client, survey: Survey) -> list[str]:
    """Follow all links within a survey from each of its pages, and return those to pages without contents."""
    start = f"/en/staff/surveys/{survey.slug}/"
    ahead, offered_by, without_contents = [start, *pages_of(survey)], {}, set()
    seen = set(ahead)
    while ahead:
        here = ahead.pop()
        response = client.get(here, follow=True)
        if response.streaming:
            continue
        page, name = response.content.decode("utf-8", "replace"), resolve(here).view_name
        if name not in LISTS and (response.status_code >= 400 or '<div class="empty' in page):
            without_contents.add(here)
        for method, address in offered(page):
            is_near = address.startswith(start) or "/runs/" in address
            # In another language, a page is the same page.
            if method == "post" or address == here or not is_near or FILES.search(address):
                continue
            offered_by.setdefault(address, here)
            if address not in seen and resolve(address).view_name in ADDRESSES:
                seen.add(address)
                ahead.append(address)
    assert len(offered_by) > 3, offered_by
    return [f"{here} offers {address}" for address, here in offered_by.items() if address in without_contents]


def by_invitation() -> Survey:
    survey = survey_import(definition("wall", policy="protected"), by="alice")
    survey_access(survey, by_invitation=True, by="alice")
    survey_publish(survey, by="alice", now=timezone.now(), is_readable_seen=True)
    return survey


def closed_without_answers() -> Survey:
    survey = survey_of(published(definition("shut", policy="protected")))
    survey_close(survey, by="alice", now=timezone.now())
    return survey


def closed_with_an_unfinished_draft() -> Survey:
    survey = closed_without_answers()
    Survey.objects.filter(pk=survey.pk).update(definition=survey.definition | {"about": {}})
    return survey


def planned() -> Survey:
    return published({**definition("planned"), "opens_at": "2090-01-01T00:00"}).survey


def with_a_run() -> Survey:
    return audited_run(mined_run(answered_version())).survey


SURVEYS: Final = {
    "a draft": new_draft,
    "some devices send true answers": lambda: published(definition("mixed", policy="choice")).survey,
    "by invitation": by_invitation,
    "practice": lambda: published({**definition("practice"), "practice": True}).survey,
    "planned": planned,
    "closed without answers": closed_without_answers,
    "closed with an unfinished draft": closed_with_an_unfinished_draft,
    "with a run": with_a_run,
}


@pytest.mark.parametrize("kind", SURVEYS)
@pytest.mark.few("a draft", "with a run", why="the fewest pages, and the most")
def test_no_link_leads_to_a_page_without_contents(kind: str) -> None:
    survey = SURVEYS[kind]()
    researcher = browser_of("rita", Role.RESEARCHER)
    Survey.objects.update(owner=User.objects.get(username="rita"))
    assert refusals(researcher, survey) == []
    assert refusals(browser_of("adam", Role.ADMINISTRATOR), survey) == []


@pytest.mark.soak
def test_a_survey_without_a_poster_says_why_instead_of_a_link() -> None:
    published(definition("mixed", policy="choice"))
    page = browser_of("adam", *Role).get("/en/staff/surveys/mixed/hand-out/").content.decode()
    assert "/poster/" not in page
    assert "In this survey some devices send true answers." in page
