"""Traces that a killed browser leaves on disk, and its restored session."""

import contextlib
import json
import re
import secrets
import shutil
import sqlite3
import time
from pathlib import Path

import pytest
from playwright.sync_api import expect

from surveys.respondent.client_program import client
from tests.conftest import wait_until
from tests.e2e.conftest import INJECT, Server
from tests.e2e.survey import ANSWERS, DECOY, TRUTH, body_of, workplace
from tests.e2e.test_composites import ANSWERED, Answering
from tests.e2e.test_composites import plant as plant_before
from tests.e2e.test_tap import plant
from tests.e2e.visit import Visit
from tests.fixtures.composite_drafts import composite_document
from tests.fixtures.invitations import codes_of, invited

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.soak]

# The browser writes its session file and pages' storage with a delay of some seconds. Once the page's address
# is on disk, this wait in milliseconds suffices for the rest.
SETTLED = 6_000
SESSIONS = "Default/Sessions/*"
# Where the browser keeps pages' storage, under their address.
STORED = ("Default/Session Storage/*", "Default/Local Storage/**/*")
ASSIGNED = {"policy": "assigned", "direct_share": 2500}


def recognisable_texts(definition):
    """Return texts, one of which any record of a protected answer contains, unless it has only positions.

    Texts of the client itself are left out, because caches may contain it uncompressed.
    """
    blocks = [block for block in definition["blocks"] if block["protected"]]
    questions = [question for block in blocks for question in block["questions"]]
    options = [option for question in questions for option in question.get("options") or []]
    texts = [item["text"]["en"] for item in questions + options]
    own = b"".join(file.content for file in client().files).decode()
    return [text for text in [*texts, *(question["key"] for question in questions)] if text not in own]


def visited(profile, here, *, leak=None, until="review"):
    """Answer up to a screen; return the visit, and the names of all controls."""
    context = profile.start()
    context.add_init_script(f"({INJECT})({list(DECOY)})")
    if leak:
        plant(context, leak)
    names = set()
    visit = Visit(context.new_page(), here.address, here.definition)
    visit.step = lambda _: names.update(
        visit.page.eval_on_selector_all("input", "inputs => inputs.map(({name}) => name)")
    )
    visit.open().walk(ANSWERS, until=until)
    return visit, names


def stored_by(profile, here):
    """Return the files and folders in which the site stored something, or that contain the survey's name."""
    site = here.address.split("/en/")[0].removeprefix("http://")
    found = [profile.files_with([site], among=place) for place in STORED]
    found.append(profile.files_with([f"sotto:{here.definition['slug']}"]))
    # The site's database folders are named after it.
    folders = [path.name for path in profile.directory.glob("Default/IndexedDB/*.indexeddb.leveldb")]
    return {
        *folders,
        *(Path(name).parent.name for each in found for names in each.values() for name in names),
    }


def tried_out(here):
    """Return what every visit leaves behind, answered or not: the site's folder for databases.

    Storage was tried out in it. Chromium keeps it after its last database is deleted. It does not name the
    survey.
    """
    site = here.address.split("/en/")[0].removeprefix("http://")
    return {f"http_{site.replace(':', '_')}.indexeddb.leveldb"}


def settled(visit, profile):
    """Wait until the browser has finished its late writes."""
    profile.wait_for([visit.address], among=SESSIONS)
    visit.page.wait_for_timeout(SETTLED)


def key_on_disk(profile):
    """Return the key of the waiting box, from the only file that the site's pages store."""

    def kept():
        files = profile.directory.glob("Default/File System/[0-9]*/t/[0-9]*/*")
        return [content for path in files if len(content := path.read_bytes()) == 32]

    (key,) = wait_until(kept, what="the file of the key")
    return key


def restored(profile, here):
    """Restart the browser and return the page that it restored."""
    context = profile.start()
    page = wait_until(
        lambda: next((page for page in context.pages if page.url == here.address), None),
        what="the restored page",
    )
    return Visit(page, here.address, here.definition)


def test_a_browser_killed_before_sealing_keeps_no_answer_or_group(publish, profile):
    """If the drawn group were on disk, a second draw could be too."""
    here = publish(group=ASSIGNED)
    visit, names = visited(profile, here)
    settled(visit, profile)
    profile.kill()
    # Four questions, two lists of three lines, and the trial of the disguise.
    assert len(names) == 11
    # The search works, because it finds the page's address.
    assert profile.files_with([here.address])
    assert profile.files_with([*names, *recognisable_texts(here.definition)]) == {}
    assert stored_by(profile, here) == tried_out(here)
    again = restored(profile, here)
    again.started()
    again.walk({}, until="question:unreported")
    expect(again.root.locator("input:checked")).to_have_count(0)
    assert here.bodies == []


