"""Log-ins: whom page and proxy admit, which attempts count, and what stays hidden."""

import contextlib
import http.client
import os
import re
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.contrib.auth.hashers import get_hasher
from django.contrib.auth.models import User
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import Settings

from surveys.accounts.listed_people import person
from surveys.accounts.lock_out import attempt_count
from surveys.accounts.roles import Role
from surveys.models import AuditEvent
from surveys.policy import MOST_OF_ADDRESS, MOST_OF_NAME, MOST_OF_NAME_AT_ADDRESS
from tests.attack.scratch import database_url
from tests.conftest import kill_group, start_group, wait_until
from tests.fixtures.pages import open_page
from tests.fixtures.second_factor import LOG_IN, STEP, code, with_app
from tests.fixtures.staff import PASSWORD, member, with_password
from tests.fixtures.web_server import WebServer

pytestmark = pytest.mark.django_db
PAGE = "/en/staff/log-in/"


def tried(client: Client, name: str, password: str = "wrong", *, address: str = "192.0.2.7") -> HttpResponse:
    return client.post(PAGE, {"username": name, "password": password}, REMOTE_ADDR=address)


@contextlib.contextmanager
def counted_hashings() -> Iterator[list[str]]:
    """Record every hashing of a password."""
    hashed: list[str] = []
    hasher = type(get_hasher())

    def encode(self: object, password: str, salt: str, *rest: object) -> str:
        hashed.append(salt)
        return real(self, password, salt, *rest)

    real = hasher.encode
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(hasher, "encode", encode)
        yield hashed


def text_of(response: HttpResponse, name: str) -> str:
    """Return the page without its one-time token and the typed name."""
    page = re.sub(r'name="csrfmiddlewaretoken" value="[^"]+"', "", response.content.decode())
    return page.replace(name, "NAME")


def test_log_ins_are_recorded_without_the_typed_text(client: Client) -> None:
    with_password("ana", Role.RESEARCHER)
    tried(client, "ana")
    tried(client, "my pass phrase")
    tried(client, "ana", PASSWORD)
    assert client.session["_auth_user_id"]
    assert [(e.actor, e.action, e.target, e.detail) for e in AuditEvent.objects.order_by("pk")] == [
        ("log-in page", "log_in_fail", "ana", {}),
        ("ana", "log_in", "ana", {}),
    ]


def test_locked_out_users_see_the_wait_even_with_the_right_password(client: Client) -> None:
    with_password("ana", Role.RESEARCHER)
    for _time in range(MOST_OF_NAME_AT_ADDRESS):
        assert tried(client, "ana").status_code == 200
    refused = tried(client, "ana", PASSWORD)
    assert refused.status_code == 429
    assert 890 <= int(refused["Retry-After"]) <= 900
    assert "Try again in 15 minutes, or ask an administrator." in refused.content.decode()
    assert "_auth_user_id" not in client.session
    actions = AuditEvent.objects.order_by("pk").values_list("action", flat=True)
    assert list(actions) == ["log_in_fail"] * 4 + ["log_in_keep_out"]
    assert tried(Client(), "ana", PASSWORD, address="198.51.100.1").status_code == 302


def test_the_page_is_identical_for_existing_and_unknown_names(client: Client) -> None:
    """In every state: after failures, locked out, stopped, not staff, and without a password."""
    assert "If you forgot your password" in client.get(PAGE).content.decode()
    with_password("exists", Role.RESEARCHER)
    stopped = with_password("stopped", Role.RESEARCHER)
    stopped.is_active = False
    stopped.save()
    User.objects.create_user("outside", password=PASSWORD)
    User.objects.create_user("invited", is_staff=True)
    seen = {}
    for place, name in enumerate(("exists", "nobody", "stopped", "outside", "invited")):
        password = PASSWORD if name in ("stopped", "outside") else "wrong"
        answers = [tried(Client(), name, password, address=f"192.0.2.{place}") for _time in range(7)]
        seen[name] = [(answer.status_code, text_of(answer, name)) for answer in answers]
    assert [status for status, _text in seen["nobody"]] == [200] * 5 + [429] * 2
    for name, answers in seen.items():
        assert answers == seen["nobody"], name


def test_unknown_names_are_not_logged(client: Client) -> None:
    """Attackers could fill a log from which no one may delete entries."""
    for number in range(MOST_OF_ADDRESS + 1):
        tried(client, f"nobody-{number}")
    assert not AuditEvent.objects.exists()


