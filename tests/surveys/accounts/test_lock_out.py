"""Guessing passwords leads to a lock-out, and responses reveal nothing."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection
from django.test.utils import CaptureQueriesContext

from surveys.accounts.lock_out import (
    LOCKED_OUT_FOR,
    Attempt,
    LockedOut,
    attempt_count,
    attempt_succeed,
    failures_forget,
    has_locked_logins,
    names_locked_out,
)
from surveys.accounts.log_in_digests import name_digest
from surveys.models import LogInFailures
from surveys.policy import FLOOD, MOST_OF_ADDRESS, MOST_OF_NAME, MOST_OF_NAME_AT_ADDRESS
from tests.fixtures.threads import run_at_once

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)


def attempt(name: str = "ana", address: str = "192.0.2.7", after: timedelta = timedelta()) -> Attempt:
    return attempt_count(name=name, address=address, now=NOON + after)


def fail(times: int, name: str = "ana", address: str = "192.0.2.7") -> list[bool]:
    return [attempt(name, address).is_last for _time in range(times)]


def test_five_failures_from_an_address_lock_out_the_name_there() -> None:
    assert fail(MOST_OF_NAME_AT_ADDRESS) == [False] * 4 + [True]
    with pytest.raises(LockedOut) as refused:
        attempt(after=timedelta(seconds=1))
    assert (refused.value.seconds, refused.value.minutes) == (899, 15)
    assert names_locked_out(now=NOON) == {name_digest("ana"): NOON + LOCKED_OUT_FOR}
    # The owner of the name can still log in from elsewhere.
    attempt_succeed(attempt(address="198.51.100.1"))


def test_guesses_from_many_addresses_lock_out_the_name_everywhere() -> None:
    for place in range(MOST_OF_NAME):
        attempt(address=f"192.0.2.{place}")
    with pytest.raises(LockedOut):
        attempt(address="198.51.100.1")


def test_an_address_that_tries_many_names_is_locked_out_of_all() -> None:
    for number in range(MOST_OF_ADDRESS):
        attempt(name=f"name{number}")
    with pytest.raises(LockedOut):
        attempt(name="ana")
    attempt(name="ana", address="198.51.100.1")


def test_floods_lower_the_limit_only_for_addresses_with_failures() -> None:
    for number in range(FLOOD):
        attempt(name=f"name{number}", address=f"192.0.2.{number // MOST_OF_NAME_AT_ADDRESS}")
    for place in (0, FLOOD // MOST_OF_NAME_AT_ADDRESS - 1):
        with pytest.raises(LockedOut):
            attempt(name="ana", address=f"192.0.2.{place}")
    assert has_locked_logins(now=NOON)
    attempt_succeed(attempt(name="ana", address="198.51.100.1"))
    for number in range(MOST_OF_NAME_AT_ADDRESS):
        attempt(name=f"another{number}", address="198.51.100.2")
    with pytest.raises(LockedOut):
        attempt(name="ana", address="198.51.100.2")
    assert has_locked_logins(now=NOON)
    # A flood that is over is forgotten, like all failures.
    for number in range(MOST_OF_NAME_AT_ADDRESS + 1):
        attempt(name=f"another{number}", address="198.51.100.2", after=LOCKED_OUT_FOR)


def test_floods_of_single_failures_report_no_lockout() -> None:
    for number in range(FLOOD):
        attempt(name=f"name{number}", address=f"192.0.2.{number}")
    assert not has_locked_logins(now=NOON)
    attempt(name="one more", address="192.0.2.0")
    assert not has_locked_logins(now=NOON)
    for number in range(MOST_OF_NAME_AT_ADDRESS - 2):
        attempt(name=f"yet {number}", address="192.0.2.0")
    assert has_locked_logins(now=NOON)
    with pytest.raises(LockedOut):
        attempt(name="ana", address="192.0.2.0")
    # The flood expires before the address's failures, and then the address can log in again.
    LogInFailures.objects.filter(most=FLOOD).update(until=NOON)
    assert not has_locked_logins(now=NOON)


def test_locked_out_attempts_write_nothing_to_the_database() -> None:
    fail(MOST_OF_NAME_AT_ADDRESS)
    with CaptureQueriesContext(connection) as queries, pytest.raises(LockedOut):
        attempt()
    assert [query["sql"].split()[0] for query in queries] == ["SELECT"]


def test_failure_counts_never_overflow_their_column() -> None:
    attempt()
    LogInFailures.objects.update(failures=30_000, most=32_767)
    attempt()
    assert set(LogInFailures.objects.values_list("failures", flat=True)) == {30_000}


def test_an_ipv6_network_counts_as_one_visitor() -> None:
    for number in range(MOST_OF_NAME_AT_ADDRESS):
        attempt(address=f"2001:db8::{number:x}")
    with pytest.raises(LockedOut):
        attempt(address="2001:db8::ffff")
    attempt(address="2001:db8:0:1::1")


def test_failures_expire_after_the_lock_out_period() -> None:
    fail(MOST_OF_NAME_AT_ADDRESS)
    attempt(name="other", address="198.51.100.1", after=LOCKED_OUT_FOR)
    assert names_locked_out(now=NOON + LOCKED_OUT_FOR) == {}
    assert LogInFailures.objects.count() == 4
    attempt(after=LOCKED_OUT_FOR)


def test_attempts_during_a_lock_out_do_not_extend_it() -> None:
    fail(MOST_OF_NAME_AT_ADDRESS)
    for _time in range(3):
        with pytest.raises(LockedOut):
            attempt(after=LOCKED_OUT_FOR - timedelta(seconds=1))
    attempt(after=LOCKED_OUT_FOR)


def test_logging_in_to_another_account_gives_no_extra_guesses() -> None:
    """An attacker's log-ins to their own account do not reset the failure count."""
    for number in range(MOST_OF_ADDRESS - 1):
        attempt(name=f"name{number}")
        attempt_succeed(attempt(name="mallory"))
    attempt(name="one more")
    with pytest.raises(LockedOut):
        attempt(name="mallory")