def test_a_browser_killed_on_a_question_keeps_no_form_controls(publish, profile):
    """The open screen has checked controls, which browsers restore after a crash."""
    here = publish()
    visit, names = visited(profile, here, until="question:unreported")
    visit.choose(ANSWERS)
    settled(visit, profile)
    profile.kill()
    assert profile.files_with([*names, *recognisable_texts(here.definition)]) == {}


# Milliseconds until the browser writes its history, which it does last.
LISTED = 12_000
# The history has microseconds since 1601.
SECONDS_TO_1970 = 11_644_473_600


def test_browser_history_times_end_before_the_first_question(publish, profile, tmp_path):
    """Otherwise a skipped part would be visible, as entries for all its screens within 10 ms."""
    here = publish()
    context = profile.start()
    first_question = []
    visit = Visit(context.new_page(), here.address, here.definition)
    visit.step = lambda screen: screen.startswith("question:") and first_question.append(time.time())
    visit.open().walk({**ANSWERS, "silence": "skipped"})
    visit.back()
    profile.wait_for([here.address], among="Default/History*")
    visit.page.wait_for_timeout(LISTED)
    profile.kill()
    copy = tmp_path / "History"
    for end in ("", "-journal", "-wal"):
        with contextlib.suppress(FileNotFoundError):
            shutil.copy(profile.directory / "Default" / f"History{end}", f"{copy}{end}")
    with contextlib.closing(sqlite3.connect(copy)) as listed:
        times = listed.execute(
            "SELECT visit_time FROM visits JOIN urls ON urls.id = visits.url WHERE urls.url = ?",
            [here.address],
        ).fetchall()
    assert times
    assert max(when for (when,) in times) / 1e6 - SECONDS_TO_1970 < first_question[0]


LEAKS = {
    "local storage": "localStorage.setItem('leak into local storage', value);",
    "session storage": "sessionStorage.setItem('leak into session storage', value);",
    "history": "history.replaceState({ place: 1, draft: 'leak into history' }, '');",
    "database": "indexedDB.open('leak into database').onsuccess = () => {};",
    "title": "document.title = 'leak into title';",
    "restored controls": """
      const twin = document.querySelector('input').cloneNode();
      twin.autocomplete = 'on';
      twin.name = 'leak into restored controls';
      twin.checked = !twin.checked;
      document.body.append(twin);""",
}


def test_the_disk_search_finds_planted_leaks_in_every_place(publish, profile):
    here = publish()
    visit, _ = visited(profile, here, leak="".join(LEAKS.values()), until="question:leads")
    visit.choose(ANSWERS)
    wanted = {f"leak into {place}" for place in LEAKS}
    profile.wait_for(wanted)
    profile.kill()
    assert wanted - profile.files_with(wanted).keys() == set()
    database, *storage = sorted(stored_by(profile, here), key=lambda name: name.startswith(("S", "l")))
    assert "indexeddb" in database
    assert set(storage) == {"Session Storage", "leveldb"}


def test_a_browser_killed_while_waiting_keeps_only_the_disguised_body(publish, profile):
    here = publish()
    visit, names = visited(profile, here)
    server = Server(visit.page.context, (503, {"Retry-After": "3000"}))
    visit.seal()
    expect(visit.button("Try now")).to_be_visible()
    design = here.version.to_design()
    decoy, truth = (body_of(design, ANSWERS, words) for words in (DECOY, TRUTH))
    key = key_on_disk(profile)
    settled(visit, profile)
    profile.kill()
    assert stored_by(profile, here)
    assert profile.files_with([key]) != {}
    bodies = [f'"body":"{body.hex()}"' for body in (decoy, truth)]
    assert profile.files_with([*names, *recognisable_texts(here.definition), *bodies]) == {}
    again = restored(profile, here)
    expect(again.root.get_by_role("heading", name="The waiting answers have arrived")).to_be_visible()
    assert len(server.bodies) == 1
    assert here.bodies == [decoy]


def delivered_late(profile, visit, server):
    """Deliver the body once it is on disk; return its possible traces, and the request."""
    expect(visit.button("Try now")).to_be_visible()
    key = key_on_disk(profile)
    settled(visit, profile)
    visit.press("Try now")
    visit.delivered()
    request = json.loads(server.bodies[0])
    return [key, *(f"{request[name]}" for name in ("body", "nonce"))], request


def test_a_browser_closed_after_delivery_keeps_no_body_key_or_group(publish, profile):
    """The group is the first bit of the body. A database keeps a deleted body in its files for a long time.

    As docs/privacy.md says, a search of the disk only shows that something was sent.
    """
    here = publish(group=ASSIGNED)
    visit, names = visited(profile, here)
    server = Server(visit.page.context, (503, {"Retry-After": "3000"}))
    visit.seal()
    telling, request = delivered_late(profile, visit, server)
    profile.close()
    assert len(here.bodies) == 1
    assert profile.files_with([here.address])
    assert profile.files_with([*telling, request["key"], *names, *recognisable_texts(here.definition)]) == {}
    assert list(profile.directory.glob("Default/File System/[0-9]*/t/[0-9]*/*")) == []
    (named,) = profile.files_with([f"sotto:{here.definition['slug']}"]).values()
    assert all(name.startswith("Default/IndexedDB/") for name in named)


