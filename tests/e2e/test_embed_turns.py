"""In a series whose parts take turns, a frame asks its part in one wave; the number leaves no trace."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Request, expect

from privacy.survey.layout import Layout
from privacy.survey.turns import turn_of
from surveys.embed.answer_string import answer_string_read
from surveys.intake.codes import code_in_groups
from tests.e2e.conftest import Published
from tests.e2e.framed import HOST, Framed
from tests.e2e.judged import violations
from tests.e2e.test_embed_form import hosted
from tests.e2e.visit import Visit
from tests.fixtures.devices import published
from tests.fixtures.embed_frames import person_asked_in, turning

ROOT = Path(__file__).parents[2]
NOTHING = "By your number or code, this box asks you nothing now."
ASKED = "By your number or code, this box asks you now."
WAITING = "the page around this box has not given it yet"
CODE = "1111111111111111112B"
FORM = """<form method="post" action="/sent">
    <div data-sottovoce="%s" data-name="protected" data-person="%s" data-required></div>
    <button>Send</button></form>"""
# A planted leak: a frame that requests a file with the number in its address.
LEAK = """addEventListener("message", ({data}) => data.person &&
  import(`./drawing.js?${data.person}`).catch(() => {}));"""
# Another one: a frame that keeps the number.
KEEPS = (
    """addEventListener("message", ({data}) => data.person && localStorage.setItem("who", data.person));"""
)


def was_asked(here: Framed, value: str) -> bool:
    drawn = Layout(here.definition.design).unpack(answer_string_read(value).body).drawn
    assert drawn is not None
    return drawn != ((),)


def answered(
    context: BrowserContext, wave: int, person: str, changes: Callable[[Framed], None] | None = None
) -> Framed:
    """Answer the frame of a wave in a form that names the person."""
    here = Framed(context=context, document=turning(wave))
    if changes:
        changes(here)
    hosted(here, FORM % (here.below, person), "form.js", waits=False)
    start, go = (here.frame.get_by_role("button", name=name, exact=True) for name in ("Start", "Continue"))
    expect(here.frame.get_by_text("The surveys of this series take turns.")).to_be_visible()
    if go.count():
        go.click()
    else:
        expect(start).to_be_enabled()
        here.answer("Yes", "No", "Yes").press("Disguise")
    here.page.wait_for_function("() => document.querySelector('[name=protected]').value")
    return here


def line(here: Framed) -> str:
    return str(here.page.locator("[name=protected]").input_value())


@pytest.mark.soak
@pytest.mark.parametrize("asked", [1, 2])
def test_a_frame_asks_its_part_in_the_wave_whose_turn_it_is(
    device: Callable[..., BrowserContext], asked: int
) -> None:
    person, context = person_asked_in(asked), device()
    lines = []
    for wave in (1, 2):
        here = answered(context, wave, person)
        assert was_asked(here, line(here)) is (wave == asked)
        lines.append(line(here))
        # Opened again, even for another person, the frame has had its one draw.
        here.page.goto(f"{HOST}/")
        expect(here.frame.get_by_role("heading", name="Done. You can no longer change it.")).to_be_visible()
        assert line(here) in ("", lines[-1])
    assert len(set(map(len, lines))) == 1


def test_a_frame_that_asks_in_both_waves_is_found(device: Callable[..., BrowserContext]) -> None:
    """Planted: a frame that computes the first wave's turn in every wave."""
    person, spoiled = person_asked_in(1), []

    def spoil(here: Framed) -> None:
        (name,) = (name for name in here.files if name.endswith("/frame-turn.js"))
        text = here.files[name].decode()
        spoiled.append(text.count("(wave-1)*each,wave*each"))
        here.files[name] = text.replace("(wave-1)*each,wave*each", "0,each").encode()

    here = answered(device(), 2, person, spoil)
    assert spoiled == [1]
    assert was_asked(here, line(here))


def traces_of(context: BrowserContext, person: str, planted: str) -> list[str]:
    """Return where a person's number is after a frame was answered: in a request, storage or address."""
    requests: list[Request] = []
    context.on("request", lambda request: requests.append(request))

    def plant(here: Framed) -> None:
        here.planted = planted

    here = answered(context, 1, person, plant)
    assert person not in line(here)
    here.page.wait_for_timeout(200)
    found = [
        request.url
        for request in requests
        if person in json.dumps([request.url, request.headers, request.post_data])
    ]
    frame = here.page.frames[1]
    kept = frame.evaluate("() => JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie])")
    seen = frame.evaluate(
        "() => JSON.stringify([location.href, history.state, document.referrer, window.name])"
    )
    return found + [text for text in (kept, seen, frame.url) if person in text]


@pytest.mark.parametrize(
    "planted", ["", LEAK, KEEPS], ids=["the frame", "one that requests", "one that keeps"]
)
def test_the_number_is_in_no_request_address_or_storage(
    device: Callable[..., BrowserContext], planted: str
) -> None:
    assert bool(traces_of(device(), person_asked_in(1), planted)) is bool(planted)


@pytest.mark.soak
def test_the_sample_of_the_documentation_asks_the_person_it_names(
    device: Callable[..., BrowserContext],
) -> None:
    page = (ROOT / "docs" / "embed.md").read_text(encoding="utf-8")
    sample = page.split("### Parts that take turns")[1].split("    <div")[1].split("\n    <script")[0]
    here = Framed(context=device(), document=turning())
    markup = f"<form><div{sample}</form>".replace("https://sottovoce.uni.example/DIGEST/", here.below)
    assert here.below in markup
    hosted(here, markup, "form.js", waits=False)
    (rotation,) = here.definition.design.rotations
    is_asked = 0 in turn_of(rotation, person="4711", series="diary", wave=1)
    expect(here.frame.get_by_text(ASKED if is_asked else NOTHING)).to_be_visible()


