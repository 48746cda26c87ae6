"""Traces of a delivery on disk after Firefox is closed, if Firefox is installed."""

import json
import secrets
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from surveys.intake import views
from surveys.intake.receive import SubmissionResult
from tests.conftest import wait_until
from tests.e2e.driven import SENT, Respondent
from tests.e2e.firefox import Firefox, firefox_path
from tests.e2e.survey import ANSWERS, workplace
from tests.e2e.test_profile import ASSIGNED, recognisable_texts
from tests.fixtures.invitations import codes_of, invited

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.soak,
    pytest.mark.skipif(firefox_path() is None, reason="there is no Firefox here"),
]

BUSY = SubmissionResult(status=503, answer={"error": "scripted"}, retry_after=3_000)
# The browser writes its session file and pages' storage with a delay of some seconds.
STORED = "return new Promise((resolve) => setTimeout(resolve, 20000))"


@pytest.fixture
def firefox(tmp_path: Path) -> Iterator[Firefox]:
    made = Firefox(tmp_path / "profile")
    made.start()
    yield made
    made.kill()


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """Record submissions, and refuse the first one, so that the body has to wait on disk."""
    sent: list[bytes] = []
    receive = views.submission_receive

    def busy_once(raw: bytes, **options: Any) -> SubmissionResult:
        sent.append(raw)
        return BUSY if len(sent) == 1 else receive(raw, **options)

    monkeypatch.setattr(views, "submission_receive", busy_once)
    return sent


def delivered_late(person: Respondent, server: list[bytes]) -> tuple[bytes, dict[str, str]]:
    """Seal, and deliver the body once it is on disk; return its key on disk, and the request."""
    firefox: Firefox = person.browser  # type: ignore[assignment]
    person.press("Disguise and send")

    def kept() -> list[bytes]:
        files = firefox.directory.glob("storage/default/*/fs/**/*")
        return [path.read_bytes() for path in files if path.is_file() and path.stat().st_size == 32]

    (key,) = wait_until(kept, what="the file of the key")
    person.run(STORED)
    assert firefox.files_with([key]) != {}
    person.press("Try now")
    person.at(SENT)
    assert len(server) == 2
    assert server[0] == server[1]
    return key, json.loads(server[0])


def recognisable_parts(request: Mapping[str, str]) -> list[str]:
    """Return body and nonce as sent, the body with its JSON key: its digits alone may occur anywhere."""
    return [f'"body":"{request["body"]}"', request["nonce"]]


def test_firefox_closed_after_delivery_keeps_no_body_key_or_group(
    publish: Any, firefox: Firefox, server: list[bytes]
) -> None:
    """The group is the first bit of the body."""
    here = publish(group=ASSIGNED)
    person = Respondent(firefox, here.definition).open(here.address)
    names = person.walk(ANSWERS)
    key, request = delivered_late(person, server)
    firefox.close()
    assert len(here.bodies) == 1
    assert firefox.files_with([here.address]), "the search works: the address of the page is there"
    # Single words may also be in Firefox's own files.
    texts = [text for text in recognisable_texts(here.definition) if " " in text]
    assert firefox.files_with([key, *recognisable_parts(request), request["key"], *names, *texts]) == {}


@pytest.mark.parametrize("typed", [True, False], ids=["typed", "in the address"])
def test_typed_codes_leave_no_trace_and_linked_ones_only_in_history(
    live_server: Any, firefox: Firefox, server: list[bytes], typed: bool
) -> None:
    definition = workplace(slug="work")
    (code,) = codes_of(invited(definition))
    address = f"{live_server.url}/en/s/{definition['slug']}/"
    person = Respondent(firefox, definition).open(address if typed else f"{address}#{code}")
    if typed:
        person.type("//*[@id='root']//input", code)
        person.press("Continue")
    person.walk(ANSWERS)
    key, request = delivered_late(person, server)
    firefox.close()
    assert request["code"] == code
    assert firefox.files_with([address])
    assert firefox.files_with([key, *recognisable_parts(request)]) == {}
    where = {path for paths in firefox.files_with([code]).values() for path in paths}
    assert typed or where
    assert {path for path in where if typed or not path.startswith(HISTORY)} == set()


# The browser's records of visited addresses.
HISTORY = ("places.sqlite", "sessionstore", "formhistory.sqlite", "favicons.sqlite")


# A planted leak: the page stores the plain body in its database.
LEFT = """
return new Promise((resolve) => {
  const request = indexedDB.open("in plain", 1);
  request.onupgradeneeded = () => request.result.createObjectStore("body");
  request.onsuccess = () => {
    const kept = request.result.transaction("body", "readwrite", { durability: "strict" });
    kept.objectStore("body").put({ text: arguments[0] }, "waiting");
    kept.oncomplete = () => { request.result.close(); resolve(); };
  };
});
"""


def test_the_disk_search_finds_a_body_left_in_a_database(publish: Any, firefox: Firefox) -> None:
    """Firefox compresses stored data, but random bytes stay as they are."""
    here = publish()
    person = Respondent(firefox, here.definition).open(here.address)
    body = secrets.token_hex(40)
    person.run(LEFT.replace("arguments[0]", json.dumps(body)))
    firefox.close()
    assert firefox.files_with([body]) != {}
