"""The watcher reports in one line what a malicious server or static host changed."""

import json
from collections.abc import Callable
from dataclasses import replace
from email.message import Message
from pathlib import Path
from typing import Any

import pytest
from django.test import override_settings
from django.utils import timezone

from surveys.authoring.lifecycle import survey_close
from surveys.models import Version
from surveys.respondent.client_documents import canonical, documents_of
from surveys.respondent.client_program import client
from surveys.respondent.survey_digests import digest_in_link, digest_in_print
from surveys.watch.download import BROWSERS
from surveys.watch.download import Answer as Reply
from surveys.watch.file_comparison import MOST_DOCUMENTS, AddressView, compare
from surveys.watch.target import WatchTarget
from tests.conftest import SOAK
from tests.fixtures.client_hosts import HOSTS, client_folder
from tests.fixtures.devices import published, shipped_definition, survey_of
from tests.fixtures.malicious_proxy import PLANTED, Answer, Asked, malicious_proxy
from tests.surveys.respondent.test_speaking import in_languages

pytestmark = pytest.mark.django_db(transaction=True)

MANIFEST = json.loads(client().manifest.content)
ONE = BROWSERS[:1]
FEW = ("Firefox on Linux in English", "Chrome on Windows in Chinese", "Safari on iPhone in German")
FINDS = {
    "a definition": "the survey's definition does not have the digest that the survey states",
    "words of a language": "its texts in en differ from those of the definition",
    "a definition with a root of its own": "the odds in the definition are not those of its design",
    "words with a root of their own": "this is not the survey DIGEST",
    "odds with a root of their own": "the odds in the definition are not those of its design",
    "a script": "/program/.../client.js: differs from the build",
    "a script and the manifest": "/manifest.json: differs from the build",
    "a stylesheet": "/program/.../sottovoce.css: differs from the build",
    "Sottovoce's own sentences": "/program/.../first-en.js: differs from the build",
    "the page": "/en/s/workplace/: differs from the build",
    "a header that is missing": "/en/s/workplace/: its policy allows other pages to frame it",
    "a header that leads away": "/en/s/workplace/: has a header Refresh",
    "one language of browsers": "(for 1 of 3 kinds of browser: Chrome on Windows in Chinese)",
    "one user agent": "(for 1 of 3 kinds of browser: Safari on iPhone in German)",
    "one address of the page": "/zh-hans/s/workplace/: differs from the build",
}


@pytest.fixture
def version(live_server: Any) -> Version:
    return published(shipped_definition("workplace"))


def seen(origin: str, address: str = "/en/s/workplace/", **options: Any) -> AddressView:
    few = [browser for browser in BROWSERS if browser.name in FEW]
    return compare(WatchTarget.read(origin + address), MANIFEST, **{"browsers": few, **options})


@pytest.mark.soak
def test_an_honest_server_is_as_built(version: Version, live_server: Any) -> None:
    root = documents_of(version).root
    named = ("", f"#d={digest_in_link(root)}", f"#d={digest_in_print(root).lower()}")
    for end, browsers in zip(named, (None, ONE, ONE), strict=True):
        options = {"browsers": browsers} if browsers else {}
        found = seen(live_server.url, f"/en/s/workplace/{end}", **options)
        assert (found.differences, found.root, found.state) == ([], root, "open")


@pytest.mark.soak
def test_a_closed_survey_with_its_own_form_of_address_is_checked_too(live_server: Any) -> None:
    closed = published(in_languages("de", slug="formed") | {"formality": {"de": "informal"}})
    survey_close(survey_of(closed), by="alice", now=timezone.now())
    address = "/en/s/formed/de/"
    found = seen(live_server.url, address, browsers=ONE)
    assert (found.differences, found.state) == ([], "closed")
    lie = of_state(lambda state: state.update(words=state["words"].replace("informal", "formal")))
    with malicious_proxy(live_server.url, lie) as lying:
        assert any(
            "its texts in de differ" in each for each in seen(lying, address, browsers=ONE).differences
        )


@pytest.mark.soak
def test_all_browsers_are_served_the_same_page(version: Version, live_server: Any) -> None:
    assert seen(live_server.url, browsers=BROWSERS).differences == []


def is_found(kind: str, origin: str, digest: str, **options: Any) -> bool:
    """Return whether a change is found and described correctly."""
    with malicious_proxy(origin, PLANTED[kind].change) as lying:
        found = seen(lying, f"/en/s/workplace/#d={digest}", **options).differences
    if kind in FINDS:
        assert any(FINDS[kind].replace("DIGEST", digest) in each for each in found), (kind, found)
    return bool(found)


