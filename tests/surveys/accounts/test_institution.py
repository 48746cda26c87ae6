"""Log-ins that a proxy vouches for: through the Unix socket, by the very name, and past no second factor."""

from __future__ import annotations

import http.client
import os
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from surveys.accounts.log_in import provider_account_bind, provider_account_forget, provider_account_user
from surveys.accounts.people import person
from surveys.accounts.permissions import Role
from surveys.errors.error import SurveyError
from surveys.models import AuditEvent, ProviderAccount
from tests.attack.scratch import database_url
from tests.conftest import kill_group, start_group, wait_until
from tests.fixtures.second_factor import LOG_IN, STEP, code, with_app
from tests.fixtures.staff import able, member
from tests.fixtures.web_server import WebServer

pytestmark = pytest.mark.django_db

BY_PROXY = "/en/staff/log-in/proxy/"
OWN_PAGE = "/en/staff/account/"
# What granian says of a request that came through its Unix socket.
SOCKET = {"HTTP_HOST": "localhost", "REMOTE_ADDR": "", "SERVER_NAME": "/run/sottovoce/web.sock"}


@pytest.fixture(autouse=True)
def _header(settings: Settings) -> None:
    settings.LOG_IN_HEADER = "X-Remote-User"


def through_socket(name: str) -> Client:
    return Client(headers={"X-Remote-User": name}, **SOCKET)  # type: ignore[arg-type]


def said(browser: Client) -> str:
    return browser.get(LOG_IN).content.decode()


def test_whom_the_proxy_names_goes_on_with_one_button_and_the_log_says_how() -> None:
    ana, browser = member("ana", Role.RESEARCHER), through_socket("ana")
    assert "Continue as ana" in said(browser)
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
def test_a_header_that_came_by_a_port_counts_for_nothing(came_by: dict[str, str]) -> None:
    able("ana", Role.ADMINISTRATOR)
    browser = Client(headers={"X-Remote-User": "ana"}, **came_by)  # type: ignore[arg-type]
    assert "Continue as" not in said(browser)
    assert browser.post(BY_PROXY)["Location"] == LOG_IN
    assert "Your institution did not send your identity." in said(browser)
    assert browser.get(OWN_PAGE).status_code == 302


def test_no_header_counts_where_the_settings_name_none(settings: Settings) -> None:
    settings.LOG_IN_HEADER = ""
    member("ana", Role.ADMINISTRATOR)
    browser = through_socket("ana")
    assert "Continue as" not in said(browser)
    browser.post(BY_PROXY)
    assert browser.get(OWN_PAGE).status_code == 302


@pytest.mark.parametrize("name", ["Ana", "ana,bo", "nobody", "stopped", "respondent", " "])
def test_only_the_very_name_of_an_open_account_logs_in(name: str) -> None:
    member("ana", Role.ADMINISTRATOR)
    stopped = member("stopped", Role.ADMINISTRATOR)
    stopped.is_active = False
    stopped.save()
    User.objects.create_user("respondent")
    browser = through_socket(name)
    assert browser.post(BY_PROXY)["Location"] == LOG_IN
    page = said(browser)
    assert ("There is no active account named" if name.strip() else "did not send your identity") in page
    assert browser.get(OWN_PAGE).status_code == 302
    assert not AuditEvent.objects.exists()


def test_a_second_factor_is_asked_for_all_the_same() -> None:
    key = with_app(member("ana", Role.ADMINISTRATOR))
    browser = through_socket("ana")
    answer = browser.post(BY_PROXY, {"next": "/en/staff/people/"})
    assert answer["Location"] == f"{STEP}?next=%2Fen%2Fstaff%2Fpeople%2F"
    assert browser.get(OWN_PAGE).status_code == 302
    answer = browser.post(STEP, {"code": code(key), "next": "/en/staff/people/"})
    assert answer["Location"] == "/en/staff/people/"
    assert browser.get(OWN_PAGE).status_code == 200


