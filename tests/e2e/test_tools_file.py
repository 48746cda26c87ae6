"""A survey tool's side in a real browser: a frame to try on two origins; its file, chosen once."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import expect

from surveys.models import Survey
from tests.e2e.judged import violations_light_and_dark
from tests.e2e.test_report import PASSWORD, log_in
from tests.fixtures.frames import three
from tests.fixtures.host_files import exported
from tests.fixtures.staff import seen_by

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.soak
def test_a_file_is_chosen_once_looked_at_and_taken_in(
    live_server: Any, device: Any, no_broker: None, tmp_path: Path
) -> None:
    seen_by(User.objects.create_user("dora", password=PASSWORD, is_staff=True, is_superuser=True))
    page = device(reduced_motion="reduce").new_page()
    complaints = log_in(page, live_server.url)
    page.goto(f"{live_server.url}/en/staff/surveys/new")
    page.get_by_role("link", name="From another tool’s file").click()
    answers, part = tmp_path / "answers.csv", tmp_path / "part.json"
    answers.write_bytes(exported(three()))
    part.write_text(json.dumps(three()))
    page.get_by_label("The tool’s file").set_input_files(answers)
    page.get_by_role("button", name="Check the file").click()
    # The researcher has not named its part yet; the file stays chosen.
    expect(page.get_by_role("alert")).to_contain_text("Nothing was imported.")
    page.get_by_label("Definitions of the parts").set_input_files([part])
    page.get_by_role("button", name="Check the file").click()
    expect(page.get_by_text("200 people answered.")).to_be_visible()
    assert violations_light_and_dark(page) == {}
    assert not Survey.objects.exists()
    expect(page.get_by_label("works nights")).to_be_checked()
    page.get_by_label("Address").fill("from-a-tool")
    page.get_by_role("button", name="Create survey").click()
    if page.get_by_label("Reason for publishing anyway").count():
        page.get_by_label("Reason for publishing anyway").fill("To be tried.")
        page.get_by_role("button", name="Create survey").click()
    page.wait_for_url("**/staff/surveys/from-a-tool/")
    assert Survey.objects.get().state == "closed"
    assert all("422" in complaint for complaint in complaints)


@pytest.mark.soak
def test_a_frame_is_tried_on_two_origins_again_and_again(
    live_server: Any, device: Any, no_broker: None, settings: Any
) -> None:
    seen_by(User.objects.create_user("dora", password=PASSWORD, is_staff=True, is_superuser=True))
    also = live_server.url.replace("localhost", "127.0.0.1")
    assert also != live_server.url
    settings.ALLOWED_HOSTS = ["localhost", "127.0.0.1"]
    settings.SOTTOVOCE_FRAME_HOSTS, settings.SOTTOVOCE_FRAME_ORIGIN = [live_server.url], also
    page = device(reduced_motion="reduce").new_page()
    complaints = log_in(page, live_server.url)
    lines = set()
    for _time in range(2):
        page.goto(f"{live_server.url}/en/staff/your-tool/")
        box = page.frame_locator(f"iframe[src^='{also}']")
        send = page.get_by_role("button", name="Send")
        box.get_by_role("button", name="Start").wait_for()
        send.press("Enter")
        expect(page.get_by_text("Answer in the box first")).to_be_visible()
        box.get_by_role("button", name="Start").press("Enter")
        box.get_by_label("No", exact=True).check()
        box.get_by_label("None of these").check()
        box.get_by_role("button", name="Disguise").press("Enter")
        page.wait_for_function("() => document.querySelector('[name=protected]').value")
        page.get_by_label("where do you work").select_option("Workshop")
        send.press("Enter")
        row = page.get_by_role("row", name="Workshop")
        expect(row).to_contain_text("sotto1.")
        lines.add(row.inner_text())
        assert violations_light_and_dark(page) == {}
    assert len(lines) == 2
    assert complaints == []