@pytest.mark.soak
def test_nothing_can_be_answered_before_the_page_says_who_answers(
    device: Callable[..., BrowserContext],
) -> None:
    here = Framed(context=device(bypass_csp=True), document=turning())
    here.open()
    start = here.frame.get_by_role("button", name="Start")
    expect(here.frame.get_by_text(WAITING)).to_be_visible()
    expect(start).to_be_disabled()
    assert violations(here.page.frames[1]) == "[]"
    height = here.messages[0]["height"]
    here.page.evaluate("(person) => tell({sotto: 1, person})", person_asked_in(1))
    expect(here.frame.get_by_text(ASKED)).to_be_visible()
    expect(start).to_be_enabled()
    assert violations(here.page.frames[1]) == "[]"
    assert here.frame.locator("main").evaluate("node => node.offsetHeight") <= height
    # The same number again changes nothing.
    here.answer("Yes", "No", "No")
    here.page.evaluate("(person) => tell({sotto: 1, person})", person_asked_in(1))
    here.press("Disguise")
    assert was_asked(here, here.value())


@pytest.mark.soak
@pytest.mark.parametrize(
    "person",
    ["{id}", "[record]", "${e://Field/id}", "%PANELISTID%", "", " 4711", "undefined", 4711, None, "9" * 201],
)  # fmt: skip
def test_what_cannot_be_a_persons_number_is_refused_where_it_is_given(
    device: Callable[..., BrowserContext], person: object
) -> None:
    here = Framed(context=device(), document=turning())
    here.open()
    expect(here.frame.get_by_text(WAITING)).to_be_visible()
    here.page.evaluate("(person) => tell({sotto: 1, person})", person)
    expect(here.frame.get_by_text("as your number or code, which it cannot be")).to_be_visible()
    expect(here.frame.get_by_role("button")).to_have_count(0)
    # The tool may correct it.
    here.page.evaluate("(person) => tell({sotto: 1, person})", person_asked_in(2))
    expect(here.frame.get_by_text(NOTHING)).to_be_visible()


@pytest.mark.soak
def test_two_numbers_for_one_page_are_refused_and_answers_forgotten(
    device: Callable[..., BrowserContext],
) -> None:
    here = Framed(context=device(), document=turning())
    here.open()
    expect(here.frame.get_by_text(WAITING)).to_be_visible()
    here.page.evaluate("(person) => tell({sotto: 1, person})", person_asked_in(1))
    expect(here.frame.get_by_text(ASKED)).to_be_visible()
    here.answer("Yes", "Yes", "Yes")
    here.page.evaluate("(person) => tell({sotto: 1, person})", person_asked_in(2))
    expect(here.frame.get_by_text("gave two different numbers for you")).to_be_visible()
    expect(here.frame.get_by_role("button")).to_have_count(0)
    assert len(here.messages) == 1


def test_only_the_page_around_the_frame_names_the_person(device: Callable[..., BrowserContext]) -> None:
    here = Framed(context=device(), document=turning())
    here.open()
    expect(here.frame.get_by_text(WAITING)).to_be_visible()
    # From the frame's own window, the message has another source.
    here.page.frames[1].evaluate("(person) => postMessage({sotto: 1, person}, '*')", person_asked_in(1))
    here.page.wait_for_timeout(200)
    expect(here.frame.get_by_text(WAITING)).to_be_visible()


@pytest.mark.soak
def test_a_code_decides_as_it_does_on_the_surveys_own_page(device: Callable[..., BrowserContext]) -> None:
    here = Framed(context=device(), document=turning(), by_invitation=True)
    (rotation,) = here.definition.design.rotations
    here.open()
    expect(here.frame.get_by_text(WAITING)).to_be_visible()
    here.page.evaluate("tell({sotto: 1, person: 'panel-1'})")
    expect(here.frame.get_by_text("which it cannot be")).to_be_visible()
    here.page.evaluate("(person) => tell({sotto: 1, person})", code_in_groups(CODE).lower())
    is_asked = 0 in turn_of(rotation, person=CODE, series="diary", wave=1)
    expect(here.frame.get_by_text(ASKED if is_asked else NOTHING)).to_be_visible()


@pytest.mark.soak
@pytest.mark.django_db(transaction=True)
def test_frame_and_page_give_one_person_the_same_turn(
    publish_definition: Callable[..., Published], device: Callable[..., BrowserContext]
) -> None:
    document = turning(panel="https://panel.example/done?who={id}")
    here = publish_definition(document, published(document))
    for wave in (1, 2):
        person = person_asked_in(wave)
        frame = answered(device(), 1, person)
        visit = Visit(device().new_page(), f"{here.address}#id={person}", here.definition).open()
        said = "this survey asks you none of them" if wave == 2 else "this survey asks you:"
        expect(visit.root).to_contain_text(said)
        assert was_asked(frame, line(frame)) is (wave == 1)
    # What cannot be one person's number decides no turn on the page either.
    page = device().new_page()
    page.goto(f"{here.address}#id=[record]")
    expect(page.locator("#root")).to_contain_text("This link is incomplete")
