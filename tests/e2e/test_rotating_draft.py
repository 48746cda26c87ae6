"""A researcher lets each person answer some of the questions: in the builder, and by a layout's button."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from surveys.authoring.publish import survey_import
from surveys.models import Survey
from surveys.questionnaire.definition import definition_parse
from tests.e2e.judged import violations, width_of
from tests.fixtures.checked_surveys import document_of, protected, yes_no

pytestmark = pytest.mark.django_db(transaction=True)

WIDTHS = (360, 1280)


def document() -> dict[str, Any]:
    ten = protected("ten", *(yes_no(f"q{n}", prevalence=2000) for n in range(10)), p=200, refusal=10)
    others = [protected(key, yes_no(key), p=500) for key in ("home", "work")]
    return document_of(ten, *others, slug="work")


def saved(page: Page) -> dict[str, Any]:
    expect(page.locator("#saving")).to_have_text("Saved")
    found: dict[str, Any] = Survey.objects.get(slug="work").definition
    return found


def fits(page: Page) -> None:
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        assert width_of(page) <= width
        page.evaluate("scrollTo(0, 0)")
        assert violations(page) == "[]"


@pytest.mark.soak
@pytest.mark.slow
def test_a_part_asks_each_person_four_of_ten_from_a_balanced_list(researcher: Any) -> None:
    survey_import(document(), by="ana")
    page = researcher("surveys/work/build/#blocks[0]")
    page.get_by_label("Ask each person").fill("4")
    assert saved(page)["blocks"][0]["questions_per_person"] == 4
    page.get_by_label("Balanced for triples: 30 sets").check()
    ten = saved(page)["blocks"][0]
    assert len(ten["booklets"]) == 30
    page.get_by_label("Strong").first.check()
    block = definition_parse(saved(page)).design.blocks[0]
    assert block.refusal == 589  # as likely as one of 2^4 patterns
    fits(page)
    # Sets of five differ, and no design asks every respondent everything.
    page.get_by_label("Ask each person").fill("5")
    assert "booklets" not in saved(page)["blocks"][0]
    page.get_by_label("Ask each person").fill("10")
    expect(page.locator('[data-remark="blocks[0].questions_per_person"]')).to_contain_text("outside 1..9")
    page.get_by_label("Ask each person").fill("")
    assert "questions_per_person" not in saved(page)["blocks"][0]


@pytest.mark.soak
@pytest.mark.slow
def test_parts_take_turns(researcher: Any) -> None:
    survey_import(document(), by="ana")
    page = researcher("surveys/work/build/#head")
    page.get_by_text("Rotating parts").click()
    page.get_by_role("button", name="Rotate parts").click()
    assert saved(page)["rotations"] == [{"blocks": ["ten", "home", "work"], "parts_per_person": 1}]
    page.get_by_label("each person gets").fill("2")
    assert saved(page)["rotations"][0]["parts_per_person"] == 2
    page.get_by_label("ten", exact=True).uncheck()
    expect(page.locator('[data-remark="rotations[0].parts_per_person"]')).to_contain_text("outside 1..1")
    page.get_by_label("each person gets").fill("1")
    definition_parse(saved(page))
    fits(page)
