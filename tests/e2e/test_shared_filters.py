"""Several composite questions of one part that share filters, on a phone, on paper and in a frame.

The filters are asked once. Whatever people answer to them, the page requests, stores and sends the same.
"""

from typing import Any

import pytest
from playwright.sync_api import expect

from privacy.survey.layout import Layout
from surveys.embed.answer_string import answer_string_read
from tests.e2e.framed import Framed
from tests.e2e.judged import violations, width_of
from tests.e2e.survey import DECOY, TRUTH
from tests.e2e.test_composites import (
    ANSWERED,
    COUNTED,
    PHONE,
    REQUEST,
    Answering,
    expected,
    findings,
    recorded,
)
from tests.fixtures.composite_drafts import composite_document

pytestmark = pytest.mark.django_db(transaction=True)

FOLLOW_UPS = "two follow-ups of one filter"


def nested(**changes: Any) -> dict[str, Any]:
    """Return the survey with two filters, one after the other; every device asks all three questions."""
    document = composite_document("two filters, one after the other")
    block = document["blocks"][1]
    block.pop("questions_per_person")
    document["blocks"][1] = block | changes
    return document


ALL = {"ever": 1, "one": 1, "alone": 0, "lately": 1, "then": 1, "also": 0}


@pytest.mark.soak
def test_a_filter_is_asked_once_and_decides_in_every_question(publish_definition: Any, device: Any) -> None:
    here = publish_definition(nested())
    people = {
        "woman": {"sex": 0} | ALL,
        "man": {"sex": 1, "ever": 1, "one": 0, "alone": 1},
        "no": {"sex": 0, "ever": 0, "alone": 1},
    }
    for given in people.values():
        there = Answering(device(words=TRUTH, **PHONE).new_page(), here).open()
        seen: list[str] = []
        there.step = seen.append
        there.answer(given)
        assert [name for name in seen if name.startswith("question")] == [f"question:{key}" for key in given]
        there.seal().delivered()
    assert sorted(here.bodies) == sorted(expected(here, given, TRUTH) for given in people.values())
    rows = [Layout(here.version.to_design()).unpack(body).answers[1] for body in here.bodies]
    assert sorted(rows) == [(0, 0, 0), (1, 1, 0), (2, 2, 1)]


@pytest.mark.soak
def test_a_filter_changed_at_the_review_changes_every_answer(publish_definition: Any, device: Any) -> None:
    here = publish_definition(composite_document(FOLLOW_UPS))
    there = Answering(device(words=TRUTH, **PHONE).new_page(), here).open()
    there.answer({"ever": 1, "hit-often": 1, "kicked-often": 1})
    there.press("Show my answers")
    assert there.root.locator(".answers dt").all_inner_texts() == [
        "Component ever?",
        "Component hit-often?",
        "Component kicked-often?",
    ]
    there.root.get_by_role("button", name="Change").first.click()
    there.root.get_by_label("No", exact=True).check()
    there.go_on()
    there.at("review").seal().delivered()
    (body,) = here.bodies
    assert Layout(here.version.to_design()).unpack(body).answers == ((0, 0),)


@pytest.mark.soak
def test_the_part_says_what_the_filter_reveals_and_that_some_pairs_cannot_be_true(
    publish_definition: Any, device: Any
) -> None:
    here = publish_definition(composite_document(FOLLOW_UPS))
    there = Answering(device(words=TRUTH, **PHONE).new_page(), here)
    there.page.goto(here.address)
    # The worst case of everything includes that of the filter, which the folded part names.
    expect(there.root).to_contain_text("9 in 100 from all you send.")
    there.root.get_by_text("How sure could anyone be?", exact=True).click()
    limit = "Together these could make them at most 91% sure of your answer to it."
    expect(there.root.get_by_text(limit)).to_be_visible()
    there.open().go_on()
    there.at("block:b")
    text = there.root.inner_text()
    assert "You will see up to 3 questions." in text
    assert "Some pairs of answers here cannot both be true." in text
    there.root.locator("details summary").first.click()
    expect(there.root).to_contain_text(
        "Together these could make them at most 91% sure of your answer to it."
    )


PEOPLE: list[dict[str, Any]] = [
    {"sex": 0} | ALL,
    {"sex": 0, "ever": 0, "alone": 1},
    {"sex": 0, "ever": 1, "one": 0, "alone": None, "lately": 0},
    {"sex": 0, "b": "skipped"},
]
"""Answers that differ in filters, paths, gaps, and a skip; all these devices send the same random answers."""


@pytest.mark.soak
def test_someone_who_watches_network_and_storage_finds_no_filter_and_no_path(
    publish_definition: Any, device: Any
) -> None:
    here = publish_definition(nested())
    done = [recorded(here, device, given) for given in PEOPLE]
    assert len({len(tap.steps) for tap, _before in done}) > 2
    assert findings(here, done) == []
    assert set(here.bodies) == {expected(here, PEOPLE[0], DECOY)}


LEAKS = {
    "the number of components in the request": (COUNTED, (REQUEST, "seen:window.seen.size,")),
    "a request that is longer after a no": (
        COUNTED,
        ("JSON.stringify({survey,", "' '.repeat(9-window.seen.size)+"),
    ),
    "the filter kept in a database until delivery": (
        (ANSWERED, "if(block===1&&question===0)indexedDB.open('filter');"),
    ),
    "a file that is requested after a yes to the filter": (
        (ANSWERED, "if(block===1&&question===0&&value===1)import('./whole.js');"),
    ),
}


@pytest.mark.soak
@pytest.mark.parametrize("name", LEAKS)
def test_planted_leaks_of_a_filter_are_found(publish_definition: Any, device: Any, name: str) -> None:
    here = publish_definition(nested())
    done = [recorded(here, device, given, LEAKS[name]) for given in PEOPLE[:2]]
    assert findings(here, done) != []


@pytest.mark.soak
@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_the_part_fits_a_phone_and_paper_and_axe_finds_nothing(
    publish_definition: Any, device: Any, language: str
) -> None:
    here = publish_definition(composite_document(FOLLOW_UPS))
    page = device(bypass_csp=True, reduced_motion="reduce", **PHONE).new_page()
    page.goto(here.address.replace("/en/", f"/{language}/"))
    assert width_of(page) <= 360
    page.locator("#root .actions button").nth(1).click()
    expect(page.locator("#root fieldset")).to_have_count(3)
    expect(page.locator("#root fieldset:visible")).to_have_count(1)
    page.locator("#root fieldset").first.locator("label").first.click()
    expect(page.locator("#root fieldset:visible")).to_have_count(3)
    assert violations(page) == "[]"
    page.emulate_media(media="print")
    assert width_of(page) <= 360


@pytest.mark.soak
def test_a_frame_asks_a_shared_filter_once(device: Any) -> None:
    here = Framed(context=device(words=TRUTH), document=composite_document(FOLLOW_UPS))
    here.open()
    fields = here.frame.locator("fieldset")
    text = here.frame.locator("#root").inner_text()
    assert "You will see up to 3 questions." in text
    here.answer("Yes")
    for place in (1, 2):
        here.frame.locator("fieldset").nth(place).locator("label").nth(place - 1).click()
    here.press("Disguise")
    expect(fields).to_have_count(0)
    assert Layout(here.definition.design).unpack(answer_string_read(here.value()).body).answers == ((1, 2),)
