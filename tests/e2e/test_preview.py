"""A preview, in a real browser under its real policy: it can be tried to the end; nothing leaves or stays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from playwright.sync_api import BrowserContext, expect

from surveys.authoring.drafts import draft_create
from surveys.models import Inbox, Receipt
from tests.e2e.survey import ANSWERS, workplace
from tests.e2e.visit import Visit
from tests.fixtures.staff import seen_by

pytestmark = pytest.mark.django_db(transaction=True)

# Every channel through which a page's script could leak data.
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
def test_a_preview_can_be_tried_to_the_end_and_nothing_leaves_or_stays(
    device: Callable[..., BrowserContext], live_server: Any, transactional_db: None
) -> None:
    document = workplace(group={"policy": "assigned", "direct_share": 5000})
    draft_create(document, slug="work", source="scratch", by="ana", now=timezone.now())
    client = Client()
    client.force_login(seen_by(User.objects.create_superuser("ana", password="long enough to be one")))
    cookie = client.cookies[settings.SESSION_COOKIE_NAME].value
    context = device()
    context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": cookie, "url": live_server.url}])
    page = context.new_page()
    asked: list[tuple[str, str]] = []
    visit = Visit(page, f"{live_server.url}/en/staff/surveys/work/build/preview/", document).open()
    page.on("request", lambda request: asked.append((request.method, request.url)))
    visit.walk(ANSWERS).seal()
    expect(visit.room.locator("h2").first).to_have_text("This was a preview")
    assert visit.room.get_by_text("All bits that were sent").count() == 1
    assert page.evaluate(TRY_TO_SEND) == {"told": [], "databases": 0, "kept": 0}
    assert asked == []
    assert not Receipt.objects.exists()
    assert not Inbox.objects.exists()
