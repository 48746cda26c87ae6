"""A draft before publication: tried with the real security policy, on a phone, and by an ethics board."""

from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from surveys.authoring.drafts import draft_create, survey_import
from surveys.models import Inbox, Receipt, Survey
from surveys.respondent.client_program import client
from tests.e2e.judged import violations_light_and_dark, width_of
from tests.e2e.survey import ANSWERS, workplace
from tests.e2e.visit import Visit
from tests.fixtures.runs import definition

pytestmark = pytest.mark.django_db(transaction=True)

# Tries every channel through which a page's script could leak data.
TRY_TO_SEND = """
async () => {
  const told = [];
  const body = JSON.stringify({survey: "preview"});
  const ways = {
    fetch: () => fetch("/api/submissions", {method: "POST", body}).then(() => true),
    form: () => {
      const form = document.createElement("form");
      form.action = "/api/submissions"; form.method = "post";
      document.body.append(form); form.submit();
      return new Promise((resolve) => setTimeout(() => resolve(false), 300));
    },
    beacon: () => navigator.sendBeacon("/api/submissions", body) && false,
    socket: () => new Promise((resolve) => {
      const socket = new WebSocket(location.origin.replace("http", "ws"));
      socket.onopen = () => resolve(true); socket.onerror = () => resolve(false);
    }),
  };
  for (const [name, way] of Object.entries(ways)) {
    try { if (await way()) { told.push(name); } } catch { /* refused */ }
  }
  const databases = (await indexedDB.databases()).length;
  return {told, databases, kept: sessionStorage.length + localStorage.length};
}
"""


@pytest.mark.soak
def test_a_complete_preview_sends_and_stores_nothing(
    researcher: Callable[..., Page], live_server: Any
) -> None:
    document = workplace(group={"policy": "assigned", "direct_share": 5000})
    draft_create(document, slug="work", source="scratch", by="ana", now=timezone.now())
    page = researcher("", bypass_csp=False)
    asked: list[tuple[str, str]] = []
    visit = Visit(page, f"{live_server.url}/en/staff/surveys/work/build/preview/", document).open()
    page.on("request", lambda request: asked.append((request.method, request.url)))
    visit.walk(ANSWERS).seal()
    expect(visit.root.locator("h2").first).to_have_text("This was a preview")
    assert visit.root.get_by_text("All bits that were sent").count() == 1
    assert page.evaluate(TRY_TO_SEND) == {"told": [], "databases": 0, "kept": 0}
    # Only files of the program, which are the same for everyone.
    assert {*asked} <= {("GET", f"{live_server.url}{file.url}") for file in client().program}
    assert not Receipt.objects.exists()
    assert not Inbox.objects.exists()


def looked_at(page):
    """Check a page in a narrow and a wide window, in both colour schemes."""
    for width in (360, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        assert violations_light_and_dark(page) == {}, (page.url, width)
        assert width_of(page) <= width, page.url


@pytest.mark.soak
def test_a_draft_before_a_board_and_as_recommended(researcher, device, live_server):
    survey_import(definition(light=True), by="ana")
    page = researcher("surveys/habits/risk/")
    looked_at(page)
    page.get_by_role("button", name="Create a link").click()
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
