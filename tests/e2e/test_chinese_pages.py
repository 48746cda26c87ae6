"""A respondent in Chinese sees no Latin blank or sign next to Chinese characters on any screen."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.e2e.conftest import Published
from tests.e2e.survey import TRUTH, workplace
from tests.fixtures.chinese_signs import faults_in
from tests.fixtures.everyday import everyday, everyday_definition

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.soak]

# Answers everything on the screen that has no answer yet: the first option, a number, a place.
ANSWER = """
() => {
  const root = document.getElementById("root");
  const set = (input, value) => {
    input.value = value;
    input.dispatchEvent(new Event("input", { bubbles: true }));
  };
  for (const input of root.querySelectorAll("input[type=number], input[type=date]")) {
    if (!input.value) { set(input, input.name.includes("latitude") ? "31.2" : input.min || "1"); }
  }
  for (const field of root.querySelectorAll("fieldset")) {
    const choices = [...field.querySelectorAll("input[type=radio], input[type=checkbox]")];
    if (choices.length && !choices.some((choice) => choice.checked)) { choices[0].click(); }
  }
}
"""
GO_ON = ".row > button.button:not(.button--plain)"
OPEN = "() => { for (const folded of document.querySelectorAll('details')) { folded.open = true; } }"


def walk(page: Page, address: str, look: Callable[[str], None]) -> None:
    """Answer a survey up to the end, and look at each screen, also at its errors, given its heading."""
    root = page.locator("#root")
    page.goto(address)
    expect(root.locator(".actions button").first).to_be_visible()
    for _screen in range(40):
        expect(root.locator(f"{GO_ON}, .receipt").first).to_be_attached()
        heading = root.locator("h2").first.inner_text()
        if root.locator("[data-intro]").count():
            root.locator("details .digest").first.wait_for(state="attached")
        page.evaluate(OPEN)
        look(heading)
        if root.locator(".receipt").count():
            return
        go_on = root.locator(GO_ON).first
        if root.locator("fieldset").count() and not root.locator("[data-intro]").count():
            go_on.click()
            look(heading)
            if root.locator("h2").first.inner_text() == heading:
                page.evaluate(ANSWER)
                look(heading)
                go_on.click()
        else:
            page.evaluate(ANSWER)
            look(heading)
            go_on.click()
        expect(root.locator("h2").first).not_to_have_text(heading, timeout=20_000)
    raise AssertionError(f"the survey does not end; the last screen is {heading!r}")


def test_no_screen_of_a_survey_has_latin_joints(
    publish_definition: Callable[..., Published], device: Callable[..., BrowserContext]
) -> None:
    definitions: Mapping[str, dict[str, Any]] = {"work": workplace(), "everyday": everyday_definition()}
    works = publish_definition(definitions["work"])
    every = publish_definition(definitions["everyday"], everyday(practice=True))
    for here in (works, every):
        page = device(words=TRUTH, viewport={"width": 360, "height": 800}).new_page()
        faults: dict[str, str] = {}

        def look(heading: str, page: Page = page, faults: dict[str, str] = faults) -> None:
            page.evaluate(OPEN)
            faults.update(dict.fromkeys(faults_in(page.content()), heading))

        walk(page, here.address.replace("/en/", "/zh-hans/"), look)
        assert faults == {}


def test_a_screen_with_a_latin_joint_is_found(
    publish_definition: Callable[..., Published], device: Callable[..., BrowserContext]
) -> None:
    here = publish_definition(
        workplace(about={**workplace()["about"], "age_limit": {"en": "18", "zh-hans": "18 岁: 以上"}})
    )
    page = device().new_page()
    page.goto(here.address.replace("/en/", "/zh-hans/"))
    expect(page.locator("#root .actions button").first).to_be_visible()
    assert [fault.partition(":")[0] for fault in faults_in(page.content())] == [
        "a half-width sign after a Chinese character"
    ]
