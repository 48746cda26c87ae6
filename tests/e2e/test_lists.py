"""Lists of yes/no questions in a real browser: line by line, as boxes, in the review, and in what is sent."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, expect

from privacy.survey.layout import Layout
from surveys.authoring.drafts import survey_import
from surveys.models import Survey
from tests.e2e.conftest import Published
from tests.e2e.judged import violations, width_of
from tests.e2e.survey import TRUTH, workplace
from tests.e2e.test_builder import part, saved
from tests.e2e.visit import Visit
from tests.fixtures.checked_surveys import document_of, protected, yes_no

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.soak]

LINES = {"unreported": 0, "seen_bullying": 1, "seen_theft": 0, "seen_danger": 1}
NONE = {"years": 1, "leads": 0, "place_office": 0, "place_floor": 0, "place_home": 0}


@pytest.mark.parametrize("size", [(360, 640), (1280, 800)])
def test_each_line_and_each_box_is_an_answer_of_its_own(
    publish_definition: Callable[..., Published], device: Callable[..., BrowserContext], size: tuple[int, int]
) -> None:
    definition = workplace(slug="lists")
    definition["stems"][0]["look"] = "boxes"
    here = publish_definition(definition)
    context = device(words=TRUTH, viewport={"width": size[0], "height": size[1]})
    found: dict[str, str] = {}

    def look(screen: str) -> None:
        found[screen] = violations(visit.page)
        assert width_of(visit.page) <= size[0]

    visit = Visit(context.new_page(), here.address, definition, look).open()
    answers: dict[str, Any] = {"work": NONE, "silence": LINES}
    visit.walk(answers, until="list:place")
    box = visit.root.get_by_role("checkbox")
    none, office = box.nth(-1), box.nth(0)
    none.check()
    expect(office).not_to_be_checked()
    office.check()
    expect(none).not_to_be_checked()
    office.uncheck()
    visit.press("Continue")
    # An untouched open list is left empty; it is not three times no.
    visit.back()
    assert box.count() == 4
    visit.walk(answers, until="list:seen")
    visit.press("Continue")
    expect(visit.root.locator(".error:visible")).to_have_count(3)
    visit.walk(answers)
    rows = visit.root.locator("dl.answers").nth(0)
    expect(rows.locator("dt.stem")).to_have_text("Where do you work in a usual week?")
    visit.seal().delivered()
    version = Survey.objects.get(slug="lists").versions.get()
    record = Layout(version.to_design()).unpack(here.bodies[0])
    assert record.answers[0] == (1, 0, 0, 0, 0)
    assert record.answers[1] == (0, 1, 0, 1)
    assert set(found.values()) == {"[]"}


@pytest.mark.parametrize("size", [(360, 640), (1280, 800)])
def test_all_on_one_page_shows_the_help_of_several_questions_once(
    publish_definition: Callable[..., Published], device: Callable[..., BrowserContext], size: tuple[int, int]
) -> None:
    """The sentence above a scale was repeated below each of its items."""
    stem, other = "Think of the last two weeks.", "Think of last year."
    helps = {"tired": stem, "sad": stem, "alone": stem, "ill": other}
    definition = document_of(
        protected("part", *(yes_no(key, help={"en": text}) for key, text in helps.items()))
    )
    here = publish_definition(definition)
    context = device(words=TRUTH, viewport={"width": size[0], "height": size[1]})
    visit = Visit(context.new_page(), here.address, definition).open()
    visit.press("All on one page")
    expect(visit.root.get_by_text(stem)).to_have_count(1)
    expect(visit.root.get_by_text(other)).to_have_count(1)
    for key, text in helps.items():
        group = visit.root.get_by_role("group", name=f"Did you ever {key}?", exact=True)
        # Screen readers read it with each question.
        expect(group).to_have_accessible_description(re.compile(re.escape(text)))
    assert violations(visit.page) == "[]"
    assert width_of(visit.page) <= size[0]


def test_the_builder_makes_a_list_from_pasted_lines(researcher: Callable[..., Any], live_server: Any) -> None:
    survey_import(document_of(protected("part", yes_no("sleep"), title={"en": "Pills"})), by="ana")
    page = researcher("surveys/checked/build/")
    part(page, "Pills")
    page.get_by_role("button", name="Add a list").click()
    stem = page.get_by_role("group", name="The list, shared by all of its lines")
    stem.get_by_label("Text above the lines").fill("Which of these have you used?")
    page.get_by_text("Paste lines").click()
    page.get_by_label("One line of the list per line").fill("Cannabis\nHeroin\nOther drugs")
    page.get_by_role("button", name="Add these lines").click()
    for size in (1280, 360):
        page.set_viewport_size({"width": size, "height": 900})
        assert width_of(page) <= size
        assert violations(page) == "[]"
    page.set_viewport_size({"width": 1280, "height": 900})
    page.get_by_label("Boxes to tick").check()
    saved(page)
    document = Survey.objects.get().definition
    assert document["stems"] == [
        {"key": "list-1", "text": {"en": "Which of these have you used?"}, "look": "boxes"}
    ]
    lines = [question for question in document["blocks"][0]["questions"] if question.get("stem")]
    assert [line["text"]["en"] for line in lines] == ["Cannabis", "Heroin", "Other drugs"]
    page.get_by_label("Yes or no", exact=True).check()
    saved(page)
    keys = [question.get("stem") for question in Survey.objects.get().definition["blocks"][0]["questions"]]
    assert keys == [None, "list-1", "list-1", None]
