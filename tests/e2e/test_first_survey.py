"""A researcher's first survey: from text to a draft and back, and tried on simulated people."""

import pytest
from playwright.sync_api import expect

from surveys.authoring.drafts import survey_import
from surveys.models import Survey
from tests.e2e.survey import workplace
from tests.e2e.test_builder import fits, fits_both, saved

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.soak
def test_unreadable_text_clears_the_previous_preview(researcher) -> None:
    page = researcher("surveys/new")
    text, root = page.get_by_label("Your survey, line by line"), page.locator("[data-understood]")
    text.fill("Sleep\n1. Do you sleep badly?")
    expect(root).to_contain_text("1 question, 1 of them protected")
    text.evaluate("area => { area.value += '\\0'; area.dispatchEvent(new Event('input', {bubbles: true})); }")
    sentence = "Line 2 contains an invisible null character. Delete this line and type it again."
    expect(root).to_have_text(sentence)


@pytest.mark.soak
def test_one_click_selects_a_line_that_may_be_something_else(researcher) -> None:
    page = researcher("surveys/new")
    text, root = page.get_by_label("Your survey, line by line"), page.locator("[data-understood]")
    text.fill("Sleep\nDear all\n1. Do you sleep badly?\n2. Do you dream?")
    expect(root).to_contain_text("it was read as “introduction”, and may be something else.")
    page.get_by_role("link", name="Line 2", exact=True).click()
    assert text.evaluate("area => area.value.slice(area.selectionStart, area.selectionEnd)") == "Dear all"
    page.keyboard.press("Delete")
    expect(root).to_contain_text("2 questions, 2 of them protected")
    expect(root).not_to_contain_text("It may be something else")


@pytest.mark.soak
def test_a_draft_reverts_to_its_text_or_an_earlier_save(researcher) -> None:
    page = researcher("surveys/new")
    text = page.get_by_label("Your survey, line by line")
    text.fill("Sleep\n1. Do you sleep badly?\n2. Do you dream? [open]")
    expect(page.locator("[data-understood]")).to_contain_text("2 questions, 1 of them protected")
    page.get_by_role("button", name="Create draft").click()
    expect(page.get_by_role("region", name="What is readable, and why")).to_be_visible()
    page.get_by_role("button", name="Create draft").click()
    page.get_by_role("button", name="Save the plan").click()
    page.get_by_role("link", name="Back to the text").click()
    expect(text).to_have_value("Sleep\n1. Do you sleep badly?\n2. Do you dream? [open]")
    fits(page)
    text.fill("Sleep\n1. Do you sleep badly?")
    page.get_by_role("button", name="Create the draft again").click()
    # The report shows the earlier choices once more.
    expect(page.get_by_text("Your earlier choices are kept")).to_be_visible()
    page.get_by_role("button", name="Create draft").click()
    expect(page.get_by_text("The draft was created from the text.")).to_be_visible()
    assert len(Survey.objects.get().definition["blocks"]) == 1
    page.get_by_role("link", name="Earlier saves").click()
    fits(page)
    page.get_by_role("button", name="Restore this draft").click()
    expect(page.get_by_text("The earlier draft was restored.")).to_be_visible()
    assert len(Survey.objects.get().definition["blocks"]) == 2


@pytest.mark.soak
def test_choosing_a_numbers_purpose_selects_its_mechanism(researcher):
    survey_import(workplace(slug="hours"), by="ana")
    page = researcher("surveys/hours/build/")
    page.get_by_role("button", name="Add a number").click()
    expect(page.get_by_role("radio", name="The distribution")).to_be_checked()
    expect(page.get_by_role("radio", name="Medium")).to_be_checked()
    # Mechanisms and epsilon are for experts, and folded.
    expect(page.get_by_label("Mechanism", exact=True)).to_be_hidden()

    def stated() -> tuple[str, float, bool]:
        saved(page)
        (question,) = Survey.objects.get(slug="hours").definition["blocks"][-1]["questions"]
        number = question["number"]
        return number["mechanism"], number["epsilon"], "options" in question

    assert stated() == ("square_wave", 1.38, False)
    page.get_by_role("radio", name="The average").check()
    page.get_by_role("radio", name="Strong").check()
    assert stated() == ("hybrid", 0.84, False)
    page.get_by_role("radio", name="How it relates to other answers").check()
    page.get_by_role("button", name="Add a range").click()
    page.get_by_role("radio", name="Light").check()
    assert stated() == ("keep", 2.19, True)
    fits(page)
    page.set_viewport_size({"width": 360, "height": 800})
    fits(page)
    page.set_viewport_size({"width": 1280, "height": 900})
    page.locator("summary", has_text="For experts").click()
    page.get_by_label("Mechanism", exact=True).select_option("square_wave")
    expect(page.get_by_role("radio", name="The distribution")).to_be_checked()
    expect(page.get_by_label("Mechanism", exact=True)).to_be_visible()


@pytest.mark.soak
def test_one_click_tries_a_draft_on_made_up_people(researcher):
    survey_import(workplace(slug="tried"), by="ana")
    page = researcher("surveys/tried/build/")
    address = page.url
    page.get_by_role("link", name="Try it", exact=True).click()
    expect(page.get_by_role("heading", name="What 400 answers would show")).to_be_visible()
    lines = page.locator(".share-said")
    before = lines.all_inner_texts()
    assert len(before) >= 3
    fits_both(page)
    page.get_by_label("Made-up people", exact=True).fill("1000")
    page.get_by_role("button", name="Try other made-up people").click()
    expect(page.get_by_role("heading", name="What 1,000 answers would show")).to_be_visible()
    assert lines.all_inner_texts() != before
    page.goto(page.url.partition("?")[0] + "?turn=2")
    expect(page.get_by_text("missed because of random noise")).to_be_visible()
    fits_both(page)
    page.locator(".crumbs").get_by_role("link").last.click()
    expect(page.get_by_role("button", name="Undo", exact=True).first).to_be_visible()
    assert page.url == address


@pytest.mark.soak
def test_a_long_option_does_not_widen_the_plan_on_a_phone(researcher):
    definition = workplace(slug="wide")
    questions = [one for block in definition["blocks"] for one in block["questions"] if one.get("options")]
    questions[0]["options"][0]["text"]["en"] = "A long answer with many words " * 6
    survey_import(definition, by="ana")
    fits(researcher("surveys/wide/plan", viewport={"width": 360, "height": 800}))
