"""API tokens: storage, ownership, expiry, and the files they give access to."""

from datetime import UTC, date, datetime, time, timedelta

import pytest
from django.test import Client
from django.utils import timezone

from surveys.accounts.people import account_reset, account_resume, account_stop
from surveys.accounts.roles import Role
from surveys.accounts.tokens import PREFIX, token_end, token_make, tokens_step, use_token
from surveys.models import ApiToken, AuditEvent, AuthenticatorApp, ProviderAccount
from tests.fixtures.api_clients import token_for
from tests.fixtures.second_factor import OWN, code
from tests.fixtures.staff import PASSWORD, member, with_password

pytestmark = pytest.mark.django_db
DAY = date(2026, 11, 20)


def test_tokens_have_128_random_bits_and_are_stored_as_digests() -> None:
    ana = member("ana", Role.RESEARCHER)
    made, token = token_make(ana, name="notebook", days=90, today=DAY)
    # 22 characters of six bits hold 16 bytes.
    assert token.startswith(PREFIX)
    assert len(token.removeprefix(PREFIX)) == 22
    kept = ApiToken.objects.values().get()
    assert token.removeprefix(PREFIX) not in str(kept)
    assert (made.until, kept["used_on"]) == (DAY + timedelta(days=90), None)
    assert token_make(ana, name="notebook", days=90, today=DAY)[1] != token


def test_tokens_expire_after_their_last_day() -> None:
    _made, token = token_make(member("ana"), name="notebook", days=1, today=DAY)
    assert use_token(token, today=DAY + timedelta(days=1)) is not None
    assert use_token(token, today=DAY + timedelta(days=2)) is None


@pytest.mark.parametrize("wrong", ["", "sotto_", "x" * 10_000, "sotto_\ud800"])
def test_invalid_tokens_open_nothing(wrong: str) -> None:
    token = token_for(member("ana"))
    for tried in (wrong, token[:-1], token + "A", token.swapcase(), token.removeprefix(PREFIX)):
        assert use_token(tried, today=timezone.now().date()) is None


def test_token_use_is_recorded_at_most_once_a_day(django_assert_num_queries: object) -> None:
    _made, token = token_make(member("ana"), name="notebook", days=9, today=DAY)
    use_token(token, today=DAY)
    assert ApiToken.objects.get().used_on == DAY
    with django_assert_num_queries(1):  # type: ignore[operator]  # a fixture of pytest-django
        assert use_token(token, today=DAY) is not None
    use_token(token, today=DAY + timedelta(days=1))
    assert ApiToken.objects.get().used_on == DAY + timedelta(days=1)
    # A slow clock does not move the date back.
    use_token(token, today=DAY)
    assert ApiToken.objects.get().used_on == DAY + timedelta(days=1)
    columns = {field.name: field.get_internal_type() for field in ApiToken._meta.fields}
    assert "DateTimeField" not in columns.values()


def test_stopped_or_removed_members_lose_token_access_for_good() -> None:
    member("root", Role.ADMINISTRATOR)
    ana, today = member("ana", Role.RESEARCHER), timezone.now().date()
    token = token_for(ana)
    # Accounts can also be disabled outside the page, so each request checks again.
    type(ana).objects.filter(pk=ana.pk).update(is_staff=False)
    assert use_token(token, today=today) is None
    type(ana).objects.filter(pk=ana.pk).update(is_staff=True, is_active=False)
    assert use_token(token, today=today) is None
    type(ana).objects.filter(pk=ana.pk).update(is_active=True)
    assert use_token(token, today=today) is not None
    account_stop(ana, by="root")
    account_resume(ana, by="root")
    assert use_token(token, today=today) is None


def test_a_password_reset_ends_only_that_accounts_tokens() -> None:
    ana, ben, today = member("ana"), member("ben"), timezone.now().date()
    tokens = token_for(ana), token_for(ben)
    account_reset(ana, by="root")
    assert [use_token(token, today=today) is not None for token in tokens] == [False, True]


def test_token_events_never_contain_the_token() -> None:
    made, token = token_make(member("ana"), name="notebook", days=9, today=DAY)
    token_end(made, by="ana")
    token_end(made, by="ana")
    assert use_token(token, today=DAY) is None
    events = list(AuditEvent.objects.order_by("pk").values_list("actor", "action", "target", "detail"))
    detail = {"token": "notebook", "until": "2026-11-29"}
    assert events == [("ana", "api_token_make", "ana", detail), ("ana", "api_token_end", "ana", detail)]


@pytest.mark.parametrize(
    ("bound", "password", "ends"),
    [(True, True, True), (True, False, True), (False, False, True), (False, True, False)],
)
def test_institution_users_keep_tokens_while_they_log_in(bound: bool, password: bool, ends: bool) -> None:
    ana = with_password("ana") if password else member("ana")
    if bound:
        ProviderAccount.objects.create(user=ana, issuer="https://i.example.org", subject="1", bound_on=DAY)
    ben = with_password("ben")
    today = timezone.now().date()
    tokens = token_for(ana), token_for(ben)
    at_midnight = datetime.combine(today, time.min, tzinfo=UTC)
    type(ana).objects.update(last_login=at_midnight - timedelta(days=30))
    tokens_step()
    assert [use_token(token, today=today) is not None for token in tokens] == [True, True]
    type(ana).objects.update(last_login=at_midnight - timedelta(days=30, seconds=1))
    # The token is invalid even before the sweeper deletes it.
    assert [use_token(token, today=today) is not None for token in tokens] == [not ends, True]
    tokens_step()
    type(ana).objects.update(last_login=timezone.now())
    assert [use_token(token, today=today) is not None for token in tokens] == [not ends, True]
    ended = AuditEvent.objects.filter(action="api_token_end").values_list("actor", "target")
    assert list(ended) == [("schedule", "ana")] * ends


def test_changing_password_or_second_factor_ends_earlier_tokens() -> None:
    ana, browser = with_password("ana", Role.RESEARCHER), Client()
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
