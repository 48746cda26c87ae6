"""A list of options is pasted into the builder, undone and pasted again; axe finds nothing."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from surveys.authoring.publish import survey_import
from surveys.models import Survey
from tests.e2e.judged import violations
from tests.e2e.test_builder import part, saved
from tests.fixtures.checked_surveys import document_of, protected, several

pytestmark = pytest.mark.django_db(transaction=True)


def options() -> list[str]:
    document = Survey.objects.get(slug="checked").definition
    return [option["text"].get("en", "") for option in document["blocks"][0]["questions"][0]["options"]]


@pytest.mark.soak
def test_a_list_is_pasted_and_its_lines_are_options(researcher, live_server):
    means = several("means", "Pills", "Salve", unrelated=[5000] * 2, prevalence=[3000] * 2)
    survey_import(document_of(protected("help", means)), by="ana")
    page = researcher("surveys/checked/build/")
    part(page, "Which of these?")
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
