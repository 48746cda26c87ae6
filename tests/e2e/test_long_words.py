"""Words of 5,000 letters wrap: no staff page is wider than a phone, whatever people wrote.

The longest texts that fields accept are in titles, questions, answers, reasons and names of people.
"""

from collections.abc import Iterator
from typing import Any, Final

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from surveys.accounts.roles import Role
from surveys.authoring.drafts import survey_import
from surveys.authoring.publish import survey_publish
from surveys.models import Run, Survey
from surveys.questionnaire.document import MOST_CHARACTERS
from tests.e2e.judged import width_of
from tests.fixtures.drafts import new_draft
from tests.fixtures.runs import PAIRS, answer, audited_run, closed, definition, mined_run
from tests.fixtures.staff import browser_of
from tests.site.test_roles import ADDRESSES, World, everywhere

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.soak]

PHONE: Final = 360


def long_word(start: str, length: int = MOST_CHARACTERS) -> str:
    return start + "W" * (length - len(start))


def in_long_words(document: Any) -> Any:
    """Replace each text of a definition by a word of 5,000 letters that begins like the text."""
    if isinstance(document, list):
        return [in_long_words(part) for part in document]
    if not isinstance(document, dict):
        return document
    return {
        name: {tag: long_word(text[:3].strip()) for tag, text in part.items()}
        if isinstance(part, dict) and "en" in part
        else in_long_words(part)
        for name, part in document.items()
    }


def long_run() -> Run:
    survey = survey_import(in_long_words(definition("long", policy="protected")), by=long_word("alice", 150))
    version = survey_publish(
        survey,
        by=long_word("alice", 150),
        now=timezone.now(),
        reason=long_word("because", 2000),
        is_readable_seen=True,
    )
    answer(version, 800)
    return audited_run(mined_run(closed(version), PAIRS, anew=True))


def addresses_of(world: World) -> Iterator[str]:
    for name, pattern in everywhere().items():
        if name in ADDRESSES and not ADDRESSES[name][0].startswith(("405", "open")):
            yield reverse(name, kwargs={part: world.arguments[part] for part in pattern.pattern.converters})


def test_no_staff_page_is_wider_than_a_phone(live_server: Any, device: Any, no_broker: None) -> None:
    world = World(long_run())
    page = device(viewport={"width": PHONE, "height": 740}).new_page()
    page.context.add_cookies(
        [{"name": "sessionid", "value": world.sessions["administrator"], "url": live_server.url}]
    )
    wide = {}
    for address in addresses_of(world):
        response = world.browser("administrator").get(address)
        if "html" not in response.headers["Content-Type"]:
            continue
        page.goto(live_server.url + address)
        page.evaluate("for (const part of document.querySelectorAll('details')) { part.open = true; }")
        if (width := width_of(page)) > PHONE:
            wide[address] = width
    assert wide == {}


def test_a_box_with_a_long_word_is_no_wider_than_a_phone(
    live_server: Any, device: Any, no_broker: None
) -> None:
    """The reason to publish a refused draft: while it is written, refused as too long, and after closing."""
    survey = new_draft()
    for block in survey.definition["blocks"]:
        if block["protected"]:
            block["truth_probability"] = 9_900
    survey.save(update_fields=["definition"])
    session = browser_of("adam", *Role).cookies["sessionid"].value
    page = device(viewport={"width": PHONE, "height": 740}).new_page()
    page.context.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])
    page.goto(f"{live_server.url}/en/staff/surveys/work/publish")

    def send() -> None:
        page.locator("#reason").evaluate("box => { box.maxLength = 9999; box.value = 'W'.repeat(2500); }")
        page.get_by_label("I have seen what is readable").check()
        assert width_of(page) <= PHONE
        page.get_by_role("button", name="Publish version 1").click()

    send()
    expect(page.get_by_text("The text has 2,500 characters")).to_be_visible()
    Survey.objects.update(state=Survey.State.CLOSED, closed_at=timezone.now())
    send()
    expect(page.get_by_text("Your text is not saved.")).to_be_visible()
    assert width_of(page) <= PHONE
