"""A survey in seven languages, from its address to its end, and what few respondents see: no word is English.

No sign, blank or quotation mark is that of another language.
The latter are closed surveys, refused codes, lost networks and program files, failing storage, and frames.
One language runs in every test run; the others are soak tests. Headings are those of the catalogue.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import pytest
from django.utils import timezone
from playwright.sync_api import BrowserContext, Frame, Page, Route, expect

from surveys.authoring.lifecycle import survey_close
from surveys.respondent.invitations import invitations_make, invitations_revoke
from tests.e2e.conftest import Server
from tests.e2e.framed import Framed
from tests.e2e.survey import TRUTH, said
from tests.e2e.test_chinese_pages import ANSWER, GO_ON, walk
from tests.e2e.test_languages import faults_of, in_languages
from tests.e2e.test_storage import FAULTS
from tests.fixtures.devices import published, survey_of
from tests.fixtures.embed_frames import FRAMED, three, with_choices
from tests.fixtures.everyday import everyday_definition
from tests.fixtures.filter_drafts import bribe
from tests.fixtures.invitations import invited

pytestmark = pytest.mark.django_db(transaction=True)

TAGS: Final = ("ar", "de", "fa", "hi", "ru", "sw", "zh-hant")
FILTER: Final = {"question": "shifts", "options": ["yes"]}


def document(**changes: Any) -> dict[str, Any]:
    """Return a survey with a choice, a yes/no question that filters a part, a composite one and a number."""
    whole = everyday_definition(practice=True)
    parts = {block["key"]: block for block in whole["blocks"]}
    parts["strain"]["asked_if"] = FILTER
    composed = {
        "key": "officials",
        "protected": True,
        "title": {"en": "Officials"},
        "truth_probability": 6000,
        "refusal": 1000,
        "questions": [bribe()],
    }
    blocks = [parts["way"], parts["strain"], composed, parts["pay"]]
    return in_languages({**whole, "blocks": blocks, "slug": "walk", **changes}, *TAGS)


@dataclass(frozen=True, kw_only=True)
class Visitor:
    """A respondent's phone, in one language, at a server."""

    context: BrowserContext
    origin: str
    tag: str

    def address(self, slug: str = "walk") -> str:
        return f"{self.origin}/en/s/{slug}/{self.tag}/"

    def said(self, english: str) -> str:
        """Return a sentence of the catalogue in this language."""
        return said(english, self.tag)

    def opened(self, slug: str = "walk", after: str = "") -> Page:
        page = self.context.new_page()
        page.goto(self.address(slug) + after)
        return page

    def titled(self, page: Page, english: str) -> Page:
        """Wait for a heading of the catalogue."""
        words = re.escape(self.said(english)).replace(re.escape("{title}"), ".*")
        heading = page.locator("h1, h2").filter(has_text=re.compile(f"^{words}$"))
        expect(heading).to_be_visible()
        return page

    def answered(self, page: Page) -> Page:
        """Answer up to the last button, and press it."""
        root = page.locator("#root")
        seal = self.said("Disguise and send")
        for _screen in range(30):
            expect(root.locator(GO_ON).first).to_be_visible()
            heading = root.locator("h2").first.inner_text()
            page.evaluate(ANSWER)
            last = root.locator(GO_ON).first.inner_text() == seal
            root.locator(GO_ON).first.click()
            if last:
                return page
            expect(root.locator("h2").first).not_to_have_text(heading)
        raise AssertionError("the survey does not end")


def closed(there: Visitor) -> Page:
    survey_close(survey_of(published(document())), by="alice", now=timezone.now())
    return there.titled(there.opened(), "“{title}” is closed")


def planned(there: Visitor) -> Page:
    published(document(opens_at="2099-12-01T08:00", time_zone="Europe/Berlin"))
    return there.titled(there.opened(), "This survey is not open yet")


