"""A reviewer judges rules, prints the report, takes the data away and compares two runs."""

from __future__ import annotations

import zipfile
from typing import Any

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import expect

from mining.thresholds import Thresholds
from surveys.figures.verdicts import opinions_of
from tests.cast.runs import answered, mined
from tests.cast.staff import seen_by
from tests.e2e.judged import violations as axe
from tests.e2e.judged import width_of
from tests.e2e.test_report import PASSWORD, log_in

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.soak
def test_a_reviewer_judges_prints_and_exports(live_server: Any, device: Any, no_broker: None) -> None:
    seen_by(User.objects.create_user("dora", password=PASSWORD, is_staff=True, is_superuser=True))
    version = answered()
    mined(version, Thresholds(support=0.2, max_size=2))
    run = mined(version, Thresholds(support=0.1, max_size=2))
    page = device(viewport={"width": 390, "height": 844}).new_page()
    complaints = log_in(page, live_server.url)
    seen: dict[str, tuple[str, int]] = {}

    def look(name: str) -> None:
        seen[name] = (axe(page), width_of(page))

    # One rule is judged; a rejection without a reason comes back.
    rule = run.rules.order_by("-lift", "pk").first()
    assert rule is not None
    page.goto(f"{live_server.url}/en/staff/runs/{run.pk}/rules/{rule.pk}/verdicts/")
    page.get_by_label("rejected").check()
    page.get_by_role("button", name="Give the verdict").click()
    expect(page.get_by_text("Write in the note why")).to_be_visible()
    look("refused verdict")
    page.get_by_label("accepted").check()
    page.get_by_label("Note").fill("Holds in both halves.")
    page.get_by_role("button", name="Give the verdict").click()
    expect(page.get_by_text("Your verdict is kept.")).to_be_visible()
    look("verdict")

    page.goto(f"{live_server.url}/en/staff/surveys/habits/")
    expect(page.get_by_text("One rule of run")).to_be_visible()
    look("survey")
    page.get_by_role("link", name="Report of the accepted rules").click()
    expect(page.get_by_text("Holds in both halves.")).to_be_visible()
    expect(page.get_by_role("button", name="Print")).to_be_visible()
    look("report")
    assert opinions_of(run)["accepted"] == 1

    # The list of runs says what the second was asked for otherwise.
    page.goto(f"{live_server.url}/en/staff/surveys/habits/")
    expect(page.get_by_text("Support from: 0.2 → 0.1")).to_be_visible()

    page.goto(f"{live_server.url}/en/staff/surveys/habits/export-data/")
    look("export")
    # The first file waits until the server has loaded what writes Parquet.
    with page.expect_download() as download:
        page.get_by_role("button", name="Download the ZIP file").click()
    with zipfile.ZipFile(download.value.path()) as archive:
        assert "reproduce.py" in archive.namelist()

    page.goto(f"{live_server.url}/en/staff/surveys/habits/delete")
    look("delete")
    assert {name: found for name, found in seen.items() if found != ("[]", 390)} == {}
    # A form that is refused is answered with 422, which the browser writes down.
    assert [one for one in complaints if "422" not in one] == []
