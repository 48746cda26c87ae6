"""A hundred and fifty options on a phone: a field searches them, and the chosen option stays in sight."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from surveys.authoring.publish import survey_import, survey_publish
from tests.e2e.judged import violations
from tests.fixtures.checked_surveys import document_of, protected, unprotected, yes_no

pytestmark = pytest.mark.django_db(transaction=True)


def towns(count: int) -> dict[str, Any]:
    names = [f"Tówn {number:03}" for number in range(count)]
    options = [{"key": f"t{number}", "text": {"en": name}} for number, name in enumerate(names)]
    return {"key": "town", "kind": "single", "text": {"en": "Which town?"}, "options": options}


def opened(device: Any, live_server: Any, count: int) -> Any:
    document = document_of(unprotected("place", towns(count)), protected("never", yes_no("steal")))
    survey = survey_import(document, by="ana")
    survey_publish(survey, by="ana", now=timezone.now(), reason="A test.")
    page = device(viewport={"width": 360, "height": 640}).new_page()
    page.goto(f"{live_server.url}/en/s/checked/")
    page.get_by_role("button", name="Start").click()
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_role("heading", name="Which town?")).to_be_visible()
    return page


def test_a_long_list_is_searched_without_accents_and_the_choice_stays(device: Any, live_server: Any) -> None:
    page = opened(device, live_server, 150)
    radios = page.get_by_role("radio")
    expect(radios).to_have_count(150)
    search = page.get_by_role("searchbox", name="Search these answers")
    search.fill("town 14")
    expect(page.get_by_text("10 of 150 answers fit.")).to_be_visible()
    expect(radios).to_have_count(10)
    page.get_by_label("Tówn 143").check()
    search.fill("Tówn 007")
    expect(radios).to_have_count(2)
    expect(page.get_by_label("Tówn 143")).to_be_checked()
    search.press("Enter")
    expect(page.get_by_role("heading", name="Which town?")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert violations(page) == "[]"
    search.fill("")
    expect(radios).to_have_count(150)


def test_a_short_list_has_no_field_to_search_it(device: Any, live_server: Any) -> None:
    page = opened(device, live_server, 15)
    expect(page.get_by_role("radio")).to_have_count(15)
    expect(page.get_by_role("searchbox")).to_have_count(0)
