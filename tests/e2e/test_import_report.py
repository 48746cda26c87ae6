"""A pasted text that is not all clear leads to the Import report, and from there to the plan."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from surveys.models import Survey
from tests.e2e.judged import violations

pytestmark = pytest.mark.django_db(transaction=True)

TEXT = """Home
1. In the last twelve months, did anybody
in your home hit you?
YES ........ 1
NO ......... 2
2. Marital status
3. Please describe what happened.
How often was it like this?\tNever\tSome days\tMost days
4. I was sad\t0\t1\t2
5. I slept badly\t0\t1\t2
6. Whom did you tell?
( ) A friend
( ) Other: ________
7. How many days per week do you drink?
"""


@pytest.mark.parametrize("width", [360, 1280])
def test_what_is_unclear_is_answered_and_the_plan_follows(researcher, width):
    page = researcher("surveys/new/text", viewport={"width": width, "height": 900})
    page.get_by_label("Your survey, line by line").fill(TEXT)
    page.get_by_role("button", name="Create draft").click()
    expect(page.get_by_role("heading", name="Import report", exact=True)).to_be_visible()
    expect(page.get_by_text("5 questions are ready.")).to_be_visible()
    assert violations(page) == "[]"
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.get_by_role("button", name="Create draft").click()
    expect(page.get_by_text("Choose what to do.").first).to_be_visible()
    assert not Survey.objects.exists()
    marital = page.get_by_role("group", name="needs options")
    marital.get_by_label("Ask it with these answers").check()
    marital.get_by_label("Answers, one in each line").fill("Single\nMarried")
    page.get_by_role("group", name="free text").get_by_label("Leave the question out").check()
    page.get_by_role("button", name="Create draft").click()
    page.wait_for_url("**/surveys/home/plan")
    definition = Survey.objects.get().definition
    texts = [question["text"]["en"] for block in definition["blocks"] for question in block["questions"]]
    assert "In the last twelve months, did anybody in your home hit you?" in texts
    assert "Marital status" in texts
    assert "Please describe what happened." not in texts
