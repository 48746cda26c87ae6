"""Storage is tried out before the first question, and parts of the program that are lost are requested again.

Respondents read the cause and a remedy in Sottovoce's words, never the browser's.
"""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import BrowserContext, Route, expect

from surveys.authoring.lifecycle import survey_close
from tests.conftest import wait_until
from tests.e2e.conftest import Server
from tests.e2e.survey import ANSWERS as ALL_ANSWERS
from tests.e2e.survey import workplace
from tests.e2e.visit import Visit
from tests.fixtures.devices import survey_of

pytestmark = pytest.mark.django_db(transaction=True)

BLOCKS = [block for block in workplace()["blocks"] if block["key"] == "silence"]
ANSWERS = {"silence": ALL_ANSWERS["silence"]}

# What the browser itself says. No respondent may read it.
PLANTED = "Failed to execute on planted.example"


def raises(name: str) -> str:
    return f"() => {{ throw new DOMException('{PLANTED}', '{name}'); }}"


NEVER = "() => new Promise(() => {})"
ROOM = "This device has no room for your answers"
BLOCKED = "This browser blocks storage for this page"
STUCK = "The browser’s storage does not respond"


def failing_request(name: str) -> str:
    """Return a function whose request fails later, as requests to a database do."""
    return f"""() => {{
      const request = {{ error: new DOMException('{PLANTED}', '{name}') }};
      setTimeout(() => request.onerror?.());
      return request;
    }}"""


# Each way in which storage fails -> the script that simulates it, and the cause that the page names.
FAULTS = {
    "a database that refuses": (f"IDBFactory.prototype.open = {raises('SecurityError')}", BLOCKED),
    "a database that cannot change": (
        f"IDBFactory.prototype.open = {failing_request('InvalidStateError')}",
        BLOCKED,
    ),
    "a database that is broken": (f"IDBFactory.prototype.open = {failing_request('UnknownError')}", STUCK),
    "a database that does not open": ("IDBFactory.prototype.open = () => ({})", STUCK),
    "a full database": (f"IDBObjectStore.prototype.put = {raises('QuotaExceededError')}", ROOM),
    "a list of databases that refuses": (
        f"IDBFactory.prototype.databases = async {raises('SecurityError')}",
        BLOCKED,
    ),
    "a list of databases that never ends": (f"IDBFactory.prototype.databases = {NEVER}", STUCK),
    "an attribute that refuses": (
        f"Object.defineProperty(window, 'indexedDB', {{ get: {raises('SecurityError')} }})",
        BLOCKED,
    ),
    "locks that refuse": (f"LockManager.prototype.request = async {raises('SecurityError')}", BLOCKED),
    "locks that never respond": (f"LockManager.prototype.request = {NEVER}", STUCK),
    "a channel that refuses": (
        f"window.BroadcastChannel = class {{ constructor() {{ ({raises('SecurityError')})(); }} }}",
        BLOCKED,
    ),
    "a worker that never responds": ("Worker.prototype.postMessage = () => {}", STUCK),
}
# The same if everything works except that nothing is kept: the answers then exist only in this page.
FORGETFUL = {
    "no workers": f"window.Worker = class {{ constructor() {{ ({raises('SecurityError')})(); }} }}",
    "no files": f"StorageManager.prototype.getDirectory = async {raises('SecurityError')}",
    "a database that forgets": """IDBObjectStore.prototype.get = () => {
      const request = {};
      setTimeout(() => request.onsuccess());
      return request;
    }""",
}


def arrived(here: Any, context: BrowserContext, script: str = "") -> Visit:
    """Return a visit whose browser has a fault from the start."""
    if script:
        context.add_init_script(f"{script};")
    page = context.new_page()
    page.goto(here.address)
    return Visit(page, here.address, here.definition)


def titled(there: Visit, title: str) -> None:
    expect(there.page.get_by_role("heading", name=title)).to_be_visible()
    expect(there.root).not_to_contain_text(PLANTED)


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.few("a worker that never responds", why="a fault that no error names")
def test_storage_that_fails_is_named_before_the_first_question(publish: Any, device: Any, fault: str) -> None:
    script, title = FAULTS[fault]
    there = arrived(publish(blocks=BLOCKS), device(), script)
    titled(there, title)
    expect(there.root).to_contain_text("Nothing was sent.")
    expect(there.button("Try again")).to_be_visible()
    expect(there.root.locator("input")).to_have_count(0)
    there.press("Try again")
    titled(there, title)


