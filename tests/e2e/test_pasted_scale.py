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


@pytest.mark.soak
@pytest.mark.parametrize("has_script", [True, False])
def test_guesses_are_corrected_in_place_and_no_entry_is_lost(researcher: Any, has_script: bool) -> None:
    page = researcher("surveys/new", viewport={"width": 360, "height": 900}, java_script_enabled=has_script)
    hand = Hand(page, "en")
    hand.label("Your survey, line by line").fill(SCALE)
    hand.press("Create draft")
    point = page.get_by_role("group", name=re.compile("one answer instead"))
    # Everything is visible, and each row says in words what its box means.
    expect(point.get_by_role("row", name=re.compile("I slept well Never 3 … Every day 0"))).to_be_visible()
    box = point.get_by_role("checkbox", name="Reversed I slept well")
    expect(box).to_be_checked()
    box.focus()
    page.keyboard.press("Space")
    expect(point.get_by_role("row", name=re.compile("I slept well Never 0 … Every day 3"))).to_be_visible()
    point.get_by_role("checkbox", name="Reversed I skipped a break").check()
    point.get_by_label("Name of level 1").fill("rested")
    point.get_by_label("Name of level 2").fill("worn out")
    point.get_by_label("Start of level 2").fill("40")
    point.get_by_label("Missing answers").select_option("count as no points")
    point.get_by_label("at most").fill("2")
    hand.click(point.get_by_label(re.compile("Send one answer")), "Send one answer")
    hand.press("Create draft")
    expect(point.get_by_role("alert")).to_contain_text(
        "“worn out” starts at 40, but the points add up to 0 to 27."
    )
    expect(point.get_by_label("Start of level 2")).to_have_attribute("aria-invalid", "true")
    if has_script:
        assert violations(page) == "[]"
        assert width_of(page) <= 360
        point.get_by_label("Start of level 2").fill("13")
        page.reload()
        expect(point.get_by_label("Start of level 2")).to_have_value("13")
    point.get_by_label("Start of level 2").fill("14")
    expect(point.get_by_role("checkbox", name="Reversed I skipped a break")).to_be_checked()
    expect(box).not_to_be_checked()
    hand.press("Create draft")
    expect(page).to_have_url(re.compile("/plan"))
    ((question,),) = [block["questions"] for block in Survey.objects.get().definition["blocks"]]
    rule = question["computed"]
    points = [[option["points"] for option in each["options"]] for each in rule["components"]]
    assert points == [[0, 1, 2, 3]] * 7 + [[3, 2, 1, 0]] + [[0, 1, 2, 3]]
    assert [level.get("from") for level in rule["levels"]] == [None, 14]
    assert [option["text"]["en"] for option in question["options"]] == ["rested", "worn out"]
    assert rule["missing"] == {"at_most": 2, "as": "no_points"}
    if has_script:
        page.go_back()
        expect(point.get_by_label("Start of level 2")).to_have_value("14")
        expect(point.get_by_label("Name of level 1")).to_have_value("rested")
