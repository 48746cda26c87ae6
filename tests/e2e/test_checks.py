"""The builder stops a researcher with a harmful design and suggests a fix."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from surveys.authoring.publish import survey_import
from surveys.models import Survey
from tests.e2e.test_builder import fits, part, saved
from tests.fixtures.checked_surveys import document_of, protected, several, yes_no

pytestmark = pytest.mark.django_db(transaction=True)

REASON = "The ethics board asked for it in writing."


def refused(page, text):
    return page.locator(".todo-jump--whole").filter(has_text=text)


@pytest.mark.soak
def test_the_builder_refuses_each_bad_design_and_publishes_against_a_check_only_with_a_reason(
    researcher,
    live_server,
):
    means = several("means", "Pills", "Drops", "None of these", unrelated=[5000] * 3, prevalence=[3000] * 3)
    big = protected("big", *(yes_no(f"q{n}", text={"en": f"Question {n}?"}) for n in range(10)))
    small = protected("small", means, yes_no("never"), yes_no("week"), title={"en": "Small part"})
    survey_import(document_of({**big, "title": {"en": "Big part"}}, small), by="ana")
    page = researcher("surveys/checked/build/")

    # A part above its ceiling and an option that excludes the others are there from the start.
    expect(
        refused(page, "can reveal up to ε 6.93: above 6.00 a live survey needs a written reason")
    ).to_contain_text("28.21%")
    expect(refused(page, "excludes the others")).to_be_visible()
    # The researcher states which facts others know, and which answers exclude each other.
    part(page, "Did you ever never?")
    page.get_by_label("Others know it, or can look it up").check()
    saved(page)
    expect(refused(page, "never is marked as a fact that others know")).to_be_visible()
    page.get_by_label("Only the respondent knows it").check()
    expect(refused(page, "never is marked as a fact")).to_have_count(0)
    part(page, "Small part")
    group = page.get_by_role("group", name="Which of these answers cannot be true together?")
    for name in ("Did you ever never?", "Did you ever week?"):
        group.get_by_label(name).check()
    expect(refused(page, "never, week cannot be true together, but 25 of 100")).to_be_visible()
    # The finding leads to its place.
    part(page, "Big part")
    refused(page, "never, week cannot be true together").click()
    expect(page.locator("#editor-heading")).to_have_text("Part 2 of 2")
    for name in ("Did you ever never?", "Did you ever week?"):
        group.get_by_label(name).uncheck()
    expect(refused(page, "never, week cannot")).to_have_count(0)
    saved(page)
    fits(page)

    # Publishing asks for a reason, and nothing is published without one.
    page.get_by_role("link", name="Publish …").click()
    expect(page.get_by_role("heading", name="Results of the checks")).to_be_visible()
    page.get_by_role("button", name="Publish version 1").click()
    expect(page.get_by_label("Reason for publishing anyway")).to_be_focused()
    assert not Survey.objects.get().versions.exists()
    fits(page)
    page.get_by_label("Reason for publishing anyway").fill(REASON)
    page.get_by_role("button", name="Publish version 1").click()
    expect(page.get_by_text("Version 1 was published against a check")).to_be_visible()
    expect(page.get_by_text(REASON)).to_be_visible()
