"""Record everything a page does and leaves behind: requests, cookies, storage, history, messages."""

import re
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import BrowserContext, Page, Request

from tests.conftest import wait_until

# Wraps every way to send or store data before the page's own scripts run.
WRAP = """
(() => {
  const tell = (kind, detail) => window.tapped(kind, JSON.stringify(detail ?? null));
  const wrap = (owner, name, kind, detail) => {
    const real = owner?.[name];
    if (!real) { return; }
    owner[name] = function (...values) { tell(kind, detail(...values)); return real.apply(this, values); };
  };
  const open = IDBFactory.prototype.open;
  Object.defineProperty(window, "untapped", { value: (name) => open.call(indexedDB, name) });
  const all = (...values) => values.map((value) => (value instanceof Object ? value : String(value)));
  wrap(Storage.prototype, "setItem", "storage", all);
  wrap(IDBFactory.prototype, "open", "database", all);
  wrap(IDBObjectStore.prototype, "add", "record", all);
  wrap(IDBObjectStore.prototype, "put", "record", all);
  wrap(History.prototype, "pushState", "history", all);
  wrap(History.prototype, "replaceState", "history", all);
  wrap(window, "fetch", "fetch", (url, options) => [String(url), options?.body]);
  wrap(XMLHttpRequest.prototype, "send", "request", all);
  wrap(Navigator.prototype, "sendBeacon", "beacon", all);
  wrap(Worker.prototype, "postMessage", "file", all);
  wrap(BroadcastChannel.prototype, "postMessage", "message", all);
  wrap(CacheStorage.prototype, "open", "cache", all);
  wrap(Cache.prototype, "put", "cache", all);
  wrap(window, "open", "window", all);
  for (const kind of ["log", "info", "warn", "error", "debug"]) { wrap(console, kind, "console", all); }
  for (const name of ["Worker", "SharedWorker", "WebSocket", "EventSource", "RTCPeerConnection"]) {
    window[name] = new Proxy(window[name], {
      construct(target, values) { tell(name, all(...values)); return new target(...values); },
    });
  }
  const cookie = Object.getOwnPropertyDescriptor(Document.prototype, "cookie");
  Object.defineProperty(Document.prototype, "cookie", {
    ...cookie, set(value) { tell("cookie", value); cookie.set.call(this, value); },
  });
  const title = Object.getOwnPropertyDescriptor(Document.prototype, "title");
  Object.defineProperty(Document.prototype, "title", {
    ...title, set(value) { tell("title", value); title.set.call(this, value); },
  });
})();
"""

# Reads all storage at one moment.
LOOK = """
async () => {
  const databases = [];
  for (const { name } of await indexedDB.databases()) {
    const database = await new Promise((resolve, reject) => {
      const request = window.untapped(name);
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
    for (const store of database.objectStoreNames) {
      const records = await new Promise((resolve) => {
        const request = database.transaction(store).objectStore(store).getAll();
        request.onsuccess = () => resolve(request.result);
      });
      databases.push([name, store, records]);
    }
    database.close();
  }
  return {
    address: location.href,
    title: document.title,
    window_name: window.name,
    history: history.state,
    cookie: document.cookie,
    local: { ...localStorage },
    session: { ...sessionStorage },
    databases,
    caches: await caches.keys(),
    files: await Array.fromAsync((await navigator.storage.getDirectory()).keys()),
    workers: (await navigator.serviceWorker.getRegistrations()).length,
    names: [...document.querySelectorAll("input")].map((input) => input.name),
  };
}
"""


# After delivery the page makes the browser clear the site's storage. Meanwhile, reading storage may fail or
# hang. The result is then a string, and the caller tries again.
LOOK_FOR_A_WHILE = f"""
() => Promise.race([
  ({LOOK})().catch(String),
  new Promise((resolve) => setTimeout(resolve, 3000, "no answer in three seconds")),
])
"""


@dataclass(frozen=True, kw_only=True)
class Sent:
    """One request, as sent by the browser."""

    method: str
    url: str
    body: str | None
    headers: dict[str, str]


@dataclass(kw_only=True)
class Step:
    """One screen: everything sent and written since the previous screen, and everything stored then."""

    screen: str
    requests: list[Sent]
    writes: list[tuple[str, str]]
    cookies: list[Any]
    around: dict[str, Any]


