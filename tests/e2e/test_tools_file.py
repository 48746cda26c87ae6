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
