"""A group that is full: said before the sensitive questions, put right, or left; nothing goes out of it."""

from __future__ import annotations

import os
import re

import pytest
from playwright.sync_api import expect

from surveys.rows.quota_counts import quotas_step
from tests.cast.devices import stored
from tests.e2e.judged import violations_light_and_dark, width_of
from tests.e2e.survey import ANSWERS, TRUTH, body_of, workplace
from tests.e2e.tap import QUIET, Tap, traces
from tests.e2e.visit import Visit

pytestmark = pytest.mark.django_db(transaction=True)

FULL = "This group is full"
OF_FULL_GROUP = {**ANSWERS, "work": {**ANSWERS["work"], "years": 0}}


def with_full_group(room):
    """Publish a practice survey with a quota of one, and let one in."""
    blocks = workplace()["blocks"]
    blocks[0]["questions"][0]["quotas"] = {"to-1": 1}
    here = room(blocks=blocks, practice=True)
    stored(here.version, [body_of(here.version.to_design(), OF_FULL_GROUP, TRUTH)])
    quotas_step()
    return here


def opened(here, device, **options):
    context = device(words=TRUTH, bypass_csp=True, viewport={"width": 360, "height": 640}, **options)
    tap = Tap(context)
    visit = Visit(context.new_page(), here.address, here.definition)
    visit.step = lambda screen: tap.look(visit.page, screen)
    return tap, visit.open()


def test_who_is_of_a_full_group_sends_and_asks_nothing_else_and_may_put_the_answer_right(room, device):
    here = with_full_group(room)
    asked = []
    for answers in (OF_FULL_GROUP, ANSWERS):
        tap, visit = opened(here, device)
        # One after another: on one page the sensitive questions would be seen first.
        expect(visit.button("All on one page")).to_have_count(0)
        visit.walk(answers, until="question:years")
        visit.choose(answers)
        visit.press("Continue")
        visit.page.wait_for_load_state("networkidle")
        visit.step("after")
        asked.append(sorted((sent.method, re.sub(r".*/", "", sent.url)) for sent in tap.requests))
        assert traces(tap.steps) == []
        if answers is ANSWERS:
            assert visit.screen == "question:leads"
            continue
        expect(visit.room.get_by_role("heading", name=FULL)).to_be_focused()
        expect(visit.room).to_contain_text("Less than two years")
        expect(visit.room).to_contain_text("Nothing was sent. Nothing you answered is kept.")
        expect(visit.room.locator("input")).to_have_count(0)
        assert not violations_light_and_dark(visit.page)
        assert width_of(visit.page) <= 360
        if os.environ.get("SOTTO_PICTURES"):
            visit.page.screenshot(path=f"{os.environ['SOTTO_PICTURES']}/full.png", full_page=True)
        # The browser's own Forward gets no further.
        visit.page.go_forward()
        visit.at("question:years")
        visit.press("Continue")
        visit.press("Back to the question")
        expect(visit.room.get_by_label("Less than two years", exact=True)).to_be_checked()
        visit.step = lambda screen: None
        visit.walk(ANSWERS).seal().delivered()
        assert here.receipts == 1
    assert asked[0] == asked[1]
    assert any(name == "later.js" for _method, name in asked[0])


@pytest.mark.soak
def test_who_leaves_from_there_is_not_asked_to_stay_and_leaves_nothing(room, device):
    here = with_full_group(room)
    tap, visit = opened(here, device)
    dialogs = []
    visit.page.on("dialog", lambda dialog: (dialogs.append(dialog.type), dialog.accept()))
    visit.walk(OF_FULL_GROUP, until=FULL)
    before = len(tap.requests)
    visit.press("Leave this page now")
    visit.page.wait_for_url("about:blank")
    assert (dialogs, len(tap.requests), here.receipts) == ([], before, 0)
    assert {name: tap.steps[-1].around[name] for name in QUIET} == QUIET
