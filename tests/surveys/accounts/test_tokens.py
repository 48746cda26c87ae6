"""Tokens of programs: how they are stored, whose they are, when they end, and their page."""

import re
from datetime import UTC, date, datetime, time, timedelta

import pytest
from django.test import Client
from django.utils import timezone

from surveys.accounts.people import account_reset, account_resume, account_stop
from surveys.accounts.permissions import Role
from surveys.accounts.tokens import (
    PREFIX,
    token_end,
    token_make,
    token_opened,
    tokens_step,
)
from surveys.models import ApiToken, AuditEvent, AuthenticatorApp, ProviderAccount
from tests.fixtures.programs import token_for
from tests.fixtures.second_factor import OWN, code
from tests.fixtures.staff import PASSWORD, able, member

pytestmark = pytest.mark.django_db
DAY = date(2026, 11, 20)


def test_a_token_has_128_random_bits_of_which_only_a_digest_is_kept() -> None:
    ana = member("ana", Role.RESEARCHER)
    made, token = token_make(ana, name="notebook", days=90, today=DAY)
    # 22 letters of six bits: 16 bytes.
    assert token.startswith(PREFIX)
    assert len(token.removeprefix(PREFIX)) == 22
    kept = ApiToken.objects.values().get()
    assert token.removeprefix(PREFIX) not in str(kept)
    assert (made.until, kept["used_on"]) == (DAY + timedelta(days=90), None)
    assert token_make(ana, name="notebook", days=90, today=DAY)[1] != token


def test_the_last_day_is_the_last() -> None:
    _made, token = token_make(member("ana"), name="notebook", days=1, today=DAY)
    assert token_opened(token, today=DAY + timedelta(days=1)) is not None
    assert token_opened(token, today=DAY + timedelta(days=2)) is None


@pytest.mark.parametrize("wrong", ["", "sotto_", "x" * 10_000, "sotto_\ud800"])
def test_what_is_no_token_opens_nothing(wrong: str) -> None:
    token = token_for(member("ana"))
    for tried in (wrong, token[:-1], token + "A", token.swapcase(), token.removeprefix(PREFIX)):
        assert token_opened(tried, today=timezone.now().date()) is None


def test_of_its_use_a_day_is_kept_and_written_once_a_day(django_assert_num_queries: object) -> None:
    _made, token = token_make(member("ana"), name="notebook", days=9, today=DAY)
    token_opened(token, today=DAY)
    assert ApiToken.objects.get().used_on == DAY
    with django_assert_num_queries(1):  # type: ignore[operator]  # a fixture of pytest-django
        assert token_opened(token, today=DAY) is not None
    token_opened(token, today=DAY + timedelta(days=1))
    assert ApiToken.objects.get().used_on == DAY + timedelta(days=1)
    # A clock that runs behind does not move the date back.
    token_opened(token, today=DAY)
    assert ApiToken.objects.get().used_on == DAY + timedelta(days=1)
    columns = {field.name: field.get_internal_type() for field in ApiToken._meta.fields}
    assert "DateTimeField" not in columns.values()


def test_who_is_stopped_or_no_member_any_more_loses_access_at_once_and_for_good() -> None:
    member("root", Role.ADMINISTRATOR)
    ana, today = member("ana", Role.RESEARCHER), timezone.now().date()
    token = token_for(ana)
    # Accounts can also be disabled outside the page, so each request checks again.
    type(ana).objects.filter(pk=ana.pk).update(is_staff=False)
    assert token_opened(token, today=today) is None
    type(ana).objects.filter(pk=ana.pk).update(is_staff=True, is_active=False)
    assert token_opened(token, today=today) is None
    type(ana).objects.filter(pk=ana.pk).update(is_active=True)
    assert token_opened(token, today=today) is not None
    account_stop(ana, by="root")
    account_resume(ana, by="root")
    assert token_opened(token, today=today) is None


def test_a_reset_password_ends_the_tokens_of_this_account_alone() -> None:
    ana, ben, today = member("ana"), member("ben"), timezone.now().date()
    tokens = token_for(ana), token_for(ben)
    account_reset(ana, by="root")
    assert [token_opened(token, today=today) is not None for token in tokens] == [False, True]


def test_making_and_ending_leave_events_without_the_token() -> None:
    made, token = token_make(member("ana"), name="notebook", days=9, today=DAY)
    token_end(made, by="ana")
    token_end(made, by="ana")
    assert token_opened(token, today=DAY) is None
    events = list(AuditEvent.objects.order_by("pk").values_list("actor", "action", "target", "detail"))
    detail = {"token": "notebook", "until": "2026-11-29"}
    assert events == [
        ("ana", "api_token_make", "ana", detail),
        ("ana", "api_token_end", "ana", detail),
    ]


@pytest.mark.parametrize(
    ("bound", "password", "ends"),
    [(True, True, True), (True, False, True), (False, False, True), (False, True, False)],
)
def test_whom_the_institution_logs_in_has_tokens_while_they_log_in(
    bound: bool, password: bool, ends: bool
) -> None:
    ana = able("ana") if password else member("ana")
    if bound:
        ProviderAccount.objects.create(user=ana, issuer="https://i.example.org", subject="1", bound_on=DAY)
    ben = able("ben")
    today = timezone.now().date()
    tokens = token_for(ana), token_for(ben)
    at_midnight = datetime.combine(today, time.min, tzinfo=UTC)
    type(ana).objects.update(last_login=at_midnight - timedelta(days=30))
    tokens_step()
    assert [token_opened(token, today=today) is not None for token in tokens] == [True, True]
    type(ana).objects.update(last_login=at_midnight - timedelta(days=30, seconds=1))
    # It opens nothing even while the sweeper is away.
    assert [token_opened(token, today=today) is not None for token in tokens] == [not ends, True]
    tokens_step()
    type(ana).objects.update(last_login=timezone.now())
    assert [token_opened(token, today=today) is not None for token in tokens] == [not ends, True]
    ended = AuditEvent.objects.filter(action="api_token_end").values_list("actor", "target")
    assert list(ended) == [("schedule", "ana")] * ends


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
