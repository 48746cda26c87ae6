"""A survey that brings all sentences of a language that Sottovoce lacks: its page speaks them."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, expect

from surveys.respondent.own_sentences import sentences_of, stated_sentences
from tests.e2e.conftest import Published
from tests.fixtures.devices import published
from tests.surveys.respondent.test_own_sentences import in_languages

pytestmark = pytest.mark.django_db(transaction=True)


def test_the_page_speaks_the_sentences_of_the_survey(
    publish_definition: Callable[..., Published], device: Callable[..., BrowserContext]
) -> None:
    texts = {each.key: f"Ha {each.english}" for each in sentences_of("ha")}
    own = {"format": 1, "languages": {"ha": stated_sentences(texts, "ha")}}
    document = in_languages("ha") | {"sentences": own}
    here = publish_definition(document, published(document))
    page = device().new_page()
    page.goto(f"{here.address}ha/")
    root = page.locator("#root")
    expect(page.locator("html")).to_have_attribute("lang", "ha")
    expect(root.get_by_role("button", name="Ha Start", exact=True)).to_be_visible()
    expect(root.get_by_text("Ha Worst case: someone who suspects you")).to_be_visible()
    root.get_by_role("button", name="Ha Start", exact=True).click()
    expect(root.get_by_text("Ha Question 1 of")).to_be_visible()
