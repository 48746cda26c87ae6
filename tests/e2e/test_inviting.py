"""A researcher invites people (choice, sheet, table, reminder), and one answers with the printed code."""

import csv
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Page, expect

from surveys.accounts.roles import Role
from surveys.authoring.drafts import survey_import
from surveys.intake.codes import code_in_groups
from surveys.intake.views import process_limiter
from surveys.models import Inbox, Receipt, Survey
from tests.e2e.judged import violations, width_of
from tests.e2e.survey import ANSWERS, workplace
from tests.e2e.visit import Visit
from tests.fixtures.staff import member

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def ana(live_server: Any, device: Any, client: Client) -> Any:
    """Return a function that opens a staff page as the survey's owner, in a colour scheme."""
    process_limiter.cache_clear()
    user: User = member("ana", Role.RESEARCHER)
    client.force_login(user)
    cookie = {"name": "sessionid", "value": client.cookies["sessionid"].value, "url": live_server.url}

    def open_page(path: str, **options: Any) -> Page:
        clipboard = ["clipboard-read", "clipboard-write"]
        context = device(bypass_csp=True, permissions=clipboard, reduced_motion="reduce", **options)
        context.add_cookies([cookie])
        page: Page = context.new_page()
        page.goto(live_server.url + path)
        return page

    return open_page


@pytest.mark.soak
def test_a_researcher_invites_and_a_respondent_answers_by_code(
    ana: Any, device: Any, live_server: Any
) -> None:
    definition = workplace()
    survey_import(definition, by="alice")
    Survey.objects.update(owner=User.objects.get(username="ana"))
    page = ana("/en/staff/surveys/workplace/publish")
    page.get_by_role("radio", name="Invited people").check()
    if page.locator("#reason").count():
        page.locator("#reason").fill("Made for a test.")
    page.get_by_label("I have seen what is readable").check()
    page.get_by_role("button", name="Publish version 1").click()
    page.get_by_role("link", name="Invitations …").click()
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert violations(page) == "[]"
    page.get_by_role("link", name="First letter and reminder").click()
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert violations(page) == "[]"
    for button, said in (
        ("Copy reminder English", "We invited you to the survey"),
        ("Copy letter English", "enter this code. It works once"),
        ("Copy address English", "/en/s/workplace/"),
    ):
        page.get_by_role("button", name=button).click()
        expect(page.get_by_text("Copied.").last).to_be_visible()
        assert said in page.evaluate("navigator.clipboard.readText()")
    page.get_by_role("link", name="Create codes").click()

    page.get_by_label("Number of codes").fill("4")
    page.get_by_role("button", name="Create codes").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("4 new codes")
    expect(page.locator("svg.qr")).to_have_count(4)
    page.wait_for_load_state()
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert violations(page) == "[]"
    page.set_viewport_size({"width": 320, "height": 700})
    assert width_of(page) == 320
    page.emulate_media(media="print")
    expect(page.get_by_text("This page is shown only once.")).to_be_hidden()
    page.emulate_media(media="screen")

    # Leaving before the codes are saved needs confirmation.
    asked = []
    page.once("dialog", lambda dialog: (asked.append(dialog.type), dialog.dismiss()))
    with page.expect_event("dialog"):
        page.get_by_role("link", name="Back to invitations").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("4 new codes")
    assert asked == ["beforeunload"]
    with page.expect_download() as download:
        page.get_by_role("button", name="Save table").click()
    with open(download.value.path(), encoding="utf-8-sig") as file:
        rows = list(csv.DictReader(file))
    shown = page.locator(".invitation-code").all_inner_texts()
    assert [row["code"] for row in rows] == shown
    page.get_by_role("link", name="Back to invitations").click()
    expect(page.get_by_role("heading", name="Withdraw codes")).to_be_visible()

    Visit(device().new_page(), rows[2]["address"], definition).open().walk(ANSWERS).seal().delivered()
    assert Receipt.objects.filter(digest__isnull=False).count() == Inbox.objects.count() == 1
    page.get_by_label("Codes, one per line").fill(code_in_groups(rows[3]["code"].replace("-", "")))
    page.get_by_role("button", name="Withdraw").click()
    expect(page.get_by_role("status").first).to_contain_text("The unused ones were withdrawn")
    assert Receipt.objects.count() == 3
    page.get_by_role("radio", name="All unused codes").check()
    page.get_by_role("button", name="Withdraw").click()
    expect(page.locator("#confirm-error")).to_be_visible()
    assert violations(page) == "[]"
