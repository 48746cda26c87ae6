"""Log in by OpenID Connect: against a real provider, oidc-provider, in a process of its own."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qs, urljoin, urlsplit

import pytest
import requests
from django.test import Client
from pytest_django import Settings

from benchmarks.proxies import free_port
from surveys.access.roles import Role
from surveys.accounts import openid
from surveys.models import AuditEvent, ProviderAccount
from tests.cast.second_factor import LOG_IN, STEP, code, with_app
from tests.cast.staff import member
from tests.conftest import kill_group, start_group, wait_until

# Node and what npm installs come with the browser's tests.
pytestmark = [pytest.mark.django_db, pytest.mark.e2e]

BEGIN = "/en/staff/log-in/provider/"
BACK = "/staff/log-in/provider/back"
OWN_PAGE = "/en/staff/account/"
SECRET = "a secret of the tests alone"


@dataclass(frozen=True)
class Provider:
    issuer: str
    others: str
    """The client of another server at the same provider."""


def _start(log: Path, *, full_tokens: bool) -> tuple[Provider, subprocess.Popen[bytes]]:
    port = free_port()
    script = Path(__file__).with_name("provider.mjs")
    with log.open("wb") as out:
        process = start_group(
            [
                *("node", str(script), str(port), "sotto", SECRET),
                *(f"http://testserver{BACK}", "1" if full_tokens else "0"),
            ],
            stdout=out,
            stderr=out,
        )

    def ready() -> bool:
        assert process.poll() is None, log.read_text()
        return "ready" in log.read_text()

    wait_until(ready, seconds=60, what="the provider")
    return Provider(f"http://127.0.0.1:{port}", "another"), process


@pytest.fixture(scope="module", params=[True, False], ids=["claims in the token", "claims asked for"])
def provider(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Provider]:
    found, process = _start(tmp_path_factory.mktemp("provider") / "log", full_tokens=request.param)
    yield found
    kill_group(process)


@pytest.fixture(autouse=True)
def _settings(settings: Settings, provider: Provider) -> None:
    settings.OPENID = {
        "issuer": provider.issuer,
        "client": "sotto",
        "secret": SECRET,
        "claim": "preferred_username",
        "called": "Example University",
    }
    openid._registered.cache_clear()


def begun(browser: Client, after: str = "") -> str:
    """Press the button; return where the provider asks who one is."""
    answer = browser.get(BEGIN, {"next": after} if after else {})
    assert answer.status_code == 302, answer.content
    return str(answer["Location"])


def at_provider(address: str, name: str) -> str:
    """Log in on the provider's own pages and agree; return the address that it sends back to."""
    visitor = requests.Session()
    answer = visitor.get(address, allow_redirects=False, timeout=30)
    for _step in range(12):
        if "Location" in answer.headers:
            target = urljoin(answer.url, answer.headers["Location"])
            if target.startswith("http://testserver"):
                return target.removeprefix("http://testserver")
            answer = visitor.get(target, allow_redirects=False, timeout=30)
            continue
        action = re.search(r'action="([^"]+)"', answer.text)
        prompt = re.search(r'name="prompt" value="([^"]+)"', answer.text)
        assert action, answer.text
        assert prompt, answer.text
        form = {"prompt": prompt[1], "login": name, "password": "anything"}
        answer = visitor.post(urljoin(answer.url, action[1]), form, allow_redirects=False, timeout=30)
    raise AssertionError(answer.text)


def logged_in(name: str, *, after: str = "", browser: Client | None = None) -> tuple[Client, str]:
    """Go the whole way; return the browser and where it is led."""
    browser = browser or Client()
    back = browser.get(at_provider(begun(browser, after), name))
    assert back.status_code == 302, back.content
    return browser, str(back["Location"])


def is_in(browser: Client) -> bool:
    return browser.get(OWN_PAGE).status_code == 200


def said(browser: Client) -> str:
    return browser.get(LOG_IN).content.decode()


@pytest.mark.soak
def test_somebody_logs_in_by_the_provider_and_goes_on_to_where_they_wanted() -> None:
    ana = member("ana", Role.RESEARCHER)
    browser, led = logged_in("7.ana", after="/en/staff/account/")
    assert led == "/en/staff/account/"
    assert is_in(browser)
    assert ana.staff_sessions.count() == 1
    assert [event.action for event in AuditEvent.objects.order_by("pk")] == ["provider_bind", "log_in"]
    assert AuditEvent.objects.get(action="log_in").detail == {"by": "provider"}
    assert "Log in with Example University" in said(Client())


def test_nothing_of_the_provider_stays_in_the_session() -> None:
    member("ana", Role.RESEARCHER)
    browser, _led = logged_in("7.ana")
    assert set(browser.session.keys()) == {"_auth_user_id", "_auth_user_backend", "_auth_user_hash"}


