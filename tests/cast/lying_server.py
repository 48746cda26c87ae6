"""A server that stands before the real one, or before a host of files, and changes one thing.

`PLANTED` has the kinds: what the device refuses, what a watcher finds, and what neither can.
"""

from __future__ import annotations

import hashlib
import http.client
import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from typing import Any, Final, Literal
from urllib.parse import urlsplit

from surveys.respondent.client_documents import canonical

__all__ = ["PLANTED", "Answer", "Asked", "Plant", "lying_server"]

_OWN: Final = {"connection", "content-length", "transfer-encoding", "date", "server", "content-encoding"}


@dataclass(frozen=True, kw_only=True)
class Asked:
    """A request as the lying server sees it; what stands behind the "#" of an address is in none.

    Parameters
    ----------
    path : str
    headers : mapping
        By names in small letters.
    address : str
        Of the network that it comes from.
    visit : int
        How many pages were asked for so far, this one counted.
    """

    path: str
    headers: Mapping[str, str]
    address: str
    visit: int

    @property
    def is_page(self) -> bool:
        """Whether the page itself is wanted, whatever its address."""
        path = urlsplit(self.path).path
        return path in ("/", "/index.html") or re.fullmatch(r"/[a-z-]+/s/[\w-]+/([\w-]+/)?", path) is not None

    @property
    def is_state(self) -> bool:
        """Whether somebody wants to know how a survey stands."""
        return self.path.startswith("/client/surveys/")


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What was going to be sent."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes

    def with_header(self, name: str, value: str | None) -> Answer:
        """Return it with one header put in, or taken away."""
        kept = tuple(pair for pair in self.headers if pair[0].lower() != name.lower())
        return replace(self, headers=kept if value is None else (*kept, (name, value)))


Change = Callable[[Asked, Answer], Answer]


@dataclass(frozen=True, kw_only=True)
class Plant:
    """One lie.

    Parameters
    ----------
    change : callable
    found_by : str
        "device": by every device; "letter": by those whose link names the survey; "watcher": by whoever
        compares from elsewhere; "nobody".
    """

    change: Change
    found_by: Literal["device", "letter", "watcher", "nobody"]


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _of_state(edit: Callable[[dict[str, Any]], None]) -> Change:
    def change(asked: Asked, answer: Answer) -> Answer:
        if not asked.is_state or answer.status != 200:
            return answer
        state = json.loads(answer.body)
        if state["state"] == "open":
            edit(state)
        return replace(answer, body=canonical(state))

    return change


def _definition(state: dict[str, Any], edit: Callable[[dict[str, Any]], None], *, rooted: bool) -> None:
    definition = json.loads(state["definition"])
    edit(definition)
    state["definition"] = canonical(definition).decode()
    if rooted:
        state["root"] = _sha256(canonical(definition))
        state["versions"] = [state["root"]]


def _truth_told_more_often(definition: dict[str, Any]) -> None:
    next(block for block in definition["design"]["blocks"] if block["protected"])["truth_probability"] = 9_999


def _odds_told_smaller(definition: dict[str, Any]) -> None:
    definition["key"]["whole"] |= {"of_100": 51, "one_of_100": 51}


def _another_question(text: str | bytes) -> bytes:
    words = json.loads(text)
    words["blocks"][-1]["questions"][0]["text"] = "What is your name?"
    return canonical(words)


def _words(asked: Asked, answer: Answer) -> Answer:
    """Change the words wherever they are: of those that come along a device asks for the true ones."""
    if asked.path.startswith("/client/words/") and answer.status == 200:
        return replace(answer, body=_another_question(answer.body))
    return _of_state(lambda state: state.update(words=_another_question(state["words"]).decode()))(
        asked, answer
    )


def _another_question_rooted(state: dict[str, Any]) -> None:
    state["words"] = _another_question(state["words"]).decode()
    tag, digest = json.loads(state["words"])["language"], _sha256(state["words"].encode())
    _definition(state, lambda definition: definition["words"].update({tag: digest}), rooted=True)


def _page(answer: Answer) -> Answer:
    """Return the page with one more script."""
    return replace(answer, body=answer.body.replace(b"</head>", b'<script src="/told.js"></script></head>'))


def _where(condition: Callable[[Asked], bool]) -> Change:
    return lambda asked, answer: _page(answer) if asked.is_page and condition(asked) else answer


