"""All questions on one page: the same answers, the same silence before the seal, the same body."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import expect

from tests.e2e.survey import ANSWERS, DECOY, TABLE_ANSWERS, TRUTH, body_of, with_table
from tests.e2e.tap import QUIET, Tap, traces
from tests.e2e.visit import WHOLE, Visit

pytestmark = pytest.mark.django_db(transaction=True)

OTHERS = {**ANSWERS, "silence": "skipped", "pressure": {"silenced": 2}}


def taped(here, device, answers, *, words=TRUTH):
    context = device(words=words)
    tap = Tap(context)
    visit = Visit(context.new_page(), here.address, here.definition)
    visit.step = lambda screen: tap.look(visit.page, screen)
    visit.open()
    # The coins are tried as well, and leave as little.
    visit.room.locator("summary", has_text="How sure could anyone be?").click()
    visit.room.locator(".trial").get_by_label("Yes", exact=True).check()
    expect(visit.room.locator(".draws li")).to_have_count(10)
    visit.walk_whole(answers)
    return tap, visit


def test_a_whole_visit_lets_out_the_sealed_body_and_nothing_else_whatever_is_answered(room, device):
    here = room()
    done = []
    for answers, words in ((ANSWERS, TRUTH), (OTHERS, DECOY)):
        tap, visit = taped(here, device, answers, words=words)
        assert len(tap.steps) >= 8
        assert traces(tap.steps) == []
        done.append((sorted((sent.method, sent.url) for sent in tap.requests), tap.writes[:]))
        visit.seal().delivered()
        posted = [sent for sent in tap.requests if sent.url.endswith("/api/submissions")]
        body = json.loads(posted[0].body)["body"]
        assert body == body_of(here.version.to_design(), answers, words).hex()
        assert len(posted) == 1
        assert {name: tap.steps[-1].around[name] for name in QUIET} == QUIET
    assert done[0] == done[1]
    assert len(here.bodies) == 2


@pytest.mark.soak
def test_parts_come_and_go_with_open_answers_and_are_told(room, visit):
    here = room()
    there = visit(here, words=TRUTH).walk_whole({"work": {}, "silence": ANSWERS["silence"]})
    there.room.get_by_role("button", name="Change").first.click()
    expect(there.room.get_by_role("heading", name=WHOLE)).to_have_count(1)
    # The question that was to be changed has the focus, not the top of the page.
    expect(there.room.locator("h4:focus")).to_have_text(next(iter(there.questions)))
    leads, pressed = (
        there.room.get_by_role("group", name=text, exact=True)
        for text, (_, question) in there.questions.items()
        if question["key"] in ("leads", "silenced")
    )
    expect(pressed).to_be_hidden()
    leads.get_by_label("Yes", exact=True).check()
    expect(pressed).to_be_visible()
    expect(there.room.get_by_role("status")).to_contain_text("More questions were added below")
    there.press("Check your answers")
    expect(pressed.locator(".error")).to_be_visible()
    expect(pressed.locator("input").first).to_be_focused()
    pressed.locator("input").nth(1).check()
    there.press("Check your answers")
    there.seal().delivered()
    answers = {"work": {"leads": 1}, "silence": ANSWERS["silence"], "pressure": {"silenced": 1}}
    assert here.bodies == [body_of(here.version.to_design(), answers, TRUTH)]


@pytest.mark.soak
def test_back_leads_from_the_one_page_to_the_way_of_one_question_a_screen(room, visit):
    here = room()
    there = visit(here, words=TRUTH).walk_whole(ANSWERS)
    there.page.go_back()
    expect(there.room.get_by_role("heading", name=WHOLE)).to_be_focused()
    there.press("Back")
    there.press("Start")
    there.at("block:work").walk(ANSWERS)
    there.seal().delivered()
    assert here.bodies == [body_of(here.version.to_design(), ANSWERS, TRUTH)]


def test_a_table_on_the_one_page_sends_what_it_sends_on_a_screen_of_its_own(room, visit):
    here = room(blocks=with_table())
    for walk in (Visit.walk_whole, Visit.walk):
        there = walk(visit(here, words=TRUTH), TABLE_ANSWERS)
        there.seal().delivered()
    assert here.bodies == 2 * [body_of(here.version.to_design(), TABLE_ANSWERS, TRUTH)]