@dataclass
class Tap:
    """Records a context, starting before its first page."""

    context: BrowserContext
    steps: list[Step] = field(default_factory=list)
    requests: list[Sent] = field(default_factory=list)
    writes: list[tuple[str, str]] = field(default_factory=list)
    names: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.context.on("request", self._request)
        self.context.expose_binding("tapped", lambda _, kind, detail: self.writes.append((kind, detail)))
        self.context.add_init_script(WRAP)

    def _request(self, request: Request) -> None:
        headers = request.headers
        self.requests.append(
            Sent(method=request.method, url=request.url, body=request.post_data, headers=headers)
        )

    def _await_trial(self, page: Page) -> None:
        """Wait until the page has tried out the storage, which may end after its first screen."""
        is_written = re.compile(r'record \[\{"box":\{[^{}]*\},"nonce":\{[^{}]*\}\},"waiting"\]')
        wait_until(
            lambda: (
                page.wait_for_timeout(10)
                or any(is_written.fullmatch(f"{kind} {detail}") for kind, detail in self.writes)
            ),
            what="the trial of the storage",
        )
        # The page holds this lock until it has erased the entry.
        page.evaluate("navigator.locks.request('sotto:trial', () => null)")

    def look(self, page: Page, screen: str) -> None:
        """End a step: everything since the last step belongs to this screen."""
        if screen == "intro":
            self._await_trial(page)
            # What question 1 does not need may arrive during any screen. The digest is in its last part.
            page.locator("details .digest").first.wait_for(state="attached")
        for _ in range(5):
            around = page.evaluate(LOOK_FOR_A_WHILE)
            if isinstance(around, dict):
                break
        else:
            raise AssertionError(f"{screen}: {around}")
        self.names.update(name for name in around["names"] if name)
        self.steps.append(
            Step(
                screen=screen,
                requests=self.requests[sum(len(step.requests) for step in self.steps) :],
                writes=self.writes[sum(len(step.writes) for step in self.steps) :],
                cookies=self.context.cookies(),
                around=around,
            )
        )

    def everything(self) -> str:
        """Return everything sent, written or stored, as one text to search."""
        return "\n".join(
            [f"{sent.method} {sent.url} {sent.headers} {sent.body}" for sent in self.requests]
            + [f"{kind} {detail}" for kind, detail in self.writes]
            + [f"{step.cookies} { {**step.around, 'names': None} }" for step in self.steps]
        )


# Before the first screen, the page requests the survey's state and sets its title to the survey's name.
OPENING = re.compile(r'fetch \["/client/surveys/[\w-]+\?language=[\w-]+",null\]|title "[^"]*"', re.ASCII)
# The worker that will keep a waiting body's key starts with the page.
KEY_WORKER = re.compile(r'\["[^"]*/program/[0-9a-f]{64}/key-file\.js",\{"type":"module"\}\]')
# Before the first question, the page writes, reads and erases an entry with random bytes. Its name is the
# same on every device.
TRIAL = re.compile(
    r'database \["sotto:","1"\]|record \[\{"box":\{[^{}]*\},"nonce":\{[^{}]*\}\},"waiting"\]'
    r'|file \[\{"name":"sottovoce-\.key"(,"key":\{[^{}]*\})?\}\]'
)
# The page loads later scripts while the respondent reads the first screen.
LATER = re.compile(
    r".*/program/[0-9a-f]{64}/"
    r"(((later|before|number|scale|end)(-[a-z-]+)?|(choice|assigned)-[a-z-]+|groups|whole|composed|composites-[a-z-]+"
    r"|composite-answers)\.js|later\.css)"
)
PLACE = re.compile(r'\[\{"place":\d+\},""\]')
QUIET = {
    "cookie": "",
    "local": {},
    "session": {},
    "databases": [],
    "caches": [],
    "files": [],
    "workers": 0,
    "window_name": "",
}


def traces(steps: list[Step]) -> list[str]:
    """Return everything that a page did or left before the seal, which should be nothing.

    The first step may load the page with its worker, and try out the storage. Every step may add session
    history entries that contain only a place number and this page's address.
    """
    found = []
    first = steps[0].around
    for number, step in enumerate(steps):
        for sent in step.requests:
            is_loading = number == 0 or LATER.fullmatch(sent.url)
            if not is_loading or sent.method != "GET" or sent.body is not None:
                found.append(f"{step.screen}: {sent.method} {sent.url} {sent.body}")
        for kind, detail in step.writes:
            if number == 0 and kind == "Worker" and KEY_WORKER.fullmatch(detail):
                continue
            if number == 0 and (OPENING.fullmatch(f"{kind} {detail}") or TRIAL.fullmatch(f"{kind} {detail}")):
                continue
            if kind != "history" or not PLACE.fullmatch(detail):
                found.append(f"{step.screen}: {kind} {detail}")
        if step.cookies:
            found.append(f"{step.screen}: cookies {step.cookies}")
        for name, nothing in QUIET.items():
            if step.around[name] != nothing:
                found.append(f"{step.screen}: {name} {step.around[name]}")
        for name in ("address", "title"):
            if step.around[name] != first[name]:
                found.append(f"{step.screen}: {name} {step.around[name]}")
        if set(step.around["history"] or {}) - {"place"}:
            found.append(f"{step.screen}: history {step.around['history']}")
    return found
