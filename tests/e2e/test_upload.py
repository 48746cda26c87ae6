"""A file upload from a real browser: the page shows its progress and the server's response."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import expect

from tests.e2e.judged import violations_light_and_dark
from tests.e2e.test_report import PASSWORD, log_in
from tests.fixtures.frames import three
from tests.fixtures.host_files import exported

pytestmark = pytest.mark.django_db(transaction=True)

PEOPLE = 15_000
SLOW = {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": 250_000}
FREE = {**SLOW, "uploadThroughput": -1}


@pytest.mark.soak
def test_how_much_of_a_file_was_sent_is_seen_and_its_answer_stands_on_the_page(
    live_server: Any, device: Any, no_broker: None, tmp_path: Path
) -> None:
    User.objects.create_user("dora", password=PASSWORD, is_staff=True, is_superuser=True)
    page = device(reduced_motion="reduce").new_page()
    complaints = log_in(page, live_server.url)
    page.goto(f"{live_server.url}/en/staff/surveys/new/answers")
    part = tmp_path / "part.json"
    part.write_text(json.dumps(three()))
    look = page.get_by_role("button", name=re.compile("Look"))

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
    expect(page.locator("[data-upload-share]")).to_have_text(re.compile(r"[1-9]\d? %"))
    assert 0 < float(bar.evaluate("bar => bar.value")) < 100
    assert violations_light_and_dark(page) == {}
    # Stopped, the form is as before and can be sent again.
    page.get_by_role("button", name="Cancel").click()
    expect(bar).to_be_hidden()
    expect(look).to_be_enabled()
    network.send("Network.emulateNetworkConditions", FREE)
    give(large)
    expect(page.get_by_role("heading", name="Contents of the file")).to_be_visible()
    expect(page.get_by_text(f"{PEOPLE} people answered.", exact=False)).to_be_visible()
    assert complaints == []
    # The page that is shown now can be sent as well; a refusal has its place.
    give(b"answer\nmaybe\n" * 2)
    expect(page.get_by_role("alert")).to_be_visible()
    expect(bar).to_be_hidden()
