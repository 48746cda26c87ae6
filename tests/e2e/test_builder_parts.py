"""Other forms of the builder: checks, pasted options, conditions, levels, rotating questions and parts."""

import json
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from surveys.authoring.drafts import survey_import
from surveys.models import Survey
from surveys.questionnaire.definition import definition_parse
from tests.e2e.judged import violations
from tests.e2e.test_builder import fits, fits_both, part, saved
from tests.fixtures.checked_surveys import choose, document_of, protected, unprotected, yes_no

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.soak]

REASON = "The ethics board asked for it in writing."


def refused(page, text):
    return page.locator(".todo-jump--whole").filter(has_text=text)


def test_the_builder_blocks_bad_designs_and_asks_reasons_for_overrides(researcher, live_server):
    none = yes_no("none", text={"en": "None of these"})
    big = protected("big", *(yes_no(f"q{n}", text={"en": f"Question {n}?"}) for n in range(10)))
    small = protected("small", none, yes_no("never"), yes_no("week"), title={"en": "Small part"})
    survey_import(document_of({**big, "title": {"en": "Big part"}}, small), by="ana")
    page = researcher("surveys/checked/build/")

    # From the start, a part exceeds its limit, and a question excludes the others.
    expect(
        refused(page, "can reveal up to ε 6.93: above 6.00 a live survey needs a written reason")
    ).to_contain_text("28.21%")
    expect(refused(page, "excludes the other answers of its part")).to_be_visible()
    # The finding on the missing plan links to the plan.
    to_plan = page.locator(".todo-list").get_by_role("link", name="Plan your survey")
    expect(to_plan).to_have_attribute("href", "/en/staff/surveys/checked/plan")
    # The researcher states which facts others know, and which answers exclude each other.
    part(page, "Did you ever never?")
    page.get_by_label("Others know it, or can look it up").check()
    saved(page)
    expect(refused(page, "“Did you ever never?” is marked as a fact that others know")).to_be_visible()
    page.get_by_label("Only the respondent knows it").check()
    expect(refused(page, "“Did you ever never?” is marked as a fact")).to_have_count(0)
    part(page, "Small part")
    group = page.get_by_role("group", name="Which of these answers cannot be true together?")
    for name in ("Did you ever never?", "Did you ever week?"):
        group.get_by_label(name).check()
    expect(
        refused(page, "“Did you ever never?”, “Did you ever week?” cannot be true together, but 25 of 100")
    ).to_be_visible()
    # The finding links to its place.
    part(page, "Big part")
    refused(page, "“Did you ever never?”, “Did you ever week?” cannot be true together").click()
    expect(page.locator("#editor-heading")).to_have_text("Part 2 of 2")
    for name in ("Did you ever never?", "Did you ever week?"):
        group.get_by_label(name).uncheck()
    expect(refused(page, "“Did you ever week?” cannot")).to_have_count(0)
    saved(page)
    fits(page)

    # Publishing asks for a reason, and needs one.
    page.get_by_role("link", name="Publish …").click()
    expect(page.get_by_role("heading", name="Can someone be found?")).to_be_visible()
    page.get_by_role("button", name="Publish version 1").click()
    expect(page.get_by_label("Reason for publishing anyway")).to_be_focused()
    assert not Survey.objects.get().versions.exists()
    fits(page)
    page.get_by_label("Reason for publishing anyway").fill(REASON)
    page.get_by_role("button", name="Publish version 1").click()
    expect(page.get_by_text("Version 1 was published against a check")).to_be_visible()
    expect(page.get_by_text(REASON)).to_be_visible()


def options() -> list[str]:
    document = Survey.objects.get(slug="checked").definition
    return [option["text"].get("en", "") for option in document["blocks"][0]["questions"][0]["options"]]


def test_each_line_of_a_pasted_list_becomes_an_option(researcher, live_server):
    choices = [{"key": key, "text": {"en": key.title()}} for key in ("pills", "salve")]
    means = {**choose("means", 2), "options": choices, "unrelated": [5000] * 2, "prevalence": [5000] * 2}
    survey_import(document_of(protected("help", means)), by="ana")
    page = researcher("surveys/checked/build/")
    part(page, "Which?")
    page.get_by_text("Paste a list", exact=True).click()
    page.get_by_label("One option per line").fill("• Pills\n• Drops\n\n2. Tea\n")
    page.get_by_role("button", name="Use these lines").click()
    expect(page.get_by_text("Options from the list: 2.").first).to_be_visible()
    saved(page)
    assert options() == ["Pills", "Salve", "Drops", "Tea"]
    assert violations(page) == "[]"
    page.get_by_role("button", name="Undo", exact=True).first.click()
    saved(page)
    assert options() == ["Pills", "Salve"]


def waits() -> Any:
    return Survey.objects.get(slug="checked").definition["blocks"][1].get("asked_if")


