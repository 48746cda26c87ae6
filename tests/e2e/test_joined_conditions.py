"""A part is made to wait for answers to two open questions in the builder; axe finds nothing."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from surveys.authoring.publish import survey_import
from surveys.models import Survey
from tests.e2e.judged import violations
from tests.e2e.test_builder import fits, part, saved
from tests.fixtures.checked_surveys import document_of, protected, unprotected, yes_no

pytestmark = pytest.mark.django_db(transaction=True)


def waits() -> Any:
    return Survey.objects.get(slug="checked").definition["blocks"][1].get("asked_if")


@pytest.mark.soak
def test_a_part_waits_for_all_or_any_of_two_answers(researcher, live_server):
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
    assert violations(page) == "[]"
    for width in (1280, 360):
        page.set_viewport_size({"width": width, "height": 800})
        fits(page)
    page.get_by_label("Who is asked this part").select_option("")
    saved(page)
    assert waits() == {"question": "leading", "options": ["yes", "no"]}
