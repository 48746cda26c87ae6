"""The second factor: valid codes, set-up, removal, and attackers who have the password but no code."""

import base64
import re
import time
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django_otp.oath import TOTP
from django_otp.plugins.otp_static.models import StaticToken
from pytest_django import Settings

from surveys.accounts.lock_out import COOKIE
from surveys.accounts.people import account_let_in, account_reset, link_path
from surveys.accounts.permissions import Role
from surveys.accounts.second_factor import RECOVERY_CODES, WAITS_FOR, code_spend, recovery_codes_make
from surveys.models import AuditEvent, AuthenticatorApp, LogInFailures, StaffSession
from surveys.policy import CODES_LOCKED_OUT_HOURS, MOST_OF_CODES, MOST_OF_NAME_AT_ADDRESS
from tests.fixtures.runs import published
from tests.fixtures.second_factor import (
    LOG_IN,
    OWN,
    STEP,
    at_second_step,
    code,
    code_at,
    tried,
    with_app,
    wrong,
)
from tests.fixtures.staff import PASSWORD, with_password
from tests.surveys.test_roles import ADDRESSES, World, everywhere, expected, told

pytestmark = pytest.mark.django_db

# Test vectors of RFC 6238, appendix B: SHA-1, eight digits.
RFC_KEY = b"12345678901234567890"
RFC_CODES = {
    59: "94287082",
    1111111109: "07081804",
    1111111111: "14050471",
    1234567890: "89005924",
    2000000000: "69279037",
    20000000000: "65353130",
}


@pytest.fixture
def ana() -> User:
    return with_password("ana", Role.RESEARCHER)


