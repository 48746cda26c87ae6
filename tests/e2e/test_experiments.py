"""The experiment of a paper in a browser: asked for, waited for, read, taken away, on a phone and a desk."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User

from surveys.tasks import run_job
from tests.e2e.judged import violations_light_and_dark, width_of
from tests.e2e.test_report import PASSWORD, log_in
from trials.models import Experiment

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.soak]


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_an_experiment_is_asked_for_waited_for_and_read(
    live_server: Any, device: Any, no_broker: None, language: str
) -> None:
    User.objects.create_user("dora", password=PASSWORD, is_staff=True, is_superuser=True)
    page = device(reduced_motion="reduce").new_page()
    complaints = log_in(page, live_server.url)
    here = f"{live_server.url}/{language}/staff/experiments/"

    def judge(name: str) -> None:
        for width in (1280, 360):
            page.set_viewport_size({"width": width, "height": 900})
            assert width_of(page) <= width, f"{name} is wider than {width} px"
        page.set_viewport_size({"width": 1280, "height": 900})
        assert violations_light_and_dark(page) == {}, name

    page.goto(here)
    judge("the list")
    for paper, number in (("reproduce-003", "rows"), ("experiment", "repetitions")):
        page.goto(f"{here}{paper}/")
        judge("nothing was run")
        page.fill(f"#id_{number}", "1")
        page.evaluate("document.querySelector('main form').noValidate = true")
        page.click("main form button")
        page.locator("p.error").wait_for()
        judge("refused")
        page.fill(f"#id_{number}", "1000")
        page.click("main form button")
        page.locator("[data-progress]").wait_for()
        judge("at work")
        run_job(Experiment.objects.get(paper=paper).job_id)
        # The page goes on to the result by itself.
        page.locator("#facts").wait_for()
        judge("a result")
        with page.expect_download() as download:
            page.locator("[data-png]").first.click()
        assert download.value.path().read_bytes().startswith(b"\x89PNG")
    # The refusals, of which the browser tells by their status.
    assert [said for said in complaints if "422" not in said] == []