# A planted leak: the page stores the plain body in its database until delivery.
IN_PLAIN = """
async (text) => {
  const request = indexedDB.open("in plain", 1);
  request.onupgradeneeded = () => request.result.createObjectStore("body");
  const database = await new Promise((resolve) => (request.onsuccess = () => resolve(request.result)));
  const kept = database.transaction("body", "readwrite", { durability: "strict" });
  kept.objectStore("body").put({ text }, "waiting");
  await new Promise((resolve) => (kept.oncomplete = resolve));
  database.close();
  await new Promise((resolve) => (indexedDB.deleteDatabase("in plain").onsuccess = resolve));
}
"""


def test_the_disk_search_finds_a_body_deleted_from_a_database(publish, profile):
    here = publish()
    visit, _ = visited(profile, here, until="question:leads")
    # Random, because database files are compressed.
    body = secrets.token_hex(40)
    visit.page.evaluate(IN_PLAIN, f'{{"body":"{body}"}}')
    assert visit.page.evaluate("indexedDB.databases()") == []
    profile.close()
    assert profile.files_with([body]) != {}


@pytest.mark.parametrize("typed", [True, False], ids=["typed", "in the address"])
def test_typed_codes_leave_no_trace_linked_ones_only_history_and_tab(live_server, profile, typed):
    definition = workplace(slug="work")
    (code,) = codes_of(invited(definition))
    context = profile.start()
    address = f"{live_server.url}/en/s/{definition['slug']}/"
    visit = Visit(context.new_page(), address, definition)
    server = Server(context, (503, {"Retry-After": "3000"}))
    if typed:
        visit.page.goto(address)
        visit.root.get_by_label("Invitation code").fill(code)
        visit.press("Continue")
    else:
        visit.page.goto(f"{address}#{code}")
    visit.walk(ANSWERS)
    # Like a slow respondent: the browser writes the tab's storage before the seal.
    settled(visit, profile)
    visit.seal()
    telling, request = delivered_late(profile, visit, server)
    profile.close()
    assert request["code"] == code
    assert profile.files_with([address])
    assert profile.files_with(telling) == {}
    where = [path for paths in profile.files_with([code]).values() for path in paths]
    assert typed or where
    assert [path for path in where if typed or not HISTORY.match(path)] == []


# The browser's records of visited addresses, and its tabs' storage.
HISTORY = re.compile(
    r"Default/(History|Session Storage/|Sessions/|Favicons|Top Sites|Shortcuts|Network Action Predictor)"
    r"|segmentation_platform/ukm_db"
)


def component_texts(definition):
    """Return texts and keys of components and their options, one of which any record of them contains."""
    rules = [each["computed"] for block in definition["blocks"] for each in block["questions"]]
    components = [component for rule in rules for component in rule["components"]]
    parts = [*components, *(option for each in components for option in each.get("options", ()))]
    return [part["text"]["en"] for part in parts] + list(GIVEN)[1:]


def renamed():
    """Return the survey on bribes, with keys of follow-ups that occur nowhere else."""
    text = json.dumps(composite_document("bribe"))
    for key in ("asked", "paid"):
        text = text.replace(f'"key": "{key}"', f'"key": "component-{key}"')
    return json.loads(text)


GIVEN = {"contact": 1, "component-asked": 0, "component-paid": 1}


@pytest.mark.parametrize("until", ["question:component-paid", "review", "sent"])
def test_a_killed_browser_keeps_no_component(publish_definition, profile, until):
    here = publish_definition(renamed())
    there = Answering(profile.start().new_page(), here).open()
    there.answer(GIVEN, until="review" if until == "sent" else until)
    if until == "review":
        there.press("Show my answers")
    if until == "sent":
        there.seal().delivered()
    settled(there, profile)
    profile.kill()
    assert profile.files_with([here.address])
    assert profile.files_with(component_texts(here.definition)) == {}


# A planted leak: each answer is stored in a database until delivery, when the page clears the site's storage.
KEPT = """{const key=questions[question].key;const request=indexedDB.open("draft",1);
request.onupgradeneeded=()=>request.result.createObjectStore("answers");
request.onsuccess=()=>{const kept=request.result.transaction("answers","readwrite",{durability:"strict"});
kept.objectStore("answers").put(value,key);kept.oncomplete=()=>request.result.close();};}"""


def test_the_disk_search_finds_a_component_kept_until_delivery(publish_definition, profile):
    here = publish_definition(renamed())
    context = profile.start()
    plant_before(context, (ANSWERED, KEPT.replace("\n", "")))
    there = Answering(context.new_page(), here).open().answer(GIVEN)
    settled(there, profile)
    profile.kill()
    assert profile.files_with(list(GIVEN)[1:]) != {}
