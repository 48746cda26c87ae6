"""The page on which tokens for programs are made and ended."""

import re

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from surveys.accounts.permissions import Role
from surveys.accounts.tokens import token_opened
from surveys.models import ApiToken, AuthenticatorApp
from tests.fixtures.programs import token_for
from tests.fixtures.second_factor import OWN, code
from tests.fixtures.staff import PASSWORD, able, member

pytestmark = pytest.mark.django_db
PAGE = "/en/staff/account/tokens/"


def browser_of(name: str, *roles: Role) -> Client:
    browser = Client()
    browser.force_login(member(name, *roles))
    return browser


def test_a_token_is_shown_once_and_is_of_whoever_made_it() -> None:
    browser = browser_of("ana", Role.RESEARCHER)
    assert "None yet." in browser.get(PAGE).content.decode()
    answer = browser.post(PAGE, {"name": "notebook", "days": "30"})
    (token,) = re.findall(r'value="(sotto_[^"]+)"', answer.content.decode())
    assert answer.headers["Cache-Control"].count("no-store") == 1
    opened = token_opened(token, today=timezone.now().date())
    assert opened is not None
    assert opened.user.get_username() == "ana"
    page = browser.get(PAGE).content.decode()
    assert token not in page
    assert "notebook" in page


def test_the_page_says_when_tokens_end_of_whom_the_institution_logs_in() -> None:
    said = "not log in for 30 days, your tokens are revoked"
    assert said in browser_of("ana").get(PAGE).content.decode()
    able("ana")
    assert said not in browser_of("ana").get(PAGE).content.decode()


def test_somebody_elses_token_is_not_there() -> None:
    token_for(member("ben"))
    browser = browser_of("ana", Role.ADMINISTRATOR)
    assert "notebook" not in browser.get(PAGE).content.decode()
    assert browser.post(f"{PAGE}{ApiToken.objects.get().pk}/end").status_code == 404
    assert ApiToken.objects.count() == 1


def test_ones_own_token_is_ended() -> None:
    browser = browser_of("ana", Role.RESEARCHER)
    token = token_for(member("ana", Role.RESEARCHER))
    led = browser.post(f"{PAGE}{ApiToken.objects.get().pk}/end", follow=True)
    assert "The token was revoked." in led.content.decode()
    assert token_opened(token, today=timezone.now().date()) is None


@pytest.mark.parametrize(
    "form",
    [
        {"name": "", "days": "30"},
        {"name": "x" * 61, "days": "30"},
        {"name": "x", "days": "31"},
        {"name": "x", "days": ""},
        {"name": "a\0b", "days": "30"},
    ],
)
def test_what_cannot_be_made_is_said_beside_the_form(form: dict[str, str]) -> None:
    assert browser_of("ana").post(PAGE, form).status_code == 422
    assert not ApiToken.objects.exists()


def test_too_many_are_refused_with_a_remedy() -> None:
    browser = browser_of("ana")
    for _ in range(20):
        token_for(member("ana"))
    answer = browser.post(PAGE, {"name": "one more", "days": "30"})
    assert answer.status_code == 422
    assert "You have 20 tokens. Revoke one" in answer.content.decode()


def test_a_new_second_factor_and_a_new_password_end_tokens_made_before() -> None:
    ana, browser = able("ana", Role.RESEARCHER), Client()
    browser.force_login(ana)
    token_for(ana)
    new = "eight quiet plums"
    browser.post("/en/staff/account/", {"old_password": PASSWORD, "new_password1": new, "new_password2": new})
    assert not ApiToken.objects.exists()
    token_for(ana)
    browser.post(f"{OWN}begin")
    device = AuthenticatorApp.objects.get(user=ana)
    browser.post(f"{OWN}confirm", {"password": new, "code": code(device.bin_key)})
    device.refresh_from_db()
    assert device.confirmed
    assert not ApiToken.objects.exists()


def test_an_administrator_who_needs_a_second_factor_makes_no_token_without(settings: Settings) -> None:
    settings.SECOND_FACTOR_FOR = frozenset({"administrators"})
    root = member("root", Role.ADMINISTRATOR)
    browser = Client()
    browser.force_login(root)
    assert browser.post(PAGE, {"name": "x", "days": "30"}).status_code == 403
    assert not ApiToken.objects.exists()
