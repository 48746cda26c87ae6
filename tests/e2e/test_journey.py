"""The whole way of a survey, all in a browser: from the log-in to a script that computes the report again.

Only the first administrator is made by a command. The devices, the worker and the broker are real. The other
two hundred respondents have no screen; the modules of the page disguise, seal and deliver their answers.
"""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import BrowserContext, Page, Route, expect

from surveys.accounts.permissions import Role
from surveys.intake.views import process_limiter
from surveys.models import AuditEvent, Batch, Inbox, Receipt, Run, Survey
from surveys.sweeper import sweep_once
from tests.e2e.judged import width_of
from tests.e2e.visit import Visit
from tests.fixtures.staff import PASSWORD, able

pytestmark = pytest.mark.django_db(transaction=True)

DESK = {"width": 1280, "height": 900}
PHONE = {"width": 390, "height": 844}
RESPONDENTS = Path(__file__).resolve().parent.parent / "js" / "respondents.js"
FURTHER = 200
ABOUT = {"en": "Ana, Example University", "zh-hans": "示例大学，安娜"}

# Answers of a manager who has seen and done it all. A device asks four questions of the second part.
ANSWERS = {
    "job": {"years": 1, "leads": 1, "size": 2},
    "at-work": {
        "bullying": 1,
        "safety": 0,
        "fraud": 1,
        "unreported": 1,
        "sick": 0,
        "fear": 1,
        "hushed": 1,
        "favoured": 0,
    },
}


def somebody(rng: random.Random) -> dict[str, Any]:
    """Make up who either leads and has kept silent, or neither, most of the time."""
    kind = rng.getrandbits(1)

    def like() -> int:
        return kind if rng.random() < 0.9 else 1 - kind

    at_work = {key: like() for key in ANSWERS["at-work"]} | {"fraud": rng.getrandbits(1)}
    job = {"years": rng.randrange(4), "leads": kind, "size": rng.randrange(3)}
    return {"job": job, "at-work": at_work}


def log_in(page: Page, address: str, name: str) -> None:
    page.goto(f"{address}/en/staff/")
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("heading", name="Surveys", exact=True)).to_be_visible()


def set_password(page: Page, link: str) -> None:
    page.goto(link)
    page.get_by_label("New password", exact=True).fill(PASSWORD)
    page.get_by_label("New password confirmation").fill(PASSWORD)
    page.get_by_role("button", name="Set password").click()
    page.wait_for_url("**/log-in/**")


def invited_by(page: Page, address: str, name: str, role: str) -> str:
    """Return the link that an administrator gets for a new user."""
    page.goto(f"{address}/en/staff/people/")
    page.get_by_role("link", name="Invite a person").click()
    page.get_by_label("Login name").fill(name)
    page.get_by_role("checkbox", name=re.compile(role)).check()
    page.get_by_role("button", name="Invite").click()
    return page.get_by_label("Link to set a password").input_value()


def build(page: Page, slug: str) -> None:
    """Make a survey of a template and write it in both of its languages, until nothing is in the way."""
    page.get_by_role("link", name="Create a survey").or_(
        page.get_by_role("link", name="New survey")
    ).first.click()
    page.get_by_label(re.compile("Speaking up at work")).check()
    page.get_by_label("Address").fill(slug)
    page.get_by_role("button", name="Create survey").click()
    page.get_by_role("button", name="Save the plan").click()
    page.locator(".outline-link").filter(has_text="Information for respondents").click()
    expect(page.locator('[data-field="about.researcher.en"]')).to_be_visible()
    for area in page.locator("[data-room=editor] textarea").all():
        area.fill(ABOUT[area.get_attribute("lang") or "en"])
    page.locator("#o-head").click()
    page.locator('[data-field="title.en"]').fill("Silence at work")
    page.locator('[data-field="title.zh-hans"]').fill("工作中的沉默")
    expect(page.get_by_text("No problems left.")).to_be_visible()
    expect(page.locator("#saving")).to_have_text("Saved")


def publish(page: Page, address: str, slug: str) -> None:
    """Publish a draft, which starts in practice, for real answers of invited people."""
    page.goto(f"{address}/en/staff/surveys/{slug}/")
    page.get_by_role("link", name="Publish …").first.click()
    page.get_by_role("button", name="Make it live").click()
    page.get_by_role("radio", name="Invited people").check()
    page.get_by_role("button", name=re.compile("Publish version 1")).click()
    expect(page.get_by_role("link", name="Close survey …")).to_be_visible()


def printed_codes(page: Page, number: int) -> list[str]:
    """Make invitations and print them; return the text below each picture."""
    page.get_by_role("link", name="Create codes").click()
    page.get_by_label("Number of codes").fill(str(number))
    page.get_by_role("button", name="Create codes").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(f"{number} new codes")
    expect(page.locator("svg.qr")).to_have_count(number)
    page.wait_for_load_state()
    assert page.pdf().startswith(b"%PDF")
    codes = page.locator(".invitation-code").all_inner_texts()
    page.once("dialog", lambda dialog: dialog.accept())
    page.get_by_role("link", name="Back to invitations").click()
    return codes


def answer_on_a_phone(phone: BrowserContext, address: str, definition: Any, code: str) -> None:
    """Answer where the network goes away after the server has the row and before it could say so."""

    def cut(route: Route) -> None:
        assert route.fetch().status == 200
        phone.set_offline(True)
        route.abort()

    phone.route("**/api/submissions", cut, times=1)
    page = phone.new_page()
    page.goto(f"{address}/zh-hans/s/{definition['slug']}/#{code}")
    expect(page.locator("h1")).to_have_text("工作中的沉默")
    page.get_by_role("link", name="English").click()
    there = Visit(page, address, definition)
    there.started()
    there.walk(ANSWERS).seal()
    expect(there.button("Try now")).to_be_visible()
    there.press("Try now")
    phone.set_offline(False)
    there.delivered()
    assert width_of(page) == PHONE["width"]