@pytest.mark.soak
def test_a_full_device_can_answer_after_making_room(publish: Any, device: Any) -> None:
    """Chromium's own quota, as it is when the disk is full."""
    here, context = publish(blocks=BLOCKS), device()
    page = context.new_page()
    page.goto(here.address.replace("workplace", "nowhere"))
    page.evaluate(
        """async () => {
          const root = await navigator.storage.getDirectory();
          const file = await (await root.getFileHandle("old photos", { create: true })).createWritable();
          await file.write(new Uint8Array(10_000));
          await file.close();
        }"""
    )
    quota = context.new_cdp_session(page)
    origin = here.address.split("/en/")[0]
    quota.send("Storage.overrideQuotaForOrigin", {"origin": origin, "quotaSize": 1})
    page.goto(here.address)
    there = Visit(page, here.address, here.definition)
    titled(there, ROOM)
    expect(there.root).to_contain_text("Delete something you no longer need")
    quota.send("Storage.overrideQuotaForOrigin", {"origin": origin})
    there.press("Try again")
    there.started()
    there.walk(ANSWERS).seal().delivered()
    assert len(here.bodies) == 1


@pytest.mark.soak
def test_slow_storage_lets_the_respondent_go_on_when_it_responds(publish: Any, device: Any) -> None:
    script = """{
      const open = IDBFactory.prototype.open;
      IDBFactory.prototype.open = function (...values) {
        const request = {};
        setTimeout(() => {
          const real = open.apply(this, values);
          real.onupgradeneeded = () => ((request.result = real.result), request.onupgradeneeded?.());
          real.onsuccess = () => ((request.result = real.result), request.onsuccess());
        }, window.isFast ? 0 : 3000);
        return request;
      };
    }"""
    here = publish(blocks=BLOCKS)
    there = arrived(here, device(), script)
    titled(there, STUCK)
    there.page.evaluate("window.isFast = true")
    there.started()
    there.walk(ANSWERS).seal().delivered()
    assert len(here.bodies) == 1


@pytest.mark.soak
@pytest.mark.parametrize("fault", FORGETFUL)
def test_a_window_that_keeps_nothing_says_so_on_the_first_screen(
    publish: Any, device: Any, fault: str
) -> None:
    here, context = publish(blocks=BLOCKS), device()
    server = Server(context, (503, {"Retry-After": "3000"}))
    there = arrived(here, context, FORGETFUL[fault])
    note = there.root.get_by_text(
        "If you close or reload this page before your answers have arrived, they are lost."
    )
    expect(note.first).to_be_visible()
    expect(there.root).not_to_contain_text("your answers wait on this device")
    there.walk(ANSWERS).seal()
    expect(there.root).to_contain_text("Your answers exist only in this open page")
    there.press("Try now")
    there.delivered()
    assert len(set(server.bodies)) == 1
    assert there.page.evaluate("indexedDB.databases()") == []


@pytest.mark.soak
def test_an_impatient_respondent_also_reads_that_the_window_keeps_nothing(publish: Any, device: Any) -> None:
    """The note must be seen even if the button was pressed before the trial had ended."""
    context, held = device(), []
    context.route(re.compile(r"/unasked-en\.js"), lambda route: held.append(route))
    there = arrived(publish(blocks=BLOCKS), context, FORGETFUL["no workers"])
    there.started()
    there.press("Start")
    wait_until(lambda: there.page.wait_for_timeout(50) or held, what="the request for the note")
    held.pop().continue_()
    expect(there.root.get_by_text("they are lost").first).to_be_visible()
    assert there.screen == "intro"
    there.press("Start")
    there.at("question:unreported")


def test_the_trial_leaves_nothing_that_a_page_can_see(publish: Any, device: Any) -> None:
    there = arrived(publish(blocks=BLOCKS), device())
    there.started()
    there.go_on()
    there.at("question:unreported")
    files = "async () => Array.fromAsync((await navigator.storage.getDirectory()).keys())"
    assert there.page.evaluate("indexedDB.databases()") == []
    assert there.page.evaluate(files) == []
    assert there.page.evaluate("localStorage.length + sessionStorage.length") == 0


