"""Pages of unusually large or empty surveys, and of an administrator without surveys, in a browser."""

from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from surveys.authoring.drafts import draft_create
from surveys.models import StaffPreference
from tests.e2e.judged import buttons_out_of_sight, violations, width_of
from tests.e2e.test_builder_simple import LANGUAGES, long_document

pytestmark = pytest.mark.django_db(transaction=True)

PAGES = ("", "build/", "plan", "made-up/", "publish", "build/export/", "build/saves", "build/readable")
# Bytes of a page before compression, without styles and scripts.
MOST_BYTES = 600_000


def languages(count: int) -> dict[str, Any]:
    """Return a survey of two questions in so many languages, all texts written."""
    document = long_document(2)
    document["languages"] = tags = LANGUAGES[:count]
    document["title"] = {tag: f"Long ({tag})" for tag in tags}
    (block,) = document["blocks"]
    block["title"] = dict.fromkeys(tags, "All")
    for question in block["questions"]:
        question["text"] = {tag: f"{question['text']['en']} ({tag})" for tag in tags}
    return document


UNUSUAL = {
    "sixty questions": lambda: long_document(60),
    "twenty languages": lambda: languages(20),
    "no questions": lambda: long_document(0),
}


def fits(page: Page) -> None:
    for width in (360, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        assert width_of(page) <= width, (page.url, width)
        assert buttons_out_of_sight(page) == [], (page.url, width)
        page.evaluate("scrollTo(0, 0)")
        assert violations(page) == "[]", (page.url, width)


@pytest.mark.soak
@pytest.mark.parametrize("unusual", UNUSUAL)
@pytest.mark.few(
    "sixty questions", why="it has the most text; the test below opens a survey without questions"
)
def test_each_page_of_an_unusual_survey_opens_and_fits(
    researcher: Callable[..., Page], live_server: Any, unusual: str
) -> None:
    draft_create(UNUSUAL[unusual](), slug="long", by="ana", now=timezone.now(), source="file")
    StaffPreference.objects.update(is_expert=False)
    page = researcher("")
    for place in PAGES:
        response = page.goto(f"{live_server.url}/en/staff/surveys/long/{place}")
        assert response is not None
        assert response.status == 200, place
        assert len(response.body()) <= MOST_BYTES, (place, len(response.body()))
        expect(page.locator("h1:visible").first).to_be_visible()
        fits(page)


@pytest.mark.soak
def test_a_survey_without_questions_says_on_each_page_what_comes_next(
    researcher: Callable[..., Page], live_server: Any
) -> None:
    draft_create(long_document(0), slug="long", by="ana", now=timezone.now(), source="file")
    page = researcher("surveys/long/build/")
    expect(page.get_by_role("button", name="Add a protected part")).to_be_visible()
    for place in ("", "plan", "made-up/", "publish"):
        page.goto(f"{live_server.url}/en/staff/surveys/long/{place}")
        leads = page.locator("main a[href*='/surveys/long/build/']:visible")
        expect(leads.first).to_be_visible()


@pytest.mark.soak
def test_an_administrator_without_surveys_reads_what_to_do_first(
    researcher: Callable[..., Page], live_server: Any
) -> None:
    StaffPreference.objects.update(is_expert=False)
    page = researcher("")
    expect(
        page.get_by_role("link", name="New survey")
        .or_(page.get_by_role("link", name="Create a survey"))
        .first
    ).to_be_visible()
    expect(page.locator("main table")).to_have_count(0)
    fits(page)
    page.goto(f"{live_server.url}/en/staff/log/")
    expect(page.locator("h1")).to_have_text("Log")
    fits(page)
    page.goto(f"{live_server.url}/en/staff/people/")
    fits(page)
