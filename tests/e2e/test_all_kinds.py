"""A survey with every kind of question in a real browser, by tap and keyboard, up to the stored row."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from privacy.survey.layout import Layout
from surveys.models import Survey
from tests.e2e.conftest import Published
from tests.e2e.judged import violations, violations_light_and_dark, width_of
from tests.e2e.survey import TRUTH, body_of
from tests.e2e.visit import WHOLE, Visit
from tests.fixtures.devices import stored
from tests.fixtures.everyday import THRESHOLDS, bodies, everyday, everyday_definition
from tests.fixtures.runs import mined_run

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.soak]

ANSWERS: dict[str, Any] = {
    "way": {"travel": 1, "shifts": 1},
    "strain": {"unpaid": 1, "lately_ill": 1, "lately_awake": 0},
    "visits": {"doctor": 2},
}
NUMBER_UNIT = {"en": "hours", "zh-hans": "小时"}


@pytest.fixture
def here(publish_definition: Callable[..., Published]) -> Published:
    return publish_definition(everyday_definition(), everyday(practice=True))


def test_numbers_and_places_work_by_keyboard_and_tap_and_stay_disguised(
    here: Published, device: Callable[..., BrowserContext]
) -> None:
    context = device(viewport={"width": 390, "height": 844}, has_touch=True)
    found: dict[str, str] = {}

    def look(screen: str) -> None:
        if screen in ("block:time", "question:hours", "block:places", "question:care", "review"):
            found[screen] = violations(visit.page)

    visit = Visit(context.new_page(), here.address, here.definition, look).open()
    page, root = visit.page, visit.root
    visit.walk(ANSWERS, until="question:hours")
    number = root.get_by_role("spinbutton")
    number.fill("200")
    page.keyboard.press("Enter")
    expect(root.locator(".error")).to_contain_text("Write a number from 0 to 79.")
    number.fill("52")
    expect(root.get_by_text("Counts as: 50 to 59 hours")).to_be_visible()
    page.keyboard.press("Enter")
    visit.walk(ANSWERS, until="question:wage")
    visit.press("Continue")
    expect(root.locator(".error")).to_contain_text("Or choose “Prefer not to say”.")
    visit.press("Prefer not to say")
    visit.walk(ANSWERS, until="question:care")

    visit.press("Continue")
    expect(root.locator(".error")).to_contain_text("Choose a place on the map")
    frame = root.locator(".map-frame")
    box = frame.bounding_box()
    assert box is not None
    page.touchscreen.tap(box["x"] + box["width"] * 0.28, box["y"] + box["height"] * 0.65)
    said = root.locator("fieldset [role=status]")
    expect(said).to_contain_text("inside a sensitive area")
    before = said.inner_text()
    frame.focus()
    page.keyboard.press("ArrowRight")
    expect(said).not_to_have_text(before)
    page.keyboard.press("ArrowLeft")
    expect(said).to_have_text(before)
    root.get_by_label("Latitude").fill("32.07")
    expect(said).to_contain_text("outside the sensitive areas")
    expect(said).not_to_contain_text("outside the map")
    root.get_by_label("Latitude").fill("40")
    expect(said).to_contain_text("This place is outside the map. The nearest place on the map is used:")
    root.get_by_label("Latitude").fill(before.split()[1].strip(","))
    expect(said).to_contain_text("inside a sensitive area")
    # Text twice as large on a narrow phone.
    page.set_viewport_size({"width": 320, "height": 640})
    page.evaluate("() => { document.documentElement.style.fontSize = '200%'; }")
    assert width_of(page) <= 320
    visit.go_on()

    visit.step(visit.screen)
    expect(root.get_by_text("50 to 59 hours")).to_be_visible()
    expect(root.get_by_text("inside a sensitive area")).to_be_visible()
    expect(root.get_by_text("Skipped")).to_have_count(1)
    assert width_of(page) <= 320
    visit.seal().delivered()
    assert set(found) == {"block:time", "question:hours", "block:places", "question:care", "review"}
    assert set(found.values()) == {"[]"}
    root.get_by_text("Answers as sent", exact=True).click()
    assert violations(page) == "[]"
    expect(root.get_by_text("Where did you go last").first).to_be_visible()
    (body,) = here.bodies
    sent = Layout(here.version.to_design()).unpack(body)
    # The disguise sends some answers as "skipped".
    expect(root.locator(".answers svg.map")).to_have_count(0 if sent.refused[5] else 1)
    # A yes/no question and the two lines of a list are three answers.
    assert [len(values) for values in sent.answers] == [2, 3, 1, 1, 1, 1]
    assert not sent.direct


def test_a_slider_is_unanswered_until_it_is_set(
    publish_definition: Callable[..., Published], device: Callable[..., BrowserContext]
) -> None:
    width = 360
    document = everyday_definition()
    document["blocks"] = document["blocks"][3:4]
    document["blocks"][0]["questions"][0]["look"] = "slider"
    here = publish_definition(document)
    context = device(
        words=TRUTH, viewport={"width": width, "height": 480}, has_touch=True, reduced_motion="reduce"
    )
    visit = Visit(context.new_page(), here.address, document).open().walk({}, until="question:hours")
    page, slider = visit.page, visit.root.get_by_role("slider")
    field = visit.root.get_by_role("spinbutton")

    def is_unset() -> None:
        expect(field).to_have_value("")
        expect(slider).to_have_attribute(
            "aria-valuetext", "Move the slider, or fill in the field next to it."
        )
        visit.press("Continue")
        expect(visit.root.locator(".error")).to_have_text(re.compile("^Write a number to go on."))

    is_unset()
    assert violations_light_and_dark(page) == {}
    assert width_of(page) <= width
    # A finger that scrolls the page sets no value; one that presses does.
    slider.evaluate("node => node.scrollIntoView({ block: 'center' })")
    box = slider.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] * 0.7, box["y"] + box["height"] / 2
    swipe = {"x": x, "y": y, "yDistance": -60, "gestureSourceType": "touch", "speed": 2000}
    hand = context.new_cdp_session(page)
    hand.send("Input.synthesizeScrollGesture", swipe)
    is_unset()
    # The page scrolls, although the gesture began on the slider.
    slider.evaluate("node => node.scrollIntoView({ block: 'center' })")
    before = page.evaluate("scrollY")
    assert before > 40
    assert slider.evaluate("node => getComputedStyle(node).touchAction") == "pan-y"
    box = slider.bounding_box()
    assert box is not None
    y = box["y"] + box["height"] / 2
    for kind, down in (("Start", 0), *(("Move", 10 * step) for step in range(1, 13))):
        hand.send(
            "Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": [{"x": x, "y": y + down}]}
        )
    hand.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    page.wait_for_function("before => scrollY < before - 30", arg=before)
    is_unset()
    slider.evaluate("node => node.scrollIntoView({ block: 'center' })")
    slider.tap(position={"x": box["width"] * 0.25, "y": box["height"] / 2})
    # The middle of the thumb, which is 28 px wide, moves between the ends.
    near = round(79 * (0.25 * box["width"] - 14) / (box["width"] - 28))
    expect(field).to_have_value(re.compile(f"^({near - 1}|{near}|{near + 1})$"))
    field.fill("")
    is_unset()
    # Press in the middle, where an unset native slider already is.
    slider.click()
    expect(field).to_have_value(re.compile("^(39|40)$"))
    expect(slider).to_have_attribute("aria-valuetext", re.compile("^(39|40) hours$"))
    field.fill("")
    is_unset()
    slider.focus()
    page.keyboard.press("Space")
    expect(field).to_have_value("39")
    page.keyboard.press("ArrowRight")
    expect(field).to_have_value("40")
    page.keyboard.press("End")
    expect(slider).to_have_attribute("aria-valuetext", "79 hours")
    assert violations_light_and_dark(page) == {}
    field.fill("52")
    expect(slider).to_have_value("52")
    slider.focus()
    page.keyboard.press("Enter")
    visit.at("review").seal().delivered()
    assert here.bodies == [body_of(here.version.to_design(), {"time": {"hours": 5}}, TRUTH)]


def test_an_undisguised_number_is_optional_and_sent_as_typed(
    publish_definition: Callable[..., Published], device: Callable[..., BrowserContext]
) -> None:
    width = 360
    document = everyday_definition()
    document["blocks"] = document["blocks"][2:4]
    part = document["blocks"][1]
    part |= {"protected": False, "refusal": None}
    part["questions"][0] |= {"number": {"low": 0, "high": 79, "bin": 1, "unit": NUMBER_UNIT}}
    here = publish_definition(document)
    context = device(viewport={"width": width, "height": 800})
    visit = Visit(context.new_page(), here.address, document).open().walk(ANSWERS, until="question:hours")
    page, root, field = visit.page, visit.root, visit.root.get_by_role("spinbutton")
    expect(root.get_by_text("Stored as answered", exact=True)).to_be_visible()
    # The page never drops typed text silently, and an empty field is not an answer.
    field.fill("200")
    visit.press("Continue")
    expect(root.locator(".error")).to_contain_text("Write a number from 0 to 79.")
    field.fill("52")
    expect(root.locator(".error")).to_be_hidden()
    assert violations_light_and_dark(page) == {}
    assert width_of(page) <= width
    visit.press("Clear this answer")
    expect(field).to_have_value("")
    expect(field).to_be_focused()
    visit.press("Continue")
    visit.at("review")
    expect(root.get_by_text("52 hours")).to_have_count(0)
    root.get_by_role("button", name="Change How many hours").click()
    field.fill("52")
    page.keyboard.press("Enter")
    visit.at("review")
    expect(root.get_by_text("52 hours")).to_be_visible()
    visit.seal().delivered()
    (body,) = here.bodies
    sent = Layout(here.version.to_design()).unpack(body)
    assert sent.answers[1] == (52,)

    whole = Visit(context.new_page(), here.address, document).open()
    for _screen in whole.screens(until=WHOLE):
        all_at_once = whole.button("All on one page")
        all_at_once.click() if all_at_once.count() else whole.go_on()
    whole.root.get_by_role("group", name="How many hours").get_by_role("spinbutton").fill("200")
    whole.press("Check your answers")
    expect(whole.root.get_by_text("Write a number from 0 to 79.")).to_be_visible()


def test_the_report_shows_histogram_map_and_joint_rules(
    here: Published, researcher: Callable[..., Page]
) -> None:
    stored(here.version, bodies(here.version.to_design(), 600))
    run = mined_run(here.version, THRESHOLDS)
    page = researcher(f"runs/{run.pk}/?words=river")
    expect(page.get_by_role("link", name="The clinics by the river").first).to_be_visible()
    page.get_by_role("link", name="Details", exact=True).click()
    for tab, picture in (("Distribution: hours", "hours"), ("Map: care", "care")):
        page.get_by_role("link", name=tab).click()
        expect(page.locator("figure svg").first).to_be_visible()
        expect(page).to_have_url(re.compile(picture))
        page.locator("summary").filter(has_text="Show as a table").first.click()
        expect(page.locator("figure table").first).to_be_visible()
        for width in (390, 1280):
            page.set_viewport_size({"width": width, "height": 900})
            assert violations_light_and_dark(page) == {}, (tab, width)
            assert width_of(page) <= width
    expect(page.get_by_role("rowheader", name="The clinics by the river")).to_be_visible()


def test_the_builder_adds_a_place_and_draws_its_areas(
    here: Published, researcher: Callable[..., Page]
) -> None:
    page = researcher("surveys/everyday/build/", viewport={"width": 1280, "height": 1000})
    page.get_by_role("button", name="Add a place", exact=True).click()
    for edge, value in (("West", "118.7"), ("South", "32"), ("East", "118.8"), ("North", "32.08")):
        page.get_by_label(edge, exact=True).first.fill(value)
    # A new place protects the whole map, without further choices.
    covers = page.get_by_role("group", name="What to protect")
    expect(covers.get_by_label("The whole map")).to_be_checked()
    covers.get_by_label("Only certain areas").check()
    # The map appears as soon as its edges are complete.
    drawing = page.locator(".map--draw")
    drawing.scroll_into_view_if_needed()
    drawing.click(trial=True)  # wait until it stops moving and nothing covers it
    box = drawing.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] * 0.3, box["y"] + box["height"] * 0.3)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.5, box["y"] + box["height"] * 0.5)
    page.mouse.up()
    expect(page.get_by_role("group", name="Rectangle 1")).to_be_visible()
    expect(page.locator("[data-area=privacy]")).to_contain_text("Exact outside the sensitive areas")
    page.get_by_label("Use it in rules").check()
    expect(page.get_by_text("Name in rules", exact=True)).to_be_visible()
    assert violations(page) == "[]"
    expect(page.locator("#saving")).to_contain_text("Saved")
    drawn = Survey.objects.get(slug="everyday").definition["blocks"][-1]["questions"][0]
    (rectangle,) = drawn["place"]["sensitive"]
    assert rectangle["west"] == pytest.approx(118.73, abs=0.002)
    assert drawn["options"][0]["rectangles"] == [rectangle]
    # The keyboard draws too.
    drawing.focus()
    for key in ("Shift+ArrowLeft", "Enter", "Shift+ArrowDown", "Shift+ArrowLeft", "Enter"):
        page.keyboard.press(key)
    expect(page.get_by_role("group", name="Rectangle 2")).to_be_visible()
    expect(drawing).to_be_focused()
