"""The client on an origin of another owner, whose host hands out files and does no more.

The host has the page and no answer; the survey's server has the answers and not the page.
"""

from __future__ import annotations

import functools
import json
import threading
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.core.management import CommandError, call_command
from playwright.sync_api import expect

from surveys.intake.views import process_limiter
from surveys.respondent.client_documents import digest_in_link, documents_of
from surveys.respondent.client_program import client
from tests.e2e.conftest import Room
from tests.e2e.survey import ANSWERS, TRUTH, body_of, workplace
from tests.e2e.tap import QUIET, Tap
from tests.e2e.visit import Visit
from tests.fixtures.devices import published
from tests.fixtures.invitations import codes_of, invited

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def folder(tmp_path: Path, live_server: Any) -> Path:
    """The unchanged client, with the name of the server."""
    process_limiter.cache_clear()
    call_command("client", "--out", str(tmp_path / "client"), "--server", live_server.url, verbosity=0)
    return tmp_path


@pytest.fixture
def host(folder: Path, settings: Any) -> Iterator[str]:
    """The origin of a host that hands out files and does no more, listed by the server."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder / "client")))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    origin = f"http://127.0.0.1:{server.server_address[1]}"
    settings.SOTTOVOCE_CLIENT_ORIGINS = [origin]
    yield origin
    server.shutdown()
    server.server_close()


def test_answers_go_to_the_server_and_the_page_comes_from_its_owner(
    host: str, live_server: Any, device: Any
) -> None:
    definition = workplace()
    version = published(definition)
    context = device(words=TRUTH)
    tap = Tap(context)
    there = Visit(context.new_page(), f"{host}/?s=workplace&l=en", definition)
    there.open()
    assert f"It comes from {urlsplit(host).netloc} and sends your answers to" in (
        there.room.evaluate("node => node.textContent")
    )
    there.walk(ANSWERS).seal().delivered()
    here = Room(version=version, definition=definition, address="")
    assert here.bodies == [body_of(version.to_design(), ANSWERS, TRUTH)]
    posted = [sent.url for sent in tap.requests if sent.method == "POST"]
    # No header of that host can clear the device; the client has erased its own storage.
    assert posted == [f"{live_server.url}/api/submissions"]
    tap.look(there.page, "sent")
    assert {name: tap.steps[-1].around[name] for name in QUIET} == QUIET
    assert {urlsplit(sent.url).netloc for sent in tap.requests} == {
        urlsplit(host).netloc,
        urlsplit(live_server.url).netloc,
    }


def test_the_page_reaches_no_other_server_than_the_one_that_is_named(
    host: str, live_server: Any, device: Any
) -> None:
    published(workplace())
    page = device().new_page()
    there = Visit(page, f"{host}/?s=workplace&l=en", workplace()).open()
    reached = "url => fetch(url, { mode: 'no-cors' }).then(() => true, () => false)"
    assert page.evaluate(reached, f"{live_server.url}/live") is True
    other = live_server.url.replace("localhost", "127.0.0.1")
    assert other != live_server.url
    assert page.evaluate(reached, f"{other}/live") is False
    assert there.screen == "intro"


def test_invitation_digest_language_and_reload_are_as_at_the_server(host: str, device: Any) -> None:
    version = invited(workplace())
    (code,) = codes_of(version)
    digest = digest_in_link(documents_of(version).root)
    page = device().new_page()
    there = Visit(page, f"{host}/?s=workplace&l=en#c={code}&d={digest}", workplace()).open()
    assert page.url == f"{host}/?s=workplace&l=en#d={digest}"
    page.locator("#languages a").click()
    expect(page.locator("h1")).to_have_text("在工作中说出来")
    page.reload()
    # The code is kept until the answers are sealed, so nothing asks for it again.
    expect(page.get_by_role("button", name="Start")).to_be_visible()
    # A different digest in the same tab starts a new visit: the page reloads itself.
    page.goto(f"{host}/?s=workplace&l=en#c={code}&d={'A' * 22}")
    expect(page.get_by_text("This is not the survey named in your letter")).to_be_visible()
    assert there.room.locator("input").count() == 0
    page.goto(f"{host}/?s=workplace&l=en#c={code}&d={digest}")
    there.started()
    there.walk(ANSWERS).seal().delivered()
    assert Room(version=version, definition=workplace(), address="").receipts == 1


def test_a_server_that_has_not_listed_the_host_is_said_to_be_out_of_reach(
    host: str, settings: Any, device: Any
) -> None:
    published(workplace())
    settings.SOTTOVOCE_CLIENT_ORIGINS = []
    page = device().new_page()
    page.goto(f"{host}/?s=workplace&l=en")
    expect(page.get_by_role("heading", name="The survey could not be loaded")).to_be_visible()


def test_the_page_shows_nothing_inside_another_page(host: str, live_server: Any, device: Any) -> None:
    """A host of files sends no header against it: the client refuses by itself."""
    published(workplace())
    page = device(bypass_csp=True).new_page()
    page.goto(f"{live_server.url}/en/")
    page.evaluate(
        "src => document.body.append(Object.assign(document.createElement('iframe'), { src }))",
        f"{host}/?s=workplace&l=en",
    )
    frame = page.frame_locator("iframe")
    expect(frame.get_by_role("heading", name="This survey is shown inside another page")).to_be_visible()
    expect(frame.get_by_role("button")).to_have_count(0)


def test_the_folder_has_the_files_that_the_server_serves_and_nothing_is_written_over(folder: Path) -> None:
    written = {
        path.relative_to(folder / "client").as_posix(): path.read_bytes()
        for path in (folder / "client").rglob("*")
        if path.is_file()
    }
    assert json.loads(written.pop("config.json"))["server"].startswith("http://localhost")
    assert written == {file.path: file.content for file in client().files}
    with pytest.raises(CommandError, match="already exists and is not empty"):
        call_command("client", "--out", str(folder / "client"))
    with pytest.raises(CommandError, match="is not the origin"):
        call_command("client", "--out", str(folder / "other"), "--server", "https://survey.example.org/en/")
    assert not (folder / "other").exists()
