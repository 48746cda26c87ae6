"""An answer is drawn once and sent until it arrives, despite reloads, Back, two tabs and network failures."""

import json
import re

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from surveys.authoring.deletion import survey_delete
from surveys.authoring.lifecycle import survey_close
from tests.conftest import wait_until
from tests.e2e.conftest import Server
from tests.e2e.survey import ANSWERS as ALL_ANSWERS
from tests.e2e.survey import TRUTH, body_of, workplace
from tests.e2e.visit import Visit
from tests.fixtures.devices import survey_of

pytestmark = pytest.mark.django_db(transaction=True)

# One protected part is enough here, and makes visits short.
BLOCKS = [block for block in workplace()["blocks"] if block["key"] == "silence"]
ANSWERS = {"silence": ALL_ANSWERS["silence"]}

SEALED = "Your answers are waiting to be sent"


def sealed_once(here, server, *, attempts):
    """Assert that all bodies are equal, with one row and one receipt."""
    assert len(server.bodies) == attempts
    assert len(set(server.bodies)) == 1
    assert [row.hex() for row in here.bodies] == [json.loads(server.bodies[0])["body"]]
    assert here.receipts == 1


@pytest.mark.soak
def test_network_and_server_failures_resend_the_same_bytes(publish, device, visit):
    """tests/js/deliver.test.js tests each status alone."""
    here, context = publish(blocks=BLOCKS), device()
    script = ["abort", 503, "lose"]
    server = Server(context, *script)
    visit(here, context).walk(ANSWERS).seal().delivered()
    sealed_once(here, server, attempts=len(script) + 1)


@pytest.mark.soak
def test_an_offline_body_is_sent_when_the_network_returns(publish, device, visit):
    here, context = publish(blocks=BLOCKS), device()
    server = Server(context)
    there = visit(here, context).walk(ANSWERS)
    context.set_offline(True)
    there.seal()
    expect(there.root.get_by_role("heading", name=SEALED)).to_be_visible()
    expect(there.root).to_contain_text("Someone who uses this device could see that you took part")
    assert here.bodies == []
    context.set_offline(False)
    there.delivered()
    assert len(set(server.bodies)) == 1
    assert len(here.bodies) == here.receipts == 1


@pytest.fixture
def waiting(publish, device, visit):
    """A survey, its server, and a page whose sealed body waits for the next attempt."""
    here, context = publish(blocks=BLOCKS), device(words=TRUTH)
    server = Server(context, (503, {"Retry-After": "3000"}))
    there = visit(here, context).walk(ANSWERS).seal()
    expect(there.button("Try now")).to_be_visible()
    return here, server, there


@pytest.mark.soak
@pytest.mark.parametrize("is_closed", [False, True])
def test_a_reload_delivers_the_waiting_body_and_reports_it(waiting, is_closed):
    """Also in the two days after the survey has closed."""
    here, server, there = waiting
    if is_closed:
        survey_close(survey_of(here.version), by="alice", now=timezone.now())
    there.page.reload()
    expect(there.page.get_by_role("heading", name="The waiting answers have arrived")).to_be_visible()
    sealed_once(here, server, attempts=2)
    assert here.bodies == [body_of(here.version.to_design(), ANSWERS, TRUTH)]
    expect(there.root.get_by_role("button")).to_have_text(["Leave this page now"])


@pytest.mark.soak
def test_going_back_after_sealing_restores_no_answers(publish, device, visit):
    here, context = publish(blocks=BLOCKS), device()
    server = Server(context)
    page = context.new_page()
    page.goto(here.address.replace("workplace", "nowhere"))
    there = Visit(page, here.address, here.definition).open().walk(ANSWERS).seal().delivered()
    page.go_back()
    expect(page.get_by_role("heading", name="Survey not found")).to_be_visible()
    page.go_forward()
    there.started()
    there.at("intro")
    sealed_once(here, server, attempts=1)


def test_going_back_while_the_body_waits_shows_no_questions(publish, device, visit):
    here, context = publish(blocks=BLOCKS), device()
    server = Server(context, (503, {"Retry-After": "3000"}))
    there = visit(here, context).walk(ANSWERS).seal()
    expect(there.button("Try now")).to_be_visible()
    there.page.go_forward()
    expect(there.root.locator("input")).to_have_count(0)
    expect(there.root.locator("h2").first).to_have_text(SEALED)
    there.press("Try now")
    there.delivered()
    sealed_once(here, server, attempts=2)


@pytest.mark.soak
def test_only_one_of_two_tabs_sealing_at_once_sends(publish, device, visit):
    here, context = publish(blocks=BLOCKS), device()
    server = Server(context)
    tabs = [visit(here, context).walk(ANSWERS) for _ in range(2)]
    for tab in tabs:
        tab.page.evaluate(
            "setTimeout(() => [...document.querySelectorAll('button')].find("
            "({textContent}) => textContent === 'Disguise and send')?.click(), 300)"
        )
    headings = {"Thank you. Your answers have arrived. You can close this page.", "Answered in another tab"}
    for tab in tabs:
        expect(tab.root.locator("h2").first).to_have_text(re.compile("|".join(headings)))
    assert {tab.heading for tab in tabs} == headings
    sealed_once(here, server, attempts=1)