def test_a_name_without_an_account_is_told_so() -> None:
    browser, led = logged_in("7.ana")
    assert led == LOG_IN
    assert "No account here has the name “ana”" in said(browser)
    assert not is_in(browser)
    assert not ProviderAccount.objects.exists()


def test_a_name_that_the_provider_gave_to_somebody_new_is_not_the_old_account() -> None:
    member("ana", Role.RESEARCHER)
    logged_in("7.ana")
    browser, led = logged_in("8.ana")
    assert led == LOG_IN
    assert "belongs to somebody else whom Example University called so" in said(browser)
    assert not is_in(browser)


def test_a_stopped_account_stays_out() -> None:
    ana = member("ana", Role.RESEARCHER)
    logged_in("7.ana")
    ana.is_active = False
    ana.save()
    browser, led = logged_in("7.ana")
    assert led == LOG_IN
    assert not is_in(browser)


def test_a_second_factor_is_asked_for_after_the_provider_too() -> None:
    key = with_app(member("ana", Role.ADMINISTRATOR))
    browser, led = logged_in("7.ana")
    assert led.startswith(STEP)
    assert not is_in(browser)
    browser.post(STEP, {"code": code(key)})
    assert is_in(browser)


def test_an_answer_of_the_provider_works_once_and_in_the_browser_that_asked() -> None:
    member("ana", Role.RESEARCHER)
    mine = Client()
    back = at_provider(begun(mine), "7.ana")
    # Somebody is sent another's answer, to be logged in as them: their browser never asked.
    victim = Client()
    assert victim.get(back)["Location"] == LOG_IN
    assert not is_in(victim)
    assert "did not confirm who you are" in said(victim)
    mine.get(back)
    assert is_in(mine)
    mine.post("/en/staff/log-out/")
    mine.get(back)
    assert not is_in(mine)


def test_an_answer_with_another_state_or_code_logs_nobody_in() -> None:
    member("ana", Role.RESEARCHER)
    for change in ("state", "code"):
        browser = Client()
        back = urlsplit(at_provider(begun(browser), "7.ana"))
        query = {key: values[0] for key, values in parse_qs(back.query).items()}
        query[change] = query[change][::-1]
        assert browser.get(back.path, query)["Location"] == LOG_IN
        assert not is_in(browser)


def test_a_token_for_another_server_or_of_another_issuer_is_refused(settings: Settings) -> None:
    member("ana", Role.RESEARCHER)
    for part in ("client", "issuer"):
        browser = Client()
        back = at_provider(begun(browser), "7.ana")
        # As if this were another server, to which a token for this one is handed on.
        kept = settings.OPENID
        client = openid._registered(kept["issuer"], kept["client"], kept["secret"])
        settings.OPENID = {**kept, part: "https://another.example"}
        other = settings.OPENID
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(openid, "_registered", lambda *_of, client=client: client)
            assert browser.get(back)["Location"] == LOG_IN, other
        assert not is_in(browser)
        settings.OPENID = kept


def test_who_says_no_at_the_provider_is_led_back() -> None:
    browser = Client()
    query = parse_qs(urlsplit(begun(browser)).query)
    answer = browser.get(BACK, {"error": "access_denied", "state": query["state"][0]})
    assert answer["Location"] == LOG_IN
    assert "did not confirm who you are" in said(browser)


def test_it_asks_for_a_code_with_a_proof_that_only_this_browser_has() -> None:
    query = parse_qs(urlsplit(begun(Client())).query)
    assert query["response_type"] == ["code"]
    assert query["code_challenge_method"] == ["S256"]
    assert query["nonce"]
    assert query["state"]
    assert query["redirect_uri"] == [f"http://testserver{BACK}"]
    assert begun(Client()) != begun(Client())


def test_it_leads_to_no_other_site() -> None:
    member("ana", Role.RESEARCHER)
    assert logged_in("7.ana", after="https://evil.example/")[1] == "/en/staff/"


def test_a_provider_without_a_name_is_told_apart_from_one_who_lies_down(settings: Settings) -> None:
    settings.OPENID = {**settings.OPENID, "claim": "eppn"}
    browser, led = logged_in("7.ana")
    assert led == LOG_IN
    assert "Example University did not say your name here (eppn)" in said(browser)
    settings.OPENID = {**settings.OPENID, "issuer": f"http://127.0.0.1:{free_port()}"}
    browser = Client()
    assert browser.get(BEGIN)["Location"] == LOG_IN
    assert "Example University cannot be reached" in said(browser)


def test_where_no_provider_is_set_both_addresses_lead_to_the_password(settings: Settings) -> None:
    settings.OPENID = {}
    assert Client().get(BEGIN)["Location"] == LOG_IN
    assert Client().get(BACK)["Location"] == LOG_IN
    assert "provider" not in said(Client())
