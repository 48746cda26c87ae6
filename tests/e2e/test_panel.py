"""A panel's number for a person is only in the return link, in no request, storage or page state."""

import json

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Server
from tests.e2e.survey import ANSWERS as ALL_ANSWERS
from tests.e2e.survey import workplace
from tests.e2e.visit import Visit

pytestmark = pytest.mark.django_db(transaction=True)

BLOCKS = [block for block in workplace()["blocks"] if block["key"] == "silence"]
ANSWERS = {"silence": ALL_ANSWERS["silence"]}
NUMBER = "p4711Qzz"
BACK = "https://panel.example/done?who={id}"

# Reads everything that a page of this origin can have stored.
KEPT = """async () => {
  const read = (request) => new Promise((done) => { request.onsuccess = () => done(request.result); });
  const bytes = (value) => JSON.stringify(value, (_, each) =>
    each instanceof ArrayBuffer ? Array.from(new Uint8Array(each)) : each);
  const kept = { local: { ...localStorage }, session: { ...sessionStorage }, name: window.name,
    state: history.state, cookie: document.cookie, caches: await caches.keys(), files: [], databases: [] };
  const folder = await navigator.storage.getDirectory();
  for await (const [name, file] of folder.entries()) {
    kept.files.push(name, file.kind === "file" ? await (await file.getFile()).text() : "");
  }
  for (const { name } of await indexedDB.databases()) {
    const database = await read(indexedDB.open(name));
    for (const store of database.objectStoreNames) {
      kept.databases.push(name, await read(database.transaction(store).objectStore(store).getAll()));
    }
    database.close();
  }
  return bytes(kept);
}"""


class Watched:
    """A device that a panel has sent, and everything that it sent or stored."""

    def __init__(self, here, context, *, hash=f"#id={NUMBER}", leak=""):
        self.sent = []
        context.on("request", self.note)
        if leak:
            context.route("**/program/*/panel.js", lambda route: self.spoil(route, leak))
        self.visit = Visit(context.new_page(), f"{here.address}{hash}", here.definition)

    def note(self, request):
        self.sent.append(json.dumps([request.url.split("#")[0], request.headers, request.post_data]))

    def spoil(self, route, leak):
        route.fulfill(body=f"{route.fetch().text()}\n{leak}", content_type="text/javascript")

    def left(self):
        """Return the requests and stored entries that contain the number."""
        kept = self.visit.page.evaluate(KEPT)
        return [each for each in (*self.sent, kept) if NUMBER in each]


def test_the_panel_number_appears_only_in_the_return_link(publish, device):
    here, context = publish(blocks=BLOCKS, panel=BACK), device()
    server = Server(context, (503, {"Retry-After": "3000"}))
    device_of = Watched(here, context)
    there = device_of.visit.open()
    there.page.get_by_text("About this survey", exact=True).click()
    expect(there.root).to_contain_text("We never receive the number they know you by.")
    there.walk(ANSWERS).seal()
    expect(there.button("Try now")).to_be_visible()
    # Nothing has arrived yet, so there is no return link, and the waiting body does not identify its sender.
    expect(there.root.get_by_role("link")).to_have_count(0)
    assert device_of.left() == []
    there.press("Try now")
    there.delivered()
    back = there.root.get_by_role("link", name="Back to panel.example")
    expect(back).to_have_attribute("href", f"https://panel.example/done?who={NUMBER}")
    assert device_of.left() == []
    assert len(server.bodies) == 2
    headers = []
    context.route(
        "https://panel.example/**",
        lambda route: (headers.append(route.request.headers), route.fulfill(body="Thank you")),
    )
    back.press("Enter")
    there.page.wait_for_url("https://panel.example/**")
    assert "referer" not in headers[0]


# Place -> script that stores or sends the number there.
LEAKS = {
    "local": "localStorage.setItem('sottovoce', location.hash);",
    "state": "history.replaceState({ of: location.hash }, '');",
    "files": "const folder = await navigator.storage.getDirectory();"
    "await folder.getFileHandle(location.hash.slice(1), { create: true });",
}


@pytest.mark.soak
def test_a_page_that_stores_or_sends_the_panel_number_is_detected(publish, device):
    leak = "".join(LEAKS.values())
    device_of = Watched(
        publish(blocks=BLOCKS, panel=BACK), device(), leak=f"fetch(`/?${{location.hash.slice(1)}}`);{leak}"
    )
    device_of.visit.open()
    device_of.visit.page.wait_for_timeout(300)
    *sent, kept = device_of.left()
    assert sent
    assert [place for place in LEAKS if NUMBER not in json.dumps(json.loads(kept)[place])] == []


@pytest.mark.soak
def test_waiting_answers_lead_back_to_the_panel_once_delivered(publish, device):
    here, context = publish(blocks=BLOCKS, panel=BACK), device()
    Server(context, (503, {"Retry-After": "3000"}))
    there = Watched(here, context).visit.open().walk(ANSWERS).seal()
    expect(there.button("Try now")).to_be_visible()
    there.page.reload()
    expect(there.root.get_by_role("heading", name="The waiting answers have arrived")).to_be_visible()
    expect(there.root.get_by_role("link", name="Back to panel.example")).to_have_attribute(
        "href", f"https://panel.example/done?who={NUMBER}"
    )


@pytest.mark.soak
def test_changing_the_language_keeps_the_panel_number(publish, device):
    there = Watched(publish(blocks=BLOCKS, panel=BACK), device()).visit.open().walk(ANSWERS)
    there.page.locator("#languages a").click()
    there.page.get_by_role("button", name="随机处理后发送").press("Enter")
    back = there.root.get_by_role("link", name="返回 panel.example")
    expect(back).to_have_attribute("href", f"https://panel.example/done?who={NUMBER}")


@pytest.mark.soak
@pytest.mark.parametrize(
    ("panel", "hash", "said"),
    [
        (BACK, "", "Please tell panel.example that you took part."),
        ("DONE-77", "", "DONE-77"),
        ("https://panel.example/done", "", "The link tells panel.example that you took part"),
    ],
    ids=["no number", "a code", "one address for all"],
)
def test_a_missing_panel_number_shows_what_to_do(publish, device, panel, hash, said):
    there = Watched(publish(blocks=BLOCKS, panel=panel), device(), hash=hash).visit.open()
    there.walk(ANSWERS).seal().delivered()
    expect(there.root).to_contain_text(said)
    expect(there.root.get_by_role("link")).to_have_count(1 if panel.endswith("/done") else 0)