@pytest.mark.soak
def test_a_tab_open_during_sealing_elsewhere_forgets_its_answers(publish, device, visit):
    here, context = publish(blocks=BLOCKS), device()
    server = Server(context)
    other = visit(here, context).walk(ANSWERS, until="list:seen")
    visit(here, context).walk(ANSWERS).seal().delivered()
    expect(other.root.get_by_role("heading", name="Answered in another tab")).to_be_visible()
    expect(other.root.locator("input, button")).to_have_text(["Leave this page now"])
    sealed_once(here, server, attempts=1)


@pytest.mark.soak
@pytest.mark.parametrize("first_is_closed", [False, True])
def test_either_of_two_tabs_delivers_a_waiting_body(waiting, first_is_closed):
    here, server, first = waiting
    second = Visit(first.page.context.new_page(), here.address, here.definition)
    second.page.goto(here.address)
    expect(second.root.get_by_role("heading", name="Answers are waiting on this device")).to_be_visible()
    if first_is_closed:
        first.page.close()
    else:
        first.press("Try now")
        first.delivered()
    expect(second.root.get_by_role("heading", name="The waiting answers have arrived")).to_be_visible()
    sealed_once(here, server, attempts=2)


@pytest.mark.soak
def test_a_refused_body_is_kept_and_resent_on_later_visits(publish, device, visit):
    """After a refusal, the server gets the same body again, never a second draw."""
    here, context = publish(blocks=BLOCKS), device()
    refusals = (409, 410)
    server = Server(context, *refusals)
    there = visit(here, context).walk(ANSWERS).seal()
    for attempts, status in enumerate(refusals, 1):
        title = "The survey has closed" if status == 410 else "The server refused the request"
        expect(there.root.get_by_role("heading", name=title)).to_be_visible()
        expect(there.root).to_contain_text("Your answers" if status == 410 else f"Its answer was {status}.")
        # For a closed survey, the only option is to leave the page.
        buttons = ["Leave this page now"] if status == 410 else []
        expect(there.root.get_by_role("button")).to_have_text(buttons)
        assert len(server.bodies) == attempts
        assert [each["name"] for each in there.page.evaluate("indexedDB.databases()")] == ["sotto:workplace"]
        there.page.reload()
    expect(there.root.get_by_role("heading", name="The waiting answers have arrived")).to_be_visible()
    sealed_once(here, server, attempts=3)


@pytest.mark.soak
def test_a_page_whose_waiting_body_was_cleared_says_that_it_is_gone(waiting):
    _, _, there = waiting
    there.page.evaluate("indexedDB.deleteDatabase('sotto:workplace')")
    there.press("Try now")
    expect(there.root.locator("h2").first).to_have_text("Your answers are no longer on this device")


@pytest.mark.soak
@pytest.mark.parametrize("title", ["Waiting answers have expired", "Survey not found"])
def test_an_undelivered_body_is_erased_after_seven_days(publish, device, visit, title):
    """The server accepted the body but its response was lost, so the page does not claim an outcome."""
    here, context = publish(blocks=BLOCKS), device()
    server = Server(context, "lose", (503, {"Retry-After": "3000"}))
    there = visit(here, context).walk(ANSWERS).seal()
    expect(there.button("Try now")).to_be_visible()
    there.page.close()
    sent = len(server.bodies)
    assert len(here.bodies) == 1
    if title == "Survey not found":
        survey_close(survey_of(here.version), by="alice", now=timezone.now(), at_once=True)
        survey_delete(survey_of(here.version), by="alice")
    later = context.new_page()
    later.add_init_script("const now = Date.now; Date.now = () => now() + 8 * 24 * 3600 * 1000")
    later.goto(here.address)
    expect(later.get_by_role("heading", name=title)).to_be_visible()
    never = later.get_by_text("The server never confirmed them, so they may not have arrived.")
    expect(never).to_have_count(int(title == "Waiting answers have expired"))
    expect(later.locator("#root")).not_to_contain_text("counted")
    wait_until(lambda: later.evaluate("indexedDB.databases()") == [], what="the body's end")
    assert len(server.bodies) == sent


@pytest.mark.soak
def test_a_fully_closed_survey_says_that_it_is_closed(publish, visit):
    here = publish(blocks=BLOCKS)
    there = visit(here).walk(ANSWERS)
    survey_close(survey_of(here.version), by="alice", now=timezone.now(), at_once=True)
    there.seal()
    expect(there.root.get_by_role("heading", name="The survey has closed")).to_be_visible()
    assert here.bodies == []


