"""Rotating parts in a browser: the page keeps and sends the device's draw, and does not reveal it early.

Golden vectors test the draw itself. These tests check that the page draws once per load, with its own words,
and shows exactly this draw, as late as possible. A page that draws again would be detected.
"""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from privacy.survey.layout import Layout, Record
from tests.e2e.conftest import Published
from tests.e2e.judged import SMALL_TARGETS, violations
from tests.e2e.tap import QUIET, Tap, traces
from tests.e2e.visit import Visit
from tests.fixtures.devices import shipped_definition

# Any two of the seven questions are together in exactly one booklet.
LINES = ((0, 1, 2), (0, 3, 4), (0, 5, 6), (1, 3, 5), (1, 4, 6), (2, 3, 6), (2, 4, 5))
THINGS = ("lied", "stole", "cheated", "betrayed", "forged", "bribed", "broke")
MIDDLE = {"refusal": 2000, "asked_if": {"question": "moved", "options": ["yes"]}}


def _question(key: str, *, protected: bool = True) -> dict[str, Any]:
    shares = {"unrelated": [5000], "prevalence": [2000]} if protected else {}
    text = {"en": f"Is it true that you {key}?", "zh-hans": f"你是否曾经（{key}）？"}
    return {"key": key, "kind": "yes_no", "text": text, **shares}


def _part(key: str, *questions: str, **more: Any) -> dict[str, Any]:
    title = {"en": f"Part {key}", "zh-hans": f"部分 {key}"}
    asked = [_question(question) for question in questions]
    return {
        "key": key,
        "protected": True,
        "truth_probability": 5000,
        "no_skip": "Made for a test.",
        "title": title,
        "questions": asked,
        **more,
    }


def turning_definition(*, light: int | None = None, turns: bool = True, **changes: Any) -> dict[str, Any]:
    """Return the definition, optionally with a light strength, or without rotation."""
    you = {
        "key": "you",
        "protected": False,
        "title": {"en": "About you", "zh-hans": "关于你"},
        "questions": [_question("moved", protected=False), _question("rent", protected=False)],
    }
    booklets = {"questions_per_person": 3, "booklets": [list(line) for line in LINES]} if turns else {}
    parts = [
        _part("things", *THINGS, refusal=2000, **booklets),
        _part("short", "owed"),
        _part("middle", "drank", "smoked", **MIDDLE),
        _part("long", "fought", "hid", "fled"),
    ]
    strength = {} if light is None else {"light": light}
    rotations = [{"blocks": ["short", "middle", "long"], "parts_per_person": 2}]
    return shipped_definition(
        slug="turning",
        blocks=[you, *({**part, **strength} for part in parts)],
        **({"rotations": rotations} if turns else {}),
        **changes,
    )


pytestmark = pytest.mark.django_db(transaction=True)

SAID = "You are asked 3 of these 7 questions. Other people are asked different ones."
ANSWERS: dict[str, Any] = {
    "you": {"moved": 1, "rent": 0},
    "things": dict.fromkeys(THINGS, 1),
    "short": {"owed": 1},
    "middle": {"drank": 0, "smoked": 1},
    "long": {"fought": 1, "hid": 0, "fled": 1},
}
# Each fill consists of its number, so that a page that draws again gets another draw.
COUNTED = """
(() => {
  const real = Crypto.prototype.getRandomValues;
  let fill = 0;
  Crypto.prototype.getRandomValues = function (array) {
    if (!(array instanceof Uint32Array)) { return real.call(this, array); }
    fill += 1;
    return array.fill(fill);
  };
})();
"""
# Everything that can be read from a page, without the names of controls, which change at every load.
PICTURE = """
() => JSON.stringify([
  document.documentElement.outerHTML, document.title, window.name, location.href, history.state,
  history.length, document.cookie, { ...localStorage }, { ...sessionStorage },
  [...document.querySelectorAll("input")].map(({ value, checked }) => [value, checked]),
]).replace(/\\bn[0-9a-f]{16}\\b/g, "name")
"""


@pytest.fixture
def turning(publish_definition: Callable[..., Published]) -> Callable[..., Published]:
    """Return a function that publishes the rotating survey."""
    return lambda **changes: publish_definition(turning_definition(**changes))


