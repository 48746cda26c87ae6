"""Templates with composite questions on a phone: answered, sent, accessible, and printed."""

from typing import Any

import pytest
from playwright.sync_api import expect

from privacy.survey.layout import Layout
from surveys.questionnaire.templates import COMPOSITE
from tests.conftest import wait_until
from tests.e2e.judged import violations, width_of
from tests.e2e.survey import TRUTH
from tests.e2e.test_composites import PHONE
from tests.fixtures.composite_templates import ready_template

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.soak
@pytest.mark.parametrize("language", ["en", "zh-hans"])
@pytest.mark.parametrize("name", COMPOSITE)
@pytest.mark.few("violence-en", why="the longest")
def test_a_template_is_answered_on_a_phone_without_findings(
    publish_definition: Any, device: Any, name: str, language: str
) -> None:
    """The last answer to each question: everything is true of this person, whose coins send the truth."""
    here = publish_definition(ready_template(name))
    page = device(words=TRUTH, bypass_csp=True, reduced_motion="reduce", **PHONE).new_page()
    page.goto(here.address.replace("/en/", f"/{language}/"))
    root = page.locator("#root")
    root.locator(".actions button").nth(1).click()
    expect(root.locator("fieldset").first).to_be_visible()
    questions = sum(
        len(question.computed.components) if question.computed else 1
        for question in here.version.to_design().questions
    )
    expect(root.locator("fieldset")).to_have_count(questions)
    page.emulate_media(media="print")
    assert width_of(page) <= 360
    page.emulate_media(media="screen")
    assert (violations(page), width_of(page)) == ("[]", 360)
    for number in range(questions):
        # "Yes" comes first, the most frequent of several answers last.
        labels = root.locator("fieldset").nth(number).locator("label")
        (labels.first if labels.count() == 2 else labels.last).click()
    root.locator(".actions button.button").last.click()
    expect(root.locator(".answers").first).to_be_visible()
    assert (violations(page), width_of(page)) == ("[]", 360)
    root.locator(".note .button").last.click()
    (body,) = wait_until(lambda: here.bodies, what="the answers")
    sent = Layout(here.version.to_design()).unpack(body)
    for block, values in zip(here.version.to_design().blocks, sent.answers, strict=True):
        if block.protected:
            highest = [max(len(question.options) - 1, 1) for question in block.questions]
            assert list(values) == highest, block.key
