"""The builder shows a composite question: its texts can be changed, its rule is kept."""

import pytest
from playwright.sync_api import expect

from surveys.authoring.publish import survey_import
from surveys.models import Survey
from tests.e2e.test_builder import field, fits_both, saved
from tests.fixtures.composite_drafts import screening_document

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_composite_question_is_shown_and_its_texts_are_saved(researcher, live_server):
    document = screening_document()
    survey_import(document, by="rosa")
    page = researcher("surveys/screening/build")
    page.locator(".outline-link").filter(has_text="bribe").last.click()
    place = "blocks[3].questions[0].computed"
    expect(field(page, place)).to_contain_text("Questions that are never sent")
    text = field(page, f"{place}.components[0].text.en")
    expect(text).to_have_value("Component contact?")
    text.fill("Did you deal with an official?")
    saved(page)
    page.get_by_text("Points, levels and gaps").click()
    expect(page.locator("pre")).to_contain_text('base: "contact"')
    fits_both(page)
    stored = Survey.objects.get(slug="screening").definition["blocks"][3]["questions"][0]["computed"]
    expected = document["blocks"][3]["questions"][0]["computed"]
    expected["components"][0]["text"]["en"] = "Did you deal with an official?"
    assert stored == expected