def missing(there: Visitor) -> Page:
    return there.titled(there.opened("nowhere"), "Survey not found")


def another_one(there: Visitor) -> Page:
    published(document())
    page = there.opened(after="#d=00000-00000-00000-00000")
    return there.titled(page, "This is not the survey named in your letter")


def changed_on_the_way(there: Visitor) -> Page:
    published(document())

    def change(route: Route) -> None:
        response = route.fetch()
        route.fulfill(response=response, body=response.text().replace("truth_probability", "x", 1))

    there.context.route("**/client/surveys/*", change)
    return there.titled(there.opened(), "This survey did not load correctly")


def without_headers(route: Route) -> None:
    route.fulfill(body=route.fetch().body(), content_type="text/html; charset=utf-8")


def inside_another_page(there: Visitor) -> Frame:
    published(document())
    page = there.context.new_page()
    around = f'<iframe src="{there.address()}" title="1" width="100%" height="500"></iframe>'
    page.route("**/around", lambda route: route.fulfill(body=around, content_type="text/html"))
    # The server forbids frames in a header, too.
    page.route(
        "**/s/walk/**", lambda route: route.fulfill(body=route.fetch().body(), content_type="text/html")
    )
    page.goto(f"{there.origin}/around")
    title = there.said("This survey is shown inside another page")
    expect(page.frame_locator("iframe").get_by_role("heading", name=title)).to_be_visible()
    return page.frames[1]


def without_cryptography(there: Visitor) -> Page:
    published(document())
    there.context.add_init_script("Object.defineProperty(crypto, 'subtle', { get: () => undefined });")
    return there.titled(there.opened(), "You cannot answer in this browser")


def not_found(there: Visitor) -> Page:
    page = there.context.new_page()
    page.goto(f"{there.origin}/en/s/walk/{there.tag}/further/")
    return there.titled(page, "Page not found")


def code_incomplete(there: Visitor) -> Page:
    (code,) = invitations_make(survey_of(invited(document())), number=1, by="alice")
    page = there.titled(there.opened(after=f"#{code[:-2]}"), "Your invitation")
    expect(page.locator(".error")).not_to_be_empty()
    return page


def code_mistyped(there: Visitor) -> Page:
    invited(document())
    page = there.titled(there.opened(), "Your invitation")
    page.locator("#root input").fill("11111-11111-11111-1111A")
    page.locator("#root input").press("Enter")
    expect(page.locator(".error")).to_have_text(
        there.said("That code is not right. Check it against your invitation.")
    )
    return page


def code_refused(there: Visitor) -> Page:
    survey = survey_of(invited(document()))
    (code,) = invitations_make(survey, number=1, by="alice")
    invitations_revoke(survey, texts=None, by="alice")
    return there.titled(there.answered(there.opened(after=f"#{code}")), "This code cannot be used")


def network_lost(there: Visitor) -> Page:
    published(document())
    Server(there.context, *["abort"] * 50)
    return there.titled(there.answered(there.opened()), "Your answers are waiting to be sent")


def found_later(there: Visitor) -> Page:
    page = network_lost(there)
    there.context.unroute("**/api/submissions")
    page.goto("about:blank")
    return there.titled(there.opened(), "The waiting answers have arrived")


def closed_meanwhile(there: Visitor) -> Page:
    version = published(document(practice=False))
    page = there.opened()
    expect(page.locator("#root .actions button").first).to_be_visible()
    survey_close(survey_of(version), by="alice", now=timezone.now(), at_once=True)
    return there.titled(there.answered(page), "The survey has closed")


def refused(there: Visitor) -> Page:
    published(document())
    Server(there.context, 400)
    return there.titled(there.answered(there.opened()), "The server refused the request")


def answered_elsewhere(there: Visitor) -> Page:
    published(document())
    page = there.opened()
    expect(page.locator("#root .actions button").first).to_be_visible()
    page.locator(GO_ON).first.click()
    expect(page.locator("#root fieldset").first).to_be_visible()
    page.evaluate(ANSWER)
    there.answered(there.opened())
    return there.titled(page, "Answered in another tab")