def visited(here: Published, context: BrowserContext) -> Visit:
    return Visit(context.new_page(), here.address, here.definition).open()


def sent_by(here: Published) -> Record:
    """Return the only record in the database."""
    (body,) = here.bodies
    return Layout(here.version.to_design()).unpack(body)


def questions_in(text: str) -> tuple[int, ...]:
    """Return the questions of the rotating part that a text contains, in either language."""
    return tuple(number for number, key in enumerate(THINGS) if re.search(rf"\b{key}\b", text))


def shown(visit: Visit) -> tuple[int, ...]:
    """Answer the rotating part from its first screen, and return the questions it asked."""
    visit.go_on()
    found: list[int] = []
    while asked := questions_in(heading := visit.heading):
        found += asked
        visit.root.get_by_role("radio").first.check()
        visit.go_on()
        # What follows question 1 may still be loading.
        expect(visit.root.locator("h2").first).not_to_have_text(heading)
    return tuple(found)


def back_to(visit: Visit, screen: str) -> None:
    while visit.screen != screen:
        visit.back()


def switch(page: Page, name: str, lang: str) -> None:
    page.get_by_role("link", name=name, exact=True).click()
    expect(page.locator(f"html[lang='{lang}']")).to_have_count(1)


@pytest.mark.soak
def test_a_visit_shows_and_sends_exactly_the_drawn_questions(turning, device):
    here = turning()
    context = device()
    tap, screens = Tap(context), []
    visit = Visit(context.new_page(), here.address, here.definition)

    def step(screen: str) -> None:
        screens.append(screen)
        tap.look(visit.page, screen)
        if screen == "block:things":
            expect(visit.root.get_by_text(SAID)).to_be_visible()
            assert questions_in(visit.root.inner_text()) == ()

    visit.step = step
    visit.open().walk(ANSWERS)
    assert traces(tap.steps) == []
    asked = [name.removeprefix("question:") for name in screens if name.startswith("question:")]
    assert visit.root.locator("dt").count() == len(asked)
    visit.seal().delivered()
    record = sent_by(here)
    design = here.version.to_design()
    assert record.drawn is not None
    assert asked == [
        block.questions[position].key
        for block, drawn in zip(design.blocks, record.drawn, strict=True)
        for position in drawn
    ]
    assert record.drawn[1] in LINES
    assert sum(map(bool, record.drawn[2:])) == 2
    # The receipt agrees for every question.
    row = visit.root.locator("details.part")
    row.locator("summary").first.click()
    listed = dict(zip(row.locator("dt").all_inner_texts(), row.locator("dd").all_inner_texts(), strict=True))
    silent = {text for text, answer in listed.items() if answer == "Not asked"}
    assert silent == {text for text, (_, question) in visit.questions.items() if question["key"] not in asked}
    assert {name: tap.steps[-1].around[name] for name in QUIET} == QUIET


def follow(here: Published, context: BrowserContext) -> Iterator[tuple[int, ...]]:
    """Yield the questions of one load: first, after Back, in another language, after changes, and sent."""
    context.add_init_script(COUNTED)
    visit = visited(here, context)
    visit.walk(ANSWERS, until="block:things")
    yield shown(visit)
    back_to(visit, "block:things")
    yield shown(visit)
    back_to(visit, "block:things")
    visit.page.go_back()
    visit.at("question:rent").go_on()
    yield shown(visit)
    back_to(visit, "block:things")
    switch(visit.page, "简体中文", "zh-hans")
    yield shown(visit)
    switch(visit.page, "English", "en")
    back_to(visit, "block:things")
    yield shown(visit)
    visit.walk(ANSWERS)
    visit.root.get_by_role("button", name="Change").nth(3).click()
    visit.go_on()
    assert visit.screen == "review"
    yield questions_in(visit.root.inner_text())
    visit.seal().delivered()
    drawn = sent_by(here).drawn
    assert drawn is not None
    yield drawn[1]


@pytest.mark.soak
def test_back_changes_and_other_languages_never_redraw_the_questions(turning, device):
    found = list(follow(turning(), device()))
    assert len(found) == 7
    assert len(set(found)) == 1
    assert found[0] in LINES


