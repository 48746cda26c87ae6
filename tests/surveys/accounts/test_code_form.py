"""Wrong codes count across sessions and lock out."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client

from surveys.accounts.people import account_let_in
from surveys.accounts.roles import Role
from surveys.models import AuditEvent, LogInFailures
from surveys.policy import CODES_LOCKED_OUT_HOURS, MOST_OF_CODES, MOST_OF_NAME_AT_ADDRESS
from tests.fixtures.second_factor import LOG_IN, STEP, at_second_step, code, tried, with_app, wrong
from tests.fixtures.staff import PASSWORD, with_password

pytestmark = pytest.mark.django_db


@pytest.fixture
def ana_admin() -> User:
    return with_password("ana", Role.ADMINISTRATOR)


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


@pytest.mark.soak
def test_a_successful_log_in_clears_wrong_codes(ana_admin: User) -> None:
    key = with_app(ana_admin)
    for _guess in range(MOST_OF_NAME_AT_ADDRESS - 1):
        tried(at_second_step("ana"), wrong(key))
    assert tried(at_second_step("ana"), code(key)) == 302
    assert not LogInFailures.objects.exclude(name="").exists()
