"""Somebody who knows another design reads the draft in its words, and takes its chances, without a reload."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from surveys.authoring.publish import survey_import
from surveys.models import Survey
from tests.cast.checked_surveys import document_of, protected, yes_no
from tests.e2e.judged import violations, width_of
from tests.e2e.test_builder import field, part, saved

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.soak
def test_a_named_design_becomes_the_chances_of_a_part_and_back(researcher, live_server):
    survey_import(document_of(protected("fair", yes_no("affair", theta=3000))), by="ana")
    page = researcher("surveys/checked/build/")
    page.evaluate("document.body.dataset.loaded = 'once'")
    part(page, "fair")
    # Its own chances stand open already.
    page.get_by_text("I know another design", exact=True).click()
    panel = page.locator("details.other-design")

    page.get_by_label("The design that I know").select_option("forced")
    expect(panel).to_contain_text("p 66.66 %, θ 50.00 %. One question alone has ε 1.609.")
    page.get_by_label("The design that I know").select_option("mangat")
    expect(panel).to_contain_text("every “no” is true")
    expect(panel.get_by_role("button")).to_have_count(0)
    page.get_by_label("The design that I know").select_option("unrelated")
    page.get_by_label("Chance of the sensitive question").fill("half")
    expect(panel).to_contain_text("Write a percentage")
    page.get_by_label("Chance of the sensitive question").fill("70")
    expect(panel).to_contain_text("p 70.00 %, θ 8.33 %. One question alone has ε 3.367.")
    expect(panel).to_contain_text("70 answers would tell as much as 100")

    page.get_by_role("button", name="Take p and θ into this part").click()
    saved(page)
    block = Survey.objects.get(slug="checked").definition["blocks"][0]
    assert (block["truth_probability"], block["questions"][0]["unrelated"]) == (7000, [833])
    expect(panel).to_contain_text("p 70.00 % and θ 8.33 %, ε 3.368")
    expect(panel).to_contain_text(
        "Chance that “yes” is forced: 2.499 %; Chance that “no” is forced: 27.501 %"
    )
    expect(panel).to_contain_text("only with θ 50 %")
    assert page.evaluate("document.body.dataset.loaded") == "once"
    assert violations(page) == "[]"
    page.set_viewport_size({"width": 360, "height": 800})
    assert width_of(page) <= 360
    expect(field(page, "blocks[0].design")).to_be_visible()
