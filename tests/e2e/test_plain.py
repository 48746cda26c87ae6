"""A plain account in a browser: nine pages without a Greek letter or p, on a phone and on a desktop."""

from __future__ import annotations

from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Page, expect

from surveys.accounts.permissions import Role
from surveys.authoring.publish import survey_import
from surveys.models import Survey
from tests.e2e.judged import violations_light_and_dark, width_of
from tests.fixtures.runs import answered, definition, mined
from tests.fixtures.scale_runs import scale_definition
from tests.fixtures.staff import member
from tests.surveys.test_plain_pages import for_experts_in, pages

pytestmark = pytest.mark.django_db(transaction=True)

UNFOLD = "document.querySelectorAll('details').forEach((one) => { one.open = true; })"


@pytest.fixture
def ana(live_server: Any) -> User:
    """Give a plain account."""
    return member("ana", Role.RESEARCHER, is_expert=False)


@pytest.fixture
def plain(device: Any, live_server: Any, ana: User) -> Page:
    """Give a page of the account's browser."""
    client = Client()
    client.force_login(ana)
    context = device(bypass_csp=True, viewport={"width": 1280, "height": 800})
    cookie = client.cookies[settings.SESSION_COOKIE_NAME].value
    context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": cookie, "url": live_server.url}])
    page: Page = context.new_page()
    return page


@pytest.mark.soak
def test_the_plain_pages_show_no_greek_letter_and_no_p_with_all_that_is_folded(
    plain: Page, ana: User, live_server: Any
) -> None:
    run = mined(answered(800, n_direct=0, policy="protected"))
    for document in (definition("drafted", light=True), definition("bold"), scale_definition("town")):
        survey_import(document, by="alice")
    Survey.objects.update(owner=ana)
    places = ("", "#blocks[1]", "#blocks[1].questions[0]")
    built = [(f"/en/staff/surveys/{slug}/build/", place) for slug in ("drafted", "town") for place in places]
    for path, query in (*pages(run), *built, ("/en/staff/account/", ""), ("/en/staff/account/way/", "")):
        for language in ("en", "zh-hans"):
            plain.goto("about:blank")
            plain.goto(f"{live_server.url}{path.replace('/en/', f'/{language}/', 1)}{query}")
            plain.wait_for_load_state("networkidle")
            plain.evaluate(UNFOLD)
            assert for_experts_in(plain.inner_text("body")) == [], (path, query, language)
            for width in (360, 1280):
                plain.set_viewport_size({"width": width, "height": 800})
                assert width_of(plain) <= width, (path, language)
        assert violations_light_and_dark(plain) == {}, path


def test_what_is_for_experts_shows_where_it_is_wrong_and_after_the_switch(
    plain: Page, ana: User, live_server: Any
) -> None:
    document = definition()
    question = document["blocks"][1]["questions"][0]
    question |= {"kind": "single", "unrelated": [4000, 4000], "prevalence": [5000, 5000]}
    question["options"] = [{"key": key, "text": {"en": key}} for key in ("never", "often")]
    survey = survey_import(definition(), by="alice")
    Survey.objects.update(owner=ana, definition=document)
    plain.goto(f"{live_server.url}/en/staff/surveys/{survey.slug}/build/#blocks[1].questions[0]")
    # The sum is off, and can be fixed here; a slider of p is nowhere.
    expect(plain.locator(".sums")).to_be_visible()
    plain.locator(".sums").get_by_role("button").first.click()
    expect(plain.locator(".sums")).to_be_hidden()
    expect(plain.locator(".costs")).to_be_hidden()
    plain.get_by_text("For experts", exact=True).last.click()
    plain.get_by_role("button", name="Switch to expert view").click()
    expect(plain.get_by_text("You now see the expert view.")).to_be_visible()
    plain.goto("about:blank")
    plain.goto(f"{live_server.url}/en/staff/surveys/{survey.slug}/build/#blocks[1]")
    expect(plain.locator("details.chances")).to_be_visible()
