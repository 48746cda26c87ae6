"""Respondents' browsers, and the real server on the test database."""

import contextlib
import os
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from surveys.intake.keys import mixer_ready
from surveys.intake.views import process_limiter
from surveys.models import Batch, Receipt, StaffPreference, Version
from tests.attack.traces import split_rows
from tests.conftest import SOAK
from tests.e2e.profile import Profile
from tests.e2e.survey import workplace
from tests.e2e.time_limit import kill_browsers, time_limit
from tests.e2e.visit import Visit
from tests.fixtures.devices import published
from tests.fixtures.inbox_rows import waiting_rows

# Timeout for expected actions of a page, long enough for a busy machine.
PATIENCE = 60_000
COMPUTER = {"width": 1280, "height": 900}
expect.set_options(timeout=PATIENCE)
# Seconds for one try of a test, five times the duration of the longest. Two tries and their ends take less
# than `hanging` in ./test, which ends the whole process and cannot name the test.
LONGEST = 300
LONGEST_SOAK = 1_800
# Seconds for the end of a test that exceeded its limit, such as closing its pages.
END = 30

# Only coins are filled as 32-bit words. Keys, nonces and names of controls are bytes and stay random.
INJECT = """
((words) => {
  const real = Crypto.prototype.getRandomValues;
  Crypto.prototype.getRandomValues = function (array) {
    if (!(array instanceof Uint32Array)) { return real.call(this, array); }
    return array.map((_, place) => (array[place] = words[place % words.length]));
  };
})
"""


@dataclass(frozen=True, kw_only=True)
class Published:
    """One published survey at one server.

    Parameters
    ----------
    version : Version
    definition : dict
    address : str
        Address of the survey's page.
    """

    version: Version
    definition: Mapping[str, Any]
    address: str

    @property
    def bodies(self) -> list[bytes]:
        """All rows of this survey in the database, waiting or in batches."""
        waiting = waiting_rows(self.version)
        width = len(waiting[0]) if waiting else 1
        batches = [bytes(batch.packed) for batch in Batch.objects.filter(version=self.version)]
        return waiting + split_rows(b"".join(batches), width)

    @property
    def receipts(self) -> int:
        return Receipt.objects.filter(survey_id=self.version.survey_id).count()


_DEADLINE = pytest.StashKey[float]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Iterator[None]:
    """Fail a test that takes too long, with its name; the next one gets a new browser if necessary."""
    longest = LONGEST_SOAK if SOAK or item.get_closest_marker("soak") else LONGEST
    item.stash[_DEADLINE] = time.monotonic() + longest
    with _limited(item):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    with _limited(item):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item) -> Iterator[None]:
    with _limited(item):
        return (yield)


def _limited(item: pytest.Item) -> contextlib.AbstractContextManager[None]:
    left = max(item.stash[_DEADLINE] - time.monotonic(), END)
    return time_limit(item.nodeid, left, then_every=END, if_still_running=kill_browsers)


@pytest.fixture
def live_server(live_server: Any, transactional_db: None) -> Any:
    """Return the server, with a mixer that offers a key."""
    assert mixer_ready()
    return live_server


@pytest.fixture
def publish_definition(live_server: Any) -> Callable[..., Published]:
    """Return a function that publishes a definition, unless it gets a version."""
    process_limiter.cache_clear()

    def publish(definition: Mapping[str, Any], version: Version | None = None) -> Published:
        return Published(
            version=version or published(definition),
            definition=definition,
            address=f"{live_server.url}/en/s/{definition['slug']}/",
        )

    return publish


@pytest.fixture
def publish(publish_definition: Callable[..., Published]) -> Callable[..., Published]:
    """Return a function that publishes the shipped survey with top-level changes."""
    return lambda **changes: publish_definition(workplace(**changes))


