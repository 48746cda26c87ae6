"""A frame inside a host's page, on two origins, and everything the host can see of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import BrowserContext, FrameLocator, Page, Route

from surveys.embed.frame import frame_files
from surveys.embed.frame_hosts import Around, frame_headers
from surveys.embed.frame_promise import frame_digest, frame_promises
from surveys.questionnaire.definition import Definition, definition_parse
from tests.e2e.visit import HAND

HOST = "https://survey.uni.example"
SIBLING = "https://sottovoce.uni.example"
FOREIGN = "https://frames.example"

START_AND_CHOOSE = f"""(start, answers) => {{ {HAND}
  press(start);
  const fields = document.querySelectorAll("fieldset");
  answers.forEach((text, place) => choose(fields[place], [text]));
}}"""

# Records everything a host can: messages, loads, lost focus, its history, its frames.
PAGE = """<!doctype html><html lang="en"><head><title>Host</title></head><body>
<main><h1>Host</h1><iframe title="Protected question" src="%s" width="600" height="900"></iframe></main>
<script>
window.seen = []; window.around = {blur: 0};
addEventListener("message", ({origin, data}) => seen.push({origin, data}));
addEventListener("blur", () => { around.blur += 1; });
window.tell = (message) => document.querySelector("iframe").contentWindow.postMessage(message, "%s");
</script></body></html>"""

SEEN = """() => ({
  messages: seen.map(({origin, data}) =>
    ({origin, names: Object.keys(data), size: JSON.stringify(data).length})),
  loaded: performance.getEntriesByType("resource").map(({name}) => name),
  blur: around.blur, history: history.length, frames: window.length,
})"""


@dataclass(kw_only=True)
class Framed:
    """A host's page with a frame in it."""

    context: BrowserContext
    document: dict[str, Any]
    origin: str = SIBLING
    hosts: tuple[str, ...] = (HOST,)
    host: str = HOST
    site: str = "uni.example"
    shared_device: bool = False
    by_invitation: bool = False
    planted: str = ""
    requests: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.definition: Definition = definition_parse(self.document)
        around = Around(hosts=self.hosts, site=self.site, shared_device=self.shared_device)
        self.digest = frame_digest(self.definition)
        self.files = frame_files(
            self.definition.design,
            self.definition.wording,
            around,
            digest=self.digest,
            promises=frame_promises(self.definition),
            by_invitation=self.by_invitation,
        )
        self.headers = frame_headers(around)
        self.below = f"{self.origin}/{self.digest}/"
        self.context.route(f"{self.origin}/**", self.serve)
        self.context.route(
            f"{self.host}/**",
            lambda route: route.fulfill(
                body=PAGE % (f"{self.below}index.html", self.origin), content_type="text/html"
            ),
        )

    def serve(self, route: Route) -> None:
        name = route.request.url.removeprefix(self.below)
        self.requests.append(f"{route.request.method} {name}")
        # Servers of files ignore what follows a question mark.
        name = name.partition("?")[0]
        if name not in self.files:
            route.fulfill(status=404)
            return
        kind = (
            "text/html"
            if name.endswith("html")
            else "text/css"
            if name.endswith("css")
            else "text/javascript"
        )
        body = self.files[name].decode() + (self.planted if name.endswith("embed.js") else "")
        route.fulfill(
            body=body,
            content_type=f"{kind}; charset=utf-8",
            headers={**self.headers, "Content-Type": f"{kind}; charset=utf-8"},
        )

    def open(self) -> Page:
        self.page = self.context.new_page()
        self.page.goto(f"{self.host}/")
        return self.page

    @property
    def frame(self) -> FrameLocator:
        return self.page.frame_locator("iframe")

    def press(self, name: str) -> None:
        self.frame.get_by_role("button", name=name, exact=True).click()

    def answer(self, *answers: str) -> Framed:
        """Start, and choose an answer to each question by its text."""
        self.frame.get_by_role("button", name="Start").evaluate(START_AND_CHOOSE, answers)
        return self

    @property
    def messages(self) -> list[dict[str, Any]]:
        data: list[dict[str, Any]] = self.page.evaluate("() => seen.map(({data}) => data)")
        return data

    def value(self) -> str:
        """Return the last string that the host received."""
        self.page.wait_for_function("() => seen.some(({data}) => data.value)")
        return str(self.messages[-1]["value"])

    def seen(self) -> dict[str, Any]:
        """Return everything the host can record, without times."""
        record: dict[str, Any] = self.page.evaluate(SEEN)
        return record