def test_existing_and_unknown_names_run_the_same_queries(client: Client) -> None:
    """Apart from the event's insert, both have one hashing and then one transaction."""
    with_password("exists", Role.RESEARCHER)
    tried(client, "exists", address="192.0.2.1")
    did = {}
    for name in ("exists", "nobody"):
        with CaptureQueriesContext(connection) as queries, counted_hashings() as hashings:
            tried(Client(), name)
        did[name] = [
            re.sub(r"'[^']*'|s[0-9]+_x[0-9]+|= [0-9]+|[0-9a-f]{64}", "?", one["sql"])[:60] for one in queries
        ]
        assert len(hashings) == 1
    event = [sql for sql in did["exists"] if "surveys_auditevent" in sql]
    assert len(event) == 1
    did["exists"].remove(event[0])
    assert did["exists"] == did["nobody"]


def test_guesses_elsewhere_do_not_lock_out_known_devices(client: Client) -> None:
    with_password("ana", Role.RESEARCHER)
    tried(client, "ana", PASSWORD)
    for place in range(MOST_OF_NAME - 1):
        attempt_count(name="ana", address=f"198.51.100.{place}", now=timezone.now())
    assert tried(Client(), "ana", address="203.0.113.1").status_code == 200
    assert tried(Client(), "ana", PASSWORD, address="203.0.113.1").status_code == 429
    assert tried(client, "ana", PASSWORD, address="203.0.113.1").status_code == 302
    # A known device has no more guesses than others.
    for _time in range(MOST_OF_NAME_AT_ADDRESS):
        assert tried(client, "ana").status_code == 200
    assert tried(client, "ana", PASSWORD).status_code == 429


def test_a_successful_log_in_clears_earlier_failures(client: Client) -> None:
    with_password("ana", Role.RESEARCHER)
    for _round in range(2):
        for _time in range(MOST_OF_NAME_AT_ADDRESS - 1):
            tried(client, "ana")
        assert tried(client, "ana", PASSWORD).status_code == 302


def test_empty_fields_do_not_count_as_attempts(client: Client) -> None:
    for _time in range(MOST_OF_NAME_AT_ADDRESS + 1):
        assert tried(client, "ana", "").status_code == 200
    assert not AuditEvent.objects.exists()


BY_PROXY = "/en/staff/log-in/proxy/"
OWN_PAGE = "/en/staff/account/"
# The request data that granian gives for its Unix socket.
SOCKET = {"HTTP_HOST": "localhost", "REMOTE_ADDR": "", "SERVER_NAME": "/run/sottovoce/web.sock"}


@pytest.fixture(autouse=True)
def _header(settings: Settings) -> None:
    settings.LOG_IN_HEADER = "X-Remote-User"


def through_socket(name: str) -> Client:
    return Client(headers={"X-Remote-User": name}, **SOCKET)  # type: ignore[arg-type]


def test_proxy_users_log_in_with_one_button_and_are_logged() -> None:
    ana, browser = member("ana", Role.RESEARCHER), through_socket("ana")
    assert "Continue as ana" in open_page(browser, LOG_IN)
    answer = browser.post(BY_PROXY, {"next": "/en/staff/account/"})
    assert (answer.status_code, answer["Location"]) == (302, OWN_PAGE)
    assert browser.get(OWN_PAGE).status_code == 200
    assert [(event.actor, event.action, event.detail) for event in AuditEvent.objects.all()] == [
        ("ana", "log_in", {"by": "proxy"})
    ]
    assert ana.staff_sessions.count() == 1
    ana.refresh_from_db()
    assert (ana.has_usable_password(), person(ana, now=timezone.now()).state) == (False, "active")


@pytest.mark.parametrize(
    "came_by",
    [
        {"REMOTE_ADDR": "127.0.0.1", "SERVER_NAME": "localhost"},
        {**SOCKET, "REMOTE_ADDR": "192.0.2.7"},
        {"REMOTE_ADDR": "", "SERVER_NAME": "localhost"},
    ],
)
def test_proxy_headers_are_ignored_on_tcp_connections(came_by: dict[str, str]) -> None:
    with_password("ana", Role.ADMINISTRATOR)
    browser = Client(headers={"X-Remote-User": "ana"}, **came_by)  # type: ignore[arg-type]
    assert "Continue as" not in open_page(browser, LOG_IN)
    assert browser.post(BY_PROXY)["Location"] == LOG_IN
    assert "Your institution did not send your identity." in open_page(browser, LOG_IN)
    assert browser.get(OWN_PAGE).status_code == 302


