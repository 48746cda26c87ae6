"""A reviewer in a real browser: filters, goes back, turns pages, walks from rule to rule."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import expect

from surveys.report.rule_rows import RuleQuery, rule_keys
from tests.e2e.test_report import PASSWORD, log_in
from tests.fixtures.runs import answered, mined
from tests.fixtures.staff import seen_by

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.soak
def test_a_reviewer_filters_turns_pages_and_walks_from_rule_to_rule(
    live_server: Any, device: Any, no_broker: None
) -> None:
    seen_by(User.objects.create_user("dora", password=PASSWORD, is_staff=True, is_superuser=True))
    run = mined(answered())
    everything = rule_keys(run, RuleQuery())
    assert len(everything) > 25
    page = device(viewport={"width": 1280, "height": 900}).new_page()
    complaints = log_in(page, live_server.url)
    page.goto(f"{live_server.url}/en/staff/runs/{run.pk}/")

    page.get_by_text("Limits of every measure, and more").click()
    page.get_by_label("lift from").fill("1")
    page.get_by_label("Rules on a page").select_option("25")
    page.get_by_role("button", name="Filter").first.click()
    clear = RuleQuery(limits=(("lift_from", 1.0),))
    keys = rule_keys(run, clear)
    expect(page.get_by_role("heading", level=2, name="rules")).to_have_text(
        f"{len(keys)} of {len(everything)} rules"
    )
    page.get_by_role("link", name=re.compile("lift from 1")).click()
    expect(page.get_by_role("heading", level=2, name="rules")).to_contain_text(
        f"{len(everything)} of {len(everything)}"
    )
    page.go_back()
    expect(page.get_by_role("link", name=re.compile("lift from 1"))).to_be_visible()
    page.get_by_role("link", name="Clear filters").click()

    # A page on and back.
    page.goto(f"{live_server.url}/en/staff/runs/{run.pk}/?size=25")
    page.get_by_role("link", name="Next", exact=True).click()
    expect(page.get_by_text("Page 2 of")).to_be_visible()
    page.get_by_role("link", name="Previous", exact=True).click()
    expect(page.get_by_text("Page 1 of")).to_be_visible()

    # A rule, and the next one of the filter.
    page.goto(f"{live_server.url}/en/staff/runs/{run.pk}/{clear.address()}")
    page.locator("a.rule-link").first.click()
    expect(page.get_by_role("heading", name="Estimated 2×2 table")).to_be_visible()
    expect(page.get_by_text(f"rule 1 of {len(keys)}")).to_be_visible()
    page.locator("a[rel=next]").click()
    page.wait_for_url(f"**/rules/{keys[1]}/**")
    page.get_by_role("link", name="Filtered rules").click()
    expect(page.get_by_role("link", name=re.compile("lift from 1"))).to_be_visible()
    assert complaints == []