def server_away(there: Visitor) -> Page:
    published(document())
    there.context.route("**/client/surveys/*", lambda route: route.abort())
    return there.titled(there.opened(), "The survey did not load completely")


def part_missing(name: str) -> Callable[[Visitor], Page]:
    def situation(there: Visitor) -> Page:
        published(document())
        there.context.route(re.compile(rf"/{name}(\?.*)?$"), lambda route: route.abort())
        page = there.opened()
        if name != "client.js":
            expect(page.locator("#root .actions button").first).to_be_visible()
            page.locator(GO_ON).first.click()
        return there.titled(page, "The survey did not load completely")

    return situation


def storage(fault: str) -> Callable[[Visitor], Page]:
    def situation(there: Visitor) -> Page:
        published(document())
        script, title = FAULTS[fault]
        there.context.add_init_script(f"{script};")
        return there.titled(there.opened(), title)

    return situation


SITUATIONS: Final[Mapping[str, Callable[[Visitor], Page | Frame]]] = {
    "a closed survey": closed,
    "a planned survey": planned,
    "an unknown survey": missing,
    "another survey than in the letter": another_one,
    "a survey that was changed on the way": changed_on_the_way,
    "a survey inside another page": inside_another_page,
    "a browser without cryptography": without_cryptography,
    "an unknown page": not_found,
    "an incomplete code": code_incomplete,
    "a mistyped code": code_mistyped,
    "a refused code": code_refused,
    "no network while sending": network_lost,
    "answers that waited": found_later,
    "a survey that closed meanwhile": closed_meanwhile,
    "a request that the server refuses": refused,
    "answers in another tab": answered_elsewhere,
    "a server that is away": server_away,
    "a program that does not arrive": part_missing("client.js"),
    "a part that does not arrive": part_missing("later.js"),
    "blocked storage": storage("a database that refuses"),
    "a full device": storage("a full database"),
    "storage that does not respond": storage("a database that does not open"),
}


def _in_turn() -> list[Any]:
    soaking = [pytest.param(tag, marks=pytest.mark.soak) for tag in TAGS if tag != "sw"]
    return ["sw", *soaking]


@pytest.fixture
def visitor(device: Callable[..., BrowserContext], live_server: Any) -> Callable[[str], Visitor]:
    def make(tag: str) -> Visitor:
        context = device(words=TRUTH, viewport={"width": 320, "height": 800}, bypass_csp=True, locale=tag)
        return Visitor(context=context, origin=live_server.url, tag=tag)

    return make


@pytest.mark.parametrize("tag", _in_turn())
@pytest.mark.parametrize("situation", SITUATIONS)
@pytest.mark.few("answers that waited-sw", why="the state with the most sentences")
def test_a_respondent_reads_nothing_in_english(
    visitor: Callable[[str], Visitor], situation: str, tag: str
) -> None:
    page = SITUATIONS[situation](visitor(tag))
    assert [*faults_of(page, tag)] == []


@pytest.mark.soak
@pytest.mark.parametrize("tag", _in_turn())
def test_a_survey_with_a_filter_and_a_composite_question_has_no_english_word(
    visitor: Callable[[str], Visitor], tag: str
) -> None:
    there, faults = visitor(tag), list[tuple[str, str]]()
    published(document())
    page = there.context.new_page()
    walk(
        page,
        there.address(),
        lambda heading: faults.extend((heading, fault) for fault in faults_of(page, tag)),
    )
    assert faults == []


