"""Survey practice in a real browser: type margins, read weights, split an itemset; axe finds nothing."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import expect

from surveys.jobs import lease
from surveys.runs.mining_job import mine_snapshot
from tests.e2e.judged import violations_light_and_dark, width_of
from tests.e2e.test_report import PASSWORD, log_in
from tests.fixtures.runs import LOOSE, answered, asked
from tests.fixtures.staff import seen_by

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.soak
def test_margins_are_typed_weights_read_and_an_itemset_taken_apart(
    live_server: Any, device: Any, no_broker: None
) -> None:
    seen_by(User.objects.create_user("dora", password=PASSWORD, is_staff=True, is_superuser=True))
    run = asked(answered(1000), LOOSE)
    assert lease.perform(run.job_id, mine_snapshot)
    page = device(reduced_motion="reduce").new_page()
    complaints = log_in(page, live_server.url)
    page.goto(f"{live_server.url}/en/staff/runs/{run.pk}/practice/")
    page.get_by_label("Shares in the population").fill("age,young,50 %\nage,old,50 %")
    page.get_by_role("button", name="Weigh").click()
    expect(page.get_by_role("columnheader", name="design effect")).to_be_visible()
    expect(page).to_have_url(re.compile("margins=age%3Ayoung%3D0.5"))
    paths = [page.url]
    paths += [f"{live_server.url}/en/staff/runs/{run.pk}/{tab}/" for tab in ("tests", "about")]
    for path in paths:
        page.set_viewport_size({"width": 1280, "height": 900})
        page.goto(path)
        assert violations_light_and_dark(page) == {}, path
        page.set_viewport_size({"width": 390, "height": 844})
        width = width_of(page)
        assert width <= 390, f"{path} is {width} px wide on a phone"
    assert complaints == []
