"""A malicious server changes its responses; devices refuse some changes by themselves, others with a letter.

Watchers find other changes (tests/surveys/watch); docs/privacy.md lists the rest.
"""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from surveys.intake.views import process_limiter
from surveys.models import Inbox, Receipt, Version
from surveys.respondent.client_documents import documents_of
from surveys.respondent.survey_digests import digest_in_link
from tests.e2e.survey import workplace
from tests.fixtures.devices import published
from tests.fixtures.malicious_proxy import PLANTED, malicious_proxy

pytestmark = pytest.mark.django_db(transaction=True)

FIRST = "Try it: did you have tea this morning?"
FORGED = "This survey did not load correctly"
OTHER = "This is not the survey named in your letter"
REFUSED = {"device": (FORGED, FORGED), "letter": (FIRST, OTHER)}


@pytest.fixture
def version(live_server: Any) -> Version:
    process_limiter.cache_clear()
    return published(workplace())


def heads(page: Page, address: str, text: str, kind: str) -> None:
    page.goto("about:blank")
    page.goto(address)
    expect(page.get_by_role("heading", name=text), kind).to_be_visible()


def test_devices_refuse_detectable_lies_and_more_with_a_letter(
    version: Version, reader: Page, live_server: Any
) -> None:
    digest = digest_in_link(documents_of(version).root)
    with malicious_proxy(live_server.url, lambda _asked, answer: answer) as origin:
        heads(reader, f"{origin}/en/s/workplace/#d={digest}", FIRST, "an honest server")
    for kind, plant in PLANTED.items():
        if plant.found_by not in REFUSED:
            continue
        without, by_letter = REFUSED[plant.found_by]
        with malicious_proxy(live_server.url, plant.change) as origin:
            heads(reader, f"{origin}/en/s/workplace/", without, kind)
            heads(reader, f"{origin}/en/s/workplace/#d={digest}", by_letter, kind)
            expect(reader.get_by_role("button", name="Start"), kind).to_have_count(0)
    assert Inbox.objects.count() == Receipt.objects.count() == 0
