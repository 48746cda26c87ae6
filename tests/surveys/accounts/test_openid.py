"""Log in by OpenID Connect, with a real provider (oidc-provider) in a separate process."""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urljoin, urlsplit

import pytest
import requests
from django.conf import settings as django_settings
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import Settings

from benchmarks.proxies import free_port
from surveys.accounts import openid
from surveys.accounts.provider_accounts import provider_account_bind
from surveys.accounts.roles import Role
from surveys.models import AuditEvent, ProviderAccount
from tests.conftest import kill_group, start_group, wait_until
from tests.fixtures.pages import open_page
from tests.fixtures.second_factor import LOG_IN, STEP, code, with_app
from tests.fixtures.staff import PASSWORD, member, with_password

# These need Node and npm packages, like the browser tests.
pytestmark = [pytest.mark.django_db, pytest.mark.e2e]

BEGIN = "/en/staff/log-in/provider/"
BACK = "/staff/log-in/provider/back"
OWN_PAGE = "/en/staff/account/"
CONNECT = "/en/staff/account/provider"
SECRET = "a secret of the tests alone, long enough to sign with"
TAKEN = ("RS256", "ES256", "PS256", "EdDSA")
REFUSED = ("HS256", "RS512")


def _start(log: Path) -> tuple[str, subprocess.Popen[bytes]]:
    port = free_port()
    script = Path(__file__).with_name("provider.mjs")
    with log.open("wb") as out:
        process = start_group(
            [
                *("node", str(script), str(port), "sottovoce", SECRET),
                *(f"http://testserver{BACK}", *TAKEN, *REFUSED),
            ],
            stdout=out,
            stderr=out,
        )

    def ready() -> bool:
        assert process.poll() is None, log.read_text()
        return "ready" in log.read_text()

    wait_until(ready, what="the provider")
    return f"http://127.0.0.1:{port}", process