@pytest.mark.soak
def test_devices_that_cannot_store_the_body_send_and_redraw_nothing(publish, device, visit):
    here, context = publish(blocks=BLOCKS), device()
    server = Server(context)
    there = visit(here, context).walk(ANSWERS)
    there.page.evaluate(
        """() => {
          const put = IDBObjectStore.prototype.put;
          const real = Crypto.prototype.getRandomValues;
          window.fills = 0;
          let full = true;
          Crypto.prototype.getRandomValues = function (array) {
            window.fills += array instanceof Uint32Array ? 1 : 0;
            return real.call(this, array);
          };
          IDBObjectStore.prototype.put = function (...values) {
            if (full) { full = false; throw new DOMException("full", "QuotaExceededError"); }
            return put.apply(this, values);
          };
        }"""
    )
    there.seal()
    expect(there.root.get_by_role("heading", name="This device has no room for your answers")).to_be_visible()
    assert server.bodies == []
    drawn = there.page.evaluate("window.fills")
    there.press("Try again")
    there.delivered()
    assert there.page.evaluate("window.fills") == drawn
    sealed_once(here, server, attempts=1)


NO_FILES = "window.Worker = class { constructor() { throw new DOMException('', 'SecurityError'); } };"
NO_SCRIPT = """{ const real = Worker;
  Worker = class extends real { constructor() { super("/no-script.js", { type: "module" }); } }; }"""


def warned(there):
    """Wait until the first screen says that this window keeps nothing; before, its button does not go on."""
    expect(there.root.get_by_text("before your answers have arrived, they are lost").first).to_be_visible()
    return there


@pytest.mark.soak
@pytest.mark.parametrize("script", [NO_FILES, NO_SCRIPT])
def test_without_storage_the_body_waits_in_the_page_with_a_warning(publish, device, visit, script):
    here, context = publish(blocks=BLOCKS), device()
    context.add_init_script(script)
    server = Server(context, (503, {"Retry-After": "3000"}))
    there = warned(visit(here, context)).walk(ANSWERS).seal()
    expect(there.root.get_by_role("heading", name=SEALED)).to_be_visible()
    expect(there.root).to_contain_text("Your answers exist only in this open page")
    assert there.page.evaluate("indexedDB.databases()") == []
    there.press("Try now")
    there.delivered()
    sealed_once(here, server, attempts=2)


@pytest.mark.soak
def test_a_refusal_without_storage_warns_that_closing_loses_the_answer(publish, device, visit):
    here, context = publish(blocks=BLOCKS), device()
    context.add_init_script(NO_FILES)
    Server(context, (400, {}))
    there = warned(visit(here, context)).walk(ANSWERS).seal()
    expect(there.root).to_contain_text("if you close it, they are lost")
    there.page.reload()
    there.started()
    assert here.bodies == []


@pytest.mark.soak
def test_finishing_one_survey_keeps_the_data_of_others(publish, device, visit):
    first, second = publish(blocks=BLOCKS), publish(blocks=BLOCKS, slug="other")
    context = device()
    server = Server(context, (503, {"Retry-After": "3000"}))
    waiting = visit(first, context).walk(ANSWERS).seal()
    expect(waiting.button("Try now")).to_be_visible()
    waiting.page.evaluate("localStorage.setItem('sotto:frame:x:uni.example', 'its line')")
    posts = []
    context.on("request", lambda request: request.method == "POST" and posts.append(request.url))
    visit(second, context).walk(ANSWERS).seal().delivered()
    waiting.page.reload()
    expect(waiting.root.get_by_role("heading", name="The waiting answers have arrived")).to_be_visible()
    assert server.bodies[0] == server.bodies[-1]
    assert len(first.bodies) == len(second.bodies) == 1
    assert {url.split("/", 3)[3] for url in posts} == {"api/submissions"}
    assert waiting.page.evaluate("localStorage.getItem('sotto:frame:x:uni.example')") == "its line"
    assert waiting.page.evaluate("indexedDB.databases()") == []


FILES = "async () => Array.fromAsync((await navigator.storage.getDirectory()).keys())"
LOSE = {
    "key": "async () => (await navigator.storage.getDirectory()).removeEntry('sottovoce-workplace.key')",
    "box": """
async () => {
  const request = indexedDB.open("sotto:workplace", 1);
  const database = await new Promise((resolve) => (request.onsuccess = () => resolve(request.result)));
  const kept = database.transaction("body", "readwrite");
  kept.objectStore("body").clear();
  await new Promise((resolve) => (kept.oncomplete = resolve));
  database.close();
}
""",
}


@pytest.mark.soak
@pytest.mark.parametrize("lost", ["key", "box"])
def test_a_half_written_body_is_erased_and_answering_stays_possible(publish, device, visit, lost):
    here, context = publish(blocks=BLOCKS), device()
    server = Server(context, (503, {"Retry-After": "3000"}))
    there = visit(here, context).walk(ANSWERS).seal()
    expect(there.button("Try now")).to_be_visible()
    there.page.goto(here.address.replace("workplace", "nowhere"))
    there.page.evaluate(LOSE[lost])
    there.page.goto(here.address)
    there.started()
    # The page also tries out its storage for a moment.
    kept = f"async () => [...await indexedDB.databases(), ...await ({FILES})()]"
    wait_until(lambda: there.page.evaluate(kept) == [], what="the end of what was left")
    there.walk(ANSWERS).seal().delivered()
    assert len(here.bodies) == 1
    assert len(server.bodies) == 2