def test_spellings_of_a_name_share_one_failure_count() -> None:
    for name in ("ana", "ANA", "Ana", "\uff41na", "aNa"):
        attempt(name=name)
    with pytest.raises(LockedOut):
        attempt(name="ana")


def test_administrators_can_unlock_one_name_or_all() -> None:
    fail(MOST_OF_NAME_AT_ADDRESS)
    fail(MOST_OF_NAME_AT_ADDRESS, name="ben", address="192.0.2.8")
    failures_forget("ANA")
    attempt()
    assert list(names_locked_out(now=NOON)) == [name_digest("ben")]
    assert has_locked_logins(now=NOON)
    failures_forget()
    assert not has_locked_logins(now=NOON)


def test_failures_store_neither_name_nor_address() -> None:
    fail(MOST_OF_NAME_AT_ADDRESS, name="correct horse", address="192.0.2.77")
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM surveys_loginfailures")
        stored = repr(cursor.fetchall())
    assert stored.count("'") > 0
    for part in ("correct", "horse", "192.0", "192.0.2.77"):
        assert part not in stored


def test_the_docs_state_the_lock_out_limits() -> None:
    text = Path(settings.BASE_DIR, "docs", "people.md").read_text(encoding="utf-8")
    minutes = int(LOCKED_OUT_FOR.total_seconds() // 60)
    for start in (
        f"| {MOST_OF_NAME_AT_ADDRESS} for one name from one address |",
        f"| {MOST_OF_ADDRESS} from one address, whatever the names |",
        f"| {MOST_OF_NAME} for one name, from anywhere |",
        f"| {MOST_OF_NAME_AT_ADDRESS} from one address, while {FLOOD} have failed over all addresses |",
    ):
        (line,) = [line for line in text.splitlines() if line.startswith(start)]
        assert line.endswith(f"| {minutes} minutes |")


@pytest.mark.django_db(transaction=True)
def test_concurrent_guesses_share_the_sequential_limit() -> None:
    def guess() -> object:
        return attempt_count(name="ana", address="192.0.2.7", now=NOON)

    let_through = run_at_once([guess] * (MOST_OF_NAME_AT_ADDRESS + 4), refusals=(LockedOut,))
    assert sum(let_through) == MOST_OF_NAME_AT_ADDRESS
