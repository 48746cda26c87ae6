"""A part that sends rows near the true one, in a browser: what it says, what it loads, and what it sends."""

from __future__ import annotations

from itertools import repeat
from typing import Any

import pytest
from playwright.sync_api import expect

from privacy.coins import Coins
from privacy.survey.grouping import disguise
from privacy.survey.layout import Layout
from surveys.intake.api import process_limiter
from tests.cast.devices import published
from tests.cast.near_part import KEYS, near_definition
from tests.e2e.conftest import Room
from tests.e2e.visit import Visit

pytestmark = pytest.mark.django_db(transaction=True)

SAID = (
    "This device sends your 7 answers 4 times in 5 with at most 1 of them changed, otherwise ones that it "
    "makes up."
)
ANSWERS: dict[str, Any] = {"you": {"city": 1}, "habits": dict.fromkeys(KEYS, 1)}
# Every word of the generator is the same number.
FIXED = """
(() => {
  const real = Crypto.prototype.getRandomValues;
  Crypto.prototype.getRandomValues = function (array) {
    return array instanceof Uint32Array ? array.fill(WORD) : real.call(this, array);
  };
})();
"""


@pytest.fixture
def near(live_server: Any) -> Room:
    process_limiter.cache_clear()
    definition = near_definition("near")
    return Room(version=published(definition), definition=definition, address=f"{live_server.url}/en/s/near/")


@pytest.mark.soak
@pytest.mark.parametrize("word", [0, 3, 9_999])
def test_what_is_sent_is_what_the_twin_makes_of_the_same_words(near, device, word):
    context = device()
    context.add_init_script(FIXED.replace("WORD", str(word)))
    loaded: list[str] = []
    visit = Visit(context.new_page(), near.address, near.definition)
    visit.page.on("request", lambda request: loaded.append(request.url))
    looked: list[str] = []

    def step(screen: str) -> None:
        if screen == "block:habits":
            expect(visit.room.get_by_text(SAID)).to_be_visible()
            looked.append(screen)

    visit.step = step
    visit.open().walk(ANSWERS)
    assert looked
    visit.seal().delivered()
    assert any("near" in url for url in loaded if url.endswith(".js"))
    (body,) = near.bodies
    design = near.version.to_design()
    twin = disguise(design, ANSWERS, direct=False, coins=Coins(repeat(word)))
    assert body == Layout(design).pack(twin)
    record = Layout(design).unpack(body)
    turned = sum(1 - value for value in record.answers[1])
    # The number 0 turns nothing, 3 one answer; 9,999 is past the coin, and a decoy.
    assert turned == {0: 0, 3: 1, 9_999: 7}[word]


def test_nothing_is_sent_where_the_law_does_not_arrive(near, device):
    context = device()
    context.route("**/*near*.js", lambda route: route.abort())
    page = context.new_page()
    page.goto(near.address)
    room = page.locator("#room")
    while room.get_by_role("button", name="Continue", exact=True).count():
        room.get_by_role("button", name="Continue", exact=True).first.click()
    start = room.get_by_role("button", name="Start", exact=True)
    if start.count():
        start.first.click()
    expect(room.get_by_role("heading").first).to_be_visible()
    assert "In a city?" not in room.inner_text()
    assert near.bodies == []
