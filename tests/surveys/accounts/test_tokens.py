"""Tokens of programs: how they are stored, whose they are, and when they end."""

from datetime import UTC, date, datetime, time, timedelta

import pytest
from django.utils import timezone

from surveys.accounts.people import account_reset, account_resume, account_stop
from surveys.accounts.permissions import Role
from surveys.accounts.tokens import (
    MOST_TOKENS,
    PREFIX,
    token_end,
    token_make,
    token_opened,
    tokens_of,
    tokens_step,
)
from surveys.errors.error import SurveyError
from surveys.models import ApiToken, AuditEvent, ProviderAccount
from tests.fixtures.programs import token_for
from tests.fixtures.staff import able, member

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


def test_more_tokens_than_anybody_overlooks_are_refused() -> None:
    ana = member("ana")
    for _ in range(MOST_TOKENS):
        token_for(ana)
    with pytest.raises(SurveyError, match="20 tokens") as refusal:
        token_for(ana)
    assert (refusal.value.code, refusal.value.value) == ("full", MOST_TOKENS)
    assert tokens_of(ana).count() == MOST_TOKENS
