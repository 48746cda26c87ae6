"""A survey that brings all sentences of a language that Sottovoce lacks: its page speaks them."""

from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import BrowserContext, Page, Route, expect

from surveys.authoring.lifecycle import survey_close
from surveys.respondent.sheet_sentences import sentences_of, stated_sentences
from tests.e2e.conftest import Published
from tests.fixtures.devices import published, survey_of
from tests.surveys.respondent.test_speaking import in_languages

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.soak
def test_the_page_speaks_the_sentences_of_the_survey(
    publish_definition: Callable[..., Published], device: Callable[..., BrowserContext]
) -> None:
    texts = {each.key: f"Ha {each.english}" for each in sentences_of("ha")}
    own = {"format": 1, "languages": {"ha": stated_sentences(texts, "ha")}}
    document = in_languages("ha") | {"sentences": own}
    here = publish_definition(document, published(document))
    page = device().new_page()
    page.goto(f"{here.address}ha/")
    root = page.locator("#root")
    expect(page.locator("html")).to_have_attribute("lang", "ha")
    expect(root.get_by_role("button", name="Ha Start", exact=True)).to_be_visible()
    expect(root.get_by_text("Ha Worst case: someone who suspects you")).to_be_visible()
    root.get_by_role("button", name="Ha Start", exact=True).click()
    expect(root.get_by_text("Ha Question 1 of")).to_be_visible()


def hausa() -> dict[str, Any]:
    texts = {each.key: f"Ha {each.english}" for each in sentences_of("ha")}
    own = {"format": 1, "languages": {"ha": stated_sentences(texts, "ha")}}
    return in_languages("ha") | {"sentences": own}


def informal() -> dict[str, Any]:
    return in_languages("de") | {"formality": {"de": "informal"}}


def heading(page: Page, name: str) -> None:
    expect(page.get_by_role("heading", name=name)).to_be_visible()


@pytest.mark.soak
def test_a_closed_survey_speaks_its_own_sentences(
    device: Callable[..., BrowserContext], live_server: Any
) -> None:
    survey_close(survey_of(published(hausa())), by="alice", now=timezone.now())
    page = device().new_page()
    page.goto(f"{live_server.url}/en/s/own/ha/")
    heading(page, "Ha “…” is closed")
    expect(page.locator("html")).to_have_attribute("lang", "ha")
    expect(page.locator(".skip-link")).to_have_text("Ha Skip to the content")


@pytest.mark.soak
def test_a_closed_survey_with_changed_sentences_speaks_ours(
    device: Callable[..., BrowserContext], live_server: Any
) -> None:
    survey_close(survey_of(published(hausa())), by="alice", now=timezone.now())
    context = device()

    def change(route: Route) -> None:
        response = route.fetch()
        route.fulfill(response=response, body=response.text().replace("is closed", "has moved to …"))

    context.route("**/client/surveys/*", change)
    # What differs from its digest is requested again, and does not arrive either.
    context.route("**/client/words/*", lambda route: route.abort())
    page = context.new_page()
    page.goto(f"{live_server.url}/en/s/own/ha/")
    heading(page, "“…” is closed")
    expect(page.locator("html")).to_have_attribute("lang", "en")


@pytest.mark.soak
def test_a_survey_that_is_not_open_yet_speaks_its_own_sentences(
    device: Callable[..., BrowserContext], live_server: Any
) -> None:
    published(hausa() | {"opens_at": "2099-12-01T08:00", "time_zone": "Europe/Berlin"})
    page = device().new_page()
    page.goto(f"{live_server.url}/en/s/own/ha/")
    heading(page, "Ha This survey is not open yet")
    expect(page.get_by_text("Ha It opens on")).to_be_visible()
    expect(page.locator("html")).to_have_attribute("lang", "ha")


@pytest.mark.soak
@pytest.mark.parametrize(
    ("state", "said"),
    [
        ("planned", "Öffne dann noch einmal die vollständige Adresse"),
        ("closed", "Wenn deine Antworten noch auf diesem Gerät warten"),
        ("other", "dein Code wurde nicht verbraucht"),
        ("unable", "deine Antworten auf diesem Gerät nicht verfremden"),
    ],
    ids=["planned", "closed", "other", "unable"],
)
def test_pages_without_questions_speak_in_the_form_of_the_survey(
    device: Callable[..., BrowserContext], live_server: Any, state: str, said: str
) -> None:
    opens = {"opens_at": "2099-12-01T08:00", "time_zone": "Europe/Berlin"} if state == "planned" else {}
    version = published(informal() | opens)
    context = device()
    if state == "closed":
        survey_close(survey_of(version), by="alice", now=timezone.now())
    if state == "unable":
        context.add_init_script("Object.defineProperty(crypto, 'subtle', { get: () => undefined });")
    page = context.new_page()
    page.goto(f"{live_server.url}/en/s/own/de/" + "#d=00000-00000-00000-00000" * (state == "other"))
    expect(page.get_by_text(said)).to_be_visible()


@pytest.mark.soak
def test_a_warning_is_not_worded_by_whoever_sent_something_else(
    device: Callable[..., BrowserContext], live_server: Any
) -> None:
    published(hausa())
    page = device().new_page()
    page.goto(f"{live_server.url}/en/s/own/ha/#d=00000-00000-00000-00000")
    heading(page, "This is not the survey named in your letter")
    expect(page.locator("html")).to_have_attribute("lang", "en")