# Patterns of the program's text, and what replaces them.
PLANTS = {
    "on our Back": (r"back:\(\)=>(this\.#\w+\.trail\.back\(\))", r"back:()=>{REDRAW\1}"),
    "on another language": (r"change\(words\);", r"change(words);REDRAW"),
    "on every way back": (r"this\.#\w+=flow\.revisit\(", r"REDRAW\g<0>"),
}
# The program text where the visit begins, the only place with access to the drawing functions.
BEGUN = (
    r"visit\.trail=new Trail\(",
    r"globalThis.drawAgain=()=>drawing.drawQuestions(design,new Coins(platformFill(9)));\g<0>",
)


def plant(context: BrowserContext, *planted: tuple[str, str]) -> None:
    """Replace some places of the page's program."""

    def spoilt(route: Any) -> None:
        script = route.fetch().text()
        # Private names are short, and differ between releases.
        found = re.search(r"(this\.#\w+)=flow\.revisit\(", script)
        assert found
        redraw = f"{found[1]}={{...{found[1]},drawn:drawAgain()}};"
        for place, text in planted:
            script, count = re.subn(place, text.replace("REDRAW", redraw), script)
            assert count == 1, place
        route.fulfill(body=script, content_type="text/javascript")

    context.route("**/program/*/client.js", spoilt)


@pytest.mark.soak
@pytest.mark.parametrize("name", PLANTS)
def test_a_page_that_redraws_is_detected(turning, device, name):
    here, context = turning(), device()
    plant(context, PLANTS[name], BEGUN)
    steps = follow(here, context)
    first = next(steps)
    assert any(asked != first for asked in steps)


def pictures(here: Published, context: BrowserContext, answers: dict[str, Any], until: str) -> list[str]:
    """Return a picture of each screen up to and including one."""
    visit = Visit(context.new_page(), here.address, here.definition)
    found: list[str] = []

    def take(screen: str) -> None:
        if screen == "intro":
            # The folded text is loaded by a separate script.
            visit.page.locator("details .digest").first.wait_for(state="attached")
        found.append(f"{screen} {visit.page.evaluate(PICTURE)}")

    visit.step = take
    visit.open().walk(answers, until=until)
    return found


def test_the_page_hides_drawn_questions_until_their_block_is_shown(turning, device):
    """The pages of devices with different draws are identical for as long as possible."""
    here = turning()
    # The first word draws the parts (0 leaves out "long", 2 leaves out "short"), the second the questions.
    first = pictures(here, device(words=(0, 0)), ANSWERS, "question:stole")
    others = pictures(here, device(words=(0, 5)), ANSWERS, "block:middle")
    parts = pictures(here, device(words=(2, 5)), ANSWERS, "block:middle")
    assert first[3].startswith("block:things ")
    assert others[:4] == first[:4]
    # With the same questions but different parts, nothing reveals the parts.
    assert others[:7] == parts[:7]
    assert [name.split()[0] for name in others[4:7]] == [
        "question:cheated",
        "question:betrayed",
        "question:broke",
    ]
    # These screens differ, so the comparison can fail.
    assert first[4] != others[4]


LEAKS = (
    "visit.root.dataset.asked = begun.drawn;",
    "visit.root.dataset.total = begun.drawn.flat().length;",
    "sessionStorage.asked = begun.drawn;",
    "history.replaceState({ place: 0, asked: String(begun.drawn) }, '');",
    "document.body.append(Object.assign(document.createElement('input'), { value: begun.drawn }));",
)


@pytest.mark.soak
def test_early_disclosure_of_drawn_questions_is_detected_everywhere(turning, device):
    here, found = turning(), []
    for words in ((0, 0), (2, 5)):
        context = device(words=words)
        plant(context, (BEGUN[0], "".join(LEAKS) + r"\g<0>"))
        picture = json.loads(pictures(here, context, ANSWERS, "intro")[0].partition(" ")[2])
        html, history, session, inputs = (picture[place] for place in (0, 4, 8, 9))
        attributes = [re.search(rf'data-{name}="[^"]*"', html)[0] for name in ("asked", "total")]
        found.append([*attributes, session, history, inputs])
    assert [one != other for one, other in zip(*found, strict=True)] == [True] * len(LEAKS)