def test_a_part_can_depend_on_all_or_any_of_two_answers(researcher, live_server):
    adult, leads = (
        {"key": key, "kind": "yes_no", "text": {"en": f"Are you {key}?"}} for key in ("adult", "leading")
    )
    survey_import(
        document_of(unprotected("you", adult, leads), protected("tablets", yes_no("pills"))), by="ana"
    )
    page = researcher("surveys/checked/build/")
    part(page, "tablets")
    page.get_by_label("Who is asked this part").select_option("adult")
    page.get_by_role("button", name="Add a condition").click()
    expect(page.get_by_label("Condition 2")).to_be_focused()
    expect(page.get_by_role("button", name="Add a condition")).to_have_count(0)
    saved(page)
    both = [{"question": "adult", "options": ["yes"]}, {"question": "leading", "options": ["yes"]}]
    assert waits() == {"all": both}
    page.get_by_label("Any of them").check()
    page.get_by_role("group", name="Only for respondents who answer").nth(1).get_by_label("No").check()
    saved(page)
    assert waits() == {"any": [both[0], {"question": "leading", "options": ["yes", "no"]}]}
    fits_both(page)
    page.get_by_label("Who is asked this part").select_option("")
    saved(page)
    assert waits() == {"question": "leading", "options": ["yes", "no"]}


# Spelled as in a file, not as in a browser: 118.0 and 5.0.
AREA = {"west": 118.0, "south": 32, "east": 118.1, "north": 32.08}
CLINIC = {"west": 118.02, "south": 32.02, "east": 118.04, "north": 32.04}
LEVELS = [
    {"epsilon": 1.0, "rectangles": [CLINIC]},
    {"epsilon": 3, "rectangles": [{**CLINIC, "west": 118.05, "east": 118.06}]},
]


def place_part() -> dict[str, Any]:
    place = {"mechanism": "levels", "cell": 200.0, "area": AREA, "sensitive": LEVELS}
    question = {"key": "where", "kind": "place", "text": {"en": "Where were you?"}, "place": place}
    return {
        "key": "places",
        "protected": True,
        "refusal": None,
        "title": {"en": "Places"},
        "questions": [question],
    }


def test_editing_a_place_in_the_builder_keeps_its_levels_unchanged(researcher, live_server):
    survey_import(document_of(place_part()), by="ana")
    page = researcher("surveys/checked/build/")
    editor = page.locator("[data-area=beside]")
    page.get_by_role("button", name="Where were you?").first.click()
    expect(editor).to_contain_text("Several levels of sensitive areas")
    expect(editor).to_contain_text("edit the definition file (Export)")
    expect(page.get_by_label("Mechanism", exact=True)).to_have_count(0)
    assert violations(page) == "[]"
    editor.get_by_label("Size of a cell, metres").fill("250")
    saved(page)
    place = Survey.objects.get(slug="checked").definition["blocks"][0]["questions"][0]["place"]
    assert place["cell"] == 250
    kept = {name: place[name] for name in ("area", "sensitive")}
    assert json.dumps(kept) == json.dumps({"area": AREA, "sensitive": LEVELS})


def rotated() -> dict[str, Any]:
    ten = protected("ten", *(yes_no(f"q{n}", prevalence=2000) for n in range(10)), p=200, refusal=22)
    others = [protected(key, yes_no(key), p=500) for key in ("home", "work")]
    return document_of(ten, *others, slug="work")


def work_saved(page: Page) -> dict[str, Any]:
    saved(page)
    found: dict[str, Any] = Survey.objects.get(slug="work").definition
    return found


@pytest.mark.slow
def test_a_part_asks_four_of_ten_questions_from_a_balanced_list(researcher: Any) -> None:
    survey_import(rotated(), by="ana")
    page = researcher("surveys/work/build/#blocks[0]")
    page.get_by_label("Ask each person").fill("4")
    assert work_saved(page)["blocks"][0]["questions_per_person"] == 4
    page.get_by_label("Balanced for triples: 30 sets").check()
    ten = work_saved(page)["blocks"][0]
    assert len(ten["booklets"]) == 30
    page.get_by_label("Strong").first.check()
    block = definition_parse(work_saved(page)).design.blocks[0]
    assert block.refusal == 1166  # a = 19 / 48 and b = 3, so r = a / (a + b) = 19 / 163
    fits_both(page)
    # Another number of questions drops the list, and ten of ten is out of range.
    page.get_by_label("Ask each person").fill("5")
    assert "booklets" not in work_saved(page)["blocks"][0]
    page.get_by_label("Ask each person").fill("10")
    expect(page.locator('[data-remark="blocks[0].questions_per_person"]')).to_contain_text("outside 1..9")
    page.get_by_label("Ask each person").fill("")
    assert "questions_per_person" not in work_saved(page)["blocks"][0]


@pytest.mark.slow
def test_rotating_blocks_can_be_edited(researcher: Any) -> None:
    survey_import(rotated(), by="ana")
    page = researcher("surveys/work/build/#head")
    page.get_by_text("Rotating parts").click()
    page.get_by_role("button", name="Rotate parts").click()
    assert work_saved(page)["rotations"] == [{"blocks": ["ten", "home", "work"], "parts_per_person": 1}]
    page.get_by_label("ask each person").fill("2")
    assert work_saved(page)["rotations"][0]["parts_per_person"] == 2
    page.get_by_label("ten", exact=True).uncheck()
    expect(page.locator('[data-remark="rotations[0].parts_per_person"]')).to_contain_text("outside 1..1")
    page.get_by_label("ask each person").fill("1")
    definition_parse(work_saved(page))
    fits_both(page)
