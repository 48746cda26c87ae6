"""A survey tool's file in a real browser: it is chosen once, uploaded with progress, and imported."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import expect

from surveys.models import Survey
from tests.e2e.judged import violations_light_and_dark
from tests.e2e.test_report import PASSWORD, log_in
from tests.fixtures.embed_frames import three
from tests.fixtures.host_files import exported
from tests.fixtures.staff import seen_by

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.soak
def test_a_file_is_chosen_once_checked_and_imported(
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
    # The definition of the part is missing; the file stays chosen.
    expect(page.get_by_role("alert")).to_contain_text("Nothing was imported.")
    page.get_by_label("Definitions of the parts").set_input_files([part])
    page.get_by_role("button", name="Check the file").click()
    expect(page.get_by_text("200 people answered.")).to_be_visible()
    assert violations_light_and_dark(page) == {}
    assert not Survey.objects.exists()
    expect(page.get_by_label("works nights")).to_be_checked()
    page.get_by_label("Address").fill("from-a-tool")
    page.get_by_role("button", name="Create survey").click()
    # A check refuses it until there is a reason for publishing.
    page.get_by_label("Reason for publishing anyway").fill("To be tried.")
    page.get_by_role("button", name="Create survey").click()
    page.wait_for_url("**/staff/surveys/from-a-tool/")
    assert Survey.objects.get().state == "closed"
    assert all("422" in complaint for complaint in complaints)


PEOPLE = 15_000
SLOW = {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": 250_000}
FREE = {**SLOW, "uploadThroughput": -1}


@pytest.mark.soak
def test_upload_progress_and_the_result_are_shown(
    live_server: Any, device: Any, no_broker: None, tmp_path: Path
) -> None:
    User.objects.create_user("dora", password=PASSWORD, is_staff=True, is_superuser=True)
    page = device(reduced_motion="reduce").new_page()
    complaints = log_in(page, live_server.url)
    page.goto(f"{live_server.url}/en/staff/surveys/new/answers")
    part = tmp_path / "part.json"
    part.write_text(json.dumps(three()))
    look = page.get_by_role("button", name=re.compile("Check the file"))

    def give(content: bytes) -> None:
        page.get_by_label("The tool’s file").set_input_files(
            [{"name": "answers.csv", "mimeType": "text/csv", "buffer": content}]
        )
        page.get_by_label("Definitions of the parts").set_input_files([part])
        look.click()

    large = exported(three(), PEOPLE)
    network = page.context.new_cdp_session(page)
    network.send("Network.enable")
    network.send("Network.emulateNetworkConditions", SLOW)
    give(large)
    bar = page.get_by_role("progressbar", name="How much of the file was sent")
    expect(page.get_by_role("status")).to_have_text("The file is being sent.")
    expect(bar).to_be_visible()
    expect(page.locator("[data-upload-share]")).to_have_text(re.compile(r"[1-9]\d?%"))
    assert 0 < float(bar.evaluate("bar => bar.value")) < 100
    assert violations_light_and_dark(page) == {}
    # After cancelling, the form is as before and can be sent again.
    page.get_by_role("button", name="Cancel").click()
    expect(bar).to_be_hidden()
    expect(look).to_be_enabled()
    network.send("Network.emulateNetworkConditions", FREE)
    give(large)
    expect(page.get_by_role("heading", name="Contents of the file")).to_be_visible()
    expect(page.get_by_text(f"{PEOPLE:,} people answered.", exact=False)).to_be_visible()
    assert complaints == []
    # The form of the new page works too, and shows a refusal in its place.
    give(b"answer\nmaybe\n" * 2)
    expect(page.get_by_role("alert")).to_be_visible()
    expect(bar).to_be_hidden()
