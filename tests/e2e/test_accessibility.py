"""Every screen is accessible: axe finds nothing, nothing is cut at 320 px, targets are large enough."""

from __future__ import annotations

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from surveys.authoring.lifecycle import survey_close
from tests.e2e.conftest import Server
from tests.e2e.judged import SMALL_TARGETS, violations, violations_light_and_dark, width_of
from tests.e2e.survey import ANSWERS, TABLE_ANSWERS, TRUTH, with_table
from tests.e2e.visit import Visit
from tests.fixtures.devices import survey_of

pytestmark = pytest.mark.django_db(transaction=True)

SMALL_TEXT = """
() => [...document.querySelectorAll("body *")]
  .filter((node) => [...node.childNodes].some((part) => part.nodeType === 3 && part.data.trim()))
  .filter((node) => node.getClientRects().length && parseFloat(getComputedStyle(node).fontSize) < 18)
  .map((node) => node.textContent.trim())
"""

LONG_LINES = """
() => {
  const canvas = document.createElement("canvas").getContext("2d");
  return [...document.querySelectorAll("#room p, #room li, #room dd")].filter((node) => {
    canvas.font = getComputedStyle(node).font;
    return node.getBoundingClientRect().width > 67 * canvas.measureText("0").width;
  }).map((node) => node.textContent.trim());
}
"""


@pytest.mark.soak
@pytest.mark.parametrize("width", [360, 1280])
def test_axe_finds_nothing_on_any_screen_of_a_visit(room, device, width):
    here = room(group={"policy": "choice"}, practice=True, blocks=with_table())
    page = device(
        bypass_csp=True, reduced_motion="reduce", viewport={"width": width, "height": 800}
    ).new_page()
    there = Visit(page, here.address, here.definition)
    wrong = {}
    seen = []

    def check(screen):
        seen.append(screen)
        found = violations_light_and_dark(page)
        if found or width_of(page) > width:
            wrong[f"{screen} {there.heading}"] = found or width_of(page)

    there.step = check
    there.open().walk(TABLE_ANSWERS, direct=False)
    there.seal().delivered()
    there.room.get_by_text("Answers as sent", exact=True).click()
    there.room.get_by_text("All bits that were sent", exact=True).click()
    check("bits")
    # The same questions on one page: answered, and with nothing answered yet.
    there.step = lambda screen: None
    there.open()
    there.press("All on one page")
    there.room.get_by_role("radio").first.check()
    there.go_on()
    expect(there.room.locator(".matrix > fieldset")).to_have_count(2)
    check("whole")
    there.press("Check your answers")
    check("whole, errors")
    assert wrong == {}
    assert {"intro", "table:silence", "whole", "whole, errors"} <= set(seen)


@pytest.mark.soak
def test_axe_finds_nothing_on_an_error(room, device):
    here = room(group={"policy": "choice"})
    page = device(bypass_csp=True).new_page()
    there = Visit(page, here.address, here.definition).open().walk(ANSWERS, until="group")
    there.press("Continue")
    assert violations(page) == "[]"
    there.walk(ANSWERS, direct=False, until="question:seen")
    there.press("Continue")
    assert violations(page) == "[]"


def test_axe_finds_nothing_on_pages_without_questions(room, device):
    here = room()
    context = device(bypass_csp=True)
    server = Server(context, (503, {"Retry-After": "3000"}))
    there = Visit(context.new_page(), here.address, here.definition).open().walk(ANSWERS)
    other = Visit(context.new_page(), here.address, here.definition).open()
    there.seal()
    expect(there.button("Try now")).to_be_visible()
    assert violations(there.page) == "[]"
    expect(other.room.get_by_role("heading", name="Answered in another tab")).to_be_visible()
    assert violations(other.page) == "[]"
    survey_close(survey_of(here.version), by="alice", now=timezone.now())
    there.page.reload()
    expect(there.page.get_by_role("heading", name="The waiting answers have arrived")).to_be_visible()
    assert violations(there.page) == "[]"
    assert len(server.bodies) == 2


def test_axe_finds_nothing_without_javascript(room, device):
    here = room()
    context = device(bypass_csp=True)
    context.route("**/*.js", lambda route: route.abort())
    page = context.new_page()
    page.goto(here.address)
    assert violations(page) == "[]"


@pytest.mark.soak
@pytest.mark.parametrize("width", [320, 390, 1280])
def test_nothing_is_cut_small_or_too_long(room, device, width):
    """320 px is also the width of a 1280 px screen at 400% zoom."""
    here = room(group={"policy": "choice"}, practice=True)
    page = device(viewport={"width": width, "height": 640}, words=TRUTH).new_page()
    there = Visit(page, here.address, here.definition)
    wrong = []

    def check(screen):
        widest = width_of(page)
        found = [("cut", widest)] if widest > width else []
        found += [("target", text) for text in page.evaluate(SMALL_TARGETS)]
        found += [("text", text) for text in page.evaluate(SMALL_TEXT)]
        found += [("line", text) for text in page.evaluate(LONG_LINES)]
        wrong.extend((screen, there.heading, *fault) for fault in found)

    there.step = check
    there.open().walk(ANSWERS, direct=False).seal().delivered()
    there.room.get_by_text("Answers as sent", exact=True).click()
    there.room.get_by_text("All bits that were sent", exact=True).click()
    check("bits")
    assert wrong == []


@pytest.mark.soak
def test_nothing_moves_for_those_who_asked_for_stillness(room, device):
    here = room()
    page = device(reduced_motion="reduce").new_page()
    there = Visit(page, here.address, here.definition).open().walk(ANSWERS, until="question:years")
    moving = page.evaluate(
        """() => [...document.querySelectorAll("*")].filter((node) => {
          const { transitionDuration, animationName } = getComputedStyle(node);
          return transitionDuration !== "0s" || animationName !== "none";
        }).length"""
    )
    assert moving == 0
    assert there.screen == "question:years"


@pytest.mark.soak
def test_right_to_left_pages_are_mirrored_by_the_style_alone(room, device):
    here = room()
    page = device(viewport={"width": 390, "height": 700}).new_page()
    there = Visit(page, here.address, here.definition).open()
    page.evaluate("document.documentElement.dir = 'rtl'")
    there.walk(ANSWERS, until="question:unreported")
    label = there.room.locator("label").first
    box, text = (label.locator(part).bounding_box() for part in ("input", "span"))
    assert box["x"] > text["x"]
    assert width_of(page) <= 390