def _file(name: str, more: bytes) -> Change:
    def change(asked: Asked, answer: Answer) -> Answer:
        is_meant = asked.path.endswith(f"/{name}") and answer.status == 200
        return replace(answer, body=answer.body + more) if is_meant else answer

    return change


_SCRIPT = _file("client.js", b"\n0;\n")


def _script_and_manifest(asked: Asked, answer: Answer) -> Answer:
    if asked.path != "/manifest.json":
        return _SCRIPT(asked, answer)
    manifest = json.loads(answer.body)
    for path in manifest["files"]:
        if path.endswith("/client.js"):
            manifest["files"][path] = "0" * 64
    return replace(answer, body=canonical(manifest))


def _no_policy(asked: Asked, answer: Answer) -> Answer:
    return answer.with_header("Content-Security-Policy", None) if asked.is_page else answer


def _led_away(asked: Asked, answer: Answer) -> Answer:
    return answer.with_header("Refresh", "3600; url=https://elsewhere.example/") if asked.is_page else answer


PLANTED: Final[dict[str, Plant]] = {
    # What is asked, and how it is disguised.
    "a definition": Plant(
        change=_of_state(lambda state: _definition(state, _truth_told_more_often, rooted=False)),
        found_by="device",
    ),
    "words of a language": Plant(change=_words, found_by="device"),
    "a definition with a root of its own": Plant(
        change=_of_state(lambda state: _definition(state, _truth_told_more_often, rooted=True)),
        found_by="letter",
    ),
    "words with a root of their own": Plant(change=_of_state(_another_question_rooted), found_by="letter"),
    "odds with a root of their own": Plant(
        change=_of_state(lambda state: _definition(state, _odds_told_smaller, rooted=True)), found_by="letter"
    ),
    # What asks it.
    "a script": Plant(change=_SCRIPT, found_by="watcher"),
    "a script and the manifest": Plant(change=_script_and_manifest, found_by="watcher"),
    "a stylesheet": Plant(change=_file("sottovoce.css", b"h1{display:none}"), found_by="watcher"),
    "Sottovoce's own sentences": Plant(change=_file("first-en.js", b"\n0;\n"), found_by="watcher"),
    "the page": Plant(change=_where(lambda asked: True), found_by="watcher"),
    "a header that is missing": Plant(change=_no_policy, found_by="watcher"),
    "a header that leads away": Plant(change=_led_away, found_by="watcher"),
    # To whom.
    "one language of browsers": Plant(
        change=_where(lambda asked: asked.headers.get("accept-language", "").startswith("zh")),
        found_by="watcher",
    ),
    "one user agent": Plant(
        change=_where(lambda asked: "iPhone" in asked.headers.get("user-agent", "")), found_by="watcher"
    ),
    "one address of the page": Plant(
        change=_where(lambda asked: asked.path.startswith("/zh-hans/")), found_by="watcher"
    ),
    "one network": Plant(change=_where(lambda asked: asked.address == "127.0.0.9"), found_by="nobody"),
    "one visit of many": Plant(change=_where(lambda asked: asked.visit == 1_000), found_by="nobody"),
}


@contextmanager
def lying_server(origin: str, change: Change) -> Iterator[str]:
    """Stand before a server, on another port of this machine; give the origin of that.

    Parameters
    ----------
    origin : str
        Of the real server, "http://localhost:8000".
    change : callable
    """
    there, lock, visits = urlsplit(origin), Lock(), [0]

    class Between(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            body = self.rfile.read(length) if length else None
            headers = {name: value for name, value in self.headers.items() if name.lower() not in _OWN}
            headers |= {"Host": there.netloc, "Accept-Encoding": "identity"}
            link = http.client.HTTPConnection(there.hostname or "", there.port, timeout=60)
            link.request(self.command, self.path, body, headers)
            response = link.getresponse()
            answer = Answer(
                status=response.status,
                headers=tuple(pair for pair in response.getheaders() if pair[0].lower() not in _OWN),
                body=response.read(),
            )
            link.close()
            self._send(change(self._asked(), answer))

        do_POST = do_OPTIONS = do_HEAD = do_GET

        def _asked(self) -> Asked:
            named = {name.lower(): value for name, value in self.headers.items()}
            asked = Asked(path=self.path, headers=named, address=self.client_address[0], visit=0)
            with lock:
                visits[0] += asked.is_page
                return replace(asked, visit=visits[0])

        def _send(self, answer: Answer) -> None:
            self.send_response(answer.status)
            for name, value in answer.headers:
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(answer.body)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(answer.body)

        def log_message(self, *_arguments: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Between)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
