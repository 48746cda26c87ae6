"""Concurrent requests have no effect that the same requests in sequence could not have."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.contrib.auth.models import User
from django.db import connection

from surveys.accounts.lock_out import LockedOut, attempt_count
from surveys.accounts.people import account_stop
from surveys.accounts.permissions import Role
from surveys.errors.error import SurveyError
from surveys.policy import MOST_OF_NAME_AT_ADDRESS
from tests.fixtures.staff import with_password
from tests.surveys.accounts.test_lock_out import NOON

pytestmark = pytest.mark.django_db(transaction=True)


def run_at_once(*works: Callable[[], object]) -> list[bool]:
    """Run all functions in threads that start together; return which ones succeeded."""
    start = Barrier(len(works))

    def do(work: Callable[[], object]) -> bool:
        start.wait()
        try:
            work()
        except (LockedOut, SurveyError):
            return False
        finally:
            connection.close()
        return True

    with ThreadPoolExecutor(len(works)) as pool:
        return list(pool.map(do, works))


def test_concurrent_guesses_share_the_sequential_limit() -> None:
    def guess() -> object:
        return attempt_count(name="ana", address="192.0.2.7", now=NOON)

    let_through = run_at_once(*[guess] * (MOST_OF_NAME_AT_ADDRESS + 4))
    assert sum(let_through) == MOST_OF_NAME_AT_ADDRESS


def test_two_administrators_cannot_both_stop_each_other() -> None:
    adam, berta = with_password("adam", Role.ADMINISTRATOR), with_password("berta", Role.ADMINISTRATOR)
    let_through = run_at_once(lambda: account_stop(adam, by="berta"), lambda: account_stop(berta, by="adam"))
    assert sum(let_through) == 1
    assert User.objects.filter(is_active=True).count() == 1
