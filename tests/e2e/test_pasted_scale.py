"""A pasted scale with its scoring line is sent as one answer after three presses, with and without script."""

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from surveys.models import StaffPreference, Survey
from tests.e2e.judged import violations, width_of
from tests.e2e.test_whole_way import Hand

pytestmark = pytest.mark.django_db(transaction=True)

PRESSES = ["Create draft", "Send one answer", "Create draft"]
SCALE = """Worn out at work
Over the last two weeks, how often did this happen to you?

| | Never | Some days | Most days | Every day |
| I woke up tired | 0 | 1 | 2 | 3 |
| I snapped at a colleague | 0 | 1 | 2 | 3 |
| I could not concentrate | 0 | 1 | 2 | 3 |
| I counted the hours | 0 | 1 | 2 | 3 |
| I slept well (R) | 0 | 1 | 2 | 3 |
| I forgot something important | 0 | 1 | 2 | 3 |
| I wanted to resign | 0 | 1 | 2 | 3 |
| I skipped a break | 0 | 1 | 2 | 3 |
| I cried because of work | 0 | 1 | 2 | 3 |

A score of 12 or more: worn out
"""


@pytest.mark.parametrize(("width", "has_script"), [(1280, True), (360, True), (360, False)])
@pytest.mark.few("360-True", why="the narrowest page with a script")
def test_a_nine_item_scale_is_one_answer_in_three_presses(
    researcher: Any, width: int, has_script: bool
) -> None:
    StaffPreference.objects.update(is_expert=False)
    page = researcher("surveys/new", viewport={"width": width, "height": 900}, java_script_enabled=has_script)
    hand = Hand(page, "en")
    hand.label("Your survey, line by line").fill(SCALE)
    hand.press("Create draft")
    expect(page.get_by_role("heading", name="Import report", exact=True)).to_be_visible()
    assert not has_script or width_of(page) <= width
    point = page.get_by_role("group", name=re.compile("one answer instead"))
    # A person decides: nothing is preselected.
    expect(point).to_be_visible()
    expect(point.locator("input[type=radio]:checked")).to_have_count(0)
    hand.click(point.get_by_label(re.compile("Send one answer: the level")), "Send one answer")
    assert not has_script or violations(page) == "[]"
    hand.press("Create draft")
    expect(page).to_have_url(re.compile("/plan"))
    assert hand.pressed == PRESSES
    ((question,),) = [block["questions"] for block in Survey.objects.get().definition["blocks"]]
    components = question["computed"]["components"]
    points = [[option["points"] for option in each["options"]] for each in components]
    assert points == [[0, 1, 2, 3]] * 4 + [[3, 2, 1, 0]] + [[0, 1, 2, 3]] * 4
    assert [level.get("from") for level in question["computed"]["levels"]] == [None, 12]
    # The plan sends one answer, and shows it as one.
    expect(page.locator(".plan-row")).to_have_count(1)