def answer_without_a_screen(survey: Survey, address: str, codes: list[str]) -> list[dict[str, Any]]:
    version, rng = survey.versions.get(), random.Random(20)
    visits = {
        "url": f"{address}/api/submissions",
        "survey": survey.slug,
        "design": version.design,
        "design_id": version.design_id,
        "respondents": [{"code": code.replace("-", ""), "answers": somebody(rng)} for code in codes],
    }
    done = subprocess.run(
        ["node", str(RESPONDENTS)], input=json.dumps(visits), stdout=subprocess.PIPE, text=True, check=True
    )
    outcomes: list[dict[str, Any]] = json.loads(done.stdout)
    return outcomes


def mine(page: Page) -> Run:
    """Ask for a run and watch the page until the worker has done it."""
    page.get_by_role("button", name="Show results").click()
    expect(page.get_by_role("heading", name="What goes together")).to_be_visible(timeout=180_000)
    page.get_by_role("link", name=re.compile(r"^Show all \d+ rules$")).click()
    none = page.get_by_role("heading", name="No rule reaches these thresholds")
    expect(page.locator("#rules").or_(none)).to_be_visible()
    return Run.objects.get()


def review(page: Page) -> None:
    """Accept the first rule, and print the report."""
    page.locator("a.rule-link").first.click()
    page.get_by_role("link", name="Give a verdict").click()
    page.get_by_label("Reason").fill("Seen in both halves.")
    page.get_by_role("button", name="Accept").click()
    expect(page.get_by_text("Saved: accepted.")).to_be_visible()
    page.goto(page.url.split("/rules/")[0] + "/results/")
    page.get_by_role("link", name="Print the report").click()
    expect(page.get_by_text("Seen in both halves.")).to_be_visible()
    assert page.pdf().startswith(b"%PDF")


def computed_again(page: Page, where: Path) -> str:
    """Download the data and run the enclosed script as a stranger would; return its output."""
    page.get_by_role("link", name="Export data").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download ZIP file").click()
    with zipfile.ZipFile(download.value.path()) as archive:
        archive.extractall(where)
    done = subprocess.run(
        [sys.executable, "-I", "reproduce.py"], cwd=where, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture
def staff_page(device: Callable[..., BrowserContext]) -> Iterator[Callable[[], Page]]:
    """Return a function that opens a separate browser; script errors of pages fail the test."""
    process_limiter.cache_clear()
    errors: list[str] = []

    def open_page() -> Page:
        page = device(viewport=DESK).new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        return page

    yield open_page
    assert errors == []


@pytest.mark.soak
def test_a_live_survey_goes_all_the_way_without_a_terminal(
    live_server: Any, device: Any, staff_page: Any, start_worker: Any, tmp_path: Path
) -> None:
    start_worker()
    able("adam", Role.ADMINISTRATOR)
    address = live_server.url
    hers, his, theirs = staff_page(), staff_page(), staff_page()
    log_in(his, address, "adam")
    set_password(hers, invited_by(his, address, "ana", "Researcher"))
    set_password(theirs, invited_by(his, address, "rita", "Reviewer"))

    log_in(hers, address, "ana")
    build(hers, "silence")
    publish(hers, address, "silence")
    survey = Survey.objects.get(slug="silence")
    codes = printed_codes(hers, FURTHER + 1)

    phone = device(viewport=PHONE, is_mobile=True, has_touch=True)
    answer_on_a_phone(phone, address, survey.definition, codes[0])
    assert Inbox.objects.count() == Receipt.objects.filter(digest__isnull=False).count() == 1
    outcomes = answer_without_a_screen(survey, address, codes[1:])
    assert outcomes == [{"kind": "delivered", "status": 200}] * FURTHER

    # While the survey is open, and for 48 hours more, no count is exact.
    sweep_once()
    hers.goto(f"{address}/en/staff/surveys/silence/")
    expect(hers.get_by_text("rounded to tens")).to_be_visible()
    hers.get_by_role("link", name="Close survey …").click()
    hers.get_by_label("to confirm: silence").fill("silence")
    hers.get_by_role("button", name="Close the survey").click()
    expect(hers.get_by_text("The survey is closed.")).to_be_visible()
    sweep_once()
    assert not Survey.objects.get().settled
    # The time of grace is over; a clock that jumped by two days would be doubted.
    Survey.objects.update(accepts_until=timezone.now() - timedelta(seconds=1))
    sweep_once()
    assert Survey.objects.get().settled
    assert sum(batch.n for batch in Batch.objects.all()) == FURTHER + 1
    assert Inbox.objects.count() == 0

    log_in(theirs, address, "rita")
    theirs.get_by_role("link", name="Silence at work").click()
    run = mine(theirs)
    assert (run.n, run.rules.exists()) == (FURTHER + 1, True)
    review(theirs)
    # Rows are for who asked; a reviewer needs a right of their own.
    hers.goto(f"{address}/en/staff/surveys/silence/")
    said = computed_again(hers, tmp_path)
    assert "Every figure is the same." in said
    done = {(event.actor, event.action) for event in AuditEvent.objects.all()}
    assert {("ana", "survey_publish"), ("ana", "survey_close"), ("rita", "run_request")} <= done
