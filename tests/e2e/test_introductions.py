"""The ready survey that compares two introductions shows each in its order, and asks the same afterwards."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from privacy.survey.layout import Layout
from tests.e2e.visit import Visit
from tests.fixtures.composite_templates import ready_template

pytestmark = pytest.mark.django_db(transaction=True)

PROOF = "22 of 100 people whose true answer is “no” send “yes”."
WORST = (
    "Worst case: someone who suspects you, 50:50, is still wrong 24 in 100 times from one answer, 16 in 100 "
    "from all you send. From “Prefer not to say”: 16 in 100."
)
# Words for all coins: below 5,000 of 10,000 the device shows the first introduction.
DRAWS = {"proof-first": (0,), "risk-first": (9_999,)}
CHECKED = {"sends-yes": 0, "proves": 1, "learns": 0, "trust": 1}
ANSWERS = {"studies": {"years": 1}, "work": {"copied": 1, "invented": 0}, "page": CHECKED}


def order(page: Page) -> list[str]:
    """Return which parts of the introduction are shown, from the top down."""
    intro = page.locator("[data-intro]")
    places = {
        "trial": intro.locator(".trial"),
        "proof": intro.get_by_text(PROOF),
        "worst case": intro.get_by_text(WORST),
        "made up": intro.get_by_text("your device may have made it up"),
    }
    shown = {name: place.bounding_box() for name, place in places.items() if place.count()}
    return sorted(shown, key=lambda name: shown[name]["y"])


@pytest.mark.soak
@pytest.mark.parametrize("arm", DRAWS)
def test_each_introduction_is_shown_in_its_order_and_reported(
    publish_definition: Any, device: Any, arm: str
) -> None:
    document = ready_template("introductions", slug="introductions")
    here = publish_definition(document)
    # No respondent sees the question that assigns the introductions.
    asked = document | {"blocks": document["blocks"][1:]}
    there = Visit(device(words=DRAWS[arm]).new_page(), here.address, asked).open()
    expect(there.root.locator(".actions button").first).to_be_visible()
    expected = {"proof-first": ["trial", "proof", "worst case"], "risk-first": ["worst case", "made up"]}
    assert order(there.page) == expected[arm]
    there.walk(ANSWERS).seal().delivered()
    (body,) = here.bodies
    told, studies, _work, checked = Layout(here.version.to_design()).unpack(body).answers
    assert told == (list(DRAWS).index(arm),)
    # The questions on the page are stored as answered.
    assert (studies, checked) == ((1,), tuple(CHECKED.values()))