@pytest.fixture
def device(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Callable[..., BrowserContext]]:
    """Return a function that makes a new browser profile, optionally with injected coins.

    If SOTTOVOCE_TRACES names a directory, a trace of each profile is saved there (docs/debug.md).
    """
    made: list[BrowserContext] = []
    traces = os.environ.get("SOTTOVOCE_TRACES")

    def make(*, words: tuple[int, ...] | None = None, **options: Any) -> BrowserContext:
        context = browser.new_context(**options)
        context.set_default_timeout(PATIENCE)
        if traces:
            context.tracing.start(screenshots=True, snapshots=True, sources=True)
        if words is not None:
            context.add_init_script(f"({INJECT})({list(words)})")
        made.append(context)
        return context

    yield make
    for number, context in enumerate(made):
        if traces:
            context.tracing.stop(path=Path(traces, f"{request.node.name}-{number}.zip"))
        context.close()


@pytest.fixture(scope="module")
def _reading_pages() -> Iterator[list[Page]]:
    pages: list[Page] = []
    yield pages
    for page in pages:
        page.context.close()


@pytest.fixture
def reader(browser: Browser, _reading_pages: list[Page]) -> Iterator[Page]:
    """Return an empty page in a profile shared by the module's tests that store nothing, at half the cost."""
    if not _reading_pages or _reading_pages[-1].is_closed():
        context = browser.new_context()
        context.set_default_timeout(PATIENCE)
        _reading_pages.append(context.new_page())
    page = _reading_pages[-1]
    page.goto("about:blank")
    page.set_viewport_size({"width": 1280, "height": 720})
    yield page
    assert page.evaluate("[sessionStorage.length + localStorage.length, document.cookie]") == [0, ""]
    page.unroute_all()


@pytest.fixture
def profile(playwright_driver: Any, tmp_path: Path) -> Iterator[Profile]:
    """Return a browser with a profile on disk, which tests can kill."""
    made = Profile(playwright_driver, tmp_path / "profile")
    made.directory.mkdir()
    yield made
    with contextlib.suppress(ProcessLookupError):
        made.kill()


@pytest.fixture
def visit(device: Callable[..., BrowserContext]) -> Callable[..., Visit]:
    """Return a function that opens a survey, on a new device unless it gets one."""

    def open_page(here: Published, context: BrowserContext | None = None, **options: Any) -> Visit:
        page = (context or device(**options)).new_page()
        return Visit(page, here.address, here.definition).open()

    return open_page


@pytest.fixture
def researcher(
    device: Callable[..., BrowserContext], live_server: Any, transactional_db: None
) -> Iterator[Callable[..., Page]]:
    """Return a function that opens a staff page as a logged-in user; script errors fail the test."""
    user = User.objects.create_superuser("ana", password="long enough to be one")
    StaffPreference.objects.create(user=user, is_expert=True, has_seen_way=True)
    client = Client()
    client.force_login(user)
    cookie = client.cookies[settings.SESSION_COOKIE_NAME].value
    errors: list[str] = []
    contexts: list[BrowserContext] = []

    def open_page(path: str, **options: Any) -> Page:
        if not contexts:
            contexts.append(device(**{"bypass_csp": True, "viewport": COMPUTER, **options}))
            contexts[0].add_cookies(
                [{"name": settings.SESSION_COOKIE_NAME, "value": cookie, "url": live_server.url}]
            )
        page = contexts[0].new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(f"{live_server.url}/en/staff/{path}")
        return page

    yield open_page
    assert errors == []


class Server:
    """Responses to a device's submissions: scripted ones first, then the real server's."""

    def __init__(self, context: BrowserContext, *script: Any) -> None:
        self.script = list(script)
        self.bodies: list[str] = []
        context.route("**/api/submissions", self._answer)

    def _answer(self, route: Route) -> None:
        self.bodies.append(route.request.post_data or "")
        answer = self.script.pop(0) if self.script else "pass"
        if answer == "pass":
            route.continue_()
        elif answer == "abort":
            route.abort()
        elif answer == "lose":
            # The server accepts the body, but its response is lost.
            route.fetch()
            route.abort()
        else:
            status, headers = answer if isinstance(answer, tuple) else (answer, {})
            # Let pages of third-party hosts read it, like the real server's responses.
            readable = {"Access-Control-Allow-Origin": "*", "Access-Control-Expose-Headers": "Retry-After"}
            headers = readable | headers
            route.fulfill(status=status, headers=headers, json={"error": "scripted"})