@pytest.fixture(scope="module")
def provider(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    found, process = _start(tmp_path_factory.mktemp("provider") / "log")
    yield found
    kill_group(process)


@pytest.fixture(autouse=True)
def _settings(settings: Settings, provider: str) -> None:
    settings.OPENID = {
        "issuer": provider,
        "client": "sottovoce",
        "secret": SECRET,
        "called": "Example University",
    }
    openid._provider_client.cache_clear()


def connected(name: str, subject: str, *roles: Role) -> User:
    """Return an account for which an administrator allowed log-ins by this subject."""
    user = member(name, *roles)
    provider_account_bind(user, issuer=django_settings.OPENID["issuer"], subject=subject, by="root")
    return user


def begun(browser: Client, after: str = "") -> str:
    """Press the button; return the provider's log-in address."""
    answer = browser.get(BEGIN, {"next": after} if after else {})
    assert answer.status_code == 302, answer.content
    return str(answer["Location"])


def at_provider(address: str, name: str) -> str:
    """Log in and agree on the provider's pages; return the address to which it redirects."""
    visitor = requests.Session()
    answer = visitor.get(address, allow_redirects=False, timeout=300)
    for _step in range(12):
        if "Location" in answer.headers:
            target = urljoin(answer.url, answer.headers["Location"])
            if target.startswith("http://testserver"):
                return target.removeprefix("http://testserver")
            answer = visitor.get(target, allow_redirects=False, timeout=300)
            continue
        action = re.search(r'action="([^"]+)"', answer.text)
        prompt = re.search(r'name="prompt" value="([^"]+)"', answer.text)
        assert action, answer.text
        assert prompt, answer.text
        form = {"prompt": prompt[1], "login": name, "password": "anything"}
        answer = visitor.post(urljoin(answer.url, action[1]), form, allow_redirects=False, timeout=300)
    raise AssertionError(answer.text)


def logged_in(name: str, *, after: str = "", browser: Client | None = None) -> tuple[Client, str]:
    """Complete a log-in; return the browser, and the address to which it is redirected."""
    browser = browser or Client()
    back = browser.get(at_provider(begun(browser, after), name))
    assert back.status_code == 302, back.content
    return browser, str(back["Location"])


def is_in(browser: Client) -> bool:
    return browser.get(OWN_PAGE).status_code == 200


@pytest.mark.soak
def test_provider_log_ins_redirect_to_the_requested_page() -> None:
    ana = connected("ana", "7.ana", Role.RESEARCHER)
    browser, led = logged_in("7.ana", after="/en/staff/account/")
    assert led == "/en/staff/account/"
    assert is_in(browser)
    assert ana.staff_sessions.count() == 1
    assert [event.action for event in AuditEvent.objects.order_by("pk")] == ["provider_bind", "log_in"]
    assert AuditEvent.objects.get(action="log_in").detail == {"by": "provider"}
    assert "Log in with Example University" in open_page(Client(), LOG_IN)


def test_owners_can_link_their_account_and_log_in_by_provider() -> None:
    ana = with_password("ana", Role.RESEARCHER)
    mine = Client()
    mine.force_login(ana)
    assert "Link with Example University" in mine.get(OWN_PAGE).content.decode()
    assert mine.post(CONNECT, {"password": "not hers"})["Location"] == OWN_PAGE
    assert "Wrong password" in mine.get(OWN_PAGE).content.decode()
    away = mine.post(CONNECT, {"password": PASSWORD})
    assert mine.get(at_provider(str(away["Location"]), "7.anything"))["Location"] == OWN_PAGE
    assert "You can now log in with Example University" in mine.get(OWN_PAGE).content.decode()
    held = ProviderAccount.objects.get()
    assert (held.user, held.subject, held.allowed_by) == (ana, "7.anything", "ana")
    browser, led = logged_in("7.anything", after="https://evil.example/")
    assert led == "/en/staff/"
    assert is_in(browser)


def test_a_matching_name_at_the_provider_does_not_open_the_account() -> None:
    connected("adm", "8.adm", Role.ADMINISTRATOR)
    browser, led = logged_in("9.adm")
    assert led == LOG_IN
    assert not is_in(browser)
    # The page shows the identifier that an administrator needs, but nothing about accounts.
    assert "your identifier at Example University: 9.adm" in open_page(browser, LOG_IN)


def test_one_provider_identity_cannot_link_two_accounts() -> None:
    connected("ana", "7.ana", Role.RESEARCHER)
    mine = Client()
    mine.force_login(with_password("bo", Role.RESEARCHER))
    away = mine.post(CONNECT, {"password": PASSWORD})
    assert mine.get(at_provider(str(away["Location"]), "7.ana"))["Location"] == OWN_PAGE
    assert "another account is linked to" in mine.get(OWN_PAGE).content.decode().lower()
    assert ProviderAccount.objects.get().user.get_username() == "ana"


def test_a_started_connection_cannot_be_completed_by_another_user() -> None:
    browser = Client()
    browser.force_login(with_password("ana", Role.RESEARCHER))
    back = at_provider(str(browser.post(CONNECT, {"password": PASSWORD})["Location"]), "7.ana")
    session = browser.session
    kept = dict(session.items())
    browser.force_login(member("bo", Role.RESEARCHER))
    # This fails even with the other session's data, which name the user they were for.
    session = browser.session
    session.update({key: value for key, value in kept.items() if not key.startswith("_auth")})
    session.save()
    browser.get(back)
    assert not ProviderAccount.objects.exists()


@pytest.mark.parametrize("algorithm", [*TAKEN, *REFUSED, "none"])
def test_only_four_signature_algorithms_are_accepted(algorithm: str, settings: Settings) -> None:
    """The provider offers all algorithms, and each client uses another one."""
    settings.OPENID = {**settings.OPENID, "client": f"sottovoce-{algorithm}"}
    connected("ana", "7.ana", Role.RESEARCHER)
    browser, led = logged_in("7.ana")
    assert is_in(browser) == (algorithm in TAKEN), open_page(browser, LOG_IN)
    assert led == ("/en/staff/" if algorithm in TAKEN else LOG_IN)


@pytest.mark.parametrize("algorithm", [*REFUSED, "none"])
def test_the_allowlist_decides_which_signature_algorithms_pass(
    algorithm: str, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With another allowlist other algorithms pass, as they would with the provider's own list."""
    monkeypatch.setattr(openid, "ALGORITHMS", (algorithm,))
    settings.OPENID = {**settings.OPENID, "client": f"sottovoce-{algorithm}"}
    connected("ana", "7.ana", Role.RESEARCHER)
    if algorithm == "HS256":
        # Only the provider's keys are accepted, never its shared secret, whatever the list contains.
        assert not is_in(logged_in("7.ana")[0])
    else:
        assert is_in(logged_in("7.ana")[0])


def test_the_session_keeps_no_provider_data() -> None:
    connected("ana", "7.ana", Role.RESEARCHER)
    browser, _led = logged_in("7.ana")
    assert set(browser.session.keys()) == {"_auth_user_id", "_auth_user_backend", "_auth_user_hash"}


def test_stopped_accounts_cannot_log_in() -> None:
    ana = connected("ana", "7.ana", Role.RESEARCHER)
    logged_in("7.ana")
    ana.is_active = False
    ana.save()
    browser, led = logged_in("7.ana")
    assert led == LOG_IN
    assert not is_in(browser)


def test_provider_log_in_still_requires_the_second_factor() -> None:
    key = with_app(connected("ana", "7.ana", Role.ADMINISTRATOR))
    browser, led = logged_in("7.ana")
    assert led.startswith(STEP)
    assert not is_in(browser)
    browser.post(STEP, {"code": code(key)})
    assert is_in(browser)


def test_provider_responses_work_once_in_the_browser_that_asked() -> None:
    connected("ana", "7.ana", Role.RESEARCHER)
    mine = Client()
    back = at_provider(begun(mine), "7.ana")
    # An attacker sends a victim the attacker's own response, which the victim's browser never requested.
    victim = Client()
    assert victim.get(back)["Location"] == LOG_IN
    assert not is_in(victim)
    assert "did not confirm who you are" in open_page(victim, LOG_IN)
    mine.get(back)
    assert is_in(mine)
    mine.post("/en/staff/log-out/")
    mine.get(back)
    assert not is_in(mine)


def test_responses_with_a_wrong_state_or_code_are_rejected() -> None:
    connected("ana", "7.ana", Role.RESEARCHER)
    for change in ("state", "code"):
        browser = Client()
        back = urlsplit(at_provider(begun(browser), "7.ana"))
        query = {key: values[0] for key, values in parse_qs(back.query).items()}
        query[change] = query[change][::-1]
        assert browser.get(back.path, query)["Location"] == LOG_IN
        assert not is_in(browser)


def test_tokens_for_another_server_or_issuer_are_rejected(settings: Settings) -> None:
    connected("ana", "7.ana", Role.RESEARCHER)
    for part in ("client", "issuer"):
        browser = Client()
        back = at_provider(begun(browser), "7.ana")
        # Simulate another server, to which a token for this one is passed on.
        kept = settings.OPENID
        client = openid._provider_client(kept["issuer"], kept["client"], kept["secret"])
        settings.OPENID = {**kept, part: "https://another.example"}
        other = settings.OPENID
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(openid, "_provider_client", lambda *_of, client=client: client)
            assert browser.get(back)["Location"] == LOG_IN, other
        assert not is_in(browser)
        settings.OPENID = kept


def test_declining_at_the_provider_returns_to_the_log_in_page() -> None:
    browser = Client()
    query = parse_qs(urlsplit(begun(browser)).query)
    answer = browser.get(BACK, {"error": "access_denied", "state": query["state"][0]})
    assert answer["Location"] == LOG_IN
    assert "did not confirm who you are" in open_page(browser, LOG_IN)


def test_authorization_requests_use_pkce_state_and_nonce() -> None:
    query = parse_qs(urlsplit(begun(Client())).query)
    assert query["response_type"] == ["code"]
    assert query["code_challenge_method"] == ["S256"]
    assert query["nonce"]
    assert query["state"]
    assert query["redirect_uri"] == [f"http://testserver{BACK}"]
    assert begun(Client()) != begun(Client())


def test_the_log_in_page_reports_an_unavailable_provider(settings: Settings) -> None:
    settings.OPENID = {**settings.OPENID, "issuer": f"http://127.0.0.1:{free_port()}"}
    browser = Client()
    assert browser.get(BEGIN)["Location"] == LOG_IN
    assert "Example University is not available" in open_page(browser, LOG_IN)


def test_without_a_provider_both_urls_redirect_to_the_password_page(settings: Settings) -> None:
    settings.OPENID = {}
    assert Client().get(BEGIN)["Location"] == LOG_IN
    assert Client().get(BACK)["Location"] == LOG_IN
    assert "provider" not in open_page(Client(), LOG_IN)
