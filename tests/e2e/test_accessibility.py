"""Every screen is accessible: axe finds nothing, nothing is cut off at 320 px, targets are large enough.

One visit goes through every state by keyboard, on a screen as narrow as at 400% zoom. In each state, the new
content has the focus for screen readers.
"""

from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Locator, Page, expect

from surveys.authoring.lifecycle import survey_close
from surveys.intake.views import process_limiter
from surveys.models import Inbox, Survey
from surveys.respondent.invitations import invitations_make, invitations_revoke
from tests.e2e.conftest import Server
from tests.e2e.judged import SMALL_TARGETS, violations, violations_light_and_dark, width_of
from tests.e2e.survey import ANSWERS, TABLE_ANSWERS, TRUTH, in_arabic, said, with_table, workplace
from tests.e2e.visit import Visit
from tests.fixtures.devices import published, survey_of
from tests.fixtures.invitations import invited

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
  return [...document.querySelectorAll("#root p, #root li, #root dd")].filter((node) => {
    canvas.font = getComputedStyle(node).font;
    return node.getBoundingClientRect().width > 67 * canvas.measureText("0").width;
  }).map((node) => node.textContent.trim());
}
"""


@pytest.mark.soak
def test_axe_finds_no_problems_during_a_visit(publish, device):
    """In a wide window; test_every_page_state_is_accessible uses a narrow one."""
    width = 1280
    here = publish(group={"policy": "choice"}, practice=True, blocks=with_table())
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
    there.root.get_by_text("Answers as sent", exact=True).click()
    there.root.get_by_text("All bits that were sent", exact=True).click()
    check("bits")
    # The one-page view, with and without answers.
    there.step = lambda screen: None
    there.open()
    there.press("All on one page")
    there.root.get_by_role("radio").first.check()
    there.go_on()
    # The two rows of the table, and the six lines of the list.
    expect(there.root.locator(".matrix > fieldset")).to_have_count(8)
    check("whole")
    there.press("Check your answers")
    check("whole, errors")
    assert wrong == {}
    assert {"intro", "table:silence", "whole", "whole, errors"} <= set(seen)


@pytest.mark.soak
def test_axe_finds_no_problems_on_pages_without_questions(publish, device):
    here = publish()
    context = device(bypass_csp=True)
    server = Server(context, (503, {"Retry-After": "3000"}))
    there = Visit(context.new_page(), here.address, here.definition).open().walk(ANSWERS)
    other = Visit(context.new_page(), here.address, here.definition).open()
    there.seal()
    expect(there.button("Try now")).to_be_visible()
    assert violations(there.page) == "[]"
    expect(other.root.get_by_role("heading", name="Answered in another tab")).to_be_visible()
    assert violations(other.page) == "[]"
    survey_close(survey_of(here.version), by="alice", now=timezone.now())
    there.page.reload()
    expect(there.page.get_by_role("heading", name="The waiting answers have arrived")).to_be_visible()
    assert violations(there.page) == "[]"
    assert len(server.bodies) == 2


def test_axe_finds_no_problems_without_javascript(publish, device):
    here = publish()
    context = device(bypass_csp=True)
    context.route("**/*.js", lambda route: route.abort())
    page = context.new_page()
    page.goto(here.address)
    assert violations(page) == "[]"


@pytest.mark.soak
@pytest.mark.parametrize("width", [320, 1280])
def test_screens_fit_with_large_enough_text_and_targets(publish, device, width):
    """320 px is also the width of a 1280 px screen zoomed to 400%."""
    here = publish(group={"policy": "choice"}, practice=True)
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
    there.root.get_by_text("Answers as sent", exact=True).click()
    there.root.get_by_text("All bits that were sent", exact=True).click()
    check("bits")
    assert wrong == []


@pytest.mark.soak
def test_reduced_motion_disables_animation(publish, device):
    here = publish()
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
def test_style_alone_mirrors_right_to_left_pages(publish, device):
    here = publish()
    page = device(viewport={"width": 390, "height": 700}).new_page()
    there = Visit(page, here.address, here.definition).open()
    page.evaluate("document.documentElement.dir = 'rtl'")
    there.walk(ANSWERS, until="question:unreported")
    label = there.root.locator("label").first
    box, text = (label.locator(part).bounding_box() for part in ("input", "span"))
    assert box["x"] > text["x"]
    assert width_of(page) <= 390


WIDTH = 320


class Walk:
    """A respondent who visits every state, and records the problems in each."""

    def __init__(self, page: Page, tag: str) -> None:
        self.page = page
        self.tag = tag
        self.root = page.locator("#root")
        self.wrong: dict[str, Any] = {}
        self.states: list[str] = []

    def look(self, state: str) -> None:
        found = {
            "axe": violations(self.page),
            "width": width_of(self.page),
            "targets": self.page.evaluate(SMALL_TARGETS),
        }
        self.states.append(state)
        if found != {"axe": "[]", "width": WIDTH, "targets": []}:
            self.wrong[state] = found

    def said(self, english: str) -> str:
        """Return a sentence of Sottovoce's own in the page's language."""
        return said(english, self.tag)

    @property
    def code(self) -> Locator:
        """The field for an invitation code."""
        return self.root.get_by_label(self.said("Invitation code"))

    def wait_for(self, heading: str) -> None:
        """Wait for a screen whose heading has the focus."""
        expect(self.root.get_by_role("heading", name=self.said(heading), exact=True)).to_be_focused()

    def arrived(self, heading: str, state: str) -> None:
        """Wait for a screen, and check it."""
        self.wait_for(heading)
        self.look(state)

    def key_to(self, name: str) -> None:
        """Reach a button with Tab and press it with Enter."""
        button = self.root.get_by_role("button", name=self.said(name), exact=True).first
        for _ in range(60):
            self.page.keyboard.press("Tab")
            if button.evaluate("node => node === document.activeElement"):
                self.page.keyboard.press("Enter")
                return
        raise AssertionError(f"no way to {name} by the keyboard")

    def answer_all(self) -> None:
        for fieldset in self.root.locator("fieldset").all():
            if fieldset.is_visible() and not fieldset.locator("input:checked").count():
                fieldset.locator("input").first.focus()
                self.page.keyboard.press("Space")


@pytest.fixture
def pages(live_server: Any) -> Any:
    """Return a function that publishes a survey by invitation in a text direction and returns its URL."""
    process_limiter.cache_clear()

    def publish(direction: str) -> str:
        definition = workplace(group={"policy": "choice"}, practice=True)
        invited(in_arabic(definition) if direction == "rtl" else definition)
        return f"{live_server.url}/en/s/workplace/" + ("ar/" if direction == "rtl" else "")

    return publish


@pytest.mark.soak
@pytest.mark.parametrize(("direction", "scheme"), [("ltr", "dark"), ("rtl", "light")])
def test_every_page_state_is_accessible(pages: Any, device: Any, direction: str, scheme: str) -> None:
    address = pages(direction)
    survey = Survey.objects.get(slug="workplace")
    used, revoked = invitations_make(survey, number=2, by="alice")
    invitations_revoke(survey, texts=[revoked], by="alice")
    context = device(bypass_csp=True, color_scheme=scheme, viewport={"width": WIDTH, "height": 640})
    Server(context, (503, {"Retry-After": "3000"}))
    page = context.new_page()
    walk = Walk(page, "ar" if direction == "rtl" else "en")

    page.goto(address)
    expect(page.locator("html")).to_have_attribute("dir", direction)
    expect(walk.code).to_be_visible()
    walk.look("code")
    walk.key_to("Continue")
    expect(walk.code).to_be_focused()
    walk.look("code, error")
    walk.code.fill(used)
    page.keyboard.press("Enter")
    walk.arrived("Try it: did you have tea this morning?", "intro")

    walk.root.locator(".trial input").first.focus()
    page.keyboard.press("Space")
    expect(walk.root.locator(".draws li")).to_have_count(5)
    expect(walk.root.get_by_role("status")).to_contain_text(
        walk.said("Answered five times, this device would send:")
    )
    walk.look("trial")
    for folded in ("How sure could anyone be?", "About this survey"):
        walk.root.get_by_text(walk.said(folded), exact=True).focus()
        page.keyboard.press("Enter")
        walk.look(folded)
    walk.key_to("All on one page")
    walk.arrived("How do you want to answer?", "group")
    walk.answer_all()
    walk.key_to("Continue")
    walk.arrived("All questions", "whole")

    walk.root.locator("details summary").first.focus()
    page.keyboard.press("Enter")
    walk.look("whole, odds")
    walk.key_to("Check your answers")
    expect(walk.root.locator("[aria-invalid]").first).to_be_focused()
    walk.look("whole, errors")
    walk.answer_all()
    # Managers are asked an additional part.
    walk.answer_all()
    walk.look("whole, answered")
    walk.key_to("Prefer not to say")
    expect(walk.root.locator("h3:focus")).to_be_visible()
    walk.look("whole, skipped")
    walk.key_to("Check your answers")
    walk.arrived("Check your answers before you send them", "review")
    walk.key_to("Disguise and send")
    walk.arrived("Your answers are waiting to be sent", "waiting")
    walk.key_to("Try now")
    walk.arrived("Thank you. Your answers have arrived. You can close this page.", "sent")
    walk.root.get_by_text(walk.said("Answers as sent"), exact=True).click()
    expect(walk.root.get_by_role("heading", name=walk.said("Receipt"))).to_be_visible()
    walk.root.get_by_text(walk.said("All bits that were sent"), exact=True).click()
    walk.look("bits")
    assert Inbox.objects.count() == 1

    title = "This code cannot be used"
    for code, is_typed in ((used, False), (revoked, True)):
        page.goto("about:blank")
        page.goto(address if is_typed else f"{address}#{code}")
        if is_typed:
            walk.code.fill(code)
            page.keyboard.press("Enter")
        intro = walk.said("Try it: did you have tea this morning?")
        expect(walk.root.get_by_role("heading", name=intro)).to_be_visible()
        walk.key_to("All on one page")
        walk.wait_for("How do you want to answer?")
        walk.answer_all()
        walk.key_to("Continue")
        walk.wait_for("All questions")
        walk.answer_all()
        walk.answer_all()
        walk.key_to("Check your answers")
        walk.key_to("Disguise and send")
        walk.arrived(title, f"{title}, typed" if is_typed else title)
    walk.key_to("Send with this code")
    expect(walk.code).to_be_focused()
    walk.look("typed, error")
    walk.key_to("Delete my answers")
    walk.arrived(title, "erased")

    survey_close(Survey.objects.get(slug="workplace"), by="alice", now=timezone.now())
    planned = workplace(slug="planned", opens_at="2099-12-01T08:00")
    published(in_arabic(planned) if direction == "rtl" else planned)
    for slug, title in (
        ("workplace", "“{title}” is closed"),
        ("planned", "This survey is not open yet"),
        ("nowhere", "Survey not found"),
    ):
        page.goto(address.replace("/workplace/", f"/{slug}/"))
        words = max(walk.said(title).split("{title}"), key=len)
        expect(page.get_by_role("heading", level=1)).to_contain_text(words)
        walk.look(slug)
    assert walk.wrong == {}
    assert len(set(walk.states)) == 23
