"""A researcher cuts a survey into chapters in the builder, and adds later ones after publishing."""

import re
from datetime import UTC, datetime

import pytest
from playwright.sync_api import expect

from surveys.authoring.drafts import survey_import
from surveys.authoring.publish import survey_publish
from surveys.models import Chapter, Survey
from surveys.runs.chapters import chapters_cut
from tests.attack.test_open_answers import document
from tests.e2e.test_builder import field, fits_both, saved

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.soak]

FIRST, SECOND, THIRD = "2090-01-01T00:00", "2091-01-01T08:30", "2092-01-01T00:00"
ZONE = "Europe/Berlin"


def test_chapters_are_added_explained_and_fixed_once_they_are_published(researcher, live_server):
    survey_import(document("complaints"), by="ana")
    page = researcher("surveys/complaints/build/")
    page.locator("summary").filter(has_text="Chapters, for a survey that never closes").click()
    add = page.get_by_role("button", name="Add a chapter")
    add.click()
    first = page.get_by_label("End of chapter 1")
    expect(first).to_be_focused()
    expect(page.locator('[data-remark="chapters[0]"]')).to_contain_text("A time is missing")
    first.fill(SECOND)
    expect(page.get_by_text("Chapter 1: all answers that are mixed by 2091-01-01 08:30.")).to_be_visible()
    expect(page.get_by_text("Chapter 2: later answers")).to_be_visible()
    add.click()
    page.get_by_label("End of chapter 2").fill(FIRST)
    expect(page.locator('[data-remark="chapters[1]"]')).to_contain_text("out of order")
    first.fill(FIRST)
    page.get_by_label("End of chapter 2").fill(SECOND)
    expect(page.get_by_text("Chapter 2: the answers mixed from then until 2091-01-01 08:30.")).to_be_visible()
    saved(page)
    expect(page.locator('[data-remark="chapters[1]"]')).to_be_hidden()
    assert Survey.objects.get().definition["chapters"] == [FIRST, SECOND]
    # The way back.
    page.get_by_role("button", name="Remove chapter 2").click()
    expect(page.get_by_label("End of chapter 2")).to_have_count(0)
    page.locator("#builder-undo").click()
    expect(page.get_by_label("End of chapter 2")).to_have_value(SECOND)
    page.locator("#f-time_zone").evaluate("(zone) => { zone.closest('details').open = true; }")
    page.locator("#f-time_zone").select_option(ZONE)
    saved(page)
    fits_both(page)
    survey = Survey.objects.get()
    survey_publish(survey, by="ana", now=datetime(2089, 1, 1, tzinfo=UTC), is_readable_seen=True)
    chapters_cut(now=datetime(2090, 6, 1, tzinfo=UTC))
    page.reload()
    closed, published = page.get_by_label("End of chapter 1"), page.get_by_label("End of chapter 2")
    expect(closed).to_be_disabled()
    expect(published).to_be_disabled()
    expect(page.get_by_text("Closed: no answer joins this chapter.")).to_be_visible()
    expect(page.get_by_text("Published: this time stays. You can add later ones.")).to_be_visible()
    expect(field(page, "time_zone")).to_be_disabled()
    expect(page.get_by_role("button", name=re.compile("Remove chapter"))).to_have_count(0)
    page.get_by_role("button", name="Add a chapter").click()
    page.get_by_label("End of chapter 3").fill(THIRD)
    saved(page)
    survey_publish(
        Survey.objects.get(), by="ana", now=datetime(2090, 7, 1, tzinfo=UTC), is_readable_seen=True
    )
    assert Chapter.objects.filter(survey=survey).count() == 3
    page.goto(f"{live_server.url}/en/staff/surveys/complaints/")
    expect(page.locator("dd").filter(has_text="2090-01-01 00:00 closed")).to_contain_text("2092-01-01 00:00")
