"""The second factor: valid codes, set-up, removal, and attackers who have the password but no code."""

import re
import time

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import Client
from django_otp.oath import TOTP
from django_otp.plugins.otp_static.models import StaticToken
from pytest_django import Settings

from surveys.accounts.roles import Role
from surveys.accounts.second_factor import RECOVERY_CODES, code_spend, recovery_codes_make
from surveys.models import AuditEvent, AuthenticatorApp, StaffSession
from tests.fixtures.runs import published
from tests.fixtures.second_factor import LOG_IN, OWN, at_second_step, begun, code, code_at, tried, with_app
from tests.fixtures.staff import PASSWORD, with_password

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


def test_administrators_can_remove_a_second_factor_with_a_logged_reason(ana: User) -> None:
    key = with_app(ana)
    lost = at_second_step("ana")
    tried(lost, code(key))
    adam = Client()
    adam.force_login(with_password("adam", Role.ADMINISTRATOR))
    address = f"/en/staff/people/{ana.pk}/second-factor-off"
    assert adam.post(address, {"reason": " "}).status_code == 409
    for reason, said in (("x" * 301, "Shorten it by 1."), ("lost\0", "contains an invisible null character")):
        assert said in adam.post(address, {"reason": reason}).content.decode()
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