def test_what_an_interrupted_trial_left_is_erased_by_the_next(publish: Any, device: Any) -> None:
    here, context = publish(blocks=BLOCKS), device()
    page = context.new_page()
    page.goto(here.address.replace("workplace", "nowhere"))
    page.evaluate(
        """async () => {
          const request = indexedDB.open("sotto:", 1);
          const torn = { box: 1, nonce: 1 };
          request.onupgradeneeded = () => request.result.createObjectStore("body").put(torn, "waiting");
          await new Promise((done) => (request.onsuccess = done));
          request.result.close();
          await (await navigator.storage.getDirectory()).getFileHandle("sottovoce-.key", { create: true });
        }"""
    )
    there = arrived(here, context)
    there.started()
    there.go_on()
    there.at("question:unreported")
    assert there.page.evaluate("indexedDB.databases()") == []
    assert (
        there.page.evaluate("async () => Array.fromAsync((await navigator.storage.getDirectory()).keys())")
        == []
    )


# Faults that begin when the answers are sealed.
LATER = {
    "full": (f"IDBObjectStore.prototype.put = {raises('QuotaExceededError')}", ROOM),
    "blocked": (f"IDBFactory.prototype.open = {raises('SecurityError')}", BLOCKED),
    "hanging": ("IDBFactory.prototype.open = () => ({})", STUCK),
}


@pytest.mark.parametrize("fault", LATER)
@pytest.mark.few("full", why="note and button are the same for each cause")
def test_storage_that_fails_at_sealing_names_the_cause_and_keeps_the_answers(
    publish: Any, device: Any, fault: str
) -> None:
    script, title = LATER[fault]
    here, context = publish(blocks=BLOCKS), device()
    server = Server(context)
    there = arrived(here, context)
    there.started()
    there.walk(ANSWERS)
    there.page.evaluate(f"() => {{ {script}; }}")
    there.seal()
    expect(there.root.get_by_role("heading", name=title)).to_be_visible()
    expect(there.root).not_to_contain_text(PLANTED)
    expect(there.root).to_contain_text("Your answers are still here. If you close this page, they are lost.")
    expect(there.button("Try again")).to_be_visible()
    assert server.bodies == []


@pytest.mark.soak
def test_a_device_that_fills_while_answering_sends_after_making_room(publish: Any, device: Any) -> None:
    """Offline texts too: the cause is named without a network."""
    here, context = publish(blocks=BLOCKS), device()
    server = Server(context)
    there = arrived(here, context)
    there.started()
    there.walk(ANSWERS)
    there.page.evaluate(
        f"""() => {{
          window.put = IDBObjectStore.prototype.put;
          IDBObjectStore.prototype.put = {raises("QuotaExceededError")};
        }}"""
    )
    context.set_offline(True)
    there.seal()
    titled(there, ROOM)
    context.set_offline(False)
    there.page.evaluate("() => { IDBObjectStore.prototype.put = window.put; }")
    there.press("Try again")
    there.delivered()
    assert len(server.bodies) == len(here.bodies) == 1


def test_answers_have_arrived_even_if_the_device_cannot_erase_them(publish: Any, device: Any) -> None:
    here, context = publish(blocks=BLOCKS), device()
    server = Server(context, (503, {"Retry-After": "3000"}))
    there = arrived(here, context)
    there.started()
    there.walk(ANSWERS).seal()
    expect(there.button("Try now")).to_be_visible()
    there.page.evaluate(f"() => {{ IDBFactory.prototype.deleteDatabase = {raises('UnknownError')}; }}")
    there.press("Try now")
    there.delivered()
    # What is left is erased by the next visit, because its key is gone.
    there.page.reload()
    there.started()
    there.go_on()
    there.at("question:unreported")
    assert there.page.evaluate("indexedDB.databases()") == []
    assert len(set(server.bodies)) == 1
    assert len(here.bodies) == 1


@pytest.mark.soak
def test_a_closed_survey_says_that_it_is_closed_without_storage(publish: Any, device: Any) -> None:
    here = publish(blocks=BLOCKS)
    survey_close(survey_of(here.version), by="alice", now=timezone.now())
    there = arrived(here, device(), FAULTS["a list of databases that refuses"][0])
    expect(there.page.locator("h1")).to_contain_text("is closed")
    titled(there, BLOCKED)


