"""Compare the files that browsers receive at a survey's address with the build and with their digests."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import urlsplit

from privacy.errors import PrivacyError
from privacy.survey.design import Design
from surveys.environment import is_origin
from surveys.questionnaire.promise_words import older_promises_json, promises_json
from surveys.respondent.client_documents import canonical
from surveys.respondent.survey_digests import digest_in_print, is_named
from surveys.watch.download import BROWSERS, Answer, Browser, Fetch, fetch
from surveys.watch.no_answer import CHECK_ADDRESS, NoAnswer, UnreadableAnswer, fault_text
from surveys.watch.odd_headers import odd_headers, odd_policy
from surveys.watch.target import WatchTarget

WATCHED_PAGE: Final = "index.html"
NO_SURVEY: Final = "this server has no survey named"
"""Beginning of the difference that reports a missing survey."""
MOST_SIGNS: Final = 300
# Limit on languages and versions, so that a server cannot keep a watcher busy forever.
MOST_DOCUMENTS: Final = 200
# Members that describe the current state of a survey; all others are the same for every visitor.
_CHANGING: Final = {"state", "takes_late", "words"}
_MEMBERS: Final = _CHANGING | {
    *("survey", "time_zone", "opens", "title", "by_invitation", "root", "versions", "languages"),
    *("delete_on", "backup_days", "definition"),
}
_TYPES: Final = {"css": "text/css", "html": "text/html", "js": "text/javascript", "json": "application/json"}


@dataclass(kw_only=True)
class AddressView:
    """Observations at an address.

    Parameters
    ----------
    address : str
    client : str
        The expected digest of the client.
    root : str or None
        Root of the survey, if all browsers received the same root.
    state : str
    requests : int
    differences : list of str
        One sentence each.
    unchecked : list of str
        Why something could not be checked, one sentence each: the server gave no answer, or is another kind.
    is_sottovoce : bool
        Whether a Sottovoce server, or a host of its page, answered; True if nothing did.
    """

    address: str
    client: str
    root: str | None = None
    state: str = ""
    requests: int = 0
    differences: list[str] = field(default_factory=list)
    unchecked: list[str] = field(default_factory=list)
    is_sottovoce: bool = True


class _Wrong(Exception):
    """The rest of the response cannot be checked."""


class _NotSottovoce(Exception):
    """The host is neither a Sottovoce server nor a host of its page."""


def compare(
    target: WatchTarget,
    manifest: Mapping[str, Any],
    *,
    bare: bool = False,
    fetch: Fetch = fetch,
    browsers: Sequence[Browser] = BROWSERS,
) -> AddressView:
    """Visit a survey's address as several browsers would, and compare what they receive.

    Parameters
    ----------
    target : WatchTarget
    manifest : mapping
        Manifest of the built client.
    bare : bool
        Whether the host cannot set headers.
    fetch : callable
    browsers : sequence of Browser
    """
    address = target.page(target.language)
    # Visit one after another, as visitors do. If the first gets no response, do not wait for the others.
    visits: list[_Visit] = []
    for browser in browsers:
        visits.append(_run_visit(target, manifest, bare, fetch, browser))
        if not visits[0].is_sottovoce or visits[0].requests == 1:
            break
    seen = AddressView(
        address=address, client=manifest["digest"], requests=sum(visit.requests for visit in visits)
    )
    seen.is_sottovoce = visits[0].is_sottovoce
    differences: dict[str, list[str]] = {}
    unchecked: dict[str, list[str]] = {}
    for visit in visits:
        for by_message, texts in ((differences, visit.texts), (unchecked, visit.unchecked)):
            for message in dict.fromkeys(map(_printable, texts)):
                by_message.setdefault(message, []).append(visit.browser.name)
    # Each browser's files may be consistent, but differ from those of other browsers.
    statuses = {visit.status for visit in visits if visit.status}
    if len(statuses) > 1:
        differences["browsers receive different information about the survey"] = []
    roots = {visit.root for visit in visits if visit.root}
    seen.root = roots.pop() if len(roots) == 1 else None
    seen.state = next((visit.state for visit in visits if visit.state), "")
    seen.differences = [message + _suffix(names, len(visits)) for message, names in differences.items()]
    seen.unchecked = [message + _suffix(names, len(visits)) for message, names in unchecked.items()]
    return seen


def _printable(text: str) -> str:
    """Replace control characters that could affect a terminal, because servers provide some of the text."""
    return "".join(sign if sign.isprintable() else "?" for sign in text)[:MOST_SIGNS]


def _suffix(names: Collection[str], number: int) -> str:
    if len(names) in (0, number):
        return ""
    few = ", ".join(list(names)[:3])
    return f" (for {len(names)} of {number} kinds of browser: {few}{' ...' * (len(names) > 3)})"


def _run_visit(
    target: WatchTarget, manifest: Mapping[str, Any], bare: bool, fetch: Fetch, browser: Browser
) -> _Visit:
    visit = _Visit(target=target, manifest=manifest, bare=bare, fetch=fetch, browser=browser)
    try:
        visit.texts.extend(visit.check())
    except NoAnswer as error:
        visit.unchecked.append(str(error))
    except _NotSottovoce as error:
        # What else differs would only repeat that this is another server.
        visit.texts, visit.unchecked, visit.is_sottovoce = [], [str(error)], False
    except (UnreadableAnswer, _Wrong) as error:
        visit.texts.append(str(error))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        visit.texts.append("the state of the survey cannot be read")
    return visit


@dataclass(kw_only=True)
class _Visit:
    """One browser's visit."""

    target: WatchTarget
    manifest: Mapping[str, Any]
    bare: bool
    fetch: Fetch
    browser: Browser
    server: str | None = None
    root: str = ""
    state: str = ""
    status: bytes = b""
    requests: int = 0
    texts: list[str] = field(default_factory=list)
    unchecked: list[str] = field(default_factory=list)
    is_sottovoce: bool = True
    has_built_page: bool = False

    def check(self) -> Iterator[str]:
        """Fetch everything, and yield the differences from the build."""
        yield from self._page(self.target.language)
        self._server()
        for path in (path for path in self.manifest["files"] if path != WATCHED_PAGE):
            yield from self._file(path)
        manifest = self._get(f"{self.target.origin}/manifest.json", "empty")
        if manifest.body != canonical(self.manifest):
            yield "/manifest.json: differs from the build"
        state = self._status()
        self.state = str(state["state"])
        if self.state == "missing":
            yield f"{NO_SURVEY} {self.target.survey!r}. {CHECK_ADDRESS}"
        yield from (
            f"the survey's state has {name!r}, which does not belong there" for name in set(state) - _MEMBERS
        )
        for language in [each["tag"] for each in state.get("languages", [])][:MOST_DOCUMENTS]:
            if language != self.target.language:
                yield from self._page(language)
        self.root = state.get("root", "")
        self.status = canonical({name: state[name] for name in set(state) - _CHANGING})
        # A closed survey with its own sentences also sends its documents.
        if self.state == "open" or "definition" in state:
            yield from self._documents(state)
        elif self.target.digest and self.root:
            yield from self._check_code(state)

    def _get(self, url: str, destination: str, **headers: str) -> Answer:
        self.requests += 1
        fields = {
            **self.browser.headers,
            "Accept": "text/html,*/*;q=0.8" if destination == "document" else "*/*",
            "Accept-Encoding": "gzip",
            "Sec-Fetch-Dest": destination,
            "Sec-Fetch-Mode": "navigate" if destination == "document" else "cors",
            "Sec-Fetch-Site": "none" if destination == "document" else "same-origin",
            **headers,
        }
        begin = "" if self.requests == 1 else f"{url}: "
        try:
            answer = self.fetch(url, fields)
        except (NoAnswer, UnreadableAnswer) as error:
            raise type(error)(f"{begin}{error}") from error
        if fault := fault_text(answer.status):
            raise NoAnswer(f"{begin}{fault}")
        return answer

    def _page(self, language: str) -> Iterator[str]:
        """Compare the page in one language with the build."""
        answer = self._get(self.target.page(language), "document")
        path = self.target.page(language).removeprefix(self.target.origin)
        digest = self.manifest["files"][WATCHED_PAGE]
        self.has_built_page = self.has_built_page or _sha256(answer.body) == digest
        yield from _check_file(path, answer, digest, "html")
        if not self.bare:
            yield from (f"{path}: {odd}" for odd in odd_policy(answer.headers, server=self._server()))

    def _file(self, path: str) -> Iterator[str]:
        destination = {"js": "script", "css": "style"}.get(path.rpartition(".")[2], "empty")
        answer = self._get(f"{self.target.origin}/{path}", destination)
        short = path.replace(self.manifest["digest"], "...")
        yield from _check_file(f"/{short}", answer, self.manifest["files"][path], path.rpartition(".")[2])

    def _server(self) -> str:
        """Return the server that the host names; empty if it is the host itself."""
        if self.server is None:
            self.server = ""
            if not (self.target.is_path and self._survey_state(self.target.origin)):
                answer = self._get(f"{self.target.origin}/config.json", "empty")
                try:
                    self.server = str(json.loads(answer.body)["server"])
                except (ValueError, KeyError, TypeError):
                    if not self.has_built_page:
                        host = urlsplit(self.target.origin).netloc
                        raise _NotSottovoce(f"{host} is not a Sottovoce server. {CHECK_ADDRESS}") from None
                    self.server = ""
                if not is_origin(self.server):
                    raise _Wrong("the host has no survey, and its /config.json does not name a server")
        return self.server

    def _survey_state(self, server: str) -> dict[str, Any] | None:
        """Return the survey's state from a server; None if the server does not have surveys."""
        is_across = server != self.target.origin
        across = {"Origin": self.target.origin, "Sec-Fetch-Site": "cross-site"} if is_across else {}
        answer = self._get(self.target.state(server, self.target.language), "empty", **across)
        try:
            reply = json.loads(answer.body)
        except ValueError:
            return None
        if is_across and answer.headers.get("Access-Control-Allow-Origin") != self.target.origin:
            raise _Wrong(
                f"{server} does not let pages of {self.target.origin} ask (SOTTOVOCE_CLIENT_ORIGINS)"
            )
        return reply if isinstance(reply, dict) and "state" in reply else None

    def _status(self) -> dict[str, Any]:
        server = self._server() or self.target.origin
        state = self._survey_state(server)
        if state is None:
            raise _Wrong(f"{server} does not report the state of the survey")
        return state

    def _documents(self, state: Mapping[str, Any]) -> Iterator[str]:
        """Check definition and texts against their digests, and the survey against the digest in a letter."""
        definition = json.loads(state["definition"])
        key, words, versions = definition["key"], definition["words"], list(state["versions"])
        tags = {each["tag"] for each in state["languages"]}
        if len(tags) + len(versions) > MOST_DOCUMENTS:
            raise _Wrong("the survey has an implausible number of languages or versions")
        if _sha256(state["definition"].encode()) != self.root or versions[:1] != [self.root]:
            yield "the survey's definition does not have the digest that the survey states"
        if key.get("survey") != self.target.survey:
            yield f"the definition belongs to the survey {key.get('survey')!r}"
        if tags != set(words):
            yield "the definition has texts in other languages than the survey"
        yield from _design(definition["design"], key)
        yield from self._check_code(state)
        server = self._server() or self.target.origin
        for language in sorted(tags & set(words)):
            answer = self._get(self.target.state(server, language), "empty")
            reply = json.loads(answer.body)
            if reply.get("root") != self.root or reply.get("definition") != state["definition"]:
                yield f"the server sends a different survey in {language}"
            if _sha256(str(reply.get("words")).encode()) != words[language]:
                yield f"its texts in {language} differ from those of the definition"
            yield from self._named_document(server, "words", words[language])
        for root in versions:
            yield from self._named_document(server, "definitions", root)

    def _check_code(self, state: Mapping[str, Any]) -> Iterator[str]:
        code = self.target.digest
        if code is None or is_named(self.root, code):
            return
        if any(is_named(root, code) for root in state["versions"]):
            yield f"the survey has changed since {code}: its code is now {digest_in_print(self.root)}"
        else:
            yield f"this is not the survey {code}: its code is {digest_in_print(self.root)}"

    def _named_document(self, server: str, kind: str, digest: str) -> Iterator[str]:
        if _sha256(self._get(f"{server}/client/{kind}/{digest}", "empty").body) != digest:
            yield f"/client/{kind}/{digest[:12]}... has content that does not match its digest"