@pytest.mark.parametrize("after", ["https://evil.example/", "//evil.example/", "javascript:alert(1)"])
def test_it_leads_to_no_other_site(after: str) -> None:
    member("ana", Role.RESEARCHER)
    assert through_socket("ana").post(BY_PROXY, {"next": after})["Location"] == "/en/staff/"


def test_another_site_cannot_log_its_visitors_in() -> None:
    member("ana", Role.RESEARCHER)
    browser = Client(enforce_csrf_checks=True, headers={"X-Remote-User": "ana"}, **SOCKET)  # type: ignore[arg-type]
    assert browser.post(BY_PROXY).status_code == 403


ISSUER = "https://login.example"


def bound(user: User, subject: str, *, by: str = "root", issuer: str = ISSUER) -> None:
    provider_account_bind(user, issuer=issuer, subject=subject, by=by)


def test_an_account_takes_the_log_ins_of_one_subject_until_an_administrator_ends_it() -> None:
    ana = member("ana", Role.RESEARCHER)
    bound(ana, "7")
    bound(ana, "7")
    for subject, issuer in (("8", ISSUER), ("7", "https://other.example")):
        with pytest.raises(SurveyError, match="already linked to another identity at a provider"):
            bound(ana, subject, issuer=issuer)
    # Nor can one person have two accounts.
    with pytest.raises(SurveyError, match="another account"):
        bound(member("bo"), "7")
    assert provider_account_user(issuer=ISSUER, subject="7") == ana
    assert provider_account_user(issuer="https://other.example", subject="7") is None
    provider_account_forget(ana, by="root")
    provider_account_forget(ana, by="root")
    assert provider_account_user(issuer=ISSUER, subject="7") is None
    bound(ana, "8", by="ana")
    assert ProviderAccount.objects.get().allowed_by == "ana"
    assert [(event.actor, event.action) for event in AuditEvent.objects.order_by("pk")] == [
        ("root", "provider_bind"),
        ("root", "provider_forget"),
        ("ana", "provider_bind"),
    ]


@pytest.mark.parametrize("subject", ["", "七", "x" * 256, "a\nb"])
def test_what_no_provider_calls_anybody_is_refused(subject: str) -> None:
    with pytest.raises(SurveyError, match="cannot be an identifier from a login provider"):
        bound(member("ana"), subject)


def test_an_administrator_allows_and_ends_it_on_the_page_of_the_person(settings: Settings) -> None:
    settings.OPENID = {"issuer": ISSUER, "client": "sottovoce", "secret": "", "called": "Example University"}
    ana = member("ana", Role.RESEARCHER)
    browser = Client()
    browser.force_login(able("root", Role.ADMINISTRATOR))
    page = f"/en/staff/people/{ana.pk}/"
    assert "Allow login with Example University" in browser.get(page).content.decode()
    assert browser.post(f"{page}provider", {"subject": "七"}).status_code == 409
    assert browser.post(f"{page}provider", {"subject": " 7.ana "})["Location"] == page
    assert provider_account_user(issuer=ISSUER, subject="7.ana") == ana
    assert "linked to 7.ana at https://login.example. root allowed it." in browser.get(page).content.decode()
    assert browser.post(f"{page}provider-forget")["Location"] == page
    assert "7.ana" not in browser.get(page).content.decode()
    assert not ProviderAccount.objects.exists()


class _OverSocket(http.client.HTTPConnection):
    def __init__(self, path: Path) -> None:
        super().__init__("localhost", timeout=60)
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
    """The real web process behind a Unix socket."""
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
        wait_until(lambda: _answers(path), seconds=120, what="the first answer through the socket")
        yield path
    finally:
        kill_group(process)


@pytest.mark.soak
@pytest.mark.django_db(transaction=True)
def test_the_real_server_believes_its_socket_and_not_its_port(web_socket: Path, tmp_path: Path) -> None:
    member("ana", Role.RESEARCHER)
    assert "Continue as ana" in _page(_OverSocket(web_socket))
    with WebServer(tmp_path / "web.log", SOTTOVOCE_LOG_IN_HEADER="X-Remote-User") as server:
        assert "Continue as ana" not in _page(
            http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
        )
