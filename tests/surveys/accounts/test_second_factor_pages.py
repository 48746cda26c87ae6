import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django_otp.plugins.otp_static.models import StaticToken

from surveys.accounts.roles import Role
from surveys.accounts.second_factor import RECOVERY_CODES
from surveys.models import AuditEvent, AuthenticatorApp
from tests.fixtures.second_factor import LOG_IN, OWN, at_second_step, begun, code, tried, with_app, wrong
from tests.fixtures.staff import PASSWORD, with_password

pytestmark = pytest.mark.django_db


@pytest.fixture
def ana() -> User:
    return with_password("ana", Role.RESEARCHER)


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


def test_administrators_need_a_code_to_remove_their_own_factor(client: Client) -> None:
    adam = with_password("adam", Role.ADMINISTRATOR)
    key = with_app(adam)
    browser = at_second_step("adam")
    tried(browser, code(key))
    answer = browser.post(f"/en/staff/people/{adam.pk}/second-factor-off", {"reason": "because"})
    assert answer.status_code == 409
    assert AuthenticatorApp.objects.exists()