@pytest.mark.soak
def test_dishonest_servers_are_detected_and_described(version: Version, live_server: Any) -> None:
    digest = digest_in_print(documents_of(version).root)
    assert is_found("one user agent", live_server.url, digest)
    for kind in ("words with a root of their own", "a script"):
        assert is_found(kind, live_server.url, digest, browsers=ONE)


@pytest.mark.soak
def test_each_planted_lie_is_detected_unless_documented_as_undetectable(
    version: Version, live_server: Any
) -> None:
    digest = digest_in_print(documents_of(version).root)
    found = {kind for kind in PLANTED if is_found(kind, live_server.url, digest)}
    assert found == set(FINDS) == {kind for kind, plant in PLANTED.items() if plant.found_by != "nobody"}


def of_state(change: Callable[[dict[str, Any]], Any], where: str = "") -> Callable[[Asked, Answer], Answer]:
    """Return a change of the survey's state, optionally for some browsers only."""

    def changed(asked: Asked, answer: Answer) -> Answer:
        if not asked.is_state or where not in asked.headers["user-agent"]:
            return answer
        state = json.loads(answer.body)
        change(state)
        return replace(answer, body=canonical(state))

    return changed


def of_page(change: Callable[[Answer], Answer]) -> Callable[[Asked, Answer], Answer]:
    return lambda asked, answer: change(answer) if asked.is_page else answer


POLICY = "script-src 'self' https://e.example"
SAID: dict[str, Callable[[Asked, Answer], Answer]] = {
    "browsers receive different information": of_state(
        lambda state: state.update(delete_on="2099-01-01"), "iPhone"
    ),
    "has 'preview', which does not belong there": of_state(lambda state: state.update(preview=True)),
    "the state of the survey cannot be read": of_state(lambda state: state.update(definition="[")),
    "its /config.json does not name a server": of_state(lambda state: state.clear()),
    "cannot be unpacked": lambda _asked, answer: answer.with_header("Content-Encoding", "gzip"),
    f"its policy contains {POLICY}": of_page(
        lambda answer: answer.with_header("Content-Security-Policy", POLICY)
    ),
    "status 302, redirects to /elsewhere": of_page(
        lambda answer: replace(answer.with_header("Location", "/elsewhere"), status=302)
    ),
    "is sent as text/plain": of_page(lambda answer: answer.with_header("Content-Type", "text/plain")),
}


def is_said(said: str, origin: str) -> bool:
    with malicious_proxy(origin, SAID[said]) as lying:
        return any(said in each for each in seen(lying).differences)


@pytest.mark.soak
def test_unequal_responses_to_browsers_are_reported(version: Version, live_server: Any) -> None:
    assert is_said("browsers receive different information", live_server.url)


@pytest.mark.soak
def test_every_other_server_fault_is_reported(version: Version, live_server: Any) -> None:
    assert [said for said in SAID if not is_said(said, live_server.url)] == []


HOSTILE: tuple[dict[str, Any], ...] = (
    {"root": "no digest"},
    {"root": 7, "versions": [7]},
    {"versions": None},
    {"languages": [{"tag": "a b\r\n"}]},
    {"languages": [{"tag": f"x{number}"} for number in range(10_000)]},
    {"languages": {"en": 1}},
    {"definition": None},
    {"definition": "{}"},
    {"definition": '{"design": {}, "key": {}, "words": {}}'},
    {"definition": "[" * 20_000},
    {"words": 7},
    {"state": ["open"]},
    {"\x1b[2Jname": 1},
)


def is_refused(change: dict[str, Any], origin: str) -> bool:
    with malicious_proxy(origin, of_state(lambda state: state.update(change))) as lying:
        found = seen(lying, "/en/s/workplace/#d=ABCDE-ABCDE-ABCDE-ABCDE", browsers=ONE)
    assert all(each.isprintable() for each in found.differences)
    # Each file of the program, a page for each language up to the limit, and a few others.
    return bool(found.differences) and found.requests < len(client().files) + MOST_DOCUMENTS + 20


def test_a_hostile_server_gets_a_one_sentence_report(version: Version, live_server: Any) -> None:
    assert is_refused(HOSTILE[0], live_server.url)


@pytest.mark.soak
def test_every_hostile_server_is_reported_with_few_requests(version: Version, live_server: Any) -> None:
    assert [change for change in HOSTILE if not is_refused(change, live_server.url)] == []