@pytest.mark.soak
def test_page_downloads_do_not_depend_on_the_draw(turning, device):
    here, loaded = turning(), []
    for words in ((0, 0), (2, 5)):
        tap = Tap(context := device(words=words))
        visited(here, context).walk(ANSWERS)
        loaded.append(sorted((sent.method, sent.url) for sent in tap.requests))
    assert len(loaded[0]) > 5
    assert loaded[0] == loaded[1]


@pytest.mark.soak
def test_skipping_a_part_first_hides_its_questions_but_sends_the_draw(turning, device):
    here = turning()
    seen: list[str] = []
    visit = Visit(device(words=(0, 5)).new_page(), here.address, here.definition)
    visit.step = lambda _: seen.append(visit.root.inner_text())
    visit.open().walk({**ANSWERS, "things": "skipped"})
    assert questions_in("".join(text for text in seen if "All questions" not in text)) == ()
    visit.seal().delivered()
    record = sent_by(here)
    assert record.drawn is not None
    assert (record.drawn[1], record.refused[1], record.answers[1]) == (LINES[5], True, (None,) * 7)


@pytest.mark.soak
def test_the_one_page_view_keeps_rotating_parts_closed_until_opened(turning, device):
    here = turning()
    visit = visited(here, device(words=(2, 5)))
    visit.press("All on one page")
    root, page = visit.root, visit.page
    section = root.locator("section").nth(1)
    expect(section.get_by_text(SAID)).to_be_visible()
    assert questions_in(root.inner_text()) == ()
    assert questions_in(root.inner_html()) == ()
    visit.press("Check your answers")
    expect(section.locator(".error")).to_have_text(
        "Show your questions to go on. Or choose “Prefer not to say”."
    )
    expect(section.get_by_role("button", name="Show my questions")).to_be_focused()
    assert violations(page) == "[]"
    section.get_by_role("button", name="Show my questions").click()
    assert questions_in(section.inner_text()) == LINES[5]
    for number in LINES[5]:
        section.get_by_role("group", name=f"you {THINGS[number]}?").get_by_label("Yes", exact=True).check()
    switch(page, "简体中文", "zh-hans")
    section = root.locator("section").nth(1)
    assert questions_in(section.inner_text()) == LINES[5]
    expect(section.locator("input:checked")).to_have_count(3)
    switch(page, "English", "en")
    # An open answer leads to a drawn part, whose section is empty before.
    assert "drank" not in root.inner_html()
    root.get_by_role("group", name="you moved?").get_by_label("Yes", exact=True).check()
    for key in ("drank", "smoked", "fought", "hid", "fled"):
        root.get_by_role("group", name=f"you {key}?").get_by_label("Yes", exact=True).check()
    assert violations(page) == "[]"
    visit.press("Check your answers")
    assert questions_in(root.inner_text()) == LINES[5]
    visit.seal().delivered()
    assert sent_by(here).drawn == ((0, 1), LINES[5], (), (0, 1), (0, 1, 2))


@pytest.mark.soak
def test_the_first_screen_lists_all_questions_in_both_languages(turning, device):
    here = turning()
    visit = visited(here, device(viewport={"width": 360, "height": 800}))
    root = visit.root
    said = "This device picks some of the questions at random, and reports which ones."
    root.get_by_text("About this survey", exact=True).click()
    expect(root.get_by_text(said)).to_be_visible()
    listed = root.locator("details[open]")
    expect(listed.get_by_text("Each person gets 3 of these 7 questions:")).to_be_visible()
    expect(listed.get_by_text("Each person gets 2 of these 3 parts:")).to_be_visible()
    texts = listed.locator("li").all_inner_texts()
    assert [text for text in visit.questions if text not in texts] == []
    # Translation is off, or a browser might send the questions to its maker.
    own = [item for item in listed.locator("li").all() if item.inner_text() in visit.questions]
    assert len(own) == len(visit.questions)
    assert not any(item.evaluate("(one) => one.translate") for item in own)
    assert violations(visit.page) == "[]"
    assert visit.page.evaluate(SMALL_TARGETS) == []
    switch(visit.page, "简体中文", "zh-hans")
    root.locator("details").last.locator("summary").click()
    assert questions_in(root.locator("details[open]").inner_text()) == tuple(range(7))
    visit.go_on()
    visit.at("sent")
