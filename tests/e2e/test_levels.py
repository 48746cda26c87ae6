"""A place with several levels of sensitive areas: the builder keeps the very bytes of its levels."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import expect

from surveys.authoring.publish import survey_import
from surveys.models import Survey
from tests.e2e.judged import violations
from tests.e2e.test_builder import saved
from tests.fixtures.checked_surveys import document_of

pytestmark = pytest.mark.django_db(transaction=True)

# Written as a file may have them and a browser would not: 118.0 and 5.0.
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


@pytest.mark.soak
def test_the_builder_names_the_file_of_the_levels_and_saves_them_byte_for_byte(researcher, live_server):
    survey_import(document_of(place_part()), by="ana")
    page = researcher("surveys/checked/build/")
    editor = page.locator("[data-room=editor]")
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
