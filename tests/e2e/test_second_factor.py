"""The second factor in a browser: set up, logged in with, lost; each page on a phone and on a desktop."""

from __future__ import annotations

import base64
import os
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from pytest_django import Settings

from surveys.accounts.permissions import Role
from tests.e2e.judged import violations, violations_light_and_dark, width_of
from tests.e2e.test_people import log_in, watched
from tests.fixtures.second_factor import code
from tests.fixtures.staff import PASSWORD, able

pytestmark = pytest.mark.django_db(transaction=True)

# Folder for screenshots of the pages, if set.
PICTURES = os.environ.get("SOTTOVOCE_TEST_PICTURES")


def look_at(page: Page, name: str) -> None:
    """Look at a page at 1280 pixels, light and dark, and at 360."""
    for width, judge in ((1280, violations_light_and_dark), (360, violations)):
        page.set_viewport_size({"width": width, "height": 900})
        assert judge(page) in ({}, "[]"), name
        assert width_of(page) <= width, name
        if PICTURES:
            page.emulate_media(color_scheme="light")
            page.screenshot(path=Path(PICTURES, f"{name}-{width}.png"), full_page=True)


@pytest.mark.soak
def test_a_second_factor_is_set_up_asked_for_and_its_recovery_code_lets_in_once(
    live_server: Any, device: Any, settings: Settings
) -> None:
    settings.SECOND_FACTOR_FOR = frozenset({"administrators"})
    able("adam", Role.ADMINISTRATOR)
    page, complaints = watched(device)
    page.goto(f"{live_server.url}/en/staff/")
    log_in(page, "adam", PASSWORD)
    # Administrators need one here, and are led to it.
    look_at(page, "missing")
    # The browser's own word for a page that is refused.
    assert [said.partition(":")[0] for said in complaints] == ["Failed to load resource"]
    complaints.clear()
    page.get_by_role("link", name="Set up a second factor").click()
    look_at(page, "off")
    page.get_by_role("button", name="Set up").click()
    expect(page.get_by_role("img", name="The secret as a QR code")).to_be_visible()
    look_at(page, "set-up")
    secret = page.locator(".secret").inner_text().replace(" ", "")
    app = page.get_by_role("link", name="Open it in an app on this device").get_attribute("href")
    assert app is not None
    assert app.startswith("otpauth://totp/")
    assert f"secret={secret}" in app
    key = base64.b32decode(secret)
    page.get_by_label("Your password").fill(PASSWORD)
    page.get_by_role("textbox", name="Code").fill("12 34")
    page.get_by_role("button", name="Turn on").click()
    look_at(page, "wrong-code")
    # The browser's own word for a page that is refused.
    assert [said.partition(":")[0] for said in complaints] == ["Failed to load resource"]
    complaints.clear()
    # By keyboard alone: from the password to the code to the button.
    page.get_by_label("Your password").fill(PASSWORD)
    page.keyboard.press("Tab")
    page.keyboard.type(code(key))
    page.keyboard.press("Enter")
    codes = page.locator(".codes li")
    expect(codes).to_have_count(10)
    look_at(page, "recovery-codes")
    recovery = codes.first.inner_text()
    page.goto(f"{live_server.url}/en/staff/account/second-factor/")
    look_at(page, "on")
    page.goto(f"{live_server.url}/en/staff/people/")
    expect(page.get_by_role("heading", name="People")).to_be_visible()

    # Another browser: password, then the code that the app shows next; then, elsewhere, a recovery code.
    for number, typed in enumerate((code(key, steps=1), recovery, recovery)):
        other, _complaints = watched(device)
        other.goto(f"{live_server.url}/en/staff/people/")
        log_in(other, "adam", PASSWORD)
        expect(other.get_by_role("heading", name="Enter your code")).to_be_visible()
        if number == 0:
            look_at(other, "log-in")
        other.get_by_role("textbox", name="Code").fill(typed)
        other.get_by_role("button", name="Log in").click()
        if number < 2:
            expect(other.get_by_role("heading", name="People")).to_be_visible()
        else:
            look_at(other, "log-in-wrong")
            expect(other.get_by_role("alert").first).to_be_visible()
    assert complaints == []