@pytest.mark.parametrize(
    "server", ["file:///etc", "ftp://a.example", "javascript:0", "", 7, "https://a.example/path"]
)
def test_a_static_host_that_names_an_invalid_server_is_not_followed(server: Any) -> None:
    asked: list[str] = []

    def fetch(url: str, _headers: Any) -> Reply:
        asked.append(url)
        body = json.dumps({"server": server}) if url.endswith("/config.json") else ""
        return Reply(status=200, headers=Message(), body=body.encode())

    found = seen("https://page.example", "/?s=work&l=en", fetch=fetch, browsers=ONE)
    assert "the host has no survey, and its /config.json does not name a server" in found.differences
    assert {url.partition("/")[0] for url in asked} == {"https:"}


def test_a_survey_changed_after_the_letter_is_reported(version: Version, live_server: Any) -> None:
    before = digest_in_print(documents_of(version).root)
    document = shipped_definition("workplace")
    document["title"]["en"] = "Another title"
    published(document)
    (said,) = seen(live_server.url, f"/en/s/workplace/#d={before}", browsers=ONE).differences
    assert said.startswith(f"the survey has changed since {before}")


def test_missing_surveys_and_unreachable_servers_are_reported(version: Version, live_server: Any) -> None:
    missing = seen(live_server.url, "/en/s/nowhere/", browsers=ONE)
    assert missing.differences == ["this server has no survey named 'nowhere'. Check the address"]
    assert missing.unchecked == []
    found = seen("http://127.0.0.1:1")
    assert (found.differences, found.requests) == ([], 1)
    (said,) = found.unchecked
    assert said.startswith("127.0.0.1 refuses connections to port 1. Check the address")


def unchecked(origin: str, change: Callable[[Asked, Answer], Answer]) -> list[str]:
    """Return what could not be checked; nothing may count as a difference."""
    with malicious_proxy(origin, change) as lying:
        found = seen(lying)
    assert found.differences == []
    return found.unchecked


def test_a_server_out_of_order_is_not_a_difference(live_server: Any) -> None:
    said = unchecked(live_server.url, lambda _asked, answer: replace(answer, status=503))
    assert said == ["the server is failing or overloaded (status 503). Run the check again later"]


@pytest.mark.soak
def test_a_server_that_fails_for_some_browsers_names_them(version: Version, live_server: Any) -> None:
    (said,) = unchecked(
        live_server.url,
        lambda asked, answer: replace(
            answer, status=503 if asked.is_state and "iPhone" in asked.headers["user-agent"] else 200
        ),
    )
    assert "/client/surveys/workplace?language=en: the server is failing" in said
    assert said.endswith("(for 1 of 3 kinds of browser: Safari on iPhone in German)")


def test_another_web_server_is_reported_in_one_sentence() -> None:
    other = Reply(status=404, headers=Message(), body=b"<p>Nothing here</p>")
    found = seen("https://shop.example", fetch=lambda _url, _headers: other)
    assert found.unchecked == ["shop.example is not a Sottovoce server. Check the address"]
    assert (found.differences, found.is_sottovoce, found.requests) == ([], False, 3)


@pytest.mark.slow
@pytest.mark.parametrize("host", ["bare", "led", "nginx"])
@pytest.mark.few("bare", why="a host without headers, whose frames are checked too")
def test_a_static_host_is_watched_together_with_its_server(
    host: str, version: Version, live_server: Any, tmp_path: Path
) -> None:
    serve, address = HOSTS[host]
    folder = client_folder(tmp_path / "page", live_server.url)
    place = address.format(slug="workplace", language="en")
    with serve(folder) as origin:  # type: ignore[attr-defined]
        (refused,) = {
            each.partition(" (")[0] for each in seen(origin, place, bare=True, browsers=ONE).differences
        }
        assert refused == f"{live_server.url} does not let pages of {origin} ask"
        with override_settings(SOTTOVOCE_CLIENT_ORIGINS=(origin,)):
            # Such a host reads no header of a browser, so one is enough except in the soak.
            found = seen(origin, place, bare=host == "bare", **({} if SOAK else {"browsers": ONE}))
            assert (found.differences, found.root) == ([], documents_of(version).root)
            if host == "bare":
                assert any(
                    "frame-ancestors" in each for each in seen(origin, place, browsers=ONE).differences
                )
            script = next(folder.glob("program/*/seal.js"), None) or next(folder.glob("program/*/client.js"))
            script.write_bytes(script.read_bytes() + b"\n")
            (said,) = seen(origin, place, bare=True, browsers=ONE).differences
            assert said.startswith(f"/program/.../{script.name}: differs from the build")
