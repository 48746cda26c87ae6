"""A survey that says du or 您: chosen in the builder, and on every screen of the respondents' page."""

import itertools
import re
from collections.abc import Callable
from typing import Any, Final

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from surveys.models import Survey
from tests.e2e.conftest import Published
from tests.e2e.survey import TRUTH
from tests.e2e.test_builder import saved
from tests.e2e.test_builder_simple import drafted, fits, part, settings
from tests.e2e.test_chinese_pages import walk
from tests.e2e.test_languages import VISIBLE
from tests.fixtures.devices import published
from tests.fixtures.everyday import everyday_definition
from tests.site.test_forms_of_address import FIRST, OTHER, without_third

pytestmark = pytest.mark.django_db(transaction=True)

FORMALITY: Final = {"de": "informal", "zh-hans": "formal"}


def in_languages(document: dict[str, Any], *tags: str) -> dict[str, Any]:
    """Return a survey whose own texts address no one, each with a number of its own."""
    number = itertools.count(1)

    def each(value: Any) -> Any:
        if isinstance(value, dict) and isinstance(value.get("en"), str):
            this = next(number)
            return dict.fromkeys(tags, f"Text {this}")
        if isinstance(value, dict):
            return {key: each(inner) for key, inner in value.items()}
        return [each(inner) for inner in value] if isinstance(value, list) else value

    return {**each(document), "languages": [*tags]}


@pytest.mark.soak
def test_no_screen_is_in_the_first_form_if_the_survey_chose_the_other(
    publish_definition: Callable[..., Published], device: Callable[..., BrowserContext]
) -> None:
    document = in_languages(everyday_definition(practice=True), *FORMALITY) | {"formality": FORMALITY}
    here = publish_definition(document, published(document))
    for tag, address in (
        ("de", f"{here.address}de/"),
        ("zh-hans", here.address.replace("/en/", "/zh-hans/")),
    ):
        page = device(words=TRUTH, viewport={"width": 360, "height": 800}, bypass_csp=True).new_page()
        faults: set[str] = set()
        others: list[str] = []

        def look(
            _heading: str,
            page: Page = page,
            tag: str = tag,
            faults: set[str] = faults,
            others: list[str] = others,
        ) -> None:
            text = page.evaluate(VISIBLE)
            lines = without_third(tag, text).splitlines()
            faults.update(line for line in lines if re.search(FIRST[tag], line))
            others.extend(re.findall(OTHER[tag], text))

        walk(page, address, look)
        assert faults == set()
        assert len(others) > 50


@pytest.mark.soak
def test_switching_the_language_speaks_in_the_form_of_that_language(
    publish_definition: Callable[..., Published], device: Callable[..., BrowserContext]
) -> None:
    document = in_languages(everyday_definition(practice=True), "de", "zh-hans", "en")
    document |= {"formality": {"de": "informal"}}
    here = publish_definition(document, published(document))
    page = device(viewport={"width": 360, "height": 800}).new_page()
    page.goto(f"{here.address}de/")
    root = page.locator("#root")
    expect(root.get_by_text("Jemand vermutet etwas über dich").first).to_be_visible()
    page.get_by_role("link", name="简体中文").click()
    expect(root.get_by_text("有人怀疑你").first).to_be_visible()
    page.get_by_role("link", name="Deutsch").click()
    expect(root.get_by_text("Jemand vermutet etwas über dich").first).to_be_visible()


@pytest.mark.soak
def test_the_builder_offers_both_forms_of_languages_that_have_two(
    researcher: Callable[..., Page],
) -> None:
    drafted(in_languages(everyday_definition(practice=True), "en", "de") | {"slug": "formed"})
    page = researcher("surveys/formed/build")
    part(page, "Title, languages")
    if page.get_by_label("Add a language").is_hidden():
        settings(page).click()
    choice = page.get_by_label("Address people as (Deutsch)")
    expect(choice).to_have_value("formal")
    expect(page.get_by_label("Address people as (English)")).to_have_count(0)
    choice.select_option(label="du (informal)")
    saved(page)
    assert Survey.objects.get(slug="formed").definition["formality"] == {"de": "informal"}
    fits(page)
    page.reload()
    part(page, "Title, languages")
    if page.get_by_label("Add a language").is_hidden():
        settings(page).click()
    expect(page.get_by_label("Address people as (Deutsch)")).to_have_value("informal")
    page.get_by_role("button", name="Remove Deutsch").click()
    saved(page)
    assert "formality" not in Survey.objects.get(slug="formed").definition
