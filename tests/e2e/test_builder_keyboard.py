"""A researcher edits a survey by keyboard: a question, its answers, its protection, a rule, and the order."""

from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Locator, Page, expect

from surveys.authoring.drafts import draft_create
from surveys.models import StaffPreference, Survey
from tests.e2e.judged import violations_light_and_dark
from tests.fixtures.checked_surveys import choose, document_of, protected, yes_no

pytestmark = pytest.mark.django_db(transaction=True)

MOST_STOPS = 60


class Keyboard:
    """A person without a mouse."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.press, self.type = page.keyboard.press, page.keyboard.insert_text

    def reach(self, target: Locator) -> None:
        """Press Tab until the target has the focus."""
        element = target.first.element_handle()
        for _ in range(MOST_STOPS):
            if element.evaluate("node => node === document.activeElement"):
                return
            self.press("Tab")
        raise AssertionError(f"Tab does not lead to {target}")

    def button(self, name: str) -> None:
        self.reach(self.page.get_by_role("button", name=name))
        self.press("Enter")

    def open(self, name: str) -> None:
        """Choose a part in the outline, which is one stop; arrow keys move in it."""
        entry = self.page.locator(".outline-link").filter(has_text=name).first
        self.page.locator(".skip-link").focus()
        self.press("Enter")
        self.reach(
            self.page.locator(".outline-list [tabindex='0'], .outline-list .outline-link:not([tabindex])")
        )
        element = entry.element_handle()
        self.press("Home")
        for _ in range(MOST_STOPS):
            if element.evaluate("node => node === document.activeElement"):
                break
            self.press("ArrowDown")
        self.press("Enter")
        expect(self.page.locator("#editor-heading")).to_be_focused()

    def rewrite(self, field: str, words: str) -> None:
        self.reach(self.page.locator(f'[data-field="{field}"]'))
        self.press("Control+A")
        self.type(words)


def stored(page: Page) -> dict[str, Any]:
    expect(page.locator("#saving")).to_have_text("Saved")
    definition: dict[str, Any] = Survey.objects.get(slug="work").definition
    return definition


@pytest.mark.soak
def test_everything_about_a_question_is_edited_without_a_mouse(researcher: Callable[..., Page]) -> None:
    StaffPreference.objects.update(is_expert=False)
    often = choose("often", 2) | {"unrelated": [5000, 5000], "prevalence": [5000, 5000]}
    parts = (
        protected("ways", often, yes_no("late")),
        protected("acts", *(yes_no(f"act{n}") for n in range(3))),
    )
    draft_create(document_of(*parts, slug="work"), slug="work", by="ana", now=timezone.now(), source="file")
    page = researcher("surveys/work/build/")
    page.locator(".builder").wait_for()
    keys = Keyboard(page)
    here = "blocks[0].questions"

    # The question and its answers, of which Enter adds one.
    keys.open("Which?")
    keys.rewrite(f"{here}[0].text.en", "How often?")
    keys.rewrite(f"{here}[0].options[1].text.en", "Once a week")
    keys.press("Enter")
    expect(page.locator(f'[data-field="{here}[0].options[2].text.en"]')).to_be_focused()
    keys.type("Every day")
    keys.button("Move Option 3 up")
    expect(page.locator("#announcement")).to_contain_text("Option 3 is now number 2 of 3.")
    # The button that moved it keeps the focus.
    expect(page.get_by_role("button", name="Move Option 2 up")).to_be_focused()
    question = stored(page)["blocks"][0]["questions"][0]
    assert question["text"]["en"] == "How often?"
    assert [option["text"]["en"] for option in question["options"]][1:] == ["Every day", "Once a week"]

    # Its place.
    page.locator("#o-blocks-0-questions-0-").focus()
    keys.press("Alt+ArrowDown")
    expect(page.locator("#o-blocks-0-questions-1-")).to_be_focused()
    assert [each["key"] for each in stored(page)["blocks"][0]["questions"]][:2] == ["late", "often"]

    # How strongly its part is protected.
    keys.open("acts")
    before = stored(page)["blocks"][1]["truth_probability"]
    keys.reach(page.get_by_role("radio", name="Current setting").or_(page.locator("#f-blocks-1-strength-3")))
    keys.press("ArrowUp")
    expect(page.get_by_role("radio", name="Current setting")).to_have_count(0)
    assert stored(page)["blocks"][1]["truth_probability"] != before

    # One answer from its questions: its rule, and the order of its questions on the phone.
    keys.reach(page.locator('[data-menu="settings"] > summary'))
    keys.press("Enter")
    keys.button("At least one of these")
    expect(page.get_by_role("radio", name="At least … of these")).to_be_visible()
    keys.rewrite("blocks[1].questions[0].computed.components[0].text.en", "The first act?")
    keys.press("Tab")
    expect(page.get_by_role("button", name="Answers and conditions of The first act?")).to_be_focused()
    keys.button("Move The first act? down")
    expect(page.locator("#announcement")).to_contain_text("is now number 2 of")
    expect(page.get_by_role("button", name="Move The first act? down")).to_be_focused()
    keys.reach(page.get_by_role("radio", name="At least … of these"))
    keys.press("ArrowDown")
    expect(page.get_by_role("radio", name="How many of these")).to_be_checked()
    rule = stored(page)["blocks"][1]["questions"][0]["computed"]
    assert rule["components"][1]["text"]["en"] == "The first act?"
    assert [level.get("from") for level in rule["levels"]] == [None, 1, 2]
    assert violations_light_and_dark(page) == {}
