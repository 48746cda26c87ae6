"""The label on a phone: before the first protected question, and after the seal."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from privacy.risk.promise import promise
from surveys.questionnaire.aim import promise_sentence
from surveys.questionnaire.checks.rotating import prevalence_of
from tests.e2e.judged import width_of
from tests.e2e.survey import ANSWERS, TRUTH
from tests.fixtures.posteriors import row_odds, worst_row_odds

pytestmark = pytest.mark.django_db(transaction=True)


def test_the_label_is_seen_on_a_phone_before_the_questions_and_after_the_seal(room, visit):
    here = room()
    there = visit(here, words=TRUTH)
    there.page.set_viewport_size({"width": 390, "height": 844})
    there.open()
    expect(there.room.locator("h2").first).to_have_text("Who can see my answers?")
    expect(there.room).to_contain_text("No one can be sure: your device may have made up this answer.")
    there.room.get_by_text("For experts").click()
    design, stated = here.version.to_design(), prevalence_of(here.definition)
    shielded = [number for number, block in enumerate(design.blocks) if block.protected]
    worst = [worst_row_odds(design, stated, block) for block in shielded]
    labels = there.room.locator(".odds")
    expect(labels).to_have_count(len(shielded))
    for label, odds in zip(labels.all(), worst, strict=True):
        expect(label).to_contain_text(f"true about {odds.posterior_of_100} times in 100")
        # The picture and the sentence agree.
        expect(label.locator("circle.dot--on")).to_have_count(odds.posterior_of_100)
        expect(label.locator("circle")).to_have_count(100)
    whole = promise(design)
    assert whole is not None
    first = promise_sentence(whole)
    expect(there.room).to_contain_text(first)
    assert width_of(there.page) <= 390
    there.walk(ANSWERS).seal().delivered()
    # Hidden until opened, so that no one reads it over the respondent's shoulder.
    expect(there.room.get_by_text("These may not be your real answers")).to_be_hidden()
    there.room.get_by_text("Answers as sent").click()
    expect(there.room.get_by_text("These may not be your real answers")).to_be_visible()
    expect(there.room).to_contain_text(first)
    sent = there.room.locator(".odds")
    expect(sent).to_have_count(len(shielded))
    for label, number in zip(sent.all(), shielded, strict=True):
        block = design.blocks[number]
        row = tuple(ANSWERS[block.key][one.key] for one in block.questions)
        odds = row_odds(design, stated, number, row)
        expect(label).to_contain_text(f"true about {odds.posterior_of_100} times in 100")
        expect(label.locator("circle.dot--on")).to_have_count(odds.posterior_of_100)
    assert width_of(there.page) <= 390
