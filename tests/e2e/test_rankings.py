"""Things put in order on a telephone: by touch, by keys, taken back; sent as one of their orders."""

from __future__ import annotations

import os

import pytest
from playwright.sync_api import expect

from tests.cast.rankings import ranked_survey
from tests.e2e.judged import out_of_sight, violations_light_and_dark, width_of
from tests.e2e.survey import ANSWERS, TRUTH, body_of

pytestmark = pytest.mark.django_db(transaction=True)

HOURS_PAY_TEAM = 2


def test_an_order_is_given_by_touch_and_by_keys_and_sent_as_one_of_its_orders(room, visit):
    here = room(blocks=ranked_survey()["blocks"])
    # Pay, hours, boss, team: the second of 24.
    answers = {
        **ANSWERS, "work": {**ANSWERS["work"], "matters": 1}, "leaving": {"leave": HOURS_PAY_TEAM},
    }  # fmt: skip
    there = visit(here, words=TRUTH, viewport={"width": 360, "height": 640}, has_touch=True)
    there.walk(answers, until="question:leave")
    # A protected order is needed whole: one thing alone is no answer.
    there.button("The team").tap()
    expect(there.room.get_by_role("status")).to_have_text("Still without a place: 2.")
    there.press("Continue")
    expect(there.room.get_by_text("Please give each one a place.")).to_be_visible()
    expect(there.button("Pay")).to_be_focused()
    # Pressed again it gives its place back.
    there.room.get_by_role("button", name="1. The team", exact=True).tap()
    expect(there.room.get_by_role("button", pressed=True)).to_have_count(0)
    # With keys alone, the last one taken back on the way.
    there.button("Working hours").focus()
    there.page.keyboard.press("Enter")
    there.page.keyboard.press("Tab")
    there.page.keyboard.press("Space")
    expect(there.room.get_by_role("button", name="2. The team", exact=True)).to_be_focused()
    there.room.get_by_role("button", name="Take the last one back", exact=True).press("Enter")
    expect(there.button("The team")).to_be_focused()
    there.button("Pay").tap()
    there.button("The team").tap()
    expect(there.room.get_by_role("status")).to_have_text("All have their place.")
    assert not violations_light_and_dark(there.page)
    assert width_of(there.page) <= 360
    assert not out_of_sight(there.page)
    if os.environ.get("SOTTO_PICTURES"):
        there.page.screenshot(path=f"{os.environ['SOTTO_PICTURES']}/ranking.png", full_page=True)
    # In another language the same order stands there.
    there.page.locator("#languages a").first.click()
    expect(there.room.get_by_role("button", name="1. 工时", exact=True)).to_be_visible()
    there.page.locator("#languages a").first.click()
    expect(there.room.get_by_role("button", name="1. Working hours", exact=True)).to_be_visible()
    there.press("Continue")
    expect(there.room.get_by_text("1. Working hours 2. Pay 3. The team")).to_be_visible()
    expect(there.room.get_by_text("1. Pay 2. Working hours 3. The boss 4. The team")).to_be_visible()
    there.seal().delivered()
    assert here.bodies == [body_of(here.version.to_design(), answers, TRUTH)]
    assert any(url.endswith("/ranking.js") for url in there.loaded)