def refusing(times: int, asked: list[str], how: str = "abort") -> Callable[[Route], None]:
    """Return a handler whose first requests fail."""

    def handle(route: Route) -> None:
        asked.append(route.request.url)
        if len(asked) > times:
            route.continue_()
        elif how == "abort":
            route.abort()
        elif how == "cut":
            response = route.fetch()
            route.fulfill(response=response, body=response.text()[: len(response.text()) // 2])
        else:
            route.fulfill(status=503, body="<html>busy</html>", content_type="text/html")

    return handle


# Files of a visit, the way in which each fails, and how many requests fail before one succeeds.
PARTS = [
    ("later.js", "abort", 2),
    ("later.js", "cut", 2),
    ("later.js", "busy", 2),
    ("end.js", "cut", 2),
    ("end-en.js", "abort", 2),
    ("before.js", "busy", 2),
    ("before-en.js", "cut", 2),
    ("first-en.js", "abort", 2),
    ("key-file.js", "abort", 1),
    ("client.js", "abort", 1),
    ("client.js", "cut", 1),
    ("sottovoce.css", "abort", 1),
    ("later.css", "abort", 2),
    ("later.css", "cut", 2),
    ("later.css", "busy", 2),
    ("surveys/workplace", "abort", 2),
    ("surveys/workplace", "busy", 2),
]


@pytest.mark.parametrize(("name", "how", "times"), PARTS)
@pytest.mark.few("surveys/workplace-busy-2", why="the survey itself")
def test_a_part_that_does_not_arrive_is_requested_again(
    publish: Any, device: Any, name: str, how: str, times: int
) -> None:
    here, context, asked = publish(blocks=BLOCKS), device(), list[str]()
    context.route(re.compile(rf"/{re.escape(name)}(\?.*)?$"), refusing(times, asked, how))
    there = arrived(here, context)
    there.started()
    there.walk(ANSWERS).seal().delivered()
    assert len(asked) > times
    assert len(here.bodies) == 1
    assert there.page.evaluate("getComputedStyle(document.querySelector('.button')).cursor") == "pointer"


NAMES = [
    "later.js",
    "before.js",
    "before-en.js",
    "end.js",
    "end-en.js",
    "later.css",
    "surveys/workplace",
    "client.js",
]


@pytest.mark.soak
@pytest.mark.parametrize("name", NAMES)
def test_after_the_last_request_a_button_goes_on_where_the_respondent_was(
    publish: Any, device: Any, name: str
) -> None:
    here, context, asked = publish(blocks=BLOCKS), device(), list[str]()
    pattern = re.compile(rf"/{re.escape(name)}(\?.*)?$")
    context.route(pattern, refusing(1000, asked))
    there = arrived(here, context)
    incomplete = there.page.get_by_role("heading", name="The survey did not load completely")
    is_early = name in ("surveys/workplace", "client.js")
    is_late = name.startswith("end") or name == "later.css"
    if not is_early:
        there.started()
        there.go_on()
    if is_late:
        there.at("question:unreported")
        there.go_on()
        # Some of these parts are needed for the first question, and some only after it.
        question = there.root.get_by_role("heading", name=BLOCKS[0]["questions"][0]["text"]["en"])
        expect(question.or_(incomplete)).to_be_visible()
        if there.screen.startswith("question:"):
            there.choose(ANSWERS)
            there.go_on()
    expect(incomplete).to_be_visible()
    expect(there.root).not_to_contain_text(re.compile("module|fetch|http|Error"))
    context.unroute(pattern)
    there.button("Try again").click()
    if is_early:
        there.started()
    else:
        expect(incomplete).to_have_count(0)
    if is_late and there.screen.startswith("question:"):
        # The answer is still there.
        expect(there.root.locator("input:checked")).to_have_count(1)
    there.walk(ANSWERS).seal().delivered()
    assert len(here.bodies) == 1


@pytest.mark.soak
def test_an_unknown_error_is_not_shown_in_the_browsers_words(publish: Any, device: Any) -> None:
    script = f"crypto.getRandomValues = () => {{ throw new Error('{PLANTED}'); }}"
    there = arrived(publish(blocks=BLOCKS), device(), script)
    expect(there.root.get_by_role("heading").first).to_be_visible()
    expect(there.root).not_to_contain_text(PLANTED)
    expect(there.root.locator("input")).to_have_count(0)
