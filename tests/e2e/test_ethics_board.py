"""A draft is shown to a phone and to an ethics board, and laid out anew by one button."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from surveys.authoring.publish import survey_import
from surveys.models import Survey
from tests.e2e.judged import violations_light_and_dark, width_of
from tests.fixtures.runs import definition

pytestmark = pytest.mark.django_db(transaction=True)


def looked_at(page):
    """Judge a page narrow and wide, in both schemes."""
    for width in (360, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        assert violations_light_and_dark(page) == {}, (page.url, width)
        assert width_of(page) <= width, page.url


@pytest.mark.soak
def test_a_draft_on_a_phone_before_a_board_and_as_recommended(
    researcher,
    device,
    live_server,
):
    survey_import(definition(light=True), by="ana")
    page = researcher("surveys/habits/build/phone/")
    page.get_by_role("button", name="Create an address for one day").click()
    looked_at(page)
    phone = device(viewport={"width": 360, "height": 740}).new_page()
    sent = []
    phone.on("request", lambda request: sent.append(request.method))
    phone.goto(page.get_by_label("Link to this page").input_value())
    expect(phone.get_by_role("heading", name="Who can see my answers?")).to_be_visible()
    assert set(sent) == {"GET"}

    page.goto(f"{live_server.url}/en/staff/surveys/habits/risk/")
    looked_at(page)
    page.get_by_role("button", name="Make an address").click()
    looked_at(page)
    board = device().new_page()
    board.goto(page.get_by_label("Link to this page").input_value())
    expect(board.get_by_text("This survey protects less than recommended.")).to_be_visible()
    looked_at(board)
    assert board.pdf().startswith(b"%PDF")

    page.get_by_role("link", name="Change plan").click()
    looked_at(page)
    page.get_by_role("button", name="Save the plan").click()
    page.wait_for_url("**/build/")
    board.reload()
    expect(board.get_by_text("This survey follows the recommendation.")).to_be_visible()
    assert Survey.objects.get().revision == 2

    page.goto(f"{live_server.url}/en/staff/surveys/habits/build/export/")
    looked_at(page)