def test_proxy_log_in_headers_are_ignored_unless_configured(settings: Settings) -> None:
    settings.LOG_IN_HEADER = ""
    member("ana", Role.ADMINISTRATOR)
    browser = through_socket("ana")
    assert "Continue as" not in open_page(browser, LOG_IN)
    browser.post(BY_PROXY)
    assert browser.get(OWN_PAGE).status_code == 302


@pytest.mark.parametrize("name", ["Ana", "ana,bo", "nobody", "stopped", "respondent", " "])
def test_proxy_log_in_needs_the_exact_name_of_an_active_staff_account(name: str) -> None:
    member("ana", Role.ADMINISTRATOR)
    stopped = member("stopped", Role.ADMINISTRATOR)
    stopped.is_active = False
    stopped.save()
    User.objects.create_user("respondent")
    browser = through_socket(name)
    assert browser.post(BY_PROXY)["Location"] == LOG_IN
    page = open_page(browser, LOG_IN)
    assert ("There is no active account named" if name.strip() else "did not send your identity") in page
    assert browser.get(OWN_PAGE).status_code == 302
    assert not AuditEvent.objects.exists()


def test_proxy_log_ins_still_require_the_second_factor() -> None:
    key = with_app(member("ana", Role.ADMINISTRATOR))
    browser = through_socket("ana")
    answer = browser.post(BY_PROXY, {"next": "/en/staff/people/"})
    assert answer["Location"] == f"{STEP}?next=%2Fen%2Fstaff%2Fpeople%2F"
    assert browser.get(OWN_PAGE).status_code == 302
    answer = browser.post(STEP, {"code": code(key), "next": "/en/staff/people/"})
    assert answer["Location"] == "/en/staff/people/"
    assert browser.get(OWN_PAGE).status_code == 200


@pytest.mark.parametrize("after", ["https://evil.example/", "//evil.example/", "javascript:alert(1)"])
def test_log_in_never_redirects_to_another_site(after: str) -> None:
    member("ana", Role.RESEARCHER)
    assert through_socket("ana").post(BY_PROXY, {"next": after})["Location"] == "/en/staff/"


def test_other_sites_cannot_log_in_their_visitors() -> None:
    member("ana", Role.RESEARCHER)
    browser = Client(enforce_csrf_checks=True, headers={"X-Remote-User": "ana"}, **SOCKET)  # type: ignore[arg-type]
    assert browser.post(BY_PROXY).status_code == 403


class _OverSocket(http.client.HTTPConnection):
    def __init__(self, path: Path) -> None:
        super().__init__("localhost", timeout=300)
        self.path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(str(self.path))


def _page(link: http.client.HTTPConnection) -> str:
    try:
        link.request("GET", LOG_IN, headers={"Host": "localhost", "X-Remote-User": "ana"})
        return link.getresponse().read().decode()
    finally:
        link.close()


def _answers(path: Path) -> bool:
    try:
        return bool(_page(_OverSocket(path)))
    except OSError:
        return False


@pytest.fixture
def web_socket(tmp_path: Path) -> Iterator[Path]:
    """Run the real web process on a Unix socket."""
    path = tmp_path / "web.sock"
    environment = {"DATABASE_URL": database_url(), "SOTTOVOCE_LOG_IN_HEADER": "X-Remote-User"}
    process = start_group(
        [
            *(sys.executable, "-m", "granian", "--interface", "asginl", "--no-ws", "--log-level", "warning"),
            *("--uds", str(path), "surveys.asgi:application"),
        ],
        env={**os.environ, **environment},
    )
    try:
        wait_until(lambda: _answers(path), what="the first answer through the socket")
        yield path
    finally:
        kill_group(process)


@pytest.mark.soak
@pytest.mark.django_db(transaction=True)
def test_the_server_trusts_proxy_headers_only_on_its_socket(web_socket: Path, tmp_path: Path) -> None:
    member("ana", Role.RESEARCHER)
    assert "Continue as ana" in _page(_OverSocket(web_socket))
    with WebServer(tmp_path / "web.log", SOTTOVOCE_LOG_IN_HEADER="X-Remote-User") as server:
        assert "Continue as ana" not in _page(
            http.client.HTTPConnection("127.0.0.1", server.port, timeout=300)
        )
