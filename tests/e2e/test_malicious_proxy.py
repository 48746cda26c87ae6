"""A malicious server changes its responses; devices refuse some changes by themselves, others with a letter.

Watchers find other changes (tests/surveys/watch); docs/privacy.md lists the rest.
"""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from surveys.intake.views import process_limiter
from surveys.models import Inbox, Receipt, Version
from surveys.respondent.client_documents import digest_in_link, documents_of
from tests.e2e.survey import workplace
from tests.fixtures.devices import published
from tests.fixtures.malicious_proxy import PLANTED, malicious_proxy

pytestmark = pytest.mark.django_db(transaction=True)

FIRST = "Who can see my answers?"
FORGED = "This survey did not load correctly"
OTHER = "This is not the survey named in your letter"
REFUSED = {"device": (FORGED, FORGED), "letter": (FIRST, OTHER)}


@pytest.fixture
def version(live_server: Any) -> Version:
    process_limiter.cache_clear()
    return published(workplace())


@pytest.fixture
def opened(device: Callable[..., Any]) -> Iterator[Callable[[str], Page]]:
    """Return a function that opens an address in a new page."""
    context = device()

    def open_page(address: str) -> Page:
        page: Page = context.new_page()
        page.goto(address)
        return page

    return open_page  # type: ignore[return-value] - pytest accepts the function


def heads(page: Page, text: str) -> None:
    expect(page.get_by_role("heading", name=text)).to_be_visible()


@pytest.mark.parametrize("kind", [kind for kind, plant in PLANTED.items() if plant.found_by in REFUSED])
def test_devices_refuse_detectable_lies_and_more_with_a_letter(
    kind: str, version: Version, opened: Callable[[str], Page], live_server: Any
) -> None:
    plant = PLANTED[kind]
    digest = digest_in_link(documents_of(version).root)
    without, by_letter = REFUSED[plant.found_by]
    with malicious_proxy(live_server.url, plant.change) as origin:
        address = f"{origin}/en/s/workplace/"
        heads(opened(address), without)
        refusing = opened(f"{address}#d={digest}")
        heads(refusing, by_letter)
        expect(refusing.get_by_role("button", name="Start")).to_have_count(0)
    assert Inbox.objects.count() == Receipt.objects.count() == 0


def test_an_honest_server_is_accepted(
    version: Version, opened: Callable[[str], Page], live_server: Any
) -> None:
    digest = digest_in_link(documents_of(version).root)
    with malicious_proxy(live_server.url, lambda _asked, answer: answer) as origin:
        heads(opened(f"{origin}/en/s/workplace/#d={digest}"), FIRST)
