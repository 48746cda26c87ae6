"""A reviewer judges rules in the queue, prints the report, downloads the data and compares runs."""

import zipfile
from typing import Any

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import expect

from mining.thresholds import Thresholds
from surveys.accounts.roles import Role, roles_keep
from surveys.report.rules.verdicts import opinions_of
from tests.e2e.judged import violations as axe
from tests.e2e.judged import violations_light_and_dark as axe_of_both
from tests.e2e.judged import width_of
from tests.e2e.test_report import PASSWORD, log_in
from tests.fixtures.runs import answered_version, mined_run
from tests.fixtures.staff import seen_by

pytestmark = pytest.mark.django_db(transaction=True)


def queued(live_server: Any, page: Any) -> list[str]:
    """Log a reviewer in with rules to review; return the browser's errors."""
    dora = User.objects.create_user("dora", password=PASSWORD, is_staff=True)
    roles_keep(dora, [Role.REVIEWER])
    seen_by(dora)
    mined_run(answered_version(), Thresholds(support=0.1, max_size=2))
    return log_in(page, live_server.url)


@pytest.mark.soak
def test_the_review_queue_works_by_keyboard(live_server: Any, device: Any, no_broker: None) -> None:
    page = device().new_page()
    complaints = queued(live_server, page)
    wrong = {}

    def look(name: str) -> None:
        for width in (1280, 360):
            page.set_viewport_size({"width": width, "height": 800})
            found = (axe_of_both(page), width_of(page))
            if found != ({}, width):
                wrong[name, width] = found

    look("first page")
    page.get_by_role("link", name="Start reviewing").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Of 100 people")).to_be_visible()
    look("a rule that waits")
    # A rejection needs a reason.
    page.get_by_role("button", name="Reject").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("Write why you reject the rule.")).to_be_visible()
    look("a rejection without a reason")
    page.get_by_label("Reason").focus()
    page.keyboard.type("A third cause explains it.")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Saved: rejected.")).to_be_visible()
    while not page.get_by_role("heading", name="No rules to review").is_visible():
        page.get_by_role("button", name="Undecided").focus()
        page.keyboard.press("Enter")
        expect(page.get_by_text("Saved: undecided.")).to_be_visible()
    look("no rule waits")
    # A decision can be changed.
    page.get_by_role("link", name="Change").last.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("A third cause explains it.")).to_be_visible()
    look("a verdict to change")
    page.get_by_role("button", name="Accept").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("Saved: accepted.")).to_be_visible()
    assert wrong == {}
    assert [one for one in complaints if "422" not in one] == []


def test_the_review_queue_works_without_javascript(live_server: Any, device: Any, no_broker: None) -> None:
    page = device(viewport={"width": 1280, "height": 800}, java_script_enabled=False).new_page()
    queued(live_server, page)
    page.get_by_role("link", name="Start reviewing").click()
    while not page.get_by_role("heading", name="No rules to review").is_visible():
        page.get_by_role("button", name="Accept").click()
        expect(page.get_by_text("Saved: accepted.")).to_be_visible()


@pytest.mark.soak
def test_a_reviewer_judges_rules_prints_and_exports(live_server: Any, device: Any, no_broker: None) -> None:
    seen_by(User.objects.create_user("dora", password=PASSWORD, is_staff=True, is_superuser=True))
    version = answered_version()
    mined_run(version, Thresholds(support=0.2, max_size=2))
    run = mined_run(version, Thresholds(support=0.1, max_size=2))
    page = device(viewport={"width": 390, "height": 844}).new_page()
    complaints = log_in(page, live_server.url)
    seen: dict[str, tuple[str, int]] = {}

    def look(name: str) -> None:
        seen[name] = (axe(page), width_of(page))

    # Judge all waiting rules.
    page.get_by_role("link", name="Start reviewing").click()
    while not page.get_by_role("heading", name="No rules to review").is_visible():
        page.get_by_label("Reason").fill("Holds in both halves.")
        page.get_by_role("button", name="Accept").click()
        expect(page.get_by_text("Saved: accepted.")).to_be_visible()

    page.goto(f"{live_server.url}/en/staff/surveys/habits/")
    look("survey")
    page.get_by_role("link", name="Print the report").click()
    expect(page.get_by_text("Holds in both halves.").first).to_be_visible()
    expect(page.get_by_role("button", name="Print")).to_be_visible()
    look("report")
    assert opinions_of(run)["accepted"] >= 1

    # The list of runs shows their settings.
    page.goto(f"{live_server.url}/en/staff/surveys/habits/")
    for support in (".200", ".100"):
        expect(page.get_by_text(f"support from {support}, longest itemset: 2")).to_be_visible()

    page.goto(f"{live_server.url}/en/staff/surveys/habits/export-data/")
    look("export")
    # The first download is slow, because the server loads the Parquet library.
    with page.expect_download() as download:
        page.get_by_role("button", name="Download ZIP file").click()
    with zipfile.ZipFile(download.value.path()) as archive:
        assert "reproduce.py" in archive.namelist()

    page.goto(f"{live_server.url}/en/staff/surveys/habits/delete")
    look("delete")
    assert {name: found for name, found in seen.items() if found != ("[]", 390)} == {}
    # The browser logs the status 422 of a refused form.
    assert [one for one in complaints if "422" not in one] == []