@pytest.mark.parametrize(("seconds", "expected"), RFC_CODES.items())
def test_codes_match_the_rfc_vectors(
    ana: User, seconds: int, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Library, tests and log-in agree on the last six of the eight digits."""
    monkeypatch.setattr(time, "time", lambda: float(seconds))
    library = TOTP(RFC_KEY, digits=8)
    library.time = seconds
    assert f"{library.token():08d}" == expected == code_at(RFC_KEY, seconds, digits=8)
    AuthenticatorApp.begin(ana, RFC_KEY)
    AuthenticatorApp.objects.update(confirmed=True)
    assert code_spend(ana, expected[2:]) is not None


@pytest.mark.parametrize(("steps", "counts"), [(-2, False), (-1, True), (0, True), (1, True), (2, False)])
def test_codes_one_time_step_early_or_late_are_accepted(
    ana: User, steps: int, counts: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 1_800_000_015.0
    monkeypatch.setattr(time, "time", lambda: now)
    key = with_app(ana)
    assert (code_spend(ana, code_at(key, now + 30 * steps)) is not None) is counts


def test_clock_drift_does_not_shift_the_accepted_window(ana: User, monkeypatch: pytest.MonkeyPatch) -> None:
    """The window stays the same for a phone that is always one step late."""
    key, now = with_app(ana), 1_800_000_015.0
    for _log_in in range(3):
        monkeypatch.setattr(time, "time", lambda: now)  # noqa: B023
        assert code_spend(ana, code_at(key, now - 30))
        assert code_spend(ana, code_at(key, now - 60)) is None
        now += 300


def test_used_codes_and_all_earlier_ones_are_rejected(ana: User, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1_800_000_015.0
    monkeypatch.setattr(time, "time", lambda: now)
    key = with_app(ana)
    assert code_spend(ana, code_at(key, now))
    assert code_spend(ana, code_at(key, now)) is None
    assert code_spend(ana, code_at(key, now - 30)) is None
    assert code_spend(ana, code_at(key, now + 30))


@pytest.mark.parametrize(
    "typed", ["", " ", "12345", "1234567", "１２３４５６", "+12345", "-", "\x00", "0x1234"]
)
def test_malformed_codes_are_rejected(ana: User, typed: str) -> None:
    with_app(ana)
    assert code_spend(ana, typed) is None


def test_codes_of_another_user_are_rejected(ana: User) -> None:
    with_app(ana)
    ben = with_password("ben", Role.RESEARCHER)
    his = with_app(ben)
    codes = recovery_codes_make(ben)
    assert code_spend(ana, code(his)) is None
    assert code_spend(ana, codes[0]) is None
    assert code_spend(ben, codes[0])


def test_recovery_codes_work_once_and_are_stored_as_digests(ana: User) -> None:
    with_app(ana)
    codes = recovery_codes_make(ana)
    assert len(set(codes)) == RECOVERY_CODES
    kept = "".join(StaticToken.objects.values_list("token", flat=True))
    for one in codes:
        assert re.fullmatch("[a-z2-9]{4}-[a-z2-9]{4}-[a-z2-9]{4}", one)
        assert one not in kept
        assert one.replace("-", "") not in kept
    assert code_spend(ana, codes[0].upper().replace("-", " "))
    assert code_spend(ana, codes[0]) is None
    assert code_spend(ana, codes[1])
    recovery_codes_make(ana)
    assert code_spend(ana, codes[2]) is None
    used = AuditEvent.objects.filter(action="recovery_code_use").order_by("pk")
    assert [event.detail for event in used] == [{"left": 9}, {"left": 8}]
    assert not any(one in str(event.detail) for one in codes for event in AuditEvent.objects.all())


def begun(browser: Client) -> bytes:
    """Begin a set-up; return the secret that the page shows."""
    page = browser.post(f"{OWN}begin", follow=True).content.decode()
    key = AuthenticatorApp.objects.get(confirmed=False).bin_key
    shown = re.search(r'<p class="mono secret">([A-Z2-7 ]+)</p>', page)
    assert shown
    assert base64.b32decode(shown[1].replace(" ", "")) == key
    assert 'class="qr"' in page
    return key


def test_setting_up_the_second_factor_needs_password_and_code(ana: User) -> None:
    here, elsewhere = Client(), Client()
    here.force_login(ana)
    elsewhere.force_login(ana)
    key = begun(here)
    # A set-up that has only begun has no effect.
    assert Client().post(LOG_IN, {"username": "ana", "password": PASSWORD})["Location"] == "/en/staff/"
    for form in (
        {"password": PASSWORD, "code": wrong(key)},
        {"password": "wrong", "code": code(key)},
        {"code": code(key)},
    ):
        assert here.post(f"{OWN}confirm", form).status_code == 422
    assert not AuthenticatorApp.objects.filter(confirmed=True).exists()
    typed = code(key)
    page = here.post(f"{OWN}confirm", {"password": PASSWORD, "code": typed})
    codes = re.findall(r'<li class="mono">([a-z0-9-]+)</li>', page.content.decode())
    assert len(codes) == RECOVERY_CODES
    assert "no-store" in page["Cache-Control"]
    # This session continues, others need a code, and the page never shows secret or codes again.
    assert here.get(OWN).status_code == 200
    assert elsewhere.get(OWN).status_code == 302
    again = here.get(OWN).content.decode()
    assert codes[0] not in again
    assert 'class="qr"' not in again
    # The code used in the set-up cannot be used again.
    assert tried(at_second_step("ana"), typed) == 200
    assert tried(at_second_step("ana"), codes[0]) == 302
    assert [e.action for e in AuditEvent.objects.filter(actor="ana") if "second" in e.action] == [
        "second_factor_on"
    ]


def test_an_open_browser_cannot_remove_the_factor_or_get_codes(ana: User) -> None:
    key = with_app(ana)
    browser = at_second_step("ana")
    assert tried(browser, code(key)) == 302
    for action in ("off", "codes", "confirm"):
        for form in ({}, {"password": "wrong", "code": code(key, steps=1)}, {"password": PASSWORD}):
            assert browser.post(f"{OWN}{action}", form).status_code == 422
    # A wrong password did not use up the code.
    codes = browser.post(f"{OWN}codes", {"password": PASSWORD, "code": code(key, steps=1)})
    found = re.findall(r'<li class="mono">([a-z0-9-]+)</li>', codes.content.decode())
    assert browser.post(f"{OWN}off", {"password": PASSWORD, "code": found[0]}).status_code == 302
    assert not AuthenticatorApp.objects.exists()
    assert not StaticToken.objects.exists()
    assert Client().post(LOG_IN, {"username": "ana", "password": PASSWORD})["Location"] == "/en/staff/"


def test_starting_a_new_setup_keeps_the_current_secret(ana: User) -> None:
    key = with_app(ana)
    browser = at_second_step("ana")
    tried(browser, code(key))
    browser.post(f"{OWN}begin")
    assert tried(at_second_step("ana"), code(key, steps=1)) == 302


def test_administrators_can_remove_a_second_factor_with_a_logged_reason(ana: User) -> None:
    key = with_app(ana)
    lost = at_second_step("ana")
    tried(lost, code(key))
    adam = Client()
    adam.force_login(with_password("adam", Role.ADMINISTRATOR))
    address = f"/en/staff/people/{ana.pk}/second-factor-off"
    assert adam.post(address, {"reason": " "}).status_code == 409
    assert AuthenticatorApp.objects.exists()
    assert adam.post(address, {"reason": "phone fell into the lake"}).status_code == 302
    event = AuditEvent.objects.get(action="second_factor_off")
    assert (event.actor, event.target, event.detail) == (
        "adam",
        "ana",
        {"reason": "phone fell into the lake"},
    )
    assert not StaffSession.objects.filter(user=ana).exists()
    assert Client().post(LOG_IN, {"username": "ana", "password": PASSWORD})["Location"] == "/en/staff/"


def test_administrators_need_a_code_to_remove_their_own_factor(client: Client) -> None:
    adam = with_password("adam", Role.ADMINISTRATOR)
    key = with_app(adam)
    browser = at_second_step("adam")
    tried(browser, code(key))
    answer = browser.post(f"/en/staff/people/{adam.pk}/second-factor-off", {"reason": "because"})
    assert answer.status_code == 409
    assert AuthenticatorApp.objects.exists()


def test_the_command_removes_a_second_factor_with_a_reason(ana: User) -> None:
    with_app(ana)
    for refused in (["nobody", "--second-factor-off", "x"], ["ana", "--second-factor-off", ""]):
        with pytest.raises(CommandError):
            call_command("administrator", *refused)
    before = (ana.password, set(ana.groups.all()))
    call_command("administrator", "ana", "--second-factor-off", "phone lost")
    again = User.objects.get(pk=ana.pk)
    assert (again.password, set(again.groups.all())) == before
    event = AuditEvent.objects.get(action="second_factor_off")
    assert (event.actor, event.detail) == ("command line", {"reason": "phone lost"})
    with pytest.raises(CommandError, match="no second factor"):
        call_command("administrator", "ana", "--second-factor-off", "again")


def test_administrators_without_a_second_factor_reach_only_their_account(settings: Settings) -> None:
    settings.SECOND_FACTOR_FOR = frozenset({"administrators"})
    adam, ana = with_password("adam", Role.ADMINISTRATOR), Client()
    ana.force_login(with_password("ana", Role.RESEARCHER))
    browser = Client()
    browser.force_login(adam)
    for address in (
        "/en/staff/",
        "/en/staff/people/",
        "/en/staff/log.csv",
        "/en/admin/",
        "/en/staff/surveys/new",
    ):
        answer = browser.get(address)
        assert answer.status_code == 403, address
        assert f'href="{OWN}"' in answer.content.decode()
    assert browser.post("/en/staff/people/invite", {"name": "eva"}).status_code == 403
    assert not User.objects.filter(username="eva").exists()
    assert browser.post("/en/staff/account/tokens/", {"name": "x", "days": "30"}).status_code == 403
    assert browser.get("/en/staff/account/").status_code == 200
    assert ana.get("/en/staff/").status_code == 200
    key = begun(browser)
    browser.post(f"{OWN}confirm", {"password": PASSWORD, "code": code(key)})
    assert browser.get("/en/staff/people/").status_code == 200
    assert browser.get("/en/admin/").status_code == 200


def test_exports_without_a_second_factor_redirect_to_its_setup(settings: Settings) -> None:
    settings.SECOND_FACTOR_FOR = frozenset({"exports"})
    ana, survey = with_password("ana", Role.RESEARCHER), published("open").survey
    survey.owner = ana
    survey.save()
    browser = Client()
    browser.force_login(ana)
    address = f"/en/staff/surveys/{survey.slug}/export-data/"
    assert browser.get("/en/staff/").status_code == 200
    for answer in (browser.get(address), browser.post(address)):
        assert answer.status_code == 403
        assert f'href="{OWN}"' in answer.content.decode()
    key = with_app(ana)
    browser = at_second_step("ana")
    tried(browser, code(key))
    assert browser.get(address).status_code == 200


OWN_PAGE = "/en/staff/account/"


@pytest.fixture
def ana_admin() -> User:
    return with_password("ana", Role.ADMINISTRATOR)


def is_in(browser: Client) -> bool:
    return browser.get(OWN_PAGE).status_code == 200


def test_password_and_code_redirect_to_the_requested_page(ana_admin: User) -> None:
    key = with_app(ana_admin)
    browser = Client()
    form = {"username": "ana", "password": PASSWORD, "next": "/en/staff/people/"}
    led = browser.post(LOG_IN, form, follow=True)
    assert led.redirect_chain == [(f"{STEP}?next=%2Fen%2Fstaff%2Fpeople%2F", 302)]
    assert 'value="/en/staff/people/"' in led.content.decode()
    assert not is_in(browser)
    answer = browser.post(STEP, {"code": code(key), "next": "/en/staff/people/"})
    assert (answer.status_code, answer["Location"]) == (302, "/en/staff/people/")
    assert is_in(browser)
    assert browser.cookies[COOKIE]["path"] == LOG_IN
    assert [event.action for event in AuditEvent.objects.all()] == ["log_in"]


def test_the_code_step_never_redirects_to_another_site(ana_admin: User) -> None:
    key = with_app(ana_admin)
    answer = at_second_step("ana").post(STEP, {"code": code(key), "next": "https://evil.example/"})
    assert answer["Location"] == "/en/staff/"


def test_a_session_begun_without_a_code_is_not_logged_in(ana_admin: User) -> None:
    """The next test checks every address."""
    with_app(ana_admin)
    forced = Client()
    forced.force_login(ana_admin)
    assert told(forced.get("/en/staff/")) == "login"


@pytest.mark.soak
def test_every_address_treats_half_logged_in_users_as_strangers() -> None:
    world, wrong_ones = World(), []
    administrator = User.objects.get(username="administrator")
    administrator.set_password(PASSWORD)
    administrator.save()
    with_app(administrator)
    browser = at_second_step("administrator")
    # Sessions that were created without the log-in page.
    forced = Client()
    forced.force_login(administrator)
    for name, pattern in everywhere().items():
        if name not in ADDRESSES or name in ("second_step", "login", "logout"):
            continue
        arguments = {part: world.arguments[part] for part in pattern.pattern.converters}
        address = reverse(name, kwargs=arguments)
        for method, line in zip(("get", "post"), ADDRESSES[name], strict=True):
            for browser_of in (browser, forced):
                got = told(getattr(browser_of, method)(address))
                if got != expected(line)["nobody"]:
                    wrong_ones.append(f"{method} {name}: {got}")
    assert told(browser.get("/en/admin/")) == "login"
    assert not wrong_ones, "\n".join(wrong_ones)


def test_planted_session_keys_fail_after_either_step(ana_admin: User) -> None:
    key, attacker, victim = with_app(ana_admin), Client(), Client()
    session = attacker.session
    session["planted"] = True
    session.save()
    keys = [session.session_key]
    victim.cookies["sessionid"] = session.session_key
    at_second_step("ana", browser=victim)
    keys.append(victim.cookies["sessionid"].value)
    assert tried(victim, code(key)) == 302
    keys.append(victim.cookies["sessionid"].value)
    assert len(set(keys)) == 3
    for stolen in keys[:2]:
        attacker.cookies["sessionid"] = stolen
        assert not is_in(attacker)
    assert is_in(victim)
    assert not Session.objects.filter(pk__in=keys[:2]).exists()


def test_logging_in_as_another_user_ends_the_current_session(ana_admin: User) -> None:
    ben = Client()
    ben.force_login(with_password("ben", Role.RESEARCHER))
    with_app(ana_admin)
    at_second_step("ana", browser=ben)
    assert not is_in(ben)
    assert not StaffSession.objects.exists()


def test_code_guesses_count_across_sessions_despite_correct_passwords(ana_admin: User) -> None:
    key = with_app(ana_admin)
    for _guess in range(MOST_OF_NAME_AT_ADDRESS):
        assert tried(at_second_step("ana"), wrong(key)) == 200
    waiting = Client()
    answer = waiting.post(LOG_IN, {"username": "ana", "password": PASSWORD}, REMOTE_ADDR="192.0.2.7")
    assert answer.status_code == 429
    assert [event.action for event in AuditEvent.objects.order_by("pk")] == [
        *["log_in_fail"] * (MOST_OF_NAME_AT_ADDRESS - 1),
        "log_in_keep_out",
    ]


def test_code_guesses_from_everywhere_also_lock_out_known_devices(ana_admin: User) -> None:
    key, known = with_app(ana_admin), Client()
    at_second_step("ana", browser=known)
    assert tried(known, code(key, steps=-1)) == 302
    for number in range(MOST_OF_CODES - 1):
        address = f"198.51.100.{number}"
        assert tried(at_second_step("ana", address=address), wrong(key), address=address) == 200
    at_second_step("ana", browser=known)
    assert tried(known, wrong(key)) == 200
    # After ten wrong codes, even the right one is refused from any address, and the page shows the wait.
    for browser, address in ((known, "192.0.2.7"), (None, "203.0.113.9")):
        waiting = at_second_step("ana", browser=browser, address=address)
        answer = waiting.post(STEP, {"code": code(key)}, REMOTE_ADDR=address)
        assert answer.status_code == 429
        assert 0 < int(answer["Retry-After"]) <= CODES_LOCKED_OUT_HOURS * 3600
        assert int(answer["Retry-After"]) > (CODES_LOCKED_OUT_HOURS - 1) * 3600
    # The lock-out lasts more than an hour and ends after a day, or when an administrator unlocks the account.
    LogInFailures.objects.update(
        until=LogInFailures.objects.order_by("-until").first().until - timedelta(hours=1)
    )
    assert tried(at_second_step("ana", address="203.0.113.9"), code(key), address="203.0.113.9") == 429
    account_let_in(ana_admin, by="adam")
    assert tried(at_second_step("ana", address="203.0.113.9"), code(key), address="203.0.113.9") == 302


def test_a_successful_log_in_clears_wrong_codes(ana_admin: User) -> None:
    key = with_app(ana_admin)
    for _guess in range(MOST_OF_NAME_AT_ADDRESS - 1):
        tried(at_second_step("ana"), wrong(key))
    assert tried(at_second_step("ana"), code(key)) == 302
    assert not LogInFailures.objects.exclude(name="").exists()


def test_the_password_step_expires_after_ten_minutes(ana_admin: User) -> None:
    key = with_app(ana_admin)
    browser = at_second_step("ana")
    session = browser.session
    waiting = session["second_step"]
    assert 0 < session.get_expiry_age() <= WAITS_FOR.total_seconds()
    session["second_step"] = {**waiting, "until": timezone.now().isoformat()}
    session.save()
    answer = browser.post(STEP, {"code": code(key)})
    assert answer["Location"] == LOG_IN
    assert not is_in(browser)


@pytest.mark.parametrize("change", ["password", "stopped", "off"])
def test_account_changes_between_the_two_steps_cancel_the_log_in(ana_admin: User, change: str) -> None:
    key, browser = with_app(ana_admin), at_second_step("ana")
    if change == "password":
        ana_admin.set_password("eight quiet plums")
        ana_admin.save()
    elif change == "stopped":
        ana_admin.is_active = False
        ana_admin.save()
    else:
        ana_admin.totpdevice_set.all().delete()
    assert browser.post(STEP, {"code": code(key)})["Location"] == LOG_IN
    assert not is_in(browser)


def test_resetting_the_password_does_not_bypass_the_code(ana_admin: User) -> None:
    with_app(ana_admin)
    ana_admin = account_reset(ana_admin, by="adam")
    browser = Client()
    form_page = browser.get(link_path(ana_admin))["Location"]
    browser.post(form_page, {"new_password1": PASSWORD, "new_password2": PASSWORD})
    assert not is_in(browser)
    assert not is_in(at_second_step("ana", browser=browser))