@pytest.mark.soak
@pytest.mark.parametrize("tag", _in_turn())
def test_the_questions_on_understanding_have_no_english_word(
    visitor: Callable[[str], Visitor], tag: str
) -> None:
    there = visitor(tag)
    published(document())
    page = there.answered(there.opened())
    page.get_by_role("button", name=there.said("Show the two questions"), exact=True).click()
    box = page.locator("#root section").filter(has=page.locator('input[name="check_sends"]'))
    for name, wrong in (
        ("check_sends", "That is not right. The right answer: “{answer}”."),
        ("check_knows", "That is not right. The right answer: “{answer}”."),
    ):
        field = box.locator("fieldset").filter(has=page.locator(f'input[name="{name}"]'))
        field.locator("input").first.check()
        expect(field.get_by_role("status")).to_contain_text(there.said(wrong).partition("{")[0])
    box.locator("fieldset").first.locator("input").nth(1).check()
    expect(box.get_by_text(there.said("That is right."), exact=True)).to_be_visible()
    assert [*faults_of(page, tag)] == []


FRAMES: Final = {"yes or no": three, "a choice and a list": with_choices, "a number": FRAMED["number"]}


@pytest.mark.soak
@pytest.mark.parametrize("tag", _in_turn())
@pytest.mark.parametrize("kind", FRAMES)
@pytest.mark.few("a choice and a list-sw", why="the most words")
def test_a_frame_in_another_tool_has_no_english_word(
    visitor: Callable[[str], Visitor], kind: str, tag: str
) -> None:
    there = visitor(tag)
    here = Framed(context=there.context, document=in_languages(FRAMES[kind](), tag))
    faults: list[tuple[str, str]] = []
    here.open()
    frame = here.page.frames[1]

    def look(name: str) -> None:
        faults.extend((name, fault) for fault in faults_of(frame, tag, widths=()))

    start = here.frame.get_by_role("button", name=there.said("Start"), exact=True)
    expect(start).to_be_visible()
    look("first screen")
    start.click()
    here.press(there.said("Disguise"))
    expect(here.frame.locator(".error").first).to_be_visible()
    look("nothing is answered")
    frame.evaluate(ANSWER)
    here.press(there.said("Disguise"))
    expect(
        here.frame.get_by_role("heading", name=there.said("Done. You can no longer change it."))
    ).to_be_visible()
    look("done")
    expect(here.frame.locator(".error")).to_be_visible()
    look("the tool has not stored it")
    alone = here.context.new_page()
    alone.goto(f"{here.below}index.html")
    expect(alone.locator("h2")).to_be_visible()
    faults.extend(("alone", fault) for fault in faults_of(alone, tag))
    assert faults == []


def test_an_element_in_another_language_or_direction_is_found(
    visitor: Callable[[str], Visitor],
) -> None:
    page = missing(visitor("sw"))
    assert [*faults_of(page, "sw")] == []
    page.locator("#root").evaluate("(root) => root.append(document.createElement('p'))")
    for plant in ("lang = 'de'", "dir = 'rtl'"):
        page.locator("#root p").last.evaluate(f"(p) => {{ p.textContent = 'Karibu'; p.{plant}; }}")
        assert [fault for fault in faults_of(page, "sw") if "Karibu" in fault]
        page.locator("#root p").last.evaluate(
            "(p) => { p.removeAttribute('lang'); p.removeAttribute('dir'); }"
        )


@pytest.mark.parametrize(
    ("tag", "plant"),
    [("ar", "نعم, لا"), ("fa", "آیا؟ “بله”"), ("hi", "हाँ."), ("zh-hant", "是。 否")],
    ids=["ar", "fa", "hi", "zh-hant"],
)
@pytest.mark.few("ar", why="it is read from right to left")
def test_a_planted_sign_is_found(visitor: Callable[[str], Visitor], tag: str, plant: str) -> None:
    page = missing(visitor(tag))
    assert [*faults_of(page, tag, widths=())] == []
    page.locator("#root p").last.evaluate("(p, plant) => { p.textContent = plant; }", plant)
    assert [fault for fault in faults_of(page, tag, widths=()) if plant in fault]