def _design(design: Any, key: Mapping[str, Any]) -> Iterator[str]:
    """Check the odds that the page states against the design that devices follow."""
    try:
        result = Design.from_json(design)
    except PrivacyError as error:
        yield f"the definition's design is invalid: {error.message}"
        return
    if result.design_id != key.get("design_id"):
        yield "the definition does not contain the design that it names"
    if not any(
        all(_of_this_wave(key.get(name)) == promise for name, promise in promises.items())
        for promises in (promises_json(result), older_promises_json(result))
    ):
        yield "the odds in the definition are not those of its design"


def _of_this_wave(promise: Any) -> Any:
    """Return a promise without the figures of other waves, which the design does not determine."""
    if not isinstance(promise, Mapping):
        return promise
    return {name: value for name, value in promise.items() if name != "waves"}


def _check_file(path: str, answer: Answer, digest: str, kind: str) -> Iterator[str]:
    if answer.status != 200:
        location = answer.headers.get("Location")
        yield f"{path}: status {answer.status}{f', redirects to {location[:100]}' if location else ''}"
    elif _sha256(answer.body) != digest:
        yield f"{path}: differs from the build ({len(answer.body):,} bytes)"
    if answer.status == 200 and answer.headers.get_content_type() not in (
        _TYPES[kind],
        "application/javascript",
    ):
        yield f"{path}: is sent as {answer.headers.get_content_type()}"
    yield from (f"{path}: has a header {name}" for name in odd_headers(answer.headers))


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
