"""The plan page: from pasted text to a saved plan, live figures, and changes that make a plan work."""

from __future__ import annotations

import os
import re

import pytest
from playwright.sync_api import expect

from surveys.models import Survey
from surveys.questionnaire.aim import Aim

pytestmark = pytest.mark.django_db(transaction=True)

TEXT = """Sleep and cheating
# You
1. Which faculty are you in? [open]
- Arts
- Science
2. Do you sleep less than six hours? [open]
# Exams
3. Have you cheated in an exam?
4. Have you copied a classmate's homework?
5. Have you paid for an essay?
6. Have you taken pills to study?
7. Hours you study in a week?
0-60
8. Your average grade?
0-100
"""


@pytest.mark.parametrize("width", [360, 1280])
def test_eight_questions_of_which_two_are_numbers_get_a_plan_that_follows_the_form(researcher, width: int):
    page = researcher("surveys/new/text", viewport={"width": width, "height": 900})
    page.get_by_label("Your survey, line by line").fill(TEXT)
    page.get_by_role("button", name="Create draft").click()
    expect(page).to_have_url(re.compile("/plan"))
    if os.environ.get("SHOTS"):
        page.screenshot(path=f"/tmp/shots/plan-start-{width}.png", full_page=True)
    page.get_by_label("How many answers do you expect?").fill("300")
    row = page.locator(".plan-row", has_text="cheated in an exam")
    row.locator("summary").click()
    row.get_by_label("Short name").fill("cheating")
    row.get_by_label("Star").select_option(label="starred")
    other = page.locator(".plan-row", has_text="less than six hours")
    other.locator("summary").click()
    other.get_by_label("Short name").fill("short sleep")
    other.get_by_label("Star").select_option(label="starred")
    said = page.locator("[data-said]")
    expect(said).to_contain_text("300 answers: “short sleep” and “cheating”")
    page.wait_for_timeout(500)
    if os.environ.get("SHOTS"):
        page.screenshot(path=f"/tmp/shots/plan-{width}.png", full_page=True)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.get_by_role("button", name="Save the plan").click()
    expect(page).to_have_url(re.compile("/build/"))
    aim = Aim.from_json(Survey.objects.get().aim)
    assert aim is not None
    assert aim.people == 300
